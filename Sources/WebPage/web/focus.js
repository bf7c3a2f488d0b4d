// Moves focus to the heading of a new screen.

/** Focuses the `h1` inside `root`, so that assistive technology reads a screen from its beginning. */
export function focusHeading(root) {
  const heading = root.querySelector("h1");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
