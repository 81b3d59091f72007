// Cards that were at work when the page was left: nobody draws them any more. The run's own card is
// drawn in their place as long as it works, and put into the notebook once it has ended.

import type { NotebookPanel } from "@jupyterlab/notebook";
import type { JSONObject } from "@lumino/coreutils";
import { type ISignal, Signal } from "@lumino/signaling";
import { allSaved, type Saved } from "./saved";
import type { Output } from "./types";
import { message } from "./words";

// A card that works is drawn anew this often at most.
const AGAIN_MS = 1_000;

/** What is known of a card that was left: how it looks now, or why that is not known. */
export interface Lost {
  html: string;
  words: string;
}

export const UNKNOWN =
  "The question was at work when this page was left; looking for what came of it …";

export class Mending {
  private readonly lost = new Map<string, Lost>();
  private readonly changes = new Signal<this, void>(this);
  private readonly found: Promise<void>;
  private looking = false;
  private lookedAt = Number.NEGATIVE_INFINITY;
  private waiting = 0;

  constructor(
    private readonly panel: NotebookPanel,
    private readonly find: (run: Saved) => Promise<Output>,
  ) {
    // What stands there when the notebook is opened was drawn by a page that is gone.
    this.found = panel.context.ready.then(() => {
      for (const one of allSaved(panel)) {
        if (one.live) this.lost.set(one.run, { html: "", words: UNKNOWN });
      }
    });
  }

  get changed(): ISignal<this, void> {
    return this.changes;
  }

  /** What is known of a run whose card was left; null where its card is being drawn. */
  async of(run: string): Promise<Lost | null> {
    await this.found;
    return this.lost.get(run) ?? null;
  }

  /** Look how the runs stand; soon again where that was just done. */
  look(): void {
    if (this.looking || this.waiting || this.panel.isDisposed) return;
    const wait = this.lookedAt + AGAIN_MS - performance.now();
    if (wait > 0) this.waiting = window.setTimeout(() => this.again(), wait);
    else void this.lookNow();
  }

  private again(): void {
    this.waiting = 0;
    this.look();
  }

  private async lookNow(): Promise<void> {
    this.looking = true;
    await this.found;
    for (const one of this.lost.size ? allSaved(this.panel) : []) {
      if (this.lost.has(one.run) && one.live) await this.lookAt(one);
    }
    this.lookedAt = performance.now();
    this.looking = false;
  }

  private async lookAt(run: Saved): Promise<void> {
    try {
      const { done, outputs } = await this.find(run);
      if (this.panel.isDisposed) return;
      if (done) this.put(run.run, outputs);
      else this.lost.set(run.run, { html: String(outputs[0]?.["text/html"] ?? ""), words: "" });
    } catch (error) {
      this.lost.set(run.run, { html: "", words: message(error) });
    }
    this.changes.emit();
  }

  /** Put what stays of a run where its card was left. */
  private put(run: string, outputs: JSONObject[]): void {
    const one = allSaved(this.panel).find((place) => place.live && place.run === run);
    if (!one || !outputs.length) return;
    const made = outputs.map((data) => ({ output_type: "display_data", data, metadata: {} }));
    const whole = one.outputs.toJSON();
    whole.splice(one.place, 1, ...made);
    one.outputs.fromJSON(whole);
    this.lost.delete(run);
  }
}
