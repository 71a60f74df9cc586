"""OffloadOutput: keep what a tool put out, if it is long."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from camillo_server.domain.artifact import Artifact, ArtifactDraft, ContentFacts
from camillo_server.domain.artifact_ports import Upload
from camillo_server.domain.artifact_storing import ArtifactStoring, new_upload
from camillo_server.domain.content_intake import ContentIntake, IntakeTools, TakenIn
from camillo_server.domain.draft_redaction import redacted_draft
from camillo_server.domain.errors import invalid_field
from camillo_server.domain.memory_ref import render
from camillo_server.domain.off_loop import UNBOUNDED, off_loop
from camillo_server.domain.offloaded_text import estimated_tokens, offloaded_text
from camillo_server.domain.one_ahead import OneAhead
from camillo_server.domain.redaction import FoundSecret, Redaction, Redactor
from camillo_server.domain.scope import Scope
from camillo_server.domain.tokens import count_tokens, fits
from camillo_server.domain.writes import RequestKey


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
