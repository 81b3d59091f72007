// The view model of a run as run.json has it (see workbench/view.py), and the pieces it is told in.

import type { JSONObject } from "@lumino/coreutils";

export type Categories = Record<string, number>;

export interface Context {
  window: number;
  usable: number;
  peak_tokens: number;
  raw_data_tokens: number;
  requests?: number;
  by_category: Categories;
  estimate: { tokens: number; low: number; high: number } | null;
  provider: { tokens: number; cached: number; estimated: boolean } | null;
}

export interface Met {
  key: string;
  enforced: string;
  hits: number;
  kept: number;
  of: number;
}

export interface Loop {
  id: string;
  agent: string;
  objective: string;
  status: string;
  seconds: number;
  error: string;
  doing: string;
  share: number | null;
  full: string;
  tool_calls: number;
  tool_errors: number;
  context: Context;
  limits: Met[];
  artefacts: string[];
}

export interface Artefact {
  id: string;
  path: string;
  media_type: string;
  bytes: number;
  rows?: number | null;
  columns?: number | null;
  made_by?: { tool?: string } | null;
}

export interface Usage {
  requests: number;
  input_tokens: number;
  output_tokens: number;
  cache_read_tokens?: number;
  cache_write_tokens?: number;
  usd?: number;
  estimated: boolean;
}

export type Value = number | string;

/** One number of an answer, and what it was computed from. */
export interface Claim {
  id: string;
  value: string;
  what?: string;
  artefact?: string;
  status: string;
}

/** A package that a script asked for; `status` is pending, approved or refused. */
export interface Approval {
  id: string;
  name: string;
  why: string;
  status: string;
}

/** A run without its lists. What never changes may be missing from a message. */
export interface Head {
  run: string;
  question: string;
  status: string;
  reason: string;
  answer: string;
  model: { provider?: string; name?: string };
  usage: Usage;
  notices: string[];
  run_limits: Met[];
  changed_limits: string[];
  started: string;
  heartbeat?: string;
  used?: Record<string, number>;
  limits?: Record<string, Value>;
  enforced?: Record<string, string>;
  units?: Record<string, string>;
  claims?: Claim[];
  /** Where the numbers of the answer stand, in characters, and their claims. */
  numbers?: [number, number, string][];
  /** What pasting every table that was worked on, once, would have cost in tokens. */
  raw_data_tokens?: number;
  approvals?: Approval[];
  /** Summed over all loops: limits that were met, and how loops ended. */
  met?: Met[];
  ends?: Record<string, number>;
}

export interface Page<T> {
  total: number;
  items: [number, T][];
}

/** How a run stands, whole or in part. */
export interface State {
  job: number;
  at_work: boolean;
  elapsed: number | null;
  head: Head;
  loops: Page<Loop>;
  artefacts: Page<Artefact>;
  /** Folder of the run, relative to the notebook; empty where it is not known. */
  results?: string;
  /** Of the newest run: whether it was put in this kernel. */
  own?: boolean;
}

export interface RunLine {
  run: string;
  status: string;
  question: string;
}

export interface Stretch {
  text: string;
  from: number;
  total: number | null;
  media_type: string;
  name: string;
}

export interface Checked {
  key: string;
  ok: boolean;
  seen: string;
  detail: string;
}

/** What a cell shows of a run: its card as it stands, or all that stays. */
export interface Output {
  done: boolean;
  outputs: JSONObject[];
}

/** Where runs are read from: the kernel, or files where there is none. */
export interface Source {
  /** The newest run; null where there is none yet. */
  latest(): Promise<State | null>;
  run(run: string): Promise<State>;
  runs(from: number): Promise<{ total: number; items: RunLine[] }>;
  loops(run: string, from: number): Promise<Page<Loop>>;
  artefacts(run: string, from: number): Promise<Page<Artefact>>;
  loop(run: string, loop: string): Promise<Loop>;
  text(run: string, key: string, from: number): Promise<Stretch>;
  output(run: string): Promise<Output>;
}

/** Characters that are read at once, as in panel_requests.py. */
export const STRETCH = 20_000;
/** Entries that come at once, as in panel_state.py. */
export const PAGE = 200;
