"""What the methods of ArtifactService read from their requests."""

from typing import Any

from camillo.v1 import artifact_pb2 as pb
from camillo.v1 import artifact_service_pb2 as service

from camillo_server.domain.artifact import ArtifactDraft, ArtifactId, UploadId
from camillo_server.domain.channel import Channel
from camillo_server.domain.errors import NotFound
from camillo_server.domain.get_artifact import ArtifactAsked
from camillo_server.domain.memory import Sensitivity
from camillo_server.domain.memory_ref import artifact_id_of
from camillo_server.domain.off_loop import off_loop
from camillo_server.domain.offload_output import OutputToOffload
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import RequestKey
from camillo_server.rpc import convert, limits
from camillo_server.rpc.caller import request_key, scope_of
from camillo_server.rpc.validate import ARTIFACT_ID, Checks

CHANNELS = frozenset({0, *Channel})
# Serializing and digesting one byte of an output.
DIGEST_MICROSECONDS = 1 / 256


def asked_of(request: Any, checks: Checks) -> ArtifactAsked:
    """Which artifact is to be read, and where it will be shown. Raises ScopeForbidden, NotFound."""
    scope = scope_of(request, checks)
    channel = channel_of(request.channel, checks, "channel")
    text = request.artifact_id
    named = artifact_id_of(text) if len(text) <= limits.MEMORY_REF_CHARACTERS else text
    return ArtifactAsked(scope, artifact_id(named), channel)


def artifact_id(value: str) -> ArtifactId:
    """Raises NotFound for what no artifact can be called."""
    if not ARTIFACT_ID.fullmatch(value):
        raise NotFound("artifact", value[: limits.ARTIFACT_ID_CHARACTERS])
    return ArtifactId(value)


def upload_id(value: str, checks: Checks, field: str) -> UploadId:
    return UploadId(checks.uuid(field, value))


def channel_of(value: int, checks: Checks, field: str) -> Channel:
    """Unspecified is private."""
    known = checks.known(field, value, CHANNELS) in CHANNELS
    return Channel(value) if known and value else Channel.PRIVATE


def artifact_draft(
    message: pb.NewArtifact, scope: Scope, checks: Checks, path: str
) -> ArtifactDraft:
    """What a caller states about an artifact of its own, or of the tenant's shared scope."""
    draft = ArtifactDraft(
        name=name(message, checks, path),
        description=description(message, checks, path),
        media_type=checks.text(
            f"{path}.media_type", message.media_type, 0, limits.MEDIA_TYPE_CHARACTERS
        ),
        tool=tool(message.tool, checks, f"{path}.tool"),
        command=checks.text(f"{path}.command", message.command, 0, limits.COMMAND_CHARACTERS),
        exit_code=message.exit_code if message.HasField("exit_code") else None,
        session_id=convert.session_id(message.session_id, checks, f"{path}.session_id"),
        tags=tuple(convert.tags(message.tags, checks, f"{path}.tags")),
        sensitivity=convert.sensitivity(message.sensitivity, checks, f"{path}.sensitivity"),
        metadata=convert.metadata(message.metadata, checks, f"{path}.metadata"),
        expires_at=convert.moment(message, "expires_at", checks, path),
        pinned=message.pinned,
        source_refs=tuple(convert.source_refs(message.source_refs, checks, f"{path}.source_refs")),
        is_shared=message.is_shared,
    )
    is_shared = draft.is_shared or not scope.agent_id
    if is_shared and draft.sensitivity is Sensitivity.RESTRICTED:
        checks.fail(f"{path}.sensitivity", "must not be RESTRICTED in the tenant's shared scope")
    return draft


def name(message: pb.NewArtifact, checks: Checks, path: str) -> str:
    return checks.text(f"{path}.name", message.name, 0, limits.NAME_CHARACTERS)


def description(message: pb.NewArtifact, checks: Checks, path: str) -> str:
    return checks.text(f"{path}.description", message.description, 0, limits.DESCRIPTION_CHARACTERS)


def tool(value: str, checks: Checks, field: str) -> str:
    return checks.text(field, value, 0, limits.TOOL_CHARACTERS)


async def output_to_offload(
    request: service.OffloadOutputRequest, checks: Checks
) -> OutputToOffload:
    """A tool's output and what is said about it. Raises ScopeForbidden."""
    scope = scope_of(request, checks)
    if not request.output:
        checks.fail("output", "must have at least 1 byte")
    return OutputToOffload(
        scope=scope,
        draft=artifact_draft(request.artifact, scope, checks, "artifact"),
        output=request.output,
        threshold_tokens=checks.size(
            "threshold_tokens",
            request.threshold_tokens,
            limits.THRESHOLD_TOKENS,
            limits.THRESHOLD_TOKENS_DEFAULT,
        ),
        request=await _key_of_output(request, checks),
    )


async def _key_of_output(
    request: service.OffloadOutputRequest, checks: Checks
) -> RequestKey | None:
    cost = len(request.output) * DIGEST_MICROSECONDS if request.request_id else 0
    return await off_loop(cost, lambda: request_key(request, checks))
