"""How much a hit counts by its kind of space."""

import math
from typing import Any

import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import recall_pb2
from camillo.v1 import snapshot_service_pb2 as contexts

from tests.cases import each_case
from tests.rpc.memories.calls import recall, remember
from tests.rpc.records import bundle, section
from tests.rpc.search.scope_rows import FRESH, SHARED, store, texts
from tests.rpc.search.test_two_scopes import ALL, KINDS, TENANT_KINDS, some_rows
from tests.rpc.spaces.test_recall_of_spaces import beside, space
from tests.server_fixtures import Server, refused

PATHS = ("users/42", "projects/shop", "teams/eu", "bob")
NEAREST_FIRST = {"agents": 0.8, "users": 1.0, "projects": 0.95, "teams": 0.9, "shared": 0.85}
ALIKE = dict.fromkeys(NEAREST_FIRST, 1.0)
KIND_OF = {"alice": "agents", "bob": "agents", "users/42": "users", "projects/shop": "projects", "teams/eu": "teams"}
QUERIES = ("walrus 海象 tusk", "rent 🦭", "cafe\u0301 policy refund فظ")
RECIPE = """
name: weighed
budget: 30000
sections:
  - name: known
    source: recall
    sources: [event, memory, workflow_step]
    profile: evidence
    min_score: 0
    budget: 20000
    order: best_first
"""


@pytest.fixture(params=["memory", "postgres"])
def answered_from(request: pytest.FixtureRequest) -> str:
    """Memory and Postgres, which have to give the same answers."""
    answering: str = request.param
    return answering


def profile(name: str, weights: dict[str, float], diversity: float = 0.0) -> pb.ScoringProfile:
    return pb.ScoringProfile(name=name, diversity=diversity, space_weights=recall_pb2.SpaceWeights(**weights))


def order_scores(answer: service.RecallResponse) -> dict[str, float]:
    return {text: hit.breakdown.order_score for text, hit in zip(texts(answer), answer.hits, strict=True)}


def owner(hit: pb.RecallHit) -> str:
    return hit.memory.agent_id or hit.chunk.agent_id


async def fill(server: Server) -> None:
    for seed, path in enumerate(("alice", *PATHS)):
        await store(server, space(path), some_rows(seed, 6, KINDS), days_ago=len(path))
    await store(server, SHARED, some_rows(50, 9, (*KINDS, *TENANT_KINDS)), days_ago=9)


@pytest.mark.own_server
@each_case("name", ["relevance", "recency_weighted", "evidence"])
async def test_a_weight_multiplies_the_score_of_its_space(server: Server, name: str) -> None:
    await fill(server)
    asked: dict[str, Any] = {"agent_id": "alice", "sources": ALL, "include_shared": True, "limit": 100, **FRESH}
    asked |= {"spaces": beside(*PATHS), "explain": True}
    for query in QUERIES:
        plain = await recall(server.admin, query, profile=pb.ScoringProfile(name=name), **asked)
        alike = await recall(server.admin, query, profile=profile(name, ALIKE), **asked)
        weighed = await recall(server.admin, query, profile=profile(name, NEAREST_FIRST), **asked)
        assert len(plain.hits) == 39
        assert alike.hits == plain.hits
        assert alike.source_bests == plain.source_bests
        before, after = order_scores(plain), order_scores(weighed)
        assert texts(weighed) != texts(plain)
        assert list(after.values()) == sorted(after.values(), reverse=True)
        for hit, text in zip(weighed.hits, texts(weighed), strict=True):
            weight = NEAREST_FIRST[KIND_OF.get(owner(hit), "shared")]
            assert hit.breakdown.space_weight == pytest.approx(weight)
            assert after[text] == pytest.approx(min(before[text], weight * before[text]), abs=1e-6)
        assert {hit.score for hit in weighed.hits} == {hit.score for hit in plain.hits}
        assert {hit.breakdown.space_weight for hit in plain.hits} == {1.0}


@pytest.mark.own_server
async def test_a_space_of_weight_zero_comes_last(server: Server) -> None:
    await fill(server)
    asked: dict[str, Any] = {"agent_id": "users/42", "spaces": beside("projects/shop"), "limit": 50, **FRESH}
    asked |= {"sources": [pb.SOURCE_MEMORY, pb.SOURCE_EVENT, pb.SOURCE_SLOT], "explain": True}
    for weights in ({"users": 0.0}, {"users": 0.0, "projects": 1.0}):
        answer = await recall(server.admin, "walrus tusk", profile=profile("similarity", weights), **asked)
        owners = [owner(hit) for hit in answer.hits]
        assert set(owners) == {"users/42", "projects/shop"}
        last = owners.index("users/42")
        assert set(owners[:last]) == {"projects/shop"}
        scores = {hit.breakdown.order_score for hit in answer.hits if owner(hit) == "users/42"}
        assert scores == {0.0}


async def test_one_space_is_weighed_as_well(server: Server) -> None:
    await remember(server.admin, "a walrus eats clams", agent_id="projects/shop")
    asked: dict[str, Any] = {"agent_id": "projects/shop", "explain": True, **FRESH}
    plain = await recall(server.admin, "walrus", **asked)
    answer = await recall(server.admin, "walrus", profile=profile("", {"projects": 0.5}), **asked)
    (hit,), (other,) = answer.hits, plain.hits
    assert hit.breakdown.space_weight == 0.5
    assert hit.breakdown.order_score == pytest.approx(other.breakdown.order_score / 2)


async def test_of_equal_texts_the_nearest_is_the_hit(server: Server) -> None:
    for path in ("users/42", "projects/shop", "teams/eu"):
        await remember(server.admin, "a walrus eats clams", agent_id=path)
    for first, kind in (("projects/shop", "projects"), ("teams/eu", "teams"), ("users/42", "users")):
        weights = dict.fromkeys(("users", "projects", "teams"), 0.9) | {kind: 1.0}
        answer = await recall(
            server.admin,
            "walrus",
            agent_id="users/42",
            spaces=beside("projects/shop", "teams/eu"),
            profile=profile("relevance", weights, diversity=0.3),
            **FRESH,
        )
        (hit,) = answer.hits
        assert hit.memory.agent_id == first
        assert len(hit.equal_refs) == 2


async def test_weights_have_bounds(server: Server) -> None:
    for kind in ALIKE:
        for weight in (math.nan, math.inf, -math.inf, -0.01, 1.01):
            told = await refused(recall(server.admin, "walrus", profile=profile("relevance", {kind: weight})))
            assert (told.reason, told.fields) == ("INVALID_FIELD", (f"profile.space_weights.{kind}",))
        for weight in (0.0, 1.0):
            await recall(server.admin, "walrus", profile=profile("relevance", {kind: weight}))


@pytest.mark.own_server
async def test_sections_of_a_bundle_weigh_spaces_alike(server: Server) -> None:
    await fill(server)
    stated = "{users: 1.0, projects: 0.95, teams: 0.9, agents: 0.8, shared: 0.85}"
    for recipe in (RECIPE, f"{RECIPE.replace('weighed', 'nearest')}    space_weights: {stated}\n"):
        await server.admin(contexts.PutRecipeRequest(yaml=recipe))
    asked: dict[str, Any] = {"agent_id": "alice", "spaces": beside(*PATHS), "max_tokens": 30_000}
    asked["freshness"] = {"fully_consistent": True}
    plain = await bundle(server.admin, QUERIES[0], recipe="weighed", **asked)
    weighed = await bundle(server.admin, QUERIES[0], recipe="nearest", as_of=plain.provenance.as_of, **asked)
    before = {item.text: item.score for item in section(plain, "known").items}
    found = section(weighed, "known").items
    assert {item.text for item in found} == before.keys()
    assert {KIND_OF.get(item.agent_id, "shared") for item in found} == NEAREST_FIRST.keys()
    for item in found:
        weight = NEAREST_FIRST[KIND_OF.get(item.agent_id, "shared")]
        # Vectors in memory are rounded, and some spaces may still have been cold.
        assert item.score == pytest.approx(weight * before[item.text], abs=5e-4)
    scores = [item.score for item in found]
    assert scores == sorted(scores, reverse=True)
    assert [item.text for item in found] != list(before)
    assert not plain.provenance.HasField("space_weights")
    assert weighed.provenance.space_weights == recall_pb2.SpaceWeights(**NEAREST_FIRST)


async def test_weights_of_a_recipe_have_bounds(server: Server) -> None:
    for weights in (
        "{users: 1.01}",
        "{users: -0.1}",
        "{users: .nan}",
        "{users: .inf}",
        "{users: true}",
        "{own: 1}",
        "1",
    ):
        recipe = f"{RECIPE}    space_weights: {weights}\n"
        told = await refused(server.admin(contexts.PutRecipeRequest(yaml=recipe)))
        assert told.reason == "INVALID_FIELD"
        assert "space_weights" in told.message
    meant = RECIPE.replace("recall", "tasks").split("    sources")[0] + "    budget: 9\n    space_weights: {users: 1}\n"
    told = await refused(server.admin(contexts.PutRecipeRequest(yaml=meant)))
    assert "means nothing where the source is tasks" in told.message
