// What an analyst may do to a run at work: stop it, decide what its scripts asked for. The head of the
// sidebar and the card in a cell have the same.

import { ReactWidget } from "@jupyterlab/ui-components";
import * as React from "react";
import { Approvals } from "./approvals";
import type { RunView } from "./run";
import type { Session } from "./session";

interface Given {
  run: RunView;
  session: Session;
}

export function Stop({ run, session }: Given): React.JSX.Element | null {
  const [stopping, setStopping] = React.useState(false);
  React.useEffect(() => {
    if (!run.atWork) setStopping(false);
  }, [run.atWork]);
  if (!run.atWork) return null;
  const stop = () => {
    setStopping(true);
    void session.stop(run);
  };
  return (
    <button type="button" className="wbp-button wbp-stop" disabled={stopping} onClick={stop}>
      {stopping ? "Stopping …" : "Stop"}
    </button>
  );
}

/** The controls of a run under its card. */
export class Controls extends ReactWidget {
  constructor(
    private readonly session: Session,
    private readonly run: string,
  ) {
    super();
    this.addClass("wbp-controls");
    session.changed.connect(this.update, this);
  }

  override render(): React.JSX.Element | null {
    const { session } = this;
    const run = session.known(this.run);
    if (!run) return null;
    return (
      <>
        <Approvals run={run} session={session} />
        <Stop run={run} session={session} />
      </>
    );
  }
}
