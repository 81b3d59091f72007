// Packages that scripts asked for: the analyst decides here, and nothing is installed by it.

import * as React from "react";
import type { Link } from "./link";
import type { Approval } from "./types";
import { message } from "./words";

interface Given {
  run: string;
  asked: Approval[];
  link: Link | null;
}

export function Approvals({ run, asked, link }: Given): React.JSX.Element | null {
  if (!asked.length) return null;
  return (
    <section className="wbp-asked" aria-label="Packages that scripts asked for">
      {asked.map((one) => (
        <Asked key={one.id} run={run} one={one} link={link} />
      ))}
    </section>
  );
}

interface OneGiven {
  run: string;
  one: Approval;
  link: Link | null;
}

function Asked({ run, one, link }: OneGiven): React.JSX.Element {
  const [said, setSaid] = React.useState("");
  // What was decided here holds until the run tells of it.
  const [decided, setDecided] = React.useState("");
  const status = one.status === "pending" && decided ? decided : one.status;
  const decide = (next: string) => {
    if (!link?.isOpen) return;
    link.ask("approve", { run, id: one.id, status: next }).then(
      (answer) => {
        setDecided(next);
        setSaid(String((answer as { text?: unknown } | null)?.text ?? ""));
      },
      (problem) => setSaid(message(problem)),
    );
  };
  const waits = status === "pending";
  return (
    <div className={waits ? "wbp-notice" : "wbp-small"}>
      <div>
        {"A script asked for the package "}
        <strong>{one.name}</strong>
        {waits ? `: ${one.why}. Nothing is installed by deciding.` : `: ${status}`}
      </div>
      {waits && link?.isOpen && (
        <div className="wbp-buttons">
          <button type="button" className="wbp-button" onClick={() => decide("approved")}>
            Approve
          </button>
          <button type="button" className="wbp-button" onClick={() => decide("refused")}>
            Refuse
          </button>
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
