// A text read by range: a request as it was sent, a result, a log. It is text, whatever it contains.

import * as React from "react";
import { type Source, STRETCH, type Stretch } from "./types";
import { count, message } from "./words";

interface Given {
  source: Source;
  run: string;
  id: string;
}

export function Reader({ source, run, id }: Given): React.JSX.Element {
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
