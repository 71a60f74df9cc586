"""Recalls of what was known at a moment: in the versions of then, whatever became of them since."""

import random
from datetime import datetime, timedelta
from typing import Any

import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import recall_pb2
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import MINIMIZE_LATENCY
from camillo_server.rows.row_filter import MemoryFilter
from camillo_server.search.candidates import CandidateQuery
from camillo_server.search.searches import PastSearch
from camillo_server.search.store import recall_reads
from camillo_server.search.store.recall_reads import PastVersions

from tests.rpc.memories.calls import found_by_words, get, remember
from tests.rpc.memories.test_update import update
from tests.rpc.records import record
from tests.server_fixtures import Caller, Server, StartServer, refused
from tests.shared_servers import ShareServer

BERLIN, PARIS = "Ana wohnt in Berlin 🏙️", "Ana wohnt in Paris 🗼"
ANY = pb.MemoryFilter(validity=recall_pb2.VALIDITY_FILTER_ANY)


async def answer(caller: Caller, text: str = "Ana wohnt", **fields: Any) -> list[pb.Memory]:
    """The memories that a recall finds, the best first."""
    request = service.RecallRequest(text=text, **{"limit": 200, **fields})
    return [hit.memory for hit in (await caller(request)).hits]


async def found(caller: Caller, text: str = "Ana wohnt", **fields: Any) -> set[str]:
    """The texts that a recall finds."""
    request = service.RecallRequest(text=text, **{"limit": 200, **fields})
    return {hit.memory.content or hit.chunk.text for hit in (await caller(request)).hits}


def later(server: Server, **since: float) -> datetime:
    """The moment that it is now, and the clock goes on."""
    now = server.clock.now()
    server.clock.move(timedelta(**(since or {"days": 1})).total_seconds())
    return now


@pytest.fixture(params=["memory", "postgres"])
async def served(request: pytest.FixtureRequest, share_server: ShareServer) -> Server:
    """A server with an index in memory, and one without."""
    if request.param == "memory":
        return await share_server()
    return await share_server(retrieval={"cache_bytes": 0})


async def test_a_text_is_found_as_it_was_and_by_its_words_of_then(served: Server) -> None:
    alice = served.alice
    before = later(served)
    stored = await remember(alice, BERLIN)
    then = later(served)
    await alice(update(stored.memory_id, 1, content=PARIS))
    await remember(alice, "后来 Ana wohnt auch in Rom")
    assert await found(alice) == {PARIS, "后来 Ana wohnt auch in Rom"}
    assert await found_by_words(alice, "Berlin") == set()
    assert await found_by_words(alice, "Berlin", known_at=then) == {BERLIN}
    (known,) = await answer(alice, known_at=then)
    assert (known.memory_id, known.version, known.content) == (stored.memory_id, 1, BERLIN)
    assert await found(alice, known_at=before) == set()
    # At its very moment a change is known.
    assert await found(alice, known_at=served.clock.now()) == await found(alice)


async def test_what_was_superseded_since_was_true_then(served: Server) -> None:
    alice = served.alice
    old = await remember(alice, BERLIN)
    then = later(served)
    new = await remember(alice, PARIS, supersedes=[old.memory_id])
    assert await found(alice) == {PARIS}
    (known,) = await answer(alice, known_at=then)
    assert (known.content, known.superseded_by, known.HasField("valid_until")) == (
        BERLIN,
        "",
        False,
    )
    # With the positive control: the one that is known now.
    (ended,) = [each for each in await answer(alice, filter=ANY) if each.content == BERLIN]
    assert ended.superseded_by == new.memory_id


async def test_both_axes_are_asked_for_apart(served: Server) -> None:
    """Ana's move in March is learned in May: in April she was thought to live in Berlin, and did not."""
    alice, day = served.alice, timedelta(days=1)
    stored = await remember(alice, BERLIN, valid_from=served.clock.now() - 400 * day)
    april = later(served, days=30)
    march = april - 30 * day
    await remember(alice, PARIS, valid_from=march, supersedes=[stored.memory_id])
    assert await found(alice, as_of=april) == {PARIS}
    assert await found(alice, known_at=april) == {BERLIN}
    assert await found(alice, known_at=april, as_of=march - day) == {BERLIN}
    assert await found(alice, as_of=march - day) == {BERLIN}
    assert await found(alice, known_at=april, as_of=march - 500 * day) == set()


async def test_what_is_gone_does_not_come_back(served: Server) -> None:
    alice = served.alice
    kept = await remember(alice, BERLIN)
    forgotten = await remember(alice, "Ana wohnt in Köln")
    expiring = await remember(alice, "Ana wohnt in Bonn")
    then = later(served)
    for each in (forgotten, expiring):
        await alice(update(each.memory_id, 1, content=f"{each.content}, vielleicht"))
    assert len(await found(alice, known_at=then)) == 3
    await alice(
        service.ForgetMemoriesRequest(memory_ids=service.MemoryIds(ids=[forgotten.memory_id]), allow_restating=True)
    )
    soon = served.clock.now() + timedelta(hours=1)
    await alice(update(expiring.memory_id, 2, expires_at=soon))
    assert await found(alice, known_at=then) == {kept.content, "Ana wohnt in Bonn"}
    later(served)
    assert await found(alice, known_at=then) == {kept.content}


async def test_what_has_become_sensitive_is_hidden_as_it_is_now(served: Server) -> None:
    alice = served.alice
    stored = await remember(alice, BERLIN, sensitivity=pb.SENSITIVITY_PUBLIC)
    then = later(served)
    internal = pb.MemoryFilter(max_sensitivity=pb.SENSITIVITY_INTERNAL)
    request = update(stored.memory_id, 1, content=PARIS)
    await alice(request)
    assert await found(alice, known_at=then, filter=internal) == {BERLIN}
    await alice(update(stored.memory_id, 2, sensitivity=pb.SENSITIVITY_CONFIDENTIAL))
    assert await found(alice, known_at=then) == {BERLIN}
    assert await found(alice, known_at=then, filter=internal) == set()


async def test_what_was_archived_since_is_found(served: Server) -> None:
    stored = await remember(served.alice, BERLIN)
    then = later(served)
    await served.alice(update(stored.memory_id, 1, archived=True))
    assert await found(served.alice) == set()
    assert await found(served.alice, known_at=then) == {BERLIN}


async def test_others_have_their_own_past(served: Server) -> None:
    cities = {("admin", "ana"): "Wien", ("admin", "ben"): "Graz", ("rival", "ana"): "Linz"}
    callers = {"admin": served.admin, "rival": served.rival}
    stored = {
        (who, agent): await remember(callers[who], f"Ana wohnt in {city}", agent_id=agent)
        for (who, agent), city in cities.items()
    }
    then = later(served)
    for (who, agent), memory in stored.items():
        request = update(memory.memory_id, 1, content=PARIS)
        request.agent_id = agent
        await callers[who](request)
    for (who, agent), city in cities.items():
        known = await found(callers[who], agent_id=agent, known_at=then)
        assert known == {f"Ana wohnt in {city}"}
        assert await found(callers[who], agent_id=agent) == {PARIS}
    assert await found(served.alice, known_at=then) == set()


async def test_the_shared_scope_is_searched_as_it_was(served: Server) -> None:
    shared = await remember(served.admin, "Ana wohnt in Wien", agent_id="@shared")
    own = await remember(served.admin, BERLIN, agent_id="ana")
    then = later(served)
    for agent, memory in (("@shared", shared), ("ana", own)):
        request = update(memory.memory_id, 1, content=f"Ana wohnt in Linz, {agent}")
        request.agent_id = agent
        await served.admin(request)
    both: dict[str, Any] = {"agent_id": "ana", "include_shared": True, "explain": True}
    assert await found(served.admin, **both) == {
        "Ana wohnt in Linz, ana",
        "Ana wohnt in Linz, @shared",
    }
    assert await found(served.admin, **both, known_at=then) == {BERLIN, "Ana wohnt in Wien"}


async def test_what_is_encrypted_is_found_as_it_was(server: Server) -> None:
    stored = await remember(server.alice, BERLIN, sensitivity=pb.SENSITIVITY_RESTRICTED)
    then = later(server)
    await server.alice(update(stored.memory_id, 1, content=PARIS))
    assert await found(server.alice) == {PARIS}
    assert await found_by_words(server.alice, "Berlin", known_at=then) == {BERLIN}
    public = pb.MemoryFilter(max_sensitivity=pb.SENSITIVITY_PUBLIC)
    assert await found(server.alice, known_at=then, filter=public) == set()


async def test_what_was_recorded_later_is_not_known(served: Server) -> None:
    alice, sources = served.alice, [pb.SOURCE_EVENT]
    await record(alice, "Ana wohnt in Berlin, شكرا")
    then = later(served)
    await record(alice, "Ana wohnt in Paris, merci")
    assert len(await found(alice, sources=sources)) == 2
    (only,) = await found(alice, sources=sources, known_at=then)
    assert "Berlin" in only


@pytest.mark.own_server
async def test_a_recall_of_the_past_counts_no_access(server: Server) -> None:
    stored = await remember(server.alice, BERLIN)
    then = later(server)
    await server.alice(update(stored.memory_id, 1, content=PARIS))
    assert await found(server.alice, known_at=then) == {BERLIN}
    await server.app.search.access.flush()
    assert (await get(server.alice, stored.memory_id)).access_count == 0
    assert await found(server.alice) == {PARIS}
    await server.app.search.access.flush()
    assert (await get(server.alice, stored.memory_id)).access_count == 1


async def test_more_changes_than_one_recall_reads_are_refused(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recall_reads, "MAX_VERSIONS", 2)
    stored = [await remember(server.alice, f"Ana wohnt in {city}") for city in "ABC"]
    then = later(server)
    for each in stored[:2]:
        await server.alice(update(each.memory_id, 1, content=f"{each.content}!"))
    assert len(await found(server.alice, known_at=then)) == 3
    await server.alice(update(stored[2].memory_id, 1, content="x"))
    told = await refused(answer(server.alice, known_at=then))
    assert (told.reason, told.metadata["limit"]) == ("QUOTA_EXCEEDED", "2")


@pytest.mark.parametrize("seed", range(3))
async def test_it_finds_what_the_same_recall_found_then(served: Server, seed: int) -> None:
    """Random writes, and after each what a recall finds; at the end every recall is made once more, as of its
    moment."""
    rng, alice = random.Random(seed), served.alice  # noqa: S311
    words = ["茶", "café", "שלום", "rain", "🎻", "नदी", "Ana", "Köln"]
    stored: dict[str, int] = {}
    seen: list[tuple[datetime, str, list[tuple[str, int, str]]]] = []

    async def known(text: str, **fields: Any) -> list[tuple[str, int, str]]:
        return sorted((each.memory_id, each.version, each.content) for each in await answer(alice, text, **fields))

    for _ in range(40):
        text = " ".join(rng.sample(words, 3))
        if not stored or rng.random() < 0.4:
            taken = [*stored] if stored and rng.random() < 0.4 else []
            new = await remember(alice, text, supersedes=taken[:1])
            for each in taken[:1]:
                del stored[each]
            stored[new.memory_id] = new.version
        else:
            memory_id = rng.choice([*stored])
            change: dict[str, Any] = rng.choice(
                [{"content": text}, {"archived": True}, {"archived": False}, {"pinned": True}]
            )
            request = update(memory_id, stored[memory_id], **change)
            stored[memory_id] = (await alice(request)).memory.version
        query = rng.choice(words)
        seen.append((served.clock.now(), query, await known(query)))
        later(served, hours=1)
    assert sum(len(each) for _, _, each in seen) > 100
    for moment, query, then in seen:
        assert await known(query, known_at=moment) == then


@pytest.mark.parametrize(
    "asked",
    [
        {"text": "", "vector": pb.Vector(values=[1.0] * 384)},
        {"mode": recall_pb2.RECALL_MODE_PRECISE},
        {"time_mode": recall_pb2.TIME_MODE_ONLY, "text": "Wo wohnt Ana seit gestern?"},
        {"context": recall_pb2.RecallContext(turns=["Berlin?"], session_id="s", tags=["t"])},
        {"filter": pb.MemoryFilter(session_id="s", tags_all=["t"]), "explain": True},
        {"sources": [pb.SOURCE_MEMORY, pb.SOURCE_EVENT], "explain": True},
        {"profile": pb.ScoringProfile(name="recency_weighted", diversity=0.5)},
    ],
    ids=["vector", "precise", "time", "context", "filter", "sources", "profile"],
)
async def test_every_kind_of_recall_may_ask_for_the_past(start_server: StartServer, asked: dict[str, Any]) -> None:
    words = {"embedding_model": "lexical", "embedding_dimensions": 384}
    answers: list[set[str]] = []
    for retrieval in ({}, {"cache_bytes": 0}):
        server = await start_server(memory=words, retrieval=retrieval)
        if not answers:
            stored = await remember(server.alice, BERLIN, session_id="s", tags=["t"])
            then = later(server)
            await server.alice(update(stored.memory_id, 1, content=PARIS, tags=[]))
        request = {"text": "Wo wohnt Ana?", **asked}
        text = request.pop("text")
        if "vector" in request:
            call = service.RecallRequest(**request, known_at=then)
            answers.append({hit.memory.content for hit in (await server.alice(call)).hits})
        else:
            answers.append(await found(server.alice, text, known_at=then, **request))
    assert answers == [{BERLIN}, {BERLIN}]


async def test_a_query_with_a_vector_and_one_without_are_searched_in_one_recall(
    start_server: StartServer,
) -> None:
    """An event that the query names is searched first, and may have no vector when the query has one."""
    server = await start_server(memory={"embedding_model": "lexical", "embedding_dimensions": 384})
    stored = await remember(server.alice, BERLIN)
    then = later(server)
    await server.alice(update(stored.memory_id, 1, content=PARIS))
    kernel, scope = server.app.kernel, Scope(TenantId("acme"), AgentId("alice"))
    embedding = kernel.providers.serving
    search = PastSearch(server.app.search.search, PastVersions(kernel.database, kernel.keyring), embedding, then)
    vector = await embedding.query_vector("Ana wohnt", scope)
    assert vector is not None
    filter_ = MemoryFilter(known_at=then, as_of=then)
    for each in (None, vector, None):
        query = CandidateQuery(scope, ["ana"], each, filter_, 50, server.clock.now())
        pool = await search.candidates(query, MINIMIZE_LATENCY)
        assert pool.texts(range(len(pool))) == [BERLIN]
