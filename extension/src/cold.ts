// Runs as their files tell, where there is no kernel: read through Jupyter's own contents service, at
// places that a saved output names. No folder is ever listed.

import { PathExt } from "@jupyterlab/coreutils";
import type { Contents } from "@jupyterlab/services";
import type { Saved } from "./saved";
import type { Artefact, Head, Loop, Output, Page, RunLine, Source, State, Stretch } from "./types";
import { PAGE, STRETCH } from "./types";
import { message } from "./words";

interface View extends Head {
  loops: Loop[];
  artefacts: Artefact[];
}

// As in outputs.py.
const OUTPUT = "full/output.json";
const RUN = /^[A-Za-z0-9][\w-]{0,119}$/;
const REQUEST = /-r\d+$/;
// A file is fetched whole; one that is larger is left to a kernel, which reads by range.
const MOST_BYTES = 32_000_000;
// A run whose heartbeat is older was left by its process.
const ALIVE_MS = 15_000;

/** The files cannot be had without a kernel; the text says why. */
export class OutOfReach extends Error {}

export class Cold implements Source {
  private readonly texts = new Map<string, string>();
  private view: View | null = null;
  /** Why what is shown is less than the whole; empty where it is not. */
  lack = "";

  constructor(
    private readonly contents: Contents.IManager,
    private readonly notebook: string,
    private readonly saved: Saved,
  ) {}

  async latest(): Promise<State | null> {
    this.lack = "";
    try {
      return await this.run(this.saved.run);
    } catch (error) {
      if (!isView(this.saved.view)) throw error;
      this.lack = `Only what the notebook kept of this run is shown: ${message(error)}.`;
      return stateOf(this.saved.view);
    }
  }

  async run(run: string): Promise<State> {
    const found: unknown = JSON.parse(await this.file(run, "run.json"));
    if (!isView(found)) throw new OutOfReach(`run.json of ${run} is no view of a run`);
    this.view = found;
    return stateOf(found);
  }

  async runs(from: number): Promise<{ total: number; items: RunLine[] }> {
    const text = await this.read(this.place("..", "index.jsonl"));
    const lines = new Map<string, RunLine>();
    for (const line of text.split("\n")) takeLine(lines, line);
    const items = Array.from(lines.values()).sort((a, b) => (a.run < b.run ? 1 : -1));
    return { total: items.length, items: items.slice(from, from + PAGE) };
  }

  async loops(run: string, from: number): Promise<Page<Loop>> {
    return page((await this.known(run)).loops, from);
  }

  async artefacts(run: string, from: number): Promise<Page<Artefact>> {
    return page((await this.known(run)).artefacts, from);
  }

  async loop(run: string, loop: string): Promise<Loop> {
    const found = (await this.known(run)).loops.find((one) => one.id === loop);
    if (!found) throw new OutOfReach(`the run has no ${loop}`);
    return found;
  }

  async text(run: string, key: string, from: number): Promise<Stretch> {
    const view = await this.known(run);
    const made = view.artefacts.find((one) => one.id === key);
    const kept = REQUEST.test(key) ? `requests/${key}.json` : `full/${key}.txt`;
    const name = made?.path ?? kept;
    const text = await this.file(run, name);
    return {
      text: text.slice(from, from + STRETCH),
      from,
      total: text.length,
      media_type: made?.media_type ?? "text/plain",
      name: PathExt.basename(name),
    };
  }

  /** What its cell was to show, where that was kept; a run that was left has nothing. */
  async output(run: string): Promise<Output> {
    const state = await this.run(run);
    if (state.at_work) {
      throw new OutOfReach("the question is at work; its answer will stand here once it is there");
    }
    if (state.head.status === "running") {
      throw new OutOfReach(
        "the kernel ended while this question was at work, so there is no answer; what it had " +
          "made by then is in the sidebar",
      );
    }
    const found = JSON.parse(await this.file(run, OUTPUT)) as { outputs?: unknown };
    return { done: true, outputs: Array.isArray(found.outputs) ? found.outputs : [] };
  }

  private async known(run: string): Promise<View> {
    if (this.view?.run !== run) await this.run(run);
    if (!this.view) throw new OutOfReach(`run ${run} cannot be read`);
    return this.view;
  }

  private file(run: string, name: string): Promise<string> {
    const inside = !name.split("/").some((part) => part === ".." || part === "");
    if (!RUN.test(run) || !inside) throw new OutOfReach("that is no name of a run's file");
    return this.read(this.place("..", run, name));
  }

  /** A path below the folder of runs, seen from Jupyter's root. */
  private place(...parts: string[]): string {
    const { results } = this.saved;
    const far = results.startsWith("/") || results.includes(":") || results.includes("\\");
    const drive = this.contents.driveName(this.notebook);
    const folder = PathExt.dirname(this.contents.localPath(this.notebook));
    const place = PathExt.normalize(PathExt.join(folder, results, ...parts));
    if (!results || far || place.startsWith("..")) {
      throw new OutOfReach("the results lie outside of the folder that Jupyter serves");
    }
    return drive ? `${drive}:${place}` : place;
  }

  private async read(path: string): Promise<string> {
    const known = this.texts.get(path);
    if (known !== undefined && !path.endsWith(".jsonl") && !path.endsWith("/run.json"))
      return known;
    const options = { type: "file", format: "text" } as const;
    let file: Contents.IModel;
    try {
      const about = await this.contents.get(path, { ...options, content: false });
      if ((about.size ?? 0) > MOST_BYTES)
        throw new OutOfReach("the file is too large to fetch whole");
      file = await this.contents.get(path, { ...options, content: true });
    } catch (error) {
      if (error instanceof OutOfReach) throw error;
      throw new OutOfReach("Jupyter does not serve the files of this run");
    }
    const text = String(file.content);
    this.texts.clear();
    this.texts.set(path, text);
    return text;
  }
}

function takeLine(lines: Map<string, RunLine>, line: string): void {
  let found: Record<string, unknown>;
  try {
    found = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return;
  }
  const run = String(found?.run ?? "");
  if (!RUN.test(run)) return;
  const before = lines.get(run) ?? { run, status: "interrupted", question: "" };
  lines.set(run, {
    run,
    status: typeof found.status === "string" ? found.status : before.status,
    question: typeof found.question === "string" ? found.question : before.question,
  });
}

function isView(value: unknown): value is View {
  const found = value as Partial<View> | null;
  const lists = Array.isArray(found?.loops) && Array.isArray(found?.artefacts);
  return lists && typeof found?.run === "string" && typeof found?.usage === "object";
}

function page<T>(items: T[], from: number): Page<T> {
  const part = items.slice(from, from + PAGE);
  return { total: items.length, items: part.map((item, n): [number, T] => [from + n, item]) };
}

function stateOf(view: View): State {
  const alive = Date.now() - Date.parse(view.heartbeat ?? "") < ALIVE_MS;
  const elapsed =
    (Date.parse((view as { ended?: string }).ended ?? "") - Date.parse(view.started)) / 1_000;
  return {
    job: 0,
    at_work: view.status === "running" && alive,
    elapsed: Number.isFinite(elapsed) ? elapsed : null,
    head: view,
    loops: { total: view.loops.length, items: view.loops.map((one, n) => [n, one]) },
    artefacts: { total: view.artefacts.length, items: view.artefacts.map((one, n) => [n, one]) },
  };
}
