"""Arguments of tools in the forms that clients and models send them."""

from typing import Any

import pytest
from camillo_server.doors.gateway.mcp.arguments import moment, read_arguments
from camillo_server.doors.gateway.mcp.offers import PROFILES, tools_of
from camillo_server.doors.gateway.mcp.tool import ToolRefused

TOOLS = {**tools_of("standard"), **tools_of("designs")}

UNDERSTOOD: list[tuple[str, Any, dict[str, Any]]] = [
    ("remember", {"content": "x", "tags": '["home", "工作"]'}, {"tags": ["home", "工作"]}),
    ("remember", {"content": "x", "tags": "home"}, {"tags": ["home"]}),
    ("remember", {"content": "x", "tags": [7]}, {"tags": ["7"]}),
    ("remember", {"content": "x", "tag": "home"}, {"tags": ["home"]}),
    ("remember", {"content": 42}, {"content": "42"}),
    ("remember", {"content": "x", "importance": "0.8"}, {"importance": 0.8}),
    ("remember", {"content": "x", "kind": "Task Outcome"}, {"kind": "task_outcome"}),
    ("remember", {"content": "x", "kind": "MEMORY_KIND_FACT"}, {"kind": "fact"}),
    ("remember", {"content": "x", "kind": "taskOutcome"}, {"kind": "task_outcome"}),
    ("record_event", {"content": "x", "kind": "EVENT_KIND_TOOL_RESULT"}, {"kind": "tool_result"}),
    ("forget", {"ids": '"one"'}, {"ids": ["one"]}),
    ("recall", {"query": "x", "limit": "3"}, {"limit": 3}),
    ("recall", {"query": "x", "limit": 3.0}, {"limit": 3}),
    ("recall", {"query": "x", "limit": " 3.0 "}, {"limit": 3}),
    ("recall", {"query": "x", "maxTokens": "500"}, {"max_tokens": 500}),
    ("recall", {"query": "null"}, {"query": "null"}),
    ("read", {"ref": "r", "grep": "null"}, {"grep": "null"}),
    ("forget", {"ids": "one", "dry_run": "False"}, {"ids": ["one"], "dry_run": False}),
    ("forget", {"ids": ["one"], "dryRun": 0}, {"dry_run": False}),
    ("recall", '{"query": "x"}', {"query": "x"}),
    (
        "memory.record_event",
        {"session_id": 5, "actor": '{"type": "human", "id": "k"}', "content": '{"text": "x"}'},
        {"session_id": "5", "actor": {"type": "human", "id": "k"}, "content": {"text": "x"}},
    ),
]
SLOT_CONTENTS: list[tuple[Any, Any]] = [
    ('{"type": "reminder"}', {"type": "reminder"}),
    ("[1, 2]", [1, 2]),
    ("null", None),
    (None, None),
    ('"dark"', "dark"),
    ("dark", "dark"),
    ("5", "5"),
    (5, 5),
    ("", ""),
    ("true", "true"),
    ("{not json", "{not json"),
]
REFUSED: list[tuple[str, Any, str]] = [
    ("recall", {}, "query is missing"),
    ("recall", {"query": None}, "query is missing"),
    ("recall", [], "query is missing"),
    ("recall", 7, "arguments must be an object"),
    ("recall", "no json", "arguments must be an object"),
    ("recall", {"query": ["x"]}, "query must be a text"),
    ("recall", {"query": True}, "query must be a text"),
    ("recall", {"query": "x", "limit": "three"}, "limit must be a whole number such as 5"),
    ("recall", {"query": "x", "limit": 2.5}, "limit must be a whole number"),
    ("recall", {"query": "x", "limit": True}, "limit must be a whole number"),
    ("recall", {"query": "x", "limit": "9" * 5000}, "limit must be a whole number"),
    ("recall", {"query": "x", "limit": "٣"}, "limit must be a whole number"),
    ("remember", {"content": "x", "importance": "NaN"}, "importance must be a number"),
    ("remember", {"content": "x", "tags": "a, b"}, 'send ["a", "b"]'),
    ("remember", {"content": "x", "tags": {"a": 1}}, "tags must be"),
    ("remember", {"content": "x", "tags": [["a"]]}, "tags must be"),
    ("remember", {"content": "x", "kind": "foo"}, "kind must be one of fact, preference"),
    ("remember", {"content": "\ud83d"}, "half of a character"),
    ("remember", {"content": "x", "tags": ["\ud83d"]}, "half of a character"),
    ("forget", {"ids": ["x"], "dry": "false"}, "there is no argument 'dry'"),
    ("forget", {"ids": ["x"], "dry_run": "perhaps"}, "dry_run must be true or false"),
]


def test_forms_with_one_meaning_are_understood() -> None:
    for tool, given, expected in UNDERSTOOD:
        read = read_arguments(TOOLS[tool], given)
        assert {name: read.values[name] for name in expected} == expected, given
        assert read.note(TOOLS[tool]) == ""


def test_json_text_of_a_slot_is_read_where_it_cannot_be_meant_as_a_text() -> None:
    for given, expected in SLOT_CONTENTS:
        arguments = {"key": "/a", "json_content": given, "source": "kim"}
        assert read_arguments(TOOLS["set_memory"], arguments).values["json_content"] == expected


def test_words_for_not_given_are_left_out_of_what_is_optional() -> None:
    for word in ("", " ", "null", "None", "undefined", None):
        optional = dict.fromkeys(("limit", "tags", "since", "max_tokens"), word)
        assert read_arguments(TOOLS["recall"], {"query": "x", **optional}).values == {"query": "x"}


def test_one_argument_more_is_told_and_does_no_harm() -> None:
    tool = TOOLS["remember"]
    read = read_arguments(tool, {"content": "x", "reason": "asked for"})
    assert read.values == {"content": "x"}
    assert read.note(tool).startswith("left out: remember takes no 'reason'; it takes content")
    slot = {"key": "/a", "json_content": 1, "source": "kim"}
    read = read_arguments(TOOLS["set_memory"], {**slot, "reason": "asked for"})
    assert (read.values, read.ignored) == (slot, ("reason",))


def test_what_has_no_or_two_meanings_is_refused_with_what_to_send() -> None:
    for tool, given, problem in REFUSED:
        with pytest.raises(ToolRefused, match="INVALID_ARGUMENTS") as refused:
            read_arguments(TOOLS[tool], given)
        assert problem in str(refused.value), given


def test_every_argument_of_every_tool_says_its_type() -> None:
    for profile in PROFILES:
        for tool in tools_of(profile).values():
            for name, schema in tool.arguments.items():
                assert schema.get("type"), f"{tool.name}.{name}"
                assert schema["type"] != "array" or schema["items"].get("type")


@pytest.mark.parametrize("value", ["never", "0000-01-01", "0001-01-01T00:00+14:00", "", "2026-13-01"])
def test_a_time_that_no_calendar_has_is_refused(value: str) -> None:
    with pytest.raises(ToolRefused, match="since must be a date such as"):
        moment("since", value)


def test_a_time_in_any_zone_is_read() -> None:
    assert moment("since", " 2026-11-19T19:00+11:00 ").ToJsonString() == "2026-11-19T08:00:00Z"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"query": "x"} | {f"名{n}": n for n in range(100)}, "at most 100 arguments"),
        ({"query": "x", "tags": "[" + "[]," * 50_000 + "[]]"}, "at most 40000 values"),
        ({"query": "x", "tags": "[" * 150 + "]" * 150}, "too deep"),
    ],
)
def test_arguments_have_bounds(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ToolRefused, match=said):
        read_arguments(TOOLS["recall"], given)
    assert read_arguments(TOOLS["recall"], {"query": "x"}).values == {"query": "x"}
