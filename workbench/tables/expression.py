"""One safe expression grammar over the columns of a table, compiled to SQL.

Comparisons, ``in``, ``between``, ``isna``, text tests, bounded arithmetic, ``and or not``: nothing
else is known, and no text of the expression ever becomes SQL, only numbers and quoted values do.
Each row comes out true, false or undecided; censored values are compared as intervals.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from workbench.errors import Refused
from workbench.formats.reading import quote, text
from workbench.tables import grammar, interval
from workbench.tables.interval import Interval
from workbench.tables.table import FLAG, LIMIT, Column, Table

KEEP, MISSING = "row·keep", "row·missing"
_MOST_STEPS = 100
_MOST_POWER = 64
_COMPARE = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
_ROUND = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Mod: "%", ast.FloorDiv: "//"}
_TEXT_TESTS = {"contains": "contains", "startswith": "starts_with", "endswith": "ends_with"}
_MISSING_TESTS = {"isna": "", "isnull": "", "notna": "NOT ", "notnull": "NOT "}
_CENSOR_TESTS = {"isbelow": "('<', 'bdl')", "isabove": "('>')"}
_RISING = {"log10": ("log10", ">"), "ln": ("ln", ">"), "sqrt": ("sqrt", ">=")}
_TESTS = {*_TEXT_TESTS, *_MISSING_TESTS, *_CENSOR_TESTS, "between", "isin"}


@dataclass(frozen=True)
class Field:
    """A column as the expression sees it, when it is not a number."""

    column: Column
    sql: str
    kind: str


@dataclass(frozen=True)
class Condition:
    """A compiled expression.

    Attributes
    ----------
    text : str
        As it was given.
    columns : tuple of Column
        Columns it uses, in order of first use.
    literals : tuple of (str, str)
        Column name and text it is compared with for equality: for hints on spelling.
    """

    text: str
    columns: tuple[Column, ...]
    literals: tuple[tuple[str, str], ...]
    _layers: tuple[str, ...]
    _predicate: str
    _missing: str

    def relation(self, view: str) -> str:
        """Return SQL of the view's rows with two columns more.

        Parameters
        ----------
        view : str
            Quoted name of the table's view.

        Returns
        -------
        str
            A sub-query in brackets. `KEEP` is true, false or NULL (undecided); `MISSING` is true
            where a value that the expression needs is missing.
        """
        inner = view
        for layer in self._layers:
            inner = f"(SELECT *, {layer} FROM {inner})"
        return (
            f"(SELECT *, {self._predicate} AS {quote(KEEP)}, {self._missing} AS {quote(MISSING)}"
            f" FROM {inner})"
        )


def compile_expression(expression: str, table: Table) -> Condition:
    """Compile an expression against a table.

    Parameters
    ----------
    expression : str
        See `workbench.tables.grammar`.
    table : Table
        Whose columns it names.

    Raises
    ------
    Refused
        For anything outside the grammar, unknown columns (the nearest is named) and comparisons
        of unlike kinds.
    """
    tree, names = grammar.parse(expression)
    compiler = _Compiler(table, names, expression)
    try:
        predicate = compiler.condition(tree)
    except RecursionError:
        raise Refused(f"expression '{grammar.shown(expression)}': nested too deeply") from None
    return Condition(
        expression,
        tuple(compiler.used.values()),
        tuple(compiler.literals),
        tuple(compiler.layers),
        predicate,
        " OR ".join(compiler.missing.values()) or "FALSE",
    )


class _Compiler:
    """Walks one tree; every arithmetic step becomes a named layer, so that SQL stays small."""

    def __init__(self, table: Table, names: dict[str, str], whole: str) -> None:
        self.table = table
        self.names = names
        self.whole = grammar.shown(whole)
        self.layers: list[str] = []
        self.used: dict[str, Column] = {}
        self.missing: dict[str, str] = {}
        self.literals: list[tuple[str, str]] = []
        self._numbers: dict[str, Interval] = {}

    def refuse(self, reason: str) -> Refused:
        return Refused(f"expression '{self.whole}': {reason}")

    # Conditions -------------------------------------------------------------------------------

    def condition(self, node: ast.expr) -> str:
        """Return SQL of a condition."""
        if isinstance(node, ast.BoolOp):
            word = " AND " if isinstance(node.op, ast.And) else " OR "
            return f"({word.join(self.condition(part) for part in node.values)})"
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return f"(NOT {self.condition(node.operand)})"
        if isinstance(node, ast.Compare):
            return self._chain(node)
        if isinstance(node, ast.Call):
            return self._test(node)
        if isinstance(node, ast.Constant) and isinstance(node.value, bool):
            return str(node.value).upper()
        if isinstance(node, ast.Name):
            found = self.operand(node)
            if isinstance(found, Field) and found.kind == "boolean":
                return found.sql
        raise self.refuse(f"'{self._said(node)}' is no condition; {grammar.HELP}")

    def _chain(self, node: ast.Compare) -> str:
        parts, left = [], node.left
        for operator, right in zip(node.ops, node.comparators, strict=True):
            parts.append(self._comparison(left, operator, right))
            left = right
        return f"({' AND '.join(parts)})"

    def _comparison(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> str:
        listed = isinstance(right, ast.List | ast.Tuple | ast.Set)
        if isinstance(operator, ast.In | ast.NotIn) or listed:
            if not listed or not isinstance(operator, ast.In | ast.NotIn | ast.Eq | ast.NotEq):
                raise self.refuse("`in` needs a list such as [1, 2], and a list needs `in`")
            inside = self._within(self.operand(left), right.elts)  # type: ignore[attr-defined]
            return inside if isinstance(operator, ast.In | ast.Eq) else f"(NOT {inside})"
        sign = _COMPARE.get(type(operator))
        if sign is None:
            raise self.refuse("`is` is not known; use == or isna(COLUMN)")
        return self._compare(self.operand(left), sign, self.operand(right))

    def _within(self, value: Any, items: list[ast.expr]) -> str:  # noqa: ANN401 - Interval, Field or text
        if not items:
            return "FALSE"
        return f"({' OR '.join(self._compare(value, '==', self.operand(item)) for item in items)})"

    def _compare(self, a: Any, sign: str, b: Any) -> str:  # noqa: ANN401 - Interval, Field or text
        if isinstance(a, Interval) and isinstance(b, Interval):
            return _signed(sign, a, b, interval.less, interval.equal)
        if isinstance(a, str) and isinstance(b, Field):
            a, b, sign = b, a, {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(sign, sign)
        if isinstance(a, Field):
            left, right = a.sql, self._like(a, b)
            if isinstance(b, str) and a.kind == "text" and sign in {"==", "!="}:
                self.literals.append((a.column.name, b))
            return f"({left} {'=' if sign == '==' else sign} {right})"
        raise self.refuse(f"{_kind(a)} cannot be compared with {_kind(b)}")

    def _like(self, a: Field, b: Any) -> str:  # noqa: ANN401 - Interval, Field or text
        """Return SQL of `b` where it is of the same kind as the column `a`."""
        if isinstance(b, Field) and b.kind == a.kind:
            return b.sql
        if isinstance(b, str) and a.kind == "text":
            return text(b)
        if isinstance(b, str) and a.kind == "date":
            return self._date(b)
        if isinstance(b, bool) and a.kind == "boolean":
            return str(b).upper()
        hint = {
            "text": "write the value in quotes",
            "date": 'write the date as "2019-01-31"',
            "boolean": "compare with True or False",
        }[a.kind]
        raise self.refuse(f"column '{a.column.name}' is {a.kind}, not {_kind(b)}; {hint}")

    def _date(self, value: str) -> str:
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            raise self.refuse(f"'{value[:40]}' is no date; write it as \"2019-01-31\"") from None
        return f"TIMESTAMP {text(moment.replace(tzinfo=None).isoformat(sep=' '))}"

    # Tests ------------------------------------------------------------------------------------

    def _test(self, node: ast.Call) -> str:
        """Return SQL of ``isna(COLUMN)``, ``COLUMN.str.contains("x")`` and their like."""
        name, subject, arguments = self._called(node)
        options = {word.arg: self._plain(word.value) for word in node.keywords}
        if subject is None or name not in _TESTS:
            raise self.refuse(f"'{name[:40]}' is not known; the tests are {', '.join(sorted(_TESTS))}")
        value = self.operand(subject)
        if name in _MISSING_TESTS:
            return self._is_missing(value, _MISSING_TESTS[name])
        if name in _CENSOR_TESTS:
            return self._is_censored(subject, _CENSOR_TESTS[name])
        if name == "isin" and len(arguments) == 1 and isinstance(arguments[0], ast.List | ast.Tuple):
            return self._within(value, arguments[0].elts)
        if name == "between" and len(arguments) == 2:  # noqa: PLR2004 - a lower and an upper end
            return self._between(value, arguments, options.get("inclusive", "both"))
        if name in _TEXT_TESTS and len(arguments) == 1:
            return self._text_test(name, value, self._plain(arguments[0]), options)
        raise self.refuse(f"'{name}' got other arguments than it takes")

    def _called(self, node: ast.Call) -> tuple[str, ast.expr | None, list[ast.expr]]:
        """Return name, subject and arguments, whichever way the test was written."""
        if isinstance(node.func, ast.Name):
            return node.func.id, node.args[0] if node.args else None, list(node.args[1:])
        if isinstance(node.func, ast.Attribute):
            subject = node.func.value
            if isinstance(subject, ast.Attribute) and subject.attr == "str":
                subject = subject.value
            return node.func.attr, subject, list(node.args)
        raise self.refuse("only the named tests can be called")

    def _is_missing(self, value: Any, negation: str) -> str:  # noqa: ANN401 - Interval or Field
        if isinstance(value, str | bool):
            raise self.refuse("isna and notna take a column")
        sql = value.low if isinstance(value, Interval) else value.sql
        return f"({negation}{sql} IS NULL)"

    def _is_censored(self, subject: ast.expr, flags: str) -> str:
        name = self._name(subject)
        column = self.table.column(name) if name else None
        if column is None or column.kind != "number":
            raise self.refuse("isbelow and isabove take a column of numbers")
        if not column.flagged:
            return "FALSE"
        return f"coalesce({quote(column.name + FLAG)} IN {flags}, FALSE)"

    def _between(self, value: Any, ends: list[ast.expr], inclusive: object) -> str:  # noqa: ANN401
        signs = {
            "both": (">=", "<="),
            "neither": (">", "<"),
            "left": (">=", "<"),
            "right": (">", "<="),
        }
        if inclusive not in signs:
            raise self.refuse("inclusive is one of both, neither, left, right")
        low, high = signs[str(inclusive)]
        first = self._compare(value, low, self.operand(ends[0]))
        return f"({first} AND {self._compare(value, high, self.operand(ends[1]))})"

    def _text_test(self, name: str, value: Any, wanted: object, options: dict[Any, Any]) -> str:  # noqa: ANN401
        if not isinstance(value, Field) or value.kind != "text":
            raise self.refuse(f"{name} is for text columns; compare numbers with < and >")
        if not isinstance(wanted, str):
            raise self.refuse(f"{name} takes a text in quotes")
        if "\\" in wanted or ".*" in wanted or ".+" in wanted or wanted[:1] == "^":
            raise self.refuse(f"{name} takes plain text, no pattern; `a|b` means a or b")
        words = [wanted] if options.get("regex") is False else wanted.split("|")
        left, right = value.sql, [text(word) for word in words]
        if options.get("case", True) is False:
            left, right = f"lower({left})", [f"lower({word})" for word in right]
        function = _TEXT_TESTS[name]
        found = " OR ".join(f"{function}({left}, {word})" for word in right)
        return f"coalesce({found}, FALSE)" if options.get("na") is False else f"({found})"

    # Operands ---------------------------------------------------------------------------------

    def operand(self, node: ast.expr) -> Any:  # noqa: ANN401 - Interval, Field, str or bool
        """Return a number as an interval, another column as a field, a text or switch as it is."""
        folded = self._folded(node)
        if folded is not None:
            return folded
        if isinstance(node, ast.Name):
            return self._column(self.names.get(node.id, node.id))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
            inner = self._number(node.operand)
            return inner if isinstance(node.op, ast.UAdd) else self._layer(interval.negative(inner))
        if isinstance(node, ast.BinOp):
            return self._arithmetic(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self._function(node, node.func.id)
        raise self.refuse(f"'{self._said(node)}' is not known here; {grammar.HELP}")

    def _folded(self, node: ast.expr) -> Interval | str | bool | None:
        """Return a constant, also one that is computed from numbers alone."""
        try:
            value = self._plain(node)
        except Refused:
            return None
        if isinstance(value, str | bool):
            return value
        number = float(value)
        if not math.isfinite(number):
            raise self.refuse("a number is too large")
        return Interval(_double(number), _double(number), constant=number)

    def _plain(self, node: ast.expr) -> Any:  # noqa: ANN401 - JSON values
        """Return the value of a constant."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bool | int | float):
            return node.value
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
            value = self._plain(node.operand)
            if not isinstance(value, str | bool):
                return -value if isinstance(node.op, ast.USub) else value
        raise self.refuse(f"'{self._said(node)}' is no constant")

    def _column(self, name: str) -> Interval | Field:
        base = name.removesuffix(FLAG)
        if base != name and base in {column.name for column in self.table.columns if column.flagged}:
            column = self.table.column(base)
            self.used[column.name] = column
            return Field(column, quote(column.name + FLAG), "text")
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
            negative = isinstance(column.min, int | float) and column.min < 0
            flag = quote(column.name + FLAG) if column.flagged else None
            made = interval.of_column(
                sql, flag, quote(column.name + LIMIT), below_zero=negative or not column.measured
            )
            self._numbers[column.name] = made if made.point else self._layer(made)
            self.missing[column.name] = f"{self._numbers[column.name].low} IS NULL"
        return self._numbers[column.name]

    def _number(self, node: ast.expr) -> Interval:
        value = self.operand(node)
        if not isinstance(value, Interval):
            raise self.refuse(f"'{self._said(node)}' is {_kind(value)}; arithmetic needs numbers")
        return value

    def _arithmetic(self, node: ast.BinOp) -> Interval:
        a, b = self._number(node.left), self._number(node.right)
        if isinstance(node.op, ast.Pow):
            return self._layer(self._power(a, b))
        sign = _ROUND.get(type(node.op))
        if sign is None:
            raise self.refuse(f"'{self._said(node)}' is not known; use + - * / // % **")
        if sign in "*/" and b.constant is not None:
            if b.constant == 0 and sign == "/":
                raise self.refuse("division by 0")
            if b.constant != 0:
                return self._layer(interval.scaled(a, sign, b.low, turned=b.constant < 0))
        if sign == "-":
            return self._layer(interval.plus(a, interval.negative(b)))
        if sign in {"%", "//"}:
            whole = f"floor({a.low} / nullif({b.low}, 0))"
            rest = f"({a.low} - {b.low} * {whole})"
            return self._layer(interval.exact_only(whole if sign == "//" else rest, a, b))
        return self._layer({"+": interval.plus, "*": interval.times, "/": interval.over}[sign](a, b))

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
        ends = {"low": made.low, "low_open": made.low_open, "high_open": made.high_open}
        if not made.point:
            ends["high"] = made.high
        names = {end: quote(f"step·{number}·{end}") for end in ends}
        self.layers.append(", ".join(f"{ends[end]} AS {names[end]}" for end in ends))
        return Interval(
            names["low"], names.get("high", names["low"]), names["low_open"], names["high_open"]
        )

    def _name(self, node: ast.expr) -> str | None:
        return self.names.get(node.id, node.id) if isinstance(node, ast.Name) else None

    def _said(self, node: ast.expr) -> str:
        name = self._name(node)
        return grammar.shown(name if name is not None else ast.unparse(node))


def _signed(
    sign: str,
    a: Interval,
    b: Interval,
    less: Callable[[Interval, Interval], str],
    equal: Callable[[Interval, Interval], str],
) -> str:
    """Return any of the six comparisons by way of ``<`` and ``==``."""
    if sign in {"<", ">"}:
        return less(a, b) if sign == "<" else less(b, a)
    if sign in {"<=", ">="}:
        return f"(NOT {less(b, a) if sign == '<=' else less(a, b)})"
    return equal(a, b) if sign == "==" else f"(NOT {equal(a, b)})"


def _kind(value: object) -> str:
    if isinstance(value, Field):
        return f"column '{value.column.name[:80]}' ({value.kind})"
    return {Interval: "a number", str: "a text", bool: "a switch"}.get(type(value), "this")


def _double(number: float) -> str:
    return f"CAST({number!r} AS DOUBLE)"
