"""Short ways to ask LifecycleService for passes, and to read what they did."""

from collections.abc import Mapping
from typing import Any

from camillo.v1 import lifecycle_pb2 as pb
from camillo.v1 import lifecycle_service_pb2 as service

from tests.server_fixtures import Server

DAY = 86_400.0
WEEK = 7 * DAY


def maintain(**fields: Any) -> service.RunMaintenanceRequest:
    return service.RunMaintenanceRequest(**fields)


def prune(**selected: Any) -> service.PruneRequest:
    """A request to prune; `call` has the fields beside the selector."""
    call: Mapping[str, Any] = selected.pop("call", {})
    return service.PruneRequest(selector=service.LifecycleSelector(**selected), **call)


def archive(**selected: Any) -> service.ArchiveRequest:
    """A request to archive; `call` has the fields beside the selector."""
    call: Mapping[str, Any] = selected.pop("call", {})
    return service.ArchiveRequest(selector=service.LifecycleSelector(**selected), **call)


def pass_of(answer: Any) -> pb.LifecyclePass:
    """The pass that an answer reports."""
    done: pb.LifecyclePass = getattr(answer, "pass")
    return done


def taken(answer: Any) -> dict[str, tuple[int, int]]:
    """Action and reason by memory id."""
    return {item.memory_id: (item.action, item.reason) for item in pass_of(answer).items}


def counted(answer: Any) -> list[tuple[int, int, int]]:
    return [(each.action, each.reason, each.memories) for each in pass_of(answer).counts]


async def flush_accesses(server: Server) -> None:
    """Stores what is written behind: who was retrieved."""
    await server.app.search.access.flush()
