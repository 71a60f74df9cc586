"""OffloadOutput: store a tool's output if it is long, and return what stands for it."""

from collections.abc import Sequence
from dataclasses import dataclass

from camillo_server.features.artifacts.artifact import Artifact, ArtifactDraft
from camillo_server.features.artifacts.intake import CompletePart, ContentIntake
from camillo_server.features.artifacts.put_artifact import ArtifactStoring
from camillo_server.features.artifacts.upload import Upload, new_upload
from camillo_server.kernel.background import OneAhead, task_group
from camillo_server.kernel.errors import invalid_field
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.lib.outputs.summary.sample import Preview
from camillo_server.lib.redaction.redaction import FoundSecret, Redaction, Redactor, redacted_draft_off_loop
from camillo_server.lib.text.memory_ref import render
from camillo_server.lib.text.tokens import count_tokens, fits

# Tokens of longer texts are estimated from samples: counting all of them would take longer than storing the text.
MAX_COUNTED_CHARACTERS = 32 * 1024
SAMPLES = 16
# Half as many would be off by up to 8 in 100, twice as many by 5.
SAMPLE_CHARACTERS = 1024


def offloaded_text(memory_ref: str, summary: str, preview: Preview) -> str:
    """The ref, the summary, the first and the last lines."""
    lines = [memory_ref, summary]
    if preview.head:
        lines += ["--- head", preview.head]
    if preview.tail:
        lines += ["--- tail", preview.tail]
    return "\n".join(line for line in lines if line)


def estimated_tokens(text: str) -> int:
    """Tokens of a text; of a long one, extrapolated from 16 samples spread evenly over it."""
    if len(text) <= MAX_COUNTED_CHARACTERS:
        return count_tokens(text)
    step = (len(text) - SAMPLE_CHARACTERS) // (SAMPLES - 1)
    counted = sum(count_tokens(text[at : at + SAMPLE_CHARACTERS]) for at in range(0, SAMPLES * step, step))
    return -(-counted * len(text) // (SAMPLES * SAMPLE_CHARACTERS))


@dataclass(frozen=True, slots=True)
class OutputToOffload:
    """A tool's output, the artifact's fields, and how many tokens may stay in the context."""

    scope: Scope
    draft: ArtifactDraft
    output: bytes
    threshold_tokens: int
    request: RequestKey | None


@dataclass(frozen=True, slots=True)
class Offloaded:
    """The `text` for the model: the output itself, or the reference and summary of the artifact that holds it."""

    artifact: Artifact | None
    text: str
    output_tokens: int
    text_tokens: int
    redactions: Sequence[FoundSecret]
    field_redactions: Sequence[Redaction]


@dataclass(frozen=True, slots=True)
class _Examined:
    """An output without its secrets, as text and in parts."""

    intake: ContentIntake
    parts: Sequence[CompletePart]
    text: str
    is_short: bool


class OffloadOutput:
    """Returns short output without its secrets; stores long output."""

    def __init__(self, storing: ArtifactStoring, redactor: Redactor) -> None:
        self._storing = storing
        self._redactor = redactor

    async def __call__(self, output: OutputToOffload) -> Offloaded:
        """Raises InvalidField for more than may be stored, ValueRejected, QuotaExceeded, RequestIdReused, KeyMissing,
        StorageFull, StorageUnavailable, BytesUnavailable."""
        draft, field_redactions = await redacted_draft_off_loop(output.draft, self._redactor)
        examined = await off_loop(UNBOUNDED, lambda: _examine(output))
        if examined.is_short:
            return await off_loop(UNBOUNDED, lambda: _inline(examined, field_redactions))
        artifact, output_tokens = await self._store(output, draft, examined)
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

    async def _store(self, output: OutputToOffload, draft: ArtifactDraft, examined: _Examined) -> tuple[Artifact, int]:
        """The artifact, and the tokens of the output. The facts are computed while the parts are stored."""
        size, max_size = len(output.output), self._storing.settings.max_bytes
        if size > max_size:
            raise invalid_field("output", f"must have at most {max_size} bytes, has {size}")
        upload = new_upload(output.scope, draft, examined.intake.sha256_of_call)
        try:
            async with OneAhead() as storing:
                await storing.run(self._store_parts(upload, examined.parts))
                facts = await off_loop(UNBOUNDED, lambda: examined.intake.facts(draft))
            async with task_group() as group:
                # While Postgres waits for the disk: nothing that is stored has it.
                counting = group.create_task(off_loop(UNBOUNDED, lambda: estimated_tokens(examined.text)))
                artifact = await self._storing.finish(upload, draft, facts, output.request)
        except BaseException:
            await self._storing.discard(upload)
            raise
        return artifact, counting.result()

    async def _store_parts(self, upload: Upload, parts: Sequence[CompletePart]) -> None:
        await self._storing.begin_with(upload, parts[0].part)
        for each in parts[1:]:
            await self._storing.uploads.add_part(upload, each.part, None)


def _examine(output: OutputToOffload) -> _Examined:
    intake = ContentIntake()
    parts = [*intake.feed(output.output), *intake.finish()]
    text = b"".join(each.part.data for each in parts).decode("utf-8", "replace")
    return _Examined(intake, parts, text, fits(text, output.threshold_tokens))


def _inline(examined: _Examined, field_redactions: Sequence[Redaction]) -> Offloaded:
    tokens = count_tokens(examined.text)
    found = examined.intake.found
    return Offloaded(None, examined.text, tokens, tokens, found, field_redactions)
