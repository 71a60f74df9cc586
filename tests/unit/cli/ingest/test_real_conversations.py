"""Real chats and trajectories, where they are at hand: nothing of them is broken, nothing is lost."""

import json
from collections import Counter
from pathlib import Path

import pytest
from camillo_cli.ingest.documents import Format
from camillo_cli.ingest.reading import Origin, read_conversations
from camillo_cli.ingest.records import ParsedEvent, ToolCall, ToolResult

DATA = Path(__file__).parents[4] / "shared" / "data"


def from_data(name: str) -> tuple[Format, list[ParsedEvent]]:
    """The format and the events of a file of real conversations, which has nothing broken in it."""
    path = DATA / name
    if not path.exists():
        pytest.skip("the real conversations are not at hand")
    with path.open("rb") as file:
        found = read_conversations(file, Origin(name, path.stem))
        assert found is not None
        parts = list(found.parts)
    events = [part for part in parts if isinstance(part, ParsedEvent)]
    assert len(events) == len(parts)
    return found.format, events


@pytest.mark.parametrize("number", range(5))
def test_every_message_of_a_real_chat_has_its_time_and_its_place(number: int) -> None:
    name = f"locomo-dev/{number:02}.json"
    form, events = from_data(name)
    messages = json.loads((DATA / name).read_text())["messages"]
    assert form is Format.CHAT
    assert [event.content for event in events] == [message["text"] for message in messages]
    assert {event.actor_type for event in events} == {"human"}
    times = [event.occurred_at for event in events if event.occurred_at is not None]
    assert len(times) == len(messages)
    assert times == sorted(set(times))


@pytest.mark.parametrize("name", ["eps", "6e44b9__sweagenttestrepo-1c2844", "function_calling_simple"])
def test_every_command_of_a_real_trajectory_has_its_result(name: str) -> None:
    form, events = from_data(f"trajectories/{name}.traj")
    assert form is Format.SWE_AGENT
    calls = [event.content for event in events if isinstance(event.content, ToolCall)]
    results = [event.content for event in events if isinstance(event.content, ToolResult)]
    assert calls
    assert {(call.tool, call.call_id) for call in calls} == {(result.tool, result.call_id) for result in results}


def test_the_runs_of_a_real_result_file_are_sessions_of_their_own() -> None:
    form, events = from_data("trajectories/tau-airline-60.json")
    assert form is Format.TAU_BENCH
    assert len({event.session_id for event in events}) == 60
    assert Counter(event.kind for event in events) == {"message": 1004, "tool_call": 361, "tool_result": 361}
