"""Terms that an earlier release found are found again: afterwards a scope is as if everything in it had been stored
just now."""

import asyncio
from collections.abc import Sequence
from typing import Any

import grpc
import psycopg
import pytest
from camillo.v1 import lifecycle_service_pb2 as service
from camillo.v1 import memory_pb2 as pb
from camillo.v1.actor_pb2 import ACTOR_TYPE_HUMAN, Actor
from camillo.v1.event_service_pb2 import RebuildChunksRequest
from camillo.v1.memory_service_pb2 import ListMemoryRevisionsRequest
from camillo_server.across.lifecycle import maintenance as use_case
from camillo_server.across.lifecycle.store.reindexing import ReindexingStore
from camillo_server.kernel.ids import BEFORE_EVERY_ID, AgentId, MemoryId, TenantId
from camillo_server.kernel.scope import Scope
from google.protobuf.timestamp_pb2 import Timestamp

from tests.rpc.audit.test_audit import entries, facts
from tests.rpc.forgetting.test_forget import forget
from tests.rpc.lifecycle.aged_rows import SCOPE, age, stored, term_counts
from tests.rpc.memories.calls import found_by_words, get, recall, remember
from tests.rpc.memories.test_update import update
from tests.rpc.records import decide, record
from tests.rpc.search.scope_rows import FRESH
from tests.rpc.slots.calls import set_memory
from tests.rpc.watching import Watch
from tests.server_fixtures import Caller, Server, StartServer, refused
from tests.storage.admin.test_invariants import broken, until_embedded
from tests.storage.locking import until_waiting

# Another form of a word, and what has it.
BY_A_STEM = {
    "deploying": "We deployed the walrus on Friday",
    "скрипки": "Мария играет на скрипке вечерами",
    "Häuser": "Ich habe von den Häusern gestern nichts gesehen",
    "בספרייה": "הספרייה נסגרת מוקדם היום",
    "وكتاب": "قرأت الكتاب الجديد أمس",
    "किताबें": "वह किताबों के साथ आया",
    "斑马": "昨天看到一匹耐心的斑马🦓",
}
SENSITIVITIES = [pb.SENSITIVITY_INTERNAL, pb.SENSITIVITY_RESTRICTED]


@pytest.fixture(params=["memory", "postgres"])
def answered_from(request: pytest.FixtureRequest) -> str:
    answers: str = request.param
    return answers


async def reindex(caller: Caller, agent_id: str = "alice") -> service.ReindexResponse:
    answer: service.ReindexResponse = await caller(service.ReindexRequest(agent_id=agent_id))
    return answer


async def remember_all(server: Server, texts: Sequence[str], **fields: Any) -> list[pb.Memory]:
    return [await remember(server.alice, text, **fields) for text in texts]


async def found(server: Server, queries: Sequence[str]) -> list[bool]:
    """Whether each query finds its text by words."""
    return [BY_A_STEM[query] in await found_by_words(server.alice, query, **FRESH) for query in queries]


@pytest.mark.parametrize("level", SENSITIVITIES)
async def test_texts_are_found_by_the_stems_of_now(
    server: Server, start_server: StartServer, level: pb.Sensitivity
) -> None:
    await remember_all(server, [*BY_A_STEM.values()], sensitivity=level)
    before = stored(server)
    assert age(server) == len(BY_A_STEM)
    assert stored(server) != before
    here = await start_server()
    # Postgres searches no encrypted text.
    is_found = level == pb.SENSITIVITY_INTERNAL or here.answered_from == "memory"
    assert not any(await found(here, [*BY_A_STEM]))
    # By words as they stand, the same texts are found: there is an index.
    assert bool(await found_by_words(here.alice, "walrus", **FRESH)) == is_found
    done = await reindex(here.alice)
    assert (done.rows, done.changed, done.unreadable) == (len(BY_A_STEM), len(BY_A_STEM), 0)
    assert await found(here, [*BY_A_STEM]) == [is_found] * len(BY_A_STEM)
    # Vectors, versions and times among them.
    assert stored(here) == before
    repeated = await reindex(here.alice)
    assert (repeated.rows, repeated.changed) == (len(BY_A_STEM), 0)
    assert repeated.revision == done.revision


async def test_who_says_what_and_what_replies_counts_again(server: Server, start_server: StartServer) -> None:
    said, of_her = "小明：绿茶 🍵", "老王：小明和绿茶 🍵"
    await remember(server.alice, said, session_id="one")
    await remember(server.alice, of_her, session_id="two")
    question, reply = "Ben: ¿Qué té?", "Ana: té 小明"
    for second, line in enumerate((question, reply)):
        await remember(server.alice, line, session_id="three", occurred_at=Timestamp(seconds=second))
    age(server)
    here = await start_server()

    async def speech() -> list[set[str]]:
        hits = (await recall(here.alice, "小明喝什么茶 té", **FRESH)).hits
        assert {hit.memory.content for hit in hits} == {said, of_her, question, reply}
        facts = ("is_named", "asks", "replies")
        return [{hit.memory.content for hit in hits if getattr(hit.breakdown.speech, fact)} for fact in facts]

    assert await speech() == [set(), set(), set()]
    assert (await reindex(here.alice)).changed == 4
    assert await speech() == [{said}, {question}, {reply}]


async def test_other_agents_and_tenants_keep_their_terms(server: Server, start_server: StartServer) -> None:
    others = [Scope(TenantId("acme"), AgentId("bob")), Scope(TenantId("rival"), AgentId("alice"))]
    await remember(server.alice, BY_A_STEM["Häuser"])
    await remember(server.admin, BY_A_STEM["Häuser"], agent_id="bob")
    await remember(server.rival, BY_A_STEM["Häuser"], agent_id="alice")
    for scope in (SCOPE, *others):
        age(server, scope)
    kept = [stored(server, scope) for scope in others]
    here = await start_server()
    assert (await reindex(here.alice, "")).changed == 1
    assert [stored(server, scope) for scope in others] == kept
    assert await found(here, ["Häuser"]) == [True]
    told = await refused(here.alice(service.ReindexRequest(agent_id="bob")))
    assert told.reason == "SCOPE_FORBIDDEN"
    assert (await reindex(here.admin, "bob")).changed == 1
    assert stored(server, others[0]) != kept[0]


async def test_nothing_of_a_memory_changes_but_its_terms(server: Server, start_server: StartServer) -> None:
    memory = await remember(server.alice, "Maria plays 🎻")
    await server.alice(update(memory.memory_id, 1, content="María toca el violín e\u0301 🎻"))
    before = await get(server.alice, memory.memory_id)
    age(server)
    here = await start_server()
    here.clock.move(3_600)
    done = await reindex(here.alice)
    assert done.changed == 1
    assert await get(here.alice, memory.memory_id) == before
    entry = (await entries(here.admin, scope_agent_id="alice"))[-1]
    assert entry.method == "LifecycleService/Reindex"
    assert facts(entry)["memory_ids"] == [memory.memory_id]
    kept = await here.alice(ListMemoryRevisionsRequest(memory_id=memory.memory_id))
    assert [each.memory.version for each in kept.revisions] == [2, 1]
    counted, summed = term_counts(here)
    assert counted == summed > 0


async def test_chunks_are_as_they_would_be_made(server: Server, start_server: StartServer) -> None:
    person = Actor(type=ACTOR_TYPE_HUMAN, id="مريم")
    for level in SENSITIVITIES:
        long = "Мария играет на скрипке. 她在练琴。 " * 200
        await record(server.alice, long, actor=person, sensitivity=level)
        event = await record(server.alice, "Where is my violin?", sensitivity=level)
        await decide(server.alice, "we keep the violins", event.event_id, sensitivity=level)
        await set_memory(server.alice, f"/user/n{level}", '"two violins"', sensitivity=level)
    await remember(server.alice, "Violins are kept dry")
    # Embedding them changes rows, too.
    await until_embedded(server.database)
    before = stored(server)
    assert len({row["term_count"] for row in before}) > 3
    age(server)
    here = await start_server()
    done = await reindex(here.alice)
    assert (done.rows, done.changed) == (len(before), len(before))
    assert stored(here) == before
    counted, summed = term_counts(here)
    assert counted == summed
    assert broken(server.database) == set()
    # Made again from the events themselves, they have the same terms.
    assert (await here.alice(RebuildChunksRequest())).made == len(before) - 1
    assert (await reindex(here.alice)).changed == 0


async def test_another_server_follows(server: Server, start_server: StartServer) -> None:
    await remember_all(server, [*BY_A_STEM.values()])
    age(server)
    here, there = await start_server(), await start_server()
    assert not any(await found(there, [*BY_A_STEM]))
    await reindex(here.alice)
    assert all(await found(there, [*BY_A_STEM]))


async def test_batches_are_committed_one_by_one(
    server: Server, start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(use_case, "ROWS_AT_ONCE", 2)
    await remember_all(server, [*BY_A_STEM.values()])
    before = stored(server)
    age(server)
    here = await start_server()
    with psycopg.connect(server.database.superuser_url) as holder:
        holder.execute("select from camillo.memories where memory_id = %s for update", (before[4]["memory_id"],))
        reindexing = asyncio.ensure_future(reindex(here.alice))
        await until_waiting(server.database, 1)
        reindexing.cancel()
        await until_waiting(server.database, 0)
    assert [row in before for row in stored(here)] == [True] * 4 + [False] * 3
    counted, summed = term_counts(here)
    assert counted == summed
    done = await reindex(here.alice)
    assert (done.rows, done.changed) == (7, 3)
    assert stored(here) == before


@pytest.mark.parametrize("level", SENSITIVITIES)
async def test_what_is_changed_meanwhile_keeps_what_it_says_now(
    server: Server, start_server: StartServer, level: pb.Sensitivity
) -> None:
    texts = [BY_A_STEM["скрипки"], BY_A_STEM["Häuser"], "Ana: 茶"]
    changed, same, gone = await remember_all(server, texts, sensitivity=level)
    age(server)
    here = await start_server()
    new = "Das Boot heißt nicht 茶"
    store = ReindexingStore(here.app.kernel.writes, here.app.kernel.keyring)
    analysed = await store.analyse(SCOPE, MemoryId(BEFORE_EVERY_ID), 10)
    assert analysed is not None
    assert (analysed.rows, len(analysed.changed)) == (3, 3)
    await here.alice(update(changed.memory_id, 1, content=new))
    # The same id and version, and another text.
    await here.alice(forget(gone.memory_id))
    await remember(here.alice, "Ben 🎻", memory_id=gone.memory_id, sensitivity=level)
    count, _ = await store.change(SCOPE, analysed.changed, now=here.clock.now())
    assert count == 1
    kept = [await get(here.alice, each.memory_id) for each in (changed, same, gone)]
    told = [(each.content, each.version) for each in kept]
    assert told == [(new, 2), (BY_A_STEM["Häuser"], 1), ("Ben 🎻", 1)]
    is_found = level == pb.SENSITIVITY_INTERNAL or here.answered_from == "memory"
    assert await found(here, ["Häuser", "скрипки"]) == [is_found, False]
    assert (await found_by_words(here.alice, "Boote", **FRESH) == {new}) == is_found
    assert (await reindex(here.alice)).changed == 0
    counted, summed = term_counts(here)
    assert counted == summed


async def test_what_gets_its_vector_meanwhile_gets_its_terms_too(server: Server, start_server: StartServer) -> None:
    embedded, *_ = await remember_all(server, [*BY_A_STEM.values()])
    before = stored(server)
    age(server)
    here = await start_server()
    with psycopg.connect(server.database.superuser_url) as holder:
        # As a vector is stored: another revision of the same version.
        holder.execute(
            "update camillo.memories set revision = revision + 1 where memory_id = %s", (embedded.memory_id,)
        )
        reindexing = asyncio.ensure_future(reindex(here.alice))
        await until_waiting(server.database, 1)
        holder.commit()
    done = await reindexing
    # All but one at first, and that one when the batch was analysed again.
    assert (done.rows, done.changed) == (len(before), len(before))
    assert len(await entries(here.admin, method="LifecycleService/Reindex")) == 2
    assert stored(here) == before


async def test_rows_that_cannot_be_decrypted_are_counted_and_left(server: Server, start_server: StartServer) -> None:
    await remember(server.alice, "Ada takes lithium", sensitivity=pb.SENSITIVITY_RESTRICTED)
    await remember(server.alice, BY_A_STEM["Häuser"])
    age(server)
    with psycopg.connect(server.database.superuser_url) as connection:
        connection.execute("update camillo.memories set key_id = 'lost' where key_id <> ''")
    here = await start_server()
    done = await reindex(here.alice)
    assert (done.rows, done.changed, done.unreadable) == (2, 1, 1)
    assert await found(here, ["Häuser"]) == [True]


async def test_an_empty_scope_has_nothing_to_change(server: Server) -> None:
    done = await reindex(server.alice)
    assert (done.rows, done.changed, done.unreadable) == (0, 0, 0)
    told = await refused(server.reader(service.ReindexRequest()))
    assert told.code == grpc.StatusCode.PERMISSION_DENIED


async def test_a_watch_shows_what_has_other_terms(server: Server, start_server: StartServer) -> None:
    memory = await remember(server.alice, BY_A_STEM["Häuser"])
    age(server)
    here = await start_server()
    async with Watch(here.alice, from_beginning=True) as watch:
        first, _ = await watch.until_caught_up()
        done = await reindex(here.alice)
        *_, last = await watch.until(memory.content)
    assert last.changed == first.changed
    assert last.revision == done.revision != first.revision
