// Opens figures as drawings, by whatever of JupyterLab draws them, from their data alone: a page is
// never run. Beside the drawing its source opens as text.

import type { IRenderMime, IRenderMimeRegistry } from "@jupyterlab/rendermime";
import type { JSONObject } from "@lumino/coreutils";
import { type Message, MessageLoop } from "@lumino/messaging";
import { Widget } from "@lumino/widgets";
import { mount } from "../../workbench/notebook/open/view.js";
import { LinkChannel } from "./full";
import type { Link } from "./link";
import type { Opener, Ready, Wanted } from "./tab";

const FIGURE = "application/vnd.plotly.v1+json";
const KINDS = new Set([FIGURE, "text/html"]);

class FigureTab extends Widget {
  private readonly channel: LinkChannel;
  private readonly place = document.createElement("div");
  private readonly source = document.createElement("section");
  private renderer: IRenderMime.IRenderer | null = null;
  private begun = false;

  constructor(
    private readonly rendermime: IRenderMimeRegistry,
    wanted: Ready,
    private readonly open: (id: string) => void,
  ) {
    super();
    this.addClass("wbp-infull");
    this.channel = new LinkChannel(wanted.link as Link, wanted.run, wanted.id);
    this.place.className = "wbp-figure";
    this.source.hidden = true;
    this.disposed.connect(() => this.channel.close());
  }

  protected override onAfterShow(): void {
    void this.start();
  }

  protected override onAfterAttach(): void {
    if (this.isVisible) void this.start();
  }

  protected override onResize(message: Message): void {
    super.onResize(message as Widget.ResizeMessage);
    if (this.renderer) MessageLoop.sendMessage(this.renderer, Widget.ResizeMessage.UnknownSize);
  }

  /** Draw it where it stands: what is not in the page has no size to lay titles out by. */
  private async start(): Promise<void> {
    if (this.begun) return;
    this.begun = true;
    const dark = document.body.dataset.jpThemeLight === "false";
    try {
      const figure = (await this.channel.ask("figure", { dark })) as JSONObject;
      await this.draw(figure);
    } catch {
      // A page that is no figure, or more than is drawn here: its text says what it is.
      this.node.append(this.source);
      this.text();
    }
  }

  private async draw(figure: JSONObject): Promise<void> {
    const bar = document.createElement("div");
    bar.className = "wbp-figure-bar";
    const button = document.createElement("button");
    button.textContent = "Source as text";
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", () => this.turn(button));
    bar.append(button);
    this.node.append(bar, this.place, this.source);
    const renderer = this.rendermime.createRenderer(FIGURE);
    Widget.attach(renderer, this.place);
    const layout = { ...(figure.layout as JSONObject), autosize: true };
    const config = { displaylogo: false, responsive: true };
    const data = { [FIGURE]: { ...figure, layout, config } };
    await renderer.renderModel(this.rendermime.createModel({ data }));
    this.renderer = renderer;
  }

  private turn(button: HTMLElement): void {
    const text = this.source.hidden;
    button.setAttribute("aria-pressed", String(text));
    this.place.hidden = text;
    if (text) this.text();
    else this.source.hidden = true;
  }

  private text(): void {
    this.source.hidden = false;
    if (!this.source.firstChild) mount(this.source, this.channel, { open: this.open });
  }
}

/** Return what opens figures, and pages that may be one. */
export function figureOpener(
  rendermime: IRenderMimeRegistry,
  open: (from: Wanted, id: string) => void,
): Opener {
  return {
    opens: (wanted) =>
      wanted.link !== null && KINDS.has(wanted.mediaType) && rendermime.mimeTypes.includes(FIGURE),
    make: (wanted) => new FigureTab(rendermime, wanted, (id) => open(wanted, id)),
  };
}
