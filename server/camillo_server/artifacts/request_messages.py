"""What the methods of ArtifactService read from their requests."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from camillo.v1 import artifact_pb2 as pb
from camillo.v1 import artifact_service_pb2 as service
from camillo.v1.memory_pb2 import SENSITIVITY_RESTRICTED

from camillo_server.artifacts import messages as artifact_tokens
from camillo_server.artifacts.artifact import ArtifactDraft, ArtifactFilter, ArtifactId, UploadId
from camillo_server.artifacts.artifacts import ArtifactAsked, ArtifactPage, ArtifactsAsked
from camillo_server.artifacts.messages import artifact_message
from camillo_server.artifacts.offload_output import OutputToOffload
from camillo_server.artifacts.ports import ArtifactCursor
from camillo_server.kernel.errors import NotFound
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.memories import messages as memories_messages
from camillo_server.outputs.summary.sample import ContentKind
from camillo_server.rpc.call import Call
from camillo_server.rpc.field_limits import rule, stated_or_default
from camillo_server.rpc.fields import channel_of, check_mask, distinct, sensitivity_of, time_of
from camillo_server.rpc.json_values import flat_object
from camillo_server.rpc.page_tokens import RESPONSE_BYTES
from camillo_server.rpc.validate import ARTIFACT_ID, Checks
from camillo_server.text.memory_ref import artifact_id_of

# More than any memory ref has; what is longer is not looked at.
MEMORY_REF_CHARACTERS = 1_000
ARTIFACT_ID_CHARACTERS = 64


def asked_of(request: Any, call: Call) -> ArtifactAsked:
    """Which artifact is to be read, and where it will be shown. Raises NotFound."""
    text = request.artifact_id
    named = artifact_id_of(text) if len(text) <= MEMORY_REF_CHARACTERS else text
    return ArtifactAsked(call.scope, artifact_id(named), channel_of(request.channel))


def artifact_id(value: str) -> ArtifactId:
    """Raises NotFound for what no artifact can be called."""
    if not ARTIFACT_ID.fullmatch(value):
        raise NotFound("artifact", value[:ARTIFACT_ID_CHARACTERS])
    return ArtifactId(value)


def upload_id(value: str) -> UploadId:
    return UploadId(UUID(value))


@rule(pb.NewArtifact)
def check_shared(message: pb.NewArtifact, path: str, checks: Checks) -> None:
    """What is restricted is not for every agent of the tenant."""
    is_shared = message.is_shared or (checks.scope is not None and not checks.scope.agent_id)
    if is_shared and message.sensitivity == SENSITIVITY_RESTRICTED:
        checks.fail(f"{path}sensitivity", "must not be RESTRICTED in the tenant's shared scope")


def artifact_draft(message: pb.NewArtifact) -> ArtifactDraft:
    """What a caller states about an artifact of its own, or of the tenant's shared scope."""
    return ArtifactDraft(
        name=message.name,
        description=message.description,
        media_type=message.media_type,
        tool=message.tool,
        command=message.command,
        exit_code=message.exit_code if message.HasField("exit_code") else None,
        session_id=message.session_id,
        tags=distinct(message.tags),
        sensitivity=sensitivity_of(message.sensitivity),
        metadata=flat_object(message.metadata),
        expires_at=time_of(message, "expires_at"),
        pinned=message.pinned,
        source_refs=distinct(message.source_refs),
        is_shared=message.is_shared,
    )


def output_to_offload(request: service.OffloadOutputRequest, call: Call) -> OutputToOffload:
    """A tool's output and what is said about it."""
    return OutputToOffload(
        scope=call.scope,
        draft=artifact_draft(request.artifact),
        output=request.output,
        threshold_tokens=stated_or_default(request, "threshold_tokens"),
        request=call.request_key,
    )


def list_of(request: service.ListArtifactsRequest, call: Call) -> ArtifactsAsked:
    """Which artifacts are to be listed."""
    return ArtifactsAsked(
        scope=call.scope,
        filter=artifact_filter(request.filter),
        channel=channel_of(request.channel),
        include_shared=request.include_shared,
    )


def artifact_filter(message: pb.ArtifactFilter) -> ArtifactFilter:
    """The conditions of a list."""
    level, cited_by = message.max_sensitivity, message.cited_by_memory_id
    return ArtifactFilter(
        session_id=message.session_id,
        tool=message.tool,
        kinds=tuple(ContentKind(kind) for kind in message.kinds if kind),
        created_from=time_of(message, "created_from"),
        created_before=time_of(message, "created_before"),
        min_size=message.min_size_bytes,
        max_size=message.max_size_bytes,
        tags_any=distinct(message.tags_any),
        tags_all=distinct(message.tags_all),
        max_sensitivity=Sensitivity(level) if level else None,
        cited_by=memories_messages.read_memory_id(cited_by) if cited_by else None,
    )


def list_response(page: ArtifactPage, binding: bytes) -> service.ListArtifactsResponse:
    """The page, or so much of its beginning as fits in a message: the rest is on the next one."""
    response = service.ListArtifactsResponse()
    cursor, room = page.next_cursor, RESPONSE_BYTES
    for artifact in page.artifacts:
        message = artifact_message(artifact)
        room -= message.ByteSize()
        if room < 0 and response.artifacts:
            last = page.artifacts[len(response.artifacts) - 1]
            cursor = ArtifactCursor(last.created_at, last.artifact_id)
            break
        response.artifacts.append(message)
    response.next_page_token = artifact_tokens.list_token(binding, cursor)
    return response


# What a caller may change, and how the new value is read.
CHANGES: dict[str, Callable[[pb.NewArtifact], Any]] = {
    "name": lambda m: m.name,
    "description": lambda m: m.description,
    "session_id": lambda m: m.session_id,
    "tags": lambda m: distinct(m.tags),
    "metadata": lambda m: flat_object(m.metadata),
    "expires_at": lambda m: time_of(m, "expires_at"),
    "pinned": lambda m: m.pinned,
    "source_refs": lambda m: distinct(m.source_refs),
}


@rule(service.UpdateArtifactRequest)
def check_changes(request: service.UpdateArtifactRequest, path: str, checks: Checks) -> None:
    """What is named can be changed."""
    check_mask(request.update_mask.paths, CHANGES, checks, "must name at least one field")


def artifact_changes(request: service.UpdateArtifactRequest) -> dict[str, Any]:
    """The new values by field."""
    return {name: CHANGES[name](request.artifact) for name in request.update_mask.paths}
