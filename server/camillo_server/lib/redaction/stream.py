"""Takes secrets out of bytes as they pass; every offset, line number and the size stay what they were."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from camillo_server.lib.outputs.summary.sample import NotableLine, Sample, cleaned
from camillo_server.lib.redaction.detector import BLOCK_BYTES, GATE, REACH_BYTES, Secret, SecretDetector
from camillo_server.lib.redaction.redaction import placeholder

_ALL_BUT_LINE_ENDS = re.compile(rb"[^\r\n]")
_LINE_END = re.compile(rb"[\r\n]")


@dataclass(frozen=True, slots=True)
class CleanedBytes:
    """Some of the bytes of a stream, and the secrets that begin in them; offsets are from the beginning of the stream.

    Each secret has its mask in its place, of the same length. `sent` is what the bytes were before, as many; None
    where that is the same.
    """

    data: bytes
    found: Sequence[Secret] = ()
    sent: bytes | None = None

    @property
    def as_sent(self) -> bytes:
        """The bytes as they were before."""
        return self.data if self.sent is None else self.sent


def mask(kind: str, hidden: bytes) -> bytes:
    """A placeholder and asterisks, so many bytes as there were; the ends of lines stay where they are, and the
    placeholder is in the first line. In text of two bytes for each character the NULs stay too."""
    if b"\0" in hidden:
        wide = bytearray(hidden)
        wide[::2] = mask(kind, bytes(wide[::2]))
        return bytes(wide)
    first_line = _LINE_END.split(hidden, maxsplit=1)[0]
    shown = placeholder(kind, len(first_line)).encode()
    return shown + _ALL_BUT_LINE_ENDS.sub(b"*", hidden[len(shown) :])


def secrets_in(text: bytes, detector: SecretDetector) -> list[Secret]:
    """The secrets in text of one byte for each character and of two, in their order; none overlaps another."""
    found = detector.find(text)
    if b"\0" not in text:
        return found
    apart: list[Secret] = []
    for secret in sorted([*found, *_wide(text, detector)], key=lambda each: each.start):
        if not apart or secret.start >= apart[-1].end:
            apart.append(secret)
    return apart


def _wide(text: bytes, detector: SecretDetector) -> Iterator[Secret]:
    """Secrets in text of two bytes for each character, in either byte order, without the NULs around them."""
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

    block: int = BLOCK_BYTES
    reach: int = REACH_BYTES


class SecretStream:
    """Takes secrets out by the rules that come with the server; not for two threads at once.

    The result depends on the bytes alone, never on how they were cut: blocks begin and end at fixed offsets.
    """

    def __init__(self, detector: SecretDetector | None = None, sizes: Sizes | None = None) -> None:
        """Uses the gate of the process if there is no detector; it is slow for its first seconds: see `warm`."""
        self._detector = detector or SecretDetector()
        self._sizes = sizes or Sizes()
        # The bytes of the stream from `_offset` on; all before `_clean` have been passed on.
        self._kept = bytearray()
        self._offset = self._clean = self._block_start = 0

    def feed(self, data: bytes) -> CleanedBytes:
        """Takes the next bytes; returns those that no later ones can make part of a secret.

        Takes some milliseconds for each MiB, most of it outside of the interpreter's lock.
        """
        self._kept += data
        blocks: list[CleanedBytes] = []
        while self._fed >= self._block_end + self._sizes.reach:
            blocks.append(self._pass_block())
        return _joined(blocks)

    def finish(self) -> CleanedBytes:
        """Returns the rest."""
        blocks: list[CleanedBytes] = []
        while self._clean < self._fed:
            blocks.append(self._pass_block())
        return _joined(blocks)

    @property
    def _fed(self) -> int:
        return self._offset + len(self._kept)

    @property
    def _block_end(self) -> int:
        return self._block_start + self._sizes.block

    def _pass_block(self) -> CleanedBytes:
        """Passes the bytes up to the end of the block, or of a secret that begins in it."""
        end = min(self._block_end, self._fed)
        looked = bytes(memoryview(self._kept)[: end + self._sizes.reach - self._offset])
        found = list(self._found(looked, end))
        clean = self._clean - self._offset
        last = max(end, self._clean, *(secret.end for secret in found)) - self._offset
        sent = looked[clean:last]
        data = self._masked(sent, found) if found else sent
        block = CleanedBytes(data, found, sent if found else None)
        self._clean += len(data)
        self._forget(end)
        return block

    def _found(self, looked: bytes, end: int) -> Iterator[Secret]:
        """Secrets that begin before the end of the block, without what has been passed on."""
        for secret in secrets_in(looked, self._detector):
            first, last = secret.start + self._offset, secret.end + self._offset
            first = max(first, self._clean)
            if first < min(end, last):
                yield Secret(first, last, secret.kind)

    def _masked(self, sent: bytes, found: Sequence[Secret]) -> bytes:
        parts, done = [], 0
        for secret in found:
            start, end = secret.start - self._clean, secret.end - self._clean
            parts += [sent[done:start], mask(secret.kind, sent[start:end])]
            done = end
        return b"".join([*parts, sent[done:]])

    def _forget(self, end: int) -> None:
        """Goes on with the next block, and keeps what may tell about it."""
        self._block_start = end
        forgotten = max(0, end - self._sizes.reach - self._offset)
        del self._kept[:forgotten]
        self._offset += forgotten


def warm() -> None:
    """Returns when streams are as fast as they get: after a second or two of work, the first time."""
    GATE.complete()
    # The rule that most texts ask, and what it excludes, are compiled with the first of its kind.
    SecretDetector().find(b"key: k4j5h6g7f8d9s0a1")


def _joined(blocks: Sequence[CleanedBytes]) -> CleanedBytes:
    if len(blocks) == 1:
        return blocks[0]
    found = [secret for block in blocks for secret in block.found]
    sent = b"".join(block.as_sent for block in blocks) if found else None
    return CleanedBytes(b"".join(block.data for block in blocks), found, sent)


def without_shown_secrets(sample: Sample, new_stream: Callable[[], SecretStream], *, was_searched: bool) -> Sample:
    """The sample with a placeholder for each secret that a reader sees in it though its bytes do not show it:
    escape sequences may stand between its characters, or each may have two bytes.

    Some milliseconds for each MiB of what differs from the bytes that `was_searched` says were searched.
    """

    def shown(text: str) -> str:
        seen = cleaned(text)
        if was_searched and seen == text:
            return text
        stream = new_stream()
        parts = (stream.feed(seen.encode("utf-8", "replace")), stream.finish())
        if not any(part.found for part in parts):
            return text
        return b"".join(part.data for part in parts).decode("utf-8", "replace")

    lines = [NotableLine(line.number, shown(line.text)) for line in sample.notable]
    return replace(sample, head=shown(sample.head), tail=shown(sample.tail), notable=lines)
