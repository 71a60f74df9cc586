"""Precise recalls: `limit` is the most, and what is less to the point than the best hit is left out."""

from typing import Any

import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import recall_pb2
from camillo.v1 import snapshot_service_pb2 as snapshots

from tests.rpc.memories.calls import recall, remember
from tests.rpc.records import bundle, shown
from tests.server_fixtures import Server

ANSWERS = ("Ana drinks green tea in the morning.", "In the morning Ana has a cup of green tea.")
OTHERS = (
    *("Ana fixed a typo in the manual.", "Ben drinks coffee.", "绿茶在厨房的架子上。"),
    *("The build broke this morning.", "Ana reviewed the code of Ben.", "الشاي الأخضر في المطبخ."),
    *("🎉 Ana shipped the release.", "The office is closed on Monday.", "Ben's cello is in Lisbon."),
)
QUERY = "What tea does Ana drink in the morning?"


@pytest.fixture
def server_settings() -> dict[str, Any]:
    return {"memory": {"embedding_model": "lexical", "embedding_dimensions": 384}}


@pytest.fixture
async def server(server: Server) -> Server:
    for content in (*ANSWERS, *OTHERS):
        await remember(server.alice, content)
    return server


def contents(answer: service.RecallResponse) -> list[str]:
    return [hit.memory.content for hit in answer.hits]


@pytest.mark.parametrize(
    "asked",
    [{"mode": recall_pb2.RECALL_MODE_PRECISE}, {"profile": pb.ScoringProfile(name="precise")}],
    ids=["mode", "profile"],
)
async def test_it_returns_what_answers_and_says_how_much_it_left_out(server: Server, asked: dict[str, object]) -> None:
    complete = await recall(server.alice, QUERY)
    precise = await recall(server.alice, QUERY, **asked)
    assert set(contents(precise)) == set(ANSWERS)
    assert contents(precise) == [each for each in contents(complete) if each in ANSWERS]
    assert len(complete.hits) == len(ANSWERS) + len(OTHERS)
    assert precise.beside_the_point == len(OTHERS)
    assert not complete.beside_the_point


async def test_the_limit_stays_the_most(server: Server) -> None:
    precise = await recall(server.alice, QUERY, limit=1, mode=recall_pb2.RECALL_MODE_PRECISE)
    assert len(precise.hits) == 1
    assert not precise.beside_the_point


async def test_the_request_outweighs_the_profile(server: Server) -> None:
    profile = pb.ScoringProfile(name="precise")
    answer = await recall(server.alice, QUERY, profile=profile, mode=recall_pb2.RECALL_MODE_COMPLETE)
    assert len(answer.hits) == len(ANSWERS) + len(OTHERS)


async def test_where_nothing_answers_nothing_is_returned(server: Server) -> None:
    query = "best pizza in Naples 量子力学"
    assert (await recall(server.alice, query)).hits
    answer = await recall(server.alice, query, mode=recall_pb2.RECALL_MODE_PRECISE)
    assert answer.no_match
    assert not answer.hits


async def test_an_empty_scope_is_no_trouble(server: Server) -> None:
    decisions = [pb.SOURCE_DECISION]
    answer = await recall(server.alice, QUERY, sources=decisions, mode=recall_pb2.RECALL_MODE_PRECISE)
    assert not answer.hits


async def test_a_precise_recall_by_vector_returns_what_is_near(server: Server) -> None:
    for content, values in (("near", [1.0, 0.0]), ("nearer", [1.0, 0.05]), ("far", [-0.3, 1.0])):
        await remember(server.alice, content, vector=pb.Vector(model_id="mine", values=values))
    vector = pb.Vector(model_id="mine", values=[1.0, 0.02])
    asked = service.RecallRequest(vector=vector, mode=recall_pb2.RECALL_MODE_PRECISE)
    assert set(contents(await server.alice(asked))) == {"near", "nearer"}
    asked.mode = recall_pb2.RECALL_MODE_COMPLETE
    assert "far" in contents(await server.alice(asked))


TWO_PEOPLE = {
    "english": (
        "What do Ana and Ben drink in the morning?",
        "What does Ana drink in the morning?",
        "Ben drinks coffee.",
    ),
    "spanish": ("¿Qué desayunan Inés y Luis?", "¿Qué desayuna Inés?", "Luis prefiere cacao en el desayuno."),
    "russian": ("Что пьют Олег и Ирина утром?", "Что пьёт Олег утром?", "Ирина утром любит какао."),
}
FIRST_ONES = (
    *("Inés desayuna té con leche.", "Cada mañana Inés desayuna té con leche."),
    *("Олег пьёт утром зелёный чай.", "Утром Олег всегда пьёт зелёный чай."),
)
SECOND_ONES = ("Luis prefiere cacao en el desayuno.", "Ирина утром любит какао.")


@pytest.mark.parametrize("language", TWO_PEOPLE)
async def test_a_question_about_two_people_is_answered_for_both(server: Server, language: str) -> None:
    both, one, of_second = TWO_PEOPLE[language]
    for content in (*FIRST_ONES, *SECOND_ONES):
        await remember(server.alice, content)
    of_one = contents(await recall(server.alice, one, mode=recall_pb2.RECALL_MODE_PRECISE))
    of_both = contents(await recall(server.alice, both, mode=recall_pb2.RECALL_MODE_PRECISE))
    assert of_second not in of_one
    assert of_second in of_both
    assert set(of_both) >= set(of_one)


RECIPE = """
name: precise_one
budget: 1000
sections:
  - {name: found, source: recall, sources: [memory], profile: precise, budget: 1000, limit: 20, order: best_first}
"""


async def test_a_section_of_a_bundle_answers_for_each_that_its_query_names(server: Server) -> None:
    await server.admin(snapshots.PutRecipeRequest(yaml=RECIPE))
    of_both = shown(await bundle(server.alice, TWO_PEOPLE["english"][0], recipe="precise_one"))["found"]
    of_one = shown(await bundle(server.alice, TWO_PEOPLE["english"][1], recipe="precise_one"))["found"]
    assert [text for text in of_one if "Ana" in text]
    assert not [text for text in of_one if "Ben drinks" in text]
    assert [text for text in of_both if "Ben drinks" in text]
    assert len(of_one) < len(of_both) < len(ANSWERS) + len(OTHERS)
