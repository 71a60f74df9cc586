"""What the methods of ArtifactService read from their requests."""

from typing import Any
from uuid import UUID

from camillo.v1 import artifact_pb2 as pb
from camillo.v1 import artifact_service_pb2 as service
from camillo.v1.memory_pb2 import SENSITIVITY_RESTRICTED

from camillo_server.domain.artifact import ArtifactDraft, ArtifactId, UploadId
from camillo_server.domain.errors import NotFound
from camillo_server.domain.get_artifact import ArtifactAsked
from camillo_server.domain.memory_ref import artifact_id_of
from camillo_server.domain.offload_output import OutputToOffload
from camillo_server.rpc.call import Call
from camillo_server.rpc.context_json import flat_object
from camillo_server.rpc.field_limits import rule, stated_or_default
from camillo_server.rpc.field_values import channel_of, distinct, sensitivity_of, time_of
from camillo_server.rpc.validate import ARTIFACT_ID, Checks

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
