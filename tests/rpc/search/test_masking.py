"""Recall results that leave through a tool or a trace: masked by their sensitivity, counted as they are shown."""

import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo_client import to_dict
from camillo_server.lib.text.tokens import count_tokens

from tests.rpc.memories.calls import get, recall, remember
from tests.rpc.records import record
from tests.server_fixtures import Server, StartServer

PERSONAL = "walrus 海象: mail ada@example.com or call ＋４９ ３０ １２３４５６７ 🦭"
SHOWN = "walrus 海象: mail [masked: email] or call [masked: phone] 🦭"
RESTRICTED = "[masked: restricted]"
LEVELS = (pb.SENSITIVITY_PUBLIC, pb.SENSITIVITY_INTERNAL, pb.SENSITIVITY_CONFIDENTIAL, pb.SENSITIVITY_RESTRICTED)


pytestmark = pytest.mark.caches


@pytest.fixture
def answered_from() -> str:
    """Memory alone, since Postgres does not search what is encrypted."""
    return "memory"


async def remember_each(server: Server) -> dict[pb.Sensitivity, str]:
    """The id of a memory of each sensitivity; they say the same but for the level."""
    ids = {}
    for level in LEVELS:
        memory = await remember(
            server.alice,
            PERSONAL,
            sensitivity=level,
            tags=["to:ada@example.com", "sea"],
            metadata={"card": 4111111111111111, "ship": "Эрмак", "deep": True},
            session_id="ada@example.com",
            source_refs=["mail:ada@example.com"],
        )
        ids[level] = memory.memory_id
    return ids


def memories(answer: service.RecallResponse) -> dict[str, pb.Memory]:
    return {hit.memory.memory_id: hit.memory for hit in answer.hits}


async def test_each_memory_is_masked_by_its_sensitivity(server: Server) -> None:
    ids = await remember_each(server)
    masked = memories(await recall(server.alice, "walrus", masked=True))
    plain = memories(await recall(server.alice, "walrus"))
    assert masked.keys() == plain.keys() == set(ids.values())
    assert {memory.content for memory in plain.values()} == {PERSONAL}
    told = [masked[ids[level]].content for level in LEVELS]
    assert told == [PERSONAL, PERSONAL, SHOWN, RESTRICTED]
    partly, wholly = (masked[ids[level]] for level in LEVELS[2:])
    assert list(partly.tags) == ["to:[masked: email]", "sea"]
    assert to_dict(partly.metadata) == {"card": "[masked: card]", "ship": "Эрмак", "deep": True}
    assert (partly.session_id, list(partly.source_refs)) == ("[masked: email]", ["mail:[masked: email]"])
    assert (list(wholly.tags), list(wholly.source_refs)) == ([RESTRICTED], [RESTRICTED])
    assert set(to_dict(wholly.metadata).values()) == {RESTRICTED}
    # The stored memory, which other reads show, is as it was.
    assert (await get(server.alice, ids[pb.SENSITIVITY_RESTRICTED])).content == PERSONAL


async def test_the_order_and_the_scores_are_the_same(server: Server) -> None:
    await remember_each(server)
    masked = await recall(server.alice, "walrus ada", masked=True)
    plain = await recall(server.alice, "walrus ada")
    assert [(h.memory.memory_id, h.score) for h in masked.hits] == [(h.memory.memory_id, h.score) for h in plain.hits]
    assert len(plain.hits) == len(LEVELS)


async def test_tokens_are_counted_as_they_are_shown(server: Server) -> None:
    long = " ".join(f"walrus number {i}" for i in range(100))
    await remember(server.alice, long, sensitivity=pb.SENSITIVITY_RESTRICTED)
    shown = count_tokens(RESTRICTED)
    masked = await recall(server.alice, "walrus", masked=True, max_tokens=shown)
    assert [hit.memory.content for hit in masked.hits] == [RESTRICTED]
    assert masked.tokens == shown < count_tokens(long)
    assert not (await recall(server.alice, "walrus", masked=True, max_tokens=shown - 1)).hits
    assert not (await recall(server.alice, "walrus", max_tokens=count_tokens(long) - 1)).hits
    assert (await recall(server.alice, "walrus")).tokens == count_tokens(long)


@pytest.mark.parametrize(
    ("level", "told"),
    [
        (pb.SENSITIVITY_INTERNAL, (f"ada@example.com: {PERSONAL}", "ada@example.com")),
        (pb.SENSITIVITY_CONFIDENTIAL, (f"[masked: email]: {SHOWN}", "[masked: email]")),
        (pb.SENSITIVITY_RESTRICTED, (RESTRICTED, RESTRICTED)),
    ],
)
async def test_chunks_are_masked_as_memories_are(server: Server, level: pb.Sensitivity, told: tuple[str, str]) -> None:
    actor = {"type": "ACTOR_TYPE_HUMAN", "id": "ada@example.com"}
    event = await record(server.alice, PERSONAL, actor=actor, sensitivity=level)
    answers = [
        await recall(server.alice, "walrus", sources=[pb.SOURCE_EVENT], masked=masked) for masked in (True, False)
    ]
    masked, plain = (answer.hits[0].chunk for answer in answers)
    assert (plain.text, plain.actor.id) == (f"ada@example.com: {PERSONAL}", "ada@example.com")
    assert (masked.text, masked.actor.id) == told
    for name in ("chunk_id", "origin_id", "place", "channel", "event_kind", "source_refs"):
        assert getattr(masked, name) == getattr(plain, name), name
    assert masked.origin_id == event.event_id


async def test_each_query_of_a_batch_says_for_itself(server: Server) -> None:
    await remember(server.alice, PERSONAL, sensitivity=pb.SENSITIVITY_CONFIDENTIAL)
    requests = [service.RecallRequest(text="walrus", masked=masked) for masked in (True, False)]
    # Once alone, so that the scope is in memory.
    await recall(server.alice, "walrus")
    answer = await server.alice(service.BatchRecallRequest(requests=requests))
    told = [result.response.hits[0].memory.content for result in answer.results]
    assert told == [SHOWN, PERSONAL]


async def test_tenants_may_have_rules_of_their_own(start_server: StartServer) -> None:
    acme = {"public": "full", "internal": "partial", "confidential": "none"}
    server = await start_server(masking={"tenants": {"acme": acme}})
    ids = await remember_each(server)
    masked = memories(await recall(server.alice, "walrus", masked=True))
    told = [masked[ids[level]].content for level in LEVELS]
    assert told == ["[masked: public]", SHOWN, PERSONAL, RESTRICTED]
    await remember(server.rival, PERSONAL, agent_id="r", sensitivity=pb.SENSITIVITY_CONFIDENTIAL)
    await remember(server.rival, PERSONAL, agent_id="r", sensitivity=pb.SENSITIVITY_PUBLIC)
    theirs = await recall(server.rival, "walrus", agent_id="r", masked=True)
    assert {hit.memory.content for hit in theirs.hits} == {PERSONAL, SHOWN}
