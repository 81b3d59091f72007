// What a run came to: the words of its answer, each number with what stands behind it, and its
// figures. All of it is text, whatever it contains.

import * as React from "react";
import type { RunView } from "./run";
import type { Artefact, Claim, Head } from "./types";
import { kind, plural } from "./words";

export const FIGURE = "application/vnd.plotly.v1+json";

type Look = "held" | "failed" | "unchecked" | "nosource";

const SAID: Record<Look, string> = {
  held: "computed again and equal",
  failed: "check failed",
  unchecked: "not checked",
  nosource: "without a source: nothing that was computed stands behind it",
};
const LOOKS: Record<string, Look> = { verified: "held", failed: "failed" };

interface Piece {
  text: string;
  look: Look | null;
  said: string;
  claim: string;
}

function piece(text: string, claim: Claim | undefined): Piece {
  if (!claim) return { text, look: "nosource", said: SAID.nosource, claim: "" };
  const look = LOOKS[claim.status] ?? "unchecked";
  const from = claim.artefact ? `; from ${claim.artefact}` : "";
  const said = `${claim.what ?? claim.id}${from}; ${SAID[look]}`;
  return { text, look, said, claim: claim.id };
}

/** The words of an answer with its numbers told apart; their places count characters. */
function pieces({ answer, numbers, claims }: Head): Piece[] {
  const letters = Array.from(answer);
  const known = new Map((claims ?? []).map((one) => [one.id, one]));
  const found: Piece[] = [];
  const plain = (from: number, to: number) =>
    to > from &&
    found.push({ text: letters.slice(from, to).join(""), look: null, said: "", claim: "" });
  let at = 0;
  for (const [start, end, id] of numbers ?? []) {
    if (start < at || end <= start || end > letters.length) continue;
    plain(at, start);
    found.push(piece(letters.slice(start, end).join(""), id ? known.get(id) : undefined));
    at = end;
  }
  plain(at, letters.length);
  return found;
}

interface Given {
  run: RunView;
  open(id: string): void;
  results(): void;
}

export function Answer({ run, open, results }: Given): React.JSX.Element {
  const { head } = run;
  const shown = pieces(head);
  const made = Array.from(run.artefacts.items.values());
  const figures = made.filter((one) => one.media_type === FIGURE);
  const others = run.artefacts.total - figures.length;
  return (
    <section className="wbp-scroll wbp-detail" tabIndex={0} aria-label="Answer">
      {head.answer ? (
        <pre className="wbp-answer">
          {shown.map((one, place) => {
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text never move
            if (!one.look) return <React.Fragment key={place}>{one.text}</React.Fragment>;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text never move
              <span key={place} className={`wbp-n-${one.look}`} title={one.said}>
                {one.text}
              </span>
            );
          })}
        </pre>
      ) : (
        <p className="wbp-small">
          {run.atWork ? "The agents are at work; the answer will stand here." : "No answer."}
        </p>
      )}
      <Backing shown={shown} />
      {(figures.length > 0 || others > 0) && (
        <div className="wbp-buttons">
          {figures.map((one) => (
            <Result key={one.id} made={one} open={open} />
          ))}
          {others > 0 && (
            <button type="button" className="wbp-button" onClick={results}>
              {plural(others, figures.length ? "other result" : "result")}
            </button>
          )}
        </div>
      )}
    </section>
  );
}

/** One line on all numbers, which is the legend of their marks. */
function Backing({ shown }: { shown: Piece[] }): React.JSX.Element | null {
  const numbers = shown.filter((one) => one.look);
  if (!numbers.length) return null;
  const looks = (Object.keys(SAID) as Look[]).filter((look) =>
    numbers.some((one) => one.look === look),
  );
  return (
    <ul className="wbp-plain wbp-small" aria-label="What stands behind the numbers">
      {looks.map((look) => {
        const alike = numbers.filter((one) => one.look === look);
        // A claim may stand in several places, as a group's size does.
        const claims = new Set(alike.map((one) => one.claim)).size;
        const by =
          look === "held" && claims !== alike.length ? ` by ${plural(claims, "claim")}` : "";
        return (
          <li key={look}>
            <span className={`wbp-n-${look}`}>{plural(alike.length, "number")}</span>{" "}
            {`${SAID[look]}${by}`}
          </li>
        );
      })}
    </ul>
  );
}

function Result({ made, open }: { made: Artefact; open(id: string): void }): React.JSX.Element {
  return (
    <button
      type="button"
      className="wbp-button wbp-result"
      title={`Open ${made.id} ${made.path} in a tab`}
      onClick={() => open(made.id)}
    >
      <code>{made.id}</code> {`${kind(made.media_type)} ${made.path}`}
    </button>
  );
}
