// One run as far as it is known here: put together from what was told, never worked out anew.

import type { Approval, Artefact, Head, Loop, Met, Page, Source, State } from "./types";
import { PAGE } from "./types";

/** A list of which pages are known. */
class Pages<T> {
  readonly items = new Map<number, T>();
  total = 0;
  private readonly asked = new Set<number>();

  take(page: Page<T>): void {
    this.total = page.total;
    for (const [place, item] of page.items) this.items.set(place, item);
  }

  /** Begin of the page that an entry stands on, if it is missing and was not asked for yet. */
  missing(place: number): number | null {
    const begin = place - (place % PAGE);
    if (place >= this.total || this.items.has(place) || this.asked.has(begin)) return null;
    this.asked.add(begin);
    return begin;
  }

  again(begin: number): void {
    this.asked.delete(begin);
  }
}

export class RunView {
  head: Head;
  job: number;
  atWork: boolean;
  readonly loops = new Pages<Loop>();
  readonly artefacts = new Pages<Artefact>();
  /** What was decided here of packages, until the run tells of it. */
  private readonly decided = new Map<string, string>();
  private elapsedThen: number | null = null;
  private heardAt = 0;

  constructor(state: State) {
    this.head = state.head;
    this.job = state.job;
    this.atWork = state.at_work;
    this.take(state);
  }

  /** True if a state tells of this run. */
  isOf(state: State): boolean {
    if (state.head.run && this.head.run) return state.head.run === this.head.run;
    return state.job !== 0 && state.job === this.job;
  }

  take(state: State): void {
    // A message may leave out what never changes.
    this.head = { ...this.head, ...state.head };
    this.job = state.job || this.job;
    this.atWork = state.at_work && state.head.status === "running";
    this.loops.take(state.loops);
    this.artefacts.take(state.artefacts);
    this.elapsedThen = state.elapsed;
    this.heardAt = performance.now();
  }

  /** The kernel is gone: nobody works on it any more, and its numbers begin anew. */
  abandon(): void {
    this.atWork = false;
    this.job = 0;
  }

  decide(id: string, status: string): void {
    this.decided.set(id, status);
  }

  /** Packages that scripts asked for, and how each stands. */
  get approvals(): Approval[] {
    return (this.head.approvals ?? []).map((one) => {
      const status = one.status === "pending" ? this.decided.get(one.id) : undefined;
      return status ? { ...one, status } : one;
    });
  }

  /** Seconds since the question was put, or null where they are not known. */
  get elapsed(): number | null {
    if (this.elapsedThen === null) return null;
    const since = this.atWork ? (performance.now() - this.heardAt) / 1_000 : 0;
    return this.elapsedThen + since;
  }

  get status(): string {
    const { status } = this.head;
    return status === "running" && !this.atWork ? "left" : status;
  }

  /** Marks of a window, in per cent of its usable part. */
  get marks(): [number, number] {
    const limits = this.head.limits ?? {};
    return [Number(limits.context_warn ?? 70), Number(limits.context_full ?? 90)];
  }

  /** The fullest window of the run so far, in per cent of its usable part. */
  get fullest(): number {
    const known = this.head.used?.context_full;
    return known === undefined ? 0 : Number(known);
  }

  /** What pasting every table, once, would have cost in tokens. */
  get raw(): number {
    return this.head.raw_data_tokens ?? 0;
  }

  /** How loops ended: state → how many. */
  get ends(): Record<string, number> {
    if (this.head.ends) return this.head.ends;
    const found: Record<string, number> = {};
    for (const { status } of this.loops.items.values()) found[status] = (found[status] ?? 0) + 1;
    return found;
  }

  /** Limits that were met, summed over the loops: as told, else over those that are known. */
  get met(): Met[] {
    if (this.head.met) return this.head.met;
    const found = new Map<string, Met>();
    const rows = Array.from(this.loops.items.values()).flatMap((loop) => loop.limits);
    for (const row of [...rows, ...this.head.run_limits]) {
      const sum = found.get(row.key) ?? { ...row, hits: 0, kept: 0, of: 0 };
      const { hits, kept, of } = sum;
      found.set(row.key, {
        ...sum,
        hits: hits + row.hits,
        kept: kept + row.kept,
        of: of + row.of,
      });
    }
    return Array.from(found.values());
  }

  /** Fetch the page that a loop or result stands on if it is not here; tells when it came. */
  async fetch(kind: "loops" | "artefacts", place: number, source: Source): Promise<boolean> {
    const pages = this[kind];
    const begin = pages.missing(place);
    if (begin === null) return false;
    try {
      if (kind === "loops") this.loops.take(await source.loops(this.head.run, begin));
      else this.artefacts.take(await source.artefacts(this.head.run, begin));
      return true;
    } catch {
      // Asked for again when it is looked at again, at the earliest in five seconds.
      window.setTimeout(() => pages.again(begin), 5_000);
      return false;
    }
  }
}
