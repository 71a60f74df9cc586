"""Recording: secrets, refs, long outputs, order, and requests that come twice."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from camillo_server.features.events.event import (
    EXCERPT_BYTES,
    Event,
    EventDraft,
    EventFilter,
    JsonContent,
    ToolResultContent,
)
from camillo_server.features.events.record_events import Recorded, RecordedEvent, RecordEvents
from camillo_server.kernel.errors import DomainError, InvalidField, RefNotFound, invalid_field
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.lib.redaction.redaction import Redactor

from tests.postgres_fixtures import TestDatabase
from tests.secret_samples import samples
from tests.storage.context.ground_store import ALICE, BOB, NOW, GroundStore, event, ground_store
from tests.unit.events.samples import draft_of, result_of

PAT = samples(5)["github-pat"]
LONG = "line of 茶\n" * 10_000


@dataclass
class FixedClock:
    at: datetime = NOW

    def now(self) -> datetime:
        return self.at


@dataclass
class OutputsInMemory:
    """The texts of long outputs by the ids of their artifacts."""

    texts: dict[str, str] = field(default_factory=dict)
    of_request: dict[RequestKey, str] = field(default_factory=dict)

    async def store(self, scope: Scope, draft: EventDraft, text: str, request: RequestKey | None) -> str:
        if request is not None and request in self.of_request:
            return self.of_request[request]
        artifact_id = f"output_{len(self.texts)}"
        self.texts[artifact_id] = text
        if request is not None:
            self.of_request[request] = artifact_id
        return artifact_id


class Recording:
    """The use case over Postgres; of artifacts, only their texts."""

    def __init__(self, store: GroundStore) -> None:
        self.store = store
        self.outputs = OutputsInMemory()
        self.clock = FixedClock()
        self.record = RecordEvents(store.events, store.refs, self.outputs.store, Redactor(), self.clock)

    async def __call__(self, *drafts: EventDraft | DomainError, request_id: str = "") -> Recorded:
        request = RequestKey(request_id, bytes(32)) if request_id else None
        return await self.record(ALICE, drafts, request)

    async def cited(self) -> str:
        """The id of an event that others may cite."""
        cited = event()
        await self.store.record(cited, chunks=())
        return str(cited.event_id)

    async def events(self) -> Sequence[Event]:
        page = await self.store.reader.page(ALICE, EventFilter(), None, 1_000, newest_first=False)
        return page.events

    def chunks(self) -> list[tuple[Any, ...]]:
        """Texts and refs."""
        return self.store.rows(
            "select content, source_refs from memories where kind >= 16 order by occurred_at, memory_id"
        )


@pytest.fixture
async def recording(database: TestDatabase) -> AsyncIterator[Recording]:
    async with ground_store(database) as store:
        yield Recording(store)


def stored(recorded: Recorded) -> list[RecordedEvent]:
    return [each for each in recorded.results if isinstance(each, RecordedEvent)]


async def test_events_are_recorded_in_order_whatever_the_clock_does(recording: Recording) -> None:
    drafts = [draft_of(f"turn {n} 茶") for n in range(300)]
    first = await recording(*drafts)
    recording.clock.at = NOW - timedelta(days=1)
    second = await recording(draft_of("later, says the order"))
    events = (await recording.events())[:300]
    assert [event.content for event in events] == [draft.content for draft in drafts]
    ids = [each.event_id for each in stored(first)]
    assert ids == sorted(ids)
    assert len(set(ids)) == 300
    assert second.revision == first.revision + 1
    times = [event.occurred_at for event in events]
    assert times == sorted(set(times))


async def test_an_event_that_cannot_be_stored_fails_alone(recording: Recording) -> None:
    broken = invalid_field("events[1].session_id", "must have at least 1 character")
    known = await recording.cited()
    lost = replace(draft_of("cites"), refs=(known, "gone", "gone too"))
    good = replace(draft_of("cites as well"), refs=(known,))
    recorded = await recording(draft_of("a"), broken, lost, good)
    first, second, third, fourth = recorded.results
    assert isinstance(first, RecordedEvent)
    assert isinstance(fourth, RecordedEvent)
    assert second is broken
    assert isinstance(third, RefNotFound)
    assert third.ref == "gone"
    assert [event.index for event in (await recording.events())[1:]] == [0, 1]


async def test_nothing_is_written_if_all_fail(recording: Recording) -> None:
    lost = replace(draft_of(result_of(LONG)), refs=("gone",))
    recorded = await recording(lost, invalid_field("events[1]", "is empty"))
    assert recorded.revision == 0
    assert [type(each) for each in recorded.results] == [RefNotFound, InvalidField]
    assert recording.store.committed == []
    # Outputs that an event put out are not kept either if it fails.
    assert recording.outputs.texts == {}
    with pytest.raises(RefNotFound):
        await recording.record.one(ALICE, lost, None)


async def test_secrets_are_gone_before_anything_is_made_of_an_event(recording: Recording) -> None:
    content = JsonContent({"url": {"x": [f"key {PAT}", 3.0]}, "茶": "plain"})
    recorded = await recording(draft_of(f"my key is {PAT}"), draft_of(content), draft_of("plain"))
    fields = [[each.field for each in event.redactions] for event in stored(recorded)]
    assert fields == [["content.text"], ["content.json.url.x[0]"], []]
    texts = [text for text, _ in recording.chunks()]
    assert len(texts) == 3
    assert not any(PAT in text for text in texts)
    events = repr(await recording.events())
    assert PAT not in events
    assert "plain" in events


async def test_a_long_output_is_an_excerpt_and_an_artifact_without_its_secrets(recording: Recording) -> None:
    # A secret where the excerpt ends: one that is cut first would leave its halves.
    before = "x" * (EXCERPT_BYTES - 12)
    recorded = await recording(draft_of(result_of(f"{before}\n{PAT}\n{LONG}")), draft_of(result_of("short\nanswer")))
    (long, short) = stored(recorded)
    assert long.artifact_id == "output_0"
    assert short.artifact_id == ""
    contents = [event.content for event in await recording.events()]
    assert all(isinstance(content, ToolResultContent) for content in contents)
    excerpt, whole = contents[0], recording.outputs.texts["output_0"]
    assert isinstance(excerpt, ToolResultContent)
    assert excerpt.truncated
    assert (excerpt.first_line, excerpt.last_line) == (1, 1)
    assert whole.startswith(excerpt.excerpt_text)
    assert LONG in whole
    assert PAT[:8] not in whole + excerpt.excerpt_text
    origins = [refs for _, refs in recording.chunks()]
    assert origins[0] == [str(long.event_id), "output_0"]
    assert origins[-1] == [str(short.event_id)]


async def test_a_repeat_is_told_the_first_answer_and_stores_nothing(recording: Recording) -> None:
    later = event()
    lost = replace(draft_of("cites"), refs=(str(later.event_id),))
    drafts = (draft_of(result_of(LONG)), lost, draft_of("a long talk about tea. " * 200))
    first = await recording(*drafts, request_id="r1")
    await recording.store.record(later, chunks=())
    recording.clock.at = NOW + timedelta(hours=1)
    again = await recording(*drafts, request_id="r1")
    assert stored(again) == stored(first)
    assert len(stored(first)[1].chunk_ids) > 2
    assert isinstance(again.results[1], RefNotFound)
    assert again.revision == first.revision
    assert len(recording.outputs.texts) == 1
    other = await recording(*drafts, request_id="r2")
    assert len(stored(other)) == 3
    assert other.revision == first.revision + 2
    assert len(recording.outputs.texts) == 2


async def test_an_output_that_the_first_try_stored_is_not_stored_again(recording: Recording) -> None:
    await recording(draft_of(result_of(LONG)), request_id="r1")
    # In another scope, as if it had been broken off before the event was written.
    request = RequestKey("r1", bytes(32))
    again = await recording.record(BOB, [draft_of(result_of(LONG))], request)
    assert stored(again)[0].artifact_id == "output_0"
    assert recording.store.count("events") == 2
    assert len(recording.outputs.texts) == 1


async def test_an_artifact_of_the_callers_own_has_to_be_there(recording: Recording) -> None:
    # The id of anything that exists will do here.
    known = await recording.cited()
    mine = result_of("its beginning", truncated=True, artifact_id=known, last_line=1)
    recorded = await recording(draft_of(mine), draft_of(replace(mine, artifact_id="gone_log_1")))
    kept, lost = recorded.results
    assert isinstance(kept, RecordedEvent)
    assert kept.artifact_id == known
    assert isinstance(lost, RefNotFound)
    assert lost.ref == "gone_log_1"
    assert recording.outputs.texts == {}


async def test_others_get_their_turn_while_many_are_recorded(recording: Recording) -> None:
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    waiting = asyncio.create_task(others())
    await recording(draft_of("tea"))
    few = turns
    await recording(*[draft_of("tea and more tea " * 10)] * 400)
    assert turns - few > 20
    waiting.cancel()
