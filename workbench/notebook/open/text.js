// A long text by stretches and by search: a log, JSON, the source of a page. It is only ever text.

import { button, count, made, visible } from "./draw.js";

const STRETCH = 20_000;

export class LongText {
  constructor(channel, facts) {
    this.channel = channel;
    this.facts = facts;
    this.offset = 0;
    this.chars = facts.chars ?? 0;
    this.hidden = [0, 0];
    // Only the last answer asked for is shown.
    this.asked = this.sought = 0;
    this.root = made("div", "wbo-long");
    this.line = made("div", "wbo-line");
    this.line.setAttribute("role", "status");
    this.body = made("pre", "wbo-source");
    this.body.tabIndex = 0;
    this.body.setAttribute("role", "region");
    this.body.setAttribute("aria-label", `Text of ${facts.label}`);
    this.hits = made("ul", "wbo-hits");
    this.root.append(this.bar(), this.hits, this.body);
  }

  bar() {
    const find = made("input", "wbo-input");
    find.type = "search";
    find.placeholder = "find in the whole text";
    find.setAttribute("aria-label", "Find in the whole text");
    const form = made("form", "wbo-find", find);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.find(find.value);
    });
    find.addEventListener("keydown", (event) => event.stopPropagation());
    this.back = button("Back", () => this.show(Math.max(this.offset - STRETCH, 0)));
    this.next = button("Next", () => this.show(this.offset + STRETCH));
    return made("div", "wbo-bar", this.line, form, made("div", "wbo-tools", this.back, this.next));
  }

  start() {
    return this.show(0);
  }

  /** Set apart what a model did not see. */
  hide(hidden) {
    this.hidden = hidden;
    return this.show(this.offset);
  }

  async show(offset, length = 0) {
    this.asked += 1;
    const { asked } = this;
    this.offset = offset;
    const found = await this.channel
      .ask("text", { offset, limit: STRETCH })
      .catch((error) => this.fail(error));
    if (!found || asked !== this.asked) return;
    const signs = Array.from(found.text);
    this.chars = found.chars;
    const end = offset + signs.length;
    const edges = [offset, end, ...this.hidden, ...(length ? [offset, offset + length] : [])];
    const cuts = [...new Set(edges.map((at) => Math.min(Math.max(at, offset), end)))].sort(
      (a, b) => a - b,
    );
    const parts = cuts.slice(1).map((to, place) => {
      const from = cuts[place];
      const span = made("span", "", visible(signs.slice(from - offset, to - offset).join("")));
      if (from >= this.hidden[0] && to <= this.hidden[1]) span.className = "wb-unseen";
      if (length && from === offset && to <= offset + length) span.classList.add("wbo-hit");
      return span;
    });
    this.body.replaceChildren(...parts);
    this.body.scrollTop = 0;
    const of = count(this.chars);
    this.line.textContent = signs.length
      ? `characters ${count(offset + 1)}–${count(end)} of ${of}`
      : `0 of ${of} characters`;
    this.back.disabled = offset === 0;
    this.next.disabled = end >= this.chars;
  }

  async find(pattern) {
    this.sought += 1;
    const { sought } = this;
    if (!pattern) {
      this.hits.replaceChildren();
      return;
    }
    const found = await this.channel.ask("search", { pattern }).catch((error) => this.fail(error));
    if (!found || sought !== this.sought) return;
    const more = found.total > found.hits.length ? `, the first ${count(found.hits.length)} here` : "";
    const told = made("li", "wbo-soft", `${count(found.total)} places${more}`);
    const length = Array.from(pattern).length;
    const places = found.hits.map((hit) => {
      const open = button(visible(hit.around).replace(/\s+/g, " "), () => this.show(hit.offset, length));
      open.classList.add("wbo-place");
      return made("li", "", made("span", "wbo-soft", `${count(hit.offset)} `), open);
    });
    this.hits.replaceChildren(told, ...places);
  }

  fail(error) {
    this.line.textContent = error.message;
    return null;
  }
}
