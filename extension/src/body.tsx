// What the sidebar holds for one notebook: head, notes, tabs, and one loop or text opened over them.

import * as React from "react";
import { Answer } from "./answer";
import { Detail } from "./detail";
import { Head } from "./head";
import { Limits } from "./limits";
import { Made, Runs } from "./lists";
import { Reader } from "./reader";
import type { Session } from "./session";
import { Tree } from "./tree";
import type { Claim } from "./types";

const TABS = ["Answer", "Agents", "Limits", "Results", "Runs"] as const;
export type Tab = (typeof TABS)[number];

interface Opened {
  run: string;
  loop: string | null;
  key: string | null;
}

const NONE: Claim[] = [];
const NOTHING: Opened = { run: "", loop: null, key: null };

export type OpenArtefact = (session: Session, run: string, id: string) => void;

interface BodyGiven {
  session: Session;
  openArtefact: OpenArtefact;
  redraw(): void;
}

export function Body({ session, openArtefact, redraw }: BodyGiven): React.JSX.Element {
  const [chosen, setTab] = React.useState<Tab | null>(null);
  // What is opened over the tabs belongs to one run, and is gone with it.
  const [opened, setOpened] = React.useState<Opened>(NOTHING);
  const { run, source, note } = session;
  // Until one was chosen: who is at work, then what came of it.
  const tab = chosen ?? (run && !run.atWork ? "Answer" : "Agents");
  const name = run?.head.run ?? "";
  const { loop, key } = opened.run === name ? opened : NOTHING;
  const setLoop = (next: string) => setOpened({ run: name, loop: next, key: null });
  const setKey = (next: string) => setOpened({ run: name, loop, key: next });
  const turn = (next: Tab) => {
    setTab(next);
    setOpened(NOTHING);
  };
  const kernel = session.panel.sessionContext;
  const notes = [note, session.isCold ? "Read from the files of the run; no kernel is asked." : ""];
  const back = () => setOpened(key && loop ? { run: name, loop, key: null } : NOTHING);
  return (
    <>
      {run && <Head key={name} run={run} session={session} turn={turn} />}
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
      {!run && !note && <Begin loaded={session.link?.isOpen === true} />}
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
            onClick={() => turn(one)}
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
        {tab === "Runs" && source && <Runs session={session} done={() => setTab("Answer")} />}
        {run && source && key && (
          <Reader key={key} source={source} run={name} id={key} claims={run.head.claims ?? NONE} />
        )}
        {run && source && !key && loop && (
          <Detail
            run={run}
            source={source}
            loop={loop}
            read={setKey}
            openArtefact={(id) => openArtefact(session, name, id)}
          />
        )}
        {run && source && !key && !loop && tab === "Answer" && (
          <Answer
            run={run}
            open={(id) => openArtefact(session, name, id)}
            results={() => turn("Results")}
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

/** What to do where nothing was asked yet. */
function Begin({ loaded }: { loaded: boolean }): React.JSX.Element {
  return (
    <div className="wbp-quiet">
      <p>No question yet. To ask one, run in cells of this notebook:</p>
      <ol>
        {!loaded && (
          <li>
            <code>%load_ext workbench</code> – loads it, once a kernel
          </li>
        )}
        <li>
          <code>%agent use FOLDER</code> – names the folder your files are in
        </li>
        <li>
          <code>%%agent</code>, and your question on the lines below it
        </li>
      </ol>
      <p>Here you then see what fills each agent’s window, and the answer.</p>
    </div>
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
