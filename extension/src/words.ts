// Numbers and states in words, as the card in the cell has them.

import type { Context, Loop, Met } from "./types";

const NUMBERS = new Intl.NumberFormat("en-US", { maximumFractionDigits: 4 });

export const CATEGORIES = [
  "system",
  "tools",
  "history",
  "question",
  "attachments",
  "assistant",
  "tool_results",
  "dispatch_results",
  "envelope",
];

const STATES: Record<string, string> = {
  running: "working",
  success: "done",
  timeout: "timed out",
  killed: "stopped",
  interrupted: "stopped",
  budget: "budget reached",
  // No word of it for too long: what came of it is not known here.
  left: "was working",
};

const SIGNS: Record<string, string> = {
  running: "◔",
  success: "✓",
  answered: "✓",
  partial: "◑",
  killed: "■",
  interrupted: "■",
  left: "◔",
};

export function count(number: number): string {
  return NUMBERS.format(number);
}

export function plural(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
}

export function state(status: string): string {
  return STATES[status] ?? status;
}

export function sign(status: string): string {
  return SIGNS[status] ?? "✕";
}

export function label(category: string): string {
  return category.replaceAll("_", " ");
}

export function seconds(number: number): string {
  if (number < 60) return `${number.toFixed(number < 10 ? 1 : 0)} s`;
  return `${Math.floor(number / 60)} min ${Math.floor(number % 60)} s`;
}

export function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const steps = ["kB", "MB", "GB", "TB"];
  let left = bytes / 1_000;
  let place = 0;
  while (left >= 1_000 && place < steps.length - 1) {
    left /= 1_000;
    place += 1;
  }
  return `${left.toFixed(left < 10 ? 1 : 0)} ${steps[place]}`;
}

const KINDS: Record<string, string> = {
  "text/csv": "table, CSV",
  "application/vnd.apache.parquet": "table, Parquet",
  "application/vnd.plotly.v1+json": "figure",
  "text/html": "figure, page",
  "application/json": "JSON",
  "text/plain": "text",
};

/** A media type in words, as the card has it. */
export function kind(media: string): string {
  return KINDS[media] ?? media;
}

/** When a run began, out of its id, in the reader's own time. */
export function began(run: string): string {
  const found = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)/.exec(run);
  if (!found) return "";
  const [year = 0, month = 0, day = 0, hour, minute, second] = found.slice(1).map(Number);
  const moment = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  return moment.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

export function percent(part: number, of: number): string {
  if (!of) return "0 %";
  const share = (100 * part) / of;
  return share > 0 && share < 1 ? "<1 %" : `${Math.round(share)} %`;
}

export type Level = "calm" | "warn" | "full";

export function level(share: number, marks: [number, number]): Level {
  if (share >= marks[1]) return "full";
  return share >= marks[0] ? "warn" : "calm";
}

/** Tokens a window is full by: the provider's figure where there is one, else the estimate. */
export function gauge(context: Context): number {
  if (context.provider && !context.provider.estimated) return context.provider.tokens;
  return context.estimate?.tokens ?? parts(context).reduce((sum, [, tokens]) => sum + tokens, 0);
}

/** Categories that hold anything, in their order. */
export function parts(context: Context): [string, number][] {
  return CATEGORIES.map((key): [string, number] => [key, context.by_category[key] ?? 0]).filter(
    ([, tokens]) => tokens > 0,
  );
}

/** How often a limit was met: `3 hits`, or `kept 1 of 2` where it is only asked for. */
export function met(row: Met): string {
  return row.enforced === "prompt" ? `kept ${row.kept} of ${row.of}` : plural(row.hits, "hit");
}

/** All that a row of the tree shows, in words. */
export function sentence(loop: Loop): string {
  const { context } = loop;
  const used = gauge(context);
  const words = [
    `${loop.agent || loop.id}${loop.id === loop.agent ? "" : ` ${loop.id}`}`,
    state(loop.status),
    loop.seconds ? seconds(loop.seconds) : "",
    used ? `${count(used)} tokens, ${percent(used, context.usable)} of usable` : "no request yet",
    loop.error,
  ];
  return words.filter(Boolean).join(", ");
}

/** What went wrong, in words. */
export function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The promise, or an error once it takes longer. */
export function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  const late = new Promise<T>((_, reject) =>
    window.setTimeout(() => reject(new Error("late")), ms),
  );
  return Promise.race([promise, late]);
}
