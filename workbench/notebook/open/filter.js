// The small form that filters a column: one or two bounds, a word, or what kind of cell is wanted.

import { button, made } from "./draw.js";

const KINDS = [
  ["", "any cell"],
  ["present", "not missing"],
  ["missing", "missing"],
  ["censored", "below or above a limit"],
];

function field(label, type, value) {
  const input = made("input", "wbo-input");
  input.type = type;
  if (type === "number") input.step = "any";
  input.value = value ?? "";
  return [made("label", "wbo-label", label, input), input];
}

/** Show the form beside a button; `done` gets the column's filters. */
export function filterForm(root, anchor, column, place, filters, done) {
  root.querySelector(".wbo-form")?.remove();
  const own = filters.filter((one) => one.column === place);
  const value = (condition) => own.find((one) => one.condition === condition)?.value;
  const form = made("form", "wbo-form");
  form.setAttribute("role", "dialog");
  form.setAttribute("aria-label", `Filter ${column.name}`);
  const inputs = [];
  const add = (label, condition, type) => {
    const [line, input] = field(label, type, value(condition));
    inputs.push([condition, input]);
    form.append(line);
  };
  form.append(made("strong", "", column.name));
  if (column.kind === "number") {
    add("at least", "min", "number");
    add("at most", "max", "number");
  } else if (column.kind === "date") {
    add("from", "min", "text");
    add("to", "max", "text");
  } else add("contains", "contains", "text");
  const kinds = made("select", "wbo-input");
  for (const [key, words] of KINDS) {
    if (key === "censored" && !(column.below || column.above)) continue;
    const option = made("option", "", words);
    option.value = key;
    option.selected = own.some((one) => one.condition === key);
    kinds.append(option);
  }
  form.append(made("label", "wbo-label", "cells", kinds));
  const close = () => {
    form.remove();
    anchor.focus();
  };
  const apply = made("button", "wbo-button wbo-main", "Apply");
  apply.type = "submit";
  const clear = button("Clear", () => {
    close();
    done([]);
  });
  form.append(made("div", "wbo-actions", apply, clear, button("Cancel", close)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const set = inputs
      .filter(([, input]) => input.value.trim() !== "")
      .map(([condition, input]) => ({
        column: place,
        condition,
        value: input.type === "number" ? Number(input.value) : input.value,
      }));
    if (kinds.value) set.push({ column: place, condition: kinds.value, value: null });
    close();
    done(set);
  });
  form.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape") close();
  });
  root.append(form);
  const box = root.getBoundingClientRect();
  const at = anchor.getBoundingClientRect();
  form.style.left = `${Math.max(Math.min(at.left - box.left, box.width - 250), 4)}px`;
  form.style.top = `${at.bottom - box.top + 4}px`;
  form.querySelector("input, select")?.focus();
}
