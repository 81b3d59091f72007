// Requests and results as a person reads them: what they say part by part, numbers in their places.
// The parts are taken out of the kept text here, so that they read without a kernel too.

import { count, plural } from "./words";

/** One part of a request or result. */
export interface Part {
  title: string;
  about: string;
  text: string;
  /** False for what is long and the same in every request. */
  open: boolean;
}

type Json = Record<string, unknown>;

const LISTS: [string, string][] = [
  ["results", "Results"],
  ["evidence_for", "For"],
  ["evidence_against", "Against"],
  ["recommendations", "Next"],
  ["errors", "Errors"],
];
// As in placing.py: {{claim:d01.3=49}}, or {{claim:d01.3}}.
const CLAIM = /\{\{\s*claim\s*:\s*([A-Za-z]*\d*\.?\d{1,5})\s*(?:=([^{}\n]{0,80}))?\}\}/g;

/** A text between agents as a person reads it: numbers in the places of their claims. */
export function placed(text: string, values: Map<string, string>): string {
  return text.replace(CLAIM, (whole, id: string, said?: string) => said ?? values.get(id) ?? whole);
}

/** The parts of a specialist's result; null where the text is none. */
export function resultParts(text: string, values: Map<string, string>): Part[] | null {
  const found = read(text);
  if (!found || typeof found.status !== "string") return null;
  return LISTS.flatMap(([key, title]) => {
    const entries = found[key];
    if (!Array.isArray(entries) || !entries.length) return [];
    const words = entries.map((one) => placed(String(one), values)).join("\n\n");
    return [{ title, about: "", text: words, open: true }];
  });
}

/** The parts of a request to a model; null where the text is none. */
export function requestParts(text: string): Part[] | null {
  const found = read(text);
  if (!found || !Array.isArray(found.messages)) return null;
  const system = blocks("system", found.system).map((one) => ({ ...one, open: false }));
  const tools = Array.isArray(found.tools) ? found.tools : [];
  const messages = (found.messages as Json[]).flatMap(messageParts);
  return [...system, ...toolList(tools as Json[]), ...messages];
}

function read(text: string): Json | null {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === "object" && found !== null ? (found as Json) : null;
  } catch {
    return null;
  }
}

function toolList(tools: Json[]): Part[] {
  if (!tools.length) return [];
  const words = tools.map((one) => {
    const about = (one.function ?? one) as Json;
    return `${about.name}: ${about.description ?? ""}`;
  });
  const about = `${plural(tools.length, "tool")} it may call`;
  return [{ title: "tools", about, text: words.join("\n\n"), open: false }];
}

function messageParts(message: Json): Part[] {
  const role = String(message.role ?? "");
  const calls = Array.isArray(message.tool_calls) ? (message.tool_calls as Json[]) : [];
  const said = blocks(role, message.content);
  return [...said, ...calls.map((one) => call(role, (one.function ?? one) as Json))];
}

function blocks(role: string, content: unknown): Part[] {
  if (typeof content === "string") return content ? [part(role, "text", content)] : [];
  return Array.isArray(content) ? content.map((one) => block(role, one as Json)) : [];
}

function block(role: string, one: Json): Part {
  if (one.type === "tool_use") return call(role, one);
  if (one.type === "tool_result") return part(role, "answer of a tool", words(one.content));
  if (typeof one.text === "string") return part(role, "text", one.text);
  if (typeof one.thinking === "string") return part(role, "thinking", one.thinking);
  return part(role, String(one.type ?? "block"), JSON.stringify(one, null, 1));
}

function call(role: string, one: Json): Part {
  const given = one.input ?? one.arguments ?? {};
  const text = typeof given === "string" ? given : JSON.stringify(given, null, 1);
  return part(role, `calls ${one.name}`, text);
}

function words(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return JSON.stringify(content, null, 1) ?? "";
  return content
    .map((one: Json) => (typeof one.text === "string" ? one.text : JSON.stringify(one, null, 1)))
    .join("\n");
}

function part(role: string, what: string, text: string): Part {
  const about = `${what} · ${count(Array.from(text).length)} characters`;
  return { title: role, about, text, open: true };
}
