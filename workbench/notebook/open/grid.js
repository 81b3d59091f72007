// A table whose rows come when they come into view. Sorting and filtering are worked out on the
// whole file, in the kernel's child; what stands here are the rows in view and the last few pages.

import { button, count, made } from "./draw.js";
import { filterForm } from "./filter.js";
import { head } from "./header.js";
import "./regular-table.js";

const PAGE = 100;
const WIDE = 40;
const HELD = 60;
const DRAWS = 5;
const ROW_LOOKS = ["wbo-was-not", "wbo-was-part", "wbo-was-seen"];
const SIGNS = ["", "◐ ", "● "];

export class Grid {
  constructor(channel, facts) {
    this.channel = channel;
    this.facts = facts;
    this.call = "";
    this.columns = [];
    this.total = facts.rows ?? 0;
    this.matched = this.total;
    this.ready = false;
    this.state = { filters: [], order: null, shapes: new Map() };
    this.pages = new Map();
    // What was asked under an older version is no answer any more.
    this.version = 0;
    this.wanted = this.drawn = 0;
    this.heads = new Map();
    this.span = [0, 0];
    this.marks = [];
    this.shown = new Set();
    this.moved = () => undefined;
    this.root = made("div", "wbo-grid");
    this.line = made("div", "wbo-line");
    this.line.setAttribute("role", "status");
    this.table = document.createElement("regular-table");
    this.table.setAttribute("role", "region");
    this.table.setAttribute("aria-label", `Rows of ${facts.label}`);
    this.root.append(this.bar(), this.table);
    this.table.addStyleListener(() => this.style());
    this.table.addEventListener("regular-table-scroll", () => this.say());
    this.drawing = null;
    this.busy = made("div", "wbo-busy");
    this.root.append(this.busy);
  }

  bar() {
    this.note = made("span", "wbo-note");
    this.clear = button("Clear filters", () => this.choose([], null));
    this.clear.hidden = true;
    const actions = made(
      "div",
      "wbo-tools",
      this.clear,
      button("Copy as SQL", () => this.copySql()),
      button("Export rows", () => this.export()),
    );
    this.actions = actions;
    return made("div", "wbo-bar", this.line, this.note, actions);
  }

  /** Show the first rows at once where they are at hand, then read the whole. */
  async start() {
    this.table.setDataListener((x0, y0, x1, y1) => this.slice(x0, y0, x1, y1));
    const first = await this.channel.ask("head").catch(() => null);
    if (first?.rows?.length) {
      this.columns = first.columns.map((name) => ({ name, plain: true }));
      this.pages.set("0:0", { rows: first.rows, marks: {}, numbers: [], first: true });
      await this.draw();
    }
    this.busy.textContent = "reading the whole file …";
    const said = (text, share) => {
      this.busy.textContent = `reading the whole file: ${text} ${Math.round(100 * share)} %`;
    };
    const found = await this.channel.ask("columns", {}, said).finally(() => {
      this.busy.textContent = "";
    });
    this.columns = found.columns;
    this.total = this.matched = found.total;
    this.ready = true;
    this.forget();
    await this.draw();
  }

  /** Let go of the rows at hand, and of those that are on their way. */
  forget() {
    this.version += 1;
    this.pages.clear();
    return this.version;
  }

  /** Mark the rows that one call showed to a model. */
  async mark(call) {
    if (call === this.call) return;
    this.call = call;
    if (!this.ready) return;
    this.forget();
    await this.draw();
  }

  /** Draw what there is now. A draw that gave way to a scroll's, which draws no row anew, is repeated. */
  async draw() {
    this.heads.clear();
    this.wanted += 1;
    const wanted = this.wanted;
    for (let tries = 0; tries < DRAWS && this.drawn < wanted; tries += 1) {
      await this.table.draw({ invalid_viewport: true });
    }
  }

  /** Fill the room there is now. */
  fit() {
    if (this.columns.length) this.draw();
  }

  /** Return which rows of the file are in view; null where they stand in another order. */
  place() {
    const plain = this.state.filters.length === 0 && this.state.order === null;
    return this.ready && plain ? this.inView() : null;
  }

  /** Bring a row of the file to the top. */
  async go(row) {
    if (!this.place()) await this.choose([], null);
    this.table.scrollTop = 0;
    await this.table.scrollToCell(0, row, this.columns.length, this.matched);
  }

  view() {
    return { filters: this.state.filters, order: this.state.order };
  }

  async slice(x0, y0, x1, y1) {
    const known = this.ready ? this.matched : (this.pages.get("0:0")?.rows.length ?? 0);
    const answer = {
      num_rows: known,
      num_columns: this.columns.length,
      column_header_merge_depth: 0,
      data: [],
      column_headers: [],
      row_headers: [],
      metadata: [],
    };
    if (x1 - x0 <= 0 || y1 - y0 <= 0) return answer;
    const { wanted } = this;
    const [first, last] = [Math.floor(y0), Math.min(Math.ceil(y1), known)];
    this.span = [first, last];
    const rows = [];
    for (let at = Math.floor(first / PAGE); at * PAGE < last; at += 1) {
      for (let wide = Math.floor(x0 / WIDE); wide * WIDE < x1; wide += 1) await this.page(at, wide);
    }
    for (let y = first; y < last; y += 1) rows.push(y);
    const columns = [];
    for (let x = Math.floor(x0); x < Math.min(Math.ceil(x1), this.columns.length); x += 1) {
      columns.push(x);
    }
    const cell = (x, y) => {
      const page = this.held(y, x);
      return page?.rows[y % PAGE]?.[x % WIDE] ?? null;
    };
    answer.data = columns.map((x) => rows.map((y) => cell(x, y) ?? ""));
    answer.metadata = columns.map((x) => rows.map((y) => this.flag(x, y, cell(x, y))));
    answer.column_headers = columns.map((x) => [this.headOf(x)]);
    answer.row_headers = rows.map((y) => {
      const number = this.held(y, 0)?.numbers[y % PAGE];
      return [`${SIGNS[this.seen(y)]}${count((number ?? y) + 1)}`];
    });
    this.marks = rows.map((y) => this.seen(y));
    this.shown = new Set(this.held(first, 0)?.shown);
    this.drawn = wanted;
    return answer;
  }

  /** How much of a row one call showed: 0 not, 1 some of its columns, 2 whole. */
  seen(y) {
    return (this.call !== "" && this.held(y, 0)?.seen?.[y % PAGE]) || 0;
  }

  held(y, x) {
    const wide = this.ready ? Math.floor(x / WIDE) : 0;
    return this.pages.get(`${Math.floor(y / PAGE)}:${wide}`);
  }

  flag(x, y, value) {
    const mark = this.held(y, x)?.marks?.[this.columns[x].name]?.[y % PAGE];
    const look = mark === "<" || mark === ">" || mark === "bdl" ? "wbo-censored" : "";
    return { look: look || (value === null ? "wbo-missing" : ""), mark: mark ?? "" };
  }

  async page(at, wide) {
    const key = `${at}:${wide}`;
    if (this.pages.has(key) || !this.ready) return;
    const { version } = this;
    const span = { offset: at * PAGE, limit: PAGE, first: wide * WIDE, width: WIDE };
    const found = await this.channel
      .ask("rows", { ...this.view(), ...span, call: this.call })
      .catch((error) => (version === this.version ? this.fail(error) : null));
    if (version !== this.version) {
      await this.page(at, wide);
      return;
    }
    if (!found) return;
    this.matched = found.matched;
    this.pages.set(key, found);
    while (this.pages.size > HELD) this.pages.delete(this.pages.keys().next().value);
  }

  headOf(x) {
    if (!this.heads.has(x)) {
      const column = this.columns[x];
      const act = { sort: (place) => this.sort(place), filter: (place, at) => this.form(place, at) };
      const box = column.plain ? made("div", "wbo-head", column.name) : head(column, x, this.state, act);
      this.heads.set(x, box);
      if (!column.plain && !this.state.shapes.has(x)) this.shape(x);
    }
    return this.heads.get(x);
  }

  async shape(x) {
    // The shape is of the filtered rows, whatever their order.
    const { filters, shapes } = this.state;
    shapes.set(x, null);
    const found = await this.channel
      .ask("column", { column: x, filters })
      .catch(() => ({ bins: [] }));
    shapes.set(x, found);
    if (filters !== this.state.filters) return;
    const old = this.heads.get(x);
    const act = { sort: (place) => this.sort(place), filter: (place, at) => this.form(place, at) };
    old?.replaceChildren(...head(this.columns[x], x, this.state, act).childNodes);
  }

  style() {
    const marked = this.call !== "";
    for (const cell of this.table.querySelectorAll("tbody td")) {
      const meta = this.table.getMeta(cell);
      const { look, mark } = meta?.user ?? {};
      const column = this.columns[meta?.x];
      cell.className = `${look ?? ""} ${column?.kind === "number" ? "wbo-number" : ""}`;
      cell.classList.toggle("wbo-in", marked && this.shown.has(column?.name));
      if (mark && look === "wbo-missing") cell.title = `missing: ${mark}`;
      else if (look === "wbo-censored") cell.title = `censored: ${mark}`;
      else cell.removeAttribute("title");
    }
    for (const row of this.table.querySelectorAll("tbody tr")) {
      const meta = this.table.getMeta(row.querySelector("th"));
      const y = meta?.y ?? 0;
      const seen = this.marks[y - this.span[0]] ?? 0;
      ROW_LOOKS.forEach((look, state) => row.classList.toggle(look, marked && seen === state));
      const number = row.querySelector("th");
      if (seen === 1) number.title = `seen in part: ${[...this.shown].join(", ")}`;
      else number?.removeAttribute("title");
    }
    for (const one of this.table.querySelectorAll("thead th")) {
      const box = one.querySelector(".wbo-head");
      one.setAttribute("scope", "col");
      if (box?.dataset.sorted) one.setAttribute("aria-sort", box.dataset.sorted);
      else if (!box) one.setAttribute("aria-label", "row of the file");
    }
    this.say();
  }

  /** The rows in view: first, and after the last; a row counts from its half on. */
  inView() {
    const box = this.table.getBoundingClientRect();
    const top = this.table.querySelector("thead")?.getBoundingClientRect().bottom ?? box.top;
    const rows = [...this.table.querySelectorAll("tbody tr")].filter((row) => {
      const { top: from, bottom: to } = row.getBoundingClientRect();
      return (from + to) / 2 >= top && (from + to) / 2 <= box.top + this.table.clientHeight;
    });
    const [first, last] = [rows[0], rows.at(-1)].map((row) =>
      row ? (this.table.getMeta(row.querySelector("th"))?.y ?? 0) : 0,
    );
    return rows.length ? [first, last + 1] : [0, 0];
  }

  say() {
    const [first, last] = this.inView();
    const of = count(this.matched);
    const shown = last > first ? `showing ${count(first + 1)}–${count(last)} of ${of}` : `0 of ${of}`;
    const from = this.matched === this.total ? "" : ` (filtered from ${count(this.total)})`;
    const whole = this.ready ? "" : ` of ${count(this.total)}, first rows`;
    this.line.textContent = this.ready
      ? `${shown} rows${from}`
      : `showing ${count(Math.min(first + 1, last))}–${count(last)}${whole}`;
    this.clear.hidden = this.state.filters.length === 0 && this.state.order === null;
    this.actions.hidden = !this.ready;
    this.moved();
  }

  sort(place) {
    const { order } = this.state;
    const next =
      order?.column !== place
        ? { column: place, descending: false }
        : order.descending
          ? null
          : { column: place, descending: true };
    this.focus = `sort-${place}`;
    return this.choose(this.state.filters, next);
  }

  form(place, anchor) {
    filterForm(this.root, anchor, this.columns[place], place, this.state.filters, (own) => {
      const others = this.state.filters.filter((one) => one.column !== place);
      this.focus = `filter-${place}`;
      this.choose([...others, ...own], this.state.order);
    });
  }

  async choose(filters, order) {
    this.forget();
    const fresh = filters !== this.state.filters;
    const state = { filters, order, shapes: fresh ? new Map() : this.state.shapes };
    this.state = state;
    this.note.textContent = "";
    this.busy.textContent = "working on the whole file …";
    await this.page(0, 0);
    if (state !== this.state) return;
    this.busy.textContent = "";
    this.table.scrollTop = 0;
    await this.draw();
    if (this.focus) this.table.querySelector(`[data-focus="${this.focus}"]`)?.focus();
    this.focus = "";
  }

  fail(error) {
    this.note.textContent = error.message;
    return null;
  }

  async copySql() {
    const found = await this.channel.ask("sql", this.view()).catch((error) => this.fail(error));
    if (!found) return;
    const text = made("pre", "wbo-sql", found.sql);
    text.tabIndex = 0;
    this.note.replaceChildren(text);
    await navigator.clipboard?.writeText(found.sql).catch(() => undefined);
  }

  async export() {
    this.note.textContent = "writing the rows into results/ …";
    const found = await this.channel.ask("export", this.view()).catch((error) => this.fail(error));
    if (!found) return;
    const words = `${count(found.rows)} rows: ${found.id} ${found.path}, run ${found.run}`;
    this.note.replaceChildren(made("span", "wbo-done", words));
  }
}
