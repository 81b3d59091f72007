// One thing opened in full, and beside it what a model saw of it. The kernel is asked through a
// channel: ask(name, fields, progress) → promise. It gets places, ranges and ids; never a path or SQL.

import { button, drawn, made, visible } from "./draw.js";
import { Grid } from "./grid.js";
import { together } from "./linked.js";
import { Ruler } from "./ruler.js";
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
    this.panes = made("div", "wbo-panes");
    this.left = made("div", "wbo-left");
    this.right = made("div", "wbo-right");
    this.top = made("div", "wbo-scale");
    this.fill();
    this.panes.append(this.left, this.right);
    this.root.append(this.header(), this.top, this.panes);
    const wanted = this.options.face === "seen" || facts.face === "seen";
    const both = facts.kind === "seen" || (wanted && facts.seen.length > 0);
    this.show(both ? "seen" : "full");
    await this.full.start().catch((error) => this.instead(error));
    // Now that the table was read, it is known which rows and columns of it were seen.
    if (facts.kind === "table" && this.face === "seen") await this.side(this.call);
    const { sound } = await this.channel.ask("sound").catch(() => ({ sound: true }));
    const words = "its bytes have changed since the run made it";
    if (!sound) this.title.append(made("span", "wbo-error", words));
  }

  /** Put what shows the whole on the right. */
  fill() {
    const maker = MAKERS[this.facts.kind];
    this.full = maker
      ? maker(this.channel, this.facts, (id) => this.options.open?.(id, this.facts.run))
      : { root: made("p", "wbo-soft"), start: async () => undefined };
    this.right.replaceChildren(this.full.root);
  }

  /** What is no table after all is shown as a text; what is neither, as the reason. */
  async instead(error) {
    const facts = await this.channel.ask("open").catch(() => this.facts);
    if (facts.kind === this.facts.kind) {
      this.right.prepend(made("p", "wbo-error", visible(error.message)));
      return;
    }
    this.facts = facts;
    this.fill();
    await this.full.start();
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

  async show(face) {
    this.face = face;
    for (const [name, one] of this.tabs) one.setAttribute("aria-pressed", String(name === face));
    this.root.classList.toggle("wbo-both", face === "seen");
    if (face === "seen") await this.side(this.call ?? this.facts.seen[0].call);
    else {
      this.full.divide?.([]);
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
    if (!this.left.childNodes.length) this.left.append(made("p", "wbo-soft", "reading what was seen …"));
    const found = await this.channel.ask("seen", { call }).catch((error) => ({ error: error.message }));
    // Another call was chosen, or the other face, while this answer was on its way.
    if (call !== this.call || this.face !== "seen") return;
    if (found.error) {
      this.left.replaceChildren(made("p", "wbo-error", visible(found.error)));
      return;
    }
    this.top.replaceChildren(drawn(found.scale));
    this.left.replaceChildren(drawn(found.left));
    this.left.querySelector(".wb-sf-head")?.append(this.picker(call));
    const alone = this.facts.kind === "seen";
    this.root.classList.toggle("wbo-alone", alone);
    const body = this.left.querySelector(".wb-sf-body");
    body.tabIndex = 0;
    body.setAttribute("role", "region");
    body.setAttribute("aria-label", "The exact text that the model saw");
    if (!alone) this.beside(found, body);
    if (found.shows_rows || this.full.mark) await this.full.mark?.(call);
    await this.full.divide?.(found.stretches);
  }

  /** Set the head of the right side, and what leads from the left to it. */
  beside(found, body) {
    const ruler = new Ruler(this.top.querySelector(".wb-sf-bar"), found, this.full);
    // Only the head is set anew: the rows below keep their place.
    this.right.querySelector(":scope > .wb-sf-head")?.remove();
    this.right.prepend(this.whole(found.facts, ruler));
    if (found.stretches.length < 2) return;
    for (const gap of body.querySelectorAll(".wb-gap-said")) {
      gap.append(button("Show it ▸", () => ruler.next(false), "Show what was left out, in the whole"));
    }
    this.linked?.abort();
    this.linked = new AbortController();
    if (this.full.top && found.begins !== null) {
      const exact = [...body.querySelectorAll(".wb-exact")];
      together(body, exact, found.begins, found.stretches, this.full, this.linked.signal);
    }
  }

  whole(facts, ruler) {
    const title = made("h4", "wb-sf-title", "The whole, on disk");
    return made("header", "wb-sf-head", title, made("span", "wb-sf-facts", visible(facts)), ruler.buttons());
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
    return choose;
  }
}

/** Show what a channel has open below an element; `options.face` is "full" or "seen". */
export function mount(root, channel, options = {}) {
  root.classList.add("wb", "wb-sf", "wbo", "mathjax_ignore", "tex2jax_ignore");
  const view = new View(root, channel, options);
  view.started = view.start();
  return view;
}
