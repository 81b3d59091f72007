// Where results open in full: each kind of result is entered once, by what it opens, and gets a tab
// in the main area. A result is named by its notebook, its run and its id.

import type { JupyterFrontEnd } from "@jupyterlab/application";
import { MainAreaWidget } from "@jupyterlab/apputils";
import { DisposableDelegate, type IDisposable } from "@lumino/disposable";
import type { Session } from "./session";
import { type Opener, Tab, type Wanted } from "./tab";

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
  openOf(session: Session, run: string, id: string): void {
    const made = Array.from(session.known(run)?.artefacts.items.values() ?? []);
    const found = made.find((one) => one.id === id);
    const about = { mediaType: found?.media_type ?? "text/plain", name: found?.path ?? id };
    this.open({ ...about, session, run, id });
  }

  /** Bring a result up in its tab, opened at the first time. */
  open(wanted: Wanted): void {
    const key = `workbench-${wanted.session.panel.context.path}-${wanted.run}-${wanted.id}`;
    const tab = this.tabs.get(key) ?? this.made(key, wanted);
    this.app.shell.activateById(tab.id);
  }

  /** A tab of results that is still there: that of last time, else any. */
  private beside(): MainAreaWidget | null {
    const there = [this.last, ...this.tabs.values()];
    return there.find((one) => one?.isAttached && !one.isDisposed) ?? null;
  }

  private made(key: string, wanted: Wanted): MainAreaWidget {
    const tab = new MainAreaWidget({ content: new Tab(wanted, this.known) });
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
