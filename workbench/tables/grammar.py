"""From the text of an expression to a Python syntax tree that holds nothing but data.

Column names may stand bare or in backticks; ``& | ~`` read as ``and or not``. The tree is never
run: `workbench.tables.expression` walks it over an allow-list.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Mapping

from workbench.errors import Refused
from workbench.visible import visible

MOST_CHARACTERS = 2_000
_SIGNS = {"&": "and", "|": "or", "~": "not"}
_SPELLED = {"AND": "and", "OR": "or", "NOT": "not", "IN": "in"}
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`((?:[^`]|``)+)`", re.DOTALL)
# Stands for a name in backticks until the tree is made; a header like it goes in backticks too.
_STAND_IN = "column·{}"


def parse(text: str) -> tuple[ast.expr, dict[str, str]]:
    """Parse an expression.

    Parameters
    ----------
    text : str
        For example ``Au_ppb > 20 and Lithology in ["Basalt", "Dolerite"]``.

    Returns
    -------
    tree : ast.expr
    names : dict of str to str
        Stand-in → column name, for names that stood in backticks.

    Raises
    ------
    Refused
        If it is empty, too long or no expression of this grammar.
    """
    if not text.strip():
        raise Refused(f"expression: it is empty; {HELP}")
    if len(text) > MOST_CHARACTERS:
        raise Refused(
            f"expression of {len(text):,} characters: at most {MOST_CHARACTERS:,} are allowed; "
            "use `in [...]` for lists, or filter in two steps"
        )
    if _STAND_IN.format("") in _QUOTED.sub("", text):
        raise Refused(f"expression '{shown(text)}': names that hold signs go in backticks")
    names: dict[str, str] = {}
    plain = _QUOTED.sub(lambda hit: _in_backticks(hit, names), text.replace("\n", " ").strip())
    tree = _tree(plain, names, {}) or _tree(plain, names, _SPELLED)
    if tree is None:
        raise Refused(f"expression '{shown(text)}': {_why(plain)}; {HELP}")
    if any(isinstance(node, ast.Constant) and "\0" in str(node.value) for node in ast.walk(tree)):
        raise Refused(f"expression '{shown(text)}': a text holds a null character; leave it out")
    return tree, names


HELP = (
    'write it like Au_ppb > 20 and Lithology in ["Basalt", "Dolerite"]; names that hold blanks or '
    "signs go in backticks, text in quotes"
)


def shown(text: str) -> str:
    """Return the text as an error message may show it."""
    text = visible(text)
    return text if len(text) <= 80 else f"{text[:70]}…[+{len(text) - 70:,}]"  # noqa: PLR2004 - fits one line


def _in_backticks(hit: re.Match[str], names: dict[str, str]) -> str:
    return hit[0] if hit[1] is None else _stand_in(hit[1].replace("``", "`"), names)


def _stand_in(name: str, names: dict[str, str]) -> str:
    word = _STAND_IN.format(len(names))
    names[word] = name
    return word


def _tree(text: str, names: dict[str, str], spelled: Mapping[str, str]) -> ast.expr | None:
    """Return the tree of a text; None if it has none."""
    try:
        return ast.parse("".join(_words(text, names, spelled)).strip(), mode="eval").body
    except (SyntaxError, tokenize.TokenError, ValueError, RecursionError, MemoryError):
        return None


def _words(text: str, names: dict[str, str], spelled: Mapping[str, str]) -> Iterator[str]:
    """Yield the tokens of a text, with signs for and, or, not written as words."""
    end = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in {tokenize.NEWLINE, tokenize.ENDMARKER}:
            continue
        yield " " * (token.start[1] - end)
        end = token.end[1]
        word = token.string
        if token.type == tokenize.OP and word in _SIGNS:
            word = f" {_SIGNS[word]} "
        elif token.type == tokenize.NAME:
            word = spelled.get(word, word)
            # Python folds letters such as µ in names to others; the header has the original.
            if not word.isascii() and word not in names:
                word = _stand_in(word, names)
        yield word


def _why(text: str) -> str:
    """Say the likely slip in words; Python's own message would speak of Python."""
    bare = re.sub(r"\"[^\"]*\"|'[^']*'", "", text)
    if re.search(r"\bis\s+(not\s+)?null\b", bare, re.IGNORECASE):
        return "write isna(COLUMN) or notna(COLUMN) for missing values"
    if re.search(r"(?<![=<>!])=(?!=)", bare):
        return "a comparison for equal is written =="
    if "<>" in bare:
        return "a comparison for unequal is written !="
    if re.search(r"[<>=]=?\s*[<>]", bare):
        return 'compare with the number alone: Au_ppb < 5, not Au_ppb == "<5"'
    return "it cannot be read"
