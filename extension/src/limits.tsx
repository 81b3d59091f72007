// The limits of a run: who holds each, its value, how near it is, and the check that proves them.

import * as React from "react";
import type { RunView } from "./run";
import type { Session } from "./session";
import type { Met, Value } from "./types";
import { count, met } from "./words";

// From this part of its value on, a limit that counts something is near.
const NEAR = 0.8;
const SAID: Record<string, string> = {
  code: "held by code: it holds against a model that disobeys",
  prompt: "asked for in the prompt, and measured",
};

export function Badge({ by }: { by: string }): React.JSX.Element {
  return (
    <span className={`wbp-badge wbp-by-${by}`} title={SAID[by] ?? ""}>
      {by}
    </span>
  );
}

/** A key; it has a line of its own, so that it need not break. */
export function Key({ name }: { name: string }): React.JSX.Element {
  return <span className="wbp-key">{name}</span>;
}

interface Row {
  key: string;
  by: string;
  value: string;
  state: string;
  look: "" | "met" | "near" | "broken" | "kept";
}

function amount(value: Value | undefined, unit: string): string {
  if (value === undefined) return "";
  return typeof value === "number" ? `${count(value)} ${unit}`.trim() : value;
}

function row(run: RunView, key: string, found: Met | undefined): Row {
  const { head } = run;
  const value = head.limits?.[key];
  const by = found?.enforced ?? head.enforced?.[key] ?? "code";
  const made = { key, by, value: amount(value, head.units?.[key] ?? "") };
  if (found && by === "prompt") {
    return { ...made, state: met(found), look: found.kept < found.of ? "broken" : "kept" };
  }
  if (found?.hits) return { ...made, state: `hit ${count(found.hits)} ×`, look: "met" };
  const used = head.used?.[key] ?? 0;
  const near = typeof value === "number" && used >= NEAR * value;
  if (near) return { ...made, state: `near: ${count(used)}`, look: "near" };
  return { ...made, state: "not reached", look: "" };
}

const ORDER = ["broken", "met", "near", "kept", ""];

export function Limits({ run, session }: { run: RunView; session: Session }): React.JSX.Element {
  const found = new Map(run.met.map((one) => [one.key, one]));
  const keys = new Set([...found.keys(), ...Object.keys(run.head.limits ?? {})]);
  const rows = Array.from(keys, (key) => row(run, key, found.get(key)));
  rows.sort((a, b) => ORDER.indexOf(a.look) - ORDER.indexOf(b.look));
  const code = rows.filter((one) => one.by === "code").length;
  const met = rows.filter((one) => one.look);
  return (
    <section className="wbp-scroll" tabIndex={0} aria-label="Limits">
      <Proof session={session} />
      <p className="wbp-small wbp-said-of">
        <Badge by="code" /> {`${code} held by code, against a model that disobeys too; `}
        <Badge by="prompt" /> {`${rows.length - code} asked for in prompts, and measured.`}
      </p>
      <Rows title="Met, near or measured in this run" rows={met} />
      <Rows title="Not reached" rows={rows.filter((one) => !one.look)} />
    </section>
  );
}

function Rows({ title, rows }: { title: string; rows: Row[] }): React.JSX.Element | null {
  if (!rows.length) return null;
  return (
    <>
      <h4>{title}</h4>
      <ul className="wbp-plain wbp-limits" aria-label={title}>
        {rows.map((one) => (
          <li key={one.key} className={one.look ? `wbp-l-${one.look}` : ""}>
            <div className="wbp-line">
              <Key name={one.key} />
              <span className="wbp-end">
                <Badge by={one.by} />
              </span>
            </div>
            <div className="wbp-line wbp-small">
              <span>{one.value}</span>
              <span className="wbp-end wbp-state">{one.state}</span>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

function Proof({ session }: { session: Session }): React.JSX.Element {
  const { proof, link } = session;
  const { atWork, done, total, results, error } = proof;
  const failed = results.filter((one) => !one.ok);
  const held = results.length - failed.length;
  const words = [
    results.length ? `${held} hold${atWork ? ` (${done} of ${total})` : ""}` : "",
    failed.length ? `${failed.length} do not` : "",
    !atWork && total > done ? `stopped after ${done} of ${total}` : "",
  ];
  return (
    <div className="wbp-proof">
      <div className="wbp-line">
        <button
          type="button"
          className="wbp-button"
          disabled={!link?.isOpen || proof.ending}
          onClick={() => void (atWork ? proof.stop(link) : proof.start(link))}
        >
          {atWork ? (proof.ending ? "Stopping …" : "Stop the check") : "Prove the code limits"}
        </button>
        <span className="wbp-end" role="status">
          {words.filter(Boolean).join(", ")}
        </span>
      </div>
      {atWork && <progress max={total || 1} value={done} aria-label="Limits attacked" />}
      {error && <p className="wbp-error">{error}</p>}
      {results.length > 0 && (
        <details open={failed.length > 0}>
          <summary>What was tried, and what was seen</summary>
          <ul className="wbp-plain wbp-small">
            {[...failed, ...results.filter((one) => one.ok)].map((one) => (
              <li key={one.key}>
                <span className={`wbp-sign wbp-is-${one.ok ? "success" : "error"}`}>
                  {one.ok ? "✓" : "✕"}
                </span>
                <code>{one.key}</code> {one.seen} {one.detail}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
