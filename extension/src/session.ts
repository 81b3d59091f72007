// What is known of one notebook: its kernel's link, the run that is shown, and why nothing is.

import type { ISessionContext } from "@jupyterlab/apputils";
import type { NotebookPanel } from "@jupyterlab/notebook";
import type { Contents, Kernel } from "@jupyterlab/services";
import { type ISignal, Signal } from "@lumino/signaling";
import { Cold } from "./cold";
import { Link, type Told } from "./link";
import { Live } from "./live";
import { Mending } from "./mending";
import { Proof } from "./proof";
import { RunView } from "./run";
import { lastSaved, type Saved } from "./saved";
import type { Output, Source, State } from "./types";
import { message, within } from "./words";

const STOP_MS = 1_500;

export class Session {
  run: RunView | null = null;
  link: Link | null = null;
  source: Source | null = null;
  /** Why nothing is shown, or what is not as usual. */
  note = "";
  readonly proof = new Proof(() => this.emit());
  /** Cards that were at work when the notebook was last left. */
  readonly mending: Mending;
  /** True while the run in front is one that was picked from the list. */
  picked = false;
  /** Where the files of the last run lie, as the kernel told. */
  private place: Saved | null = null;
  private readonly changes = new Signal<this, void>(this);
  /** A question has begun. */
  readonly began = new Signal<this, void>(this);
  /** The kernel wants a result opened: `%agent open ID` was run. */
  readonly wanted = new Signal<this, { run: string; id: string }>(this);

  constructor(
    readonly panel: NotebookPanel,
    private readonly contents: Contents.IManager,
  ) {
    this.mending = new Mending(panel, (run) => this.outputOf(run));
    panel.sessionContext.kernelChanged.connect(this.kernelChanged, this);
    panel.sessionContext.statusChanged.connect(this.emit, this);
    panel.disposed.connect(this.close, this);
    this.connect(panel.sessionContext.session?.kernel ?? null);
  }

  get changed(): ISignal<this, void> {
    return this.changes;
  }

  get isCold(): boolean {
    return this.source instanceof Cold;
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
    this.emit();
  }

  /** Show the run of a saved output, from the kernel where it knows it, else from its files. */
  async show(run: Saved): Promise<void> {
    const { link } = this;
    const live = link?.isOpen ? new Live(link) : null;
    const state = await live?.run(run.run).catch(() => null);
    if (live && state) {
      this.source = live;
      this.run = new RunView(state);
      this.note = "";
    } else {
      this.source = new Cold(this.contents, this.panel.context.path, run);
      await this.pick("");
    }
    this.picked = true;
    this.emit();
  }

  /** What the cell of a run shows: as the kernel says, or as its files do. */
  private async outputOf(run: Saved): Promise<Output> {
    const { link } = this;
    const told = link?.isOpen ? await new Live(link).output(run.run).catch(() => null) : null;
    return told ?? new Cold(this.contents, this.panel.context.path, run).output(run.run);
  }

  /** Stop what is at work; interrupts the kernel where it does not hear. */
  async stop(): Promise<void> {
    const { link, run } = this;
    if (!link) return;
    const heard = link.isOpen ? within(link.ask("stop"), STOP_MS) : Promise.reject(new Error());
    try {
      await heard;
    } catch {
      if (run?.atWork) await link.interrupt();
    }
  }

  /** Read from files anew what may have changed in them. */
  async refresh(): Promise<void> {
    if (this.isCold && this.run) await this.pick(this.picked ? this.run.head.run : "");
  }

  private kernelChanged(_: ISessionContext, change: { newValue: Kernel.IKernelConnection | null }) {
    this.connect(change.newValue);
  }

  private connect(kernel: Kernel.IKernelConnection | null): void {
    this.link?.dispose();
    this.run?.abandon();
    if (this.source instanceof Live) this.source = null;
    const link = kernel ? new Link(kernel) : null;
    this.link = link;
    link?.told.connect((_, told) => this.heard(told));
    link?.opened.connect(() => void this.greeted());
    void this.panel.revealed.then(() => {
      if (this.link === link) void this.fromFiles();
    });
    this.emit();
  }

  /** The kernel can be asked: its newest run is shown, unless another was picked. */
  private async greeted(): Promise<void> {
    const { link } = this;
    if (!link) return;
    const live = new Live(link);
    const state = await live.latest();
    if (link !== this.link) return;
    // A kernel that knows no run leaves what its files tell.
    if (state || !this.run || this.run.atWork) this.source = live;
    if (state && !this.picked && !this.run?.atWork) {
      this.run = new RunView(state);
      this.note = "";
    }
    this.emit();
  }

  /** Read from files, as long as no kernel has answered: the last run, if none is shown. */
  private async fromFiles(): Promise<void> {
    const found = this.place ?? lastSaved(this.panel);
    if (!found || this.source) return;
    this.source = new Cold(this.contents, this.panel.context.path, found);
    if (!this.run) await this.pick("");
    else this.emit();
  }

  private heard(told: Told): void {
    if (told.kind === "state") this.took(told as unknown as State);
    else if (told.kind === "checked") this.proof.took(told);
    else if (told.kind === "open") {
      this.wanted.emit({ run: String(told.run), id: String(told.id) });
    } else if (told.kind === "gone") {
      this.run?.abandon();
      this.note = "The kernel has ended or was restarted.";
      this.source = null;
      void this.fromFiles();
    }
    this.emit();
  }

  private took(state: State): void {
    this.note = "";
    if (state.results) {
      this.place = { run: state.head.run, results: state.results, view: null, live: false };
    }
    if (this.run?.isOf(state)) this.run.take(state);
    else if (!this.picked || state.at_work) {
      this.picked = false;
      this.run = new RunView(state);
      if (state.at_work) this.began.emit();
    }
    if (this.isCold && this.link) this.source = new Live(this.link);
  }

  private emit(): void {
    this.mending.look();
    this.changes.emit();
  }

  private close(): void {
    this.link?.dispose();
    Signal.clearData(this);
  }
}
