"""Bundles: what is shown, for whom, within the budget, and the same for the same."""

import asyncio
from typing import Any

import grpc
import pytest
from camillo.v1 import channel_pb2 as channels
from camillo.v1 import context_pb2 as pb
from camillo.v1 import memory_pb2
from camillo.v1 import snapshot_service_pb2 as service
from google.protobuf.timestamp_pb2 import Timestamp

from tests.patience import PATIENCE_SECONDS
from tests.rpc.memories.calls import recall, remember
from tests.rpc.records import bundle, decide, open_task, put_view, record, record_all, section, shown, text_event
from tests.server_fixtures import Server, refused

SECTIONS = [
    "identity",
    "rules",
    "task_state",
    "relevant_decisions",
    "handoff_packet",
    "retrieved_evidence",
    "recent_window",
]


@pytest.fixture
def answered_from() -> str:
    """Postgres and memory round differently; a bundle does not say which of them was asked."""
    return "memory"


async def settle(server: Server) -> None:
    """Waits until every vector is there, and memory answers."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (await recall(server.alice, "x", sources=[memory_pb2.SOURCE_EVENT])).degraded:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


def without_scores(built: pb.Bundle) -> pb.Bundle:
    """A copy of a bundle without scores, id and revision."""
    told = pb.Bundle()
    told.CopyFrom(built)
    for item in (item for each in told.sections for item in each.items):
        item.ClearField("score")
    for entry in told.report.entries:
        entry.ClearField("score")
    for field in ("bundle_id", "revision"):
        told.ClearField(field)
    return told


async def fill(server: Server) -> None:
    """Stores something for every section."""
    await put_view(server.alice, "identity", "You are Alice.")
    await put_view(server.admin, "rules", "Be kind.")
    event = await record(server.alice, "the wisteria 紫藤 blooms in May", session_id="old")
    await remember(server.alice, "wisteria likes sun")
    await decide(server.alice, "water the wisteria daily", event.event_id)
    await open_task(server.alice, "prune the wisteria")
    await record_all(server.alice, [text_event(f"turn {i}", session_id="now") for i in range(3)])


async def test_a_bundle_has_its_sections_in_order_and_their_sum_within_the_budget(server: Server) -> None:
    await fill(server)
    built = await bundle(server.alice, "when does the wisteria bloom?", session_id="now")
    names = [each.name for each in built.sections]
    assert names == [name for name in SECTIONS if name in names]
    assert set(SECTIONS) - set(names) <= {"handoff_packet", "recent_window"}
    found = shown(built)
    assert (found["identity"], found["rules"]) == (["You are Alice."], ["Be kind."])
    assert any("prune the wisteria" in text for text in found["task_state"])
    assert any("water the wisteria" in text for text in found["relevant_decisions"])
    assert any("blooms in May" in text for text in found["retrieved_evidence"])
    # A turn that answers the query stands among the evidence instead.
    assert [built.prompt.count(f"turn {i}") for i in range(3)] == [1, 1, 1]
    assert (built.recipe, built.budget_tokens) == ("active_context", 65_000)
    assert 0 < built.tokens <= built.budget_tokens
    assert sum(each.tokens for each in built.sections) <= built.tokens
    assert built.prompt.index("You are Alice.") < built.prompt.index("blooms in May")
    assert [each.is_stable for each in built.sections[:2]] == [True, True]


@pytest.mark.parametrize("max_tokens", [200, 500, 4096])
async def test_a_bundle_keeps_to_the_budget_that_is_asked_for(server: Server, max_tokens: int) -> None:
    for i in range(30):
        await record(server.alice, f"wisteria number {i} " + "слово 字 " * 100)
    built = await bundle(server.alice, "wisteria", session_id="s", max_tokens=max_tokens)
    assert (built.budget_tokens, built.tokens <= max_tokens) == (max_tokens, True)
    assert built.omissions
    assert {each.reason for each in built.omissions} - {pb.OMISSION_REASON_UNSPECIFIED}
    whole = await bundle(server.alice, "wisteria", session_id="s")
    assert whole.tokens > built.tokens


async def test_the_same_request_gives_the_same_bytes(server: Server) -> None:
    await fill(server)
    await settle(server)
    as_of = Timestamp()
    as_of.FromDatetime(server.clock.now())
    asked = {"session_id": "now", "as_of": as_of, "explain": True}
    first = await bundle(server.alice, "wisteria", **asked)
    server.clock.move(3600)
    again = await bundle(server.alice, "wisteria", **asked)
    assert again.SerializeToString(deterministic=True) == first.SerializeToString(deterministic=True)
    other = await bundle(server.alice, "sun", **asked)
    assert other.bundle_id != first.bundle_id


async def test_every_candidate_is_told_where_that_was_asked(server: Server) -> None:
    await fill(server)
    quiet = await bundle(server.alice, "wisteria", session_id="now")
    told = await bundle(server.alice, "wisteria", session_id="now", explain=True)
    assert not quiet.report.entries
    assert {each.outcome for each in told.report.entries} >= {pb.PACKING_OUTCOME_KEPT}
    names = [each.section for each in told.report.budgets]
    assert names == [each.section for each in quiet.report.budgets]
    assert {"identity", "retrieved_evidence", "reserve"} <= set(names)
    assert "wisteria" in told.provenance.query_terms
    assert told.provenance.channel == channels.CHANNEL_PRIVATE
    assert told.provenance.token_counter
    assert told.provenance.recipe_digest


async def test_a_budget_below_what_may_not_be_cut_says_so(server: Server) -> None:
    await put_view(server.alice, "identity", "You are Alice. " * 40)
    told = await refused(bundle(server.alice, max_tokens=20))
    assert (told.code, told.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "BUDGET_TOO_SMALL")
    assert told.metadata["max_tokens"] == "20"
    assert int(told.metadata["needed_tokens"]) > 20
    named = dict(each.split("=") for each in told.metadata["sections"].split(","))
    assert int(named["identity"]) > 20
    assert (await bundle(server.alice, max_tokens=4096)).tokens <= 4096


async def test_nothing_is_said_of_what_a_channel_may_not_load(server: Server) -> None:
    """Not in the prompt, and not in counts, omissions or reports either."""
    public: dict[str, Any] = {"sensitivity": memory_pb2.SENSITIVITY_PUBLIC, "session_id": "s"}
    await record(server.alice, "wisteria for everybody", **public)
    await settle(server)
    empty = await bundle(server.alice, "wisteria", channel=channels.CHANNEL_PUBLIC, session_id="s", explain=True)
    for i in range(5):
        await record(server.alice, f"wisteria internal {i}")
    await remember(
        server.alice,
        "wisteria preferred",
        kind=memory_pb2.MEMORY_KIND_PREFERENCE,
        sensitivity=memory_pb2.SENSITIVITY_PUBLIC,
    )
    event = await record(server.alice, "let us decide")
    await decide(server.alice, "wisteria decided", event.event_id, sensitivity=memory_pb2.SENSITIVITY_PUBLIC)
    await put_view(server.alice, "rules", "wisteria rules")
    await settle(server)
    full = await bundle(server.alice, "wisteria", channel=channels.CHANNEL_PUBLIC, session_id="s", explain=True)
    assert shown(full) == shown(empty)
    assert without_scores(full) == without_scores(empty)
    private = (await bundle(server.alice, "wisteria", session_id="s")).prompt
    for text in ("internal 3", "preferred", "decided", "rules", "everybody"):
        assert f"wisteria {text}" in private or f"wisteria for {text}" in private


async def test_nothing_of_another_agent_is_shown(server: Server) -> None:
    await record(server.admin, "wisteria of bob", agent_id="bob")
    await record(server.alice, "wisteria of alice")
    assert "of bob" not in (await bundle(server.alice, "wisteria", session_id="s")).prompt
    bobs = await bundle(server.admin, "wisteria", session_id="s", agent_id="bob")
    assert "of bob" in bobs.prompt
    assert "of alice" not in bobs.prompt


async def test_a_snapshot_shows_what_answers_the_trigger(server: Server) -> None:
    await remember(server.alice, "the wisteria blooms in May")
    await remember(server.alice, "always pinned", pinned=True)
    request = service.BuildSnapshotRequest(trigger_event="mail about the wisteria", focus="May")
    built = (await server.alice(request)).bundle
    assert (built.recipe, built.budget_tokens) == ("run_snapshot", 500)
    assert built.tokens <= 500
    assert "always pinned" in built.prompt
    assert "blooms in May" in built.prompt


async def test_working_memory_never_cuts_the_system_prompt(server: Server) -> None:
    await remember(server.alice, "the wisteria blooms in May")
    turns = [pb.Turn(speaker="user", text=f"turn {i} " + "word " * 50) for i in range(60)]
    turns.append(pb.Turn(speaker="user", text="and the wisteria?"))
    request = service.BuildWorkingMemoryRequest(system_prompt="You are Alice. 你好", turns=turns, max_tokens=3000)
    built = (await server.alice(request)).bundle
    assert (built.recipe, built.tokens <= 3000) == ("working_memory", True)
    assert "You are Alice. 你好" in built.prompt
    assert "and the wisteria?" in built.prompt
    assert "blooms in May" in built.prompt
    assert any(item.type == pb.BUNDLE_ITEM_TYPE_CONDENSED for item in section(built, "conversation").items)
    assert pb.OMISSION_REASON_CONDENSED in {each.reason for each in built.omissions}
    request.max_tokens = 3
    assert (await refused(server.alice(request))).reason == "BUDGET_TOO_SMALL"


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (service.BuildBundleRequest(max_tokens=0), "max_tokens"),
        (service.BuildBundleRequest(max_tokens=-1), "max_tokens"),
        (service.BuildBundleRequest(max_tokens=1_000_001), "max_tokens"),
        (service.BuildBundleRequest(recipe="No"), "recipe"),
        (service.BuildBundleRequest(query_text="x" * 100_001), "query_text"),
        (service.BuildSnapshotRequest(), "trigger_event"),
        (service.BuildSnapshotRequest(trigger_event="x", max_tokens=0), "max_tokens"),
        (service.BuildWorkingMemoryRequest(max_tokens=0), "max_tokens"),
        (service.BuildWorkingMemoryRequest(turns=[pb.Turn(speaker="u")]), "turns[0].text"),
        (service.BuildWorkingMemoryRequest(turns=[pb.Turn(text="x")]), "turns[0].speaker"),
    ],
)
async def test_a_bad_request_is_refused_with_its_field(server: Server, request_: Any, field: str) -> None:
    told = await refused(server.alice(request_))
    assert (told.code, told.fields) == (grpc.StatusCode.INVALID_ARGUMENT, (field,))


async def test_an_unknown_recipe_is_not_found(server: Server) -> None:
    told = await refused(bundle(server.alice, recipe="nowhere"))
    assert (told.code, told.reason, told.metadata) == (
        grpc.StatusCode.NOT_FOUND,
        "RECIPE_NOT_FOUND",
        {"name": "nowhere"},
    )
    await bundle(server.alice)


async def test_a_reader_may_have_bundles_built(server: Server) -> None:
    await fill(server)
    built = await bundle(server.reader, "wisteria", session_id="now")
    assert "blooms in May" in built.prompt
