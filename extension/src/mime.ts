// Shows the saved output of a run: the card that stands beside it as HTML, copied as text, and a
// button that shows the run in the sidebar. It needs neither trust nor a kernel.

import type { IRenderMime } from "@jupyterlab/rendermime";
import { Widget } from "@lumino/widgets";
import { card } from "./card";
import { MIME, type Saved, saved } from "./saved";

export type Show = (from: Widget, run: Saved) => void;

class RunOutput extends Widget implements IRenderMime.IRenderer {
  constructor(private readonly bringUp: Show) {
    super();
    this.addClass("wbp-output");
  }

  async renderModel(model: IRenderMime.IMimeModel): Promise<void> {
    const html = model.data["text/html"];
    const plain = model.data["text/plain"];
    const drawn = typeof html === "string" ? card(html) : null;
    this.node.replaceChildren(drawn ?? words(typeof plain === "string" ? plain : ""));
    const found = saved(model.data[MIME]);
    if (found?.run) this.node.append(this.button(found));
  }

  private button(run: Saved): HTMLElement {
    const made = document.createElement("button");
    made.className = "wbp-show";
    made.textContent = "Show in the sidebar";
    made.addEventListener("click", () => this.bringUp(this, run));
    return made;
  }
}

function words(text: string): HTMLElement {
  const made = document.createElement("pre");
  made.textContent = text;
  return made;
}

/** Return what JupyterLab needs to draw such outputs; `show` brings a run up in the sidebar. */
export function factory(show: Show): IRenderMime.IRendererFactory {
  return {
    safe: true,
    mimeTypes: [MIME],
    // Before HTML, which stands in the same output for places that cannot draw this.
    defaultRank: 40,
    createRenderer: () => new RunOutput(show),
  };
}
