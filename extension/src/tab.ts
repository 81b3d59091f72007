// One result in its tab. How it is shown depends on who can be asked: a kernel that knows its run, else
// the files of the run. Once a kernel knows it, what was read from files is shown anew.

import { Panel, type Widget } from "@lumino/widgets";
import type { Link } from "./link";
import { Live } from "./live";
import type { Session } from "./session";
import type { Source } from "./types";

/** What names a result. */
export interface Wanted {
  /** Of the notebook it belongs to. */
  session: Session;
  /** Id of the run. */
  run: string;
  /** Id of a result (`d01a2`), of a kept text (`d01_result`) or a request (`d01-r01`). */
  id: string;
  /** Media type, as the ledger has it. */
  mediaType: string;
  /** File name, for the tab. */
  name: string;
}

/** A result, and the way to ask for it. */
export interface Ready extends Wanted {
  /** Asks the kernel that knows the run; null where it is read from files. */
  link: Link | null;
  /** Reads texts by range, from the kernel or from files. */
  source: Source;
}

/** One way to open results. */
export interface Opener {
  /** Tell whether this way opens such a result. */
  opens(ready: Ready): boolean;
  /** Make what is shown in the tab. */
  make(ready: Ready): Widget;
}

export class Tab extends Panel {
  private link: Link | null = null;
  private shown: Widget | null = null;

  constructor(
    private readonly wanted: Wanted,
    private readonly openers: readonly Opener[],
  ) {
    super();
    this.addClass("wbp-opened");
    wanted.session.reached.connect(this.look, this);
    void this.look();
  }

  private async look(): Promise<void> {
    const { wanted, shown } = this;
    const link = await wanted.session.linkTo(wanted.run);
    const source = link ? new Live(link) : wanted.session.source;
    // Where there is nobody better to ask, what is shown stays.
    const same = shown !== null && (link === null || link === this.link);
    if (this.isDisposed || this.shown !== shown || same || !source) return;
    const ready = { ...wanted, link, source };
    const next = this.openers.find((one) => one.opens(ready))?.make(ready);
    if (!next) return;
    this.link = link;
    this.shown = next;
    shown?.dispose();
    this.addWidget(next);
  }
}
