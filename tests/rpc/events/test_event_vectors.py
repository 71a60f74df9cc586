"""Chunks of events have their vectors when the call returns, where making these costs less than a job that does it
later."""

import asyncio
from typing import Any

import psycopg
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo_server.rows.store.inserts import CHUNKS_IN_A_STATEMENT, MAX_CARRIED_CHARACTERS

from tests.patience import PATIENCE_SECONDS
from tests.rpc.records import record, record_all, text_event
from tests.server_fixtures import Server, StartServer

LONG = "\n\n".join(f"{number} " + "word " * 390 for number in range(CHUNKS_IN_A_STATEMENT + 1))


async def without_jobs(start_server: StartServer, model: str) -> Server:
    """Starts a server that gives nothing a vector later."""
    return await start_server(memory={"embedding_model": model}, jobs={"enabled": False})


def vectors(server: Server) -> list[tuple[int, int]]:
    """The number of chunks and of vectors of each event, in order."""
    with psycopg.connect(server.database.superuser_url) as superuser:
        superuser.execute("set search_path to camillo, public")
        return superuser.execute(
            "select count(*), count(v.memory_id) from events e"
            " join memories m on m.source_refs[1] = e.event_id::text left join memory_vectors v"
            " on v.memory_id = m.memory_id and v.model_id = m.vector_model_id"
            " group by e.revision, e.place order by e.revision, e.place"
        ).fetchall()


async def meant(server: Server, text: str) -> tuple[list[str], Any]:
    """The passages that a recall finds by meaning, the nearest first, and who answered."""
    request = service.RecallRequest(text=text, sources=[pb.SOURCE_EVENT], explain=True)
    answer = await server.alice(request)
    found = [hit for hit in answer.hits if hit.breakdown.HasField("dense")]
    return [hit.chunk.text for hit in found], answer.answered_by


@pytest.mark.caches
async def test_a_recorded_event_is_found_by_meaning_at_once(start_server: StartServer) -> None:
    server = await without_jobs(start_server, "lexical")
    await record(server.alice, "the kettle whistles")
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (await meant(server, "kettles"))[1] != pb.ANSWERED_BY_CACHE:
            pass
    # Postgres has given the index this one; the next one it is told of.
    await record(server.alice, "a locomotive arrives")
    for question, text in (("locomotives", "a locomotive arrives"), ("kettels", "the kettle")):
        found, answered_by = await meant(server, question)
        assert text in found[0]
        assert answered_by == pb.ANSWERED_BY_CACHE
    assert vectors(server) == [(1, 1), (1, 1)]


async def test_calls_that_wait_together_store_the_vectors_of_each(start_server: StartServer) -> None:
    server = await without_jobs(start_server, "lexical")
    await asyncio.gather(*(record(server.alice, f"{n} zebras") for n in range(10)))
    await record_all(server.alice, [text_event(f"{n} horses") for n in range(3)])
    assert vectors(server) == [(1, 1)] * 13


async def test_a_long_event_and_many_events_have_their_vectors_at_once(start_server: StartServer) -> None:
    server = await without_jobs(start_server, "lexical")
    await record(server.alice, LONG)
    await record_all(server.alice, [text_event(f"{n} zebras") for n in range(3 * CHUNKS_IN_A_STATEMENT)])
    (chunks, of_long), *others = vectors(server)
    assert of_long == chunks > CHUNKS_IN_A_STATEMENT
    assert others == [(1, 1)] * (3 * CHUNKS_IN_A_STATEMENT)


async def test_what_is_very_long_encrypted_or_has_a_model_gets_vectors_later(start_server: StartServer) -> None:
    server = await without_jobs(start_server, "lexical")
    count = MAX_CARRIED_CHARACTERS // len(LONG) + 1
    await record_all(server.alice, [text_event(LONG) for _ in range(count)])
    await record(server.alice, "secret", sensitivity=pb.SENSITIVITY_CONFIDENTIAL)
    await record(server.alice, "open")
    # No feature, no vector: a job finds that out again, and notes it.
    await record(server.alice, "🤷")
    *long, encrypted, plain, _ = vectors(server)
    assert len(long) == count
    assert {of_long for _, of_long in long} == {0}
    assert (encrypted, plain) == ((1, 0), (1, 1))
    other = await without_jobs(start_server, "random")
    await record(other.alice, "not here")
    assert vectors(other)[-1] == (1, 0)
