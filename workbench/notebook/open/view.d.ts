/** Asks the kernel; the names and fields stand in asks.py. */
export interface Channel {
  ask(
    name: string,
    fields?: object,
    progress?: (text: string, share: number) => void,
  ): Promise<unknown>;
}

export interface Options {
  face?: "full" | "seen";
  /** Opens something else that the view names, by its id and run. */
  open?: (id: string, run: string) => void;
}

export interface View {
  /** Settled once everything is shown. */
  started: Promise<void>;
  /** Fill the room there is now. */
  fit(): void;
}

export function mount(root: HTMLElement, channel: Channel, options?: Options): View;
