"""Whether a content that comes in parts is one JSON document."""

import codecs
import re

import ijson

from camillo_server.kernel.errors import NotJson
from camillo_server.outputs.json_parts.structure import Structure

# The parser makes a number of the digits, which Python refuses to do of thousands of them, and of large exponents;
# whether a number is well formed shows in its first digits.
_DIGITS_SENT = 16
# The parser lets no other thread run meanwhile: about a millisecond.
_PART_BYTES = 16 * 1024
_MORE_DIGITS = re.compile(rb"([0-9]{16})[0-9]+")
_FIRST_DIGITS = re.compile(rb"[0-9]*")
_LAST_DIGITS = re.compile(rb"[0-9]{0,16}\Z")
DEFAULT_MAX_BYTES = 32 * 1024 * 1024
_SPACES = b" \t\r\n"
_CLOSERS = {b"{": b"}", b"[": b"]"}


class Grammar:
    """Is fed the skeleton of a document (`structure`) in parts."""

    def __init__(self) -> None:
        self._events = ijson.sendable_list()
        self._parser = ijson.get_backend("yajl2_c").basic_parse_coro(self._events)
        self._digits_open = 0

    def feed(self, skeleton: bytes) -> None:
        """Raises NotJson; is of no use thereafter."""
        for start in range(0, len(skeleton), _PART_BYTES):
            if shortened := self._shortened(skeleton[start : start + _PART_BYTES]):
                self._send(shortened)

    def _shortened(self, skeleton: bytes) -> bytes:
        """Without the digits of a number that are too many, be they of this part or of more than one."""
        first = _FIRST_DIGITS.match(skeleton)
        leading = first.end() if first else 0
        sent = min(leading, _DIGITS_SENT - self._digits_open)
        if leading == len(skeleton):
            self._digits_open += sent
        else:
            last = _LAST_DIGITS.search(skeleton, max(leading, len(skeleton) - _DIGITS_SENT))
            self._digits_open = len(last.group()) if last else 0
        return skeleton[:sent] + _MORE_DIGITS.sub(rb"\1", skeleton[leading:])

    def finish(self) -> None:
        """Raises NotJson if the document is not complete, or not one."""
        # Sending nothing is the end of the text.
        self._send(b"")

    def _send(self, text: bytes) -> None:
        try:
            self._parser.send(text)
        except StopIteration:
            pass
        # Of numbers the parser lets through what Python raises.
        except (ijson.JSONError, ValueError, ArithmeticError, SystemError):
            raise NotJson from None
        finally:
            del self._events[:]


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
