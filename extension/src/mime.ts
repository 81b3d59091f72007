// Shows the output of a run: the card that stands beside it as HTML, copied as text, with ids that
// open results and a button that shows the run in the sidebar. It needs neither trust nor a kernel.
// A card at work is left to its widget, unless the page that drew it is gone; what can be done to the
// run stands below it.

import type { NotebookPanel } from "@jupyterlab/notebook";
import type { IRenderMime } from "@jupyterlab/rendermime";
import { Panel, type Widget } from "@lumino/widgets";
import { card } from "./card";
import type { Mending } from "./mending";
import { MIME, type Saved, saved } from "./saved";

const WIDGET = "application/vnd.jupyter.widget-view+json";
// Ids of results, as they stand in a card.
const ID = /^[a-z]+\d*a\d+$/;

/** What an output asks of the notebook it stands in. */
export interface Around {
  notebook: NotebookPanel;
  mending: Mending;
  /** What stands under the card of a run at work. */
  controls(run: string): Widget;
  show(run: Saved): void;
  open(run: Saved, id: string): void;
}

export type Find = (output: Widget) => Around | null;

class RunOutput extends Panel implements IRenderMime.IRenderer {
  private model: IRenderMime.IMimeModel | null = null;
  private live: IRenderMime.IRenderer | null = null;
  private around: Around | null = null;
  private controls: Widget | null = null;

  constructor(private readonly find: Find) {
    super();
    this.addClass("wbp-output");
  }

  async renderModel(model: IRenderMime.IMimeModel): Promise<void> {
    this.model = model;
    const run = saved(model.data[MIME]);
    if (run?.live) await this.working(run);
    else this.stays(model, run);
  }

  /** The notebook is known once the output stands in it. */
  protected override onAfterAttach(): void {
    const run = saved(this.model?.data[MIME]);
    if (run?.live) void this.working(run);
  }

  override dispose(): void {
    this.around?.mending.changed.disconnect(this.redraw, this);
    super.dispose();
  }

  private redraw(): void {
    const run = saved(this.model?.data[MIME]);
    if (run?.live && !this.isDisposed) void this.working(run);
  }

  private stays(model: IRenderMime.IMimeModel, run: Saved | null): void {
    for (const one of [this.live, this.controls]) one?.dispose();
    this.live = this.controls = null;
    const { "text/html": html, "text/plain": plain } = model.data;
    this.draw(
      typeof html === "string" ? html : "",
      typeof plain === "string" ? plain : "",
      run?.run ? run : null,
    );
  }

  private async working(run: Saved): Promise<void> {
    const { model } = this;
    if (!this.isAttached || !model) return;
    if (!this.around) {
      this.around = this.find(this);
      this.around?.mending.changed.connect(this.redraw, this);
    }
    const { around } = this;
    const lost = (await around?.mending.of(run.run)) ?? null;
    if (this.isDisposed) return;
    if (around && !this.controls && (lost || model.trusted)) {
      this.controls = around.controls(run.run);
      this.addWidget(this.controls);
    }
    if (lost) this.draw(lost.html, lost.words, run);
    else if (around && model.trusted && !this.live) {
      this.live = around.notebook.content.rendermime.createRenderer(WIDGET);
      this.insertWidget(0, this.live);
      await this.live.renderModel(model);
    } else if (!this.live) this.stays(model, null);
  }

  private draw(html: string, plain: string, run: Saved | null): void {
    const drawn = (html && card(html)) || words(plain);
    this.node.replaceChildren(drawn);
    if (this.controls) this.node.append(this.controls.node);
    if (!run) return;
    const made = button("wbp-show", "Show in the sidebar", () => this.find(this)?.show(run));
    this.node.append(made);
    for (const place of Array.from(this.node.querySelectorAll(".wb-artefacts .wb-fixed"))) {
      const id = place.textContent ?? "";
      if (!ID.test(id)) continue;
      const opens = button("wbp-id", id, () => this.find(this)?.open(run, id));
      opens.title = `Open ${id} in full, in a tab`;
      place.replaceChildren(opens);
    }
  }
}

function button(look: string, text: string, press: () => void): HTMLElement {
  const made = document.createElement("button");
  made.type = "button";
  made.className = look;
  made.textContent = text;
  made.addEventListener("click", press);
  return made;
}

function words(text: string): HTMLElement {
  const made = document.createElement("pre");
  made.textContent = text;
  return made;
}

/** Return what JupyterLab needs to draw such outputs; `find` tells what is around one. */
export function factory(find: Find): IRenderMime.IRendererFactory {
  return {
    safe: true,
    mimeTypes: [MIME],
    createRenderer: () => new RunOutput(find),
  };
}

/** Before the widget that stands in the output of a question at work, and before HTML. */
export const RANK = -20;
