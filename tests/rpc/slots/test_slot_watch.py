"""WatchSlots: every version in the order in which it was written, from wherever the watcher was."""

import json

import pytest
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import channel_pb2 as channels
from camillo.v1 import lifecycle_service_pb2 as lifecycle
from camillo.v1 import memory_pb2
from camillo.v1 import slot_pb2 as pb
from camillo.v1 import slot_service_pb2 as service
from camillo.v1.consistency_pb2 import Revision
from google.protobuf.timestamp_pb2 import Timestamp

from tests.patience import PATIENCE_SECONDS
from tests.rpc.slots.calls import set_memory
from tests.rpc.slots.watching import changes_of, next_change, told
from tests.server_fixtures import Caller, Server, StartServer, refused

PRIVATE, PUBLIC = channels.CHANNEL_PRIVATE, channels.CHANNEL_PUBLIC
RESTRICTED = memory_pb2.SENSITIVITY_RESTRICTED


async def forget(caller: Caller, *slots: pb.Slot) -> None:
    request = lifecycle.ForgetRequest(allow_restating=True)
    request.records.slot_ids.extend(each.slot_id for each in slots)
    await caller(request)


async def test_a_watch_resumes_after_any_message(server: Server) -> None:
    """Over more than a page, tombstones among the versions."""
    contents = [f'"第{number}个 🧭"' if number % 7 else "null" for number in range(505)]
    for number, content in enumerate(contents):
        await set_memory(server.alice, f"/k/{number % 5}", content)
    changes = await changes_of(server.alice, from_beginning=True)
    assert told(changes) == contents
    assert [change.written.valid for change in changes[:8]] == [False, *[True] * 6, False]
    for place in (0, 63, 499, 500, 503, 504, 505):
        rest = await changes_of(server.alice, resume_token=changes[place].resume_token)
        assert told(rest) == contents[place + 1 :]
    after = await changes_of(server.alice, after_revision=changes[100].revision)
    assert told(after) == contents[101:]


async def test_few_versions_among_many_are_told_in_their_order(server: Server) -> None:
    """Keys outside of the prefix have more versions than a page reads."""
    gone = await set_memory(server.alice, "/few/gone", "1")
    begun = await changes_of(server.alice, from_beginning=True, prefix="/few")
    source = pb.SlotSource(text="chat")
    for first in range(0, 2_100, 100):
        if first in (0, 1_000, 2_000):
            await set_memory(server.alice, "/few/kept", str(first))
        batch = service.BatchSetMemoryRequest()
        for number in range(first, first + 100):
            batch.slots.add(key=f"/many/{number % 300}", json_content="1", source=source)
        await server.alice(batch)
        if first == 1_000:
            await forget(server.alice, gone)
    whole = await changes_of(server.alice, from_beginning=True, prefix="/few")
    assert told(whole) == ["0", "1000", "2000"]
    rest = await changes_of(server.alice, resume_token=begun[-1].resume_token, prefix="/few")
    assert told(rest) == ["0", "1000", gone.slot_id, "2000"]
    export = service.ExportSlotsRequest(prefix="/few")
    exported = [answer async for answer in server.alice.begin(export, timeout=PATIENCE_SECONDS)]
    assert [slot.json_content for each in exported for slot in each.versions] == told(whole)


async def test_a_change_has_what_a_line_of_the_log_has(server: Server) -> None:
    slot = await set_memory(server.alice, "/user/x", '{"a":1.0}')
    (change, _) = await changes_of(server.reader, from_beginning=True)
    assert change.written == slot


async def test_a_watch_tells_what_is_written_and_forgotten_while_it_runs(server: Server) -> None:
    first = await set_memory(server.alice, "/private name", '"first"')
    await forget(server.alice, await set_memory(server.alice, "/before", '"gone before it began"'))
    call = server.alice.begin(
        service.WatchSlotsRequest(from_beginning=True, prefix="/private name"), timeout=PATIENCE_SECONDS
    )
    answers = aiter(call)
    assert (await next_change(answers)).written.json_content == '"first"'
    begun = (await anext(answers)).change
    assert begun.WhichOneof("change") == "checkpoint"
    await set_memory(server.alice, "/private name", '"second"')
    assert (await next_change(answers)).written.version == 2
    await forget(server.alice, first)
    gone = await next_change(answers)
    assert gone.forgotten_slot_id == first.slot_id
    assert "private" not in str(gone)
    again = await set_memory(server.alice, "/private name", '"third"')
    assert (await next_change(answers)).written == again
    call.cancel()
    # Who comes back later hears of it, and of nothing that the slot had said.
    later = await changes_of(server.alice, resume_token=begun.resume_token)
    assert told(later) == [first.slot_id, '"third"']
    assert told(await changes_of(server.alice, from_beginning=True)) == ['"third"']


async def test_a_reset_is_told_as_a_forgetting_of_every_slot(server: Server) -> None:
    slots = [await set_memory(server.alice, f"/{name}", "1") for name in "ab"]
    begun = await changes_of(server.alice, from_beginning=True)
    await server.admin(lifecycle.ResetRequest(agent_id="alice", confirm="alice"))
    rest = await changes_of(server.alice, resume_token=begun[-1].resume_token)
    assert sorted(told(rest)) == sorted(each.slot_id for each in slots)


async def test_a_watch_passes_over_other_keys_and_what_its_channel_leaves_out(server: Server) -> None:
    await set_memory(server.alice, "/a", '"mine"')
    await set_memory(server.alice, "/a b", '"beside"')
    await set_memory(server.alice, "/a/x", '"below"')
    await set_memory(server.alice, "/a/p", '{"type":"preference"}')
    await set_memory(server.alice, "/a/s", '"secret"', sensitivity=RESTRICTED)
    mine = await changes_of(server.alice, from_beginning=True, prefix="/a")
    assert told(mine) == ['"mine"', '"below"', '{"type":"preference"}', '"secret"']
    level = memory_pb2.SENSITIVITY_PUBLIC
    await set_memory(server.alice, "/a/o", '"open"', sensitivity=level)
    shown = await changes_of(server.alice, from_beginning=True, prefix="/a", channel=PUBLIC)
    assert told(shown) == ['"open"']


async def test_a_slot_that_the_channel_may_not_load_any_more_is_told_as_hidden(server: Server) -> None:
    """Else a mirror would keep the version before. Its content and further versions are not told."""
    level = memory_pb2.SENSITIVITY_PUBLIC
    first = await set_memory(server.alice, "/a", '"open"', sensitivity=level)
    for content in ('"secret one"', '"secret two"'):
        await set_memory(server.alice, "/a", content, sensitivity=RESTRICTED)
    await set_memory(server.alice, "/never shown", '"secret"', sensitivity=RESTRICTED)
    await set_memory(server.alice, "/a", '"open again"', sensitivity=level)
    changes = await changes_of(server.alice, from_beginning=True, channel=PUBLIC)
    assert told(changes) == ['"open"', first.slot_id, '"open again"']
    assert changes[1].WhichOneof("change") == "hidden_slot_id"


@pytest.mark.own_server
async def test_slots_of_other_agents_and_tenants_are_never_in_a_watch(server: Server) -> None:
    await server.admin(admin.CreateAgentRequest(agent_id="bob"))
    theirs = await set_memory(server.admin, "/a", '"of bob"', agent_id="bob")
    await set_memory(server.rival, "/a", '"of a rival"', agent_id="alice")
    await set_memory(server.admin, "/a", '"of all"', agent_id="@shared")
    await set_memory(server.alice, "/a", '"of alice"')
    request = lifecycle.ForgetRequest(agent_id="bob")
    request.records.slot_ids.append(theirs.slot_id)
    begun = await changes_of(server.admin, agent_id="bob", from_beginning=True)
    assert told(begun) == ['"of bob"']
    await server.admin(request)
    after = await changes_of(server.admin, agent_id="bob", resume_token=begun[0].resume_token)
    assert told(after) == [theirs.slot_id]
    assert told(await changes_of(server.alice, from_beginning=True)) == ['"of alice"']
    shared = await changes_of(server.alice, from_beginning=True, shared=True)
    assert told(shared) == ['"of all"']
    # A place in one scope is none in another.
    for token, fields in (
        (begun[0].resume_token, {}),
        (shared[0].resume_token, {}),
        (begun[0].resume_token, {"shared": True}),
    ):
        refusal = await refused(changes_of(server.alice, resume_token=token, **fields))
        assert refusal.reason == "REVISION_UNKNOWN"
    again = await changes_of(server.alice, resume_token=shared[0].resume_token, shared=True)
    assert told(again) == []


@pytest.mark.parametrize(
    ("start", "reason"),
    [
        ({}, "INVALID_FIELD"),
        ({"from_beginning": False}, "INVALID_FIELD"),
        ({"from_beginning": True, "prefix": "a"}, "INVALID_FIELD"),
        ({"from_beginning": True, "prefix": "/.."}, "INVALID_FIELD"),
        ({"after_revision": Revision()}, "INVALID_FIELD"),
        ({"resume_token": ""}, "INVALID_PAGE_TOKEN"),
        ({"resume_token": "AAAA"}, "INVALID_PAGE_TOKEN"),
        ({"resume_token": "漢字.\u0661"}, "INVALID_PAGE_TOKEN"),
    ],
)
async def test_a_start_that_is_none_is_refused(server: Server, start: dict[str, object], reason: str) -> None:
    assert (await refused(changes_of(server.alice, **start))).reason == reason


async def test_a_token_that_somebody_changed_moves_the_place_alone(server: Server) -> None:
    await set_memory(server.alice, "/a", "1")
    (first, _) = await changes_of(server.alice, from_beginning=True)
    revision, _, place = first.resume_token.rpartition(".")
    for hostile in (f"{place}0" * 3, f"-{place}", f"{place[:32]}{'9' * 19}", f"{place}\0", "٣" * 33):
        refusal = await refused(changes_of(server.alice, resume_token=f"{revision}.{hostile}"))
        assert refusal.reason == "INVALID_PAGE_TOKEN"
    before = f"{revision}.{'0' * 32}0"
    assert told(await changes_of(server.alice, resume_token=before)) == ["1"]


async def test_a_watch_goes_on_at_another_server(start_server: StartServer) -> None:
    one, other = await start_server(), await start_server()
    await set_memory(one.alice, "/a", "1")
    call = one.alice.begin(service.WatchSlotsRequest(from_beginning=True), timeout=PATIENCE_SECONDS)
    answers = aiter(call)
    seen = await next_change(answers)
    await set_memory(other.alice, "/a", "2")
    second = await next_change(answers)
    assert second.written.json_content == "2"
    call.cancel()
    await set_memory(one.alice, "/a", "3")
    rest = await changes_of(other.alice, resume_token=seen.resume_token)
    assert told(rest) == ["2", "3"]


async def test_a_slot_is_told_when_its_time_comes(server: Server) -> None:
    now = server.clock.now()

    def at(seconds: float) -> str:
        moment = Timestamp(seconds=int(now.timestamp() + seconds)).ToJsonString()
        return json.dumps({"trigger_at": moment})

    await set_memory(server.alice, "/over", at(-10))
    dentist = await set_memory(server.alice, "/cal/牙科复诊", at(60))
    beside = await set_memory(server.alice, "/cal/beside", at(60))
    await set_memory(server.alice, "/elsewhere", at(60))
    moved = await set_memory(server.alice, "/cal/moved", at(60))
    call = server.alice.begin(
        service.WatchSlotsRequest(
            after_revision=(await changes_of(server.alice, from_beginning=True))[-1].revision,
            prefix="/cal",
            triggers_after=Timestamp(seconds=int(now.timestamp())),
        ),
        timeout=PATIENCE_SECONDS,
    )
    answers = aiter(call)
    assert (await anext(answers)).change.WhichOneof("change") == "checkpoint"
    await set_memory(server.alice, "/cal/moved", at(120))
    assert (await next_change(answers)).written.key == "/cal/moved"
    server.clock.move(60)
    # Wakes the watch, which would look at the clock by itself after some seconds.
    await set_memory(server.alice, "/cal/new", "1")
    changes = [await next_change(answers) for _ in range(3)]
    come = [each.triggered for each in changes if each.HasField("triggered")]
    assert come == sorted((dentist, beside), key=lambda each: each.slot_id)
    server.clock.move(60)
    await set_memory(server.alice, "/cal/new", "null")
    last = [await next_change(answers) for _ in range(2)]
    (late,) = (each.triggered for each in last if each.HasField("triggered"))
    assert (late.slot_id, late.version) == (moved.slot_id, 2)
    call.cancel()
    again = server.alice.begin(
        service.WatchSlotsRequest(resume_token=last[1].resume_token, triggers_after=come[1].trigger_at),
        timeout=PATIENCE_SECONDS,
    )
    assert (await next_change(aiter(again))).triggered.slot_id == moved.slot_id
    again.cancel()


async def test_a_watch_sleeps_until_a_time_comes(server: Server) -> None:
    """The clock of the server ends the wait: nothing is written meanwhile."""
    now = server.clock.now()
    soon = Timestamp()
    soon.FromMilliseconds(int(now.timestamp() * 1000) + 50)
    await set_memory(server.alice, "/soon", json.dumps({"trigger_at": soon.ToJsonString()}))
    call = server.alice.begin(
        service.WatchSlotsRequest(from_beginning=True, triggers_after=Timestamp(seconds=int(now.timestamp()))),
        timeout=PATIENCE_SECONDS,
    )
    answers = aiter(call)
    await next_change(answers)
    assert (await anext(answers)).change.WhichOneof("change") == "checkpoint"
    server.clock.move(0.05)
    assert (await next_change(answers)).triggered.key == "/soon"
    call.cancel()
