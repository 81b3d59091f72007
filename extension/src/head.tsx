// The head of the panel: what was asked, how it stands, what it has used, and how to stop it.

import * as React from "react";
import { Approvals } from "./approvals";
import { Dial } from "./bar";
import type { Tab } from "./body";
import { Stop } from "./controls";
import type { RunView } from "./run";
import type { Session } from "./session";
import { Steer } from "./steer";
import { count, plural, seconds, state } from "./words";

interface Given {
  run: RunView;
  session: Session;
  turn(tab: Tab): void;
}

export function Head({ run, session, turn }: Given): React.JSX.Element {
  const { head, status } = run;
  const reason = status === "answered" || !head.reason ? [] : [head.reason];
  return (
    <header className="wbp-head">
      <div className="wbp-top">
        <Dial share={run.fullest} marks={run.marks} />
        <div className="wbp-about">
          <div className="wbp-line">
            <span className={`wbp-pill wbp-is-${status}`} role="status">
              {state(status)}
            </span>
            <Clock run={run} />
            <span className="wbp-end">
              <Stop run={run} session={session} />
            </span>
          </div>
          <p className="wbp-question" title={head.question}>
            {head.question}
          </p>
        </div>
      </div>
      <p className="wbp-small">
        {run.fullest
          ? `Fullest window: ${run.fullest < 1 ? "under 1" : Math.round(run.fullest)} % of its usable part`
          : "No request yet"}
      </p>
      <Totals run={run} />
      <Hints run={run} turn={turn} />
      {Array.from(new Set([...head.notices, ...reason])).map((words) => (
        <p key={words} className="wbp-notice">
          {words}
        </p>
      ))}
      <Approvals run={run} session={session} />
      {run.atWork && session.link?.isOpen && <Steer link={session.link} />}
    </header>
  );
}

/** What did not go as asked, each with the way to it. */
function Hints({ run, turn }: { run: RunView; turn(tab: Tab): void }): React.JSX.Element | null {
  const { ends, met } = run;
  const failed = (ends.error ?? 0) + (ends.timeout ?? 0);
  const broken = met.filter((one) => one.enforced === "prompt" && one.kept < one.of).length;
  const held = met.filter((one) => one.enforced === "code" && one.hits > 0).length;
  const all: [number, string, Tab][] = [
    [ends.partial ?? 0, `${plural(ends.partial ?? 0, "agent")} ended in part`, "Agents"],
    [failed, `${plural(failed, "agent")} failed`, "Agents"],
    [broken, `${plural(broken, "prompt rule")} broken`, "Limits"],
    [held, `${plural(held, "code limit")} met`, "Limits"],
  ];
  const hints = all.filter(([many]) => many > 0);
  if (!hints.length) return null;
  return (
    <div className="wbp-hints">
      {hints.map(([, words, tab]) => (
        <button
          type="button"
          key={words}
          className={words.endsWith("met") ? "wbp-hint" : "wbp-hint wbp-hint-bad"}
          onClick={() => turn(tab)}
        >
          {words}
        </button>
      ))}
    </div>
  );
}

function Clock({ run }: { run: RunView }): React.JSX.Element {
  const [, tick] = React.useReducer((n: number) => n + 1, 0);
  React.useEffect(() => {
    if (!run.atWork) return undefined;
    const timer = window.setInterval(tick, 1_000);
    return () => window.clearInterval(timer);
  }, [run, run.atWork]);
  const { elapsed } = run;
  return <span className="wbp-clock">{elapsed === null ? "" : seconds(elapsed)}</span>;
}

function Totals({ run }: { run: RunView }): React.JSX.Element {
  const { usage, model } = run.head;
  const fresh = usage.input_tokens + (usage.cache_write_tokens ?? 0);
  const cached = usage.cache_read_tokens ?? 0;
  const name =
    model.provider === "offline"
      ? "rule-based planner, no language model"
      : [model.provider, model.name].filter(Boolean).join(" ");
  const raw = run.raw;
  const free = model.provider === "offline" ? "0" : "–";
  const stats: [string, string][] = [
    [count(usage.requests), "requests"],
    [count(fresh), usage.estimated ? "tokens in, est." : "tokens in"],
    ...(cached ? [[count(cached), "from the cache"] as [string, string]] : []),
    [count(usage.output_tokens), "tokens out"],
    [usage.usd === undefined ? free : usage.usd.toFixed(4), "US dollars"],
  ];
  return (
    <>
      <dl className="wbp-totals">
        {stats.map(([number, words]) => (
          <div key={words}>
            <dt>{words}</dt>
            <dd>{number}</dd>
          </div>
        ))}
      </dl>
      {raw > 0 && (
        <p className="wbp-small">
          <span className="wbp-swatch wbp-raw-key" />
          {`Pasted, the tables would be ${count(raw)} tokens in every request.`}
        </p>
      )}
      <p className="wbp-small">
        {[name, plural(run.loops.total, "agent"), plural(run.artefacts.total, "result")].join(
          " · ",
        )}
      </p>
    </>
  );
}
