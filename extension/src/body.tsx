// What the sidebar holds for one notebook: head, notes, tabs, and one loop or text opened over them.

import * as React from "react";
import { Detail } from "./detail";
import { Head } from "./head";
import { Limits } from "./limits";
import { Made, Runs } from "./lists";
import { Reader } from "./reader";
import type { Session } from "./session";
import { Tree } from "./tree";

const TABS = ["Agents", "Limits", "Results", "Runs"] as const;
type Tab = (typeof TABS)[number];

interface Opened {
  run: string;
  loop: string | null;
  key: string | null;
}

const NOTHING: Opened = { run: "", loop: null, key: null };

export type OpenArtefact = (session: Session, run: string, id: string) => void;

interface BodyGiven {
  session: Session;
  openArtefact: OpenArtefact;
  redraw(): void;
}

export function Body({ session, openArtefact, redraw }: BodyGiven): React.JSX.Element {
  const [tab, setTab] = React.useState<Tab>("Agents");
  // What is opened over the tabs belongs to one run, and is gone with it.
  const [opened, setOpened] = React.useState<Opened>(NOTHING);
  const { run, source, note } = session;
  const name = run?.head.run ?? "";
  const { loop, key } = opened.run === name ? opened : NOTHING;
  const setLoop = (next: string) => setOpened({ run: name, loop: next, key: null });
  const setKey = (next: string) => setOpened({ run: name, loop, key: next });
  const kernel = session.panel.sessionContext;
  const notes = [note, session.isCold ? "Read from the files of the run; no kernel is asked." : ""];
  const back = () => setOpened(key && loop ? { run: name, loop, key: null } : NOTHING);
  return (
    <>
      {run && <Head key={name} run={run} session={session} />}
      {notes.filter(Boolean).map((words) => (
        <p key={words} className="wbp-note" role="status">
          {words}
        </p>
      ))}
      {!kernel.session?.kernel && (
        <p className="wbp-note">
          <button type="button" className="wbp-button" onClick={() => void kernel.startKernel()}>
            Start a kernel
          </button>
          {" then run %load_ext workbench and %agent use DIR."}
        </p>
      )}
      {!run && !note && (
        <p className="wbp-quiet">
          No question yet. Load %load_ext workbench, then ask with %%agent.
        </p>
      )}
      <div className="wbp-tabs" role="tablist" aria-label="Workbench" onKeyDown={turned}>
        {TABS.map((one) => (
          <button
            type="button"
            key={one}
            role="tab"
            id={`wbp-tab-${one}`}
            aria-selected={one === tab}
            aria-controls="wbp-page"
            tabIndex={one === tab ? 0 : -1}
            onClick={() => {
              setTab(one);
              setOpened(NOTHING);
            }}
          >
            {one}
          </button>
        ))}
      </div>
      <div className="wbp-page" id="wbp-page" role="tabpanel" aria-labelledby={`wbp-tab-${tab}`}>
        {(loop || key) && (
          <button type="button" className="wbp-button wbp-back" onClick={back}>
            ‹ Back
          </button>
        )}
        {tab === "Runs" && source && <Runs session={session} done={() => setTab("Agents")} />}
        {run && source && key && <Reader source={source} run={name} id={key} />}
        {run && source && !key && loop && (
          <Detail
            run={run}
            source={source}
            loop={loop}
            read={setKey}
            openArtefact={(id) => openArtefact(session, name, id)}
          />
        )}
        {run && source && !key && !loop && tab === "Agents" && (
          <Tree run={run} source={source} open={setLoop} redraw={redraw} />
        )}
        {run && tab === "Limits" && <Limits run={run} session={session} />}
        {run && source && tab === "Results" && (
          <Made
            run={run}
            source={source}
            open={(id) => openArtefact(session, name, id)}
            redraw={redraw}
          />
        )}
      </div>
    </>
  );
}

/** Arrow keys move between tabs. */
function turned(event: React.KeyboardEvent<HTMLElement>): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const tabs = Array.from(event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]"));
  const at = tabs.indexOf(document.activeElement as HTMLElement);
  const next = tabs[(at + step + tabs.length) % tabs.length];
  next?.focus();
  next?.click();
  event.preventDefault();
}
