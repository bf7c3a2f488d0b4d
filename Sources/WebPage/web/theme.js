// Sets the chosen appearance before the first paint; a classic script, loaded in the head.
(() => {
  try {
    const chosen = localStorage.getItem("timeclock.appearance");
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
    if (localStorage.getItem("timeclock.compact")) document.documentElement.dataset.compact = "";
  } catch {
    // Without storage the system's appearance is shown.
  }
})();
