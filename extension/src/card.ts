// Copies a drawn card out of saved HTML: elements and attributes from an allow-list, every text as
// text. The HTML is parsed into a document of its own that is never shown, runs no script and
// fetches nothing; what a notebook smuggled into it is left behind. The lists are those of nodes.py.

const TAGS = new Set(
  (
    "div span p pre code strong small br details summary section header footer h3 h4 ul li dl dt dd " +
    "table caption thead tbody tr th td colgroup col"
  ).split(" "),
);
const ATTRIBUTES = new Set(
  "class role title style scope colspan open tabindex aria-label aria-hidden aria-live".split(" "),
);
const STYLE = /^(?:(?:left|width|flex-grow):\d+(?:\.\d+)?%?;?)+$/;
const NONE = new Set(["script", "style", "template", "iframe", "object", "noscript"]);

function copied(node: Node): Node | null {
  if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.textContent ?? "");
  if (!(node instanceof Element)) return null;
  const tag = node.tagName.toLowerCase();
  if (NONE.has(tag)) return null;
  const made = document.createElement(TAGS.has(tag) ? tag : "span");
  for (const { name, value } of Array.from(node.attributes)) {
    if (ATTRIBUTES.has(name) && (name !== "style" || STYLE.test(value))) {
      made.setAttribute(name, value);
    }
  }
  for (const child of Array.from(node.childNodes)) {
    const inner = copied(child);
    if (inner) made.append(inner);
  }
  return made;
}

/** Return the card that stands in a saved HTML output, or null where there is none. */
export function card(html: string): Node | null {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  const found = parsed.querySelector("section.wb");
  return found ? copied(found) : null;
}
