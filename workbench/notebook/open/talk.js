// The whole talk of one agent, as it was sent and as it was answered.

import { button, count, made, visible } from "./draw.js";

const WORDS = {
  system: "prompt",
  tools: "tools",
  user: "asked",
  assistant: "said",
  call: "called",
  result: "saw",
};
const SHUT = new Set(["system", "tools"]);

export class Talk {
  constructor(channel, open) {
    this.channel = channel;
    this.open = open;
    this.root = made("div", "wbo-talk");
    this.root.tabIndex = 0;
    this.root.setAttribute("role", "region");
    this.root.setAttribute("aria-label", "The whole talk");
  }

  async start() {
    const found = await this.channel.ask("transcript").catch((error) => ({ error }));
    if (found.error) {
      this.root.replaceChildren(made("p", "wbo-soft", String(found.error.message)));
      return;
    }
    this.root.replaceChildren(...found.entries.map((entry) => this.entry(entry)));
  }

  entry(entry) {
    const size = Array.from(entry.text).length + entry.left;
    const title = made(
      "summary",
      "",
      made("span", `wbo-kind wbo-kind-${WORDS[entry.kind] ? entry.kind : "user"}`, WORDS[entry.kind] ?? entry.kind),
      made("span", "wbo-what", entry.title),
      made("span", "wbo-soft", `${entry.source} · ${count(size)} characters`),
    );
    const box = made("details", "wbo-entry", title, made("pre", "", visible(entry.text)));
    if (entry.left) {
      const rest = `${count(entry.left)} characters more stand in ${entry.source}`;
      box.append(button(rest, () => this.open(entry.source)));
    }
    box.open = !SHUT.has(entry.kind);
    return box;
  }
}
