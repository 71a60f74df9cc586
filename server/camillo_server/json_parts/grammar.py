"""Whether text is one JSON document by the grammar, with strings emptied before: yajl does the work."""

import re

import ijson

from camillo_server.domain.errors import NotJson

# The parser makes a number of the digits, which Python refuses to do of thousands of them, and of large exponents;
# whether a number is well formed shows in its first digits.
_DIGITS_SENT = 16
# The parser lets no other thread run meanwhile: about a millisecond.
_PART_BYTES = 16 * 1024
_MORE_DIGITS = re.compile(rb"([0-9]{16})[0-9]+")
_FIRST_DIGITS = re.compile(rb"[0-9]*")
_LAST_DIGITS = re.compile(rb"[0-9]{0,16}\Z")


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
