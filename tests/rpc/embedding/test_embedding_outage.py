"""A provider of vectors that fails: writes go through, words still find, vectors come later."""

import asyncio
from collections.abc import Sequence

import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.consistency_pb2 import Freshness
from camillo_server.models.embedding.embedder import EmbeddingUnavailable

from tests.patience import PATIENCE_SECONDS
from tests.rpc.memories.calls import get, recall, remember
from tests.rpc.memories.test_update import update
from tests.server_fixtures import Server, StartServer


class Outage:
    """Takes the server's provider away until told otherwise."""

    def __init__(self, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch
        self._embedder = server.app.kernel.providers.choice.embedder
        self._embed = self._embedder.embed
        monkeypatch.setattr(self._embedder, "embed", self._fail)

    async def _fail(self, texts: Sequence[str], *more: object) -> None:
        raise EmbeddingUnavailable("the provider is away")

    def end(self) -> None:
        self._monkeypatch.setattr(self._embedder, "embed", self._embed)


@pytest.fixture
async def server(start_server: StartServer, monkeypatch: pytest.MonkeyPatch) -> Server:
    monkeypatch.setattr("camillo_server.storage.jobs.board.GATHER_SECONDS", 0.02)
    return await start_server(memory={"embed_timeout_seconds": 0.1})


@pytest.fixture
def outage(server: Server, monkeypatch: pytest.MonkeyPatch) -> Outage:
    return Outage(server, monkeypatch)


async def until_embedded(server: Server, memory_id: str) -> pb.Memory:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not (memory := await get(server.alice, memory_id, include_vector=True)).HasField("vector"):
            pass
    return memory


async def test_a_write_goes_through_and_gets_its_vector_afterwards(server: Server, outage: Outage) -> None:
    stored = await remember(server.alice, "a patient zebra")
    assert stored.vector_model_id == ""
    answer = await recall(server.alice, "zebra")
    assert [hit.memory.content for hit in answer.hits] == ["a patient zebra"]
    assert set(answer.degraded) == {pb.DEGRADED_REASON_EMBEDDING_UNAVAILABLE, pb.DEGRADED_REASON_VECTORS_PENDING}
    assert answer.model_id == ""
    outage.end()
    embedded = await until_embedded(server, stored.memory_id)
    assert embedded.version == 1
    # The index in memory may be a moment older than what Postgres has just shown.
    fresh = Freshness(fully_consistent=True)
    answer = await recall(server.alice, "a patient zebra", freshness=fresh)
    assert not answer.degraded
    assert answer.hits[0].breakdown.dense.raw == pytest.approx(1.0, abs=1e-3)


async def test_a_batch_and_an_update_go_through_as_well(server: Server, outage: Outage) -> None:
    batch = service.BatchRememberRequest(memories=[pb.NewMemory(content="zebra one")])
    stored = (await server.alice(batch)).results[0].memory
    changed = (await server.alice(update(stored.memory_id, 1, content="zebra two"))).memory
    assert changed.vector_model_id == ""
    assert (await recall(server.alice, "two")).hits[0].memory.content == "zebra two"
    outage.end()
    assert (await until_embedded(server, stored.memory_id)).content == "zebra two"


async def test_an_old_vector_is_not_found_when_new_content_could_not_be_embedded(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = await remember(server.alice, "about zebras")
    outage = Outage(server, monkeypatch)
    await server.alice(update(stored.memory_id, 1, content="about lions"))
    found = await get(server.alice, stored.memory_id, include_vector=True)
    assert not found.HasField("vector")
    outage.end()
    await until_embedded(server, stored.memory_id)


async def test_a_given_vector_needs_no_provider(server: Server, outage: Outage) -> None:
    vector = pb.Vector(values=[1.0] + [0.0] * 15)
    stored = await remember(server.alice, "given", vector=vector)
    assert stored.vector_model_id == "random-16"
    answer = await server.alice(service.RecallRequest(vector=vector))
    assert [hit.memory.content for hit in answer.hits] == ["given"]
    assert not answer.degraded


async def test_a_provider_that_hangs_is_given_up_on(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    async def hang(texts: Sequence[str], *more: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(server.app.kernel.providers.choice.embedder, "embed", hang)
    stored = await remember(server.alice, "slow zebra")
    assert stored.vector_model_id == ""
