// Runs at work, as the kernel tells of them, and what may be done to one: several may be at work.

import type { Link } from "./link";
import { RunView } from "./run";
import type { State } from "./types";
import { within } from "./words";

const STOP_MS = 1_500;

export class Jobs {
  private readonly atWork = new Map<number, RunView>();

  /** Take in what was told of a run; returns it where it was not known before. */
  take(state: State, shown: RunView | null): RunView | null {
    const known = shown?.isOf(state) ? shown : this.atWork.get(state.job);
    known?.take(state);
    const view = known ?? new RunView(state);
    if (state.at_work) this.atWork.set(state.job, view);
    else this.atWork.delete(state.job);
    return known ? null : view;
  }

  find(run: string): RunView | null {
    return Array.from(this.atWork.values()).find((one) => one.head.run === run) ?? null;
  }

  /** The kernel is gone: nobody works on anything. */
  abandon(): void {
    for (const one of this.atWork.values()) one.abandon();
    this.atWork.clear();
  }
}

/** Stop a run at work; interrupts the kernel where it does not hear. */
export async function stop(link: Link, run: RunView | null): Promise<void> {
  const asked = { run: run?.head.run ?? "" };
  const heard = link.isOpen
    ? within(link.ask("stop", asked), STOP_MS)
    : Promise.reject(new Error());
  try {
    await heard;
  } catch {
    if (run?.atWork) await link.interrupt();
  }
}

/** Decide a package that a script asked for; returns what that means. */
export async function decide(
  link: Link | null,
  run: RunView,
  id: string,
  status: string,
): Promise<string> {
  if (!link) throw new Error("no kernel runs");
  const found = await link.ask("approve", { run: run.head.run, id, status });
  run.decide(id, status);
  return String((found as { text?: unknown } | null)?.text ?? "");
}
