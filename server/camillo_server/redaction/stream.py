"""Takes secrets out of bytes as they pass; every offset, line number and the size stay what they were."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from threading import Lock

from camillo_server.redaction.detector import Secret, SecretDetector
from camillo_server.redaction.redaction import CleanedBytes, MaskedSecret
from camillo_server.redaction.redactor import mask
from camillo_server.redaction.secret_gate import GateInTheMaking, fastest_gate

_making = Lock()


def secrets_in(text: bytes, detector: SecretDetector) -> list[Secret]:
    """Those of one byte for each character and those of two, in their order; none overlaps another."""
    found = detector.find(text)
    if b"\0" not in text:
        return found
    apart: list[Secret] = []
    for secret in sorted([*found, *_wide(text, detector)], key=lambda each: each.start):
        if not apart or secret.start >= apart[-1].end:
            apart.append(secret)
    return apart


def _wide(text: bytes, detector: SecretDetector) -> Iterator[Secret]:
    """From the first character to the last: whether a NUL stands before or behind each does not matter then."""
    for first in (0, 1):
        for secret in detector.find(text[first::2]):
            start, end = first + 2 * secret.start, first + 2 * secret.end - 1
            if not any(text[start + 1 : end : 2]):
                yield Secret(start, end, secret.kind)


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many bytes are looked through at once, and how far before and behind them.

    A secret is found if it is no longer than `reach`, and what tells that it is one stands no farther before it; of a
    longer one a part may be found, or nothing. A stream holds at most one block, twice the reach, and what it was fed
    last.
    """

    block: int = 1024 * 1024
    reach: int = 64 * 1024


class SecretStream:
    """`RedactionStream` by the rules that come with the server; not for two threads at once.

    What comes out hangs on the bytes alone, never on how they were cut: blocks begin and end at places of the stream.
    """

    def __init__(self, detector: SecretDetector | None = None, sizes: Sizes | None = None) -> None:
        """Without a detector, the one of the process, which is slow for its first seconds: see `warm`."""
        self._detector = detector or stream_detector()
        self._sizes = sizes or Sizes()
        # The bytes of the stream from `_offset` on; all before `_clean` have been passed on.
        self._kept = bytearray()
        self._offset = self._clean = self._block_start = 0

    def feed(self, data: bytes) -> CleanedBytes:
        """About a millisecond of work for each MiB, most of it outside of the interpreter's lock."""
        self._kept += data
        cleaned: list[CleanedBytes] = []
        while self._fed >= self._block_end + self._sizes.reach:
            cleaned.append(self._pass_block())
        return _joined(cleaned)

    def finish(self) -> CleanedBytes:
        """The rest."""
        cleaned: list[CleanedBytes] = []
        while self._clean < self._fed:
            cleaned.append(self._pass_block())
        return _joined(cleaned)

    @property
    def _fed(self) -> int:
        return self._offset + len(self._kept)

    @property
    def _block_end(self) -> int:
        return self._block_start + self._sizes.block

    def _pass_block(self) -> CleanedBytes:
        """Up to the end of the block, or of a secret that begins in it."""
        end = min(self._block_end, self._fed)
        looked = bytes(memoryview(self._kept)[: end + self._sizes.reach - self._offset])
        found = list(self._found(looked, end))
        data = self._masked(looked, found, end)
        clean = self._clean - self._offset
        sent = looked[clean : clean + len(data)] if found else None
        cleaned = CleanedBytes(data, found, sent)
        self._clean += len(data)
        self._forget(end)
        return cleaned

    def _found(self, looked: bytes, end: int) -> Iterator[MaskedSecret]:
        """What begins before the end of the block, without what has been passed on."""
        for secret in secrets_in(looked, self._detector):
            first, last = secret.start + self._offset, secret.end + self._offset
            first = max(first, self._clean)
            if first < min(end, last):
                yield MaskedSecret(secret.kind, first, last)

    def _masked(self, looked: bytes, found: Sequence[MaskedSecret], end: int) -> bytes:
        parts, clean, offset = [], self._clean, self._offset
        if not found:
            return looked[clean - offset : max(clean, end) - offset]
        for secret in found:
            parts.append(looked[clean - offset : secret.offset - offset])
            parts.append(mask(secret.kind, looked[secret.offset - offset : secret.end - offset]))
            clean = secret.end
        parts.append(looked[clean - offset : max(clean, end) - offset])
        return b"".join(parts)

    def _forget(self, end: int) -> None:
        """Goes on with the next block, and keeps what may tell about it."""
        self._block_start = end
        forgotten = max(0, end - self._sizes.reach - self._offset)
        del self._kept[:forgotten]
        self._offset += forgotten


def warm() -> None:
    """Returns when streams are as fast as they get: after a second or two of work, the first time."""
    _gate().complete()
    # The rule that most texts ask, and what it excludes, are compiled with the first of its kind.
    stream_detector().find(b"key: k4j5h6g7f8d9s0a1")


def stream_detector() -> SecretDetector:
    """What all streams share; for any number of threads."""
    with _making:
        return _detector()


@cache
def _detector() -> SecretDetector:
    return SecretDetector(_gate())


@cache
def _gate() -> GateInTheMaking:
    return GateInTheMaking(fastest_gate)


def _joined(cleaned: Sequence[CleanedBytes]) -> CleanedBytes:
    if len(cleaned) == 1:
        return cleaned[0]
    found = [secret for each in cleaned for secret in each.found]
    sent = b"".join(each.as_sent for each in cleaned) if found else None
    return CleanedBytes(b"".join(each.data for each in cleaned), found, sent)
