// What the analyst may add while a question is at work: an instruction, or another budget.

import * as React from "react";
import type { Link } from "./link";
import { message } from "./words";

export function Steer({ link }: { link: Link }): React.JSX.Element {
  return (
    <details className="wbp-steer">
      <summary>Add an instruction, or set a budget</summary>
      <Line
        link={link}
        request="tell"
        value="text"
        label="Instruction to the question at work"
        hint="use log values"
        button="Tell"
      />
      <Line
        link={link}
        request="set_budget"
        value="amount"
        label="Budget of the question at work"
        hint="200k, or 0.50usd"
        button="Set"
      />
    </details>
  );
}

interface Given {
  link: Link;
  request: string;
  value: string;
  label: string;
  hint: string;
  button: string;
}

function Line({ link, request, value, label, hint, button }: Given): React.JSX.Element {
  const [text, setText] = React.useState("");
  const [said, setSaid] = React.useState("");
  const send = (event: React.FormEvent) => {
    event.preventDefault();
    if (!text.trim()) return;
    link.ask(request, { [value]: text }).then(
      (answer) => {
        setText("");
        setSaid(typeof answer === "string" ? answer : "set; it holds from the next request on");
      },
      (problem) => setSaid(message(problem)),
    );
  };
  return (
    <form className="wbp-tell" onSubmit={send}>
      <input
        value={text}
        aria-label={label}
        placeholder={hint}
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit" className="wbp-button" disabled={!text.trim()}>
        {button}
      </button>
      {said && (
        <span className="wbp-said" role="status">
          {said}
        </span>
      )}
    </form>
  );
}
