"""Bad input of LifecycleService: each kind is refused with its code, reason and field, next to what is good and
taken."""

import math
from typing import Any

import grpc
import pytest
from camillo.v1 import lifecycle_service_pb2 as service
from camillo.v1 import memory_pb2
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from tests.rpc.memories.calls import UNKNOWN_ID, listed, remember
from tests.server_fixtures import Caller, Server, refused

TOO_LATE = Timestamp(seconds=253402300800)
OTHER_ID = "01890a5d-ac96-774b-bcce-b302099a8058"
MANY = [f"{number:08x}-ac96-774b-bcce-b302099a8058" for number in range(10_001)]


def prune(**fields: Any) -> service.PruneRequest:
    """A dry run, so that nothing depends on what came before."""
    selector = service.LifecycleSelector(**{"tags_any": ["tea"], **fields})
    return service.PruneRequest(selector=selector, dry_run=True)


def maintain(plan_token: str, **fields: Any) -> service.RunMaintenanceRequest:
    return service.RunMaintenanceRequest(plan_token=plan_token, **fields)


def archive(**fields: Any) -> service.ArchiveRequest:
    return service.ArchiveRequest(selector=service.LifecycleSelector(**fields), dry_run=True)


def compact(**fields: Any) -> service.CompactRequest:
    return service.CompactRequest(criteria=service.CompactionCriteria(**fields), dry_run=True)


def commit(*ids: str, **fields: Any) -> service.CompactRequest:
    return service.CompactRequest(proposals=service.CompactionIds(ids=ids), **fields)


def lift(**fields: Any) -> service.LiftValueBlocksRequest:
    return service.LiftValueBlocksRequest(**fields)


# The field that is named, the request that breaks its limit, one just within it.
BAD: list[tuple[str, Message, Message]] = [
    ("selector", service.PruneRequest(), prune()),
    ("selector", archive(archived=memory_pb2.ARCHIVED_FILTER_INCLUDE), archive(kinds=[1])),
    ("selector", archive(kinds=[0]), archive(archived=memory_pb2.ARCHIVED_FILTER_ONLY)),
    ("selector.memory_ids", prune(memory_ids=MANY), prune(memory_ids=MANY[:-1])),
    ("selector.memory_ids[1]", prune(memory_ids=[UNKNOWN_ID, "42"]), prune(memory_ids=[UNKNOWN_ID])),
    ("selector.unused_since", prune(unused_since=TOO_LATE), prune(unused_since=Timestamp())),
    ("selector.created_before", prune(created_before=Timestamp(nanos=-1)), prune()),
    ("selector.tags_any", prune(tags_any=map(str, range(65))), prune(tags_any=map(str, range(64)))),
    ("selector.tags_all[0]", prune(tags_all=["x" * 129]), prune(tags_all=["字" * 128])),
    ("selector.tags_all[0]", prune(tags_all=["\0"]), prune(tags_all=["\u202e"])),
    ("selector.kinds", prune(kinds=[9]), prune(kinds=[8, 8])),
    ("selector.kinds", prune(kinds=[33]), prune(kinds=[1])),
    ("selector.max_access_count", prune(max_access_count=-1), prune(max_access_count=2**63 - 1)),
    ("selector.importance_below", prune(importance_below=1.01), prune(importance_below=1)),
    ("selector.importance_below", prune(importance_below=math.nan), prune(importance_below=0)),
    ("selector.archived", prune(archived=7), prune(archived=1)),
    ("plan_token", maintain("漢"), prune()),
    ("plan_token", maintain("A" * 513), prune()),
    ("plan_token", maintain("AAAA", dry_run=True), prune()),
    ("request_id", service.RunMaintenanceRequest(request_id="x" * 129), prune()),
    ("work", service.CompactRequest(), compact()),
    ("criteria.tag_threshold", compact(tag_threshold=1), compact(tag_threshold=2)),
    ("criteria.tag_threshold", compact(tag_threshold=10_001), compact(tag_threshold=10_000)),
    ("criteria.tag_threshold", compact(tag_threshold=-1), compact(tag_threshold=0)),
    ("criteria.likeness", compact(likeness=0.49), compact(likeness=0.5)),
    ("criteria.likeness", compact(likeness=1.01), compact(likeness=1)),
    ("criteria.likeness", compact(likeness=math.nan), compact(likeness=0)),
    ("criteria.tags", compact(tags=map(str, range(65))), compact(tags=map(str, range(64)))),
    ("criteria", compact(skip_tags=True, skip_near_duplicates=True), compact(skip_tags=True)),
    ("proposals.ids", commit(), compact()),
    ("proposals.ids", commit(*MANY[:101]), compact()),
    ("proposals.ids[0]", commit("x"), compact()),
    ("dry_run", commit(UNKNOWN_ID, dry_run=True), compact()),
    ("compaction_id", service.RevertCompactionRequest(compaction_id="1"), compact()),
    ("state", service.ListCompactionsRequest(state=5), service.ListCompactionsRequest(state=4)),  # type: ignore[arg-type]
    ("page_size", service.ListCompactionsRequest(page_size=1_001), service.ListCompactionsRequest(page_size=1_000)),
    ("page_size", service.GetUsageRequest(page_size=-1), service.GetUsageRequest(page_size=0)),
    ("page_size", service.ListReceiptsRequest(page_size=1_001), service.ListReceiptsRequest(page_size=1_000)),
    ("blocks", lift(), lift(content="x")),
    ("content", lift(content=""), lift(content="…")),
    ("content", lift(content="x" * 2_001), lift(content="x" * 2_000)),
    ("content", lift(content="a\0b"), lift(content="a b")),
    ("receipt_id", lift(receipt_id="42"), lift(content="x")),
    ("agent_id", service.GetUsageRequest(agent_id="a b"), service.GetUsageRequest()),
]


async def test_bad_input_is_refused_and_good_input_taken(server: Server) -> None:
    for field, bad, good in BAD:
        told = await refused(server.admin(bad))
        assert (told.code, told.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD"), str(bad)[:300]
        assert field in told.fields, (told.fields, str(bad)[:300])
        await server.admin(good)


@pytest.mark.parametrize(
    ("field", "bad", "good"),
    [
        ("state", service.ListJobsRequest(state=4), service.ListJobsRequest(state=3)),  # type: ignore[arg-type]
        ("page_size", service.ListJobsRequest(page_size=1_001), service.ListJobsRequest(page_size=1_000)),
        (
            "agent_id",
            service.GetUsageRequest(agent_id="alice", all_scopes=True),
            service.GetUsageRequest(all_scopes=True),
        ),
        (
            "agent_id",
            service.GetReembeddingRequest(agent_id="alice", all_scopes=True),
            service.GetReembeddingRequest(all_scopes=True),
        ),
    ],
)
async def test_bad_input_of_an_administrator_is_refused(
    server: Server, field: str, bad: Message, good: Message
) -> None:
    told = await refused(server.admin(bad))
    assert (told.reason, told.fields) == ("INVALID_FIELD", (field,))
    await server.admin(good)


async def test_jobs_need_a_name(server: Server) -> None:
    for job_id, fields in (("", ("job_id",)), ("x" * 65, ("job_id",)), ("\0", ("job_id",))):
        told = await refused(server.admin(service.RetryJobRequest(job_id=job_id)))
        assert (told.reason, told.fields) == ("INVALID_FIELD", fields)
    for job_id in ("1", "x", "-1", "9" * 64, "１"):
        told = await refused(server.admin(service.RetryJobRequest(job_id=job_id)))
        assert (told.code, told.reason) == (grpc.StatusCode.NOT_FOUND, "JOB_NOT_FOUND")
        assert told.metadata == {"job_id": job_id}


async def test_what_is_not_there_is_told_by_its_name(server: Server) -> None:
    for request, reason, metadata in (
        (service.RevertCompactionRequest(compaction_id=OTHER_ID), "COMPACTION_NOT_FOUND", {"compaction_id": OTHER_ID}),
        (commit(OTHER_ID), "COMPACTION_NOT_FOUND", {"compaction_id": OTHER_ID}),
        (lift(receipt_id=OTHER_ID), "RECEIPT_NOT_FOUND", {"receipt_id": OTHER_ID}),
    ):
        told = await refused(server.admin(request))
        assert (told.code, told.reason) == (grpc.StatusCode.NOT_FOUND, reason)
        assert told.metadata == metadata


def lists() -> list[tuple[str, Message, Message]]:
    """A list, another of the same method, and the name of its caller."""
    return [
        ("alice", service.ListReceiptsRequest(), service.ListReceiptsRequest(agent_id="alice")),
        ("alice", service.ListCompactionsRequest(), service.ListCompactionsRequest(state=1)),  # type: ignore[arg-type]
        ("admin", service.ListJobsRequest(), service.ListJobsRequest(state=1)),  # type: ignore[arg-type]
        ("admin", service.GetUsageRequest(all_scopes=True), service.GetUsageRequest()),
    ]


async def test_a_token_of_nowhere_is_refused(server: Server) -> None:
    for who, request, _ in lists():
        caller: Caller = getattr(server, who)
        await caller(request)
        for token in ("x", "AAAA", "漢", "A" * 3000):
            request.page_token = token  # type: ignore[attr-defined]
            told = await refused(caller(request))
            assert (told.code, told.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_PAGE_TOKEN"), (request, told)


async def test_pages_of_scopes_follow_each_other_and_stay_within_the_tenant(server: Server) -> None:
    for agent in ("bob", "alice", "", "carol"):
        await remember(server.admin, "tea", agent_id=agent)
    await remember(server.rival, "tea", agent_id="rivals")
    agents, token = [], ""
    while True:
        request = service.GetUsageRequest(all_scopes=True, page_size=1, page_token=token)
        answer = await server.admin(request)
        agents += [scope.agent_id for scope in answer.scopes]
        token = answer.next_page_token
        if not token:
            break
    assert agents == ["", "alice", "bob", "carol"]
    own = await server.rival(service.GetUsageRequest(all_scopes=True))
    assert [scope.agent_id for scope in own.scopes] == ["rivals"]
    told = await refused(server.rival(service.GetUsageRequest(all_scopes=True, page_token=await first_token(server))))
    assert told.reason == "INVALID_PAGE_TOKEN"


async def first_token(server: Server) -> str:
    answer = await server.admin(service.GetUsageRequest(all_scopes=True, page_size=1))
    token: str = answer.next_page_token
    return token


async def test_all_scopes_are_for_keys_that_reach_any_agent(server: Server) -> None:
    for request in (service.GetUsageRequest(all_scopes=True), service.GetReembeddingRequest(all_scopes=True)):
        told = await refused(server.alice(request))
        assert (told.code, told.reason) == (grpc.StatusCode.PERMISSION_DENIED, "SCOPE_FORBIDDEN")
        await server.admin(request)


async def test_a_plan_of_another_pass_or_scope_is_refused(server: Server) -> None:
    await remember(server.alice, "tea 茶", tags=["tea"])
    planned = await server.alice(prune())
    token = getattr(planned, "pass").plan_token
    selector = prune().selector
    for caller, request in (
        (server.alice, service.ArchiveRequest(selector=selector, plan_token=token)),
        (server.alice, service.RunMaintenanceRequest(plan_token=token)),
        (server.admin, service.PruneRequest(selector=selector, plan_token=token, agent_id="bob")),
        (server.alice, service.PruneRequest(selector=service.LifecycleSelector(tags_any=["te"]), plan_token=token)),
    ):
        told = await refused(caller(request))
        assert (told.reason, told.fields) == ("INVALID_FIELD", ("plan_token",))
    assert await listed(server.alice) == ["tea 茶"]
    await server.alice(service.PruneRequest(selector=selector, plan_token=token))
    assert await listed(server.alice) == []
