// The sidebar of the workbench: what filled each context window, which limits were met and by whom
// they are held, and what came of each question. It has no server part of its own.

import {
  ILayoutRestorer,
  type JupyterFrontEnd,
  type JupyterFrontEndPlugin,
} from "@jupyterlab/application";
import { ICommandPalette } from "@jupyterlab/apputils";
import { INotebookTracker, type NotebookPanel } from "@jupyterlab/notebook";
import { IRenderMimeRegistry } from "@jupyterlab/rendermime";
import { ISettingRegistry } from "@jupyterlab/settingregistry";
import { IStatusBar } from "@jupyterlab/statusbar";
import { Chip } from "./chip";
import { Controls } from "./controls";
import { figureOpener } from "./figure";
import { fullOpener } from "./full";
import { dial } from "./icon";
import { factory, RANK } from "./mime";
import { Openers } from "./openers";
import { Panel } from "./panel";
import type { Saved } from "./saved";
import { Session } from "./session";
import type { Wanted } from "./tab";
import { textOpener } from "./texts";

const ID = "workbench-panel:panel";
const CATEGORY = "Workbench";

export const COMMANDS = {
  show: "workbench:show",
  stop: "workbench:stop",
  check: "workbench:check",
  newest: "workbench:newest",
};

function activate(
  app: JupyterFrontEnd,
  notebooks: INotebookTracker,
  rendermime: IRenderMimeRegistry,
  palette: ICommandPalette | null,
  restorer: ILayoutRestorer | null,
  settings: ISettingRegistry | null,
  status: IStatusBar | null,
): void {
  const openers = new Openers(app);
  openers.add(textOpener);
  const further = (from: Wanted, id: string) =>
    void openers.open({ ...from, id, name: "", mediaType: "" });
  openers.add(fullOpener(further));
  openers.add(figureOpener(rendermime, further));
  const panel = new Panel((session, run, id) => openers.openOf(session, run, id));
  const chip = new Chip(() => void app.commands.execute(COMMANDS.show));
  const sessions = new Map<NotebookPanel, Session>();

  const sessionOf = (notebook: NotebookPanel): Session => {
    const known = sessions.get(notebook);
    if (known) return known;
    const made = new Session(notebook, app.serviceManager.contents);
    sessions.set(notebook, made);
    notebook.disposed.connect(() => sessions.delete(notebook));
    made.began.connect(() => showOnRun && app.shell.activateById(panel.id));
    made.wanted.connect((_, { run, id }) => openers.openOf(made, run, id));
    return made;
  };
  const inFront = (): Session | null =>
    notebooks.currentWidget ? sessionOf(notebooks.currentWidget) : null;
  const follow = (): void => {
    panel.follow(inFront());
    chip.follow(inFront());
    app.commands.notifyCommandChanged();
  };

  let showOnRun = false;
  notebooks.forEach(sessionOf);
  notebooks.widgetAdded.connect((_, notebook) => void sessionOf(notebook));
  notebooks.currentChanged.connect(follow);
  app.shell.add(panel, "right", { rank: 850 });
  restorer?.add(panel, panel.id);
  rendermime.addFactory(
    factory((output) => {
      const notebook = notebooks.find((one) => one.node.contains(output.node));
      if (!notebook) return null;
      const session = sessionOf(notebook);
      const show = (run: Saved) => {
        app.shell.activateById(panel.id);
        return session.show(run);
      };
      const open = async (run: Saved, id: string) => {
        if (session.run?.head.run !== run.run) await session.show(run);
        openers.openOf(session, run.run, id);
      };
      const controls = (run: string) => new Controls(session, run);
      return { notebook, mending: session.mending, controls, show, open };
    }),
    RANK,
  );

  app.commands.addCommand(COMMANDS.show, {
    label: "Show the Workbench Sidebar",
    caption: "What filled each context window, which limits were met, what was made",
    icon: dial,
    execute: () => app.shell.activateById(panel.id),
  });
  app.commands.addCommand(COMMANDS.stop, {
    label: "Stop the Question at Work",
    isEnabled: () => inFront()?.run?.atWork === true,
    execute: () => inFront()?.stop(),
  });
  app.commands.addCommand(COMMANDS.check, {
    label: "Prove the Code Limits",
    isEnabled: () => inFront()?.link?.isOpen === true,
    execute: () => inFront()?.proof.start(inFront()?.link ?? null),
  });
  app.commands.addCommand(COMMANDS.newest, {
    label: "Show the Newest Run",
    isEnabled: () => inFront() !== null,
    execute: () => inFront()?.pick(""),
  });
  for (const command of Object.values(COMMANDS)) palette?.addItem({ command, category: CATEGORY });

  const item = status?.registerStatusItem(`${ID}:chip`, { item: chip, align: "right", rank: 90 });
  const apply = (loaded: ISettingRegistry.ISettings): void => {
    showOnRun = loaded.composite.showOnRun === true;
    chip.setHidden(loaded.composite.statusBar === false);
  };
  void settings?.load(ID).then((loaded) => {
    apply(loaded);
    loaded.changed.connect(apply);
  });
  panel.disposed.connect(() => item?.dispose());
  follow();
}

const plugin: JupyterFrontEndPlugin<void> = {
  id: ID,
  description: "What filled each context window, which limits were met, and what came of it.",
  autoStart: true,
  requires: [INotebookTracker, IRenderMimeRegistry],
  optional: [ICommandPalette, ILayoutRestorer, ISettingRegistry, IStatusBar],
  activate,
};

export default [plugin];
