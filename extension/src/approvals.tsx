// Packages that scripts asked for: the analyst decides, in the sidebar or under the card of the run,
// and nothing is installed by it.

import * as React from "react";
import type { RunView } from "./run";
import type { Session } from "./session";
import type { Approval } from "./types";
import { message } from "./words";

interface Given {
  run: RunView;
  session: Session;
}

export function Approvals({ run, session }: Given): React.JSX.Element | null {
  const asked = run.approvals;
  if (!asked.length) return null;
  return (
    <section className="wbp-asked" aria-label="Packages that scripts asked for">
      {asked.map((one) => (
        <Asked key={one.id} run={run} session={session} one={one} />
      ))}
    </section>
  );
}

function Asked({ run, session, one }: Given & { one: Approval }): React.JSX.Element {
  const [said, setSaid] = React.useState("");
  const decide = (status: string) =>
    void session.decide(run, one.id, status).then(setSaid, (problem) => setSaid(message(problem)));
  const waits = one.status === "pending";
  return (
    <div className={waits ? "wbp-notice" : "wbp-small"}>
      <div>
        {"Package "}
        <strong>{one.name}</strong>
        {waits ? `: ${one.why}. Deciding installs nothing.` : `: ${one.status}`}
      </div>
      {waits && session.link?.isOpen && (
        <div className="wbp-buttons">
          {[
            ["approved", "Approve"],
            ["refused", "Refuse"],
          ].map(([status = "", words]) => (
            <button
              type="button"
              key={status}
              className="wbp-button"
              aria-label={`${words} ${one.name}`}
              onClick={() => decide(status)}
            >
              {words}
            </button>
          ))}
        </div>
      )}
      {said && (
        <p className="wbp-small" role="status">
          {said}
        </p>
      )}
    </div>
  );
}
