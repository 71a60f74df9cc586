"""Forgetting a memory also removes what was derived from it, what it was merged into, and the events that it rests on
if so wanted. A dry run tells all of it and changes nothing."""

from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from camillo.v1 import lifecycle_pb2
from camillo.v1 import lifecycle_service_pb2 as lifecycle
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.event_service_pb2 import EventIds, ForgetEventsRequest
from psycopg.types.json import Jsonb

from tests.rpc.forgetting.test_forget import forget, stores
from tests.rpc.memories.calls import found_by_words, listed, remember
from tests.rpc.memories.test_update import versions
from tests.rpc.records import get_event, recalled, record
from tests.rpc.records import listed as listed_events
from tests.rpc.test_secrets import stored_texts
from tests.server_fixtures import Caller, Server, refused

WHEN_THEY_COME = {"chunk_vectors": 0, "memory_vectors": 0}


async def forgotten(caller: Caller, *ids: str, **fields: Any) -> service.ForgetMemoriesResponse:
    """The answer, which a dry run has told before."""
    told = await caller(forget(*ids, dry_run=True, **fields))
    left = await listed(caller, pb.MemoryFilter(archived=pb.ARCHIVED_FILTER_INCLUDE))
    answer: service.ForgetMemoriesResponse = await caller(forget(*ids, **fields))
    assert told.receipt.receipt_id == ""
    assert UUID(answer.receipt.receipt_id)
    for name in ("memory_ids", "blocked_values"):
        assert getattr(told.receipt, name) == getattr(answer.receipt, name)
    # Vectors come when they come.
    assert {**stores(told), **WHEN_THEY_COME} == {**stores(answer), **WHEN_THEY_COME}
    assert told.forgotten == answer.forgotten
    now = await listed(caller, pb.MemoryFilter(archived=pb.ARCHIVED_FILTER_INCLUDE))
    assert len(now) == len(left) - answer.forgotten
    return answer


async def test_what_was_derived_goes_in_whatever_way_it_was(server: Server) -> None:
    origin = await remember(server.alice, "第一の事実")
    child = await remember(server.alice, "of the first", source_refs=[origin.memory_id.upper(), "x"])
    summary = await remember(
        server.alice, "summary 🧾", kind=pb.MEMORY_KIND_SUMMARY, source_refs=["y", child.memory_id]
    )
    # A circle ends.
    circle = await remember(server.alice, "circle", source_refs=[summary.memory_id])
    request = service.UpdateMemoryRequest(
        memory_id=child.memory_id,
        expected_version=1,
        memory=pb.Memory(source_refs=[origin.memory_id, circle.memory_id]),
    )
    request.update_mask.paths.append("source_refs")
    await server.alice(request)
    freed = await remember(server.alice, "once of the first", source_refs=[origin.memory_id])
    await server.alice(
        service.UpdateMemoryRequest(
            memory_id=freed.memory_id, expected_version=1, memory=pb.Memory(), update_mask={"paths": ["source_refs"]}
        )
    )
    await remember(server.alice, "of another", source_refs=[str(uuid4())])

    answer = await forgotten(server.alice, origin.memory_id)

    gone = [origin, child, summary, circle]
    assert list(answer.receipt.memory_ids) == sorted(each.memory_id for each in gone)
    assert answer.receipt.blocked_values == 4
    assert stores(answer)["memory_history"] == 1
    assert sorted(await listed(server.alice)) == ["of another", "once of the first"]


async def test_a_source_is_one_however_its_id_is_spelled(server: Server) -> None:
    origin, other = await remember(server.alice, "origin"), await remember(server.alice, "other")
    plain = UUID(origin.memory_id)
    for spelled in (plain.urn, plain.hex, f"{{{plain}}}"):
        await remember(server.alice, f"derived of {spelled}", source_refs=[spelled])
    await remember(server.alice, "derived of the other", source_refs=[UUID(other.memory_id).urn])
    assert (await forgotten(server.alice, origin.memory_id)).forgotten == 4
    assert sorted(await listed(server.alice)) == ["derived of the other", "other"]


async def test_nothing_of_another_scope_goes_with_it(server: Server) -> None:
    origin = await remember(server.alice, "origin")
    for caller, agent_id in ((server.admin, ""), (server.admin, "bob"), (server.rival, "alice")):
        await remember(caller, "derived", agent_id=agent_id, source_refs=[origin.memory_id])
    assert (await forgotten(server.alice, origin.memory_id)).forgotten == 1
    for caller, agent_id in ((server.admin, ""), (server.admin, "bob"), (server.rival, "alice")):
        assert await listed(caller, agent_id=agent_id) == ["derived"]


@pytest.mark.own_server
async def test_the_events_that_it_rests_on_go_if_so_wanted(server: Server) -> None:
    told = await record(server.alice, "the heron told me so")
    heard = await record(server.alice, "the stork said the same")
    other = await record(server.alice, "the crow keeps silent")
    refs = [told.event_id, heard.chunk_ids[0], "not an id"]
    origin = await remember(server.alice, "birds talk", source_refs=refs)
    await remember(server.alice, "birds fly", source_refs=[told.event_id])
    await remember(server.alice, "a summary", kind=pb.MEMORY_KIND_SUMMARY, source_refs=[told.event_id])
    await remember(server.alice, "birds rest", source_refs=[other.event_id])
    answer = await forgotten(server.alice, origin.memory_id, include_events=True)
    # As where the event itself is forgotten, what else was derived from it goes, too; that may be stated again.
    assert stores(answer).items() >= {"events": 2, "chunks": 2, "memories": 3}.items()
    assert (answer.forgotten, answer.receipt.blocked_values) == (3, 1)
    assert await listed(server.alice) == ["birds rest"]
    assert [each.event_id for each in await listed_events(server.alice)] == [other.event_id]
    assert await recalled(server.alice, "heron stork crow") == ["user: the crow keeps silent"]
    stored = stored_texts(server.database)
    assert "crow keeps" in stored
    assert "heron" not in stored


async def test_events_stay_where_it_is_not_wanted(server: Server) -> None:
    told = await record(server.alice, "the heron told me so")
    origin = await remember(server.alice, "birds talk", source_refs=[told.event_id])
    answer = await forgotten(server.alice, origin.memory_id)
    assert "events" not in stores(answer)
    assert (await get_event(server.alice, told.event_id)).stated.text == "the heron told me so"


async def merged(server: Server, *contents: str) -> tuple[pb.Memory, list[pb.Memory]]:
    """A merged memory and its archived sources, as a compaction leaves them; what it says is in the compaction, too."""
    sources = [await remember(server.alice, content) for content in contents]
    ids = [each.memory_id for each in sources]
    whole = await remember(server.alice, " ".join(contents), kind=pb.MEMORY_KIND_SUMMARY)
    selector = lifecycle.LifecycleSelector(memory_ids=ids)
    await server.alice(lifecycle.ArchiveRequest(selector=selector))
    keep_compaction(server, ids, whole)
    return whole, sources


def keep_compaction(server: Server, source_ids: list[str], whole: pb.Memory, state: int = 2) -> None:
    with psycopg.connect(server.database.superuser_url) as connection:
        connection.execute(
            "insert into camillo.compactions (tenant_id, agent_id, compaction_id, state, reason, refusal, source_ids,"
            " source_versions, memory_id, summary_model_id, created_at, key_id, details, sensitivity)"
            " values ('acme', 'alice', %s, %s, 1, 0, %s::uuid[], %s, %s, '', %s, '', %s, 2)",
            (
                uuid4(),
                state,
                sorted(source_ids),
                [2] * len(source_ids),
                whole.memory_id if state == 2 else None,
                server.clock.now(),
                Jsonb({"content": whole.content}),
            ),
        )


@pytest.mark.own_server
async def test_a_merged_memory_goes_with_a_source_and_the_others_come_back(server: Server) -> None:
    whole, (heron, stork, crow) = await merged(server, "heron one", "stork two", "crow three")
    outer, (_, goose) = await merged(server, "unlike", "goose four")
    # A merged memory that was merged again.
    keep_compaction(server, [whole.memory_id, goose.memory_id], outer)
    answer = await forgotten(server.alice, heron.memory_id)
    gone = [heron, whole, outer]
    assert list(answer.receipt.memory_ids) == sorted(each.memory_id for each in gone)
    assert stores(answer)["compactions"] == 3
    for back in (stork, crow, goose):
        assert await found_by_words(server.alice, back.content) == {back.content}
        history = await versions(server.alice, back.memory_id)
        assert [each.memory.archived for each in history] == [False, True, False]
    stored = stored_texts(server.database)
    assert "stork two" in stored
    assert "heron one" not in stored


@pytest.mark.own_server
async def test_what_a_merged_memory_stands_for_goes_with_it(server: Server) -> None:
    whole, sources = await merged(server, "heron one", "stork two", "owl five")
    owl = sources.pop().memory_id
    await server.alice(service.RestoreMemoriesRequest(memory_ids={"ids": [owl]}))
    kept, _ = await merged(server, "crow three", "goose four")
    answer = await forgotten(server.alice, whole.memory_id)
    assert list(answer.receipt.memory_ids) == sorted(each.memory_id for each in (whole, *sources))
    assert answer.receipt.blocked_values == 3
    # A source that somebody restored stands for itself.
    assert sorted(await listed(server.alice)) == [kept.content, "owl five"]
    stored = stored_texts(server.database)
    assert "crow three" in stored
    assert "heron one" not in stored


@pytest.mark.own_server
@pytest.mark.parametrize("state", [1, 3, 4])
async def test_a_compaction_that_did_not_come_about_keeps_no_text(server: Server, state: int) -> None:
    one, two = [await remember(server.alice, each) for each in ("heron one", "stork two")]
    keep_compaction(server, [one.memory_id, two.memory_id], pb.Memory(content="heron, stork"), state)
    answer = await forgotten(server.alice, one.memory_id)
    assert (answer.forgotten, stores(answer)["compactions"]) == (1, 1)
    assert await listed(server.alice) == ["stork two"]
    stored = stored_texts(server.database)
    assert "stork two" in stored
    assert "heron" not in stored


async def test_a_forgetting_of_events_leaves_a_receipt_too(server: Server) -> None:
    told = await record(server.alice, "the heron told me so")
    request = ForgetEventsRequest(event_ids=EventIds(ids=[told.event_id]))
    answer = await server.alice(request)
    (kept,) = (await server.alice(lifecycle.ListReceiptsRequest())).receipts
    assert (kept.receipt_id, kept.cause) == (answer.receipt.receipt_id, "forget_events")
    removed = {count.store: count.rows for count in kept.stores}
    assert removed.items() >= {"chunks": 1, "events": 1}.items()
    # The text of an event may be said again: it was what happened, and nobody took it back.
    assert await record(server.alice, "the heron told me so")


async def test_every_removal_is_in_the_list_of_receipts(server: Server) -> None:
    answers = []
    for number in range(3):
        stored = await remember(server.alice, f"memory {number}")
        answers.append(await server.alice(forget(stored.memory_id)))
        server.clock.move(1)
    told = [each.receipt for each in reversed(answers)]
    found: list[lifecycle_pb2.Receipt] = []
    request = lifecycle.ListReceiptsRequest(page_size=2)
    while True:
        page = await server.alice(request)
        found += page.receipts
        if not page.next_page_token:
            break
        request.page_token = page.next_page_token
    assert [each.receipt_id for each in found] == [each.receipt_id for each in told]
    for kept, receipt in zip(found, told, strict=True):
        assert (kept.cause, kept.blocked_values) == ("forget_memories", 1)
        assert list(kept.stores) == list(receipt.stores)
        assert kept.at == receipt.forgotten_at
    for caller, agent_id in ((server.admin, ""), (server.admin, "bob"), (server.rival, "alice")):
        others = await caller(lifecycle.ListReceiptsRequest(agent_id=agent_id))
        assert list(others.receipts) == []
    bad = lifecycle.ListReceiptsRequest(page_size=2, page_token="nonsense")  # noqa: S106
    assert (await refused(server.alice(bad))).reason == "INVALID_PAGE_TOKEN"
