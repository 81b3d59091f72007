// Draws the tree that the kernel sends: elements and attributes from an allow-list, every text as
// text. It sends nothing back. The kernel speaks at least once a second; where it is silent the card
// no longer says that anybody works. Old and new trees are compared, so that what did not change stays.

const TAGS = new Set(
  ("div span p pre code strong small br details summary section header footer h3 h4 ul li dl dt dd " +
    "table caption thead tbody tr th td colgroup col").split(" "),
);
const ATTRIBUTES = new Set(
  "class role title style scope colspan open tabindex aria-label aria-hidden aria-live".split(" "),
);
// Lengths in per cent and plain numbers alone, as in nodes.py.
const STYLE = /^(?:(?:left|width|flex-grow):\d+(?:\.\d+)?%?;?)+$/;

function allowed(name, value) {
  return ATTRIBUTES.has(name) && (name !== "style" || STYLE.test(value));
}

function make(item) {
  if (typeof item === "string") return document.createTextNode(item);
  const [tag, attributes, children] = item;
  const element = document.createElement(TAGS.has(tag) ? tag : "span");
  for (const [name, value] of Object.entries(attributes)) {
    if (allowed(name, value)) element.setAttribute(name, value);
  }
  for (const child of children) element.append(make(child));
  return element;
}

function same(before, after) {
  if (typeof before === "string" || typeof after === "string") {
    return typeof before === typeof after;
  }
  return before[0] === after[0];
}

function update(shown, before, after) {
  if (typeof after === "string") {
    if (before !== after) shown.textContent = after;
    return;
  }
  for (const name of Object.keys(before[1])) {
    if (!(name in after[1])) shown.removeAttribute(name);
  }
  for (const [name, value] of Object.entries(after[1])) {
    if (before[1][name] !== value && allowed(name, value)) shown.setAttribute(name, value);
  }
  const old = Array.from(shown.childNodes);
  after[2].forEach((child, place) => {
    if (place >= old.length) shown.append(make(child));
    else if (same(before[2][place], child)) update(old[place], before[2][place], child);
    else old[place].replaceWith(make(child));
  });
  old.slice(after[2].length).forEach((rest) => rest.remove());
}

const SILENT_SECONDS = 10;
const SILENCE =
  "No word from the kernel: it has ended, or the connection is gone. What came of the question: " +
  "%agent results, once a kernel runs and the data is in use.";

function render({ model, el }) {
  let drawn = model.get("card");
  let shown = make(drawn);
  el.append(shown);
  const silence = document.createElement("p");
  silence.className = "wb-silence";
  silence.setAttribute("role", "status");
  silence.textContent = SILENCE;
  let waiting;
  const state = (before, after) => {
    const pill = el.querySelector(".wb-pill");
    if (pill && pill.textContent === before) pill.textContent = after;
  };
  const heard = () => {
    el.classList.remove("wb-is-silent");
    state("was working", "working");
    silence.remove();
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      el.classList.add("wb-is-silent");
      state("working", "was working");
      el.prepend(silence);
    }, SILENT_SECONDS * 1000);
  };
  const draw = () => {
    const next = model.get("card");
    if (same(drawn, next)) update(shown, drawn, next);
    else {
      const made = make(next);
      shown.replaceWith(made);
      shown = made;
    }
    drawn = next;
  };
  const tick = () => {
    const clock = el.querySelector(".wb-elapsed");
    if (clock) clock.textContent = model.get("elapsed");
  };
  model.on("change:card", draw);
  model.on("change:elapsed", tick);
  model.on("change", heard);
  heard();
  return () => {
    clearTimeout(waiting);
    model.off("change", heard);
    model.off("change:card", draw);
    model.off("change:elapsed", tick);
  };
}

export default { render };
