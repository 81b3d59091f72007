// The sidebar of the workbench: what filled each context window, which limits were met and by whom
// they are held, and what came of each question.

import type { JupyterFrontEnd, JupyterFrontEndPlugin } from "@jupyterlab/application";
import { IRenderMimeRegistry } from "@jupyterlab/rendermime";
import { factory } from "./mime";
import { Openers } from "./openers";

const plugin: JupyterFrontEndPlugin<void> = {
  id: "workbench-panel:panel",
  description: "What filled each context window, which limits were met, and what came of it.",
  autoStart: true,
  requires: [IRenderMimeRegistry],
  activate: (app: JupyterFrontEnd, rendermime: IRenderMimeRegistry) => {
    const openers = new Openers(app);
    rendermime.addFactory(factory(() => openers));
  },
};

export default [plugin];
