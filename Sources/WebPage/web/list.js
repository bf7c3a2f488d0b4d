// Patches lists by keys: elements are kept and moved, not replaced, so that focus, caret and scroll stay.

/** Makes the children of `parent`, which holds nothing else, those of `items`, in their order. */
export function keyed(parent, items, keyOf, make, update) {
  const kept = (parent.keyedElements ||= new Map());
  const wanted = new Map(items.map((item) => [String(keyOf(item)), item]));
  for (const [key, element] of kept) {
    if (wanted.has(key)) continue;
    element.remove();
    kept.delete(key);
  }
  let place = parent.firstElementChild;
  for (const [key, item] of wanted) {
    let element = kept.get(key);
    if (!element) kept.set(key, (element = make(item)));
    if (update) update(element, item);
    if (place === element) place = place.nextElementSibling;
    else move(parent, element, place);
  }
}

/** Moves an element, and keeps focus if it was inside it. */
function move(parent, element, place) {
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  parent.insertBefore(element, place);
  if (focused && document.activeElement !== focused) focused.focus({ preventScroll: true });
}
