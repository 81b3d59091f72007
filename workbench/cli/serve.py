"""``mcp``: the tools as an MCP server. Stdout belongs to the protocol; words go to stderr."""

from __future__ import annotations

import argparse
import os
import secrets

from workbench.cli.terminal import err
from workbench.cli.usage import Usage, add_data, pairs

TOKEN = "WORKBENCH_MCP_TOKEN"  # noqa: S105 - the name of a variable, not a token
_PORTS = 65_535


def add_mcp(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``mcp``."""
    add_data(parser)
    parser.add_argument(
        *("--agent",),
        metavar="NAME",
        help="serve this agent's tools alone (scripts and commands are never served: see README)",
    )
    parser.add_argument("--window", type=int, metavar="N", help="the client's window in tokens")
    parser.add_argument("--http", action="store_true", help="serve on 127.0.0.1, with a token")
    parser.add_argument("--port", type=int, metavar="N", default=8765, help="with --http")
    parser.add_argument(
        *("-l", "--limit"), action="append", default=[], metavar="key=value", help="change a limit"
    )


def run_mcp(arguments: argparse.Namespace) -> int:
    """Serve until the client hangs up, or until interrupted."""
    if not 0 < arguments.port <= _PORTS:
        raise Usage(f"mcp: --port {arguments.port}: a port is a number from 1 to {_PORTS:,}")
    from workbench.session import Session

    try:
        from workbench import mcp
    except ImportError as error:
        raise Usage(f"mcp: {error.name} is not installed; pip install 'workbench[mcp]'") from None
    limits = dict(pairs(arguments.limit, "limit"))
    session = Session.open(arguments.data, arguments.results, "offline", limits=limits)
    tools = mcp.ToolServer(session.setting, arguments.agent, arguments.window)
    try:
        if arguments.http:
            token = os.environ.get(TOKEN) or secrets.token_urlsafe(32)
            err(f"serving http://{mcp.HOST}:{arguments.port}/mcp")
            if TOKEN not in os.environ:
                err(f"token (set {TOKEN} to choose one): {token}")
            mcp.serve_http(tools, arguments.port, token)
        else:
            mcp.serve_stdio(tools)
    finally:
        tools.close()
    return 0
