"""The context of a recall: it decides between what answers about equally well, and leaves nothing out."""

from typing import Any

import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import recall_pb2

from tests.rpc.memories.calls import recall, remember
from tests.server_fixtures import Server, refused

# The same said in several sessions, so that nothing but the context tells them apart.
SAID = {
    "planning": "The review of the budget is on Thursday.",
    "旅行": "The review of the budget is on a Thursday.",
    "مراجعة": "The review of our budget is on Thursday.",
}
# Memories that answer something else: scores are relative to all that is found.
OTHERS = (
    *("The hotel in Lisbon has a garden.", "Ben is allergic to nuts.", "预算表在共享文件夹里。"),
    *("The build broke on Monday.", "The next review of the code is open.", "🎉 The release is out."),
)


def order(answer: service.RecallResponse) -> list[str]:
    """The sessions of what says the same, best first."""
    return [hit.memory.session_id for hit in answer.hits if hit.memory.session_id in SAID]


@pytest.fixture
def server_settings() -> dict[str, Any]:
    return {"memory": {"embedding_model": "lexical", "embedding_dimensions": 384}}


@pytest.fixture
async def server(server: Server) -> Server:
    for session, content in SAID.items():
        await remember(server.alice, content, session_id=session, tags=[f"of {session}"])
    for content in OTHERS:
        await remember(server.alice, content)
    return server


@pytest.mark.parametrize("session", SAID)
async def test_the_session_that_goes_on_comes_first(server: Server, session: str) -> None:
    context = recall_pb2.RecallContext(session_id=session)
    answer = await recall(server.alice, "When is the review of the budget?", context=context)
    assert order(answer)[0] == session
    assert set(order(answer)) == set(SAID)
    boosted = {hit.memory.session_id for hit in answer.hits if hit.breakdown.context_boost}
    assert boosted == {session}


@pytest.mark.parametrize("session", SAID)
async def test_what_has_the_tags_comes_first(server: Server, session: str) -> None:
    context = recall_pb2.RecallContext(tags=[f"of {session}"])
    answer = await recall(server.alice, "When is the review of the budget?", context=context)
    assert order(answer)[0] == session
    assert set(order(answer)) == set(SAID)


async def test_what_is_like_the_last_turns_comes_first(server: Server) -> None:
    await remember(server.alice, "The password of the printer is on its lid: 花瓶.")
    await remember(server.alice, "The password of the projector is on its lid: 🎬.")
    for turns, first in (
        (["The projector shows nothing.", "It asks for something."], "projector"),
        (["The printer is jammed.", "It asks for something."], "printer"),
    ):
        context = recall_pb2.RecallContext(turns=turns)
        answer = await recall(server.alice, "the password on its lid", context=context)
        assert first in answer.hits[0].memory.content
        assert len(answer.hits) == 2 + len(SAID) + len(OTHERS)


async def test_a_context_does_not_outweigh_an_answer(server: Server) -> None:
    await remember(server.alice, "Ana keeps her bicycle in the cellar.", session_id="planning")
    context = recall_pb2.RecallContext(session_id="旅行", turns=["The budget is late again."])
    answer = await recall(server.alice, "Where does Ana keep her bicycle?", context=context)
    assert "bicycle" in answer.hits[0].memory.content


async def test_without_a_context_nothing_is_added(server: Server) -> None:
    for context in (None, recall_pb2.RecallContext()):
        answer = await recall(server.alice, "When is the review of the budget?", context=context)
        assert len(answer.hits) == len(SAID) + len(OTHERS)
        assert {hit.breakdown.context_boost for hit in answer.hits} == {0}


@pytest.mark.parametrize(
    ("context", "field"),
    [
        (recall_pb2.RecallContext(session_id="x" * 129), "context.session_id"),
        (recall_pb2.RecallContext(tags=["x" * 129]), "context.tags[0]"),
        (recall_pb2.RecallContext(tags=["x"] * 17), "context.tags"),
        (recall_pb2.RecallContext(turns=["x"] * 9), "context.turns"),
        (recall_pb2.RecallContext(turns=["x" * 4_001]), "context.turns[0]"),
        (recall_pb2.RecallContext(turns=[""]), "context.turns[0]"),
    ],
)
async def test_a_context_beyond_its_bounds_is_refused(
    server: Server, context: recall_pb2.RecallContext, field: str
) -> None:
    request = service.RecallRequest(text="budget", context=context)
    refusal = await refused(server.alice(request))
    assert refusal.reason == "INVALID_FIELD"
    assert refusal.fields == (field,)


async def test_turns_add_nothing_to_vectors_of_another_model(server: Server) -> None:
    for content, values in (("near", [1.0, 0.1]), ("far", [-0.2, 1.0])):
        vector = pb.Vector(model_id="mine", values=values)
        await remember(server.alice, content, vector=vector)
    context = recall_pb2.RecallContext(turns=["The review of the budget is near."])
    query = pb.Vector(model_id="mine", values=[1.0, 0.0])
    answer = await server.alice(service.RecallRequest(vector=query, context=context, explain=True))
    assert [hit.memory.content for hit in answer.hits] == ["near", "far"]
    assert {hit.breakdown.context_boost for hit in answer.hits} == {0}
    # By the server's own model they do.
    answer = await recall(server.alice, "When is the review of the budget?", context=context)
    assert max(hit.breakdown.context_boost for hit in answer.hits) > 0
