// The dial: how full the windows are.

import { LabIcon } from "@jupyterlab/ui-components";

const DIAL =
  '<svg xmlns="http://www.w3.org/2000/svg" width="16" viewBox="0 0 24 24">' +
  '<g class="jp-icon3 jp-icon-selectable" fill="#616161">' +
  '<path d="M12 3a10 10 0 0 0-7.6 16.5l1.7-1.5A7.7 7.7 0 1 1 17.9 18l1.7 1.5A10 10 0 0 0 12 3z"/>' +
  '<path d="M16.9 7.9l-3.6 3.3a2.3 2.3 0 1 0 1.5 1.6l3.2-3.7z"/></g></svg>';

export const dial = new LabIcon({ name: "workbench:dial", svgstr: DIAL });
