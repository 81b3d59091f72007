// A long list of which only what is in view is drawn: rows of one height, moved through by keys.

import * as React from "react";

const BEYOND = 6;

interface Given {
  total: number;
  height: number;
  label: string;
  role: "tree" | "listbox";
  /** Draw the row at a place; what it needs of the list comes in `row`. */
  draw(place: number, row: RowProps): React.ReactNode;
  /** Called with each place in view. */
  seen(place: number): void;
  open(place: number): void;
}

export interface RowProps {
  id: string;
  className: string;
  style: React.CSSProperties;
  "aria-posinset": number;
  "aria-setsize": number;
  "aria-selected": boolean;
  onClick(): void;
}

const STEPS: Record<string, (at: number, last: number, page: number) => number> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  PageDown: (at, _, page) => at + page,
  PageUp: (at, _, page) => at - page,
  Home: () => 0,
  End: (_, last) => last,
};

export function List(given: Given): React.JSX.Element {
  const { total, height, draw, seen, open } = given;
  const frame = React.useRef<HTMLDivElement>(null);
  const name = React.useId();
  const [top, setTop] = React.useState(0);
  const [tall, setTall] = React.useState(480);
  const [at, setAt] = React.useState(0);

  React.useEffect(() => {
    const node = frame.current;
    if (!node) return undefined;
    const watch = new ResizeObserver(() => setTall(node.clientHeight));
    watch.observe(node);
    return () => watch.disconnect();
  }, []);

  const first = Math.max(Math.floor(top / height) - BEYOND, 0);
  const last = Math.min(Math.ceil((top + tall) / height) + BEYOND, total) - 1;
  React.useEffect(() => {
    for (let place = first; place <= last; place += 1) seen(place);
  });

  function go(place: number): void {
    const node = frame.current;
    if (!node || total === 0) return;
    const next = Math.min(Math.max(place, 0), total - 1);
    setAt(next);
    if (next * height < node.scrollTop) node.scrollTop = next * height;
    const under = (next + 1) * height - node.clientHeight;
    if (under > node.scrollTop) node.scrollTop = under;
  }

  function pressed(event: React.KeyboardEvent): void {
    const step = STEPS[event.key];
    if (step) go(step(at, total - 1, Math.max(Math.floor(tall / height) - 1, 1)));
    else if (event.key === "Enter" || event.key === " ") open(Math.min(at, total - 1));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const rows: React.ReactNode[] = [];
  for (let place = first; place <= last; place += 1) {
    rows.push(
      draw(place, {
        id: `${name}-${place}`,
        className: place === at ? "wbp-row wbp-at" : "wbp-row",
        style: { top: place * height, height },
        "aria-posinset": place + 1,
        "aria-setsize": total,
        "aria-selected": place === at,
        onClick: () => {
          setAt(place);
          open(place);
        },
      }),
    );
  }
  const current = at >= first && at <= last ? { "aria-activedescendant": `${name}-${at}` } : {};
  return (
    <div
      ref={frame}
      className="wbp-list"
      role={given.role}
      aria-label={given.label}
      tabIndex={0}
      onKeyDown={pressed}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      {...current}
    >
      <div className="wbp-list-all" role="presentation" style={{ height: total * height }}>
        {rows}
      </div>
    </div>
  );
}
