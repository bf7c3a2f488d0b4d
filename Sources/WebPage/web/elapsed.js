// One timer: it wakes at each full second of the elapsed time, and in a hidden tab at each full minute.
import { now } from "./servertime.js";

/** `tick(milliseconds)` is called at once and then at each full second since `follow(start)`; null rests. */
export function ticker(tick) {
  let start = null;
  let timer = 0;

  function wake() {
    clearTimeout(timer);
    if (start === null) return;
    const time = now();
    tick(time);
    const step = document.hidden ? 60_000 : 1000;
    const into = (((time - start) % step) + step) % step;
    timer = setTimeout(wake, step - into + 4);
  }

  document.addEventListener("visibilitychange", wake);
  return {
    follow(instant) {
      if (instant === start) return;
      start = instant;
      wake();
    },
    stop() {
      start = null;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", wake);
    },
  };
}
