// The run that is in front of one notebook, where it is read from, and why none is shown.

import type { NotebookPanel } from "@jupyterlab/notebook";
import type { Contents } from "@jupyterlab/services";
import { Cold } from "./cold";
import type { Link } from "./link";
import { Live } from "./live";
import { UNKNOWN } from "./mending";
import { RunView } from "./run";
import { lastSaved, type Saved } from "./saved";
import type { Output, Source } from "./types";
import { message, within } from "./words";

// How long a kernel is waited for that may be busy, and one that is not.
const BUSY_MS = 1_000;
const ASK_MS = 30_000;
const AT_WORK =
  "The question is at work: the sidebar shows its agents, and its answer will stand here.";

export class Front {
  run: RunView | null = null;
  source: Source | null = null;
  /** Why nothing is shown, or what is not as usual. */
  note = "";
  /** True while it is one that was picked from the list. */
  picked = false;

  constructor(
    private readonly panel: NotebookPanel,
    private readonly contents: Contents.IManager,
  ) {}

  get isCold(): boolean {
    return this.source instanceof Cold;
  }

  /** The files of a run, at the place that an output names. */
  files(run: Saved): Cold {
    return new Cold(this.contents, this.panel.context.path, run);
  }

  /** Show a run out of the list; the newest again if none is named. */
  async pick(run: string): Promise<void> {
    const { source } = this;
    if (!source) return;
    this.picked = run !== "";
    try {
      const state = run ? await source.run(run) : await source.latest();
      if (state && this.source === source) this.run = new RunView(state);
      this.note = source instanceof Cold ? source.lack : "";
    } catch (error) {
      this.note = message(error);
    }
  }

  /** Show the run of a saved output, from the kernel where it knows it, else from its files. */
  async show(run: Saved, link: Link | null): Promise<void> {
    const live = link?.isOpen ? new Live(link) : null;
    const state = await live?.run(run.run).catch(() => null);
    if (live && state) {
      this.source = live;
      this.run = new RunView(state);
      this.note = "";
    } else {
      this.source = this.files(run);
      await this.pick("");
    }
    this.picked = true;
  }

  /**
   * What the cell of a run shows: as the kernel says, or as its files do. A page that was loaded in
   * mid-run is told how the run stands, and cannot ask before the cell has ended.
   */
  async output(run: Saved, link: Link | null, working: boolean): Promise<Output> {
    const asked = link?.isOpen ? new Live(link).output(run.run) : null;
    const told = asked && (await within(asked, working ? BUSY_MS : ASK_MS).catch(() => null));
    if (told) return told;
    if (working) throw new Error(AT_WORK);
    if (link?.isSilent) throw new Error(UNKNOWN);
    return this.files(run).output(run.run);
  }

  /** Read from files anew what may have changed in them. */
  async refresh(): Promise<void> {
    if (this.isCold && this.run) await this.pick(this.picked ? this.run.head.run : "");
  }

  /** Read from files, as long as no kernel has answered: the last run, if none is shown. */
  async fromFiles(place: Saved | null): Promise<void> {
    const found = place ?? lastSaved(this.panel);
    if (!found || this.source) return;
    this.source = this.files(found);
    if (!this.run) await this.pick("");
  }

  /** A kernel can be asked: its newest run is shown, unless another was picked. */
  async greet(link: Link, still: () => boolean): Promise<void> {
    const live = new Live(link);
    let state = await live.latest();
    // What this notebook shows goes before what others left in the folder.
    if (state && !state.own && this.isCold && this.run) {
      state = await live.run(this.run.head.run).catch(() => state);
    }
    if (!still()) return;
    // A kernel that knows no run leaves what its files tell.
    if (state || !this.run || this.run.atWork) this.source = live;
    if (state && !this.picked && !this.run?.atWork) this.take(new RunView(state));
  }

  /** Put a run in front. */
  take(run: RunView): void {
    this.run = run;
    this.note = "";
  }

  /** The kernel has ended, so it is asked no more. */
  leave(): void {
    this.run?.abandon();
    if (this.source instanceof Live) this.source = null;
  }
}
