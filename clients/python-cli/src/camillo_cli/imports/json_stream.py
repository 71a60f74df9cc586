"""Values of a JSON file one after the other, however large it is: lines, or the elements of its lists."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from camillo_cli.arguments import encoding

# In characters: the longest value that is held unless a caller allows more, how much is read at once, and a document
# that is looked at as a whole.
MAX_VALUE = 16 * 1024 * 1024
CHUNK = 256 * 1024
SMALL = 1024 * 1024
# Longer numbers are kept as texts: a double has 17 digits.
MAX_DIGITS = 20
_BLANK = " \t\r\n"


@dataclass(frozen=True, slots=True)
class Part:
    """A value and where it stands: `line 3`, `[3]`, `results[3]`, `user_id`.

    `name` is that of the list or of the value in the document's object; empty for a line and for an element of a list
    that is the document. `problem` says why there is no value.
    """

    where: str
    value: Any = None
    name: str = ""
    problem: str = ""


class _Broken(Exception):
    """The rest cannot be read; the message says why."""


def read_parts(file: BinaryIO, max_value: int = MAX_VALUE) -> Iterator[Part]:
    """The values of a seekable file, from its beginning: each line of JSON lines, each element of a document's list and
    of the lists in a document's object, and the other members of that object. A small object without a list of objects
    is one value.

    A value that cannot be read is a part with a problem. It ends a document, whose rest has no known place; other lines
    follow. Raises UnicodeDecodeError.
    """
    file.seek(0)
    mark = encoding(file.read(4))
    file.seek(0)
    text = io.TextIOWrapper(file, mark, newline="\n")
    try:
        if _has_lines(text):
            yield from _lines(text, max_value)
        elif (whole := _small(text)) is not None:
            yield whole
        else:
            yield from _Document(text, max_value).parts()
    finally:
        # The file is the caller's.
        text.detach()


def _has_lines(text: io.TextIOWrapper) -> bool:
    """Whether the first line is a whole value, which another one follows. Leaves the text at its beginning."""
    values = _Values()
    first, rest = "", ""
    while not first.strip() and (line := text.readline(SMALL)):
        first = line
    while not rest.strip() and (line := text.readline(CHUNK)):
        rest = line
    text.seek(0)
    try:
        end = values.decode(first.lstrip(_BLANK), 0)[1]
    except (ValueError, RecursionError):
        return False
    # Two writers at once leave two values in a line.
    return bool(rest.strip() or first.lstrip(_BLANK)[end:].strip())


def _small(text: io.TextIOWrapper) -> Part | None:
    """The document, if it is a small object that is one record. Leaves the text at its beginning."""
    values = _Values()
    content = text.read(SMALL + 1)
    text.seek(0)
    at = _behind_blank(content, 0)
    if len(content) > SMALL or content[at : at + 1] != "{":
        return None
    try:
        value, end = values.decode(content, at)
    except (ValueError, RecursionError):
        return None
    lists = (each for each in value.values() if isinstance(each, list))
    if content[end:].strip() or any(all(isinstance(each, dict) for each in found) for found in lists):
        return None
    return Part("the document", value, problem=values.problem)


def _lines(text: io.TextIOWrapper, max_value: int) -> Iterator[Part]:
    values = _Values()
    number = 0
    while line := text.readline(max_value + 1):
        number += 1
        where = f"line {number:,}"
        if len(line) > max_value:
            yield Part(where, problem=f"is longer than {max_value >> 20} MiB")
            while line and not line.endswith("\n"):
                line = text.readline(CHUNK)
            continue
        at = _behind_blank(line, 0)
        try:
            while at < len(line):
                value, at = values.decode(line, at)
                yield Part(where, value, problem=values.problem)
                at = _behind_blank(line, at)
        except (ValueError, RecursionError) as error:
            yield Part(where, problem=_why(error))


class _Values:
    """Decodes JSON of somebody else: names that an object has twice are told, NaN and long numbers are texts."""

    def __init__(self) -> None:
        self.problem = ""
        self._decode = json.JSONDecoder(
            object_pairs_hook=self._object, parse_constant=str, parse_int=_integer, strict=False
        ).raw_decode

    def decode(self, text: str, at: int) -> tuple[Any, int]:
        """A value and where it ends. Raises ValueError, RecursionError."""
        self.problem = ""
        return self._decode(text, at)

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            self.problem = f"has the name {twice[:100]!r} twice"
        return found


class _Document:
    """A document that is read piece by piece."""

    def __init__(self, text: io.TextIOWrapper, max_value: int) -> None:
        self._text, self._max_value = text, max_value
        self._values = _Values()
        self._held, self._at, self._is_end = "", 0, False

    def parts(self) -> Iterator[Part]:
        where = "the document"
        try:
            match self._next():
                case "":
                    return
                case "[":
                    yield from self._elements("")
                case "{":
                    yield from self._members()
                case _:
                    yield Part(where, self._value())
            if self._next():
                raise _Broken("something follows its end")
        except _Broken as error:
            yield Part(where, problem=str(error))

    def _members(self) -> Iterator[Part]:
        self._at += 1
        while (sign := self._next()) != "}":
            if sign == ",":
                self._at += 1
                self._next()
            name = self._value()
            if not isinstance(name, str) or self._next() != ":":
                raise _Broken("is not JSON (a name and a value were expected)")
            self._at += 1
            if self._next() == "[":
                yield from self._elements(name)
            else:
                value = self._value()
                yield Part(name, value, name, self._values.problem)
            if self._next() not in (",", "}"):
                raise _Broken(f"is not JSON behind {name[:100]!r}, or is cut")
        self._at += 1

    def _elements(self, name: str) -> Iterator[Part]:
        self._at += 1
        number = 0
        while (sign := self._next()) != "]":
            if sign == ",":
                self._at += 1
            where = f"{name}[{number}]"
            try:
                value = self._value()
            except _Broken as error:
                raise _Broken(f"{where} {error}; nothing behind it was read") from error
            yield Part(where, value, name, self._values.problem)
            number += 1
            if self._next() not in (",", "]"):
                raise _Broken(f"is not JSON behind {where}, or is cut there")
        self._at += 1

    def _next(self) -> str:
        """The next character that is not blank; empty at the end."""
        while True:
            self._at = _behind_blank(self._held, self._at)
            if self._at < len(self._held):
                return self._held[self._at]
            if not self._read():
                return ""

    def _value(self) -> Any:
        self._next()
        while True:
            try:
                value, end = self._values.decode(self._held, self._at)
                rest = len(self._held) - end
                # A number may go on in what is not read yet.
                if rest or not self._read():
                    self._at = len(self._held) - rest
                    return value
            except (ValueError, RecursionError) as error:
                if not isinstance(error, json.JSONDecodeError) or not self._read():
                    raise _Broken(_why(error)) from error

    def _read(self) -> bool:
        """Reads on, more for a value that is long already, so that decoding it again costs as much as it is long.
        Whether there was more."""
        pending = len(self._held) - self._at
        if pending > self._max_value:
            raise _Broken(f"is longer than {self._max_value >> 20} MiB, or not JSON")
        chunk = self._text.read(max(CHUNK, pending))
        self._held, self._at = self._held[self._at :] + chunk, 0
        return bool(chunk)


def _behind_blank(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANK:
        at += 1
    return at


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) <= MAX_DIGITS else digits


def _why(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"is not JSON ({error.msg})"
    return "is nested too deeply" if isinstance(error, RecursionError) else "is not JSON that can be read"
