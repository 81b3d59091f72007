// One loop in full: its objective, its window, its limits, its requests as they were sent, its result.

import * as React from "react";
import { Bar, Legend } from "./bar";
import { Badge, Key } from "./limits";
import type { RunView } from "./run";
import type { Loop, Source } from "./types";
import { met, seconds, sign, state } from "./words";

// The newest are what one wants; the others come at a press.
const SHOWN = 60;

interface Given {
  run: RunView;
  source: Source;
  loop: string;
  read(key: string): void;
  openArtefact(id: string): void;
}

export function Detail({ run, source, loop: id, read, openArtefact }: Given): React.JSX.Element {
  const [objective, setObjective] = React.useState<string | null>(null);
  const [all, setAll] = React.useState(false);
  const loop = Array.from(run.loops.items.values()).find((one) => one.id === id);
  const name = run.head.run;
  React.useEffect(() => {
    let wanted = true;
    const got = (found: Loop) => wanted && setObjective(found.objective);
    source.loop(name, id).then(got, () => undefined);
    return () => {
      wanted = false;
    };
  }, [source, name, id]);
  if (!loop) return <p className="wbp-quiet">It is not known any more.</p>;
  const sent = loop.context.requests ?? 0;
  const requests = Array.from({ length: sent }, (_, n) => sent - n);
  const dispatch = /^d\d+$/.test(id);
  return (
    <section className="wbp-scroll wbp-detail" tabIndex={0} aria-label={`Loop ${id}`}>
      <h3>
        <span className={`wbp-sign wbp-is-${loop.status}`} aria-hidden="true">
          {sign(loop.status)}
        </span>
        {loop.agent || id} <code>{id}</code>
        <small>{[state(loop.status), loop.seconds ? seconds(loop.seconds) : ""].join(" ")}</small>
      </h3>
      {loop.error && <p className="wbp-error">{loop.error}</p>}
      {loop.objective && (
        <section>
          <h4>Objective</h4>
          <pre className="wbp-text">{objective ?? loop.objective}</pre>
        </section>
      )}
      <section>
        <h4>Context window, last request</h4>
        <Bar context={loop.context} marks={run.marks} />
        <Legend context={loop.context} marks={run.marks} />
      </section>
      {loop.limits.length > 0 && (
        <section>
          <h4>Limits met</h4>
          <ul className="wbp-plain">
            {loop.limits.map((row) => (
              <li key={row.key}>
                <Badge by={row.enforced} /> <Key name={row.key} /> <strong>{met(row)}</strong>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h4>Read in full</h4>
        <div className="wbp-buttons">
          {dispatch && loop.status !== "running" && (
            <Open words="Result" key="result" open={() => read(`${id}_result`)} />
          )}
          {sent > 0 && <Open words="Whole talk" key="talk" open={() => openArtefact(id)} />}
          {loop.artefacts.map((made) => (
            <Open key={made} words={made} open={() => openArtefact(made)} />
          ))}
        </div>
      </section>
      {sent > 0 && (
        <section>
          <h4>Requests, exactly as sent</h4>
          <div className="wbp-buttons">
            {(all ? requests : requests.slice(0, SHOWN)).map((number) => (
              <Open
                key={number}
                words={`r${String(number).padStart(2, "0")}`}
                open={() => read(`${id}-r${String(number).padStart(2, "0")}`)}
              />
            ))}
            {!all && sent > SHOWN && (
              <Open words={`${sent - SHOWN} earlier`} open={() => setAll(true)} />
            )}
          </div>
        </section>
      )}
    </section>
  );
}

function Open({ words, open }: { words: string; open(): void }): React.JSX.Element {
  return (
    <button type="button" className="wbp-button" onClick={open}>
      {words}
    </button>
  );
}
