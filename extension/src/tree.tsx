// The loops of a run as a tree: who works for whom, how full each window is, what went wrong.

import * as React from "react";
import { Bar } from "./bar";
import { List, type RowProps } from "./list";
import type { RunView } from "./run";
import type { Loop, Source } from "./types";
import { count, gauge, percent, plural, seconds, sentence, sign, state } from "./words";

const ROW = 68;

interface Given {
  run: RunView;
  source: Source;
  open(loop: string): void;
  redraw(): void;
}

/** How deep a loop stands: dispatches stand below those that plan. */
function depth(run: RunView, place: number, loop: Loop): number {
  if (!/^d\d+$/.test(loop.id)) return Math.min(place, 1);
  const first = run.loops.items.get(1);
  return first && !/^d\d+$/.test(first.id) ? 2 : 1;
}

export function Tree({ run, source, open, redraw }: Given): React.JSX.Element {
  const { total, items } = run.loops;
  if (!total) return <p className="wbp-quiet">Starting …</p>;
  return (
    <List
      role="tree"
      label="Agents of this run"
      total={total}
      height={ROW}
      seen={(place) => void run.fetch("loops", place, source).then((came) => came && redraw())}
      open={(place) => {
        const loop = items.get(place);
        if (loop) open(loop.id);
      }}
      draw={(place, row) => (
        <Row key={place} run={run} place={place} loop={items.get(place)} row={row} />
      )}
    />
  );
}

interface RowGiven {
  run: RunView;
  place: number;
  loop: Loop | undefined;
  row: RowProps;
}

function Row({ run, place, loop, row }: RowGiven): React.JSX.Element {
  if (!loop) {
    return (
      <div {...row} role="treeitem" aria-level={1} aria-label="not read yet" tabIndex={-1}>
        <span className="wbp-quiet">…</span>
      </div>
    );
  }
  const level = depth(run, place, loop);
  const used = gauge(loop.context);
  return (
    <div
      {...row}
      role="treeitem"
      tabIndex={-1}
      aria-level={level + 1}
      aria-label={sentence(loop)}
      data-loop={loop.id}
      style={{ ...row.style, paddingLeft: 12 + 14 * level }}
    >
      <div className="wbp-line">
        <span className={`wbp-sign wbp-is-${loop.status}`} aria-hidden="true">
          {sign(loop.status)}
        </span>
        <strong>{loop.agent || loop.id}</strong>
        {loop.id !== loop.agent && <code>{loop.id}</code>}
        <span className="wbp-end">
          {used ? `${count(used)} · ${percent(used, loop.context.usable)}` : ""}
        </span>
      </div>
      <Bar context={loop.context} marks={run.marks} />
      <div className="wbp-line wbp-small">
        <span className={failed(loop) ? "wbp-error wbp-cut" : "wbp-cut"}>{doing(loop)}</span>
        <span className="wbp-end">{hits(loop)}</span>
      </div>
    </div>
  );
}

function doing(loop: Loop): string {
  const what = loop.status === "running" ? loop.doing : loop.error || aim(loop);
  const took = loop.seconds ? seconds(loop.seconds) : "";
  return [state(loop.status), took, what].filter(Boolean).join(" · ");
}

function failed(loop: Loop): boolean {
  return loop.status === "error" || loop.status === "timeout";
}

function aim(loop: Loop): string {
  return loop.objective.split("\n", 1)[0] ?? "";
}

function hits(loop: Loop): string {
  const met = loop.limits.filter((row) => row.enforced === "code" && row.hits > 0).length;
  const broken = loop.limits.filter((row) => row.enforced === "prompt" && row.kept < row.of).length;
  const words = met ? [`${plural(met, "limit")} met`] : [];
  if (broken) words.push(`${plural(broken, "rule")} broken`);
  return words.join(", ");
}
