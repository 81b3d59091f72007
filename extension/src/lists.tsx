// What a run made, and the runs of the workspace.

import * as React from "react";
import { List } from "./list";
import type { RunView } from "./run";
import type { Session } from "./session";
import type { RunLine, Source } from "./types";
import { began, kind, message, plural, sign, size, state } from "./words";

const ROW = 50;
// Two lines of a question, and one of how it ended.
const RUN_ROW = 66;
// Names differ at their ends: this much of them is always shown.
const TAIL = 16;
// Runs asked for at once, as in panel_requests.py.
const STEP = 100;

interface MadeGiven {
  run: RunView;
  source: Source;
  open(id: string): void;
  redraw(): void;
}

export function Made({ run, source, open, redraw }: MadeGiven): React.JSX.Element {
  const { total, items } = run.artefacts;
  if (!total) return <p className="wbp-quiet">This run has made no file.</p>;
  return (
    <List
      role="listbox"
      label="Results of this run"
      total={total}
      height={ROW}
      seen={(place) => void run.fetch("artefacts", place, source).then((came) => came && redraw())}
      open={(place) => {
        const made = items.get(place);
        if (made) open(made.id);
      }}
      draw={(place, row) => {
        const made = items.get(place);
        const rows = made?.rows == null ? "" : plural(made.rows, "row");
        const words = [
          made && kind(made.media_type),
          rows,
          made && size(made.bytes),
          made?.made_by?.tool,
        ].filter(Boolean);
        return (
          <div key={place} {...row} role="option" tabIndex={-1} title={made?.path}>
            <div className="wbp-line">
              <code>{made?.id ?? "…"}</code>
              <Name text={made?.path ?? ""} />
            </div>
            <div className="wbp-line wbp-small">
              <span className="wbp-cut">{words.join(" · ")}</span>
            </div>
          </div>
        );
      }}
    />
  );
}

/** A name that is cut in its middle where it is too long. */
function Name({ text }: { text: string }): React.JSX.Element {
  const letters = Array.from(text);
  return (
    <strong className="wbp-name">
      <span className="wbp-cut">{letters.slice(0, -TAIL).join("")}</span>
      <span className="wbp-tail">{letters.slice(-TAIL).join("")}</span>
    </strong>
  );
}

export function Runs({ session, done }: { session: Session; done(): void }): React.JSX.Element {
  const { source } = session;
  const [lines, setLines] = React.useState<Map<number, RunLine>>(new Map());
  const [total, setTotal] = React.useState<number | null>(null);
  const [error, setError] = React.useState("");
  const asked = React.useRef(new Set<number>());
  const load = React.useCallback(
    (from: number) => {
      if (!source || asked.current.has(from)) return;
      asked.current.add(from);
      source.runs(from).then(
        (found) => {
          setTotal(found.total);
          setLines((before) => {
            const next = new Map(before);
            found.items.forEach((line, n) => {
              next.set(from + n, line);
            });
            return next;
          });
        },
        (problem) => setError(message(problem)),
      );
    },
    [source],
  );
  React.useEffect(() => load(0), [load]);
  if (error) return <p className="wbp-quiet">{error}</p>;
  if (total === null) return <p className="wbp-quiet">Reading …</p>;
  if (total === 0) return <p className="wbp-quiet">There is no run yet.</p>;
  return (
    <List
      role="listbox"
      label="Runs of this workspace, newest first"
      total={total}
      height={RUN_ROW}
      seen={(place) => !lines.has(place) && place < total && load(place - (place % STEP))}
      open={(place) => {
        const line = lines.get(place);
        if (line) void session.pick(line.run).then(done);
      }}
      draw={(place, row) => {
        const line = lines.get(place);
        return (
          <div key={place} {...row} role="option" tabIndex={-1} title={line?.question}>
            <div className="wbp-line">
              <span className={`wbp-sign wbp-is-${line?.status ?? ""}`} aria-hidden="true">
                {line ? sign(line.status) : ""}
              </span>
              <strong className="wbp-two">{line?.question ?? "…"}</strong>
            </div>
            <div className="wbp-line wbp-small">
              <span className="wbp-cut" title={line?.run}>
                {line ? [state(line.status), began(line.run)].filter(Boolean).join(" · ") : ""}
              </span>
            </div>
          </div>
        );
      }}
    />
  );
}
