// Opens in a tab whatever no other opener takes: as text, by range.

import { ReactWidget } from "@jupyterlab/ui-components";
import * as React from "react";
import { Reader } from "./reader";
import type { Opener, Ready } from "./tab";

class TextTab extends ReactWidget {
  constructor(private readonly wanted: Ready) {
    super();
    this.addClass("wbp");
    this.addClass("wbp-tab");
  }

  override render(): React.JSX.Element {
    const { source, run, id } = this.wanted;
    return <Reader source={source} run={run} id={id} />;
  }
}

export const textOpener: Opener = {
  opens: () => true,
  make: (wanted) => new TextTab(wanted),
};
