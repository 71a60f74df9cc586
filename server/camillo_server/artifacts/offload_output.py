"""OffloadOutput: keep what a tool put out, if it is long."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from camillo_server.artifacts.artifact import Artifact, ArtifactDraft, ContentFacts
from camillo_server.artifacts.intake import ContentIntake, IntakeTools, TakenIn
from camillo_server.artifacts.ports import Upload
from camillo_server.artifacts.put_artifact import ArtifactStoring, new_upload
from camillo_server.kernel.concurrency import OneAhead
from camillo_server.kernel.errors import invalid_field
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.outputs.summary.text import Preview
from camillo_server.redaction.redaction import FoundSecret, Redaction, Redactor, redacted_draft
from camillo_server.text.memory_ref import render
from camillo_server.text.tokens import count_tokens, fits

# Longer texts are counted in samples: a count of all of it would take longer than storing it.
COUNTED_CHARACTERS = 32 * 1024
SAMPLES = 16
SAMPLE_CHARACTERS = 2 * 1024


def offloaded_text(memory_ref: str, summary: str, preview: Preview) -> str:
    """The ref, the summary, the first and the last lines."""
    lines = [memory_ref, summary]
    if preview.head:
        lines += ["--- head", preview.head]
    if preview.tail:
        lines += ["--- tail", preview.tail]
    return "\n".join(line for line in lines if line)


def estimated_tokens(text: str) -> int:
    """Tokens of a text; of a long one, as many as its parts would have if all were like samples spread over it."""
    if len(text) <= COUNTED_CHARACTERS:
        return count_tokens(text)
    step = (len(text) - SAMPLE_CHARACTERS) // (SAMPLES - 1)
    counted = sum(
        count_tokens(text[at : at + SAMPLE_CHARACTERS]) for at in range(0, SAMPLES * step, step)
    )
    return -(-counted * len(text) // (SAMPLES * SAMPLE_CHARACTERS))


@dataclass(frozen=True, slots=True)
class OutputToOffload:
    """A tool's output, what is said about it, and how many tokens of it may stay in the context."""

    scope: Scope
    draft: ArtifactDraft
    output: bytes
    threshold_tokens: int
    request: RequestKey | None


@dataclass(frozen=True, slots=True)
class Offloaded:
    """What to put before the model (`text`): the output itself, or what stands for the artifact that holds it."""

    artifact: Artifact | None
    text: str
    output_tokens: int
    text_tokens: int
    redactions: Sequence[FoundSecret]
    field_redactions: Sequence[Redaction]


@dataclass(frozen=True, slots=True)
class _Examined:
    """An output without its secrets, whole and in parts."""

    intake: ContentIntake
    taken: Sequence[TakenIn]
    text: str
    is_short: bool


class OffloadOutput:
    """Short output comes back as it is, its secrets taken out; long output is stored."""

    def __init__(self, storing: ArtifactStoring, tools: IntakeTools, redactor: Redactor) -> None:
        self._storing = storing
        self._tools = tools
        self._redactor = redactor

    async def __call__(self, wanted: OutputToOffload) -> Offloaded:
        """Raises InvalidField for more than may be stored, ValueRejected, QuotaExceeded, RequestIdReused, KeyMissing, StorageFull,
        StorageUnavailable, BytesUnavailable."""
        draft, field_redactions = redacted_draft(wanted.draft, self._redactor)
        examined = await off_loop(UNBOUNDED, lambda: self._examined(wanted))
        if examined.is_short:
            return await off_loop(UNBOUNDED, lambda: _inline(examined, field_redactions))
        artifact, output_tokens = await self._stored(wanted, draft, examined)
        content = artifact.content
        ref = render(artifact.artifact_id, artifact.description)
        text = offloaded_text(ref, content.summary, content.preview)
        return Offloaded(
            artifact,
            text,
            output_tokens,
            count_tokens(text),
            content.redactions,
            field_redactions,
        )

    def _examined(self, wanted: OutputToOffload) -> _Examined:
        intake = ContentIntake(self._tools)
        taken = [*intake.feed(wanted.output), *intake.finish()]
        kept = b"".join(each.part.data for each in taken)
        text = kept.decode("utf-8", "replace")
        return _Examined(intake, taken, text, fits(text, wanted.threshold_tokens))

    async def _stored(
        self, wanted: OutputToOffload, draft: ArtifactDraft, examined: _Examined
    ) -> tuple[Artifact, int]:
        """With the tokens of the output. What there is to say of it is found while it is stored."""
        most = self._storing.limits.artifact_bytes
        if len(wanted.output) > most:
            raise invalid_field(
                "output", f"must have at most {most} bytes, has {len(wanted.output)}"
            )
        upload = new_upload(wanted.scope, draft, sha256(wanted.output).digest())
        try:
            async with OneAhead() as storing:
                await storing.run(self._store(upload, examined.taken))
                facts, tokens = await off_loop(UNBOUNDED, lambda: _facts(examined, draft))
            artifact = await self._storing.finish(upload, draft, facts, wanted.request)
        except BaseException:
            await self._storing.discard(upload)
            raise
        return artifact, tokens

    async def _store(self, upload: Upload, taken: Sequence[TakenIn]) -> None:
        await self._storing.begin(upload)
        for each in taken:
            await self._storing.uploads.add_part(upload, each.part, None)


def _facts(examined: _Examined, draft: ArtifactDraft) -> tuple[ContentFacts, int]:
    return examined.intake.facts(draft), estimated_tokens(examined.text)


def _inline(examined: _Examined, field_redactions: Sequence[Redaction]) -> Offloaded:
    tokens = count_tokens(examined.text)
    found = examined.intake.found
    return Offloaded(None, examined.text, tokens, tokens, found, field_redactions)
