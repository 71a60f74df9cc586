"""When a write is visible to recall, here and in another server; and what a Remember of a text costs."""

import asyncio
import time
from uuid import uuid4

from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.consistency_pb2 import Freshness

from bench.material.corpus import Vectors
from bench.material.texts import Texts
from bench.measure.client import Client, Material, connected, echo_call, remember_call
from bench.measure.timing import Figure, Figures, latencies_ms, percentile, percentiles, rounds_of
from bench.recall.calls import Recaller, by_texts, by_vectors
from bench.recall.stage import BESIDE, BESIDE_CORPUS, Stage

VISIBLE_SECONDS = 10.0
ROUNDS = 5
AGENT = "remembering"
WARM_UP_CALLS = 100
# Bound of a Remember of a text: a durable commit, counted in echoes, and embedding.
ECHOES, MILLISECONDS = 2.5, 1.5


async def measure_freshness(stage: Stage) -> Figures:
    """Shares of writes found at once, and milliseconds from a write's answer to its being seen elsewhere."""
    own_writes, replica_writes = stage.options.own_writes, stage.options.replica_writes
    vectors = BESIDE_CORPUS.queries(own_writes + replica_writes)
    with stage.other_server() as other:
        async with (
            connected(stage.app.port, stage.app.secret) as here,
            connected(other.port, other.secret) as there,
        ):
            reader, other_reader = Recaller(here, BESIDE), Recaller(there, BESIDE)
            for warmed in (reader, other_reader):
                request = by_vectors(BESIDE, vectors[:1])[0]
                await warmed.until_warm(request, stage.warm_seconds)
            own = await _own_writes(here, reader, vectors[:own_writes])
            return {**own, **await _replica_writes(here, other_reader, vectors[own_writes:])}


async def _remember(client: Client, vector: Vectors) -> service.RememberResponse:
    """Remembers in the scope beside a text of its own: one that is there already would keep its vector, and never be
    found."""
    content = f"what has just happened: {uuid4()}"
    memory = pb.NewMemory(content=content, vector=pb.Vector(values=vector.tolist()))
    written: service.RememberResponse = await client(service.RememberRequest(agent_id=BESIDE, memory=memory))
    return written


async def _own_writes(client: Client, reader: Recaller, vectors: Vectors) -> Figures:
    demanded, anyway = [], []
    for vector in vectors:
        written = await _remember(client, vector)
        freshness = Freshness(at_least_as_fresh=written.revision)
        [fresh] = by_vectors(BESIDE, vector[None], freshness=freshness)
        [any_] = by_vectors(BESIDE, vector[None])
        demanded.append(await reader.finds(fresh, written.memory.memory_id))
        anyway.append(await reader.finds(any_, written.memory.memory_id))
    return {
        "own_write_visible_share": Figure((sum(demanded) / len(demanded),)),
        "own_write_visible_undemanded_share": Figure((sum(anyway) / len(anyway),)),
    }


async def _replica_writes(client: Client, reader: Recaller, vectors: Vectors) -> Figures:
    taken = []
    for number, vector in enumerate(vectors):
        written = await _remember(client, vector)
        [request] = by_vectors(BESIDE, vector[None])
        started = time.perf_counter()
        while time.perf_counter() - started < VISIBLE_SECONDS:
            if await reader.finds(request, written.memory.memory_id):
                break
        taken.append((time.perf_counter() - started) * 1000)
        # Writes at all phases of whatever the follower does at intervals.
        await asyncio.sleep(0.001 * (number % 17))
    parts = [taken[start::ROUNDS] for start in range(ROUNDS) if taken[start::ROUNDS]]
    return {
        "replica_visible_p50_ms": percentiles(parts, 50),
        "replica_visible_p95_ms": Figure((percentile(taken, 95),)),
        "replica_visible_max_ms": Figure((max(taken),)),
    }


async def measure_remember_text(stage: Stage) -> Figures:
    """A durable Remember of a text that the server embeds: milliseconds, against the echo, and the share of the time
    that the goal allows."""
    options, repeats = stage.options, stage.options.repeats
    # Each another text: no cache of embeddings helps.
    sentences = Texts(7, known=options.known_words).sentences(5_000)
    material = Material([pb.NewMemory(content=sentence) for sentence in sentences])
    async with connected(stage.app.port, stage.app.secret) as client:
        calls = {
            "remember_echo": echo_call(client.channel, client.secret),
            "remember_text": remember_call(client, material, AGENT),
        }
        for call in calls.values():
            await latencies_ms(call, WARM_UP_CALLS, options.round_seconds)
        # A scope in use: what is remembered goes into the cache as well.
        question = next(by_texts(AGENT, Texts().queries(1)))
        await Recaller(client, AGENT).until_warm(question, stage.warm_seconds)
        found = await rounds_of(calls, repeats.rounds, repeats.calls_a_round, options.round_seconds)
    echo, remember = (percentiles(found[name], 50) for name in calls)
    return {
        "remember_echo_p50_ms": echo,
        "remember_text_p50_ms": remember,
        "remember_text_ratio": remember.over(echo),
        "remember_text_of_allowed": remember.over(Figure(tuple(ECHOES * each + MILLISECONDS for each in echo.rounds))),
    }
