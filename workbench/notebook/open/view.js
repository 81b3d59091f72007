// One thing opened in full, and beside it what a model saw of it. The kernel is asked through a
// channel: ask(name, fields, progress) → promise. It gets places, ranges and ids; never a path or SQL.

import { drawn, made, visible } from "./draw.js";
import { Grid } from "./grid.js";
import { Talk } from "./talk.js";
import { LongText } from "./text.js";

const MAKERS = {
  table: (channel, facts) => new Grid(channel, facts),
  text: (channel, facts) => new LongText(channel, facts),
  figure: (channel, facts) => new LongText(channel, facts),
  transcript: (channel, _facts, open) => new Talk(channel, open),
};

class View {
  constructor(root, channel, options) {
    this.root = root;
    this.channel = channel;
    this.options = options;
    this.face = "full";
  }

  async start() {
    const facts = await this.channel.ask("open").catch((error) => ({ error: error.message }));
    if (facts.error) {
      this.root.append(made("p", "wbo-error", visible(String(facts.error))));
      return;
    }
    this.facts = facts;
    const maker = MAKERS[facts.kind];
    this.full = maker
      ? maker(this.channel, facts, (id) => this.options.open?.(id, facts.run))
      : { root: this.other(), start: async () => undefined };
    this.panes = made("div", "wbo-panes");
    this.left = made("div", "wbo-left");
    this.right = made("div", "wbo-right", this.full.root);
    this.top = made("div", "wbo-scale");
    this.panes.append(this.left, this.right);
    this.root.append(this.header(), this.top, this.panes);
    const both = facts.kind === "seen" || (this.options.face === "seen" && facts.seen.length > 0);
    this.show(both ? "seen" : "full");
    await this.full.start();
    // Now that the table was read, it is known which rows and columns of it were seen.
    if (facts.kind === "table" && this.face === "seen") await this.side(this.call);
    const { sound } = await this.channel.ask("sound").catch(() => ({ sound: true }));
    const words = "its bytes have changed since the run made it";
    if (!sound) this.title.append(made("span", "wbo-error", words));
  }

  header() {
    const { facts } = this;
    const size = [facts.type, facts.rows === null || facts.rows === undefined ? "" : `${facts.rows.toLocaleString("en-US")} rows`];
    const by = facts.tool ? `made by ${facts.tool}` : "";
    const words = [...size, facts.size, by, `run ${facts.run}`].filter(Boolean).join(" · ");
    const title = made(
      "div",
      "wbo-name",
      made("strong", "", visible(facts.label)),
      made("span", "wbo-soft", words),
    );
    this.title = title;
    const tabs = made("div", "wbo-tabs");
    tabs.setAttribute("role", "group");
    tabs.setAttribute("aria-label", "What is shown");
    this.tabs = [];
    const tab = (face, label) => {
      const one = made("button", "wbo-tab", label);
      one.type = "button";
      one.addEventListener("click", () => this.show(face));
      this.tabs.push([face, one]);
      tabs.append(one);
    };
    if (facts.kind !== "seen") tab("full", "Full");
    if (facts.seen.length) tab("seen", "Seen / full");
    return made("header", "wbo-top-line", title, this.tabs.length > 1 ? tabs : "");
  }

  other() {
    return made("p", "wbo-soft");
  }

  async show(face) {
    this.face = face;
    for (const [name, one] of this.tabs) one.setAttribute("aria-pressed", String(name === face));
    this.root.classList.toggle("wbo-both", face === "seen");
    if (face === "seen") await this.side(this.call ?? this.facts.seen[0].call);
    else {
      this.full.hide?.([0, 0]);
      this.full.mark?.("");
    }
    this.full.fit?.();
  }

  /** Fill the room there is now. */
  fit() {
    this.full?.fit?.();
  }

  async side(call) {
    this.call = call;
    const found = await this.channel.ask("seen", { call }).catch((error) => ({ error: error.message }));
    // Another call was chosen, or the other face, while this answer was on its way.
    if (call !== this.call || this.face !== "seen") return;
    if (found.error) {
      this.left.replaceChildren(made("p", "wbo-error", visible(found.error)));
      return;
    }
    this.top.replaceChildren(drawn(found.scale));
    this.left.replaceChildren(this.picker(call), drawn(found.left));
    for (const box of this.left.querySelectorAll(".wb-sf-body")) {
      box.tabIndex = 0;
      box.setAttribute("role", "region");
      box.setAttribute("aria-label", "The exact text that the model saw");
    }
    if (this.facts.kind === "seen") this.right.replaceChildren(made("p", "wbo-soft", "Nothing was left out: the text on the left is the whole."));
    else {
      // Only the head is set anew: the rows below keep their place.
      while (this.right.firstChild !== this.full.root) this.right.firstChild.remove();
      this.right.prepend(this.whole(found.facts));
    }
    this.full.hide?.(found.hidden);
    if (found.shows_rows || this.full.mark) await this.full.mark?.(call);
  }

  whole(facts) {
    const title = made("h4", "wb-sf-title", "The whole, on disk");
    return made("header", "wb-sf-head", title, made("span", "wb-sf-facts", visible(facts)));
  }

  picker(call) {
    if (this.facts.seen.length < 2) return "";
    const choose = made("select", "wbo-input");
    choose.setAttribute("aria-label", "Which call");
    for (const one of this.facts.seen) {
      const option = made("option", "", `${one.call} ${one.tool}, ${one.agent}`);
      option.value = one.call;
      option.selected = one.call === call;
      choose.append(option);
    }
    choose.addEventListener("change", () => this.side(choose.value));
    return made("div", "wbo-bar", choose);
  }
}

/** Show what a channel has open below an element; `options.face` is "full" or "seen". */
export function mount(root, channel, options = {}) {
  root.classList.add("wb", "wb-sf", "wbo", "mathjax_ignore", "tex2jax_ignore");
  const view = new View(root, channel, options);
  view.started = view.start();
  return view;
}
