"""SupersedeMemory, and memories that state whose place they take: the one in force is found, the other is history."""

import asyncio
from datetime import UTC, timedelta
from typing import Any

import grpc
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import recall_pb2, supersession_pb2
from camillo.v1.actor_pb2 import TRUST_LEVEL_WEB
from camillo.v1.channel_pb2 import CHANNEL_PUBLIC
from camillo.v1.context_pb2 import OMISSION_REASON_NOT_TRUE

from tests.rpc.forgetting.test_forget import forget
from tests.rpc.memories.calls import UNKNOWN_ID, get, listed, recall, remember
from tests.rpc.memories.test_import_export import exported, importing
from tests.rpc.memories.test_update import update, versions
from tests.rpc.records import bundle
from tests.server_fixtures import Caller, Server, refusal_of, refused

BERLIN, PARIS = "آنا تسكن في برلين 🏙️", "آنا تسكن في باريس 🗼"
ROME = "آنا تسكن في روما 🏛️"
ANY = pb.MemoryFilter(validity=recall_pb2.VALIDITY_FILTER_ANY)


@pytest.fixture(params=["memory", "postgres"])
def answered_from(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def supersede(memory: pb.Memory, successor: pb.Memory, **fields: Any) -> supersession_pb2.SupersedeMemoryRequest:
    """The successor in the place of the memory, as it was read."""
    values = {"memory_id": memory.memory_id, "expected_version": memory.version, "successor_id": successor.memory_id}
    return supersession_pb2.SupersedeMemoryRequest(**{**values, **fields})


async def found(caller: Caller, wanted: pb.MemoryFilter | None = None, **fields: Any) -> set[str]:
    answer = await recall(caller, "آنا تسكن", filter=wanted, **fields)
    return {hit.memory.content for hit in answer.hits}


async def two(server: Server) -> tuple[pb.Memory, pb.Memory]:
    """A memory of what was said ten days ago, and one of what is said now."""
    then = server.clock.now() - timedelta(days=10)
    old = await remember(server.alice, BERLIN, occurred_at=then, source_refs=["doc:1", "doc:2"])
    return old, await remember(server.alice, PARIS, source_refs=["doc:3"])


async def test_the_one_in_force_is_found_and_the_other_where_it_is_asked_for(server: Server) -> None:
    old, new = await two(server)
    assert await found(server.alice) == {BERLIN, PARIS}
    assert BERLIN in (await bundle(server.alice, BERLIN)).prompt
    done = await server.alice(supersede(old, new))
    assert await found(server.alice) == {PARIS}
    assert await found(server.alice, ANY) == {BERLIN, PARIS}
    assert await found(server.alice, pb.MemoryFilter(validity=recall_pb2.VALIDITY_FILTER_NOT_TRUE)) == {BERLIN}
    prompt = (await bundle(server.alice, BERLIN)).prompt
    assert BERLIN not in prompt
    assert PARIS in prompt
    then = server.clock.now() - timedelta(days=5)
    assert await found(server.alice, as_of=then) == {BERLIN}
    assert (done.memory.version, done.superseded.version) == (2, 2)
    assert done.superseded.superseded_by == new.memory_id
    assert done.superseded.valid_until == new.occurred_at
    assert list(done.memory.supersedes) == [old.memory_id]
    assert [done.memory, done.superseded] == [await get(server.alice, each.memory_id) for each in (new, old)]


async def test_an_explained_bundle_names_what_it_left_out_for_not_being_true(server: Server) -> None:
    old, new = await two(server)
    await server.alice(supersede(old, new))
    report = (await bundle(server.alice, BERLIN, explain=True)).report
    left_out = {each.ref for each in report.entries if each.reason == OMISSION_REASON_NOT_TRUE}
    assert left_out == {old.memory_id}
    assert new.memory_id in {each.ref for each in report.entries}


async def test_what_it_rested_on_is_handed_on_within_the_limit(server: Server) -> None:
    old, new = await two(server)
    done = await server.alice(supersede(old, new))
    assert list(done.memory.source_refs) == ["doc:3", "doc:1", "doc:2"]
    assert list(done.superseded.source_refs) == ["doc:1", "doc:2"]
    full = await remember(server.alice, ROME, source_refs=[f"r:{each}" for each in range(63)])
    done = await server.alice(supersede(done.memory, full))
    assert list(done.memory.source_refs) == [*(f"r:{each}" for each in range(63)), "doc:3"]


async def test_it_is_trusted_no_further_than_what_it_is_handed(server: Server) -> None:
    page = await remember(server.alice, "a page", trust_level=TRUST_LEVEL_WEB)
    old = await remember(server.alice, BERLIN, source_refs=[page.memory_id])
    new = await remember(server.alice, PARIS)
    assert new.trust_level > TRUST_LEVEL_WEB
    done = await server.alice(supersede(old, new))
    assert done.memory.trust_level == TRUST_LEVEL_WEB
    again = await remember(server.alice, ROME, supersedes=[new.memory_id])
    assert again.trust_level == TRUST_LEVEL_WEB


async def test_an_explained_recall_shows_what_a_hit_took_the_place_of(server: Server) -> None:
    kept = await remember(server.alice, "آنا تسكن 0", occurred_at=server.clock.now())
    for number in range(1, 6):
        server.clock.move(60)
        kept = await remember(server.alice, f"آنا تسكن {number}", supersedes=[kept.memory_id])
    (hit,) = (await recall(server.alice, "آنا تسكن")).hits
    assert hit.memory.content == "آنا تسكن 5"
    assert [each.content[-1] for each in hit.history] == ["4", "3", "2"]
    (hit,) = (await recall(server.alice, "آنا تسكن", explain=False)).hits
    assert not hit.history


async def test_history_shows_no_more_than_the_channel_may_load(server: Server) -> None:
    secret = await remember(server.alice, BERLIN, sensitivity=pb.SENSITIVITY_RESTRICTED)
    kept = await remember(server.alice, PARIS, supersedes=[secret.memory_id], sensitivity=pb.SENSITIVITY_PUBLIC)
    (hit,) = (await recall(server.alice, "آنا تسكن")).hits
    assert [each.content for each in hit.history] == [BERLIN]
    (hit,) = (await recall(server.alice, "آنا تسكن", channel=CHANNEL_PUBLIC)).hits
    assert hit.memory.memory_id == kept.memory_id
    assert not hit.history


async def test_a_successor_that_becomes_true_later_hides_nothing_until_then(server: Server) -> None:
    old, new = await two(server)
    soon = server.clock.now() + timedelta(days=30)
    done = await server.alice(supersede(old, new, since=soon))
    assert done.memory.valid_from.ToDatetime(UTC) == soon
    assert await found(server.alice) == {BERLIN}
    server.clock.move(timedelta(days=30).total_seconds())
    assert await found(server.alice) == {PARIS}


async def test_what_ended_before_stays_ended_then(server: Server) -> None:
    ended = server.clock.now() - timedelta(days=3)
    old = await remember(server.alice, BERLIN, valid_until=ended)
    new = await remember(server.alice, PARIS)
    done = await server.alice(supersede(old, new))
    assert done.superseded.valid_until.ToDatetime(UTC) == ended


async def test_a_correction_was_never_true(server: Server) -> None:
    start = server.clock.now() - timedelta(days=10)
    old = await remember(server.alice, BERLIN, valid_from=start)
    await remember(server.alice, PARIS, valid_from=start, supersedes=[old.memory_id])
    for days in (1, 5, 9):
        then = server.clock.now() - timedelta(days=days)
        assert await found(server.alice, as_of=then) == {PARIS}


async def test_a_place_is_taken_once(server: Server) -> None:
    old, new = await two(server)
    other = await remember(server.alice, ROME)
    await server.alice(supersede(old, new))
    refusal = await refused(server.alice(supersede(old, other)))
    assert (refusal.reason, refusal.metadata["actual_version"]) == ("VERSION_CONFLICT", "2")
    old = await get(server.alice, old.memory_id)
    refusal = await refused(server.alice(supersede(old, other)))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.ABORTED, "VERSION_CONFLICT")
    refusal = await refused(remember(server.alice, "again", supersedes=[old.memory_id]))
    assert (refusal.reason, refusal.metadata["memory_id"]) == ("VERSION_CONFLICT", old.memory_id)
    assert "again" not in await listed(server.alice)


async def test_nothing_takes_its_own_place_over_any_step(server: Server) -> None:
    first = await remember(server.alice, BERLIN)
    second = await remember(server.alice, PARIS, supersedes=[first.memory_id])
    third = await remember(server.alice, ROME, supersedes=[second.memory_id])
    for successor in (third, await get(server.alice, second.memory_id), first):
        refusal = await refused(server.alice(supersede(third, successor)))
        assert refusal.reason == "DECISION_CYCLE"
        assert refusal.metadata == {"memory_id": third.memory_id}
    # A text that a memory has is that memory, and no new one.
    refusal = await refused(remember(server.alice, ROME, supersedes=[third.memory_id]))
    assert refusal.reason == "DECISION_CYCLE"
    assert (await get(server.alice, third.memory_id)).version == 1


async def test_what_is_not_there_or_is_anothers_has_no_place(server: Server) -> None:
    old, new = await two(server)
    foreign = await remember(server.rival, BERLIN)
    for other in (UNKNOWN_ID, foreign.memory_id):
        missing = pb.Memory(memory_id=other, version=1)
        for request in (supersede(missing, new), supersede(old, missing)):
            refusal = await refused(server.alice(request))
            assert (refusal.code, refusal.metadata["memory_id"]) == (grpc.StatusCode.NOT_FOUND, other)
        assert (await refused(remember(server.alice, "x", supersedes=[other]))).code == (grpc.StatusCode.NOT_FOUND)
    assert (await get(server.alice, old.memory_id)).superseded_by == ""
    assert (await get(server.rival, foreign.memory_id)).superseded_by == ""


async def test_a_repeated_request_has_the_first_answer(server: Server) -> None:
    old, new = await two(server)
    request = supersede(old, new, request_id="one")
    first = await server.alice(request)
    await server.alice(update(new.memory_id, 2, pinned=True))
    assert await server.alice(request) == first
    memory = pb.NewMemory(content=ROME, supersedes=[new.memory_id], source_refs=["doc:9"])
    remembering = service.RememberRequest(request_id="two", memory=memory)
    stored = await server.alice(remembering)
    assert list(stored.memory.supersedes) == [new.memory_id]
    assert list(stored.memory.source_refs) == ["doc:9", "doc:3", "doc:1", "doc:2"]
    assert stored.memory.version == 1
    assert await server.alice(remembering) == stored


async def test_in_a_batch_each_takes_its_places_in_order_or_fails_alone(server: Server) -> None:
    old, _ = await two(server)
    middle = "01890a5d-ac96-774b-bcce-b302099a8001"
    batch = [
        pb.NewMemory(content="between", memory_id=middle, supersedes=[old.memory_id.upper()]),
        pb.NewMemory(content="too late", supersedes=[old.memory_id]),
        pb.NewMemory(content="plain"),
        pb.NewMemory(content="last", supersedes=[middle]),
        pb.NewMemory(content="of nothing", supersedes=[UNKNOWN_ID]),
        pb.NewMemory(content=BERLIN),
    ]
    request = service.BatchRememberRequest(request_id="b", memories=batch)
    answer = await server.alice(request)
    stored = [each.memory.content for each in answer.results if each.HasField("memory")]
    assert stored == ["between", "plain", "last", BERLIN]
    reasons = [refusal_of(answer.results[at].error).reason for at in (1, 4)]
    assert reasons == ["VERSION_CONFLICT", "MEMORY_NOT_FOUND"]
    assert await server.alice(request) == answer
    # A superseded memory is history: who says it again states another one.
    assert answer.results[5].memory.memory_id != old.memory_id
    assert await found(server.alice) == {BERLIN, PARIS, "plain", "last"} & await found(server.alice)
    assert (await get(server.alice, middle)).superseded_by == answer.results[3].memory.memory_id


async def test_of_two_at_once_one_takes_the_place(server: Server) -> None:
    old, new = await two(server)
    other = await remember(server.alice, ROME)
    outcomes = await asyncio.gather(
        *(server.alice(supersede(old, each)) for each in (new, other)), return_exceptions=True
    )
    assert sorted(isinstance(each, BaseException) for each in outcomes) == [False, True]


async def test_history_tells_what_was_and_forgetting_either_leaves_the_other(server: Server) -> None:
    old, new = await two(server)
    await server.alice(supersede(old, new))
    now, before = await versions(server.alice, old.memory_id)
    assert now.memory.superseded_by == new.memory_id
    assert before.memory.superseded_by == ""
    assert not before.memory.HasField("valid_until")
    await server.alice(forget(new.memory_id))
    assert await found(server.alice, ANY) == {BERLIN}
    assert await found(server.alice) == set()
    left = await get(server.alice, old.memory_id)
    assert (left.superseded_by, left.HasField("valid_until")) == (new.memory_id, True)


async def test_forgetting_what_was_superseded_takes_its_text_from_everywhere(server: Server) -> None:
    old, new = await two(server)
    await server.alice(supersede(old, new))
    await server.alice(forget(old.memory_id))
    (hit,) = (await recall(server.alice, "آنا تسكن", filter=ANY)).hits
    assert hit.memory.content == PARIS
    assert not hit.history
    # The text may not be stated again, in force or not.
    assert (await refused(remember(server.alice, BERLIN))).reason == "VALUE_REJECTED"


async def test_an_export_comes_back_with_the_same_links(server: Server) -> None:
    old, new = await two(server)
    await server.alice(supersede(old, new))
    out = await exported(server.alice)
    await server.rival.send(importing(out, "copy"))
    copies = await server.rival(service.ListMemoriesRequest(agent_id="copy"))
    links = {each.content: (list(each.supersedes), each.superseded_by, each.valid_until) for each in copies.memories}
    assert links == {each.content: (list(each.supersedes), each.superseded_by, each.valid_until) for each in out}
    assert await found(server.rival, agent_id="copy") == {PARIS}


async def test_encrypted_memories_take_places_as_well(server: Server) -> None:
    restricted: dict[str, Any] = {"sensitivity": pb.SENSITIVITY_RESTRICTED}
    old = await remember(server.alice, BERLIN, metadata={"سر": "x"}, **restricted)
    new = await remember(server.alice, PARIS, supersedes=[old.memory_id], **restricted)
    kept = await get(server.alice, old.memory_id)
    assert (kept.content, kept.superseded_by) == (BERLIN, new.memory_id)
    assert kept.metadata["سر"] == "x"
