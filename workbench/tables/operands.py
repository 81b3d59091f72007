"""What stands on either side of a comparison: numbers as intervals, columns, texts.

Every step of arithmetic becomes a named layer of the query, so that SQL grows with the length of
an expression and not with its nesting.
"""

from __future__ import annotations

import ast
import math
from dataclasses import dataclass
from typing import Any

from workbench.errors import Refused
from workbench.formats.quoting import quote
from workbench.tables import grammar, interval
from workbench.tables.interval import Interval
from workbench.tables.table import FLAG, LIMIT, Column, Table
from workbench.tables.units import alike

_MOST_STEPS = 100
_MOST_POWER = 64
_ROUND = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Mod: "%", ast.FloorDiv: "//"}
_RISING = {"log10": ("log10", ">"), "ln": ("ln", ">"), "sqrt": ("sqrt", ">=")}


@dataclass(frozen=True)
class Field:
    """A column as the expression sees it, when it is not a number."""

    column: Column
    sql: str
    kind: str


class Operands:
    """The operands of one expression, and the layers and columns they need.

    Parameters
    ----------
    table : Table
        Whose columns are named.
    names : mapping of str to str
        Stand-ins of names in backticks.
    whole : str
        The expression, for messages.
    """

    def __init__(self, table: Table, names: dict[str, str], whole: str) -> None:
        self.table = table
        self.layers: list[str] = []
        self.steps: list[str] = []
        self.used: dict[str, Column] = {}
        self.missing: dict[str, str] = {}
        self._names = names
        self._whole = grammar.shown(whole)
        self._numbers: dict[str, Interval] = {}

    def refuse(self, reason: str) -> Refused:
        """Return the error that names the expression and the reason."""
        return Refused(f"expression '{self._whole}': {reason}")

    def operand(self, node: ast.expr) -> Any:  # noqa: ANN401 - Interval, Field, str or bool
        """Return a number as an interval, another column as a field, a text or switch as it is."""
        folded = self._folded(node)
        if folded is not None:
            return folded
        if isinstance(node, ast.Name):
            return self._column(self._names.get(node.id, node.id))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
            inner = self._number(node.operand)
            return inner if isinstance(node.op, ast.UAdd) else self._layer(interval.negative(inner))
        if isinstance(node, ast.BinOp):
            return self._arithmetic(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self._function(node, node.func.id)
        raise self.refuse(f"'{self.said(node)}' is not known here; {grammar.HELP}")

    def _folded(self, node: ast.expr) -> Interval | str | bool | None:
        """Return a constant, also one that is computed from numbers alone."""
        try:
            value = self.plain(node)
        except Refused:
            return None
        if isinstance(value, str | bool):
            return value
        number = float(value)
        if not math.isfinite(number):
            raise self.refuse("a number is too large")
        return Interval(_double(number), _double(number), constant=number)

    def plain(self, node: ast.expr) -> Any:  # noqa: ANN401 - JSON values
        """Return the value of a constant."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bool | int | float):
            return node.value
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
            value = self.plain(node.operand)
            if not isinstance(value, str | bool):
                return -value if isinstance(node.op, ast.USub) else value
        raise self.refuse(f"'{self.said(node)}' is no constant")

    def _column(self, name: str) -> Interval | Field:
        base = name.removesuffix(FLAG)
        if base != name and base in {
            column.name for column in self.table.columns if column.flagged
        }:
            column = self.table.column(base)
            self.used[column.name] = column
            return Field(column, f"coalesce({quote(column.name + FLAG)}, '')", "text")
        column = self.table.column(name)
        self.used[column.name] = column
        sql = quote(column.name)
        if column.kind == "number":
            return self._measured(column, sql)
        self.missing[column.name] = f"{sql} IS NULL"
        kind = "text" if column.kind == "empty" else column.kind
        return Field(column, f"CAST({sql} AS VARCHAR)" if kind == "text" else sql, kind)

    def _measured(self, column: Column, sql: str) -> Interval:
        if column.name not in self._numbers:
            found = isinstance(column.min, int | float) and column.min < 0
            negative = found or not column.measured or column.role == "isotope"
            flag = quote(column.name + FLAG) if column.flagged else None
            made = interval.of_column(sql, flag, quote(column.name + LIMIT), below_zero=negative)
            self._numbers[column.name] = made if made.point else self._layer(made)
            self.missing[column.name] = f"{self._numbers[column.name].low} IS NULL"
        return self._numbers[column.name]

    def _number(self, node: ast.expr) -> Interval:
        value = self.operand(node)
        if not isinstance(value, Interval):
            raise self.refuse(f"'{self.said(node)}' is {kind(value)}; arithmetic needs numbers")
        return value

    def _arithmetic(self, node: ast.BinOp) -> Interval:
        a, b = self._number(node.left), self._number(node.right)
        if isinstance(node.op, ast.Pow):
            return self._layer(self._power(a, b))
        sign = _ROUND.get(type(node.op))
        if sign is None:
            raise self.refuse(f"'{self.said(node)}' is not known; use + - * / // % **")
        if sign in "*/" and b.constant is not None:
            if b.constant == 0 and sign == "/":
                raise self.refuse("division by 0")
            if b.constant != 0:
                return self._layer(interval.scaled(a, sign, b.low, turned=b.constant < 0))
        if sign in "+-":
            self.same_unit(node.left, node.right)
        if sign == "-":
            return self._layer(interval.plus(a, interval.negative(b)))
        if sign in {"%", "//"}:
            whole = f"floor({a.low} / nullif({b.low}, 0))"
            rest = f"({a.low} - {b.low} * {whole})"
            return self._layer(interval.exact_only(whole if sign == "//" else rest, a, b))
        return self._layer(
            {"+": interval.plus, "*": interval.times, "/": interval.over}[sign](a, b)
        )

    def same_unit(self, left: ast.expr, right: ast.expr) -> None:
        """Refuse two measured quantities of unlike units side by side."""
        a, b = self._unit(left), self._unit(right)
        if a and b and not alike([a, b]):
            raise self.refuse(
                f"'{self.said(left)}' is in {a}, '{self.said(right)}' in {b}; convert one first, "
                "by a factor"
            )

    def _unit(self, node: ast.expr) -> str | None:
        """Return the unit of a column, or of a sum of columns; a product has none known."""
        name = self.name(node)
        if name is not None:
            return next((one.unit for one in self.table.columns if one.name == name), None)
        if isinstance(node, ast.UnaryOp):
            return self._unit(node.operand)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
            return self._unit(node.left) or self._unit(node.right)
        return None

    def _power(self, a: Interval, b: Interval) -> Interval:
        if b.constant is None or abs(b.constant) > _MOST_POWER:
            raise self.refuse(f"a power is a number from -{_MOST_POWER} to {_MOST_POWER}")
        return interval.exact_only(f"pow({a.low}, {b.low})", a)

    def _function(self, node: ast.Call, name: str) -> Interval:
        if name == "abs" and len(node.args) == 1:
            a = self._number(node.args[0])
            return self._layer(interval.exact_only(f"abs({a.low})", a))
        if name not in _RISING or len(node.args) != 1 or node.keywords:
            raise self.refuse(
                f"'{name[:40]}' is not known here; the functions are abs, log10, ln, sqrt"
            )
        function, domain = _RISING[name]
        return self._layer(interval.rising(function, self._number(node.args[0]), domain))

    def _layer(self, made: Interval) -> Interval:
        """Give a step's SQL a name, so that later steps repeat the name and not the SQL."""
        number = len(self.layers)
        if number >= _MOST_STEPS:
            raise self.refuse(f"more than {_MOST_STEPS} steps of arithmetic")
        ends = {"low": made.low}
        if not made.point:
            opened = {"low_open": made.low_open, "high_open": made.high_open}
            ends["high"] = made.high
            ends |= {end: sql for end, sql in opened.items() if sql != interval.NEVER}
        self.steps += [f"step  {number}  {end}" for end in ends]
        names = {end: quote(f"step  {number}  {end}") for end in ends}
        self.layers.append(", ".join(f"{ends[end]} AS {names[end]}" for end in ends))
        return Interval(
            names["low"],
            names.get("high", names["low"]),
            names.get("low_open", interval.NEVER),
            names.get("high_open", interval.NEVER),
        )

    def name(self, node: ast.expr) -> str | None:
        """Return the column name that a bare name stands for; None for anything else."""
        return self._names.get(node.id, node.id) if isinstance(node, ast.Name) else None

    def said(self, node: ast.expr) -> str:
        """Return a part of the expression as a message may show it."""
        name = self.name(node)
        return grammar.shown(name if name is not None else ast.unparse(node))


def kind(value: object) -> str:
    """Name an operand in words."""
    if isinstance(value, Field):
        return f"column '{value.column.name[:80]}' ({value.kind})"
    return {Interval: "a number", str: "a text", bool: "a switch"}.get(type(value), "this")


def _double(number: float) -> str:
    return f"CAST({number!r} AS DOUBLE)"
