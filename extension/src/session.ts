// What is known of one notebook: its kernel's link, the run that is shown, and why nothing is.

import type { ISessionContext } from "@jupyterlab/apputils";
import type { NotebookPanel } from "@jupyterlab/notebook";
import type { Contents, Kernel } from "@jupyterlab/services";
import { type ISignal, Signal } from "@lumino/signaling";
import { Cold } from "./cold";
import { Link, type Told } from "./link";
import { Live } from "./live";
import { RunView } from "./run";
import { lastSaved, type Saved } from "./saved";
import type { Checked, Source, State } from "./types";
import { message, within } from "./words";

const STOP_MS = 1_500;

export interface Check {
  done: number;
  total: number;
  at_work: boolean;
  results: Checked[];
  error: string;
}

export class Session {
  run: RunView | null = null;
  link: Link | null = null;
  source: Source | null = null;
  /** Why nothing is shown, or what is not as usual. */
  note = "";
  check: Check | null = null;
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
    if (!this.link?.isOpen) this.source = new Cold(this.contents, this.panel.context.path, run);
    await this.pick(this.isCold ? "" : run.run);
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

  async runCheck(): Promise<void> {
    if (!this.link?.isOpen || this.check?.at_work) return;
    this.check = { done: 0, total: 0, at_work: true, results: [], error: "" };
    this.emit();
    try {
      await this.link.ask("check", {}, 0);
      this.check.at_work = false;
    } catch (error) {
      this.check = { ...this.check, at_work: false, error: message(error) };
    }
    this.emit();
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
    this.link = null;
    this.run?.abandon();
    if (kernel) {
      const link = new Link(kernel);
      this.link = link;
      this.source = new Live(link);
      link.told.connect((_, told) => this.heard(told));
      link.opened.connect(() => void this.greeted());
      void this.panel.revealed.then(() => {
        if (!link.isOpen && !this.run) void this.fromFiles();
      });
    } else {
      void this.panel.revealed.then(() => {
        if (this.link === null) void this.fromFiles();
      });
    }
    this.emit();
  }

  private async greeted(): Promise<void> {
    if (this.link) this.source = new Live(this.link);
    if (!this.run?.atWork && !this.picked) await this.pick("");
    this.emit();
  }

  /** Show the last run that the notebook holds an output of, from its files. */
  private async fromFiles(): Promise<void> {
    const found = this.place ?? lastSaved(this.panel);
    if (!found) return;
    this.source = new Cold(this.contents, this.panel.context.path, found);
    await this.pick("");
    this.picked = false;
  }

  private heard(told: Told): void {
    if (told.kind === "state") this.took(told as unknown as State);
    else if (told.kind === "checked") this.checked(told);
    else if (told.kind === "open") {
      this.wanted.emit({ run: String(told.run), id: String(told.id) });
    } else if (told.kind === "gone") {
      this.run?.abandon();
      this.note = "The kernel has ended or was restarted.";
      const place = this.place ?? lastSaved(this.panel);
      if (place) this.source = new Cold(this.contents, this.panel.context.path, place);
    }
    this.emit();
  }

  private took(state: State): void {
    this.note = "";
    if (state.results) this.place = { run: state.head.run, results: state.results, view: null };
    if (this.run?.isOf(state)) this.run.take(state);
    else if (!this.picked || state.at_work) {
      this.picked = false;
      this.run = new RunView(state);
      if (state.at_work) this.began.emit();
    }
    if (this.isCold && this.link) this.source = new Live(this.link);
  }

  private checked(told: Told): void {
    const before = this.check ?? { results: [], at_work: true, error: "", done: 0, total: 0 };
    const results = [...before.results, told.result as unknown as Checked];
    this.check = { ...before, done: Number(told.done), total: Number(told.total), results };
  }

  private emit(): void {
    this.changes.emit();
  }

  private close(): void {
    this.link?.dispose();
    Signal.clearData(this);
  }
}
