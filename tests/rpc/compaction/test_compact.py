"""Compact over the wire: recall finds the merged memory in the place of its sources, and undoing it undoes all of
it."""

import asyncio
from typing import Any

import grpc
import psycopg
import pytest
from camillo.v1 import lifecycle_pb2 as pb
from camillo.v1 import lifecycle_service_pb2 as service
from camillo.v1 import memory_pb2
from camillo.v1.memory_service_pb2 import (
    ForgetMemoriesRequest,
    ListMemoriesRequest,
    RestoreMemoriesRequest,
    UpdateMemoryRequest,
)
from google.protobuf.field_mask_pb2 import FieldMask

from tests.postgres_fixtures import TestDatabase
from tests.rpc.compaction.compacting import ALIKE, compact, compactions, criteria_of, revert
from tests.rpc.memories.calls import UNKNOWN_ID, found_by_words, get, listed, recall, remember
from tests.server_fixtures import Caller, Server, refused
from tests.storage.locking import until_waiting


@pytest.fixture
def server_settings() -> dict[str, Any]:
    """Vectors that tell what texts say."""
    return {"memory": {"embedding_model": "lexical"}}


async def shown(caller: Caller, *queries: str) -> list[bytes]:
    """Answers to recalls and a list, byte for byte, without versions, times of change and the revision."""
    answers = []
    for query in queries:
        answer = await recall(caller, query)
        answer.ClearField("revision")
        for hit in answer.hits:
            _without_changes(hit.memory)
        answers.append(answer)
    page = await caller(ListMemoriesRequest())
    page.ClearField("revision")
    for memory in page.memories:
        _without_changes(memory)
    return [each.SerializeToString(deterministic=True) for each in (*answers, page)]


def _without_changes(memory: memory_pb2.Memory) -> None:
    for field in ("version", "updated_at"):
        memory.ClearField(field)


async def test_recall_finds_the_merged_memory_in_the_place_of_its_sources(server: Server) -> None:
    alice = server.alice
    sources = [await remember(alice, text, tags=["ui", text[:3]]) for text in ALIKE]
    await remember(alice, "dark chocolate 🍫")
    assert await found_by_words(alice, "dark") == {*ALIKE, "dark chocolate 🍫"}
    answer = await compact(alice)
    (compaction,) = answer.compactions
    assert compaction.state == pb.COMPACTION_STATE_COMMITTED
    assert compaction.reason == pb.COMPACTION_REASON_NEAR_DUPLICATE
    assert list(compaction.source_ids) == sorted(each.memory_id for each in sources)
    assert await found_by_words(alice, "dark") == {compaction.content, "dark chocolate 🍫"}
    merged = await get(alice, compaction.memory_id)
    assert (merged.kind, list(merged.tags)) == (memory_pb2.MEMORY_KIND_SUMMARY, ["ui"])
    assert set(merged.source_refs) == set(compaction.source_ids)
    assert [(await get(alice, each)).archived for each in compaction.source_ids] == [True, True]
    assert await compactions(alice) == [compaction]


@pytest.mark.parametrize("answered_from", ["memory", "postgres"])
async def test_undoing_gives_the_very_answers_of_before(server: Server) -> None:
    alice = server.alice
    texts = [*ALIKE, "会议改到周五下午三点", "会议改到周五下午三点。", "Something about editors", "شاي"]
    for text in texts:
        await remember(alice, text, tags=["t"])
    for number in range(60):
        await remember(alice, f"note {number} on mode 🦓 {number * 7}", tags=["many"])
    queries = ("dark mode", "会议", "note 7", "شاي", "nothing of that")
    before = await shown(alice, *queries)
    done = (await compact(alice)).compactions
    assert {each.tag for each in done} == {"", "many"}
    between = await shown(alice, *queries)
    assert all(between[place] != before[place] for place in (0, 1, 2, -1))
    for compaction in done:
        answer = await revert(alice, compaction)
        assert answer.restored == len(compaction.source_ids)
    assert await shown(alice, *queries) == before


async def test_a_crowded_tag_keeps_every_fact_and_every_source(server: Server) -> None:
    alice = server.alice
    told = [f"Order {number}: {number * 3} EUR 会议 🦓 é" for number in range(51)]
    for text in told[:50]:
        await remember(alice, text, tags=["orders"])
    only_tags = criteria_of(skip_near_duplicates=True)
    assert not (await compact(alice, criteria=only_tags)).compactions, "50 are not too many"
    await remember(alice, told[50], tags=["orders"])
    done = (await compact(alice, criteria=only_tags)).compactions
    assert all(each.state == pb.COMPACTION_STATE_COMMITTED for each in done)
    merged = "\n".join(each.content for each in done)
    assert all(text in merged for text in told)
    assert all(len(each.content) <= 2_000 for each in done)
    assert sorted(await listed(alice, page_size=100)) == sorted(each.content for each in done)
    sources = [each for compaction in done for each in compaction.source_ids]
    assert len(sources) == len(set(sources)) == 51
    restored = await alice(RestoreMemoriesRequest(memory_ids={"ids": sources}))
    assert restored.restored == 51
    assert set(told) <= set(await listed(alice, page_size=100))


async def test_a_dry_run_only_proposes_and_a_source_that_changed_since_refuses(server: Server) -> None:
    alice = server.alice
    sources = [await remember(alice, text) for text in ALIKE]
    (proposed,) = (await compact(alice, dry_run=True)).compactions
    assert proposed.state == pb.COMPACTION_STATE_PROPOSED
    assert not proposed.memory_id
    assert sorted(await listed(alice)) == sorted(ALIKE)
    update = UpdateMemoryRequest(
        memory_id=sources[0].memory_id,
        memory=memory_pb2.Memory(content="Light mode now"),
        update_mask=FieldMask(paths=["content"]),
        expected_version=1,
    )
    await alice(update)
    ids = service.CompactionIds(ids=[proposed.compaction_id])
    (told,) = (await compact(alice, proposals=ids)).compactions
    assert told.state == pb.COMPACTION_STATE_REFUSED
    assert told.refusal == pb.COMPACTION_REFUSAL_SOURCE_CHANGED
    assert sorted(await listed(alice)) == sorted(["Light mode now", ALIKE[1]])
    refusal = await refused(compact(alice, proposals=ids))
    assert (refusal.reason, refusal.metadata["state"]) == ("COMPACTION_STATE", "refused")


async def test_forgetting_a_source_takes_the_merged_memory_and_brings_the_others_back(server: Server) -> None:
    alice = server.alice
    sources = [await remember(alice, text) for text in ALIKE]
    (compaction,) = (await compact(alice)).compactions
    await alice(ForgetMemoriesRequest(memory_ids={"ids": [sources[0].memory_id]}))
    assert await listed(alice) == [ALIKE[1]]
    assert await compactions(alice) == []
    refusal = await refused(revert(alice, compaction))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.NOT_FOUND, "COMPACTION_NOT_FOUND")


async def test_stating_a_source_again_brings_it_back_beside_the_merged_memory(server: Server) -> None:
    alice = server.alice
    for text in ALIKE:
        await remember(alice, text)
    (compaction,) = (await compact(alice)).compactions
    again = await remember(alice, ALIKE[0])
    assert again.memory_id in compaction.source_ids
    assert sorted(await listed(alice)) == sorted([ALIKE[0], compaction.content])
    assert not (await compact(alice)).compactions
    assert (await revert(alice, compaction)).restored == 1
    assert sorted(await listed(alice)) == sorted(ALIKE)


async def test_requests_are_carried_out_once(server: Server) -> None:
    alice = server.alice
    for text in ALIKE:
        await remember(alice, text)
    first, second = await asyncio.gather(*(compact(alice, request_id="c") for _ in range(2)))
    assert first == second
    (compaction,) = first.compactions
    reverted = [await revert(alice, compaction, request_id="r") for _ in range(2)]
    assert reverted[0] == reverted[1]
    assert reverted[0].compaction.state == pb.COMPACTION_STATE_REVERTED
    other = criteria_of(tag_threshold=9)
    refusal = await refused(compact(alice, request_id="c", criteria=other))
    assert refusal.reason == "REQUEST_ID_REUSED"


async def test_a_request_id_that_another_call_took_meanwhile_is_refused(server: Server, database: TestDatabase) -> None:
    """An upload, say, which does not wait for the scope."""
    for text in ALIKE:
        await remember(server.alice, text)
    with psycopg.connect(database.superuser_url) as upload:
        upload.execute(
            "insert into camillo.requests"
            " (tenant_id, agent_id, request_id, content_digest, facts, revision, created_at)"
            " select tenant_id, agent_id, 'c', 'other', '{}', 0, %s from camillo.scopes"
            " where agent_id = 'alice'",
            (server.clock.now(),),
        )
        meanwhile = asyncio.create_task(refused(compact(server.alice, request_id="c")))
        await until_waiting(database, 1)
        upload.commit()
        assert (await meanwhile).reason == "REQUEST_ID_REUSED"
    assert sorted(await listed(server.alice)) == sorted(ALIKE)
    assert (await compact(server.alice, request_id="d")).compactions


async def test_lists_go_by_state_and_page(server: Server) -> None:
    alice = server.alice
    for word in ("zebra lion wolf bear", "river stone cloud wind", "copper silver gold tin"):
        await remember(alice, word)
        await remember(alice, f"{word}.")
        server.clock.move(1)
        await compact(alice)
    found = await compactions(alice)
    assert [each.content[:5] for each in found] == ["coppe", "river", "zebra"]
    await revert(alice, found[1])
    reverted = await compactions(alice, state=pb.COMPACTION_STATE_REVERTED)
    assert [each.compaction_id for each in reverted] == [found[1].compaction_id]
    first = await alice(service.ListCompactionsRequest(page_size=2))
    rest = await alice(service.ListCompactionsRequest(page_token=first.next_page_token))
    told = [each.compaction_id for each in (*first.compactions, *rest.compactions)]
    assert told == [each.compaction_id for each in found]
    assert not rest.next_page_token


async def test_nothing_crosses_a_tenant_or_an_agent(server: Server) -> None:
    for text in ALIKE:
        await remember(server.alice, text)
        await remember(server.rival, text)
    (compaction,) = (await compact(server.alice)).compactions
    assert await compactions(server.rival) == []
    assert await compactions(server.admin, agent_id="bob") == []
    assert sorted(await listed(server.rival)) == sorted(ALIKE)
    for caller, fields in ((server.rival, {}), (server.admin, {"agent_id": "bob"})):
        assert (await refused(revert(caller, compaction, **fields))).reason == "COMPACTION_NOT_FOUND"
    assert (await revert(server.admin, compaction, agent_id="alice")).restored == 2


async def test_what_is_no_compaction_is_told(server: Server) -> None:
    ids = service.CompactionIds(ids=[UNKNOWN_ID])
    refusal = await refused(compact(server.alice, proposals=ids))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.NOT_FOUND, "COMPACTION_NOT_FOUND")
    assert refusal.metadata["compaction_id"] == UNKNOWN_ID
    refusal = await refused(compact(server.reader))
    assert refusal.code is grpc.StatusCode.PERMISSION_DENIED
