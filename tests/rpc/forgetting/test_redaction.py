"""A value is cut out of memories, which stay; records of other stores that cannot lose it alone are deleted."""

from collections.abc import Sequence
from typing import Any

import pytest
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import memory_pb2 as pb
from camillo.v1.forgetting_pb2 import FORGET_MODE_REDACT_SPANS, RecordIds
from camillo.v1.lifecycle_service_pb2 import CompactionCriteria, CompactRequest, ForgetRequest, ListReceiptsRequest
from camillo.v1.memory_service_pb2 import ListMemoryRevisionsRequest

from tests.rpc.embedding.test_embedding_outage import until_embedded
from tests.rpc.forgetting.test_forgetting_holes import invariants_hold
from tests.rpc.forgetting.test_forgetting_inside_sentences import CONTROL, SENTENCE, VALUE, state
from tests.rpc.memories.calls import get, listed, recall, remember
from tests.rpc.memories.test_update import update
from tests.rpc.records import decide, record
from tests.rpc.records import texts as event_texts
from tests.rpc.test_secrets import stored_texts
from tests.server_fixtures import Caller, Server, refused


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("camillo_server.storage.jobs.board.GATHER_SECONDS", 0.02)


# Vectors come between a plan and what it planned. A plan of all scopes counts records that lie in another scope than
# their agent's in both.
VECTORS, IN_TWO_SCOPES = {"chunk_vectors", "memory_vectors"}, {"actions", "handoffs"}


async def redact(caller: Caller, value: str, **fields: Any) -> tuple[pb.ForgetReceipt, dict[str, int]]:
    """The receipt, which a dry run has told before, and its rows by store."""
    request = ForgetRequest(value=value, mode=FORGET_MODE_REDACT_SPANS, **fields)
    planned = (await caller(ForgetRequest(value=value, mode=FORGET_MODE_REDACT_SPANS, dry_run=True, **fields))).receipt
    request.plan_token = planned.plan_token
    receipt: pb.ForgetReceipt = (await caller(request)).receipt
    counts = [{each.store: each.rows for each in told.stores} for told in (planned, receipt)]
    different = {store for store in counts[0] | counts[1] if counts[0].get(store) != counts[1].get(store)}
    assert different <= VECTORS | (IN_TWO_SCOPES if fields.get("all_scopes") else set())
    assert planned.records == receipt.records
    return receipt, {each.store: each.rows for each in receipt.stores if each.rows}


async def with_vectors(server: Server, memory_ids: Sequence[str]) -> list[pb.Memory]:
    return [await until_embedded(server, each) for each in memory_ids]


@pytest.mark.own_server
async def test_memories_stay_and_other_stores_lose_the_record(server: Server) -> None:
    await server.admin(admin.CreateAgentRequest(agent_id="bob"))
    await state(server, SENTENCE, "ana")
    await state(server, CONTROL, "bea")
    before = await recall(server.alice, "Call Ana at six", limit=50)
    [named] = [hit.memory.memory_id for hit in before.hits if hit.memory.content == SENTENCE]
    _, rows = await redact(server.admin, VALUE, all_scopes=True, agent_id="alice")
    # The memory that held it before an update stays as it is, without that version.
    assert (rows["redacted_memories"], rows["memory_history"], "memories" in rows) == (2, 1, False)
    assert (rows["redacted_events"], "events" in rows) == (2, False)
    assert (rows["slots"], rows["tasks"], rows["documents"]) == (2, 1, 1)
    left = stored_texts(server.database)
    assert "555-0143" not in left
    assert "555-0144" in left
    [memory] = await with_vectors(server, [named])
    assert (memory.content, memory.version) == (SENTENCE.replace("(617) 555-0143", "[forgotten]"), 2)
    assert sorted(await listed(server.alice)) == sorted([memory.content, CONTROL, "is ana", "is bea"])
    answer = await recall(server.alice, "Call Ana at six", limit=50)
    assert {hit.memory.version for hit in answer.hits if hit.memory.content == "is ana"} == {2}
    said = [SENTENCE.replace("(617) 555-0143", "[forgotten]"), "let us decide ana", CONTROL, "let us decide bea"]
    assert sorted(filter(None, await event_texts(server.alice))) == sorted(said)
    assert answer.hits[0].memory.memory_id == named
    assert not any("0143" in hit.memory.content for hit in answer.hits)
    assert invariants_hold(server.database)
    receipts = (await server.alice(ListReceiptsRequest())).receipts
    assert {each.store: each.rows for each in receipts[0].stores}["redacted_memories"] == 2


# By value: a memory, and what is left of it.
TEXTS = {
    "415-555-0186": ("My number is 415-555-0186, ring twice", "My number is [forgotten], ring twice"),
    "ana@example.com": ("write to Ana at example dot com soon", "write to [forgotten] soon"),
    "海港路 12号": ("他住在海港路12号二楼，请敲门", "他住在[forgotten]二楼，请敲门"),
    "김철수": ("어제 김철수는 서울에 갔다", "어제 [forgotten]는 서울에 갔다"),
    "عمر الخطيب": ("قال عُمَر الخطيب أمس إنه قادم", "قال [forgotten] أمس إنه قادم"),
    "Müller": ("Frau Mu\u0308ller und MÜLLER kochen 🍵", "Frau [forgotten] und [forgotten] kochen 🍵"),
    "👩‍🚀 Zoë": ("we flew with Zoë 👩‍🚀 to Porto", "we flew with [forgotten] 👩‍🚀 to Porto"),
}


async def test_a_value_is_cut_out_in_every_language(server: Server) -> None:
    stored = {}
    for level, (value, (text, _)) in enumerate(TEXTS.items()):
        stored[value] = await remember(server.alice, text, sensitivity=2 + level % 2, metadata={"said": text})
    for value, (_, expected) in TEXTS.items():
        receipt, rows = await redact(server.alice, value)
        assert (rows, receipt.found_nothing) == ({"redacted_memories": 1}, False)
        memory = await get(server.alice, stored[value].memory_id)
        assert (memory.content, memory.metadata["said"]) == (expected, expected)
    again, rows = await redact(server.alice, "415-555-0186")
    assert (rows, again.found_nothing) == ({}, True)


async def test_memories_that_cannot_be_redacted_are_deleted(server: Server) -> None:
    alice = server.alice
    await remember(alice, "Ring 415-555-0186 at noon")
    await remember(alice, "415-555-0186.")
    await remember(alice, "the line is busy", tags=["415-555-0186"])
    # The same as the first one without its number.
    await remember(alice, "Ring 4155550186 at noon")
    await remember(alice, "Ring 415-555-0187 at noon")
    _, rows = await redact(alice, "415-555-0186")
    assert (rows["memories"], rows["redacted_memories"]) == (3, 1)
    assert sorted(await listed(alice)) == ["Ring 415-555-0187 at noon", "Ring [forgotten] at noon"]


async def test_a_memory_of_a_compaction_is_deleted(server: Server) -> None:
    for number in range(4):
        await remember(server.alice, f"Quay {number} is closed, ring Ana", tags=["quay"])
    criteria = CompactionCriteria(tags=["quay"], tag_threshold=2)
    await server.alice(CompactRequest(criteria=criteria, dry_run=True))
    kept = await remember(server.alice, "Ana has a boat")
    _, rows = await redact(server.alice, "Ana")
    assert (rows["memories"], rows["redacted_memories"]) == (4, 1)
    assert (await get(server.alice, kept.memory_id)).content == "[forgotten] has a boat"


async def test_citations_versions_and_what_was_derived_hold(server: Server) -> None:
    alice = server.alice
    event = await record(alice, "Ana said she moved to Porto", tags=["Ana"])
    memory = await remember(alice, "Ana moved", source_refs=[event.event_id])
    await alice(update(memory.memory_id, 1, content="Ana moved to Porto"))
    await alice(update(memory.memory_id, 2, content="Ana moved to Porto in May"))
    derived = await remember(alice, "somebody is in Porto", source_refs=[memory.memory_id])
    decision = await decide(alice, "we send a card", (await record(alice, "a card?")).event_id)
    await alice(update(derived.memory_id, 1, content="somebody is in Porto now"))
    receipt, rows = await redact(alice, "Ana")
    assert list(receipt.records.event_ids) == [event.event_id]
    assert (rows["redacted_memories"], rows["memory_history"]) == (1, 3)
    now = await get(alice, memory.memory_id)
    assert (now.content, now.version, list(now.source_refs)) == (
        "[forgotten] moved to Porto in May",
        4,
        [event.event_id],
    )
    versions = await alice(ListMemoryRevisionsRequest(memory_id=memory.memory_id))
    assert [each.memory.content for each in versions.revisions] == [now.content]
    # An event that goes takes with it what was derived from it, in every step.
    assert derived.memory_id in receipt.memory_ids
    assert decision.decision_id not in receipt.records.decision_ids


async def test_only_a_value_can_be_cut_out(server: Server) -> None:
    memory = await remember(server.alice, "Ana came")
    named = RecordIds(memory_ids=[memory.memory_id])
    failed = await refused(server.alice(ForgetRequest(records=named, mode=FORGET_MODE_REDACT_SPANS)))
    assert failed.reason == "INVALID_FIELD"
    planned = await server.alice(ForgetRequest(value="Ana", mode=FORGET_MODE_REDACT_SPANS, dry_run=True))
    failed = await refused(server.alice(ForgetRequest(value="Ana", plan_token=planned.receipt.plan_token)))
    assert failed.reason == "INVALID_FIELD"
    await remember(server.alice, "Ana left")
    request = ForgetRequest(value="Ana", mode=FORGET_MODE_REDACT_SPANS, plan_token=planned.receipt.plan_token)
    failed = await refused(server.alice(request))
    assert failed.reason == "PLAN_CHANGED"
