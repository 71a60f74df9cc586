"""Events of a file that an earlier run has recorded."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from camillo.v1.actor_pb2 import EVENT_KIND_MESSAGE
from camillo.v1.event_pb2 import Event, NewEvent
from camillo_cli.ingest.known_events import KnownEvents
from camillo_client import new_event, tool_result, workflow_step

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)


def text_event(text: str = "", at: datetime | None = NOON, **fields: Any) -> NewEvent:
    """An event as the server tells it: with its kind."""
    event = new_event(text or None, occurred_at=at, **{"session_id": "s", "actor": "human:a", **fields})
    event.kind = event.kind or EVENT_KIND_MESSAGE
    return event


def known(*stored: NewEvent) -> KnownEvents:
    return KnownEvents(lambda session, tag: recorded(stored, session))


def recorded(stored: tuple[NewEvent, ...], session: str) -> Iterator[Event]:
    return (Event(stated=each) for each in stored if each.session_id == session)


def test_each_recorded_event_stands_for_one_of_the_file() -> None:
    events = known(text_event("ok"), text_event("ok", NOON + timedelta(seconds=9)))
    assert events.take(text_event("ok", NOON + timedelta(seconds=9)), "file:a")
    assert not events.take(text_event("ok", NOON + timedelta(seconds=9)), "file:a")
    assert events.take(text_event("ok"), "file:a")
    assert not events.take(text_event("ok"), "file:a")


def test_another_text_speaker_session_or_time_is_another_event() -> None:
    events = known(text_event("ok"))
    for other in (
        text_event("no"),
        text_event("ok", actor="agent:a"),
        text_event("ok", session_id="t"),
        text_event("ok", NOON + timedelta(seconds=1)),
    ):
        assert not events.take(other, "file:a")
    assert events.take(text_event("ok"), "file:a")


def test_equal_times_may_have_been_moved_apart_by_another_amount() -> None:
    events = known(*(text_event("ok", NOON + timedelta(milliseconds=n)) for n in range(3)))
    taken = [events.take(text_event("ok", NOON + timedelta(milliseconds=n + 1)), "") for n in range(4)]
    assert taken == [True, True, True, False]


def test_an_event_without_a_time_was_recorded_at_any() -> None:
    events = known(text_event("ok", NOON))
    assert events.take(text_event("ok", None), "file:a")
    assert not events.take(text_event("ok", None), "file:a")


def test_what_the_server_changes_is_recognized() -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    whole = "".join(f"line {number}\n" for number in range(20_000))
    begin = whole[: whole.rindex("\n", 0, 64 * 1024) + 1]
    lines = (1, begin.count("\n"))
    stored = tool_result("run", begin, call_id="1", artifact_id="art_x", lines=lines)
    stored.truncated = True
    events = known(text_event("the token is [redacted: github-pat]"), text_event(actor="tool:run", tool_result=stored))
    assert events.take(text_event(f"the token is {secret}"), "file:a")
    result = tool_result("run", whole, call_id="1")
    assert events.take(text_event(actor="tool:run", tool_result=result), "file:a")


def test_a_step_whose_output_is_an_artifact_is_known_by_its_beginning() -> None:
    output = "line\n" * 20_000
    stored = text_event(workflow_step=workflow_step("nightly", "load", output[: 64 * 1024]))
    stored.workflow_step.output = output[: 64 * 1024 // 5 * 5]
    stored.workflow_step.truncated, stored.workflow_step.artifact_id = True, "log_1"
    events = known(stored)
    assert not events.take(text_event(workflow_step=workflow_step("nightly", "load", "line\n")), "")
    assert events.take(text_event(workflow_step=workflow_step("nightly", "load", output)), "file:a")


def test_a_placeholder_stands_for_one_word_or_a_key() -> None:
    stored = text_event("token [redacted: github-pat], key [redacted: private-key] end")
    key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----"
    for other in ("token a b, key c end", "token , key c end", f"token a, key {key} en"):
        assert not known(stored).take(text_event(other), "")
    assert known(stored).take(text_event(f"token ghp_a1b2c3d4e5f6g7h8i9, key {key} end"), "")
    # A file that was exported from the server has the placeholders themselves.
    assert known(stored).take(text_event(stored.text), "")


def test_a_placeholder_at_either_end_is_recognized() -> None:
    for text in ("[redacted: a]", "a ****", "**** a", "x [redacted] [redacted]"):
        said = text.replace("[redacted: a]", "s3cret-of-ada").replace("[redacted]", "s3cret-of-kim")
        assert known(text_event(text)).take(text_event(said.replace("****", "pass")), ""), text
        assert not known(text_event(text)).take(text_event("other"), ""), text
