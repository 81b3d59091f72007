// Shows the saved output of a run: the card that stands beside it as HTML, copied as text, and a
// button that shows the run in the sidebar. It needs neither trust nor a kernel.

import type { IRenderMime } from "@jupyterlab/rendermime";
import { Widget } from "@lumino/widgets";
import { card } from "./card";

export const MIME = "application/vnd.workbench.run+json";

/** What an output says of its run. */
export interface Saved {
  run: string;
  /** Folder of the run, relative to the notebook. */
  results: string;
  view: unknown;
}

/** Return what an output says of its run, or null where it is not in that shape. */
export function saved(value: unknown): Saved | null {
  if (typeof value !== "object" || value === null) return null;
  const { run, results, view } = value as Record<string, unknown>;
  if (typeof run !== "string" || typeof results !== "string") return null;
  return { run, results, view };
}

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
