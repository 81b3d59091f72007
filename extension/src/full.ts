// Opens tables, texts and talks in full, beside them what a model saw: the view that a cell shows
// too. What it asks goes over the link by id; an answer that takes long is asked for by its ticket.

import type { JSONObject, JSONValue } from "@lumino/coreutils";
import { Widget } from "@lumino/widgets";
import { type Channel, mount, type View } from "../../workbench/notebook/open/view.js";
import type { Link, Told } from "./link";
import type { Opener, Ready, Wanted } from "./tab";

type Progress = (text: string, share: number) => void;

/** Asks the kernel that knows a run for what is open of it. */
export class LinkChannel implements Channel {
  private progress: Progress | undefined;

  constructor(
    private readonly link: Link,
    private readonly run: string,
    private readonly key: string,
  ) {
    link.told.connect(this.hear, this);
  }

  async ask(name: string, fields: object = {}, progress?: Progress): Promise<unknown> {
    const message = { ask: name, ...fields } as JSONObject;
    this.progress = progress;
    let found = await this.send({ run: this.run, key: this.key, message });
    while (typeof found.ticket === "string") found = await this.send({ ticket: found.ticket });
    const value = (found.value ?? {}) as JSONObject;
    if (typeof value.error === "string") throw new Error(value.error);
    return value;
  }

  close(): void {
    this.link.told.disconnect(this.hear, this);
    void this.ask("close").catch(() => undefined);
  }

  private async send(values: JSONObject): Promise<JSONObject> {
    const found: JSONValue = await this.link.ask("opened", values);
    return (found ?? {}) as JSONObject;
  }

  private hear(_: unknown, told: Told): void {
    const own = told.kind === "opening" && told.run === this.run && told.key === this.key;
    if (own) this.progress?.(String(told.text), Number(told.share));
  }
}

class FullTab extends Widget {
  private readonly channel: LinkChannel;
  private view: View | null = null;

  constructor(link: Link, wanted: Ready, open: (id: string) => void) {
    super();
    this.addClass("wbp-infull");
    const root = document.createElement("section");
    root.setAttribute("aria-label", `${wanted.id} ${wanted.name}`);
    this.node.append(root);
    this.channel = new LinkChannel(link, wanted.run, wanted.id);
    this.start = () => {
      this.view ??= mount(root, this.channel, { open });
    };
  }

  private readonly start: () => void;

  protected override onAfterShow(): void {
    this.start();
  }

  protected override onAfterAttach(): void {
    if (this.isVisible) this.start();
  }

  protected override onResize(message: Widget.ResizeMessage): void {
    super.onResize(message);
    this.view?.fit();
  }

  override dispose(): void {
    if (!this.isDisposed) this.channel.close();
    super.dispose();
  }
}

/** Return what opens results of a kernel that answers. */
export function fullOpener(open: (from: Wanted, id: string) => void): Opener {
  return {
    opens: (wanted) => wanted.link !== null,
    make: (wanted) => new FullTab(wanted.link as Link, wanted, (id) => open(wanted, id)),
  };
}
