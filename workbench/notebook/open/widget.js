// The view in a cell: the channel is the widget's own messages.

import { mount } from "./view.js";

let last = 0;

function channelOf(model) {
  const waiting = new Map();
  const hear = (message) => {
    const one = waiting.get(message?.id);
    if (!one) return;
    if ("progress" in message) {
      one.progress?.(String(message.progress), Number(message.share));
      return;
    }
    waiting.delete(message.id);
    if (typeof message.value?.error === "string") one.reject(new Error(message.value.error));
    else one.resolve(message.value);
  };
  model.on("msg:custom", hear);
  return {
    ask(name, fields = {}, progress = undefined) {
      last += 1;
      const id = `${Date.now()}-${last}`;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject, progress });
        model.send({ id, ask: name, ...fields });
      });
    },
    close() {
      model.off("msg:custom", hear);
    },
  };
}

function render({ model, el }) {
  const channel = channelOf(model);
  const root = document.createElement("section");
  el.append(root);
  mount(root, channel, { face: model.get("face") });
  return () => channel.close();
}

export default { render };
