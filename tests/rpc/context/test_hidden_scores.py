"""Rows that a channel hides change neither the scores nor the marks of those that it shows."""

import asyncio
from typing import Any

import pytest
from camillo.v1 import channel_pb2 as channels
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.context_pb2 import Bundle

from tests.patience import PATIENCE_SECONDS
from tests.rpc.memories.calls import recall
from tests.rpc.records import bundle, record
from tests.server_fixtures import Server

COUNT = 50
SOURCES = (pb.SOURCE_MEMORY, pb.SOURCE_EVENT)
QUERY = "walrus 海象 drinks tea 🦭"
PUBLIC: dict[str, Any] = {"sensitivity": pb.SENSITIVITY_PUBLIC}
HIDDEN: list[dict[str, Any]] = [
    {"sensitivity": pb.SENSITIVITY_INTERNAL},
    {"sensitivity": pb.SENSITIVITY_CONFIDENTIAL},
    {"sensitivity": pb.SENSITIVITY_PUBLIC, "kind": pb.MEMORY_KIND_PREFERENCE},
]
MARKS = {pb.DEGRADED_REASON_VECTORS_PENDING, pb.DEGRADED_REASON_SEALED_NOT_SEARCHED}


@pytest.fixture(params=["memory", "postgres"])
def answered_from(request: pytest.FixtureRequest) -> str:
    """Memory and Postgres, which both have to keep it."""
    answering: str = request.param
    return answering


async def fill(server: Server, count: int, **fields: Any) -> None:
    """Memories of the words of the query, in the session that all share."""
    texts = [f"walrus 海象 {number} " + "tea 🦭 " * (number % 4) for number in range(count)]
    new = [pb.NewMemory(content=text, session_id="s", **fields) for text in texts]
    answer = await server.alice(service.BatchRememberRequest(memories=new))
    assert all(result.HasField("memory") for result in answer.results)


async def hits(server: Server, channel: int, **fields: Any) -> object:
    """Everything that a recall tells but for its revision, as fresh as Postgres."""
    fresh = {"freshness": {"fully_consistent": True}, "sources": SOURCES}
    answer = await recall(server.alice, QUERY, channel=channel, **fresh, **fields)
    told = [(hit.memory.content or hit.chunk.text, hit.score, hit.breakdown.SerializeToString()) for hit in answer.hits]
    return told, sorted(answer.degraded)


async def built(server: Server, channel: int) -> Bundle:
    """A bundle but for its name and its revision."""
    told = await bundle(server.alice, QUERY, channel=channel, explain=True, freshness={"fully_consistent": True})
    for field in ("bundle_id", "revision"):
        told.ClearField(field)
    return told


async def settle(server: Server) -> None:
    """Waits until every vector is there."""
    pending = pb.DEGRADED_REASON_VECTORS_PENDING
    async with asyncio.timeout(PATIENCE_SECONDS):
        while pending in (await recall(server.alice, "x", sources=SOURCES)).degraded:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("hidden", HIDDEN, ids=str)
async def test_public_answers_are_the_same_whatever_is_hidden(server: Server, hidden: dict[str, Any]) -> None:
    await fill(server, 8, **PUBLIC)
    public = channels.CHANNEL_PUBLIC
    found, shown = await hits(server, public), await built(server, public)
    to_all = await hits(server, channels.CHANNEL_PRIVATE)
    assert any("海象" in item.text for each in shown.sections for item in each.items)
    await fill(server, COUNT, **hidden)
    assert await hits(server, public) == found
    assert await built(server, public) == shown
    # Who may load them has them among the hits.
    assert await hits(server, channels.CHANNEL_PRIVATE) != to_all
    await fill(server, COUNT, **PUBLIC)
    assert await hits(server, public) != found
    assert await built(server, public) != shown


async def test_hits_are_the_same_whatever_is_hidden(server: Server) -> None:
    """Added rows that are hidden change no score; visible ones change the scores of what was there."""
    await fill(server, 8, **PUBLIC)
    before = await recall(server.alice, QUERY, channel=channels.CHANNEL_PUBLIC)
    ids = {hit.memory.memory_id: hit.score for hit in before.hits}
    for fields, is_same in ((HIDDEN[0], True), (PUBLIC, False)):
        await fill(server, COUNT, **fields)
        after = await recall(server.alice, QUERY, channel=channels.CHANNEL_PUBLIC)
        scores = {hit.memory.memory_id: hit.score for hit in after.hits}
        assert ids.keys() <= scores.keys()
        assert ({key: scores[key] for key in ids} == ids) is is_same


async def test_marks_tell_of_nothing_that_is_hidden(server: Server) -> None:
    await fill(server, 3, **PUBLIC)
    found = await hits(server, channels.CHANNEL_PUBLIC)
    await record(server.alice, "walrus event", sensitivity=pb.SENSITIVITY_CONFIDENTIAL)
    assert await hits(server, channels.CHANNEL_PUBLIC) == found
    answer = await recall(server.alice, QUERY, channel=channels.CHANNEL_PUBLIC, sources=SOURCES)
    assert not MARKS & set(answer.degraded)
    await settle(server)
    shown = await recall(server.alice, QUERY, channel=channels.CHANNEL_TEAM, sources=SOURCES)
    is_told = pb.DEGRADED_REASON_SEALED_NOT_SEARCHED in shown.degraded
    assert is_told is (server.answered_from == "postgres")
    assert await hits(server, channels.CHANNEL_PUBLIC) == found
