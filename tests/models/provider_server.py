"""A scripted server of the Messages protocol on the loopback, for exact scenarios.

It keeps every request byte for byte with its headers, and answers each with the next act of its
script: a reply, streamed event by event, cut wherever a test wants, or an error.
"""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from workbench.models.scripted import Say

Event = tuple[str, str]


@dataclass(frozen=True)
class Asked:
    """One request as it came."""

    path: str
    body: bytes
    headers: Mapping[str, str]

    @property
    def json(self) -> dict[str, Any]:
        return dict(json.loads(self.body))


@dataclass(frozen=True)
class Act:
    """One answer.

    Attributes
    ----------
    events : sequence of (str, str)
        Names and data of a stream, in order.
    status : int
        HTTP status; above 399 `text` is the body.
    text : str
        Body of an error, or of a reply that is not streamed.
    headers : mapping
        Beside the usual ones.
    cut : int or None
        The connection is broken after so many events.
    hang : float
        Seconds of silence before the first event, or before the end of a cut stream.
    kind : str
        Content type.
    last : bool
        The whole server dies with it, every connection and the port itself.
    """

    events: Sequence[Event] = ()
    status: int = 200
    text: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: int | None = None
    hang: float = 0.0
    kind: str = "text/event-stream"
    last: bool = False


def stream(
    content: Sequence[Mapping[str, Any]] = (),
    stop: str = "end_turn",
    usage: Mapping[str, Any] | None = None,
    *,
    pieces: int = 3,
) -> list[Event]:
    """Return a reply as the events of a stream; texts and arguments come in pieces."""
    given = {"input_tokens": 900, "output_tokens": 40} if usage is None else dict(usage)
    start = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": []}
    opening = {key: value for key, value in given.items() if key != "output_tokens"}
    start |= {"stop_reason": None, "stop_sequence": None, "usage": {**opening, "output_tokens": 1}}
    if usage is not None and not usage:
        del start["usage"]
    found = [_event("message_start", message=start)]
    for index, part in enumerate(content):
        found += [*_part(index, dict(part), pieces)]
        found.append(_event("content_block_stop", index=index))
    late = {"output_tokens": given["output_tokens"]} if "output_tokens" in given else {}
    found.append(_event("message_delta", delta={"stop_reason": stop}, usage=late))
    found.append(_event("message_stop"))
    return [found[0], _event("ping"), *found[1:]]


def _part(index: int, part: dict[str, Any], pieces: int) -> list[Event]:
    if part["type"] == "tool_use":
        raw = part.pop("raw", None)
        text = json.dumps(part.pop("input")) if raw is None else raw
        begun, deltas = {**part, "input": {}}, [("input_json_delta", "partial_json", text)]
    elif part["type"] == "thinking":
        begun = {"type": "thinking", "thinking": "", "signature": ""}
        deltas = [("thinking_delta", "thinking", part["thinking"])]
        deltas.append(("signature_delta", "signature", part["signature"]))
    elif part["type"] == "text":
        begun, deltas = {"type": "text", "text": ""}, [("text_delta", "text", part["text"])]
    else:
        begun, deltas = part, []
    found = [_event("content_block_start", index=index, content_block=begun)]
    for kind, name, text in deltas:
        size = max(len(text) // pieces, 1)
        for at in range(0, len(text), size):
            delta = {"type": kind, name: text[at : at + size]}
            found.append(_event("content_block_delta", index=index, delta=delta))
    return found


def _event(name: str, **data: Any) -> Event:  # noqa: ANN401 - JSON values
    return name, json.dumps({"type": name, **data})


def text(words: str) -> dict[str, Any]:
    """Return a text block."""
    return {"type": "text", "text": words}


def use(tool: str, number: int = 1, **arguments: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON values
    """Return a tool call."""
    return {"type": "tool_use", "id": f"toolu_{tool}_{number}", "name": tool, "input": arguments}


def act(*content: Mapping[str, Any], stop: str = "", **more: Any) -> Act:  # noqa: ANN401 - of Act
    """Return a streamed reply."""
    calls = any(part["type"] == "tool_use" for part in content)
    usage = more.pop("usage", None)
    events = stream(content, stop or ("tool_use" if calls else "end_turn"), usage)
    return Act(events, **more)


def error(status: int, kind: str, words: str = "said so", **headers: str) -> Act:
    """Return an error of the protocol."""
    body = {"type": "error", "error": {"type": kind, "message": words}}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Act(status=status, text=json.dumps(body), headers=named, kind="application/json")


def said(say: Say, key: str) -> Act:
    """Return what a scripted model says as an act."""
    content = [text(say.words)] if say.words else []
    for number, (tool, arguments) in enumerate(say.calls, start=1):
        part = {"type": "tool_use", "id": f"{key}-{number}", "name": tool, "input": arguments}
        content.append(part)
    return act(*content, stop=say.stop, usage=say.usage)


Script = Sequence[Act] | Callable[[Asked], Act]


class ProviderServer:
    """The server; `with` starts and ends it.

    Parameters
    ----------
    script : sequence of Act, or callable
        What it answers, in order; the last one again and again. A callable gets the request.
    models : sequence of mapping, optional
        What it lists as its models.
    count : int, optional
        What it answers where tokens are counted.
    port : int, optional
        Where it listens, for one that comes back; a free one if left out.
    """

    def __init__(
        self,
        script: Script,
        models: Sequence[Mapping[str, Any]] = (),
        count: int | None = None,
        port: int = 0,
    ) -> None:
        self.script, self.models, self.count = script, models, count
        self.asked: list[Asked] = []
        self.aside: list[Asked] = []
        self.times: list[float] = []
        self.lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def kill(self) -> None:
        """End it at once, with every connection."""
        if self._thread.is_alive():
            self._server.shutdown()
            self._server.server_close()
            for connection in list(self._open):
                _break(connection)
            self._thread.join()

    def next(self, asked: Asked) -> Act:
        """Take in a request and return the act that answers it."""
        with self.lock:
            self.asked.append(asked)
            self.times.append(time.monotonic())
            number = len(self.asked)
        if callable(self.script):
            return self.script(asked)
        return self.script[min(number, len(self.script)) - 1]


def _break(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        return


def _handler(server: ProviderServer) -> type[BaseHTTPRequestHandler]:  # noqa: C901 - one class
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Else the first event waits up to 40 ms for the head to be acknowledged.
        disable_nagle_algorithm = True

        def setup(self) -> None:
            super().setup()
            server._open.add(self.connection)

        def handle(self) -> None:
            # A client may have seen enough in the middle of a reply.
            with contextlib.suppress(ConnectionResetError):
                super().handle()

        def finish(self) -> None:
            server._open.discard(self.connection)
            try:
                super().finish()
            except OSError:
                return

        def log_message(self, *_: object) -> None:
            return

        def do_GET(self) -> None:
            server.aside.append(Asked(self.path, b"", dict(self.headers)))
            found = [
                item for item in server.models if self.path.endswith(str(item.get("id", "no id")))
            ]
            if self.path.endswith("/v1/models"):
                self._send(200, json.dumps({"data": list(server.models)}), "application/json")
            elif found:
                self._send(200, json.dumps(found[0]), "application/json")
            else:
                self._send(404, "{}", "application/json")

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            asked = Asked(self.path, body, dict(self.headers))
            if self.path.endswith("/count_tokens"):
                server.aside.append(asked)
                status = 404 if server.count is None else 200
                self._send(status, json.dumps({"input_tokens": server.count}), "application/json")
                return
            answer = server.next(asked)
            if answer.status != 200 or not answer.events:
                time.sleep(answer.hang)
                self._send(answer.status, answer.text, answer.kind, answer.headers)
            else:
                self._stream(answer)

        def _send(
            self, status: int, body: str, kind: str, more: Mapping[str, str] | None = None
        ) -> None:
            data = body.encode()
            self.send_response(status)
            for name, value in (more or {}).items():
                self.send_header(name, value)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def _stream(self, answer: Act) -> None:
            self.send_response(200)
            self.send_header("content-type", answer.kind)
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            self.wfile.flush()
            if answer.cut is None:
                time.sleep(answer.hang)
            try:
                for name, data in list(answer.events)[: answer.cut]:
                    self._chunk(f"event: {name}\ndata: {data}\n\n".encode())
                if answer.cut is None:
                    self._chunk(b"")
                    return
                time.sleep(answer.hang)
            except OSError:
                pass
            self.close_connection = True
            if answer.last:
                server.kill()
            _break(self.connection)

        def _chunk(self, data: bytes) -> None:
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            self.wfile.flush()

    return Handler
