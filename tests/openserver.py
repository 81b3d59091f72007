"""A page that shows the view of something open, and the kernel's side of it, without a notebook.

The script and the answers are those of the product; only the messages travel as HTTP.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from workbench.notebook import open_view
from workbench.notebook.opening import Opening

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>open in full</title>
<style>html.dark{{--jp-layout-color1:#111;--jp-ui-font-color1:#e6e6e6;background:#111;color:#e6e6e6}}
html.light{{background:#fff;color:#212121}} body{{margin:12px}} {style}</style><main></main>
<script type="module" src="/view.js"></script></html>"""
# The widget's own entry is driven with a model that speaks HTTP.
MODEL = """
const heard = [];
const model = {{
  get: () => new URLSearchParams(location.search).get("face") ?? "full",
  on: (name, listener) => heard.push(listener),
  off: () => undefined,
  send: async (message) => {{
    const answer = await fetch("/ask" + location.search, {{
      method: "POST", body: JSON.stringify(message),
    }});
    const value = await answer.json();
    await window.held?.(message);
    for (const listener of heard) listener({{ id: message.id, value }});
  }},
}};
document.documentElement.className = new URLSearchParams(location.search).get("theme") ?? "light";
const began = performance.now();
new MutationObserver((_, watcher) => {{
  if (!document.querySelector("regular-table tbody td")) return;
  window.firstRows = performance.now() - began;
  watcher.disconnect();
}}).observe(document.querySelector("main"), {{ childList: true, subtree: true }});
render({{ model, el: document.querySelector("main") }});
"""


@contextmanager
def serving(made: Callable[[str], Opening]) -> Iterator[str]:
    """Serve views of what `made` opens, by ``?key=…``; yield the address."""
    known: dict[str, Opening] = {}
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing."""

        def do_GET(self) -> None:
            if self.path.startswith("/view.js"):
                text = open_view.script().replace("export default { render };", "")
                self._send(text + MODEL.format(), "text/javascript")
            else:
                self._send(PAGE.format(style=open_view.style()), "text/html")

        def do_POST(self) -> None:
            from urllib.parse import parse_qs, urlsplit

            key = parse_qs(urlsplit(self.path).query)["key"][0]
            with lock:
                if key not in known:
                    known[key] = made(key)
            message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self._send(json.dumps(known[key].answer(message)), "application/json")

        def _send(self, text: str, kind: str) -> None:
            data = text.encode()
            with contextlib.suppress(OSError):  # a page that was closed hears nothing
                self._sent(data, kind)

        def _sent(self, data: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        for opening in known.values():
            opening.close()
