// Makes elements. Text goes in as text nodes only, so that names and notes of any content stand as they are.

const SVG = "http://www.w3.org/2000/svg";

/** An element; `props` are attributes, besides `text` and `on` (listeners by event); children: nodes, texts, lists. */
export function h(tag, props, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props || {})) {
    if (name === "text") element.textContent = value;
    else if (name === "on") listen(element, value);
    else if (name === "value") element.value = value;
    else if (value !== false && value != null) element.setAttribute(name, value === true ? "" : value);
  }
  return append(element, children);
}

function listen(element, listeners) {
  for (const [event, listener] of Object.entries(listeners)) element.addEventListener(event, listener);
}

/** Appends nodes, texts and numbers; leaves out null and false. */
function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child != null && child !== false && child !== true) element.append(child);
  }
  return element;
}

/** Sets an element's text, or a text node's, only if it differs. */
export function text(node, string) {
  if (node.nodeType === Node.TEXT_NODE) {
    if (node.data !== string) node.data = string;
  } else if (node.textContent !== string) node.textContent = string;
}

/** Sets an attribute, or takes it away for false and null, only if it differs. */
export function attribute(element, name, value) {
  if (value === false || value == null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== (value === true ? "" : String(value))) {
    element.setAttribute(name, value === true ? "" : value);
  }
}

function svg(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** A project's dot: the color as a presentation attribute, with a ring that is seen on every ground. */
export function dot(color) {
  const image = svg("svg", { class: "dot", viewBox: "0 0 12 12", "aria-hidden": "true" });
  image.append(svg("circle", { cx: 6, cy: 6, r: 5, fill: /^#[0-9a-f]{6}$/i.test(color) ? color : "none" }));
  return image;
}

const PATHS = {
  in: "M10 4h9v16h-9M4 12h10M10 8l4 4-4 4",
  out: "M14 4H5v16h9M9 12h11M16 8l4 4-4 4",
  pause: "M8 5v14M16 5v14",
  play: "M7 4.5v15l12-7.5z",
  stop: "M6 6h12v12H6z",
  edit: "M4 20l1-5L16 4l4 4L9 19zM13.5 6.5l4 4",
  plus: "M12 5v14M5 12h14",
  print: "M7 8V3h10v5M7 17H4V9h16v8h-3M7 14h10v7H7z",
  download: "M12 3v12M7 10l5 5 5-5M4 20h16",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  left: "M15 5l-7 7 7 7",
  right: "M9 5l7 7-7 7",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  warning: "M12 4L2.5 20h19zM12 10v5M12 17.5v.5",
  check: "M4 13l5 5L20 6",
  person: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 21c0-4 3.5-6 8-6s8 2 8 6",
};

/** An inline image beside words; assistive technology does not hear it. */
export function icon(name) {
  const image = svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" });
  image.append(svg("path", { d: PATHS[name] }));
  return image;
}
