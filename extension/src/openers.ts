// Where results open in full: each kind of result is entered once, by what it opens, and gets a tab
// in the main area. A result is named by its run and its id; what is shown of it comes over the link.

import type { JupyterFrontEnd } from "@jupyterlab/application";
import { MainAreaWidget } from "@jupyterlab/apputils";
import { DisposableDelegate, type IDisposable } from "@lumino/disposable";
import type { Widget } from "@lumino/widgets";
import type { Link } from "./link";
import type { Session } from "./session";
import type { Source } from "./types";

/** What names a result, and the way to ask for it. */
export interface Wanted {
  /** Asks the kernel that knows the run; null where it is read from files. */
  link: Link | null;
  /** Reads texts by range, from the kernel or from files. */
  source: Source;
  /** Path of the notebook it belongs to. */
  notebook: string;
  /** Id of the run. */
  run: string;
  /** Id of a result (`d01a2`), of a kept text (`d01_result`) or a request (`d01-r01`). */
  id: string;
  /** Media type, as the ledger has it. */
  mediaType: string;
  /** File name, for the tab. */
  name: string;
}

/** One way to open results. */
export interface Opener {
  /** Tell whether this way opens such a result. */
  opens(wanted: Wanted): boolean;
  /** Make what is shown in the tab. */
  make(wanted: Wanted): Widget;
}

export class Openers {
  private readonly known: Opener[] = [];
  private readonly tabs = new Map<string, MainAreaWidget>();
  /** The tab that was opened last: the next one joins it, so that the area is split once. */
  private last: MainAreaWidget | null = null;

  constructor(private readonly app: JupyterFrontEnd) {}

  /** Enter a way to open results; what was entered last is asked first. */
  add(opener: Opener): IDisposable {
    this.known.unshift(opener);
    return new DisposableDelegate(() => {
      const place = this.known.indexOf(opener);
      if (place >= 0) this.known.splice(place, 1);
    });
  }

  /** Bring a result of a notebook's run up, by its id. */
  openOf(session: Session, run: string, id: string): boolean {
    const { source, link, panel } = session;
    if (!source) return false;
    const known = session.run?.head.run === run ? session.run.artefacts.items.values() : [];
    const made = Array.from(known).find((one) => one.id === id);
    const about = { mediaType: made?.media_type ?? "text/plain", name: made?.path ?? id };
    const asked = link?.isOpen ? link : null;
    return this.open({ ...about, link: asked, source, notebook: panel.context.path, run, id });
  }

  /** Bring a result up in its tab, opened at the first time; false where nothing opens it. */
  open(wanted: Wanted): boolean {
    const key = `workbench-${wanted.notebook}-${wanted.run}-${wanted.id}`;
    const tab = this.tabs.get(key) ?? this.made(key, wanted);
    if (!tab) return false;
    this.app.shell.activateById(tab.id);
    return true;
  }

  /** A tab of results that is still there: that of last time, else any. */
  private beside(): MainAreaWidget | null {
    const there = [this.last, ...this.tabs.values()];
    return there.find((one) => one?.isAttached && !one.isDisposed) ?? null;
  }

  private made(key: string, wanted: Wanted): MainAreaWidget | null {
    const opener = this.known.find((one) => one.opens(wanted));
    if (!opener) return null;
    const tab = new MainAreaWidget({ content: opener.make(wanted) });
    tab.id = key;
    tab.title.label = `${wanted.id} ${wanted.name}`;
    tab.title.caption = `${wanted.name}, run ${wanted.run}`;
    tab.title.closable = true;
    this.tabs.set(key, tab);
    tab.disposed.connect(() => this.tabs.delete(key));
    const beside = this.beside();
    const where = beside
      ? { mode: "tab-after" as const, ref: beside.id }
      : { mode: "split-bottom" as const };
    this.app.shell.add(tab, "main", where);
    this.last = tab;
    return tab;
  }
}
