"""What becomes of bytes as they come in: secrets out, hashes, facts, parts."""

from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256

from camillo_server.artifacts.artifact import REDACTIONS_NAMED, ArtifactDraft, ContentFacts
from camillo_server.artifacts.content_observer import ContentObserver, RunningHashes
from camillo_server.artifacts.ports import PART_BYTES, ContentPart, Held, Upload, Uploads
from camillo_server.kernel.concurrency import Before, InOrder, OneAhead
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.redaction.redaction import (
    CleanedBytes,
    FoundSecret,
    MaskedSecret,
    RedactionStream,
)

# What stands before the place where an upload is gone on with can tell that something behind it is a secret.
CONTEXT_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class IntakeTools:
    """Makes what one intake needs: a stream that takes secrets out, and an observer."""

    redaction: Callable[[], RedactionStream]
    observer: Callable[[], ContentObserver]


@dataclass(frozen=True, slots=True)
class TakenIn:
    """A part that is complete, and how far the upload has come with it; None where it cannot be gone on with here."""

    part: ContentPart
    held: Held | None


class KeptPrefix:
    """What an upload holds already, shown part by part where it is gone on with."""

    def __init__(self, tools: IntakeTools, held: Held) -> None:
        self.held = held
        self.observer = tools.observer()
        self.sha256 = sha256()
        self.context = b""

    def feed(self, kept: bytes) -> None:
        """The next bytes that are kept."""
        self.observer.feed(kept)
        self.sha256.update(kept)
        self.context = (self.context + kept)[-CONTEXT_BYTES:]


class ContentIntake:
    """Takes in the bytes of one upload. Not for two threads at once; each MiB is some milliseconds of work."""

    def __init__(self, tools: IntakeTools, prefix: KeptPrefix | None = None) -> None:
        self._redaction = tools.redaction()
        self._observer = prefix.observer if prefix else tools.observer()
        self._hashes = RunningHashes.of_nothing()
        self._coming: deque[MaskedSecret] = deque()
        self._found: list[FoundSecret] = []
        self._counts: Counter[str] = Counter()
        # Where the last secret that was counted ends.
        self._secret_end = 0
        # Cleaned bytes that are no whole part yet.
        self._part: list[bytes] = []
        self._part_size = 0
        # Where the redaction's first byte stands in the content, and how many of its bytes are kept already.
        self._redaction_start = 0
        self._already_kept = 0
        if prefix is not None:
            self._go_on(prefix)

    @property
    def size(self) -> int:
        """How many bytes have been cut into parts."""
        return self._observer.size

    @property
    def sha256_of_call(self) -> bytes:
        """Of the bytes sent in this call; of all of them after `finish`."""
        return self._hashes.of_call

    @property
    def sha256(self) -> bytes:
        """Of the bytes that are kept."""
        return self._hashes.of_kept

    def feed(self, sent: bytes) -> list[TakenIn]:
        """The next bytes as they were sent; gives the parts that are complete now."""
        return self._take(self._redaction.feed(sent))

    def finish(self) -> list[TakenIn]:
        """That was all; gives the last parts."""
        last = self._take(self._redaction.finish())
        return [*last, self._cut()] if self._part else last

    @property
    def found(self) -> Sequence[FoundSecret]:
        """The first 1,000 secrets that were taken out of what has been cut into parts."""
        return self._found

    def facts(self, stated: ArtifactDraft) -> ContentFacts:
        """All that there is to know of the content, after `finish`."""
        return self._observer.facts(stated, self.sha256, self._found, self._counts)

    def _go_on(self, prefix: KeptPrefix) -> None:
        held, context = prefix.held, prefix.context
        self._hashes = RunningHashes.after(prefix.sha256, was_kept_as_sent=not held.counts)
        self._found, self._counts = list(held.found), Counter(held.counts)
        self._redaction_start = held.size - len(context)
        self._already_kept = len(context)
        self._take(self._redaction.feed(context))

    def _take(self, cleaned: CleanedBytes) -> list[TakenIn]:
        kept, sent = cleaned.data, cleaned.as_sent
        for secret in cleaned.found:
            start = self._redaction_start + secret.offset
            end = self._redaction_start + secret.end
            if end > self.size + self._part_size:
                self._coming.append(MaskedSecret(secret.kind, start, end))
        known = min(self._already_kept, len(kept))
        self._already_kept -= known
        return list(self._parts(kept, sent, known))

    def _parts(self, kept: bytes, sent: bytes, at: int) -> Iterator[TakenIn]:
        while at < len(kept):
            end = at + PART_BYTES - self._part_size
            # A slice of everything is no copy, and the same is not compared.
            piece = kept[at:end]
            self._hashes.update(piece if sent is kept else sent[at:end], piece)
            self._part.append(piece)
            self._part_size += len(piece)
            at = end
            if self._part_size == PART_BYTES:
                yield self._cut()

    def _cut(self) -> TakenIn:
        data, first_line = b"".join(self._part), self._observer.next_line
        number = self._observer.size // PART_BYTES
        self._part.clear()
        self._part_size = 0
        self._observer.feed(data)
        is_between_secrets = self._pass_secrets()
        sent = self._hashes.of_sent
        held = None
        if sent is not None and is_between_secrets and len(data) == PART_BYTES:
            held = Held(self.size, sent, tuple(self._found), dict(self._counts))
        return TakenIn(ContentPart(number, first_line, data), held)

    def _pass_secrets(self) -> bool:
        """Counts those that begin in the parts cut; whether none of them goes on behind."""
        while self._coming and self._coming[0].offset < self.size:
            secret = self._coming.popleft()
            self._secret_end = secret.end
            self._counts[secret.kind] += 1
            if len(self._found) < REDACTIONS_NAMED:
                self._found.append(FoundSecret(secret.kind, secret.offset))
        return self._secret_end <= self.size


class ContentUpload:
    """One upload. At most four blocks are in memory: one coming, one being taken in, one being packed, one being
    stored."""

    def __init__(self, uploads: Uploads, upload: Upload, intake: ContentIntake) -> None:
        self._uploads = uploads
        self._upload = upload
        self._intake = intake

    async def run(self, blocks: AsyncIterator[bytes]) -> None:
        """Every part is stored when it returns."""
        async with InOrder() as storing:
            async with OneAhead() as taking_in:
                async for block in blocks:
                    await taking_in.run(self._take_in(block, storing))
            for taken in await off_loop(UNBOUNDED, self._intake.finish):
                await storing.run(partial(self._store, taken))

    async def _take_in(self, block: bytes, storing: InOrder) -> None:
        for taken in await off_loop(UNBOUNDED, partial(self._intake.feed, block)):
            await storing.run(partial(self._store, taken))

    async def _store(self, taken: TakenIn, before: Before) -> None:
        await self._uploads.add_part(self._upload, taken.part, taken.held, after=before)
