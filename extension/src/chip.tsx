// The chip in the status bar: how full the fullest window is, and whether anybody works.

import { ReactWidget } from "@jupyterlab/ui-components";
import * as React from "react";
import type { Session } from "./session";
import { level, state } from "./words";

export class Chip extends ReactWidget {
  private session: Session | null = null;

  constructor(private readonly bringUp: () => void) {
    super();
    this.addClass("wbp-chip");
  }

  follow(session: Session | null): void {
    this.session?.changed.disconnect(this.update, this);
    this.session = session;
    session?.changed.connect(this.update, this);
    this.update();
  }

  override render(): React.JSX.Element | null {
    const run = this.session?.run;
    if (!run) return null;
    const share = Math.round(run.fullest);
    const words = `${state(run.status)}, fullest window ${share} %`;
    return (
      <button
        type="button"
        className={`wbp-${level(run.fullest, run.marks)}`}
        title={`Workbench: ${words}. Click to show the sidebar.`}
        onClick={this.bringUp}
      >
        {`${run.atWork ? "◔" : "●"} Window ${share} %`}
      </button>
    );
  }
}
