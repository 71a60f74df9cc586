"""ListContradictions: pairs that say nearly the same but for what they differ in; nothing is changed."""

from typing import Any

import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import recall_pb2, supersession_pb2

from tests.rpc.memories.calls import get, remember
from tests.rpc.memories.test_supersession import supersede
from tests.server_fixtures import Caller, Server, refused

PAIRS = (
    ("The fee of the harbour is 40 francs", "The fee of the harbour is 70 francs"),
    ("安娜现在住在柏林", "安娜现在住在巴黎"),
    ("سارة تحب القهوة في الصباح", "سارة لا تحب القهوة في الصباح"),
    ("רותי נוסעת לרומא בתאריך 2024-05-01 🚆", "רותי נוסעת לרומא בתאריך 2024-06-01 🚆"),
)
DIFFERENCES = (
    supersession_pb2.DIFFERENCE_NUMBER,
    supersession_pb2.DIFFERENCE_NAME,
    supersession_pb2.DIFFERENCE_NEGATION,
    supersession_pb2.DIFFERENCE_DATE,
)


@pytest.fixture(params=["memory", "postgres"])
def answered_from(request: pytest.FixtureRequest) -> str:
    return str(request.param)


async def contradictions(caller: Caller, **fields: Any) -> list[supersession_pb2.Contradiction]:
    """Contradictions of all pages."""
    found, token = list[supersession_pb2.Contradiction](), ""
    while True:
        request = supersession_pb2.ListContradictionsRequest(page_token=token, **fields)
        answer = await caller(request)
        found += answer.contradictions
        token = answer.next_page_token
        if not token:
            return found


async def fill(server: Server) -> list[tuple[pb.Memory, pb.Memory]]:
    """The pairs, the second of each a minute later, among others that contradict nothing."""
    older = [await remember(server.alice, one) for one, _ in PAIRS]
    await remember(server.alice, "The harbour is large, and Ben works there")
    server.clock.move(60)
    newer = [await remember(server.alice, other) for _, other in PAIRS]
    return list(zip(older, newer, strict=True))


@pytest.mark.parametrize("page_size", [0, 2])
async def test_it_lists_each_pair_once_the_newest_first(server: Server, page_size: int) -> None:
    pairs = await fill(server)
    found = await contradictions(server.reader, page_size=page_size)
    by_id = {each.newer.memory_id: each for each in found}
    assert len(found) == len(by_id) == len(pairs)
    for (older, newer), difference in zip(pairs, DIFFERENCES, strict=True):
        each = by_id[newer.memory_id]
        assert each.older.memory_id == older.memory_id
        assert list(each.differences) == [difference]
        assert 0.5 <= each.similarity <= 1
        assert (await get(server.alice, older.memory_id)).version == 1


async def test_what_was_superseded_is_no_contradiction_any_more(server: Server) -> None:
    (older, newer), *_ = await fill(server)
    assert len(await contradictions(server.alice)) == len(PAIRS)
    await server.alice(supersede(older, newer))
    left = await contradictions(server.alice)
    assert len(left) == len(PAIRS) - 1
    assert newer.memory_id not in {each.newer.memory_id for each in left}
    everything = pb.MemoryFilter(validity=recall_pb2.VALIDITY_FILTER_ANY)
    assert len(await contradictions(server.alice, filter=everything)) == len(PAIRS) - 1


async def test_only_what_passes_the_filter_is_compared(server: Server) -> None:
    await remember(server.alice, PAIRS[0][0], tags=["harbour"])
    await remember(server.alice, PAIRS[0][1], tags=["harbour"])
    await remember(server.alice, "The fee of the harbour is 80 francs")
    assert len(await contradictions(server.alice)) == 3
    tagged = pb.MemoryFilter(tags_all=["harbour"])
    assert len(await contradictions(server.alice, filter=tagged)) == 1


async def test_nothing_of_another_agent_or_tenant_is_compared(server: Server) -> None:
    await remember(server.alice, PAIRS[0][0])
    await remember(server.admin, PAIRS[0][1], agent_id="bob")
    await remember(server.rival, PAIRS[0][1])
    assert await contradictions(server.alice) == []
    await remember(server.alice, PAIRS[0][1])
    assert len(await contradictions(server.alice)) == 1


async def test_a_page_token_belongs_to_its_filter(server: Server) -> None:
    await fill(server)
    first = await server.alice(supersession_pb2.ListContradictionsRequest(page_size=1))
    assert first.next_page_token
    request = supersession_pb2.ListContradictionsRequest(
        page_size=1, page_token=first.next_page_token, filter=pb.MemoryFilter(session_id="s")
    )
    assert (await refused(server.alice(request))).reason == "INVALID_PAGE_TOKEN"
