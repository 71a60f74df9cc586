"""Tool results: a long one stays in its event as an excerpt, and as an artifact whole."""

from dataclasses import replace
from hashlib import sha256
from typing import Protocol

from camillo_server.artifacts.artifact import ArtifactDraft
from camillo_server.artifacts.offload_output import OffloadOutput, OutputToOffload
from camillo_server.events.event import EXCERPT_BYTES, EventDraft, ToolResultContent
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.text.bytes import begun_character

# As much of it as an artifact may say of itself.
_NAME_CHARACTERS = 256
_TOOL_CHARACTERS = 64


class OutputStore(Protocol):
    """Keeps the whole of long outputs."""

    async def store(
        self, scope: Scope, draft: EventDraft, text: str, request: RequestKey | None
    ) -> str:
        """The id of an artifact that holds the text, as sensitive as the event, with its tags and its session; the same
        for the same request. Raises what storing an artifact does."""
        ...


class NormalizeToolResult:
    """Cuts what is longer than 64 KiB to its beginning, and has the whole of it stored."""

    def __init__(self, outputs: OutputStore) -> None:
        self._outputs = outputs

    async def __call__(
        self, scope: Scope, draft: EventDraft, request: RequestKey | None, place: int = 0
    ) -> EventDraft:
        """The draft, which has no secrets any more, as it is kept; `place` is its place in the request."""
        result = draft.content
        if not isinstance(result, ToolResultContent):
            return draft
        kept = with_excerpt(result)
        if kept.truncated and not kept.artifact_id:
            whole = result.excerpt_text
            stored = output_request(request, place, whole)
            artifact_id = await self._outputs.store(scope, draft, whole, stored)
            kept = replace(kept, artifact_id=artifact_id)
        return replace(draft, content=kept)


def with_excerpt(result: ToolResultContent) -> ToolResultContent:
    """The result with at most 64 KiB of its text, the lines counted that were not told; truncated where it was cut."""
    excerpt = excerpt_of(result.excerpt_text)
    is_cut = len(excerpt) < len(result.excerpt_text)
    first = max(result.first_line, 1)
    last = result.last_line
    if is_cut or last < first:
        last = first + max(excerpt.count("\n") - excerpt.endswith("\n"), 0)
    return replace(
        result,
        excerpt_text=excerpt,
        first_line=first,
        last_line=last,
        truncated=is_cut or result.truncated,
    )


def excerpt_of(text: str) -> str:
    """Its first 64 KiB of UTF-8; ended at a line's end where that loses less than half of them, else at a character's."""
    encoded = text[: EXCERPT_BYTES + 1].encode("utf-8", "replace")
    if len(encoded) <= EXCERPT_BYTES:
        return text
    kept = encoded[:EXCERPT_BYTES]
    line_end = kept.rfind(b"\n") + 1
    if line_end * 2 <= EXCERPT_BYTES:
        line_end = EXCERPT_BYTES - begun_character(kept)
    return kept[:line_end].decode()


def output_request(request: RequestKey | None, place: int, text: str) -> RequestKey | None:
    """The request of the artifact: of a repeated one the same, so that nothing is stored twice."""
    if request is None:
        return None
    named = sha256(f"{place}/{request.request_id}".encode()).hexdigest()
    return RequestKey(f"event-output:{named}", sha256(text.encode("utf-8", "replace")).digest())


class OffloadedOutputs:
    """`OutputStore` by offloading."""

    def __init__(self, offload: OffloadOutput) -> None:
        self._offload = offload

    async def store(
        self, scope: Scope, draft: EventDraft, text: str, request: RequestKey | None
    ) -> str:
        """Raises what OffloadOutput does."""
        # Nothing may stay inline: the event has only the beginning.
        wanted = OutputToOffload(
            scope, artifact_draft(draft), text.encode("utf-8", "replace"), 0, request
        )
        offloaded = await self._offload(wanted)
        if offloaded.artifact is None:
            raise LookupError("an output of more than 64 KiB was not stored")
        return offloaded.artifact.artifact_id


def artifact_draft(draft: EventDraft) -> ArtifactDraft:
    """What the event says of its result."""
    result = draft.content
    if not isinstance(result, ToolResultContent):
        raise TypeError("only tool results have outputs")
    return ArtifactDraft(
        name=result.path.rpartition("/")[2][-_NAME_CHARACTERS:],
        tool=result.tool[:_TOOL_CHARACTERS],
        exit_code=result.exit_code,
        session_id=draft.session_id,
        tags=draft.tags,
        sensitivity=draft.sensitivity,
        source_refs=draft.refs,
    )
