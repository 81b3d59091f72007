"""What a tool hands back: facts, previews, text and files made; never a finished message.

A reply is made in the child and travels as JSON. The gate in the parent turns it into text and
holds the limits there, so that a child that lies about its own output still cannot exceed them.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

# What a call carries beside its arguments: whether first lines may serve, or did.
FIRST_LINES = "§first_lines"
# And which snapshots are lent to a script.
LENT = "§lent"


def text_id(sha256: str) -> str:
    """Return the id of a stored text of a hash: it follows from the text and cannot be forged."""
    return f"t{sha256[:12]}"


@dataclass(frozen=True)
class Preview:
    """A few rows of a table.

    Attributes
    ----------
    title : str
        What the rows are.
    columns : tuple of str
        Column names.
    rows : tuple of tuple
        Cells as JSON values.
    total : int
        Rows there are.
    full : str
        Where all rows are: a result path or the file itself.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    total: int
    full: str = ""


@dataclass(frozen=True)
class Text:
    """A stretch of a text, or the first lines of a data file.

    Attributes
    ----------
    body : str
        The stretch.
    name : str
        Name or id of the whole.
    kind : {"prose", "data", "output"}
        Whether the whole is text to read, rows, or what a program wrote: its body is then all of
        it, or as many lines from the start as from the end.
    total_chars, total_lines : int
        Size of the whole.
    offset : int
        Characters before the stretch.
    exact : bool
        False if there are at least `total_lines`, and maybe more.
    """

    body: str
    name: str
    kind: Literal["prose", "data", "output"]
    total_chars: int
    total_lines: int
    offset: int = 0
    exact: bool = True


@dataclass(frozen=True)
class Made:
    """A result file that a tool says it wrote; the parent checks it before it believes it.

    Attributes
    ----------
    path : str
        Name relative to the run's folder.
    bytes : int
        Size.
    sha256 : str
        Hash in hexadecimal.
    media_type : str
        For example ``text/csv``.
    rows, columns : int or None
        Where it is a table.
    made_by : dict
        ``tool, parameters, seed, inputs``.
    """

    path: str
    bytes: int
    sha256: str
    media_type: str
    rows: int | None = None
    columns: int | None = None
    made_by: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Reply:
    """What one tool call came to.

    Attributes
    ----------
    facts : dict
        The numbers and words that decide something, in reading order; JSON values.
    previews : tuple of Preview
    text : Text or None
    made : tuple of Made
        Files written.
    notes : tuple of str
        Sentences a reader must know: guesses, policies, warnings.
    limits_hit : tuple of str
        Keys of rows that the tool itself held.
    raw_tokens : dict
        Name of each file looked at → tokens that reading it raw would have cost.
    snapshots : dict
        Name of each table used → hash of its snapshot.
    kept : tuple of str
        Ids of texts that are to be kept.
    inputs : dict
        Name of each file used → hash of its bytes.
    rules : dict
        Rule that is only asked for → whether this call kept it.
    packages : tuple of str
        Packages that a script asked for and did not get.
    walls : dict
        What confined a script, empty for every other tool.
    first_lines : dict
        Name of each file of which only the first lines were looked at → what was taken; see
        `workbench.tables.firstlines.FirstLines`.
    versions : dict
        Library that the call computed with → its version, besides what every child reads by.
    """

    facts: dict[str, Any] = field(default_factory=dict)
    previews: tuple[Preview, ...] = ()
    text: Text | None = None
    made: tuple[Made, ...] = ()
    notes: tuple[str, ...] = ()
    limits_hit: tuple[str, ...] = ()
    raw_tokens: dict[str, int] = field(default_factory=dict)
    snapshots: dict[str, str] = field(default_factory=dict)
    kept: tuple[str, ...] = ()
    inputs: dict[str, str] = field(default_factory=dict)
    rules: dict[str, bool] = field(default_factory=dict)
    packages: tuple[str, ...] = ()
    walls: dict[str, str] = field(default_factory=dict)
    first_lines: dict[str, dict[str, Any]] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)

    @property
    def evidence(self) -> str:
        """What the call found, as text that is equal where it is: facts, previews and notes."""
        rows = [[item.title, item.columns, item.rows, item.total] for item in self.previews]
        told = {"facts": self.facts, "previews": rows, "notes": self.notes}
        return json.dumps(told, ensure_ascii=False, sort_keys=True, indent=1, default=str)

    def to_json(self) -> dict[str, Any]:
        """Return the reply as JSON values."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Reply:
        """Rebuild a reply from a child's JSON.

        Raises
        ------
        ValueError, TypeError, KeyError
            If the JSON is not a reply.
        """
        text = data.get("text")
        return cls(
            facts={str(key): value for key, value in dict(data.get("facts", {})).items()},
            previews=tuple(_preview(item) for item in data.get("previews", ())),
            text=None if text is None else _text(text),
            made=tuple(_made(item) for item in data.get("made", ())),
            notes=tuple(str(note) for note in data.get("notes", ())),
            limits_hit=tuple(str(key) for key in data.get("limits_hit", ())),
            raw_tokens={str(k): int(v) for k, v in dict(data.get("raw_tokens", {})).items()},
            snapshots={str(k): str(v) for k, v in dict(data.get("snapshots", {})).items()},
            kept=tuple(str(key) for key in data.get("kept", ())),
            inputs={str(k): str(v) for k, v in dict(data.get("inputs", {})).items()},
            rules={str(k): bool(v) for k, v in dict(data.get("rules", {})).items()},
            packages=tuple(str(name) for name in data.get("packages", ())),
            walls={str(k): str(v) for k, v in dict(data.get("walls", {})).items()},
            first_lines={str(k): _taken(v) for k, v in dict(data.get("first_lines", {})).items()},
            versions={str(k)[:40]: str(v)[:40] for k, v in dict(data.get("versions", {})).items()},
        )


def _taken(item: dict[str, Any]) -> dict[str, Any]:
    """Return what was taken of a file, and nothing else."""
    counts = {key: int(item[key]) for key in ("bytes", "lines", "of_bytes")}
    return {**counts, "sha256": str(item["sha256"])[:64]}


def _made(item: dict[str, Any]) -> Made:
    return Made(
        path=str(item["path"]),
        bytes=int(item["bytes"]),
        sha256=str(item["sha256"]),
        media_type=str(item["media_type"])[:100],
        rows=_whole(item.get("rows")),
        columns=_whole(item.get("columns")),
        made_by={str(key): value for key, value in dict(item.get("made_by") or {}).items()},
    )


def _whole(value: object) -> int | None:
    return None if value is None else int(str(value))


def _preview(item: dict[str, Any]) -> Preview:
    return Preview(
        title=str(item["title"]),
        columns=tuple(str(name) for name in item["columns"]),
        rows=tuple(tuple(row) for row in item["rows"]),
        total=int(item["total"]),
        full=str(item.get("full", "")),
    )


def _text(item: dict[str, Any]) -> Text:
    return Text(
        body=str(item["body"]),
        name=str(item["name"]),
        kind=item["kind"] if item["kind"] in {"data", "output"} else "prose",
        total_chars=int(item["total_chars"]),
        total_lines=int(item["total_lines"]),
        offset=int(item.get("offset", 0)),
        exact=bool(item.get("exact", True)),
    )
