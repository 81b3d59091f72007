// What saved outputs say of their runs: which, and where its files lie.

import type { NotebookPanel } from "@jupyterlab/notebook";
import type { IOutputModel } from "@jupyterlab/rendermime";

export const MIME = "application/vnd.workbench.asking.run+json";

/** What an output says of its run. */
export interface Saved {
  run: string;
  /** Folder of the run, relative to the notebook. */
  results: string;
  view: unknown;
  /** True for the card of a question at work: what stays takes its place at the end. */
  live: boolean;
}

/** Return what an output says of its run, or null where it is not in that shape. */
export function saved(value: unknown): Saved | null {
  if (typeof value !== "object" || value === null) return null;
  const { run, results, view, live } = value as Record<string, unknown>;
  if (typeof run !== "string" || typeof results !== "string") return null;
  return { run, results, view, live: live === true };
}

/** The outputs of a code cell. */
export interface Outputs {
  length: number;
  get(place: number): IOutputModel;
  toJSON(): object[];
  fromJSON(values: object[]): void;
}

/** A saved output in its place. */
export interface Found extends Saved {
  outputs: Outputs;
  place: number;
}

/** Every output of a notebook that names a run, in order. */
export function allSaved(panel: NotebookPanel): Found[] {
  const found: Found[] = [];
  for (const one of Array.from(panel.model?.cells ?? [])) {
    if (one.type !== "code") continue;
    const { outputs } = one as unknown as { outputs: Outputs };
    for (let place = 0; place < outputs.length; place += 1) {
      const said = saved(outputs.get(place).data[MIME]);
      if (said?.run) found.push({ ...said, outputs, place });
    }
  }
  return found;
}

/** The run of the last output in a notebook that has one. */
export function lastSaved(panel: NotebookPanel): Saved | null {
  return allSaved(panel).pop() ?? null;
}
