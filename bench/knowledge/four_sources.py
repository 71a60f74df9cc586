"""A recall over the four sources of both scopes, over one of as many memories in one scope: by the same questions, in
turns."""

import itertools
from collections.abc import Sequence
from typing import Any

import psycopg
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo_server.kernel.kinds import ChunkKind

from bench.material.texts import Texts
from bench.measure.client import IMPORT_SECONDS, Client, connected, import_batches, with_vectors
from bench.measure.command import say
from bench.measure.servers import DIMENSIONS, AppServer
from bench.measure.timing import Call, Figure, Figures, percentiles, rounds_of

AGENT, SINGLE, SHARED = "four-sources", "single-source", "@shared"
FOUR = (pb.SOURCE_MEMORY, pb.SOURCE_AUDIT, pb.SOURCE_WORKFLOW_STEP, pb.SOURCE_DOCUMENT)
# Rows by kind: memories, steps of workflows, passages of documents, and entries of the audit trail.
SHARES = {"memory": 10_000, "step": 500, "passage": 20_000, "action": 50_000}
KINDS = {
    "step": (AGENT, ChunkKind.WORKFLOW_STEP),
    "passage": ("", ChunkKind.PASSAGE),
    "action": ("", ChunkKind.ACTION),
}
# No row is both, so that what was imported as memories is found by its tag, and becomes what it stands for.
BECOME = """
update camillo.memories set kind = %(kind)s, fingerprint = null
where tenant_id = 'bench' and agent_id = %(agent_id)s and %(tag)s = any(tags)
"""
QUERIES = 400
WARM_UP = 60


async def measure_four_sources(app: AppServer, rounds: int, calls_a_round: int, share: float = 1.0) -> Figures:
    """p95 of both recalls and their quotient; every source has its first one in the explanation. Neither asks the same
    question twice in a round."""
    texts = Texts(3)
    counts = {name: round(count * share) for name, count in SHARES.items()}
    async with connected(app.port, app.secret) as client:
        say(f"importing 2 x {sum(counts.values())} rows")
        for name, count in counts.items():
            memories = _memories(texts, count, name)
            for agent_id in (AGENT if name in ("memory", "step") else SHARED, SINGLE):
                await _import(client, agent_id, memories)
        with psycopg.connect(app.url("superuser"), autocommit=True) as superuser:
            for tag, (agent_id, kind) in KINDS.items():
                named = {"tag": tag, "agent_id": agent_id, "kind": int(kind)}
                superuser.execute(BECOME, named)
        queries = texts.queries(QUERIES)
        calls = {
            "four": _call(client, AGENT, FOUR, queries),
            "single": _call(client, SINGLE, FOUR[:1], queries),
        }
        await _until_warm(calls)
        await _check(client, queries[:20])
        found = await rounds_of(calls, rounds, calls_a_round)
    p95 = {name: percentiles(taken, 95) for name, taken in found.items()}
    p50 = {name: percentiles(taken, 50) for name, taken in found.items()}
    return {
        "four_source_ratio": p95["four"].over(p95["single"]),
        "four_source_p50_ratio": p50["four"].over(p50["single"]),
        "four_source_p95_ms": p95["four"],
        "single_source_p95_ms": p95["single"],
        "explained_sources": Figure((4.0,)),
    }


def _memories(texts: Texts, count: int, tag: str) -> list[pb.Memory]:
    memories = with_vectors(texts.sentences(count), texts.vectors(count, DIMENSIONS).tolist())
    for memory in memories:
        memory.tags.append(tag)
    return memories


async def _import(client: Client, agent_id: str, memories: Sequence[pb.Memory]) -> None:
    messages = map(service.ImportMemoriesRequest.FromString, import_batches(agent_id, memories))
    await client.send(messages, service.ImportMemoriesRequest, IMPORT_SECONDS)


def _request(agent_id: str, sources: Sequence[Any], query: str) -> service.RecallRequest:
    profile = pb.ScoringProfile(name="blended")
    return service.RecallRequest(agent_id=agent_id, text=query, limit=5, sources=sources, profile=profile)


def _call(client: Client, agent_id: str, sources: Sequence[Any], queries: Sequence[str]) -> Call:
    asked = itertools.cycle(queries)
    return lambda: client(_request(agent_id, sources, next(asked)))


async def _until_warm(calls: dict[str, Call]) -> None:
    """Calls until memory answers, and some times more."""
    for call in calls.values():
        warm = 0
        while warm < WARM_UP:
            answer: Any = await call()
            warm += answer.answered_by == pb.ANSWERED_BY_CACHE


async def _check(client: Client, queries: Sequence[str]) -> None:
    """Every source is searched: an explanation has the best of each."""
    for query in queries:
        request = _request(AGENT, FOUR, query)
        request.explain = True
        answer = await client(request)
        assert [best.source for best in answer.source_bests] == sorted(FOUR), query
        assert len(answer.hits) == 5, query
