"""Hits that say exactly the same are one, which names the others; and what an explanation tells of each source."""

from typing import Any

import pytest
from camillo.v1 import memory_pb2 as pb
from camillo_server.kernel.kinds import ChunkKind, MemoryKind

from tests.rpc.memories.calls import recall
from tests.rpc.search.scope_rows import ALICE, FRESH, SHARED, Row, store, texts
from tests.server_fixtures import Server

pytestmark = pytest.mark.own_server

FOUR = (pb.SOURCE_MEMORY, pb.SOURCE_AUDIT, pb.SOURCE_WORKFLOW_STEP, pb.SOURCE_DOCUMENT)
ASKED: dict[str, Any] = {"sources": FOUR, **FRESH, "profile": pb.ScoringProfile(name="blended")}
SAID = "退款 of a walrus takes 5 days, cafe\u0301 🧾"
# The same but for spaces and how its letters are composed.
AGAIN = "退款  of a walrus takes\n5 days, caf\u00e9 🧾"


@pytest.fixture(params=["memory", "postgres"])
def answered_from(request: pytest.FixtureRequest) -> str:
    answering: str = request.param
    return answering


async def test_what_says_the_same_is_one_hit_with_the_refs_of_all(server: Server) -> None:
    memory, other = Row(SAID), Row("退款 of a walrus takes 6 days, cafe\u0301 🧾")
    await store(server, ALICE, [memory, other])
    passage, action = Row(AGAIN, ChunkKind.PASSAGE), Row(SAID, ChunkKind.ACTION)
    await store(server, SHARED, [passage, action])
    answer = await recall(server.alice, "walrus 退款 days", **ASKED)
    assert len(answer.hits) == 2
    hits = {hit.memory.memory_id: hit for hit in answer.hits}
    refs = {f"of-{passage.row_id}", f"of-{action.row_id}"}
    assert set(hits[str(memory.row_id)].equal_refs) == refs
    assert not hits[str(other.row_id)].equal_refs
    # Two hits are two, whatever says the same as the first.
    assert len((await recall(server.alice, "walrus 退款", **{**ASKED, "limit": 2})).hits) == 2
    diverse = pb.ScoringProfile(name="blended", diversity=0.5)
    varied = await recall(server.alice, "walrus 退款", **{**ASKED, "limit": 2, "profile": diverse})
    assert len({" ".join(text.split()) for text in texts(varied)}) == 2
    # A search of one source has every row as a hit of its own.
    audits = {**ASKED, "sources": FOUR[1:2]}
    (only,) = (await recall(server.alice, "walrus", **audits)).hits
    assert only.chunk.origin_id == f"of-{action.row_id}"
    assert not only.equal_refs


async def test_each_that_says_the_same_is_named_once(server: Server) -> None:
    repeats = [Row("walrus repeat", MemoryKind.FACT)]
    await store(server, ALICE, repeats)
    for number in range(3):
        kind = (ChunkKind.ACTION, ChunkKind.PASSAGE, ChunkKind.EVENT_MESSAGE)[number]
        await store(server, SHARED, [Row("walrus repeat", kind)])
    answer = await recall(server.alice, "walrus", **{**ASKED, "sources": [*FOUR, pb.SOURCE_EVENT]}, include_shared=True)
    (hit,) = answer.hits
    assert len(hit.equal_refs) == len(set(hit.equal_refs)) == 3


async def test_an_explanation_tells_the_best_of_each_source(server: Server) -> None:
    await store(server, ALICE, [Row("walrus memory"), Row("walrus ice memory")])
    await store(server, ALICE, [Row("the seal 🦭", ChunkKind.WORKFLOW_STEP)])
    # Enough rows that nothing of another source is among the candidates of the shared scope.
    actions = [Row(f"walrus ice {number}", ChunkKind.ACTION) for number in range(120)]
    await store(server, SHARED, actions)
    await store(server, SHARED, [Row("a document without those words, فظ", ChunkKind.PASSAGE)])
    answer = await recall(server.alice, "walrus ice", **{**ASKED, "limit": 1})
    bests = {best.source: best for best in answer.source_bests}
    assert list(bests) == sorted(FOUR)
    assert bests[pb.SOURCE_DOCUMENT].chunk.text.startswith("a document")
    assert bests[pb.SOURCE_MEMORY].memory.content == "walrus ice memory"
    assert all(best.HasField("breakdown") for best in bests.values())
    hit = answer.hits[0]
    assert bests[hit.source].breakdown.order_score == hit.breakdown.order_score
    assert max(best.breakdown.order_score for best in bests.values()) == pytest.approx(
        hit.breakdown.order_score, abs=0.02
    )
    priorities = {source: best.breakdown.source_priority for source, best in bests.items()}
    expected = zip(FOUR, (1.0, 0.8, 0.6, 0.5), strict=True)
    assert priorities == pytest.approx(dict(expected))
    # An explanation changes no score; without one, and of one source, there is none.
    plain = await recall(server.alice, "walrus ice", **{**ASKED, "limit": 1, "explain": False})
    assert not plain.source_bests
    assert texts(plain) == texts(answer)
    assert plain.hits[0].score == pytest.approx(hit.score, abs=1e-6)
    assert not (await recall(server.alice, "walrus ice", **FRESH)).source_bests
