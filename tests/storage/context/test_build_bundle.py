"""Bundles from beginning to end."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import numpy as np
import pytest
from camillo_server.across.context.build_bundle import BuildBundle
from camillo_server.across.context.bundle import (
    Bundle,
    BundleRequest,
    Degraded,
    ItemType,
    OmissionReason,
    Truncations,
)
from camillo_server.across.context.prepared_texts import PreparedTextCache
from camillo_server.across.context.recipes import RecipeBook
from camillo_server.across.context.records import ContextRecords, RecordsQuery
from camillo_server.across.context.rendering import YieldingCounter
from camillo_server.across.context.retrieval import Retrieval
from camillo_server.across.context.store.record_cache import RecordCache
from camillo_server.across.context.store.records import RecordReader
from camillo_server.features.decisions.decision import Supersession
from camillo_server.features.events.chunks import chunk_rows
from camillo_server.features.events.event import Event, EventId, ToolResultContent
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.errors import BudgetTooSmall, NotFound
from camillo_server.kernel.ids import chunk_id
from camillo_server.kernel.kinds import EventKind, MemoryKind, Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import Freshness
from camillo_server.lib.text.tokens import ESTIMATE
from camillo_server.models.embedding.embedder import NOBODY, EmbeddingUnavailable, Vector
from camillo_server.models.embedding.text_embedding import TextEmbedding
from camillo_server.rows.row import NewRow, Row
from camillo_server.rows.store.removal import StaleMarks
from camillo_server.search.candidates import CandidatePool, CandidateQuery, ScopeSearch, TermStatistics
from camillo_server.search.collection import searched_apart
from camillo_server.search.store.linked_ends import LinkedEnds
from camillo_server.search.store.recall import PostgresMemorySearch
from camillo_server.search.store.recall_reads import AcceptedSenders
from camillo_server.storage.database import Database
from numpy.typing import NDArray

from tests.postgres_fixtures import TestDatabase
from tests.storage.context.ground_store import (
    ALICE,
    KEYRING,
    NOW,
    SHARED,
    GroundStore,
    decision,
    ground_store,
    later,
    row,
)
from tests.storage.context.ground_store import event as any_event
from tests.storage.context.test_views import view
from tests.storage.replays import OF_MEMORIES
from tests.storage.tasks.test_tasks import task

VECTOR = Vector("none", np.array([0.6, 0.8], np.float32))


class FixedClock:
    def now(self) -> datetime:
        return NOW


class NoEmbedder:
    """A provider that fails each time."""

    model_id = "none"
    dimensions = 2

    async def embed(self, texts: object, tenant_id: object = NOBODY, agent_ids: object = ()) -> NDArray[np.float32]:
        raise EmbeddingUnavailable("away")

    async def close(self) -> None:
        return None


@dataclass
class LoggedSearch:
    """Postgres' search, and what it was asked."""

    search: PostgresMemorySearch
    specs: list[CandidateQuery] = field(default_factory=list)

    async def candidates(self, query: CandidateQuery, freshness: Freshness) -> CandidatePool:
        self.specs.append(query)
        return await self.search.candidates(query, freshness)

    async def together(self, scopes: Sequence[ScopeSearch]) -> CandidatePool:
        return await searched_apart(self, scopes)

    async def statistics(self, query: CandidateQuery, freshness: Freshness) -> TermStatistics:
        return await self.search.statistics(query, freshness)


class LoggedReader(RecordReader):
    """Postgres' records, and what was asked of them."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, KEYRING)
        self.queries: list[RecordsQuery] = []

    async def read(self, scope: Scope, query: RecordsQuery, freshness: Freshness, *, now: datetime) -> ContextRecords:
        self.queries.append(query)
        return await super().read(scope, query, freshness, now=now)


@dataclass
class World:
    """All that bundles are made from."""

    store: GroundStore
    search: LoggedSearch
    reader: LoggedReader
    records: RecordCache
    prepared_texts: PreparedTextCache

    async def remember(self, *memories: Row) -> None:
        rows = [NewRow(each, None) for each in memories]
        await self.store.memories.remember_many(ALICE, rows, OF_MEMORIES, None, now=NOW)

    async def record(self, *events: Event) -> None:
        rows = [row.memory for each in events for row in chunk_rows(each)]
        chunks = [NewRow(memory.with_vector_of(VECTOR), VECTOR) for memory in rows]
        if events:
            await self.store.record(*events, chunks=chunks)

    def revision(self) -> int:
        return int(self.store.rows("select revision from scopes where agent_id = 'alice'")[0][0])

    async def bundle(self, query: str = "", **fields: Any) -> Bundle:
        build = BuildBundle(
            recipes=RecipeBook(self.store.recipes),
            records=self.records,
            decisions=self.store.decisions,
            retrieval=Retrieval(
                self.search,
                TextEmbedding(NoEmbedder(), 1.0, lambda kind: None),
                StaleMarks(self.store.database),
                AcceptedSenders(self.store.database),
                LinkedEnds(self.store.database),
            ),
            prepared_texts=self.prepared_texts,
            policy=ChannelPolicy(),
            counter=YieldingCounter(ESTIMATE),
            clock=FixedClock(),
            truncations=Truncations(lambda scope, facts: None, frozenset()),
            fence_seed=str,
        )
        wanted: dict[str, Any] = {"recipe": "active_context", "channel": Channel.PRIVATE, **fields}
        return await build(BundleRequest(scope=ALICE, query=query, **wanted))


@pytest.fixture
async def world(database: TestDatabase) -> AsyncIterator[World]:
    async with ground_store(database) as opened:
        search = LoggedSearch(PostgresMemorySearch(opened.database))
        reader = LoggedReader(opened.database)
        records = RecordCache(reader, lambda scope: None)
        opened.notifier.subscribe(records)
        opened.notifier.subscribe(prepared_texts := PreparedTextCache())
        yield World(opened, search, reader, records, prepared_texts)


def memory(text: str, **fields: Any) -> Row:
    return row(uuid4(), text, **{"kind": MemoryKind.FACT, "source_refs": (), "metadata": {}, **fields}).memory


def event(text: str, number: int = 0, **fields: Any) -> Event:
    event_id = EventId(UUID(int=(7_000 + number) << 80 | 0x7 << 76 | 0b10 << 62))
    occurred_at = NOW - timedelta(hours=number)
    return any_event(text, event_id=event_id, occurred_at=occurred_at, session_id="s", **fields)


def texts(bundle: Bundle, section: str) -> list[str]:
    found = [each for each in bundle.packed.sections if each.name == section]
    return [item.text for each in found for item in each.items]


def refs(bundle: Bundle, section: str) -> list[Sequence[str]]:
    found = [each for each in bundle.packed.sections if each.name == section]
    return [item.refs for each in found for item in each.items]


async def test_a_bundle_shows_what_its_recipe_asks_for(world: World) -> None:
    for scope, text in ((ALICE, "Mine"), (SHARED, "Ours")):
        await world.store.views.put(scope, view(scope, text=text), None, None, now=NOW)
    report = task(title="Write the report", details="by Friday")
    await world.store.tasks.put(ALICE, report, None, None, texts={}, now=NOW)
    await world.record(event("It leaves from Split", 2))
    await world.remember(memory("We rent a boat"))
    await world.store.decide(decision("Sail in May"))
    found = await world.bundle("boat", session_id="s")
    assert texts(found, "rules") == ["Ours", "Mine"]
    assert texts(found, "task_state") == ["Write the report\nDetails: by Friday"]
    assert texts(found, "relevant_decisions") == ["Sail in May"]
    assert texts(found, "recent_window") == ["user: It leaves from Split"]
    assert texts(found, "retrieved_evidence") == ["We rent a boat"]
    assert found.packed.tokens == ESTIMATE.count(found.packed.prompt)
    assert found.revision == world.revision()


async def test_evidence_cites_its_chunk_and_its_event(world: World) -> None:
    told = event("We rent a boat")
    await world.record(told)
    (found,) = refs(await world.bundle("boat"), "retrieved_evidence")
    assert list(found) == [str(chunk_id(told.event_id, 0)), str(told.event_id)]


async def test_without_a_query_nothing_is_searched(world: World) -> None:
    await world.record(event("We rent a boat"))
    found = await world.bundle("  ")
    assert not world.search.specs
    assert not found.degraded
    assert found.provenance.candidate_pool_size == 0
    assert texts(await world.bundle("boat"), "retrieved_evidence")


async def test_the_last_turns_stay_together_and_are_not_repeated_as_evidence(world: World) -> None:
    long = "We rent a boat. " * 200
    await world.record(event(long, 3), event("We rent a boat", 2), event("Fine", 1))
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


async def test_a_summary_stands_behind_the_ground_truth_that_it_cites_and_is_marked(
    world: World,
) -> None:
    truth = event("The invoice is over 90 euros", 40)
    await world.record(truth)
    claimed = memory(
        "Invoice: 900 euros invoice invoice",
        kind=MemoryKind.SUMMARY,
        source_refs=(str(truth.event_id),),
    )
    await world.remember(claimed, *(memory(f"invoice of the month {n}") for n in range(30)))
    found = await world.bundle("invoice")
    shown = texts(found, "retrieved_evidence")
    place = shown.index(claimed.content)
    assert shown[place - 1] == "user: The invoice is over 90 euros"
    assert str(truth.event_id) in refs(found, "retrieved_evidence")[place - 1]
    assert "(summary, derived) Invoice: 900" in found.packed.prompt
    items = [item for each in found.packed.sections for item in each.items]
    assert [item.text for item in items if item.candidate.is_derived] == [claimed.content]


async def test_old_decisions_are_found_by_what_is_asked_and_superseded_ones_never(
    world: World,
) -> None:
    old, gone = decision("Invoices go out in euros"), decision("Invoices in dollars")
    await world.store.decide(gone)
    supersession = Supersession(gone.decision_id, 1, old, is_new=True)
    await world.store.decisions.supersede(ALICE, supersession, None, now=NOW)
    await world.store.decide(decision("Invoices carry a number", SHARED), SHARED)
    for number in range(25):
        latest = decision(f"Paint the hull {number}", created_at=later(number))
        await world.store.decide(latest)
    found = texts(await world.bundle("how do we send invoices"), "relevant_decisions")
    assert set(found[:2]) == {"Invoices go out in euros", "Invoices carry a number"}
    assert len(found) == 20
    assert not any("dollars" in text for text in found)


async def test_while_the_database_is_away_the_answer_is_marked(world: World) -> None:
    await world.store.tasks.put(ALICE, task(title="Write"), None, None, texts={}, now=NOW)
    assert Degraded.STORAGE_UNAVAILABLE not in (await world.bundle("anything")).degraded
    await world.store.database.close()
    found = await world.bundle("anything", as_of=later(10))
    assert texts(found, "task_state") == ["Write"]
    assert Degraded.STORAGE_UNAVAILABLE in found.degraded


async def test_while_the_embedder_fails_words_answer_and_the_answer_is_marked(world: World) -> None:
    await world.record(event("We rent a boat"))
    found = await world.bundle("boat")
    assert texts(found, "retrieved_evidence") == ["user: We rent a boat"]
    assert found.degraded == [Degraded.EMBEDDING_UNAVAILABLE]
    assert found.provenance.model_id == ""


@pytest.mark.parametrize("channel", Channel)
async def test_nothing_of_what_a_channel_may_not_load_is_even_counted(world: World, channel: Channel) -> None:
    allowed = ChannelPolicy().allowed(channel)
    told = {level: event(f"boat of level {level.name}", level, sensitivity=level) for level in Sensitivity}
    await world.record(*(told[level] for level in sorted(allowed)))
    asked = {"session_id": "s", "channel": channel, "explain": True}
    without = await world.bundle("boat", **asked)
    await world.record(*(told[level] for level in Sensitivity if level not in allowed))
    with_all = await world.bundle("boat", **asked)
    assert replace(with_all, revision=without.revision) == without
    assert len(with_all.packed.entries) >= len(allowed)


async def test_the_same_input_gives_the_same_bytes_and_id(world: World) -> None:
    await world.record(*(event(f"boat number {n}", n) for n in range(30)))
    first, second = [await world.bundle("boat", as_of=NOW) for _ in "ab"]
    assert first == second
    assert len(first.bundle_id) == 32
    assert (await world.bundle("boat", as_of=NOW, max_tokens=900)).bundle_id != first.bundle_id


async def test_retrieval_stays_within_its_bounds(world: World) -> None:
    await world.remember(*(memory(f"boat {n}") for n in range(900)))
    found = (await world.bundle("boat")).provenance
    # The best of the words' arm, and the one beside them in their session.
    assert (found.candidate_pool_size, found.scored) == (201, 160)
    per_arm = sum(spec.candidates_per_arm * (6 if spec.with_neighbours else 2) for spec in world.search.specs)
    assert per_arm <= 2_000


async def test_a_cut_output_of_a_tool_names_its_artifact(world: World) -> None:
    content = ToolResultContent("cat", "1", "a.log", "boat line", 1, 1, truncated=True, artifact_id="art_1")
    await world.record(event("", 1, content=content, kind=EventKind.TOOL_RESULT))
    for query, session_id, section in (
        ("boat", "", "retrieved_evidence"),
        ("", "s", "recent_window"),
    ):
        found = await world.bundle(query, session_id=session_id)
        assert texts(found, section)
        (omission,) = [each for each in found.packed.omissions if each.reason is OmissionReason.TRUNCATED_TOOL_OUTPUT]
        assert (omission.section, omission.artifact_id) == (section, "art_1")


async def test_a_long_event_shows_its_beginning_among_the_last_ones(world: World) -> None:
    await world.record(event("word " * 9_000, 2), event("Fine", 1))
    found = await world.bundle("", session_id="s")
    first, last = texts(found, "recent_window")
    assert first.startswith("user: word")
    assert len(first) < 7_000
    assert last == "user: Fine"
    assert [each.reason for each in found.packed.omissions] == [OmissionReason.TRIMMED]


async def test_working_memory_is_made_of_what_the_caller_brings(world: World) -> None:
    await world.remember(*(memory(f"boat {n}") for n in range(9)))
    found = await world.bundle(
        recipe="working_memory",
        given_text="You are Bo.",
        given_turns=[("user", "hello", ()), ("user", "which boat?", ("turn-2",))],
    )
    assert texts(found, "system_prompt") == ["You are Bo."]
    assert texts(found, "conversation") == ["hello", "which boat?"]
    assert len(texts(found, "memories")) == 5
    assert found.provenance.query_terms == ("boat",)
    assert not world.reader.queries
    with pytest.raises(BudgetTooSmall):
        await world.bundle(recipe="working_memory", given_text="word " * 500, max_tokens=100)


async def test_a_snapshot_shows_pinned_similar_and_recent_memories(world: World) -> None:
    long_ago = NOW - timedelta(days=9)
    await world.remember(
        *(memory(f"happened {n}", occurred_at=NOW - timedelta(hours=5 * n)) for n in range(9)),
        memory("Pinned", pinned=True, occurred_at=long_ago),
        *(memory(f"boat {letter}", occurred_at=long_ago) for letter in "abcdefg"),
    )
    found = await world.bundle("boat", recipe="run_snapshot")
    assert [each.name for each in found.packed.sections] == ["pinned", "relevant", "recent"]
    assert len(texts(found, "relevant")) == 3
    assert texts(found, "recent") == [f"happened {n}" for n in range(5)]
    assert found.packed.tokens <= 500
    assert {item.candidate.type for each in found.packed.sections for item in each.items} == {ItemType.MEMORY}


async def test_an_unknown_recipe_is_not_found(world: World) -> None:
    with pytest.raises(NotFound):
        await world.bundle(recipe="nothing")
