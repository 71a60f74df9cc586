"""Events in Postgres: in order, once, unchangeable, and read as they were written."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from camillo_server.across.forgetting.records import ForgetSelection, Repeating
from camillo_server.features.events.chunks import chunk_rows
from camillo_server.features.events.event import (
    Actor,
    Event,
    EventFilter,
    EventId,
    JsonContent,
    TextContent,
    ToolCallContent,
    ToolResultContent,
)
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.errors import KeyMissing, RequestIdReused
from camillo_server.kernel.ids import EventCursor
from camillo_server.kernel.kinds import ActorType, EventKind, MemoryKind, Sensitivity
from camillo_server.lib.crypto.keyring import Keyring

from tests.postgres_fixtures import TestDatabase
from tests.storage.context.ground_store import (
    ALICE,
    BOB,
    EVERYTHING,
    MANY_SCRIPTS,
    NOW,
    RIVAL,
    SHARED,
    GroundStore,
    chunks_of,
    event,
    ground_store,
    later,
    request,
    row,
    text_of,
)
from tests.storage.replays import OF_MEMORIES

BEGINNING = EventCursor(0, 2**31 - 1)
CONTENTS = (
    TextContent(MANY_SCRIPTS),
    JsonContent({"z": 1.0, "a": [None, True, {"会": "🦓"}], "m": 2**53 - 1, "e": {}}),
    ToolCallContent("grep", "c1", {"pattern": MANY_SCRIPTS, "paths": ["a", "b"]}),
    ToolResultContent("grep", "c1", "src/ä.py", MANY_SCRIPTS, 3, 9, True, "grep_7f", True, 1),
    ToolResultContent("ls", "", "", "x", 1, 1),
)


@pytest.fixture
async def store(database: TestDatabase) -> AsyncIterator[GroundStore]:
    async with ground_store(database) as opened:
        yield opened


async def one(store: GroundStore, event_id: EventId) -> Event:
    found = await store.reader.get(ALICE, event_id)
    assert found is not None
    return found[0]


@pytest.mark.parametrize("level", list(Sensitivity))
@pytest.mark.parametrize("content", CONTENTS, ids=lambda content: type(content).__name__)
async def test_an_event_is_read_as_it_was_written(store: GroundStore, content: Any, level: Sensitivity) -> None:
    told = event(
        content=content,
        sensitivity=level,
        channel=Channel.TEAM,
        actor=Actor(ActorType.TOOL, "grep"),
        kind=EventKind.TOOL_RESULT,
        tags=("b", 'quo"te\\', "会, {}"),
        refs=("log_1", "NULL"),
        importance=0.3,
        occurred_at=NOW - timedelta(days=3, microseconds=1),
    )
    revision = (await store.record(told)).revision
    found = await one(store, told.event_id)
    assert (found.revision, found.index) == (revision, 0)
    assert found.content == content
    assert list(getattr(found.content, "value", {})) == list(getattr(content, "value", {}))
    for name in Event.__dataclass_fields__:
        if name not in ("revision", "place"):
            assert getattr(found, name) == getattr(told, name), name


@pytest.mark.parametrize(
    "at",
    [
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(9999, 12, 31, 23, 59, 59, 999_999, UTC),
        datetime(2024, 2, 29, 0, 30, tzinfo=timezone(timedelta(hours=-9, minutes=-30))),
    ],
)
async def test_times_texts_and_numbers_are_stored_to_the_last_digit(store: GroundStore, at: datetime) -> None:
    numbers = {"1": 1, "1.0": 1.0, "small": 5e-324, "large": 1.7976931348623157e308, "b": True}
    told = event(
        content=JsonContent({**numbers, "\u2028\x7f": "\\u0041 \"'{},[]:\t\n\r 🚢"}),
        occurred_at=at,
        tags=("", "\\", "null", "{a,b}", '"'),
        importance=0.1 + 0.2,
    )
    known = {"place": 2**53 + 1, "share": 0.1, "flag": False, "text": 'ü"\\'}
    text = "'it''s' \\ \"x\":1 🚢"
    chunk = row(told.event_id, text, occurred_at=at, importance=1 / 3, metadata=known)
    await store.record(told, chunks=[chunk])
    found = await one(store, told.event_id)
    assert (found.content, found.occurred_at, found.tags) == (told.content, at, told.tags)
    assert found.importance == told.importance
    ((content, is_then, is_third, metadata, terms),) = store.rows(
        "select content, occurred_at = %s, importance = (1 / 3::float8)::real, metadata,"
        " cardinality(tsvector_to_array(terms)) from memories",
        at,
    )
    assert (content, is_then, is_third, metadata) == (text, True, True, known)
    assert terms == len(chunk.terms().counts) > 1


async def test_events_of_a_batch_stand_in_their_order_whatever_the_clock_says(
    store: GroundStore,
) -> None:
    first = await store.record(*(event(str(n), occurred_at=later(-n)) for n in range(5)))
    second = await store.record(*(event(str(n), occurred_at=later(-n)) for n in range(5, 8)))
    assert second.revision == first.revision + 1
    assert await store.texts() == [str(n) for n in range(8)]
    page = await store.reader.page(ALICE, EVERYTHING, None, 3, newest_first=True)
    assert [text_of(each) for each in page.events] == ["7", "6", "5"]
    assert page.revision == second.revision
    behind = EventCursor(page.events[-1].revision, page.events[-1].index)
    page = await store.reader.page(ALICE, EVERYTHING, behind, 3, newest_first=True)
    assert [text_of(each) for each in page.events] == ["4", "3", "2"]


@pytest.mark.parametrize("each", [0, 1, 7, 40])
async def test_chunks_are_rows_beside_memories_and_counted(store: GroundStore, each: int) -> None:
    told = [event("zebra crossing"), event("斑马线 斑马线")]
    chunks = chunks_of(told, each=each)
    written = await store.record(*told, chunks=chunks)
    found = await store.reader.get(ALICE, told[1].event_id)
    assert found is not None
    assert found[1] == [chunk.memory.memory_id for chunk in chunks[each:]]
    assert store.count("memories", "kind = 17 and terms <> ''") == 2 * each
    assert store.counts_are_right()
    assert store.counts_of()[:2] == (2 * each, 2 * each)
    # The index may take them as they are, and only what has no vector is missing one.
    assert store.committed == [(ALICE, written.revision, 2 * each)]
    assert store.missing_vectors == ([ALICE] if each else [])


async def test_a_repeated_request_gets_the_first_facts_and_stores_nothing(
    store: GroundStore,
) -> None:
    first = await store.record(event("once"), key=request("r"))
    again = await store.record(event("twice"), key=request("r"))
    assert again == first
    assert await store.texts() == ["once"]
    assert store.counts_are_right()
    assert await store.events.first_answer(ALICE, request("r"), now=NOW) == first
    assert await store.events.first_answer(ALICE, request("other"), now=NOW) is None
    with pytest.raises(RequestIdReused):
        await store.record(event(), key=request("r", b"changed"))
    # The same id is another request where the scope is another.
    await store.record(event("bob's", BOB), scope=BOB, key=request("r", b"changed"))
    assert await store.texts(BOB) == ["bob's"]


@pytest.mark.parametrize("each", [1, 40])
async def test_requests_at_once_store_one(store: GroundStore, each: int) -> None:
    told = [event(str(n)) for n in range(8)]
    written = await asyncio.gather(
        *(store.record(one, chunks=chunks_of([one], each=each), key=request("r", b"same")) for one in told)
    )
    assert len({each.revision for each in written}) == 1
    assert len(await store.texts()) == 1
    assert store.counts_are_right()


async def test_writers_of_many_scopes_and_of_one_lose_nothing(store: GroundStore) -> None:
    await asyncio.gather(*(store.record(event(str(n))) for n in range(20)))
    revisions = [row[0] for row in store.rows("select revision from events order by revision")]
    assert revisions == list(range(revisions[0], revisions[0] + 20))
    assert store.counts_are_right()


FILTERS: list[tuple[EventFilter, set[str]]] = [
    (EVERYTHING, {"plain", "tool", "secret", "chosen", "public choice", "old"}),
    (EventFilter(session_id="s2"), {"tool"}),
    (EventFilter(kinds=(EventKind.TOOL_CALL, EventKind.DECISION)), {"tool", "chosen", "public choice"}),
    (EventFilter(actor_types=(ActorType.TOOL,)), {"tool"}),
    (EventFilter(tags_any=("a", "c")), {"plain", "tool"}),
    (EventFilter(tags_all=("a", "b")), {"plain"}),
    (EventFilter(occurred_before=NOW), {"old"}),
    (EventFilter(occurred_from=NOW, sensitivities=(Sensitivity.CONFIDENTIAL,)), {"secret"}),
    (EventFilter(ref="LOG_1"), {"plain", "secret"}),
    (EventFilter(ref="log_1", session_id="s1", tags_any=("a",)), {"plain"}),
    (EventFilter(is_public=True), {"plain", "tool", "secret", "public choice", "old"}),
    (EventFilter(sensitivities=()), set()),
]  # fmt: skip


@pytest.mark.parametrize(("wanted", "expected"), FILTERS)
async def test_a_filter_lets_through_what_it_says(store: GroundStore, wanted: EventFilter, expected: set[str]) -> None:
    await store.record(event("plain", tags=("a", "b"), refs=("log_1", "log_1", "log_2")))
    await store.record(
        event(
            "tool",
            tags=("c",),
            session_id="s2",
            kind=EventKind.TOOL_CALL,
            actor=Actor(ActorType.TOOL, "t"),
        ),
        event("secret", sensitivity=Sensitivity.CONFIDENTIAL, refs=("log_1",)),
        event("chosen", kind=EventKind.DECISION),
        event("public choice", kind=EventKind.DECISION, channel=Channel.PUBLIC),
        event("old", occurred_at=later(-1)),
    )
    for newest_first in (False, True):
        page = await store.reader.page(ALICE, wanted, None, 10, newest_first=newest_first)
        assert {text_of(each) for each in page.events} == expected
    changes = await store.reader.changes(ALICE, wanted, BEGINNING, 10)
    assert {text_of(each.recorded) for each in changes.changes if each.recorded} == expected
    assert changes.revision == page.revision


@pytest.mark.parametrize("wanted", [EVERYTHING, EventFilter(session_id="s1"), EventFilter(ref="x")])
async def test_pages_hold_everything_once(store: GroundStore, wanted: EventFilter) -> None:
    for size in (3, 1, 4):
        await store.record(*(event(str(size), refs=("x",)) for _ in range(size)))
    for newest_first in (False, True):
        seen: list[EventId] = []
        after = None
        while True:
            page = await store.reader.page(ALICE, wanted, after, 2, newest_first=newest_first)
            seen += [each.event_id for each in page.events]
            if len(page.events) < 2:
                break
            after = EventCursor(page.events[-1].revision, page.events[-1].index)
        assert len(seen) == len(set(seen)) == 8


async def test_a_page_ends_before_it_holds_too_many_bytes(store: GroundStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("camillo_server.features.events.store.reader.PAGE_BYTES", 2_500)
    texts = [f"{n}".ljust(1_000, "x") for n in range(7)]
    await store.record(*map(event, texts[:2]))
    await store.record(*map(event, texts[2:6]))
    await store.record(event(texts[6]))
    page = await store.reader.page(ALICE, EVERYTHING, None, 10, newest_first=False)
    assert [text_of(each) for each in page.events] == texts[:3]
    assert page.has_more
    last = await store.reader.page(ALICE, EVERYTHING, EventCursor(page.revision, -1), 10, newest_first=False)
    assert ([text_of(each) for each in last.events], last.has_more) == (texts[6:], False)
    batches = [[text_of(each) for each in batch] async for batch in store.reader.every(ALICE, 5)]
    assert [text for batch in batches for text in batch] == texts
    assert len(batches) > 2


async def test_what_is_sensitive_is_in_no_table(store: GroundStore) -> None:
    for level in Sensitivity:
        word = f"zebra{level.name}"
        told = event(word, sensitivity=level)
        await store.record(told)
        assert text_of(await one(store, told.event_id)) == word
    kept = b"\n".join(
        value if isinstance(value, bytes) else str(value).encode()
        for table in ("events", "memories", "scopes", "requests")
        for found in store.rows(f"select * from {table}")
        for value in found
    )
    assert [level for level in Sensitivity if f"zebra{level.name}".encode() in kept] == [
        Sensitivity.PUBLIC,
        Sensitivity.INTERNAL,
    ]


async def test_without_a_key_nothing_sensitive_is_stored_or_read(store: GroundStore, database: TestDatabase) -> None:
    told = event("secret", sensitivity=Sensitivity.RESTRICTED)
    await store.record(told)
    async with ground_store(database, Keyring.empty()) as keyless:
        with pytest.raises(KeyMissing):
            await keyless.reader.get(ALICE, told.event_id)
        with pytest.raises(KeyMissing):
            await keyless.record(event("secret", sensitivity=Sensitivity.CONFIDENTIAL))
        await keyless.record(event("plain"))
    assert await store.texts() == ["secret", "plain"]


async def test_nobody_reads_another_agents_events(store: GroundStore) -> None:
    told = event("private")
    await store.record(told)
    for scope in (BOB, RIVAL, SHARED):
        assert await store.reader.get(scope, told.event_id) is None
        assert await store.texts(scope) == []
    assert await store.texts(ALICE) == ["private"]


async def test_chunks_of_an_event_that_was_redacted_meanwhile_are_those_of_its_new_text(store: GroundStore) -> None:
    """Whoever adds dropped chunks may have read the event before."""
    long, other = event("\n".join(["ring the very old Žofie at her door at noon"] * 200)), event("the tea 茶 is ready")
    chunks = [*chunk_rows(long), *chunk_rows(other)]
    assert len(chunks) > 3
    await store.record(long, other, chunks=chunks)
    _, revision = await store.events.drop_chunks(ALICE, now=NOW)
    selection = ForgetSelection(Repeating(("ring the very old Žofie at her door at",)), redact=True, repeats=True)
    await store.forgetting.forget(ALICE, selection, None, now=NOW)
    await store.events.add_chunks(ALICE, chunks, revision, now=NOW)
    texts = [text for (text,) in store.rows("select content from memories")]
    assert not any("Žofie" in each for each in texts)
    assert any("[forgotten] noon" in each for each in texts)
    assert any("茶" in each for each in texts)
    assert 2 < len(texts) < len(chunks)
    assert store.counts_are_right()


async def test_dropped_chunks_are_added_again_but_not_those_of_what_has_gone(
    store: GroundStore,
) -> None:
    stays, goes = event("stays"), event("goes")
    chunks = chunks_of([stays, goes])
    await store.record(stays, goes, chunks=chunks)
    memory = row(stays.event_id, kind=MemoryKind.FACT)
    await store.memories.remember(ALICE, memory, OF_MEMORIES, None, now=NOW)
    dropped, revision = await store.events.drop_chunks(ALICE, now=NOW)
    assert dropped == 2
    assert store.counts_of()[:2] == (1, 0)
    assert store.count("memory_tombstones", "is_chunk") == 2
    await store.forget([goes.event_id])
    added = await store.events.add_chunks(ALICE, chunks, revision, now=NOW)
    assert added == revision + 2
    left = {found[0] for found in store.rows("select memory_id from memories where kind >= 16")}
    assert left == {chunks[0].memory.memory_id}
    assert await store.events.add_chunks(ALICE, chunks, revision, now=NOW) == added + 1
    assert store.count("memories") == 2
    assert store.counts_are_right()
