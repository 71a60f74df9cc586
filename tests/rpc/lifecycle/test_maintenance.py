"""RunMaintenance, and what becomes of memories with time."""

from datetime import UTC

import pytest
from camillo.v1 import lifecycle_pb2 as pb
from camillo.v1 import memory_pb2
from camillo.v1 import memory_service_pb2 as service
from google.protobuf.timestamp_pb2 import Timestamp
from grpc import StatusCode

from tests.rpc.lifecycle.calls import DAY, WEEK, counted, flush_accesses, maintain, pass_of, taken
from tests.rpc.memories.calls import found_by_words, get, listed, recall, remember
from tests.rpc.memories.test_update import update, versions
from tests.rpc.watching import Watch, told
from tests.server_fixtures import Server, StartServer, refused

DECAYED = (pb.LIFECYCLE_ACTION_ARCHIVE, pb.LIFECYCLE_REASON_DECAYED)
RETENTION = (pb.LIFECYCLE_ACTION_REMOVE, pb.LIFECYCLE_REASON_RETENTION)
BOTH_SIDES = pytest.mark.parametrize("answered_from", ["memory", "postgres"])


def moment(server: Server, seconds: float) -> Timestamp:
    """The time so many seconds from now."""
    at = Timestamp()
    at.FromSeconds(int(server.clock.now().timestamp() + seconds))
    return at


def restore(*ids: str) -> service.RestoreMemoriesRequest:
    return service.RestoreMemoriesRequest(memory_ids=service.MemoryIds(ids=ids))


@BOTH_SIDES
async def test_what_has_decayed_leaves_recall_and_comes_back_as_it_was(server: Server) -> None:
    faded = await remember(server.alice, "the 斑马 wears stripes", importance=0.3, tags=["🦓"])
    await remember(server.alice, "the 斑马 is pinned", importance=0.3, pinned=True)
    server.clock.move(30 * WEEK)
    await remember(server.alice, "the 斑马 is new", importance=0.3)
    before = await found_by_words(server.alice, "斑马")
    assert len(before) == 3

    answer = await server.alice(maintain())

    assert taken(answer) == {faded.memory_id: DECAYED}
    assert counted(answer) == [(*DECAYED, 1)]
    assert await found_by_words(server.alice, "斑马") == {"the 斑马 is pinned", "the 斑马 is new"}
    archived = memory_pb2.MemoryFilter(archived=memory_pb2.ARCHIVED_FILTER_ONLY)
    assert await listed(server.alice, archived) == ["the 斑马 wears stripes"]
    assert [each.memory.version for each in await versions(server.alice, faded.memory_id)] == [2, 1]
    await server.alice(restore(faded.memory_id))
    assert await found_by_words(server.alice, "斑马") == before
    back = await get(server.alice, faded.memory_id)
    assert (back.content, list(back.tags), back.archived) == (faded.content, ["🦓"], False)
    # A memory that someone restored is not archived an hour later.
    server.clock.move(3_600)
    assert taken(await server.alice(maintain())) == {}


async def test_a_dry_run_tells_and_its_token_carries_out_exactly_that(server: Server) -> None:
    faded = await remember(server.alice, "faded", importance=0.25)
    server.clock.move(30 * WEEK)
    dry = await server.alice(maintain(dry_run=True))
    plan = pass_of(dry)
    assert taken(dry) == {faded.memory_id: DECAYED}
    (item,) = plan.items
    assert item.decayed_importance == pytest.approx(0.25 * 0.95**30)
    assert item.last_used_at == faded.created_at
    assert item.kind == memory_pb2.MEMORY_KIND_FACT
    assert plan.at.ToDatetime(tzinfo=UTC) == server.clock.now()
    assert (plan.receipt_id, bool(plan.plan_token)) == ("", True)
    assert not (await get(server.alice, faded.memory_id)).archived

    server.clock.move(3_600)
    done = await server.alice(maintain(plan_token=plan.plan_token))
    assert (pass_of(done).items, pass_of(done).at) == (plan.items, plan.at)
    assert (bool(pass_of(done).receipt_id), pass_of(done).plan_token) == (True, "")
    assert (await get(server.alice, faded.memory_id)).archived
    again = await refused(server.alice(maintain(plan_token=plan.plan_token)))
    assert (again.code, again.reason) == (StatusCode.ABORTED, "PLAN_CHANGED")


async def test_a_plan_is_void_after_a_change_after_an_hour_and_elsewhere(server: Server) -> None:
    first = await remember(server.alice, "one", importance=0.25)
    await remember(server.admin, "two", agent_id="bob", importance=0.25)
    server.clock.move(30 * WEEK)
    token = pass_of(await server.alice(maintain(dry_run=True))).plan_token
    elsewhere = await refused(server.admin(maintain(agent_id="bob", plan_token=token)))
    assert (elsewhere.code, elsewhere.fields) == (StatusCode.INVALID_ARGUMENT, ("plan_token",))
    await server.alice(update(first.memory_id, 1, tags=["x"]))
    changed = await refused(server.alice(maintain(plan_token=token)))
    assert changed.reason == "PLAN_CHANGED"
    server.clock.move(30 * WEEK)
    token = pass_of(await server.alice(maintain(dry_run=True))).plan_token
    server.clock.move(3_601)
    assert (await refused(server.alice(maintain(plan_token=token)))).reason == "PLAN_CHANGED"
    token = pass_of(await server.alice(maintain(dry_run=True))).plan_token
    # The same scope under another credential.
    done = await server.admin(maintain(agent_id="alice", plan_token=token))
    assert list(taken(done)) == [first.memory_id]


@pytest.mark.own_server
async def test_a_retrieval_keeps_a_memory_from_fading(server: Server) -> None:
    used = await remember(server.alice, "a used xylophone", importance=0.3)
    unused = await remember(server.alice, "an unused bassoon", importance=0.3)
    server.clock.move(20 * WEEK)
    found = {hit.memory.memory_id for hit in (await recall(server.alice, "xylophone", limit=1)).hits}
    await flush_accesses(server)
    server.clock.move(20 * WEEK)
    dry = taken(await server.alice(maintain(dry_run=True)))
    # The vectors are random: whichever was found is the one that was used.
    assert dry == dict.fromkeys({used.memory_id, unused.memory_id} - found, DECAYED)
    assert len(dry) == 1


async def test_a_repeated_request_gets_the_first_answer(server: Server) -> None:
    faded = await remember(server.alice, "faded", importance=0.25)
    server.clock.move(30 * WEEK)
    first = await server.alice(maintain(request_id="m"))
    assert list(taken(first)) == [faded.memory_id]
    await server.alice(restore(faded.memory_id))
    assert await server.alice(maintain(request_id="m")) == first
    assert not (await get(server.alice, faded.memory_id)).archived


async def test_the_date_hides_at_once_and_without_it_the_memory_is_back(server: Server) -> None:
    dated = await remember(server.alice, "a dated 会议", expires_at=moment(server, 60))
    await remember(server.alice, "an undated 会议")
    server.clock.move(59)
    assert len(await found_by_words(server.alice, "会议")) == 2
    server.clock.move(1)
    assert await found_by_words(server.alice, "会议") == {"an undated 会议"}
    clear = update(dated.memory_id, 1)
    clear.update_mask.paths.append("expires_at")
    await server.alice(clear)
    assert await found_by_words(server.alice, "会议") == {"a dated 会议", "an undated 会议"}
    server.clock.move(60)
    assert len(await found_by_words(server.alice, "会议")) == 2


async def test_what_expired_long_ago_is_removed_for_good_and_may_be_stated_again(server: Server) -> None:
    gone = await remember(server.alice, "ephemeral", expires_at=moment(server, 60), importance=1.0)
    await remember(server.alice, "lasting", importance=1.0, pinned=True)
    server.clock.move(60 + 365 * DAY)
    assert taken(await server.alice(maintain(dry_run=True))) == {}
    server.clock.move(1)
    dry = await server.alice(maintain(dry_run=True))
    done = await server.alice(maintain())
    assert taken(done) == taken(dry) == {gone.memory_id: RETENTION}
    assert pass_of(done).stores == pass_of(dry).stores
    assert {each.store: each.rows for each in pass_of(done).stores}["memories"] == 1
    assert await listed(server.alice) == ["lasting"]
    await remember(server.alice, "ephemeral")
    assert len(await listed(server.alice)) == 2


async def test_an_operator_sets_quota_and_bounds(start_server: StartServer) -> None:
    server = await start_server(lifecycle={"memory_quota": 2, "archive_below": 0.0})
    stored = [
        await remember(server.alice, f"number {place}", importance=importance)
        for place, importance in enumerate((0.5, 0.4, 0.9, 0.6))
    ]
    assert taken(await server.alice(maintain())) == {}
    server.clock.move(DAY)
    await remember(server.alice, "an import of today", importance=0.3)
    answer = await server.alice(maintain())
    reason = (pb.LIFECYCLE_ACTION_ARCHIVE, pb.LIFECYCLE_REASON_OVER_QUOTA)
    assert taken(answer) == {stored[0].memory_id: reason, stored[1].memory_id: reason}
    assert sorted(await listed(server.alice)) == ["an import of today", "number 2", "number 3"]


async def test_with_nothing_to_do_the_revision_stays(server: Server) -> None:
    stored = service.RememberRequest(memory=memory_pb2.NewMemory(content="new"))
    revision = (await server.alice(stored)).revision
    answer = await server.alice(maintain())
    assert answer.revision == revision
    assert (pass_of(answer).receipt_id, len(pass_of(answer).items)) == ("", 0)


async def test_a_watcher_is_told_of_what_was_archived(server: Server) -> None:
    faded = await remember(server.alice, "faded", importance=0.25)
    server.clock.move(30 * WEEK)
    async with Watch(server.reader, from_beginning=True) as watch:
        assert told(await watch.until_caught_up()) == ["faded"]
        await server.alice(maintain())
        change = await watch.next()
        # Before it, its vector may be told of.
        while not change.changed.archived:
            change = await watch.next()
    assert change.changed.memory_id == faded.memory_id
