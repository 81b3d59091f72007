"""JSON: an array of records, one record a line, or an object that holds one array of records.

Keys are collected over all records, in order of first appearance; a record without a key has a
blank cell there. Nested values stay JSON text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import duckdb

from workbench.errors import Refused
from workbench.formats.counting import text_head
from workbench.formats.encoding import Encoding, decide, decode, guess, to_utf8
from workbench.formats.format import Glimpse, Head, HeaderCell, Layout, LineMap, RawTable
from workbench.formats.quoting import cell_sql, text
from workbench.formats.reading import WIDE, Reading
from workbench.limits import Limits
from workbench.workspace import OpenFile, shown

_START = re.compile(r'\s*(?:\[\s*(?:[\[{"\d\]-]|true|false|null)|\{\s*["}])')
_KEYS = 20_000
# An object that wraps its records is held in memory whole, some ten times its size.
_WRAPPED_BYTES = 50_000_000
_MARGIN = 1_000_000


class JsonRecords:
    """JSON and JSON lines."""

    name = "JSON records"
    extensions = ("json", "jsonl", "ndjson")
    is_data = True
    rank = 40
    by_extension = True

    def recognises(self, glimpse: Glimpse) -> bool:
        """Tell by the first signs; a short file must also parse."""
        encoding = guess(glimpse.head)
        if encoding is None:
            return False
        head = decode(glimpse.head, encoding)
        if not _START.match(head):
            return False
        return _parses(head) if glimpse.whole else True

    def head(self, file: OpenFile, n: int, limits: Limits) -> Head:
        """Return the first lines and the number of lines."""
        return text_head(file, n, limits)

    def read(self, file: OpenFile, into: Reading) -> Sequence[RawTable]:
        """Read the records of a file.

        Raises
        ------
        Refused
            If it is not valid JSON or holds no array of records.
        """
        into.check_size(file)
        encoding = guess(Glimpse.of(file).head)
        if encoding is None:
            raise Refused(f"'{shown(file.name)}': the file holds binary data, not JSON")
        encoding = decide(file, encoding)
        path = _as_utf8(file, encoding, into)
        relation = _objects(file, path, into)
        keys = _keys(file, relation, into)
        raw, rows = _cells(relation, keys, into)
        layout = Layout(encoding=encoding.name, header_rows=0)
        headers = tuple(map(HeaderCell, keys))
        return (RawTable(raw, headers, rows, layout=layout, lines=LineMap.starting(1)),)


def _parses(head: str) -> bool:
    """Tell whether a short text is JSON, or JSON line by line."""
    try:
        json.loads(head)
    except RecursionError:
        return True
    except ValueError:
        first = head.lstrip().split("\n", 1)[0]
        try:
            return isinstance(json.loads(first), dict)
        except ValueError:
            return False
    return True


def _as_utf8(file: OpenFile, encoding: Encoding, into: Reading) -> Path:
    if encoding.codec == "utf-8" and not encoding.mark:
        return file.path
    target = into.folder / "text"
    to_utf8(file, encoding, target)
    return target


def _objects(file: OpenFile, path: Path, into: Reading) -> str:
    """Take every record into a relation with one JSON column."""
    into.told("load", 0.0)
    with path.open("rb") as stream:
        head = stream.read(65_536).decode("utf-8", errors="replace").lstrip()
    if head.startswith("["):
        return _by_engine(file, path, into, "array")
    wrapped = _wrapped(file, path)
    if wrapped is None:
        return _by_engine(file, path, into, "newline_delimited")
    target = into.folder / "records"
    with target.open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(record) + "\n" for record in wrapped)
    return _by_engine(file, target, into, "newline_delimited")


def _wrapped(file: OpenFile, path: Path) -> list[object] | None:
    """Return the one array of records of an object; None if the file has one object a line."""
    with path.open("rb") as stream:
        first = stream.readline(_MARGIN).strip()
        second = stream.readline(_MARGIN).strip()
    try:
        if second.startswith(b"{") and isinstance(json.loads(first), dict):
            return None
    except (ValueError, RecursionError):
        pass
    if file.size > _WRAPPED_BYTES:
        raise Refused(
            f"'{shown(file.name)}': one JSON object of {file.size:,} bytes; write its records one "
            "a line (JSON lines)"
        )
    try:
        whole = json.loads(path.read_bytes())
    except RecursionError:
        raise Refused(f"'{shown(file.name)}': JSON nested too deeply; not read") from None
    except ValueError as error:
        raise Refused(f"'{shown(file.name)}': not valid JSON ({str(error)[:100]})") from None
    arrays = [value for value in whole.values() if isinstance(value, list) and value]
    records = [value for value in arrays if all(isinstance(item, dict) for item in value)]
    if len(records) != 1:
        raise Refused(
            f"'{shown(file.name)}': a JSON object with {len(records)} arrays of records; one is "
            "read, so keep the records in a file of their own"
        )
    return list(records[0])


def _by_engine(file: OpenFile, path: Path, into: Reading, kind: str) -> str:
    relation = into.relation()
    into.use_threads(0)
    try:
        into.con.execute(
            f"CREATE TABLE {relation} AS SELECT json FROM read_json_objects("  # noqa: S608 - quoted
            f"{text(str(path))}, format = '{kind}', compression = 'none', "
            "maximum_object_size = 67108864)"
        )
    except duckdb.Error as error:
        reason = str(error).split("\n", 1)[0].split(":", 1)[-1].strip().replace(str(path), "file")
        raise Refused(f"'{shown(file.name)}': not valid JSON ({reason[:120]})") from None
    return relation


def _keys(file: OpenFile, relation: str, into: Reading) -> list[str]:
    """Return the keys of all records in order of first appearance."""
    odd, every = into.one(
        f"SELECT count(*) FILTER (json_type(json) <> 'OBJECT'), count(*) FROM {relation}"  # noqa: S608 - our own name
    )
    if odd or not every:
        what = "an array of values, not of records" if every else "no records"
        raise Refused(f"'{shown(file.name)}': JSON with {what}; a table needs records with keys")
    rows = into.con.execute(
        f"""SELECT key FROM (
            SELECT unnest(json_keys(json)) AS key, rowid AS row,
                   generate_subscripts(json_keys(json), 1) AS place FROM {relation})
        GROUP BY key ORDER BY min(row), min(place) LIMIT {_KEYS + 1}"""  # noqa: S608
    ).fetchall()
    keys = [str(row[0]) for row in rows]
    if not keys or len(keys) > _KEYS:
        raise Refused(
            f"'{shown(file.name)}': JSON records with {'no' if not keys else 'over 20,000'} keys; "
            "not a table"
        )
    return keys


def _cells(relation: str, keys: Sequence[str], into: Reading) -> tuple[str, int]:
    """Take every key of every record as text."""
    pointers = ", ".join(text("/" + key.replace("~", "~0").replace("/", "~1")) for key in keys)
    cells = ", ".join(
        f"{cell_sql(f'cells[{place + 1}]')} AS c{place}" for place in range(len(keys))
    )
    lists = f"SELECT json_extract_string(json, [{pointers}]) AS cells FROM {relation}"  # noqa: S608 - quoted
    if len(keys) > WIDE:
        found = into.con.execute(lists)
        pages = iter(lambda: found.fetchmany(100), [])
        return into.gather(len(keys), (row[0] for page in pages for row in page))
    raw = into.relation()
    into.con.execute(f"CREATE TABLE {raw} AS SELECT {cells} FROM ({lists})")  # noqa: S608 - quoted
    into.con.execute(f"DROP TABLE {relation}")
    (rows,) = into.one(f"SELECT count(*) FROM {raw}")  # noqa: S608
    return raw, int(rows)


FORMATS = (JsonRecords(),)
