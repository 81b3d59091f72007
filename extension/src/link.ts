// The link to one kernel: what it tells is heard on one comm that only the kernel speaks on, what is
// asked goes over another that the kernel never speaks on. A message to the kernel is taken in by
// the loop that last sent on its comm; so a request is heard while a cell runs, and only so.

import type { Kernel, KernelMessage } from "@jupyterlab/services";
import { type JSONObject, type JSONValue, UUID } from "@lumino/coreutils";
import type { IDisposable } from "@lumino/disposable";
import { type ISignal, Signal } from "@lumino/signaling";

/** Fixed, so that a page that has just been loaded hears without having opened anything. */
export const TOLD = "workbench-told";
export const ASKED = "workbench.asked";
const PATIENCE_MS = 30_000;

/** Something the kernel told. */
export interface Told extends JSONObject {
  kind: string;
}

interface Waiting {
  resolve(value: JSONValue): void;
  reject(error: Error): void;
  timer: number;
}

export class Link implements IDisposable {
  private readonly heard = new Signal<this, Told>(this);
  private readonly waiting = new Map<string, Waiting>();
  private readonly opens = new Signal<this, void>(this);
  private comm: Kernel.IComm | null = null;
  /** True until the kernel has said a word: one that is busy says none. */
  isSilent = true;
  isDisposed = false;

  constructor(private readonly connection: Kernel.IKernelConnection) {
    connection.iopubMessage.connect(this.listen, this);
    connection.statusChanged.connect(this.changed, this);
    void this.greet();
  }

  /** Id of the kernel. */
  get kernel(): string {
    return this.connection.id;
  }

  /** True once requests can be sent. */
  get isOpen(): boolean {
    return this.comm !== null;
  }

  /** What the kernel tells: kinds and shapes stand in panel.py. */
  get told(): ISignal<this, Told> {
    return this.heard;
  }

  /** Requests can be sent from now on. */
  get opened(): ISignal<this, void> {
    return this.opens;
  }

  /**
   * Ask the kernel for something by name; the names stand in panel_requests.py. What takes as long as
   * it takes is asked with a patience of 0.
   */
  async ask(
    name: string,
    values: JSONObject = {},
    patience: number = PATIENCE_MS,
  ): Promise<JSONValue> {
    const { comm } = this;
    if (!comm) throw new Error("the kernel is busy or does not know the workbench");
    const id = UUID.uuid4();
    return new Promise((resolve, reject) => {
      const late = () =>
        this.settle(id, (one) => one.reject(new Error("no answer from the kernel")));
      const timer = patience ? window.setTimeout(late, patience) : 0;
      this.waiting.set(id, { resolve, reject, timer });
      comm.send({ id, name, values });
    });
  }

  /** Interrupt the kernel: reaches it whatever it is doing. */
  interrupt(): Promise<void> {
    return this.connection.interrupt();
  }

  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    this.connection.iopubMessage.disconnect(this.listen, this);
    this.connection.statusChanged.disconnect(this.changed, this);
    this.forget("the link was closed");
    Signal.clearData(this);
  }

  /** Open the way to the kernel if it knows the workbench; waits for a busy kernel. */
  private async greet(): Promise<void> {
    try {
      const found = await this.connection.requestCommInfo({ target_name: "workbench.told" });
      this.isSilent = false;
      const known = found.content.status === "ok" && TOLD in found.content.comms;
      if (known) this.open();
    } catch {
      // It ended, or was restarted, before it answered; its next word opens the way.
    }
  }

  private open(): void {
    this.isSilent = false;
    if (this.isDisposed || this.comm) return;
    const comm = this.connection.createComm(ASKED);
    comm.onClose = () => {
      if (this.comm === comm) this.forget("the kernel closed the link");
    };
    comm.open({});
    this.comm = comm;
    this.opens.emit();
  }

  private listen(_: unknown, message: KernelMessage.IIOPubMessage): void {
    const content = message.content as { comm_id?: unknown; data?: unknown };
    if (content.comm_id !== TOLD) return;
    const { data } = content;
    if (typeof data !== "object" || data === null || !("kind" in data)) return;
    const told = data as Told;
    // A kernel that tells of anything knows the workbench: also in mid-run, to a page just loaded.
    this.open();
    if (told.kind === "reply") this.reply(told);
    else this.heard.emit(told);
  }

  private reply(told: Told): void {
    this.settle(String(told.id), (one) => {
      if (typeof told.error === "string") one.reject(new Error(told.error));
      else one.resolve(told.value ?? null);
    });
  }

  private settle(id: string, how: (one: Waiting) => void): void {
    const one = this.waiting.get(id);
    if (!one) return;
    this.waiting.delete(id);
    window.clearTimeout(one.timer);
    how(one);
  }

  private changed(_: unknown, status: Kernel.Status): void {
    if (status === "restarting" || status === "autorestarting" || status === "dead") {
      this.forget("the kernel was restarted or has ended");
      this.heard.emit({ kind: "gone", status });
    }
  }

  private forget(why: string): void {
    this.comm = null;
    for (const id of Array.from(this.waiting.keys())) {
      this.settle(id, (one) => one.reject(new Error(why)));
    }
  }
}
