"""Bytes of an upload on their way in: secrets out, hashes, facts, parts."""

import codecs
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Self

from camillo_server.features.artifacts.artifact import (
    ENCODINGS_WITH_LINES,
    MAX_NAMED_REDACTIONS,
    PART_BYTES,
    ArtifactDraft,
    ContentFacts,
)
from camillo_server.features.artifacts.upload import ContentPart, UploadProgress
from camillo_server.kernel.background import Before, InOrder, OneAhead
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.lib.outputs.json_parts.structure import JsonValidator
from camillo_server.lib.outputs.summary.prose import NotableLines, failure_positions
from camillo_server.lib.outputs.summary.sample import ContentKind, Preview, Sample, preview
from camillo_server.lib.redaction.detector import Secret
from camillo_server.lib.redaction.redaction import FoundSecret
from camillo_server.lib.redaction.stream import CleanedBytes, SecretStream, without_shown_secrets
from camillo_server.lib.text.characters import TextDetector, newline_count

if TYPE_CHECKING:
    from hashlib import _Hash


# A content up to this is summarised as a whole, else from half of it at each end.
SAMPLE_BYTES = 256 * 1024
# Stands in a sample for bytes that are no text: an empty sample would look like an empty content.
_NO_TEXT = "\ufffd"
# Bytes before the offset where an upload is resumed can show that those after it are a secret.
CONTEXT_BYTES = 64 * 1024
# An upload's progress names all secrets found: the more there are, the fewer parts it is stored with, at least one of
# sixteen.
SECRETS_FOR_EACH_PART = 64
NewRedaction = Callable[[], SecretStream]


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
        # In a thread, when the first output comes: a server starts without the code that recognizes forms of output.
        from camillo_server.lib.outputs.summary.summarize import summarize

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


@dataclass(frozen=True, slots=True)
class CompletePart:
    """A part, and the upload's progress with it; None where the upload is not resumed after this part."""

    part: ContentPart
    progress: UploadProgress | None


class ResumedPrefix:
    """The stored bytes of an upload that is resumed, fed part by part."""

    def __init__(self, progress: UploadProgress, new_redaction: NewRedaction = SecretStream) -> None:
        self.progress = progress
        self.observer = ContentObserver(new_redaction)
        self.sha256 = sha256()
        self.context = b""

    def feed(self, kept: bytes) -> None:
        """The next stored bytes."""
        self.observer.feed(kept)
        self.sha256.update(kept)
        self.context = (self.context + kept)[-CONTEXT_BYTES:]


class ContentIntake:
    """Cleans and cuts the bytes of one upload, some milliseconds of work for each MiB. Not for two threads at once, but
    that `clean` may run beside `take`."""

    def __init__(self, prefix: ResumedPrefix | None = None, new_redaction: NewRedaction = SecretStream) -> None:
        self._redaction = new_redaction()
        self._observer = prefix.observer if prefix else ContentObserver(new_redaction)
        self._hashes = RunningHashes.of_nothing()
        # Secrets whose parts are not cut yet.
        self._pending: deque[Secret] = deque()
        self._found: list[FoundSecret] = []
        self._counts: Counter[str] = Counter()
        # The offset at which the last counted secret ends.
        self._secret_end = 0
        self._parts_without_progress = 0
        # Cleaned bytes that are no whole part yet.
        self._part: list[bytes] = []
        self._part_size = 0
        # Offset of the redaction's first byte in the content, and how many of its bytes are stored already.
        self._redaction_start = 0
        self._already_stored = 0
        if prefix is not None:
            self._resume(prefix)

    @property
    def size(self) -> int:
        """How many bytes have been cut into parts."""
        return self._observer.size

    @property
    def sha256_of_call(self) -> bytes:
        """The digest of the bytes sent in this call; complete after `finish`."""
        return self._hashes.of_call

    @property
    def sha256(self) -> bytes:
        """The digest of the bytes that are kept."""
        return self._hashes.of_kept

    @property
    def found(self) -> Sequence[FoundSecret]:
        """The first 1,000 secrets that were taken out of what has been cut into parts."""
        return self._found

    def feed(self, sent: bytes) -> list[CompletePart]:
        """The next bytes as they were sent; returns the parts that are complete now."""
        return self.take(self.clean(sent))

    def clean(self, sent: bytes) -> CleanedBytes:
        """The first half of `feed`: the next bytes without secrets. May run beside `take` of those before."""
        return self._redaction.feed(sent)

    def finish(self) -> list[CompletePart]:
        """All bytes were fed; returns the last parts."""
        last = self.take(self._redaction.finish())
        return [*last, self._cut()] if self._part else last

    def facts(self, draft: ArtifactDraft) -> ContentFacts:
        """Facts about the whole content, after `finish`."""
        return self._observer.facts(draft, self.sha256, self._found, self._counts)

    def _resume(self, prefix: ResumedPrefix) -> None:
        progress, context = prefix.progress, prefix.context
        self._hashes = RunningHashes.after(prefix.sha256, was_kept_as_sent=not progress.counts)
        self._found, self._counts = list(progress.found), Counter(progress.counts)
        self._redaction_start = progress.size - len(context)
        self._already_stored = len(context)
        self.take(self._redaction.feed(context))

    def take(self, cleaned: CleanedBytes) -> list[CompletePart]:
        """The second half of `feed`: the parts that are complete with these bytes."""
        kept, sent = cleaned.data, cleaned.as_sent
        for secret in cleaned.found:
            start = self._redaction_start + secret.start
            end = self._redaction_start + secret.end
            if end > self.size + self._part_size:
                self._pending.append(Secret(start, end, secret.kind))
        stored = min(self._already_stored, len(kept))
        self._already_stored -= stored
        return list(self._parts(kept, sent, stored))

    def _parts(self, kept: bytes, sent: bytes, at: int) -> Iterator[CompletePart]:
        while at < len(kept):
            end = at + PART_BYTES - self._part_size
            # A slice of everything is no copy, and an object is not compared with itself.
            cut = kept[at:end]
            self._hashes.update(cut if sent is kept else sent[at:end], cut)
            self._part.append(cut)
            self._part_size += len(cut)
            at = end
            if self._part_size == PART_BYTES:
                yield self._cut()

    def _cut(self) -> CompletePart:
        data, first_line = b"".join(self._part), self._observer.next_line
        number = self._observer.size // PART_BYTES
        self._part.clear()
        self._part_size = 0
        self._observer.feed(data)
        is_between_secrets = self._count_secrets()
        is_whole = is_between_secrets and len(data) == PART_BYTES
        return CompletePart(ContentPart(number, first_line, data), self._progress() if is_whole else None)

    def _progress(self) -> UploadProgress | None:
        """The upload's progress with a whole part; None where it is not due yet, or not known."""
        self._parts_without_progress += 1
        is_due = self._parts_without_progress > len(self._found) // SECRETS_FOR_EACH_PART
        sent = self._hashes.of_sent if is_due else None
        if sent is None:
            return None
        self._parts_without_progress = 0
        return UploadProgress(self.size, sent, tuple(self._found), dict(self._counts))

    def _count_secrets(self) -> bool:
        """Counts those that begin in the parts cut; whether all of them end there too."""
        while self._pending and self._pending[0].start < self.size:
            secret = self._pending.popleft()
            self._secret_end = secret.end
            self._counts[secret.kind] += 1
            if len(self._found) < MAX_NAMED_REDACTIONS:
                self._found.append(FoundSecret(secret.kind, secret.start))
        return self._secret_end <= self.size


StorePart = Callable[[CompletePart, Before], Coroutine[Any, Any, None]]


async def store_blocks(blocks: AsyncIterator[bytes], intake: ContentIntake, store: StorePart) -> None:
    """Feeds blocks to the intake and stores each part; all are stored when it returns.

    One thread looks for secrets while another hashes and cuts the block before, and others encode. At most five blocks
    are in memory: one coming, two in the intake, one being encoded, one being stored.
    """
    async with InOrder() as storing:

        async def store_all(parts: Sequence[CompletePart]) -> None:
            for part in parts:
                await storing.run(partial(store, part))

        async def take(cleaned: CleanedBytes) -> None:
            await store_all(await off_loop(UNBOUNDED, partial(intake.take, cleaned)))

        async with OneAhead() as taking:

            async def clean(block: bytes) -> None:
                cleaned = await off_loop(UNBOUNDED, partial(intake.clean, block))
                if cleaned.data:
                    await taking.run(take(cleaned))

            async with OneAhead() as cleaning:
                async for block in blocks:
                    await cleaning.run(clean(block))
        await store_all(await off_loop(UNBOUNDED, intake.finish))


class RunningHashes:
    """SHA-256 of the bytes sent in this call, of all that were sent for the upload, and of those that are kept.

    Bytes sent before this call are known only as far as they were kept as they were.
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
        """The hashes of a resumed upload, after the bytes that `kept` is the hash of."""
        return cls(sha256(), kept if was_kept_as_sent else None, kept)

    def update(self, sent: bytes, kept: bytes) -> None:
        """The next bytes, as they were sent and as they are kept."""
        # Hashes stay one object as long as their bytes are the same, so that each byte is hashed once.
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
