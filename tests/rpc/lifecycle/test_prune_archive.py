"""Prune and Archive: what is named is removed for good, or kept out of recall."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from camillo.v1 import lifecycle_pb2 as pb
from camillo.v1 import lifecycle_service_pb2 as service
from camillo.v1 import memory_pb2
from camillo.v1 import memory_service_pb2 as memories
from google.protobuf.timestamp_pb2 import Timestamp
from grpc import StatusCode

from tests.rpc.compaction.compacting import compact, compactions, revert
from tests.rpc.forgetting.test_forget import forget
from tests.rpc.lifecycle.calls import DAY, archive, counted, flush_accesses, pass_of, prune, taken
from tests.rpc.memories.calls import UNKNOWN_ID, found_by_words, get, listed, recall, remember
from tests.server_fixtures import Server, StartServer, refused

ARCHIVED = (pb.LIFECYCLE_ACTION_ARCHIVE, pb.LIFECYCLE_REASON_REQUESTED)
REMOVED = (pb.LIFECYCLE_ACTION_REMOVE, pb.LIFECYCLE_REASON_REQUESTED)
BOTH_SIDES = pytest.mark.parametrize("answered_from", ["memory", "postgres"])
BOTH_PASSES = pytest.mark.parametrize("ask", [prune, archive])


@pytest.mark.own_server
@BOTH_SIDES
async def test_what_is_pruned_is_gone_from_every_answer(server: Server) -> None:
    gone = await remember(server.alice, "the xylophone 木琴", tags=["木琴"])
    await remember(server.alice, "the piano", tags=["piano"])
    pinned = await remember(server.alice, "the pinned xylophone", tags=["木琴"], pinned=True)
    assert len(await found_by_words(server.alice, "xylophone")) == 2

    answer = await server.alice(prune(tags_any=["木琴"]))

    assert taken(answer) == {gone.memory_id: REMOVED}
    assert counted(answer) == [(*REMOVED, 1)]
    stores = [(each.store, each.rows) for each in pass_of(answer).stores]
    assert ("memories", 1) in stores
    assert stores == sorted(stores)
    assert await found_by_words(server.alice, "xylophone") == {pinned.content}
    assert sorted(await listed(server.alice)) == ["the piano", "the pinned xylophone"]
    missing = await refused(get(server.alice, gone.memory_id))
    assert missing.reason == "MEMORY_NOT_FOUND"
    with psycopg.connect(server.database.superuser_url) as connection:
        texts = connection.execute("select content from camillo.memories").fetchall()
    assert len(texts) == 2


async def test_what_was_pruned_may_be_stated_again_and_what_was_forgotten_may_not(server: Server) -> None:
    pruned = await remember(server.alice, "a value that was pruned")
    forgotten = await remember(server.alice, "a value that was forgotten")
    await server.alice(prune(memory_ids=[pruned.memory_id]))
    await server.alice(forget(forgotten.memory_id))
    again = await remember(server.alice, "a value that was pruned")
    assert again.memory_id != pruned.memory_id
    rejected = await refused(remember(server.alice, "a value that was forgotten"))
    assert rejected.reason == "VALUE_REJECTED"


async def test_a_pruning_has_a_receipt(server: Server) -> None:
    gone = await remember(server.alice, "gone")
    kept = await remember(server.alice, "kept")
    await server.alice(archive(memory_ids=[kept.memory_id]))
    answer = await server.alice(prune(memory_ids=[gone.memory_id]))
    (receipt,) = (await server.alice(service.ListReceiptsRequest())).receipts
    assert receipt.receipt_id == pass_of(answer).receipt_id
    assert (receipt.cause, receipt.blocked_values) == ("prune", 0)
    assert receipt.stores == pass_of(answer).stores
    assert receipt.at.ToDatetime() == server.clock.now().replace(tzinfo=None)


@BOTH_SIDES
async def test_what_is_archived_leaves_recall_and_is_restored_as_it_was(server: Server) -> None:
    away = await remember(server.alice, "the xylophone ٱلزَّيْلُوفُون", tags=["a"], importance=0.7)
    await remember(server.alice, "another xylophone", tags=["b"])
    answer = await server.alice(archive(tags_all=["a"]))
    assert taken(answer) == {away.memory_id: ARCHIVED}
    assert not pass_of(answer).stores
    assert await found_by_words(server.alice, "xylophone") == {"another xylophone"}
    assert (await get(server.alice, away.memory_id)).archived
    ids = memories.MemoryIds(ids=[away.memory_id])
    await server.alice(memories.RestoreMemoriesRequest(memory_ids=ids))
    assert len(await found_by_words(server.alice, "xylophone")) == 2
    back = await get(server.alice, away.memory_id)
    assert (back.version, back.archived) == (3, False)
    for field in ("content", "tags", "importance", "created_at", "kind"):
        assert getattr(back, field) == getattr(away, field)


@pytest.mark.own_server
async def test_it_goes_by_age_use_kind_and_importance(server: Server) -> None:
    old = await remember(server.alice, "an old error", kind=memory_pb2.MEMORY_KIND_ERROR, importance=0.3)
    server.clock.move(DAY)
    border = Timestamp()
    border.FromDatetime(server.clock.now())
    await remember(server.alice, "a new fact", importance=0.9)
    matching: list[dict[str, Any]] = [
        {"unused_since": border},
        {"created_before": border},
        {"kinds": [memory_pb2.MEMORY_KIND_ERROR]},
        {"importance_below": 0.9},
        {"max_access_count": 0, "created_before": border},
    ]
    for selected in matching:
        assert list(taken(await server.alice(prune(**selected, call={"dry_run": True})))) == [old.memory_id]
    everything = await server.alice(prune(max_access_count=0, call={"dry_run": True}))
    assert len(taken(everything)) == 2
    await recall(server.alice, "error")
    await flush_accesses(server)
    for selected in ({"unused_since": border}, {"max_access_count": 0}):
        assert taken(await server.alice(prune(**selected, call={"dry_run": True}))) == {}


async def test_archived_and_expired_ones_are_among_them(server: Server) -> None:
    ends = Timestamp()
    ends.FromDatetime(server.clock.now() + timedelta(seconds=5))
    expired = await remember(server.alice, "expired", expires_at=ends)
    archived = await remember(server.alice, "archived")
    active = await remember(server.alice, "active")
    server.clock.move(5)
    await server.alice(archive(memory_ids=[archived.memory_id]))
    every = await server.alice(prune(importance_below=1, call={"dry_run": True}))
    assert set(taken(every)) == {each.memory_id for each in (expired, archived, active)}
    only = prune(archived=memory_pb2.ARCHIVED_FILTER_ONLY, call={"dry_run": True})
    assert list(taken(await server.alice(only))) == [archived.memory_id]
    others = prune(archived=memory_pb2.ARCHIVED_FILTER_EXCLUDE, call={"dry_run": True})
    assert set(taken(await server.alice(others))) == {expired.memory_id, active.memory_id}


@BOTH_PASSES
async def test_a_plan_token_carries_out_exactly_what_was_shown(server: Server, ask: Callable[..., Any]) -> None:
    first = await remember(server.alice, "one", tags=["a"])
    plan = pass_of(await server.alice(ask(tags_any=["a"], call={"dry_run": True})))
    other = await refused(server.alice(ask(tags_any=["b"], call={"plan_token": plan.plan_token})))
    assert (other.code, other.fields) == (StatusCode.INVALID_ARGUMENT, ("plan_token",))
    second = await remember(server.alice, "two", tags=["a"])
    changed = await refused(server.alice(ask(tags_any=["a"], call={"plan_token": plan.plan_token})))
    assert (changed.code, changed.reason) == (StatusCode.ABORTED, "PLAN_CHANGED")
    assert len(await listed(server.alice)) == 2
    plan = pass_of(await server.alice(ask(tags_any=["a"], call={"dry_run": True})))
    done = await server.alice(ask(tags_any=["a"], call={"plan_token": plan.plan_token}))
    assert list(taken(done)) == sorted([first.memory_id, second.memory_id])
    assert await listed(server.alice) == []


async def test_a_plan_of_one_pass_is_none_of_another(server: Server) -> None:
    await remember(server.alice, "one", tags=["a"])
    plan = pass_of(await server.alice(archive(tags_any=["a"], call={"dry_run": True})))
    refusal = await refused(server.alice(prune(tags_any=["a"], call={"plan_token": plan.plan_token})))
    assert refusal.fields == ("plan_token",)
    assert await listed(server.alice) == ["one"]


@BOTH_PASSES
async def test_a_request_id_is_honoured(server: Server, ask: Callable[..., Any]) -> None:
    await remember(server.alice, "one", tags=["a"])
    first = await server.alice(ask(tags_any=["a"], call={"request_id": "r"}))
    assert len(taken(first)) == 1
    await remember(server.alice, "two", tags=["a"])
    assert await server.alice(ask(tags_any=["a"], call={"request_id": "r"})) == first
    assert await listed(server.alice) == ["two"]
    reused = await refused(server.alice(ask(tags_any=["b"], call={"request_id": "r"})))
    assert (reused.code, reused.reason) == (StatusCode.ALREADY_EXISTS, "REQUEST_ID_REUSED")


@BOTH_PASSES
async def test_a_selector_has_to_hold_a_condition(server: Server, ask: Callable[..., Any]) -> None:
    await remember(server.alice, "one")
    for request in (ask(), ask(archived=memory_pb2.ARCHIVED_FILTER_INCLUDE)):
        refusal = await refused(server.alice(request))
        assert (refusal.code, refusal.fields) == (StatusCode.INVALID_ARGUMENT, ("selector",))
    assert await listed(server.alice) == ["one"]


@BOTH_PASSES
async def test_it_reaches_only_what_the_caller_may_write(server: Server, ask: Callable[..., Any]) -> None:
    own = await remember(server.alice, "own", tags=["a"])
    foreign = await remember(server.rival, "foreign", agent_id="alice", tags=["a"])
    others = await remember(server.admin, "other's", agent_id="bob", tags=["a"])
    ids = [own.memory_id, foreign.memory_id, others.memory_id, UNKNOWN_ID]
    assert (await refused(server.reader(ask(memory_ids=ids)))).code == StatusCode.PERMISSION_DENIED
    elsewhere = ask(memory_ids=ids, call={"agent_id": "bob"})
    assert (await refused(server.alice(elsewhere))).reason == "SCOPE_FORBIDDEN"
    assert list(taken(await server.alice(ask(memory_ids=ids)))) == [own.memory_id]
    assert list(taken(await server.admin(elsewhere))) == [others.memory_id]
    assert await listed(server.rival, agent_id="alice") == ["foreign"]


async def test_what_was_pruned_is_told_by_no_proposal_and_no_compaction_that_was_undone(
    start_server: StartServer,
) -> None:
    server = await start_server(memory={"embedding_model": "lexical"})
    undone, kept, proposed = [
        [await remember(server.alice, text + end) for end in ("", ".")]
        for text in ("The harbour opens at nine", "Tea is drunk 茶 at noon", "Ada likes red sails")
    ]
    done = (await compact(server.alice)).compactions
    assert len(done) == 3
    for compaction in done:
        await revert(server.alice, compaction)
    assert len((await compact(server.alice, dry_run=True)).compactions) == 3
    told = {each.content for each in await compactions(server.alice)}
    assert any("harbour" in text for text in told)

    pruned = [memory.memory_id for pair in (undone, proposed) for memory in pair]
    await server.alice(prune(memory_ids=pruned))

    left = await compactions(server.alice)
    assert {tuple(each.source_ids) for each in left} == {tuple(sorted(memory.memory_id for memory in kept))}
    assert len(left) == 2
