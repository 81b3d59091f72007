// What saved outputs say of their runs: which, and where its files lie.

import type { NotebookPanel } from "@jupyterlab/notebook";

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

/** The run of the last output in a notebook that has one. */
export function lastSaved(panel: NotebookPanel): Saved | null {
  const cells = panel.model?.cells;
  for (let place = (cells?.length ?? 0) - 1; place >= 0; place -= 1) {
    const shown = cells?.get(place).sharedModel.toJSON() as { outputs?: { data?: object }[] };
    for (const output of (shown.outputs ?? []).reverse()) {
      const found = saved((output.data as Record<string, unknown> | undefined)?.[MIME]);
      if (found?.run) return found;
    }
  }
  return null;
}
