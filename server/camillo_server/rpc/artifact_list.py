"""Which artifacts are to be listed."""

from camillo.v1 import artifact_pb2 as pb
from camillo.v1 import artifact_service_pb2 as service

from camillo_server.domain.artifact import ArtifactFilter
from camillo_server.domain.artifact_ports import ArtifactCursor
from camillo_server.domain.content_kind import ContentKind
from camillo_server.domain.list_artifacts import ArtifactPage, ArtifactsAsked
from camillo_server.domain.memory import Sensitivity
from camillo_server.rpc import artifact_tokens, convert
from camillo_server.rpc.artifact_convert import artifact_message
from camillo_server.rpc.call import Call
from camillo_server.rpc.field_values import channel_of, distinct, time_of

# Clients take messages of 4 MiB unless they are told otherwise; an artifact with all that it may have is far shorter.
RESPONSE_BYTES = 3 * 1024 * 1024


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
        cited_by=convert.memory_id(cited_by) if cited_by else None,
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
