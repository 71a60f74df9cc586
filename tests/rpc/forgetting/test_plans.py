"""Removals that a writer may make without being shown them, and plans that are carried out as they were shown."""

from typing import Any

import grpc
import pytest
from camillo.v1 import event_service_pb2 as events
from camillo.v1 import lifecycle_service_pb2 as lifecycle
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from google.protobuf.message import Message

from tests.rpc.memories.calls import remember
from tests.rpc.records import record, texts
from tests.server_fixtures import Caller, Server, refused

REQUIRED = (grpc.StatusCode.FAILED_PRECONDITION, "PLAN_REQUIRED")
VALUE = "Der Tee steht im blauen Schrank 茶"
CHANGED = (grpc.StatusCode.ABORTED, "PLAN_CHANGED")


def forget(**fields: Any) -> service.ForgetMemoriesRequest:
    return service.ForgetMemoriesRequest(filter=pb.MemoryFilter(tags_any=["茶"]), **fields)


def prune(**fields: Any) -> lifecycle.PruneRequest:
    return lifecycle.PruneRequest(selector=lifecycle.LifecycleSelector(tags_any=["茶"]), **fields)


def forget_session(**fields: Any) -> events.ForgetEventsRequest:
    return events.ForgetEventsRequest(session_id="茶", **fields)


def forget_value(**fields: Any) -> lifecycle.ForgetRequest:
    return lifecycle.ForgetRequest(value=VALUE, allow_restating=True, **fields)


def token_of(answer: Any) -> str:
    """The plan's token in the answer to a dry run."""
    if isinstance(answer, lifecycle.ForgetResponse):
        return answer.receipt.plan_token
    token: str = getattr(answer, "plan_token", "") or getattr(answer, "pass").plan_token
    return token


@pytest.fixture
def server_settings() -> dict[str, Any]:
    """A writer removes two memories without a plan."""
    return {"lifecycle": {"forget_without_plan": 2}}


async def keep(caller: Caller, number: int) -> list[str]:
    texts = [f"tea {i}" for i in range(number)]
    return [(await remember(caller, text, tags=["茶"])).memory_id for text in texts]


@pytest.mark.parametrize("removal", [forget, prune])
async def test_a_writer_empties_no_scope_by_one_filter_without_having_been_shown_it(
    server: Server, removal: Any
) -> None:
    ids = await keep(server.alice, 3)
    failed = await refused(server.alice(removal()))
    assert (failed.code, failed.reason) == REQUIRED
    assert failed.metadata == {"memories": "3", "allowed": "2"}
    token = token_of(await server.alice(removal(dry_run=True)))
    await remember(server.alice, "tea, too", tags=["茶"])
    failed = await refused(server.alice(removal(plan_token=token)))
    assert (failed.code, failed.reason) == CHANGED
    by_ids = service.ForgetMemoriesRequest(memory_ids=service.MemoryIds(ids=ids))
    assert (await server.alice(by_ids)).forgotten == 3
    assert await server.alice(removal())


@pytest.mark.parametrize("removal", [forget_session, forget_value])
async def test_a_session_or_a_value_needs_a_plan_as_a_filter_does(server: Server, removal: Any) -> None:
    for number in range(3):
        await record(server.alice, f"{number}\n{VALUE}", session_id="茶")
    failed = await refused(server.alice(removal()))
    assert (failed.code, failed.reason) == REQUIRED
    assert failed.metadata == {"memories": "3", "allowed": "2"}
    old = token_of(await server.alice(removal(dry_run=True)))
    await record(server.alice, f"too: {VALUE}", session_id="茶")
    failed = await refused(server.alice(removal(plan_token=old)))
    assert (failed.code, failed.reason) == CHANGED
    token = token_of(await server.alice(removal(dry_run=True)))
    await server.alice(removal(plan_token=token, request_id="once"))
    await server.alice(removal(plan_token=token, request_id="once"))
    assert await texts(server.alice) == []
    for number in range(3):
        await record(server.alice, f"{number}\n{VALUE}", session_id="茶")
    assert await server.admin(removal(agent_id="alice"))
    assert await texts(server.alice) == []


async def test_named_records_need_no_plan_and_all_scopes_have_none(server: Server) -> None:
    recorded = [await record(server.alice, f"{number}", session_id="茶") for number in range(3)]
    ids = events.EventIds(ids=[each.event_id for each in recorded])
    assert (await server.alice(events.ForgetEventsRequest(event_ids=ids))).forgotten == 3
    shown = await server.admin(forget_value(agent_id="alice", all_scopes=True, dry_run=True))
    assert shown.receipt.plan_token == ""
    token = token_of(await server.alice(forget_value(dry_run=True)))
    call = forget_value(agent_id="alice", all_scopes=True, plan_token=token)
    failed = await refused(server.admin(call))
    assert failed.reason == "INVALID_FIELD"


@pytest.mark.parametrize("removal", [forget, prune])
async def test_what_was_shown_is_removed(server: Server, removal: Any) -> None:
    await keep(server.alice, 3)
    shown = await server.alice(removal(dry_run=True))
    request = removal(plan_token=token_of(shown))
    failed = await refused(server.alice(changed(request)))
    assert failed.code == grpc.StatusCode.INVALID_ARGUMENT
    await server.alice(request)
    left = await server.alice(service.ListMemoriesRequest())
    assert list(left.memories) == []


async def test_an_administrator_needs_no_plan(server: Server) -> None:
    await keep(server.alice, 3)
    assert (await server.admin(forget(agent_id="alice"))).forgotten == 3


async def test_a_plan_is_good_for_an_hour(server: Server) -> None:
    await keep(server.alice, 3)
    shown = await server.alice(forget(dry_run=True))
    server.clock.move(3_601)
    failed = await refused(server.alice(forget(plan_token=shown.plan_token)))
    assert (failed.code, failed.reason) == CHANGED


async def test_a_writer_lifts_no_block(server: Server) -> None:
    ids = await keep(server.alice, 1)
    await server.alice(service.ForgetMemoriesRequest(memory_ids=service.MemoryIds(ids=ids)))
    lift = lifecycle.LiftValueBlocksRequest(agent_id="alice", content="tea 0")
    failed = await refused(server.alice(lift))
    assert (failed.code, failed.reason) == (grpc.StatusCode.PERMISSION_DENIED, "SCOPE_FORBIDDEN")
    assert (await server.admin(lift)).lifted == 1


def changed(request: Message) -> Message:
    """The request with the same plan, for another selection."""
    other = type(request)()
    other.CopyFrom(request)
    where = "filter" if isinstance(request, service.ForgetMemoriesRequest) else "selector"
    getattr(other, where).tags_any.append("coffee")
    return other
