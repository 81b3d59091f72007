// A text read by range: a request as it was sent, a result, a log. It is text, whatever it contains.
// Requests and results are shown part by part first, their exact text on demand.

import * as React from "react";
import { type Part, requestParts, resultParts } from "./readable";
import { type Claim, type Source, STRETCH, type Stretch } from "./types";
import { count, message } from "./words";

// A longer text is only shown by range.
const MOST = 50;
const REQUEST = /-r\d+$/;
const RESULT = /_result$/;

interface Given {
  source: Source;
  run: string;
  id: string;
  /** Numbers of the run: they stand in results by the ids of their claims. */
  claims?: Claim[];
}

const NONE: Claim[] = [];

export function Reader(given: Given): React.JSX.Element {
  const { source, run, id, claims = NONE } = given;
  const [exact, setExact] = React.useState(!REQUEST.test(id) && !RESULT.test(id));
  const [text, setText] = React.useState<string | null>(null);
  React.useEffect(() => {
    let wanted = !exact;
    if (wanted) {
      whole(source, run, id).then(
        (found) => wanted && setText(found),
        () => wanted && setExact(true),
      );
    }
    return () => {
      wanted = false;
    };
  }, [source, run, id, exact]);
  const parts = React.useMemo(
    () => (text === null ? [] : taken(id, text, claims)),
    [id, text, claims],
  );
  if (parts === null) return <Exact {...given} />;
  if (exact) return <Exact {...given} />;
  return (
    <div className="wbp-reader">
      <div className="wbp-line wbp-small">
        <span role="status">{text === null ? "Reading …" : `${id}: part by part`}</span>
        <button type="button" className="wbp-button wbp-end" onClick={() => setExact(true)}>
          Exact text
        </button>
      </div>
      <section className="wbp-scroll" tabIndex={0} aria-label={`Parts of ${id}`}>
        {parts.map((part, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no names and never move
          <details key={place} className="wbp-part" open={part.open}>
            <summary>
              <strong>{part.title}</strong> <small>{part.about}</small>
            </summary>
            <pre className="wbp-text">{part.text}</pre>
          </details>
        ))}
      </section>
    </div>
  );
}

/** The parts of a text; null where it is neither a request nor a result. */
function taken(id: string, text: string, claims: Claim[]): Part[] | null {
  const values = new Map(claims.map((one) => [one.id, one.value]));
  return RESULT.test(id) ? resultParts(text, values) : requestParts(text);
}

/** The whole of a text that is read by range. */
async function whole(source: Source, run: string, id: string): Promise<string> {
  let text = "";
  for (let page = 0; page < MOST; page += 1) {
    const found = await source.text(run, id, page * STRETCH);
    text += found.text;
    if (found.total !== null && (page + 1) * STRETCH >= found.total) return text;
    if (!found.text) return text;
  }
  throw new Error("too long to be taken apart");
}

function Exact({ source, run, id }: Given): React.JSX.Element {
  const [from, setFrom] = React.useState(0);
  const [found, setFound] = React.useState<Stretch | null>(null);
  const [error, setError] = React.useState("");
  React.useEffect(() => {
    let wanted = true;
    setError("");
    source.text(run, id, from).then(
      (stretch) => wanted && setFound(stretch),
      (problem) => wanted && setError(message(problem)),
    );
    return () => {
      wanted = false;
    };
  }, [source, run, id, from]);
  const end = Math.min(from + STRETCH, found?.total ?? from + STRETCH);
  const more = found !== null && (found.total === null ? true : end < found.total);
  const total = found?.total ?? null;
  const words = `characters ${count(from + 1)}–${count(end)}${total === null ? "" : ` of ${count(total)}`}`;
  return (
    <div className="wbp-reader">
      <div className="wbp-line wbp-small">
        <span role="status">
          {found ? `${found.name}: ${total === 0 ? "empty" : words}` : "Reading …"}
        </span>
        <span className="wbp-end">
          <button
            type="button"
            className="wbp-button"
            disabled={from === 0}
            onClick={() => setFrom(Math.max(from - STRETCH, 0))}
          >
            Earlier
          </button>
          <button
            type="button"
            className="wbp-button"
            disabled={!more}
            onClick={() => setFrom(from + STRETCH)}
          >
            Later
          </button>
        </span>
      </div>
      {error && <p className="wbp-error">{error}</p>}
      <pre className="wbp-text wbp-scroll" tabIndex={0} aria-label={`Text of ${id}`}>
        {found?.text ?? ""}
      </pre>
    </div>
  );
}
