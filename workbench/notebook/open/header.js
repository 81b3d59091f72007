// The head of a column: its name, which sorts, its numbers, a small histogram, and its filter.

import { button, count, made } from "./draw.js";

const NS = "http://www.w3.org/2000/svg";
const WIDTH = 120;
const HEIGHT = 26;

function svg(tag, attributes) {
  const element = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** Return a histogram; the bar of values below detection stands apart on the left. */
export function histogram(shape, column) {
  const bins = shape.bins ?? [];
  const picture = svg("svg", {
    class: "wbo-histogram",
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    role: "img",
    "aria-label": bins.length
      ? `${column.name}: ${bins.length} bins from ${shape.low} to ${shape.high}` +
        `${shape.log ? ", on a log scale" : ""}`
      : `${column.name}: no spread`,
  });
  const below = shape.below ?? 0;
  const most = Math.max(1, ...bins, below);
  const start = column.below ? 10 : 0;
  const step = (WIDTH - start) / Math.max(bins.length, 1);
  const bar = (x, width, value, look) => {
    const tall = value ? Math.max((HEIGHT - 2) * (value / most), 1) : 0;
    picture.append(svg("rect", { class: look, x, y: HEIGHT - tall, width, height: tall }));
  };
  if (below) bar(0, 6, below, "wbo-below");
  for (const [place, value] of bins.entries()) {
    bar(start + place * step, Math.max(step - 0.8, 0.4), value, "wbo-bin");
  }
  return picture;
}

function commonest(shape) {
  const list = made("div", "wbo-top");
  if (shape.kinds > 1 && shape.top[0][1] === 1) {
    list.append(made("div", "wbo-soft", "all different"));
    return list;
  }
  for (const [value, number] of (shape.top ?? []).slice(0, 2)) {
    list.append(made("div", "wbo-value", `${value} `, made("span", "wbo-soft", count(number))));
  }
  const more = shape.kinds - Math.min((shape.top ?? []).length, 2);
  if (more > 0) list.append(made("div", "wbo-soft", `${count(more)} more values`));
  return list;
}

function number(value) {
  return typeof value === "number" ? String(Number(value.toPrecision(6))) : value;
}

function facts(column, all) {
  const numeric = column.kind === "number" && column.median !== null;
  const range = `${number(column.min)} – ${number(column.max)}`;
  const lines = [made("div", "wbo-soft", numeric ? range : `${count(column.count)} values`)];
  lines.push(made("div", "wbo-soft", numeric ? `median ${number(column.median)}` : ""));
  const odd = [];
  if (column.below) odd.push(made("span", "wbo-censored", `${count(column.below)} below`));
  if (column.above) odd.push(made("span", "wbo-censored", `${count(column.above)} above`));
  if (column.missing) odd.push(made("span", "wbo-missing", `${count(column.missing)} missing`));
  if (all) odd.unshift(made("span", "wbo-soft", "of all rows"));
  lines.push(made("div", "wbo-odd", ...odd.flatMap((one, n) => (n ? [" ", one] : [one]))));
  return lines;
}

/** Return the head of a column; `act` has sort and filter. */
export function head(column, place, state, act) {
  const order = state.order?.column === place ? state.order : null;
  const sign = order ? (order.descending ? " ▼" : " ▲") : "";
  const filtered = state.filters.some((one) => one.column === place);
  const title = made("div", "wbo-title");
  const sort = button(column.name + sign, () => act.sort(place), `Sort by ${column.name}`);
  sort.classList.add("wbo-sort");
  sort.dataset.focus = `sort-${place}`;
  const open = button(filtered ? "▾" : "▿", () => act.filter(place, open), `Filter ${column.name}`);
  open.classList.add("wbo-funnel");
  open.classList.toggle("wbo-on", filtered);
  open.setAttribute("aria-haspopup", "dialog");
  open.dataset.focus = `filter-${place}`;
  title.append(sort, column.unit ? made("span", "wbo-unit", column.unit) : "", open);
  const shape = state.shapes.get(place);
  const picture = !shape
    ? made("div", "wbo-waiting")
    : shape.top
      ? commonest(shape)
      : histogram(shape, column);
  // Under a filter the numbers are those of its rows, as the picture is.
  const own = shape && "count" in shape ? { ...column, ...shape } : column;
  const waits = state.filters.length > 0 && !shape;
  const lines = waits ? [made("div", "wbo-soft", "…")] : facts(own, own === column && state.filters.length > 0);
  const box = made("div", "wbo-head", title, picture, ...lines);
  box.dataset.sorted = order ? (order.descending ? "descending" : "ascending") : "none";
  return box;
}
