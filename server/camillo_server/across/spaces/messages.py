"""Messages of SpaceService."""

import re
from collections.abc import Sequence

from camillo.v1 import space_pb2 as pb
from camillo.v1 import space_service_pb2 as service

from camillo_server.across.lifecycle.messages import agent_token, usage_message
from camillo_server.across.spaces.spaces import Retention, Space, SpaceView
from camillo_server.doors.rpc.field_limits import rule
from camillo_server.doors.rpc.validate import Checks
from camillo_server.kernel.kinds import MemoryKind
from camillo_server.kernel.scope import SHARED

PREFIX = re.compile(r"@shared|[A-Za-z0-9._@|+=~-]+(?:/[A-Za-z0-9._@|+=~-]+)*/?")


@rule(service.ListSpacesRequest)
def check_prefix(request: service.ListSpacesRequest, path: str, checks: Checks) -> None:
    """A prefix that no path begins with is a mistake, and no empty list."""
    if request.prefix and not PREFIX.fullmatch(request.prefix):
        checks.fail("prefix", "must be the beginning of a path such as users/ or teams/eu, up to a slash")


def spaces_response(found: Sequence[Space], size: int, binding: bytes) -> service.ListSpacesResponse:
    """A page of what was found, which is one more where another page follows."""
    token = agent_token(binding, found[size - 1].agent_id) if len(found) > size else ""
    return service.ListSpacesResponse(spaces=map(space_message, found[:size]), next_page_token=token)


def space_message(space: Space) -> pb.Space:
    return pb.Space(
        space=space.agent_id or SHARED,
        display_name=space.display_name,
        created_at=space.created_at,
        usage=usage_message(space.usage),
        bytes=space.nbytes,
        last_written_at=space.last_written_at,
        last_read_at=space.last_read_at,
    )


def view_response(view: SpaceView) -> service.GetSpaceResponse:
    contents = view.contents
    return service.GetSpaceResponse(
        space=space_message(view.space),
        kinds=[_kind_message(kind, contents.kinds.get(kind, 0), view.retention) for kind in MemoryKind],
        sessions=contents.sessions,
        oldest_at=contents.oldest_at,
        newest_at=contents.newest_at,
        hidden_memories_stay=view.retention.hidden_memories,
        artifacts_stay=view.retention.artifacts,
        readers=[
            pb.SpaceReader(
                key_id=each.key_id,
                description=each.description,
                role=int(each.role),  # type: ignore[arg-type]
                grant=each.grant,
            )
            for each in view.readers
        ],
        more_readers=view.more_readers,
    )


def _kind_message(kind: MemoryKind, memories: int, retention: Retention) -> pb.KindUsage:
    return pb.KindUsage(
        kind=int(kind),  # type: ignore[arg-type]
        memories=memories,
        lifetime=retention.memories.get(kind),
    )
