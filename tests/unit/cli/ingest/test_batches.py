"""Events on their way: what a batch holds, what it is called, and which are under way together."""

import threading
from collections.abc import Iterable

import pytest
from camillo_cli.ingest import batches as ingest_batches
from camillo_cli.ingest.batches import MessageBatch, Outcome, batches, send_all
from camillo_cli.ingest.records import Broken, Location, ParsedEvent, Part, ToolCall

from tests.patience import PATIENCE_SECONDS

# Far more than any test takes, so that one that hangs fails.


def event(number: int, session: str = "s", text: str = "") -> ParsedEvent:
    place = Location("log.jsonl", f"line {number + 1}")
    return ParsedEvent(session, "human", "ada", "message", text or f"text {number}", place)


def packed(parts: Iterable[Part]) -> tuple[list[MessageBatch], list[Broken]]:
    broken: list[Broken] = []
    return list(batches(parts, broken.append)), broken


def texts(found: list[MessageBatch]) -> list[list[str]]:
    return [[each.text for each in batch.events] for batch in found]


def test_batches_hold_all_events_in_order_and_no_more_than_they_may() -> None:
    found, _ = packed(event(number) for number in range(1100))
    assert [len(batch.events) for batch in found] == [500, 500, 100]
    taken = [text for batch in texts(found) for text in batch]
    assert taken == [f"text {number}" for number in range(1100)]
    assert str(found[1].locations[0]) == "log.jsonl, line 501"


def test_large_events_make_batches_small() -> None:
    found, _ = packed(event(number, text="é" * 500_000) for number in range(4))
    assert [len(batch.events) for batch in found] == [3, 1]
    assert all(batch.size_bytes <= ingest_batches.MAX_BYTES for batch in found)


def test_a_batch_with_enough_in_it_ends_where_a_session_does() -> None:
    sessions = ["a"] * 200 + ["b"] * 100 + ["c"] * 100
    found, _ = packed(event(number, session) for number, session in enumerate(sessions))
    assert [batch.sessions() for batch in found] == [{"a", "b"}, {"c"}]


def test_what_cannot_be_sent_is_told_and_the_others_go_on() -> None:
    deep: object = 1
    for _ in range(40):
        deep = [deep]
    call = ToolCall("f", "", {"x": deep})
    unreadable = Broken(Location("log.jsonl", "line 9"), "is not JSON (Expecting value)")
    parts: list[Part] = [
        event(0, text="x" * (1024 * 1024 + 1)),
        ParsedEvent("s", "agent", "coder", "tool_call", call, Location("log.jsonl", "line 2")),
        unreadable,
        event(3),
    ]
    found, broken = packed(parts)
    assert texts(found) == [["text 3"]]
    assert [each.location.position for each in broken] == ["line 1", "line 2", "line 9"]
    assert "1,048,576" in broken[0].reason
    assert broken[1].reason == "its JSON is more than 32 levels deep"
    assert broken[2] is unreadable


def test_what_is_known_is_not_sent() -> None:
    found = list(batches((event(n) for n in range(600)), lambda _: None, is_known=lambda e: "5" in e.text))
    assert [text for batch in texts(found) for text in batch] == [f"text {n}" for n in range(600) if "5" not in str(n)]
    assert list(batches([event(0)], lambda _: None, is_known=lambda _: True)) == []


def batch_of(session: str) -> MessageBatch:
    [batch] = packed([event(0, session)])[0]
    return batch


@pytest.mark.parametrize(("sessions", "is_together"), [(("a", "b"), True), (("a", "a"), False)])
def test_batches_are_under_way_together_unless_a_session_is_in_both(
    sessions: tuple[str, str], is_together: bool
) -> None:
    first, second = map(batch_of, sessions)
    has_begun = threading.Event()
    seen: list[bool] = []

    def send(batch: MessageBatch) -> Outcome:
        if batch is second:
            has_begun.set()
        else:
            seen.append(has_begun.wait(PATIENCE_SECONDS if is_together else 0.2))
        return Outcome(batch, None)

    assert [outcome.batch for outcome in send_all([first, second], send)] == [first, second]
    assert has_begun.is_set()
    assert seen == [is_together]


def test_no_more_than_two_batches_are_under_way() -> None:
    taken: list[str] = []

    def waiting() -> Iterable[MessageBatch]:
        for name in "abcdef":
            taken.append(name)
            yield batch_of(name)

    outcomes = send_all(waiting(), lambda batch: Outcome(batch, None))
    next(iter(outcomes))
    assert taken == ["a", "b", "c"]
    assert len(list(outcomes)) == 5


def test_a_failed_batch_ends_the_sending() -> None:
    asked: list[str] = []

    def send(batch: MessageBatch) -> Outcome:
        [session] = batch.sessions()
        asked.append(session)
        if session == "b":
            raise ConnectionError
        return Outcome(batch, None)

    done = []
    with pytest.raises(ConnectionError):
        done += [outcome.batch for outcome in send_all(map(batch_of, "abcdef"), send)]
    assert "f" not in asked
    assert asked[:2] == ["a", "b"] or asked[:2] == ["b", "a"]
