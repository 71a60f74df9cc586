"""A correction reaches what was derived from what it corrects: that is stale, over every step, and left out."""

from uuid import UUID

import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.context_pb2 import OMISSION_REASON_STALE, PACKING_OUTCOME_DROPPED, PACKING_OUTCOME_KEPT
from camillo.v1.decision_pb2 import NewDecision
from camillo.v1.decision_service_pb2 import SupersedeDecisionRequest
from camillo.v1.lifecycle_pb2 import COMPACTION_STATE_COMMITTED, COMPACTION_STATE_REVERTED
from camillo.v1.memory_service_pb2 import RestoreMemoriesRequest

from tests.rpc.compaction.compacting import ALIKE, compact, compactions, revert
from tests.rpc.memories.calls import get, listed, recall, remember
from tests.rpc.memories.test_import_export import importing
from tests.rpc.memories.test_update import update, versions
from tests.rpc.records import bundle, decide, record
from tests.server_fixtures import Caller, Server, StartServer, refused

OLD, NEW = "The fee of the harbour is 40 francs", "The fee of the harbour is 70 francs"
SUMMARY = "All fees of the harbour together: 140 francs"
ARCHIVED = pb.MemoryFilter(archived=pb.ARCHIVED_FILTER_ONLY)


async def shown(caller: Caller, text: str) -> list[str]:
    """The contents of the hits."""
    return [hit.memory.content for hit in (await recall(caller, text)).hits]


async def derived(caller: Caller) -> tuple[pb.Memory, pb.Memory, pb.Memory]:
    """A memory, a summary of it, and what was concluded from that."""
    fee = await remember(caller, OLD)
    summary = await remember(caller, SUMMARY, kind=pb.MEMORY_KIND_SUMMARY, source_refs=[fee.memory_id.upper()])
    plan = await remember(caller, "So the harbour is cheap", pinned=True, source_refs=[summary.memory_id])
    return fee, summary, plan


async def test_what_was_derived_is_left_out_over_every_step(server: Server) -> None:
    fee, summary, plan = await derived(server.alice)
    await remember(server.alice, "The harbour is large")
    assert len(await shown(server.alice, "harbour")) == 4
    server.clock.move(60)

    await server.alice(update(fee.memory_id, 1, content=NEW))

    assert sorted(await shown(server.alice, "harbour")) == [NEW, "The harbour is large"]
    prompt = (await bundle(server.alice, "harbour")).prompt
    assert NEW in prompt
    assert SUMMARY not in prompt
    assert "cheap" not in prompt
    for each in (summary, plan):
        stale = await get(server.alice, each.memory_id)
        assert (stale.archived, stale.content) == (True, each.content)
        assert stale.stale.source_ref == fee.memory_id
        assert stale.stale.since.ToDatetime() == server.clock.now().replace(tzinfo=None)
    request = service.ListMemoriesRequest(filter=ARCHIVED)
    assert all(each.HasField("stale") for each in (await server.alice(request)).memories)
    asked = await recall(server.alice, "harbour", filter=ARCHIVED)
    assert {hit.memory.stale.source_ref for hit in asked.hits} == {fee.memory_id}


async def test_a_source_is_one_however_its_id_is_spelled(server: Server) -> None:
    fee, other = await remember(server.alice, OLD), await remember(server.alice, "The harbour is large")
    plain = UUID(fee.memory_id)
    for n, spelled in enumerate((plain.urn, plain.urn.upper(), plain.hex, f"{{{plain}}}")):
        await remember(server.alice, f"So the harbour is cheap, {n}", source_refs=[spelled])
    kept = await remember(server.alice, "So the harbour is busy", source_refs=[UUID(other.memory_id).urn])
    await server.alice(update(fee.memory_id, 1, content=NEW))
    assert sorted(await listed(server.alice)) == sorted([NEW, other.content, kept.content])


async def test_an_explanation_names_what_was_left_out_and_why(server: Server) -> None:
    fee, summary, _ = await derived(server.alice)
    before = await recall(server.alice, "fees of the harbour")
    assert not before.left_out
    explained = await bundle(server.alice, "fees of the harbour", explain=True)
    kept = [each for each in explained.report.entries if each.ref == summary.memory_id]
    assert [each.outcome for each in kept] == [PACKING_OUTCOME_KEPT]

    await server.alice(update(fee.memory_id, 1, content=NEW))

    after = await recall(server.alice, "fees of the harbour")
    assert after.left_out[0].content == SUMMARY
    assert {each.stale.source_ref for each in after.left_out} == {fee.memory_id}
    assert not (await recall(server.alice, "fees of the harbour", explain=False)).left_out
    explained = await bundle(server.alice, "fees of the harbour", explain=True)
    dropped = [each for each in explained.report.entries if each.ref == summary.memory_id]
    assert [(each.outcome, each.reason) for each in dropped] == [(PACKING_OUTCOME_DROPPED, OMISSION_REASON_STALE)]


async def test_what_changes_nothing_of_what_it_says_leaves_all_in_force(server: Server) -> None:
    fee, *_ = await derived(server.alice)
    await server.alice(update(fee.memory_id, 1, tags=["harbour"], importance=0.9))
    await remember(server.alice, OLD, tags=["again"])
    assert len(await listed(server.alice)) == 3


async def test_a_stale_memory_is_in_force_again_when_somebody_says_so(server: Server) -> None:
    fee, summary, plan = await derived(server.alice)
    await server.alice(update(fee.memory_id, 1, content=NEW))
    stale = await get(server.alice, summary.memory_id)
    corrected = SUMMARY.replace("140", "170")
    changed = (await server.alice(update(summary.memory_id, stale.version, content=corrected))).memory
    assert (changed.archived, changed.HasField("stale")) == (False, False)
    await server.alice(RestoreMemoriesRequest(memory_ids=service.MemoryIds(ids=[plan.memory_id])))
    restored = await get(server.alice, plan.memory_id)
    assert (restored.archived, restored.HasField("stale")) == (False, False)
    assert sorted(await listed(server.alice)) == sorted([NEW, corrected, plan.content])


async def test_the_sources_of_a_merged_memory_come_back(start_server: StartServer) -> None:
    server = await start_server(memory={"embedding_model": "lexical"})
    first, second = [await remember(server.alice, text) for text in ALIKE]
    [done] = (await compact(server.alice)).compactions
    assert done.state == COMPACTION_STATE_COMMITTED
    merged = await get(server.alice, done.memory_id)
    rests = await remember(server.alice, "It is dark", source_refs=[merged.memory_id])
    source = await get(server.alice, first.memory_id)

    answer = await server.alice(update(first.memory_id, source.version, content="The user prefers light mode"))

    assert (answer.memory.archived, answer.memory.version) == (False, source.version + 1)
    assert answer.memory == await get(server.alice, first.memory_id)
    assert sorted(await listed(server.alice)) == sorted(["The user prefers light mode", ALIKE[1]])
    for each in (merged, rests):
        assert (await get(server.alice, each.memory_id)).stale.source_ref == first.memory_id
    assert [each.state for each in await compactions(server.alice)] == [COMPACTION_STATE_REVERTED]
    assert (await refused(revert(server.alice, done))).reason == "COMPACTION_STATE"
    # They may be put together anew.
    await remember(server.alice, f"{ALIKE[1]}..")
    [again] = (await compact(server.alice)).compactions
    assert again.state == COMPACTION_STATE_COMMITTED
    assert second.memory_id in again.source_ids


async def test_an_import_corrects_as_well(server: Server) -> None:
    fee, *_ = await derived(server.alice)
    await server.alice.send(importing([pb.Memory(memory_id=fee.memory_id, content=NEW)], replace=True))
    assert await listed(server.alice) == [NEW]


async def test_what_cites_a_superseded_decision_is_stale(server: Server) -> None:
    message = await record(server.alice, "Is there any tea?")
    event = await decide(server.alice, "Tea for everybody", message.event_id)
    cites = await remember(server.alice, "We buy tea", source_refs=[event.decision_id])
    await server.alice(
        SupersedeDecisionRequest(
            decision_id=event.decision_id,
            expected_version=1,
            decision=NewDecision(decision="Water for everybody", refs=[message.event_id]),
        )
    )
    assert (await get(server.alice, cites.memory_id)).stale.source_ref == event.decision_id


@pytest.mark.parametrize("agent_id", ["", "bob"])
async def test_another_scope_keeps_what_it_derived(server: Server, agent_id: str) -> None:
    fee = await remember(server.alice, OLD)
    other = await remember(server.admin, SUMMARY, agent_id=agent_id, source_refs=[fee.memory_id])
    own = await remember(server.alice, SUMMARY, source_refs=[fee.memory_id])
    await server.alice(update(fee.memory_id, 1, content=NEW))
    assert (await get(server.alice, own.memory_id)).archived
    assert not (await get(server.admin, other.memory_id, agent_id=agent_id)).archived
    assert len(await versions(server.alice, own.memory_id)) == 2
