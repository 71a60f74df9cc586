"""Whether a content that comes in parts is one JSON document."""

import codecs

from camillo_server.domain.errors import NotJson
from camillo_server.json_parts.grammar import Grammar
from camillo_server.json_parts.structure import Structure

DEFAULT_MAX_BYTES = 32 * 1024 * 1024

_SPACES = b" \t\r\n"
_CLOSERS = {b"{": b"}", b"[": b"]"}


class JsonValidator:
    """Is fed the parts in their order. A single number, string or literal is no document here.

    Of a content beyond `max_bytes` it checks so many, and whether the last byte closes what the first one opens.
    """

    def __init__(self, max_bytes: int = DEFAULT_MAX_BYTES) -> None:
        self._left = max_bytes
        self._structure = Structure()
        self._grammar: Grammar | None = Grammar()
        self._begin = b""
        self._closer = b""
        self._last = b""
        self._is_refuted = False

    def feed(self, part: bytes) -> None:
        """Takes CPU time, one to three seconds for 32 MiB, until the answer is known."""
        if self._is_refuted:
            return
        if not self._closer:
            self._look_at_begin(part)
        self._last = part.rstrip(_SPACES)[-1:] or self._last
        if self._grammar is not None and not self._is_refuted:
            self._check(self._grammar, part[: self._left])
        self._left -= len(part)
        if self._left < 0:
            self._left, self._grammar = 0, None

    def finish(self) -> bool:
        """Whether it is a document."""
        if self._is_refuted or not self._closer or self._last != self._closer:
            return False
        if self._grammar is None:
            return True
        try:
            self._structure.finish()
            self._grammar.finish()
        except NotJson:
            return False
        return True

    def _look_at_begin(self, part: bytes) -> None:
        begin, self._begin = self._begin + part, b""
        if len(begin) < len(codecs.BOM_UTF8) and codecs.BOM_UTF8.startswith(begin):
            self._begin = begin
            return
        first = begin.removeprefix(codecs.BOM_UTF8).lstrip(_SPACES)[:1]
        if first:
            self._closer = _CLOSERS.get(first, b"")
            self._is_refuted = not self._closer

    def _check(self, grammar: Grammar, part: bytes) -> None:
        try:
            for stretch in self._structure.stretches(part):
                grammar.feed(stretch.skeleton(0, len(stretch.text)))
        except NotJson:
            self._is_refuted = True
