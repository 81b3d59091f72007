// A long text by stretches and by search: a log, JSON, the source of a page. It is only ever text.

import { button, count, made, visible } from "./draw.js";
import { scrollPane, topOf } from "./linked.js";

const STRETCH = 20_000;
// What stands above a place that is gone to.
const BEFORE = 2_000;
const LOOKS = ["wbo-part wb-unseen", "", "wbo-part wbo-known"];

export class LongText {
  constructor(channel, facts) {
    this.channel = channel;
    this.facts = facts;
    this.offset = 0;
    this.chars = facts.chars ?? 0;
    this.length = 0;
    this.stretches = [];
    this.moved = () => undefined;
    // Only the last answer asked for is shown.
    this.asked = this.sought = 0;
    this.root = made("div", "wbo-long");
    this.line = made("div", "wbo-line");
    this.line.setAttribute("role", "status");
    this.body = made("pre", "wbo-source");
    this.body.tabIndex = 0;
    this.body.setAttribute("role", "region");
    this.body.setAttribute("aria-label", `Text of ${facts.label}`);
    this.body.addEventListener("scroll", () => this.moved());
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

  /** Set apart what a model saw and did not see: [from, to, state]. */
  divide(stretches) {
    this.stretches = stretches;
    return this.show(this.offset);
  }

  /** Return the character at the top of what is in view. */
  top() {
    const at = topOf(this.body, [this.body]);
    return at === null ? null : this.offset + at;
  }

  /** Return which characters are in view. */
  place() {
    const { scrollTop, scrollHeight, clientHeight } = this.body;
    const share = this.length / Math.max(scrollHeight, 1);
    const from = this.offset + Math.round(scrollTop * share);
    return [from, Math.min(from + Math.round(clientHeight * share), this.offset + this.length)];
  }

  /** Bring a character to the top. */
  async go(at) {
    this.wanted = at;
    const near = at >= this.offset && at < this.offset + this.length;
    // The last lines of a stretch cannot come to the top of it.
    const below = at > this.offset + this.length - BEFORE && this.offset + this.length < this.chars;
    if (!near || below) await this.show(Math.max(at - BEFORE, 0));
    if (this.wanted === at) scrollPane(this.body, [this.body], at - this.offset);
  }

  async show(offset, length = 0) {
    this.asked += 1;
    const { asked } = this;
    const top = offset === this.offset && !length ? this.body.scrollTop : 0;
    this.offset = offset;
    const found = await this.channel
      .ask("text", { offset, limit: STRETCH })
      .catch((error) => this.fail(error));
    if (!found || asked !== this.asked) return;
    const signs = Array.from(found.text);
    this.chars = found.chars;
    const end = offset + signs.length;
    const piece = (from, to) => visible(signs.slice(from - offset, to - offset).join(""));
    const stretches = this.stretches.length ? this.stretches : [[0, Infinity, 1]];
    const parts = [];
    for (const [first, last, state] of stretches) {
      const [from, to] = [Math.max(first, offset), Math.min(last, end)];
      if (from >= to) continue;
      const [begin, close] = [offset, offset + length].map((at) => Math.min(Math.max(at, from), to));
      const part = made("span", LOOKS[state], piece(from, begin));
      if (close > begin) part.append(made("span", "wbo-hit", piece(begin, close)));
      part.append(piece(close, to));
      parts.push(part);
    }
    this.length = signs.length;
    this.body.replaceChildren(...parts);
    this.body.scrollTop = top;
    const of = count(this.chars);
    this.line.textContent = signs.length
      ? `characters ${count(offset + 1)}–${count(end)} of ${of}`
      : `0 of ${of} characters`;
    this.back.disabled = offset === 0;
    this.next.disabled = end >= this.chars;
    this.moved();
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
