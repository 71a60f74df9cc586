"""What is to be known of a content, found while its bytes pass."""

import codecs
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Protocol, Self

from camillo_server.artifacts.artifact import ENCODINGS_WITH_LINES, ArtifactDraft, ContentFacts
from camillo_server.outputs.summary.notable_lines import NotableLines
from camillo_server.outputs.summary.sample import ContentKind, Sample
from camillo_server.outputs.summary.summarize import summarize
from camillo_server.outputs.summary.text import (
    PREVIEW_HEAD_LINES,
    PREVIEW_TAIL_LINES,
    Preview,
    preview,
)
from camillo_server.redaction.redaction import FoundSecret, RedactionStream
from camillo_server.redaction.shown_text import without_shown_secrets
from camillo_server.text.bytes import TextDetector, newline_count

# A content up to this is summarised as a whole, else from half of it at each end.
SAMPLE_BYTES = 256 * 1024
# What stands in a sample for bytes that are no text: nothing at all would be taken for an empty one.
_NO_TEXT = "\ufffd"


class JsonCheck(Protocol):
    """Whether bytes are one JSON document, found while they pass."""

    def feed(self, part: bytes) -> None: ...

    def finish(self) -> bool: ...


class ContentObserver:
    """Is shown every byte that is kept, once, in its order."""

    def __init__(
        self,
        json: JsonCheck,
        notable: NotableLines | None = None,
        redaction: Callable[[], RedactionStream] | None = None,
    ) -> None:
        """With `redaction`, no secret is shown that the bytes hide from it."""
        self._json = json
        self._redaction = redaction
        self._text = TextDetector()
        self._notable = notable or NotableLines()
        self._head = bytearray()
        self._last_parts: deque[bytes] = deque()
        self._last_size = 0
        self._line_ends = 0
        self._last = b""
        self.size = 0

    @property
    def next_line(self) -> int:
        """The number of the line that the next byte belongs to."""
        return self._line_ends + 1

    def feed(self, kept: bytes) -> None:
        """The next bytes."""
        self.size += len(kept)
        self._line_ends += newline_count(kept)
        self._last = kept[-1:] or self._last
        self._text.feed(kept)
        self._json.feed(kept)
        self._notable.feed(kept)
        if len(self._head) < SAMPLE_BYTES:
            self._head += kept[: SAMPLE_BYTES - len(self._head)]
        self._last_parts.append(kept)
        self._last_size += len(kept)
        while self._last_size - len(self._last_parts[0]) >= SAMPLE_BYTES // 2:
            self._last_size -= len(self._last_parts.popleft())

    def facts(
        self,
        stated: ArtifactDraft,
        sha256: bytes,
        found: Sequence[FoundSecret],
        counts: Mapping[str, int],
    ) -> ContentFacts:
        """All that there is to know, when every byte has passed."""
        encoding = self._text.encoding()
        is_json = self._json.finish()
        has_lines = encoding in ENCODINGS_WITH_LINES
        line_count = self._line_ends + (self._last != b"\n") if has_lines else None
        # Where lines cannot be asked for, a summary all the same tells about how many there are.
        sample = self._sample(stated, encoding, line_count or max(1, self._line_ends))
        summary = summarize(sample)
        kind = _kind(summary.kind, is_json=is_json) if encoding == "utf-8" else summary.kind
        return ContentFacts(
            size=self.size,
            sha256=sha256,
            encoding=encoding,
            line_count=line_count,
            kind=kind if encoding else ContentKind.BINARY,
            description=summary.description,
            summary=summary.text,
            preview=preview(sample, PREVIEW_HEAD_LINES, PREVIEW_TAIL_LINES)
            if encoding
            else Preview("", ""),
            redactions=found,
            redaction_counts=dict(sorted(counts.items())),
        )

    def _sample(self, stated: ArtifactDraft, encoding: str, line_count: int) -> Sample:
        is_whole = self.size <= SAMPLE_BYTES
        head = self._head if is_whole else self._head[: SAMPLE_BYTES // 2]
        sample = Sample(
            head=_decoded(head, encoding) if encoding else _NO_TEXT,
            tail="" if is_whole else self._decoded_tail(encoding),
            size=self.size,
            line_count=line_count,
            notable=self._notable.lines() if encoding else (),
            tool=stated.tool,
            command=stated.command,
            exit_code=stated.exit_code,
            name=stated.name,
            media_type=stated.media_type,
        )
        if self._redaction is None:
            return sample
        looked = encoding != "utf-16"
        return without_shown_secrets(sample, self._redaction, was_looked_through=looked)

    def _decoded_tail(self, encoding: str) -> str:
        tail = b"".join(self._last_parts)[-SAMPLE_BYTES // 2 :]
        if encoding != "utf-16":
            return _decoded(tail, encoding)
        # Only the head has the mark that tells the order; each unit of two bytes begins at an even place.
        is_big = self._head.startswith(codecs.BOM_UTF16_BE)
        return _decoded(tail[self.size % 2 :], "utf-16-be" if is_big else "utf-16-le")


def _kind(looks_like: ContentKind, *, is_json: bool) -> ContentKind:
    """JSON is what can be asked for values, not what only begins like it."""
    if is_json:
        return ContentKind.JSON
    return ContentKind.TEXT if looks_like is ContentKind.JSON else looks_like


def _decoded(part: bytes | bytearray, encoding: str) -> str:
    """As text, and what is no text as nothing. A character that the sample cuts in two is left out."""
    return part.decode(encoding, "ignore").replace("\0", "") if encoding else ""


if TYPE_CHECKING:
    from hashlib import _Hash


class RunningHashes:
    """Of the bytes sent in this call, of all that were sent for the upload, and of those that are kept.

    What was sent before this call is known only as far as it was kept as it was.
    """

    def __init__(self, call: "_Hash", sent: "_Hash | None", kept: "_Hash") -> None:
        self._call = call
        self._sent = sent
        self._kept = kept

    @classmethod
    def of_nothing(cls) -> Self:
        """At the beginning of an upload all three are one."""
        same = sha256()
        return cls(same, same, same)

    @classmethod
    def after(cls, kept: "_Hash", *, was_kept_as_sent: bool) -> Self:
        """Where an upload is gone on with, behind the bytes that `kept` is the hash of."""
        return cls(sha256(), kept if was_kept_as_sent else None, kept)

    def update(self, sent: bytes, kept: bytes) -> None:
        """The next bytes, as they were sent and as they are kept."""
        if sent != kept and (self._kept is self._sent or self._kept is self._call):
            self._kept = self._kept.copy()
        raw = {id(each): each for each in (self._call, self._sent) if each is not None}
        for each in raw.values():
            each.update(sent)
        if id(self._kept) not in raw:
            self._kept.update(kept)

    @property
    def of_call(self) -> bytes:
        return self._call.digest()

    @property
    def of_sent(self) -> bytes | None:
        """None where it is not known."""
        return None if self._sent is None else self._sent.digest()

    @property
    def of_kept(self) -> bytes:
        return self._kept.digest()
