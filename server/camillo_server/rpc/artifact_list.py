"""Which artifacts are to be listed."""

from collections.abc import Sequence

from camillo.v1 import artifact_pb2 as pb
from camillo.v1 import artifact_service_pb2 as service

from camillo_server.domain.artifact import ArtifactFilter
from camillo_server.domain.artifact_ports import ArtifactCursor
from camillo_server.domain.content_kind import ContentKind
from camillo_server.domain.list_artifacts import ArtifactPage, ArtifactsAsked
from camillo_server.domain.memory import Sensitivity
from camillo_server.rpc import artifact_tokens, convert, limits
from camillo_server.rpc.artifact_convert import artifact_message
from camillo_server.rpc.artifact_requests import channel_of, tool
from camillo_server.rpc.caller import scope_of
from camillo_server.rpc.validate import Checks

CONTENT_KINDS: frozenset[int] = frozenset(ContentKind)
# Clients take messages of 4 MiB unless they are told otherwise; an artifact with all that it may have is far shorter.
RESPONSE_BYTES = 3 * 1024 * 1024


def list_of(request: service.ListArtifactsRequest, checks: Checks) -> ArtifactsAsked:
    """Which artifacts are to be listed. Raises ScopeForbidden."""
    return ArtifactsAsked(
        scope=scope_of(request, checks),
        filter=artifact_filter(request.filter, checks, "filter"),
        channel=channel_of(request.channel, checks, "channel"),
        include_shared=request.include_shared,
    )


def artifact_filter(message: pb.ArtifactFilter, checks: Checks, path: str) -> ArtifactFilter:
    """The conditions of a list."""
    level = checks.known(f"{path}.max_sensitivity", message.max_sensitivity, convert.SENSITIVITIES)
    numbers: Sequence[int] = message.kinds
    if checks.are_too_many(f"{path}.kinds", numbers, limits.ENUM_VALUES):
        numbers = ()
    for value in numbers:
        checks.known(f"{path}.kinds", value, CONTENT_KINDS)
    return ArtifactFilter(
        session_id=convert.session_id(message.session_id, checks, f"{path}.session_id"),
        tool=tool(message.tool, checks, f"{path}.tool"),
        kinds=tuple(ContentKind(kind) for kind in numbers if kind and kind in CONTENT_KINDS),
        created_from=convert.moment(message, "created_from", checks, path),
        created_before=convert.moment(message, "created_before", checks, path),
        min_size=checks.whole(f"{path}.min_size_bytes", message.min_size_bytes, 0),
        max_size=checks.whole(f"{path}.max_size_bytes", message.max_size_bytes, 0),
        tags_any=tuple(convert.tags(message.tags_any, checks, f"{path}.tags_any")),
        tags_all=tuple(convert.tags(message.tags_all, checks, f"{path}.tags_all")),
        max_sensitivity=Sensitivity(level) if level and level in convert.SENSITIVITIES else None,
        cited_by=convert.memory_id(message.cited_by_memory_id, checks, f"{path}.cited_by_memory_id")
        if message.cited_by_memory_id
        else None,
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
