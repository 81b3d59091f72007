// The sidebar: it draws what is known of the notebook in front, and is still while it is hidden.

import { ReactWidget } from "@jupyterlab/ui-components";
import { type Message, MessageLoop } from "@lumino/messaging";
import { Widget } from "@lumino/widgets";
import * as React from "react";
import { Body, type OpenArtefact } from "./body";
import { dial } from "./icon";
import type { Session } from "./session";

// Messages come up to four times a second; a page draws at most ten times, and the first at once.
const DRAW_MS = 100;
// Files that may change are read anew this often, then less and less.
const AGAIN_MS = 5_000;
const SELDOM_MS = 60_000;

export class Panel extends ReactWidget {
  private session: Session | null = null;
  private timer = 0;
  private drawnAt = Number.NEGATIVE_INFINITY;
  private again = 0;
  private wait = AGAIN_MS;

  constructor(private readonly openArtefact: OpenArtefact) {
    super();
    this.id = "workbench-panel";
    this.addClass("wbp");
    this.title.icon = dial;
    this.title.caption = "Workbench: context windows, limits, results";
    this.node.setAttribute("role", "region");
    this.node.setAttribute("aria-label", "Workbench");
  }

  /** Show what is known of a notebook; null where none is in front. */
  follow(session: Session | null): void {
    this.session?.changed.disconnect(this.soon, this);
    this.session = session;
    session?.changed.connect(this.soon, this);
    this.soon();
  }

  override render(): React.JSX.Element {
    const { session } = this;
    return (
      <Fence key={session?.panel.id ?? ""}>
        {session ? (
          <Body session={session} openArtefact={this.openArtefact} redraw={() => this.soon()} />
        ) : (
          <p className="wbp-quiet">Open a notebook to see what its questions fill windows with.</p>
        )}
      </Fence>
    );
  }

  protected override onAfterShow(message: Message): void {
    super.onAfterShow(message);
    this.wait = AGAIN_MS;
    void this.session?.refresh();
    this.soon();
    this.watch();
  }

  /** Keys go to the tabs once they are drawn. */
  protected override onActivateRequest(message: Message): void {
    super.onActivateRequest(message);
    MessageLoop.sendMessage(this, Widget.Msg.UpdateRequest);
    void this.renderPromise?.then(() =>
      this.node.querySelector<HTMLElement>("[role=tab][aria-selected=true]")?.focus(),
    );
  }

  protected override onBeforeHide(message: Message): void {
    super.onBeforeHide(message);
    window.clearTimeout(this.again);
  }

  /** Draw soon, however many messages come until then; not at all while hidden. */
  private soon(): void {
    if (this.timer || !this.isVisible) return;
    const wait = Math.max(this.drawnAt + DRAW_MS - performance.now(), 0);
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      this.drawnAt = performance.now();
      this.update();
    }, wait);
  }

  /** Read the files of a run at work anew where there is no kernel to tell of it. */
  private watch(): void {
    window.clearTimeout(this.again);
    this.again = window.setTimeout(async () => {
      const { session } = this;
      if (session?.isCold && session.run?.atWork) await session.refresh();
      this.wait = Math.min(this.wait * 2, SELDOM_MS);
      if (this.isVisible) this.watch();
    }, this.wait);
  }
}

/** Keeps an output that is not what it should be from taking the panel down. */
class Fence extends React.Component<React.PropsWithChildren, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override render(): React.ReactNode {
    if (!this.state.broken) return this.props.children;
    return <p className="wbp-quiet">What this notebook says of its run cannot be drawn.</p>;
  }
}
