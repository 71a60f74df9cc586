"""Bundles from beginning to end, over small ports."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, cast
from uuid import UUID

import pytest
from camillo_server.context.build_bundle import BuildBundle
from camillo_server.context.bundle import (
    Bundle,
    BundleRequest,
    Degraded,
    ItemType,
    OmissionReason,
    Turn,
)
from camillo_server.context.recipes import RecipeBook
from camillo_server.context.records import ContextRecords
from camillo_server.context.rendering import CachedCounter
from camillo_server.context.retrieval import Retrieval
from camillo_server.context.store.context import RecipeStore
from camillo_server.context.store.record_cache import RecordCache
from camillo_server.context.view import View
from camillo_server.decisions.decision import Decision, DecisionStatus, decision_row
from camillo_server.decisions.store import DecisionStore
from camillo_server.embedding.text_embedding import TextEmbedding
from camillo_server.events.chunks import chunk_id, chunk_rows
from camillo_server.events.event import (
    Actor,
    ActorType,
    Event,
    EventContent,
    EventId,
    EventKind,
    TextContent,
    ToolResultContent,
)
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.errors import BudgetTooSmall, NotFound
from camillo_server.kernel.kinds import MemoryKind, Sensitivity
from camillo_server.memories.memory import Memory
from camillo_server.text.tokens import ESTIMATE

from tests.unit.context.context_in_memory import (
    OWN,
    SHARED,
    FixedClock,
    NoEmbedder,
    RecipesInMemory,
    RecordCacheInMemory,
    RecordsInMemory,
    SearchInMemory,
    decision,
    memory,
    task,
)
from tests.unit.context.samples import MOMENT


@dataclass
class World:
    """All that bundles are made from."""

    records: RecordCacheInMemory = field(default_factory=RecordCacheInMemory)
    search: SearchInMemory = field(default_factory=SearchInMemory)
    decisions: RecordsInMemory = field(default_factory=RecordsInMemory)

    def remember(self, *memories: Memory) -> None:
        self.search.memories += memories

    def decide(self, *decisions: Decision) -> None:
        self.decisions.records = (*self.decisions.records, *decisions)
        self.remember(*(decision_row(each).memory for each in decisions))

    def record(self, *events: Event) -> None:
        self.records.held = replace(
            self.records.held, recent_events=[*self.records.held.recent_events, *events]
        )
        self.remember(*(row.memory for each in events for row in chunk_rows(each)))

    async def bundle(self, query: str = "", **fields: Any) -> Bundle:
        embedding = TextEmbedding(NoEmbedder(), 1.0, lambda kind: None)
        build = BuildBundle(
            recipes=RecipeBook(cast(RecipeStore, RecipesInMemory())),
            records=cast(RecordCache, self.records),
            decisions=cast(DecisionStore, self.decisions),
            retrieval=Retrieval(self.search, embedding),
            policy=ChannelPolicy(),
            counter=CachedCounter(ESTIMATE),
            clock=FixedClock(),
        )
        asked: dict[str, Any] = {"recipe": "active_context", "channel": Channel.PRIVATE, **fields}
        return await build(BundleRequest(scope=OWN, query=query, **asked))


def event(text: str, number: int = 0, content: EventContent | None = None, **fields: Any) -> Event:
    given: dict[str, Any] = {
        "kind": EventKind.MESSAGE,
        "sensitivity": Sensitivity.INTERNAL,
        **fields,
    }
    return Event(
        event_id=EventId(UUID(int=(7_000 + number) << 80 | 0x7 << 76 | 0b10 << 62)),
        agent_id=OWN.agent_id,
        session_id="s",
        channel=Channel.PRIVATE,
        actor=Actor(ActorType.HUMAN, "user"),
        tags=(),
        occurred_at=MOMENT - timedelta(hours=number),
        refs=(),
        content=content or TextContent(text),
        importance=None,
        recorded_at=MOMENT,
        revision=number,
        **given,
    )


def texts(bundle: Bundle, section: str) -> list[str]:
    found = [each for each in bundle.packed.sections if each.name == section]
    return [item.text for each in found for item in each.items]


def refs(bundle: Bundle, section: str) -> list[Sequence[str]]:
    found = [each for each in bundle.packed.sections if each.name == section]
    return [item.refs for each in found for item in each.items]


async def test_a_bundle_shows_what_its_recipe_asks_for() -> None:
    world = World()
    views = [
        View("rules", scope.agent_id, text, Sensitivity.INTERNAL, 1, MOMENT)
        for scope, text in ((OWN, "Mine"), (SHARED, "Ours"))
    ]
    world.records.held = ContextRecords(
        7, views=views, tasks=[task("Write the report", details="by Friday")]
    )
    world.record(event("It leaves from Split", 2))
    world.remember(memory("We rent a boat", 3))
    world.decide(decision("Sail in May"))
    found = await world.bundle("boat", session_id="s")
    assert texts(found, "rules") == ["Ours", "Mine"]
    assert texts(found, "task_state") == ["Write the report\nby Friday"]
    assert texts(found, "relevant_decisions") == ["Sail in May"]
    assert texts(found, "recent_window") == ["user: It leaves from Split"]
    assert texts(found, "retrieved_evidence") == ["We rent a boat"]
    assert found.packed.tokens == ESTIMATE.count(found.packed.prompt)
    assert found.revision == 7


async def test_evidence_cites_its_chunk_and_its_event() -> None:
    world, told = World(), event("We rent a boat")
    world.record(told)
    (found,) = refs(await world.bundle("boat"), "retrieved_evidence")
    assert list(found) == [str(chunk_id(told.event_id, 0)), str(told.event_id)]


async def test_without_a_query_nothing_is_searched() -> None:
    world = World()
    world.record(event("We rent a boat"))
    found = await world.bundle("  ")
    assert not world.search.specs
    assert not found.degraded
    assert found.provenance.candidate_pool_size == 0
    assert texts(await world.bundle("boat"), "retrieved_evidence")


async def test_the_last_turns_stay_together_and_are_not_repeated_as_evidence() -> None:
    world = World()
    long = "We rent a boat. " * 200
    world.record(event(long, 3), event("We rent a boat", 2), event("Fine", 1))
    found = await world.bundle("boat", session_id="s", explain=True)
    window = texts(found, "recent_window")
    assert [text[:20] for text in window] == [
        "user: We rent a boat",
        "user: We rent a boat",
        "user: Fine",
    ]
    assert not texts(found, "retrieved_evidence")
    assert OmissionReason.DUPLICATE in {each.reason for each in found.packed.omissions}
    elsewhere = await world.bundle("boat")
    assert len(texts(elsewhere, "retrieved_evidence")) > 2


async def test_a_summary_stands_behind_the_ground_truth_that_it_cites_and_is_marked() -> None:
    world, truth = World(), event("The invoice is over 90 euros", 40)
    world.record(truth)
    claimed = memory(
        "Invoice: 900 euros invoice invoice",
        1,
        kind=MemoryKind.SUMMARY,
        source_refs=(str(truth.event_id),),
    )
    world.remember(claimed, *(memory(f"invoice of the month {n}", 10 + n) for n in range(30)))
    found = await world.bundle("invoice")
    shown = texts(found, "retrieved_evidence")
    place = shown.index(claimed.content)
    assert shown[place - 1] == "user: The invoice is over 90 euros"
    assert str(truth.event_id) in refs(found, "retrieved_evidence")[place - 1]
    assert "(summary, derived) Invoice: 900" in found.packed.prompt
    items = [item for each in found.packed.sections for item in each.items]
    assert [item.text for item in items if item.candidate.is_derived] == [claimed.content]


async def test_old_decisions_are_found_by_what_is_asked_and_superseded_ones_never() -> None:
    world = World()
    latest = [decision(f"Paint the hull {n}", n) for n in range(25)]
    old, gone = decision("Invoices go out in euros", 50), decision("Invoices in dollars", 51)
    world.records.held = ContextRecords(7, decisions=latest)
    world.decide(old, replace(gone, status=DecisionStatus.SUPERSEDED))
    shared = decision("Invoices carry a number", 52, SHARED)
    world.decide(shared)
    found = texts(await world.bundle("how do we send invoices"), "relevant_decisions")
    assert set(found[:2]) == {"Invoices go out in euros", "Invoices carry a number"}
    assert len(found) == 20
    assert not any("dollars" in text for text in found)


async def test_while_the_database_is_away_the_answer_is_marked() -> None:
    world = World()
    world.records.held = ContextRecords(7, tasks=[task("Write")], is_stale=True)
    world.search.is_away = True
    found = await world.bundle("anything")
    assert texts(found, "task_state") == ["Write"]
    assert Degraded.STORAGE_UNAVAILABLE in found.degraded
    world.search.is_away, world.records.held = False, ContextRecords(7)
    assert Degraded.STORAGE_UNAVAILABLE not in (await world.bundle("anything")).degraded


async def test_while_the_embedder_fails_words_answer_and_the_answer_is_marked() -> None:
    world = World()
    world.record(event("We rent a boat"))
    found = await world.bundle("boat")
    assert texts(found, "retrieved_evidence") == ["user: We rent a boat"]
    assert found.degraded == [Degraded.EMBEDDING_UNAVAILABLE]
    assert found.provenance.model_id == ""


@pytest.mark.parametrize("channel", Channel)
async def test_nothing_of_what_a_channel_may_not_load_is_even_counted(channel: Channel) -> None:
    with_all, without = World(), World()
    allowed = ChannelPolicy().allowed(channel)
    for level in Sensitivity:
        told = event(f"boat of level {level.name}", level, sensitivity=level)
        for world in (with_all, without) if level in allowed else (with_all,):
            world.record(told)
    asked = {"session_id": "s", "channel": channel, "explain": True}
    assert await with_all.bundle("boat", **asked) == await without.bundle("boat", **asked)
    assert len((await with_all.bundle("boat", **asked)).packed.entries) >= len(allowed)


async def test_the_same_input_gives_the_same_bytes_and_id() -> None:
    world = World()
    world.record(*(event(f"boat number {n}", n) for n in range(30)))
    first, second = [await world.bundle("boat", as_of=MOMENT) for _ in "ab"]
    assert first == second
    assert len(first.bundle_id) == 32
    assert (await world.bundle("boat", as_of=MOMENT, max_tokens=900)).bundle_id != first.bundle_id


async def test_retrieval_stays_within_its_bounds() -> None:
    world = World()
    world.remember(*(memory(f"boat {n}", n) for n in range(900)))
    found = (await world.bundle("boat")).provenance
    assert found.candidate_pool_size == 900
    assert 100 < found.scored <= 200
    per_arm = sum(
        spec.candidates_per_arm * (6 if spec.with_neighbours else 2) for spec in world.search.specs
    )
    assert per_arm <= 2_000


async def test_a_cut_output_of_a_tool_names_its_artifact() -> None:
    world = World()
    content = ToolResultContent(
        "cat", "1", "a.log", "boat line", 1, 1, truncated=True, artifact_id="art_1"
    )
    world.record(event("", 1, content, kind=EventKind.TOOL_RESULT))
    for query, session_id, section in (
        ("boat", "", "retrieved_evidence"),
        ("", "s", "recent_window"),
    ):
        found = await world.bundle(query, session_id=session_id)
        assert texts(found, section)
        (omission,) = [
            each
            for each in found.packed.omissions
            if each.reason is OmissionReason.TRUNCATED_TOOL_OUTPUT
        ]
        assert (omission.section, omission.artifact_id) == (section, "art_1")


async def test_a_long_event_shows_its_beginning_among_the_last_ones() -> None:
    world = World()
    world.record(event("word " * 9_000, 2), event("Fine", 1))
    found = await world.bundle("", session_id="s")
    first, last = texts(found, "recent_window")
    assert first.startswith("user: word")
    assert len(first) < 7_000
    assert last == "user: Fine"
    assert [each.reason for each in found.packed.omissions] == [OmissionReason.TRIMMED]


async def test_working_memory_is_made_of_what_the_caller_brings() -> None:
    world = World()
    world.remember(*(memory(f"boat {n}", n) for n in range(9)))
    found = await world.bundle(
        recipe="working_memory",
        given_text="You are Bo.",
        given_turns=[Turn("user", "hello"), Turn("user", "which boat?", ("turn-2",))],
    )
    assert texts(found, "system_prompt") == ["You are Bo."]
    assert texts(found, "conversation") == ["hello", "which boat?"]
    assert len(texts(found, "memories")) == 5
    assert found.provenance.query_terms == ("boat",)
    assert not world.records.wanted
    with pytest.raises(BudgetTooSmall):
        await world.bundle(recipe="working_memory", given_text="word " * 500, max_tokens=100)


async def test_a_snapshot_shows_pinned_similar_and_recent_memories() -> None:
    world = World()
    recent = [
        memory(f"happened {n}", 100 + n, occurred_at=MOMENT - timedelta(hours=5 * n))
        for n in range(9)
    ]
    world.records.held = ContextRecords(
        7, pinned=[memory("Pinned", 1, pinned=True)], recent_memories=recent
    )
    world.remember(*(memory(f"boat {'abcdefg'[n]}", 10 + n) for n in range(7)))
    found = await world.bundle("boat", recipe="run_snapshot")
    assert [each.name for each in found.packed.sections] == ["pinned", "relevant", "recent"]
    assert len(texts(found, "relevant")) == 3
    assert texts(found, "recent") == [f"happened {n}" for n in range(5)]
    assert found.packed.tokens <= 500
    assert {item.candidate.type for each in found.packed.sections for item in each.items} == {
        ItemType.MEMORY
    }


async def test_an_unknown_recipe_is_not_found() -> None:
    with pytest.raises(NotFound):
        await World().bundle(recipe="nothing")
