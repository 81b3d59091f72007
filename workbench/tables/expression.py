"""One safe expression grammar over the columns of a table, compiled to SQL.

Comparisons, ``in``, ``between``, ``isna``, text tests, bounded arithmetic, ``and or not``: nothing
else is known, and no text of the expression ever becomes SQL, only numbers and quoted values do.
Each row comes out true, false or undecided; censored values are compared as intervals.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from workbench.formats.quoting import quote, text
from workbench.tables import grammar, interval
from workbench.tables.interval import Interval
from workbench.tables.operands import Field, Operands, kind
from workbench.tables.table import FLAG, Column, Table

# Two blanks: a header keeps one at most, so no column of a file has such a name.
KEEP, MISSING = "row  keep", "row  missing"
_COMPARE = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_TEXT_TESTS = {"contains": "contains", "startswith": "starts_with", "endswith": "ends_with"}
_MISSING_TESTS = {"isna": "", "isnull": "", "notna": "NOT ", "notnull": "NOT "}
_CENSOR_TESTS = {"isbelow": "('<', 'bdl')", "isabove": "('>')"}
_TESTS = sorted({*_TEXT_TESTS, *_MISSING_TESTS, *_CENSOR_TESTS, "between", "isin"})
_ENDS = {
    "both": (">=", "<="),
    "neither": (">", "<"),
    "left": (">=", "<"),
    "right": (">", "<="),
}


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
    _steps: tuple[str, ...]
    _predicate: str
    _missing: str

    @property
    def added(self) -> tuple[str, ...]:
        """Columns that `relation` has beside those of the view."""
        return (*self._steps, KEEP, MISSING)

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
            inner = f"(SELECT *, {layer} FROM {inner})"  # noqa: S608 - quoted
        decided = f"{self._predicate} AS {quote(KEEP)}, {self._missing} AS {quote(MISSING)}"
        return f"(SELECT *, {decided} FROM {inner})"  # noqa: S608 - quoted


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
    operands = Operands(table, names, expression)
    conditions = _Conditions(operands)
    try:
        predicate = conditions.condition(tree)
    except RecursionError:
        raise operands.refuse("nested too deeply") from None
    return Condition(
        expression,
        tuple(operands.used.values()),
        tuple(conditions.literals),
        tuple(operands.layers),
        tuple(operands.steps),
        predicate,
        " OR ".join(operands.missing.values()) or "FALSE",
    )


class _Conditions:
    """Turns one tree of conditions into SQL."""

    def __init__(self, operands: Operands) -> None:
        self.of = operands
        self.literals: list[tuple[str, str]] = []

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
        found = self.of.operand(node) if isinstance(node, ast.Name) else None
        if isinstance(found, Field) and found.kind == "boolean":
            return found.sql
        raise self.of.refuse(f"'{self.of.said(node)}' is no condition; {grammar.HELP}")

    def _chain(self, node: ast.Compare) -> str:
        parts, left = [], node.left
        for operator, right in zip(node.ops, node.comparators, strict=True):
            parts.append(self._comparison(left, operator, right))
            left = right
        return f"({' AND '.join(parts)})"

    def _comparison(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> str:
        listed = isinstance(right, ast.List | ast.Tuple)
        self.of.same_unit(left, right)
        if listed or isinstance(operator, ast.In | ast.NotIn):
            if not listed or not isinstance(operator, ast.In | ast.NotIn | ast.Eq | ast.NotEq):
                raise self.of.refuse("`in` needs a list such as [1, 2], and a list needs `in`")
            inside = self._within(self.of.operand(left), _items(right))
            return inside if isinstance(operator, ast.In | ast.Eq) else f"(NOT {inside})"
        sign = _COMPARE.get(type(operator))
        if sign is None:
            raise self.of.refuse("`is` is not known; use == or isna(COLUMN)")
        return self._compare(self.of.operand(left), sign, self.of.operand(right))

    def _within(self, value: Any, items: list[ast.expr]) -> str:  # noqa: ANN401 - an operand
        same = [self._compare(value, "==", self.of.operand(item)) for item in items]
        return f"({' OR '.join(same) or 'FALSE'})"

    def _compare(self, a: Any, sign: str, b: Any) -> str:  # noqa: ANN401 - operands
        if isinstance(a, Interval) and isinstance(b, Interval):
            return _numbers(a, sign, b)
        if isinstance(b, Field) and not isinstance(a, Field):
            a, b, sign = b, a, _TURNED.get(sign, sign)
        if not isinstance(a, Field):
            raise self.of.refuse(
                f"{kind(a)} cannot be compared with {kind(b)}; write numbers without quotes, and "
                "isbelow(COLUMN) for values below detection"
            )
        if isinstance(b, str) and a.kind == "text" and sign in {"==", "!="}:
            self.literals.append((a.column.name, b))
        return f"({a.sql} {'=' if sign == '==' else sign} {self._like(a, b)})"

    def _like(self, a: Field, b: Any) -> str:  # noqa: ANN401 - an operand
        """Return SQL of `b` where it is of the same kind as the column `a`."""
        if isinstance(b, Field) and b.kind == a.kind:
            return b.sql
        if isinstance(b, str) and a.kind == "text":
            return text(b)
        if isinstance(b, str) and a.kind == "date":
            return self._date(b)
        if isinstance(b, bool) and a.kind == "boolean":
            return str(b).upper()
        hints = {
            "text": "write the value in quotes",
            "date": 'write the date as "2019-01-31"',
            "boolean": "compare with True or False",
        }
        raise self.of.refuse(f"{kind(a)} cannot be compared with {kind(b)}; {hints[a.kind]}")

    def _date(self, value: str) -> str:
        try:
            moment = datetime.fromisoformat(value).replace(tzinfo=None)
        except ValueError:
            reason = f"'{grammar.shown(value)}' is no date; write it as \"2019-01-31\""
            raise self.of.refuse(reason) from None
        return f"TIMESTAMP {text(moment.isoformat(sep=' '))}"

    def _test(self, node: ast.Call) -> str:
        """Return SQL of ``isna(COLUMN)``, ``COLUMN.str.contains("x")`` and their like."""
        name, subject, rest = self._called(node)
        options = {word.arg: self.of.plain(word.value) for word in node.keywords}
        if subject is None or name not in _TESTS:
            raise self.of.refuse(f"'{name[:40]}' is not known; the tests are {', '.join(_TESTS)}")
        if name in _CENSOR_TESTS:
            return self._is_censored(subject, _CENSOR_TESTS[name])
        value = self.of.operand(subject)
        if name in _MISSING_TESTS:
            return self._is_missing(value, _MISSING_TESTS[name])
        if name == "isin" and len(rest) == 1 and isinstance(rest[0], ast.List | ast.Tuple):
            return self._within(value, rest[0].elts)
        if name == "between" and len(rest) == 2:  # noqa: PLR2004 - a lower and an upper end
            return self._between(value, rest, str(options.get("inclusive", "both")))
        if name in _TEXT_TESTS and len(rest) == 1:
            return self._text_test(name, value, self.of.plain(rest[0]), options)
        raise self.of.refuse(f"'{name}' got other arguments than it takes")

    def _called(self, node: ast.Call) -> tuple[str, ast.expr | None, list[ast.expr]]:
        """Return name, subject and the other arguments, whichever way the test was written."""
        if isinstance(node.func, ast.Name):
            return node.func.id, node.args[0] if node.args else None, list(node.args[1:])
        if isinstance(node.func, ast.Attribute):
            subject = node.func.value
            if isinstance(subject, ast.Attribute) and subject.attr == "str":
                subject = subject.value
            return node.func.attr, subject, list(node.args)
        raise self.of.refuse("only the named tests can be called")

    def _is_missing(self, value: Any, negation: str) -> str:  # noqa: ANN401 - an operand
        if isinstance(value, str | bool):
            raise self.of.refuse("isna and notna take a column")
        sql = value.low if isinstance(value, Interval) else value.sql
        return f"({sql} IS {negation}NULL)"

    def _is_censored(self, subject: ast.expr, flags: str) -> str:
        name = self.of.name(subject)
        column = None if name is None else self.of.table.column(name)
        if column is None or column.kind != "number":
            raise self.of.refuse("isbelow and isabove take a column of numbers")
        self.of.used[column.name] = column
        if not column.flagged:
            return "FALSE"
        return f"coalesce({quote(column.name + FLAG)} IN {flags}, FALSE)"

    def _between(self, value: Any, ends: list[ast.expr], inclusive: str) -> str:  # noqa: ANN401 - an operand
        if inclusive not in _ENDS:
            raise self.of.refuse(f"inclusive is one of {', '.join(_ENDS)}")
        low, high = _ENDS[inclusive]
        first = self._compare(value, low, self.of.operand(ends[0]))
        return f"({first} AND {self._compare(value, high, self.of.operand(ends[1]))})"

    def _text_test(self, name: str, value: Any, wanted: object, options: dict[Any, Any]) -> str:  # noqa: ANN401 - an operand
        if not isinstance(value, Field) or value.kind != "text":
            raise self.of.refuse(f"{name} is for columns of text; compare numbers with < and >")
        if not isinstance(wanted, str) or not wanted:
            raise self.of.refuse(f"{name} takes a text in quotes")
        if "\\" in wanted or ".*" in wanted or ".+" in wanted or wanted.startswith("^"):
            raise self.of.refuse(f"{name} takes plain text, no pattern; `a|b` means a or b")
        words = [wanted] if options.get("regex") is False else wanted.split("|")
        left, right = value.sql, [text(word) for word in words if word]
        if options.get("case", True) is False:
            left, right = f"lower({left})", [f"lower({word})" for word in right]
        found = " OR ".join(f"{_TEXT_TESTS[name]}({left}, {word})" for word in right) or "FALSE"
        return f"coalesce({found}, FALSE)" if options.get("na") is False else f"({found})"


def _items(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.List | ast.Tuple) else []


def _numbers(a: Interval, sign: str, b: Interval) -> str:
    """Return any of the six comparisons by way of ``<`` and ``==``."""
    if sign in {"<", ">"}:
        return interval.less(a, b) if sign == "<" else interval.less(b, a)
    if sign in {"<=", ">="}:
        return f"(NOT {interval.less(b, a) if sign == '<=' else interval.less(a, b)})"
    return interval.equal(a, b) if sign == "==" else f"(NOT {interval.equal(a, b)})"
