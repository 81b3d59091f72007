// Runs as the kernel knows them.

import type { JSONObject } from "@lumino/coreutils";
import type { Link } from "./link";
import type { Artefact, Loop, Output, Page, RunLine, Source, State, Stretch } from "./types";
import { STRETCH } from "./types";

export class Live implements Source {
  constructor(private readonly link: Link) {}

  async latest(): Promise<State | null> {
    try {
      return await this.ask<State>("latest");
    } catch {
      // No data folder is in use, or there is no run yet.
      return null;
    }
  }

  run(run: string): Promise<State> {
    return this.ask("run", { run });
  }

  runs(from: number): Promise<{ total: number; items: RunLine[] }> {
    return this.ask("runs", { from });
  }

  loops(run: string, from: number): Promise<Page<Loop>> {
    return this.ask("loops", { run, from });
  }

  artefacts(run: string, from: number): Promise<Page<Artefact>> {
    return this.ask("artefacts", { run, from });
  }

  loop(run: string, loop: string): Promise<Loop> {
    return this.ask("loop", { run, loop });
  }

  text(run: string, key: string, from: number): Promise<Stretch> {
    return this.ask("text", { run, key, from, limit: STRETCH });
  }

  output(run: string): Promise<Output> {
    return this.ask("output", { run });
  }

  private async ask<T>(name: string, values: JSONObject = {}): Promise<T> {
    return (await this.link.ask(name, values)) as unknown as T;
  }
}
