"""The tools as an MCP server: the same registry, gate, limits and confined children as inside.

A client is a model nobody here has prompted: it is given the tools that run in a child, never
the agents. One server is one run; each call has its limits to itself.
"""

from __future__ import annotations

import contextlib
import secrets
import threading
from asyncio import CancelledError
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as types
from anyio import from_thread, to_thread
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from workbench import __version__
from workbench.agents import prompts
from workbench.agents import registry as agents
from workbench.asking.onecall import CallOutcome, Calls, open_tools
from workbench.asking.run import Setting
from workbench.errors import WorkbenchError
from workbench.ledger import Event
from workbench.tools import registry

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from starlette.types import ASGIApp, Receive, Scope, Send

# What every tool's structured answer says beside its text: where the whole is, and what was cut.
OUTPUT = {
    "type": "object",
    "properties": {
        "cut": {"type": "boolean", "description": "whether the text is cut; a marker says where"},
        "limits_hit": {"type": "array", "items": {"type": "string"}},
        "tokens": {"type": "integer", "description": "tokens of the text, an estimate"},
        "run": {"type": "string", "description": "folder of the results, below results/"},
        "artefacts": {
            "type": "array",
            "description": "files made; id or path opens one in a later call",
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "string"},
                    "path": {"type": "string"},
                    "media_type": {"type": "string"},
                    "bytes": {"type": "integer"},
                    "sha256": {"type": "string"},
                    "rows": {"type": ["integer", "null"]},
                    "columns": {"type": ["integer", "null"]},
                },
                "required": ["id", "path", "media_type", "bytes", "sha256"],
            },
        },
    },
    "required": ["cut", "limits_hit", "tokens", "run", "artefacts"],
}
_ARTEFACT = tuple(OUTPUT["properties"]["artefacts"]["items"]["properties"])  # type: ignore[index]
HOST = "127.0.0.1"


class ToolServer:
    """The tools of one workspace, for MCP clients.

    Parameters
    ----------
    setting : Setting
        Workspace, limits, reader settings.
    agent : str, optional
        Serve this agent's tools alone.
    window : int, optional
        Window in tokens of the client's model; the offline model's if left out.

    Raises
    ------
    Refused
        If there is no such agent, or the results folder cannot be written.
    """

    def __init__(
        self, setting: Setting, agent: str | None = None, window: int | None = None
    ) -> None:
        names = agents.get(agent).tools if agent else open_tools()
        self._tools = {name: registry.get(name) for name in names if name in open_tools()}
        self._agent, self._window = agent, window
        self._calls = Calls(setting, "tools served to MCP clients")
        self._calls.listen(self._told)
        self._listeners: dict[str, Callable[[Event], None]] = {}
        self._limiter = anyio.CapacityLimiter(setting.limits["at_once"].number)
        self._numbers = 0
        self.server: Server[Any] = Server(
            "workbench",
            version=__version__,
            instructions=prompts.for_clients(tuple(self._tools)),
            on_list_tools=self._list,
            on_call_tool=self._call,
        )

    def close(self) -> None:
        """End the run."""
        self._calls.end("answered")

    async def _list(
        self, _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[described(item) for item in self._tools.values()])

    async def _call(
        self, context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        """Carry out one call; a cancelled one ends its child before it ends itself."""
        # An agent's list holds more than is served: what is not listed is not carried out either.
        if registry.place_of(params.name) != "child":
            return _refused(
                f"{params.name} is not served to MCP clients; ask for it in a notebook or by "
                "workbench ask"
            )
        self._numbers += 1
        loop, stop = f"c{self._numbers:02d}", threading.Event()

        def work() -> CallOutcome:
            return self._calls.call(
                params.name,
                params.arguments or {},
                agent=self._agent,
                window=self._window,
                loop=loop,
                stop=stop,
            )

        self._listeners[loop] = _progress(context)
        try:
            outcome = await to_thread.run_sync(work, abandon_on_cancel=True, limiter=self._limiter)
        except WorkbenchError as error:
            return _refused(str(error))
        finally:
            # Reached at once when the client cancels: the thread sees it and ends the child.
            stop.set()
            self._listeners.pop(loop, None)
        return answered(outcome)

    def _told(self, event: Event) -> None:
        """Hand a call's progress to whoever waits for it; called in the call's own thread."""
        listener = self._listeners.get(event.dispatch)
        if event.kind == "progress" and listener is not None:
            listener(event)


def described(item: registry.Tool) -> types.Tool:
    """Return a tool as a client is told of it.

    A tool writes results of its own and never changes data: no call destroys anything.
    """
    return types.Tool(
        name=item.name,
        description=item.doc,
        input_schema=item.schema,
        output_schema=OUTPUT,
        annotations=types.ToolAnnotations(
            read_only_hint=item.effect == "read",
            destructive_hint=False,
            idempotent_hint=item.effect == "read",
            open_world_hint=False,
        ),
    )


def answered(outcome: CallOutcome) -> types.CallToolResult:
    """Return what a call came to: the gated text, and where the whole of it is."""
    said = outcome.to_json()
    made = [{key: item[key] for key in _ARTEFACT} for item in said["artefacts"]]
    facts = {key: said[key] for key in ("cut", "limits_hit", "tokens", "run")}
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=outcome.text)],
        structured_content={**facts, "artefacts": made},
        is_error=not outcome.ok,
    )


def _refused(text: str) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=f"error: {text}")], is_error=True
    )


def _progress(context: ServerRequestContext[Any]) -> Callable[[Event], None]:
    """Return what tells a client of progress, from the thread of the call."""

    def tell(event: Event) -> None:
        share, text = float(event.data["share"]), str(event.data["text"])
        # A client that is gone or has cancelled hears nothing; the call ends by its own stop.
        with contextlib.suppress(RuntimeError, CancelledError, OSError, anyio.BrokenResourceError):
            from_thread.run(context.session.report_progress, share, 1.0, text)

    return tell


def serve_stdio(tools: ToolServer) -> None:
    """Serve one client over stdin and stdout until it hangs up."""

    async def serve() -> None:
        async with stdio_server() as (reading, writing):
            await tools.server.run(reading, writing, tools.server.create_initialization_options())

    anyio.run(serve)


def serve_http(tools: ToolServer, port: int, token: str) -> None:
    """Serve clients on this machine's loopback address until interrupted.

    Parameters
    ----------
    tools : ToolServer
        What is served.
    port : int
        Port of 127.0.0.1.
    token : str
        What every request has to carry as ``Authorization: Bearer``: other programs and web pages
        of this machine reach the port too.
    """
    import uvicorn

    app = tools.server.streamable_http_app(host=HOST)
    uvicorn.run(Guarded(app, token), host=HOST, port=port, log_level="warning", access_log=False)


class Guarded:
    """Lets only requests with the token through.

    Parameters
    ----------
    app : ASGI application
        What is guarded.
    token : str
        The token.
    """

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        given = dict(scope.get("headers") or []).get(b"authorization", b"")
        if scope["type"] == "http" and not secrets.compare_digest(given, self._expected):
            from starlette.responses import PlainTextResponse

            words = "the token is missing or wrong: send Authorization: Bearer TOKEN\n"
            refusal = PlainTextResponse(words, 401, {"WWW-Authenticate": "Bearer"})
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)
