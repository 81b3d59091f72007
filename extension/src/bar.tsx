// One context window drawn: what fills it, its two marks, what pasting the raw data would have taken.

import * as React from "react";
import type { Context } from "./types";
import { count, gauge, label, level, parts, percent } from "./words";

interface Given {
  context: Context;
  marks: [number, number];
}

function share(tokens: number, context: Context): string {
  return `${context.window ? Math.min(100, (100 * tokens) / context.window).toFixed(3) : 0}%`;
}

/** The window at true scale. */
export function Bar({ context, marks }: Given): React.JSX.Element {
  const filled = (100 * gauge(context)) / (context.usable || 1);
  const raw = context.raw_data_tokens;
  const usable = context.window ? (100 * context.usable) / context.window : 100;
  return (
    <span className={`wbp-bar wbp-${level(filled, marks)}`} aria-hidden="true">
      <span className="wbp-reserve" style={{ left: `${usable}%` }} />
      <span className="wbp-filled">
        {parts(context).map(([key, tokens]) => (
          <span key={key} className={`wb-c-${key}`} style={{ width: share(tokens, context) }} />
        ))}
      </span>
      {raw > 0 && (
        <span
          className={raw > context.window ? "wbp-raw wbp-raw-over" : "wbp-raw"}
          style={{ width: share(raw, context) }}
        />
      )}
      {marks.map((mark, place) => (
        <span
          key={place === 0 ? "warn" : "full"}
          className={place === 0 ? "wbp-mark wbp-mark-warn" : "wbp-mark wbp-mark-full"}
          style={{ left: `${(usable * mark) / 100}%` }}
        />
      ))}
    </span>
  );
}

/** What fills the window, line by line, and how the estimate compares. */
export function Legend({ context, marks }: Given): React.JSX.Element {
  const used = gauge(context);
  const { estimate, provider, window: whole, usable } = context;
  const rows: [string, string, string][] = parts(context).map(([key, tokens]) => [
    `wb-c-${key}`,
    label(key),
    count(tokens),
  ]);
  rows.push(["wbp-free", "free", count(Math.max(usable - used, 0))]);
  rows.push(["wbp-kept", "reserve", count(whole - usable)]);
  const said = provider && !provider.estimated ? provider : null;
  return (
    <div className="wbp-legend">
      <table aria-label="What fills the window, in tokens">
        <tbody>
          {rows.map(([look, name, tokens]) => (
            <tr key={name}>
              <th scope="row">
                <span className={`wbp-swatch ${look}`} />
                {name}
              </th>
              <td>{tokens}</td>
              <td>{percent(Number(tokens.replaceAll(",", "")), whole)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl className="wbp-facts">
        <dt>Estimate</dt>
        <dd>
          {estimate
            ? `${count(estimate.tokens)} (${count(estimate.low)} to ${count(estimate.high)})`
            : "none yet"}
        </dd>
        <dt>Provider</dt>
        <dd>
          {said
            ? `${count(said.tokens)}${said.cached ? `, ${count(said.cached)} of them cached` : ""}`
            : "gives no count of its own"}
        </dd>
        {context.raw_data_tokens > 0 && (
          <>
            <dt>
              <span className="wbp-swatch wbp-raw-key" />
              Raw data
            </dt>
            <dd>{`${count(context.raw_data_tokens)}, had the tables been pasted; they stayed on disk`}</dd>
          </>
        )}
        <dt>Marks</dt>
        <dd>{`amber at ${marks[0]} %, red at ${marks[1]} % of the ${count(usable)} usable`}</dd>
      </dl>
    </div>
  );
}

/** A ring that is as full as the fullest window. */
export function Dial({ share: full, marks }: { share: number; marks: [number, number] }) {
  const length = 2 * Math.PI * 16;
  const drawn = (Math.min(full, 100) / 100) * length;
  return (
    <svg className={`wbp-dial wbp-${level(full, marks)}`} viewBox="0 0 40 40" aria-hidden="true">
      <circle className="wbp-dial-back" cx="20" cy="20" r="16" />
      <circle
        className="wbp-dial-front"
        cx="20"
        cy="20"
        r="16"
        strokeDasharray={`${drawn} ${length}`}
        transform="rotate(-90 20 20)"
      />
      <text x="20" y="20" dominantBaseline="central" textAnchor="middle">
        {full > 0 && full < 1 ? "<1" : Math.round(full)}
      </text>
    </svg>
  );
}
