"""Recording: secrets, refs, long outputs, order, and requests that come twice."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from camillo_server.events.event import EXCERPT_BYTES, EventDraft, JsonContent, ToolResultContent
from camillo_server.events.record_events import (
    EventMaking,
    Recorded,
    RecordedEvent,
    RecordEvent,
    RecordEvents,
)
from camillo_server.events.tool_results import NormalizeToolResult
from camillo_server.kernel.errors import DomainError, InvalidField, RefNotFound, invalid_field
from camillo_server.kernel.writes import RequestKey
from camillo_server.redaction.redactor import SecretRedactor

from tests.secret_samples import samples
from tests.unit.events.events_in_memory import EventsInMemory, KnownRefs, OutputsInMemory
from tests.unit.events.samples import MOMENT, SCOPE, draft_of, result_of

PAT = samples(5)["github-pat"]
LONG = "line of 茶\n" * 10_000


class Told:
    """A clock that says what it is told to."""

    at = MOMENT

    def now(self) -> datetime:
        return self.at


class Recording:
    """All that recording needs, in memory."""

    def __init__(self) -> None:
        self.events = EventsInMemory()
        self.refs = KnownRefs({"known", "whole_log_1"})
        self.outputs = OutputsInMemory()
        self.clock = Told()
        normalize = NormalizeToolResult(self.outputs)
        self.making = EventMaking(self.refs, normalize, SecretRedactor())

    async def __call__(self, *drafts: EventDraft | DomainError, request_id: str = "") -> Recorded:
        request = RequestKey(request_id, bytes(32)) if request_id else None
        return await self.record(SCOPE, drafts, request)

    @property
    def record(self) -> RecordEvents:
        return RecordEvents(self.events, self.making, self.clock)


def stored(recorded: Recorded) -> list[RecordedEvent]:
    return [each for each in recorded.results if isinstance(each, RecordedEvent)]


async def test_events_are_recorded_in_order_whatever_the_clock_does() -> None:
    recording = Recording()
    drafts = [draft_of(f"turn {n} 茶") for n in range(300)]
    first = await recording(*drafts)
    recording.clock.at = MOMENT - timedelta(days=1)
    second = await recording(draft_of("later, says the order"))
    assert [event.content for event in recording.events.events[:300]] == [d.content for d in drafts]
    ids = [each.event_id for each in stored(first)]
    assert ids == sorted(ids)
    assert len(set(ids)) == 300
    assert (first.revision, second.revision) == (1, 2)
    times = [event.occurred_at for event in recording.events.events[:300]]
    assert times == sorted(set(times))


async def test_an_event_that_cannot_be_stored_fails_alone() -> None:
    recording = Recording()
    broken = invalid_field("events[1].session_id", "must have at least 1 character")
    lost = replace(draft_of("cites"), refs=("known", "gone", "gone too"))
    good = replace(draft_of("cites as well"), refs=("known",))
    recorded = await recording(draft_of("a"), broken, lost, good)
    first, second, third, fourth = recorded.results
    assert isinstance(first, RecordedEvent)
    assert isinstance(fourth, RecordedEvent)
    assert second is broken
    assert isinstance(third, RefNotFound)
    assert third.ref == "gone"
    assert [event.place for event in recording.events.events] == [0, 1]
    assert recording.refs.asked == [("known", "gone", "gone too")]


async def test_nothing_is_written_if_all_fail() -> None:
    recording = Recording()
    lost = replace(draft_of(result_of(LONG)), refs=("gone",))
    recorded = await recording(lost, invalid_field("events[1]", "is empty"))
    assert recorded.revision == 0
    assert [type(each) for each in recorded.results] == [RefNotFound, InvalidField]
    assert recording.events.revision == 0
    # What an event that fails put out is not kept either.
    assert recording.outputs.texts == {}
    with pytest.raises(RefNotFound):
        await RecordEvent(recording.record)(SCOPE, lost, None)


async def test_secrets_are_gone_before_anything_is_made_of_an_event() -> None:
    recording = Recording()
    content = JsonContent({"url": {"x": [f"key {PAT}", 3.0]}, "茶": "plain"})
    recorded = await recording(draft_of(f"my key is {PAT}"), draft_of(content), draft_of("plain"))
    fields = [[each.field for each in event.redactions] for event in stored(recorded)]
    assert fields == [["content.text"], ["content.json.url.x[0]"], []]
    texts = [row.memory.content for row in recording.events.chunks.values()]
    assert len(texts) == 3
    assert not any(PAT in text for text in texts)
    assert PAT not in repr(recording.events.events)
    assert "plain" in repr(recording.events.events)


async def test_a_long_output_is_an_excerpt_and_an_artifact_without_its_secrets() -> None:
    recording = Recording()
    # A secret where the excerpt ends: one that is cut first would leave its halves.
    before = "x" * (EXCERPT_BYTES - 12)
    recorded = await recording(
        draft_of(result_of(f"{before}\n{PAT}\n{LONG}")), draft_of(result_of("short\nanswer"))
    )
    (long, short) = stored(recorded)
    assert long.artifact_id == "output_0"
    assert short.artifact_id == ""
    contents = [event.content for event in recording.events.events]
    assert all(isinstance(content, ToolResultContent) for content in contents)
    excerpt, whole = contents[0], recording.outputs.texts["output_0"]
    assert isinstance(excerpt, ToolResultContent)
    assert excerpt.truncated
    assert (excerpt.first_line, excerpt.last_line) == (1, 1)
    assert whole.startswith(excerpt.excerpt_text)
    assert LONG in whole
    assert PAT[:8] not in whole + excerpt.excerpt_text
    origins = [row.memory.source_refs for row in recording.events.chunks.values()]
    assert origins[0] == (str(long.event_id), "output_0")
    assert origins[-1] == (str(short.event_id),)


async def test_a_repeat_is_told_the_first_answer_and_stores_nothing() -> None:
    recording = Recording()
    lost = replace(draft_of("cites"), refs=("not yet",))
    drafts = (draft_of(result_of(LONG)), lost, draft_of("a long talk about tea. " * 200))
    first = await recording(*drafts, request_id="r1")
    recording.refs.known.add("not yet")
    recording.clock.at = MOMENT + timedelta(hours=1)
    again = await recording(*drafts, request_id="r1")
    assert stored(again) == stored(first)
    assert len(stored(first)[1].chunk_ids) > 2
    assert isinstance(again.results[1], RefNotFound)
    assert again.revision == first.revision
    assert len(recording.outputs.texts) == 1
    other = await recording(*drafts, request_id="r2")
    assert len(stored(other)) == 3
    assert other.revision == 2
    assert len(recording.outputs.texts) == 2


async def test_an_output_that_the_first_try_stored_is_not_stored_again() -> None:
    recording = Recording()
    await recording(draft_of(result_of(LONG)), request_id="r1")
    # As if it had been broken off before the event was written.
    recording.events = EventsInMemory()
    recording.record._writer = recording.events
    again = await recording(draft_of(result_of(LONG)), request_id="r1")
    assert stored(again)[0].artifact_id == "output_0"
    assert recording.events.revision == 1
    assert len(recording.outputs.texts) == 1


async def test_an_artifact_of_the_callers_own_has_to_be_there() -> None:
    recording = Recording()
    mine = result_of("its beginning", truncated=True, artifact_id="whole_log_1", last_line=1)
    recorded = await recording(draft_of(mine), draft_of(replace(mine, artifact_id="gone_log_1")))
    kept, lost = recorded.results
    assert isinstance(kept, RecordedEvent)
    assert kept.artifact_id == "whole_log_1"
    assert isinstance(lost, RefNotFound)
    assert lost.ref == "gone_log_1"
    assert recording.outputs.texts == {}


async def test_others_get_their_turn_while_many_are_recorded() -> None:
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    recording = Recording()
    waiting = asyncio.create_task(others())
    await recording(draft_of("tea"))
    few = turns
    await recording(*[draft_of("tea and more tea " * 10)] * 400)
    assert turns - few > 20
    waiting.cancel()
