"""``tools``, ``agents``, ``limits`` and ``check``: what there is, and proof that it holds."""

from __future__ import annotations

import argparse

from workbench.cli.terminal import out, out_json, table
from workbench.cli.usage import add_json

_WIDE = 100


def add_tools(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``tools``."""
    add_json(parser)


def run_tools(arguments: argparse.Namespace) -> int:
    """List the tools."""
    from workbench.listing import tools

    rows = tools()
    if arguments.json:
        out_json(rows)
        return 0
    shown = [
        (row["name"], row["family"], row["effect"], row["tokens"], ", ".join(row["agents"]))
        for row in rows
    ]
    out(table(("name", "family", "effect", "tokens", "agents"), shown, _WIDE))
    return 0


def add_agents(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``agents``."""
    add_json(parser)


def run_agents(arguments: argparse.Namespace) -> int:
    """List the agents."""
    from workbench.listing import agents

    rows = agents()
    if arguments.json:
        out_json(rows)
        return 0
    shown = [(row["name"], row["tokens"], ", ".join(row["tools"])) for row in rows]
    out(table(("name", "tokens", "tools"), shown, 2 * _WIDE))
    return 0


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``limits``."""
    add_json(parser)


def run_limits(arguments: argparse.Namespace) -> int:
    """List the limits."""
    from workbench.listing import limits

    rows = limits()
    if arguments.json:
        out_json(rows)
        return 0
    columns = ("key", "value", "unit", "where", "enforced", "rule")
    shown = [[_plain(row[name]) for name in columns] for row in rows]
    out(table(columns, shown, 2 * _WIDE))
    return 0


def _plain(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def add_check(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``check``."""
    add_json(parser)


def run_check(arguments: argparse.Namespace) -> int:
    """Attack every limit that code holds."""
    from workbench.check import run_checks

    rows = run_checks()
    failed = [row.key for row in rows if not row.ok]
    if arguments.json:
        out_json([row.to_json() for row in rows])
    else:
        shown = [("holds" if row.ok else "FAILS", row.key, row.seen, row.detail) for row in rows]
        out(table(("", "limit", "seen", "how it was attacked"), shown, _WIDE))
        out(f"{len(rows) - len(failed)} of {len(rows)} hold")
    if failed:
        from workbench.cli.terminal import err

        err(f"check: {len(failed)} limits do not hold: {', '.join(failed)}; see workbench doctor")
    return 1 if failed else 0
