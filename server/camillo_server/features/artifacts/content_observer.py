"""Facts about a content, found while its bytes pass."""

import codecs
from collections import deque
from collections.abc import Callable, Mapping, Sequence

from camillo_server.features.artifacts.artifact import ENCODINGS_WITH_LINES, ArtifactDraft, ContentFacts
from camillo_server.lib.outputs.json_parts.structure import JsonValidator
from camillo_server.lib.outputs.summary.prose import NotableLines, failure_positions
from camillo_server.lib.outputs.summary.sample import ContentKind, Preview, Sample, preview
from camillo_server.lib.outputs.summary.summarize import summarize
from camillo_server.lib.redaction.redaction import FoundSecret
from camillo_server.lib.redaction.stream import SecretStream, without_shown_secrets
from camillo_server.lib.text.characters import TextDetector, newline_count

# A content up to this is summarised as a whole, else from half of it at each end.
SAMPLE_BYTES = 256 * 1024
# Stands in a sample for bytes that are no text: an empty sample would look like an empty content.
_NO_TEXT = "\ufffd"


class ContentObserver:
    """Observes every byte that is kept, once, in its order."""

    def __init__(self, redaction: Callable[[], SecretStream]) -> None:
        """The redaction finds secrets that show only in the summary's text, such as those of UTF-16."""
        self._redaction = redaction
        self._json = JsonValidator()
        self._notable = NotableLines(failure_positions())
        self._text = TextDetector()
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
        draft: ArtifactDraft,
        sha256: bytes,
        found: Sequence[FoundSecret],
        counts: Mapping[str, int],
    ) -> ContentFacts:
        """Facts about the whole content, when every byte has passed."""
        encoding = self._text.encoding()
        is_json = self._json.finish()
        has_lines = encoding in ENCODINGS_WITH_LINES
        line_count = self._line_ends + (self._last != b"\n") if has_lines else None
        # Where lines cannot be read by number, a summary still says about how many there are.
        sample = self._sample(draft, encoding, line_count or max(1, self._line_ends))
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
            preview=preview(sample) if encoding else Preview("", ""),
            redactions=found,
            redaction_counts=dict(sorted(counts.items())),
        )

    def _sample(self, draft: ArtifactDraft, encoding: str, line_count: int) -> Sample:
        is_whole = self.size <= SAMPLE_BYTES
        head = self._head if is_whole else self._head[: SAMPLE_BYTES // 2]
        sample = Sample(
            head=_decoded(head, encoding) if encoding else _NO_TEXT,
            tail="" if is_whole else self._decoded_tail(encoding),
            size=self.size,
            line_count=line_count,
            notable=self._notable.lines() if encoding else (),
            tool=draft.tool,
            command=draft.command,
            exit_code=draft.exit_code,
            name=draft.name,
            media_type=draft.media_type,
        )
        # UTF-16 was searched as bytes, in which not every secret shows.
        was_searched = encoding != "utf-16"
        return without_shown_secrets(sample, self._redaction, was_searched=was_searched)

    def _decoded_tail(self, encoding: str) -> str:
        tail = b"".join(self._last_parts)[-SAMPLE_BYTES // 2 :]
        if encoding != "utf-16":
            return _decoded(tail, encoding)
        # Only the head has the byte order mark; each unit of two bytes begins at an even offset.
        is_big = self._head.startswith(codecs.BOM_UTF16_BE)
        return _decoded(tail[self.size % 2 :], "utf-16-be" if is_big else "utf-16-le")


def _kind(recognized: ContentKind, *, is_json: bool) -> ContentKind:
    """JSON is a document that values can be read of, not one that only begins like it."""
    if is_json:
        return ContentKind.JSON
    return ContentKind.TEXT if recognized is ContentKind.JSON else recognized


def _decoded(part: bytes | bytearray, encoding: str) -> str:
    """The part as text; empty for what is no text. A character that the sample cuts in two is left out."""
    return part.decode(encoding, "ignore").replace("\0", "") if encoding else ""
