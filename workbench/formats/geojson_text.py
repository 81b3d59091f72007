"""The features of a GeoJSON text, one after the other, without holding the text in memory.

Numbers keep the text they are written with. A feature collection, one feature, and features line by
line are read; what is nested too deeply, cut or no JSON is refused.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from workbench.errors import Refused
from workbench.formats.encoding import Encoding
from workbench.workspace import OpenFile, shown

_BLOCK = 262_144
# One feature, or one member beside the features, is held in memory whole.
_VALUE_CHARS = 64_000_000
# A number of more digits stays text; Python converts no more than some thousand.
_DIGITS = 300
_WHITE = re.compile(r"[ \t\r\n\x1e\ufeff]*")

Feature = dict[str, Any]


class Literal(str):
    """A number as it is written."""

    __slots__ = ()


_DECODER = json.JSONDecoder(parse_float=Literal, parse_int=Literal, parse_constant=lambda _: None)


@dataclass
class Features:
    """A pass over the features of a file.

    Parameters
    ----------
    file : OpenFile
        GeoJSON.
    encoding : Encoding
        Of its text.
    told : callable
        Called with the share that has been read; what it raises ends the pass.
    members : dict
        What stands beside the features of a collection; complete after the pass.
    """

    file: OpenFile
    encoding: Encoding
    told: Callable[[float], None]
    members: dict[str, Any] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Feature]:
        """Yield the features.

        Raises
        ------
        Refused
            If the text is no JSON, is nested too deeply, or holds no features.
        """
        with io.TextIOWrapper(
            io.BufferedReader(self._stream()), encoding=self.encoding.codec, errors="replace"
        ) as source:
            text = _Buffer(source, self.file, self.told)
            if text.peek() != "{":
                raise self._refused("it does not begin with an object")
            yield from self._objects(text)

    def _stream(self) -> io.FileIO:
        stream = self.file.stream()
        stream.seek(self.encoding.mark)
        return stream

    def _objects(self, text: _Buffer) -> Iterator[Feature]:
        """Yield from every object of the text: a collection, or a feature a line."""
        while text.peek():
            whole: Feature = {}
            text.take("{")
            while text.peek() != "}":
                key = text.value()
                text.take(":")
                if key == "features" and text.peek() == "[":
                    yield from self._array(text)
                else:
                    whole[str(key)] = text.value()
                if text.peek() != "}":
                    text.take(",")
            text.take("}")
            if whole.get("type") == "Feature":
                yield whole
            else:
                self.members |= whole

    def _array(self, text: _Buffer) -> Iterator[Feature]:
        text.take("[")
        while text.peek() != "]":
            feature = text.value()
            if not isinstance(feature, dict) or feature.get("type") != "Feature":
                raise self._refused("among its features is something that is none")
            yield feature
            if text.peek() != "]":
                text.take(",")
        text.take("]")

    def _refused(self, why: str) -> Refused:
        return Refused(f"'{shown(self.file.name)}': no GeoJSON features ({why}); not read")


class _Buffer:
    """Text that is read on as values ask for it."""

    def __init__(
        self, source: io.TextIOWrapper, file: OpenFile, told: Callable[[float], None]
    ) -> None:
        self._source, self._name, self._told, self._size = source, file.name, told, file.size
        self._text, self._at, self._ended, self._read = "", 0, False, 0

    def _more(self, size: int = _BLOCK) -> bool:
        """Read on; False at the end of the text."""
        block = "" if self._ended else self._source.read(size)
        self._ended = self._ended or not block
        self._read += len(block)
        self._told(self._read / max(self._size, 1))
        self._text, self._at = self._text[self._at :] + block, 0
        return bool(block)

    def peek(self) -> str:
        """Return the next sign that is not white; empty at the end."""
        while True:
            match = _WHITE.match(self._text, self._at)
            self._at = match.end() if match else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def take(self, sign: str) -> None:
        """Step over a sign that must come next."""
        found = self.peek()
        if found != sign:
            raise self._broken(f"'{sign}' expected and {repr(found) if found else 'the end'} found")
        self._at += 1

    def value(self) -> Any:  # noqa: ANN401 - JSON
        """Read the next value whole."""
        self.peek()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
            except RecursionError:
                raise Refused(f"'{shown(self._name)}': JSON nested too deeply; not read") from None
            except ValueError as error:
                failed = str(error)
            else:
                # A number at the end of what was read may go on.
                if end < len(self._text) or self._ended:
                    self._at = end
                    return value
                failed = "the text ends in a value"
            held = len(self._text) - self._at
            if held > _VALUE_CHARS:
                raise self._broken(
                    f"one value of over {_VALUE_CHARS:,} characters, or a broken one"
                )
            if not self._more(max(_BLOCK, held)) and failed != "the text ends in a value":
                raise self._broken(failed[:80])

    def _broken(self, why: str) -> Refused:
        return Refused(f"'{shown(self._name)}': not valid JSON ({why}); export it again")


def as_json(value: object) -> object:
    """Return a value with its numbers as numbers, for writing it as JSON."""
    if isinstance(value, Literal):
        if len(value) > _DIGITS:
            return str(value)
        return float(value) if any(sign in value for sign in ".eE") else int(value)
    if isinstance(value, dict):
        return {key: as_json(item) for key, item in value.items()}
    return [as_json(item) for item in value] if isinstance(value, list) else value
