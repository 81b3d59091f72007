// The check of the limits that code holds: started from here, told result by result.

import type { Link, Told } from "./link";
import type { Checked } from "./types";
import { message } from "./words";

export class Proof {
  atWork = false;
  /** Asked to stop; the attack at work is ended first. */
  ending = false;
  done = 0;
  total = 0;
  error = "";
  results: Checked[] = [];

  constructor(private readonly changed: () => void) {}

  /** Attack every limit; ends when the last was attacked. */
  async start(link: Link | null): Promise<void> {
    if (!link?.isOpen || this.atWork) return;
    Object.assign(this, { atWork: true, done: 0, total: 0, error: "", results: [] });
    this.changed();
    try {
      await link.ask("check", {}, 0);
    } catch (error) {
      this.error = message(error);
    }
    this.atWork = this.ending = false;
    this.changed();
  }

  /** Stop after the attack that is at work; what was seen until then stays. */
  async stop(link: Link | null): Promise<void> {
    if (!link?.isOpen || !this.atWork) return;
    this.ending = true;
    this.changed();
    try {
      await link.ask("stop_check");
    } catch (error) {
      this.ending = false;
      this.error = message(error);
      this.changed();
    }
  }

  took(told: Told): void {
    this.done = Number(told.done);
    this.total = Number(told.total);
    this.results = [...this.results, told.result as unknown as Checked];
  }
}
