"""Messages of chat APIs and logs become events."""

from typing import Any

from camillo_cli.ingest.records import ToolCall, ToolResult
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.unit.cli.ingest.reading_text import events_of, read, told


@each_case(
    ("role", "speaker"),
    [
        ("user", "human:user"),
        ("Human", "human:Human"),
        ("assistant", "agent:assistant"),
        ("model", "agent:model"),
        ("system", "system:system"),
        ("developer", "system:developer"),
        ("Caroline", "human:Caroline"),
        ("李雷", "human:李雷"),
    ],
)
def test_a_role_says_who_speaks_and_any_other_name_is_a_person(role: str, speaker: str) -> None:
    assert told(events_of([{"role": role, "content": "hi"}])) == [(speaker, "message", "hi")]


def test_a_name_beside_the_role_is_who_it_was() -> None:
    [event] = events_of([{"role": "user", "name": "ada", "content": "hi"}])
    assert (event.actor_type, event.actor_id) == ("human", "ada")


@each_case(
    "message",
    [
        {"role": "user", "content": "hi"},
        {"role": "user", "content": [{"type": "text", "text": "hi"}]},
        {"role": "user", "content": {"parts": ["hi"]}},
        {"speaker": "user", "text": "hi"},
        {"from": "user", "value": "hi"},
        {"author": {"role": "user"}, "content": "hi"},
        {"type": "user", "message": {"role": "user", "content": "hi"}},
    ],
)
def test_one_message_has_many_spellings(message: dict[str, Any]) -> None:
    assert told(events_of([message])) == [("human:user", "message", "hi")]


def test_a_call_and_its_result_know_each_other() -> None:
    call = {"id": "c1", "function": {"name": "read", "arguments": '{"path": "a.py", "n": 1}'}}
    events = events_of(
        [
            {"role": "assistant", "content": "I look.", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": "x = 1"},
        ]
    )
    assert told(events) == [
        ("agent:assistant", "message", "I look."),
        ("agent:assistant", "tool_call", ToolCall("read", "c1", {"path": "a.py", "n": 1})),
        ("tool:read", "tool_result", ToolResult("read", "c1", "x = 1", "a.py")),
    ]


def test_blocks_are_events_in_their_order() -> None:
    asked = {"type": "tool_use", "id": "t1", "name": "search", "input": {"q": "茶"}}
    result = {"type": "tool_result", "tool_use_id": "t1", "is_error": True}
    events = events_of(
        [
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "perhaps", "signature": "s"},
                    {"type": "text", "text": "one"},
                    {"type": "text", "text": "two"},
                    asked,
                    {"type": "text", "text": "three"},
                ],
            },
            {
                "role": "user",
                "content": [
                    {**result, "content": [{"type": "text", "text": "no"}, {"type": "image"}]},
                    {"type": "text", "text": "thanks"},
                ],
            },
        ]
    )
    assert told(events) == [
        ("agent:assistant", "message", "perhaps"),
        ("agent:assistant", "message", "one\ntwo"),
        ("agent:assistant", "tool_call", ToolCall("search", "t1", {"q": "茶"})),
        ("agent:assistant", "message", "three"),
        ("tool:search", "tool_result", ToolResult("search", "t1", "no\n[image]", is_error=True)),
        ("human:user", "message", "thanks"),
    ]
    assert [event.tags for event in events][:2] == [("thinking",), ()]


def test_items_of_the_responses_api_are_events() -> None:
    events = events_of(
        [
            {"role": "user", "content": [{"type": "input_text", "text": "weather?"}]},
            {"type": "reasoning", "summary": [{"type": "summary_text", "text": "I ask."}]},
            {"type": "function_call", "name": "weather", "arguments": "{}", "call_id": "c"},
            {"type": "function_call_output", "call_id": "c", "output": '{"c": 21}'},
        ]
    )
    assert told(events) == [
        ("human:user", "message", "weather?"),
        ("agent:assistant", "message", "I ask."),
        ("agent:assistant", "tool_call", ToolCall("weather", "c", {})),
        ("tool:weather", "tool_result", ToolResult("weather", "c", '{"c": 21}')),
    ]


def test_arguments_that_are_no_object_are_kept_under_a_name() -> None:
    calls = [{"id": str(i), "function": {"name": "f", "arguments": a}} for i, a in enumerate(BAD)]
    events = events_of([{"role": "assistant", "tool_calls": calls}])
    found = [event.content.arguments for event in events if isinstance(event.content, ToolCall)]
    assert found == [{"input": "{broken"}, {"input": [1]}, {}, {}]


BAD = ("{broken", "[1]", "", None)


def test_a_picture_stands_by_its_name_and_a_document_by_its_text() -> None:
    source = {"type": "text", "data": "inside"}
    blocks = [
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
        {"type": "document", "title": "plan.txt", "source": source},
        {"type": "something_new"},
    ]
    [event] = events_of([{"role": "user", "content": blocks}])
    assert event.content == "[image]\nplan.txt\ninside\n[something_new]"


def test_a_message_without_content_is_no_event_and_no_failure() -> None:
    messages = [
        {"role": "assistant", "content": None},
        {"role": "user", "content": " \n"},
        {"role": "user", "content": "here"},
    ]
    assert told(events_of(messages)) == [("human:user", "message", "here")]


def test_a_message_of_nobody_is_broken_and_the_others_go_on() -> None:
    events, broken = read('[{"role": "user", "content": "a"}, {"content": "b"}, 7]')
    assert told(events) == [("human:user", "message", "a")]
    assert [str(each.location) for each in broken] == ["log.json, messages[1]", "log.json, messages[2]"]
    assert [each.reason for each in broken] == ["names nobody who said it", "is not a JSON object"]


def test_results_of_two_calls_are_not_mixed_up() -> None:
    calls = [{"id": i, "function": {"name": f"f{i}", "arguments": "{}"}} for i in ("1", "2")]
    messages = [
        {"role": "assistant", "tool_calls": calls},
        {"role": "tool", "tool_call_id": "2", "content": "b"},
        {"role": "tool", "tool_call_id": "1", "content": "a"},
        {"role": "tool", "tool_call_id": "3", "content": "c"},
    ]
    results = [event.content for event in events_of(messages) if event.kind == "tool_result"]
    assert results == [ToolResult("f2", "2", "b"), ToolResult("f1", "1", "a"), ToolResult("tool", "3", "c")]


@given(st.text(alphabet=st.characters(codec="utf-8"), min_size=1).filter(str.strip))
def test_text_of_any_script_comes_through_as_it_is(text: str) -> None:
    [event] = events_of([{"role": "user", "content": text}])
    assert event.content == text
