// What is known of one notebook: its kernel's link, the run that is shown, and those at work.

import type { ISessionContext } from "@jupyterlab/apputils";
import type { NotebookPanel } from "@jupyterlab/notebook";
import type { Contents, Kernel } from "@jupyterlab/services";
import { Signal } from "@lumino/signaling";
import { Front } from "./front";
import { decide, Jobs, stop } from "./jobs";
import { Link, type Told } from "./link";
import { Live } from "./live";
import { Mending } from "./mending";
import { Proof } from "./proof";
import type { RunView } from "./run";
import type { Saved } from "./saved";
import type { Source, State } from "./types";

export class Session {
  link: Link | null = null;
  readonly proof = new Proof(() => this.emit());
  /** Cards that were at work when the notebook was last left. */
  readonly mending: Mending;
  private readonly front: Front;
  private readonly jobs = new Jobs();
  /** Where the files of the last run lie, as the kernel told. */
  private place: Saved | null = null;
  readonly changed = new Signal<this, void>(this);
  /** A question has begun. */
  readonly began = new Signal<this, void>(this);
  /** The kernel wants a result opened: `%agent open ID` was run. */
  readonly wanted = new Signal<this, { run: string; id: string }>(this);
  /** Another kernel, or another folder, can be asked for runs. */
  readonly reached = new Signal<this, void>(this);

  constructor(
    readonly panel: NotebookPanel,
    contents: Contents.IManager,
  ) {
    this.front = new Front(panel, contents);
    this.mending = new Mending(panel, (run) =>
      this.front.output(run, this.link, this.known(run.run)?.atWork === true),
    );
    panel.sessionContext.kernelChanged.connect(this.kernelChanged, this);
    panel.sessionContext.statusChanged.connect(this.emit, this);
    panel.disposed.connect(this.close, this);
    this.connect(panel.sessionContext.session?.kernel ?? null);
  }

  /** The run in front. */
  get run(): RunView | null {
    return this.front.run;
  }

  /** Where it is read from. */
  get source(): Source | null {
    return this.front.source;
  }

  /** Why nothing is shown, or what is not as usual. */
  get note(): string {
    return this.front.note;
  }

  get isCold(): boolean {
    return this.front.isCold;
  }

  /** A run as it is told of, or as it is shown; null where neither is so. */
  known(run: string): RunView | null {
    return this.run?.head.run === run ? this.run : this.jobs.find(run);
  }

  /** The way to the kernel, where it knows a run; null where only files do. */
  async linkTo(run: string): Promise<Link | null> {
    const { link, source } = this;
    if (!link?.isOpen) return null;
    if (source instanceof Live && this.run?.head.run === run) return link;
    return new Live(link).run(run).then(
      () => link,
      () => null,
    );
  }

  /** Show a run out of the list; the newest again if none is named. */
  async pick(run: string): Promise<void> {
    await this.front.pick(run);
    this.emit();
  }

  /** Show the run of a saved output. */
  async show(run: Saved): Promise<void> {
    await this.front.show(run, this.link);
    this.emit();
  }

  /** Read from files anew what may have changed in them. */
  async refresh(): Promise<void> {
    await this.front.refresh();
    this.emit();
  }

  /** Stop a run at work, else that in front. */
  async stop(run: RunView | null = this.run): Promise<void> {
    if (this.link) await stop(this.link, run);
  }

  /** Decide a package that a script asked for; returns what that means. */
  async decide(run: RunView, id: string, status: string): Promise<string> {
    const said = await decide(this.link, run, id, status);
    this.emit();
    return said;
  }

  private kernelChanged(_: ISessionContext, change: { newValue: Kernel.IKernelConnection | null }) {
    this.connect(change.newValue);
  }

  private connect(kernel: Kernel.IKernelConnection | null): void {
    this.link?.dispose();
    this.leave();
    const link = kernel ? new Link(kernel) : null;
    this.link = link;
    link?.told.connect((_, told) => this.heard(told));
    link?.opened.connect(() => void this.greeted());
    void this.panel.revealed.then(() => {
      if (this.link === link) void this.fromFiles();
    });
    this.emit();
  }

  /** The kernel is gone: nobody works on anything. */
  private leave(): void {
    this.front.leave();
    this.jobs.abandon();
  }

  private async greeted(): Promise<void> {
    const { link } = this;
    if (!link) return;
    await this.front.greet(link, () => link === this.link);
    this.emit();
    this.reached.emit();
  }

  /** Something was decided of a run, or another folder is in use. */
  private async altered(run: string): Promise<void> {
    if (!run) return this.greeted();
    const shown = this.known(run);
    // Of a run at work the next message tells.
    if (!shown || shown.atWork || !this.source) return;
    shown.take(await this.source.run(run));
    this.emit();
  }

  private async fromFiles(): Promise<void> {
    await this.front.fromFiles(this.place);
    this.emit();
  }

  private heard(told: Told): void {
    if (told.kind === "state") this.took(told as unknown as State);
    else if (told.kind === "checked") this.proof.took(told);
    else if (told.kind === "changed") void this.altered(String(told.run)).catch(() => undefined);
    else if (told.kind === "open") {
      this.wanted.emit({ run: String(told.run), id: String(told.id) });
    } else if (told.kind === "gone") {
      this.leave();
      this.front.note = "The kernel has ended or was restarted.";
      void this.fromFiles();
    }
    this.emit();
  }

  private took(state: State): void {
    const { front, jobs } = this;
    front.note = "";
    if (state.results) {
      this.place = { run: state.head.run, results: state.results, view: null, live: false };
    }
    const fresh = jobs.take(state, front.run);
    // A question that was just put comes to the front; others at work stay where they are.
    if (fresh && (state.at_work || !front.picked)) {
      front.picked = false;
      front.take(fresh);
      if (state.at_work) this.began.emit();
    }
    if (front.isCold && this.link) front.source = new Live(this.link);
  }

  private emit(): void {
    this.mending.look();
    this.changed.emit();
  }

  private close(): void {
    this.link?.dispose();
    Signal.clearData(this);
  }
}
