// Elements made in one way only: tags and attributes from an allow-list, every text as text.

const TAGS = new Set(
  ("div span p pre code strong small br details summary section header footer h3 h4 ul li dl dt dd " +
    "table caption thead tbody tr th td colgroup col").split(" "),
);
const ATTRIBUTES = new Set(
  "class role title style scope colspan open tabindex aria-label aria-hidden aria-live".split(" "),
);
const STYLE = /^(?:(?:left|width|flex-grow):\d+(?:\.\d+)?%?;?)+$/;

/** Return the element of a tree that the kernel drew: [tag, attributes, children] or a text. */
export function drawn(item) {
  if (typeof item === "string") return document.createTextNode(item);
  const [tag, attributes, children] = item;
  const element = document.createElement(TAGS.has(tag) ? tag : "span");
  for (const [name, value] of Object.entries(attributes)) {
    if (ATTRIBUTES.has(name) && (name !== "style" || STYLE.test(value))) {
      element.setAttribute(name, value);
    }
  }
  for (const child of children) element.append(drawn(child));
  return element;
}

/** Return an element of our own; texts among the children stay texts. */
export function made(tag, look, ...children) {
  const element = document.createElement(tag);
  if (look) element.className = look;
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Return a button with its action; a name for a screen reader where the label is a sign. */
export function button(label, action, name) {
  const element = made("button", "wbo-button", label);
  element.type = "button";
  if (name) element.setAttribute("aria-label", name);
  element.addEventListener("click", action);
  return element;
}

/** Return a text with signs that cannot be seen, or turn the reading order, written out. */
export function visible(text) {
  return text.replace(/(?![\n\t ])[\p{C}\p{Zl}\p{Zp}]/gu, (sign) =>
    [...sign].map((one) => `\\u${one.codePointAt(0).toString(16).padStart(4, "0")}`).join(""),
  );
}

/** Return a count with separators. */
export function count(number) {
  return Number(number).toLocaleString("en-US");
}
