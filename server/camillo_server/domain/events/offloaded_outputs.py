"""Long outputs of tools, kept as artifacts."""

from camillo_server.domain.artifact import ArtifactDraft
from camillo_server.domain.events.event import EventDraft, ToolResultContent
from camillo_server.domain.offload_output import OffloadOutput, OutputToOffload
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import RequestKey

# As much of it as an artifact may say of itself.
_NAME_CHARACTERS = 256
_TOOL_CHARACTERS = 64


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
