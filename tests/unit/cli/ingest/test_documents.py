"""JSON documents: which format they have, and which conversations they hold."""

import json
from typing import Any

import pytest
from camillo_cli.ingest.documents import Format
from camillo_cli.ingest.records import ToolCall, ToolResult, UnreadableConversation

from tests.cases import each_case
from tests.unit.cli.ingest.reading_text import events_of, reading_of, told

HI = {"role": "user", "content": "hi"}
RUN = {"task_id": 3, "trial": 1, "reward": 0.0, "traj": [HI]}


@each_case(
    ("document", "form", "sessions"),
    [
        ([HI, HI], Format.OPENAI, ["log"]),
        ({"messages": [HI]}, Format.OPENAI, ["log"]),
        ({"conversation_id": "c7", "messages": [HI]}, Format.OPENAI, ["c7"]),
        ([{"id": "a", "messages": [HI]}, {"messages": [HI]}], Format.OPENAI, ["a", "log/1"]),
        ({"system": "Be brief.", "messages": [HI]}, Format.ANTHROPIC, ["log"]),
        ([HI, {"role": "assistant", "content": [{"type": "tool_use", "name": "f"}]}], Format.ANTHROPIC, ["log"]),
        ({"history": [{"agent": "main", **HI}]}, Format.SWE_AGENT, ["log"]),
        ({"trajectory": [{"action": "ls", "observation": "a"}]}, Format.SWE_AGENT, ["log"]),
        ([RUN, {**RUN, "trial": 2}], Format.TAU_BENCH, ["log/task-3/trial-1", "log/task-3/trial-2"]),
        ({"simulations": [{"task_id": "t", "messages": [HI]}]}, Format.TAU_BENCH, ["log/task-t"]),
        ({"chat": 1, "messages": [{"role": "Ada", "text": "hi"}]}, Format.CHAT, ["log"]),
        ({"chat": "tea", "messages": [{"role": "Ada", "text": "hi"}]}, Format.CHAT, ["tea"]),
    ],
)
def test_a_document_is_known_by_its_content(document: Any, form: Format, sessions: list[str]) -> None:
    reading = reading_of(json.dumps(document, indent=1))
    assert reading is not None
    assert reading.format is form
    found = [event.session_id for event in events_of(document)]
    assert list(dict.fromkeys(found)) == sessions


@each_case(
    "content",
    [
        "",
        "Dear diary, {",
        "{}",
        "[]",
        "[1, 2]",
        '{"name": "package", "version": "1.0.0", "author": "Ada"}',
        '{"content": "a memory", "memory_id": "x"}\n{"content": "another", "memory_id": "y"}\n',
    ],
)
def test_what_is_no_conversation_is_told_so(content: str) -> None:
    assert reading_of(content) is None
    assert reading_of(json.dumps([HI])) is not None


def test_a_broken_document_names_the_line() -> None:
    with pytest.raises(UnreadableConversation, match=r"is not JSON \(line 3: "):
        reading_of('[\n {"role": "user", "content": "a"},\n {"role": }\n]')


def test_a_format_that_was_asked_for_has_to_fit() -> None:
    with pytest.raises(UnreadableConversation, match="no messages in the format swe-agent"):
        reading_of(json.dumps([HI]), Format.SWE_AGENT)
    assert reading_of(json.dumps([HI]), Format.OPENAI) is not None


def test_a_system_prompt_beside_the_messages_comes_first() -> None:
    document = {"system": [{"type": "text", "text": "Be brief."}], "messages": [HI]}
    assert told(events_of(document)) == [("system:system", "message", "Be brief."), ("human:user", "message", "hi")]


def test_a_history_without_tool_calls_has_them_in_its_actions() -> None:
    shown = "[File: /src/a.py (3 lines total)]\n1:x"
    document = {
        "history": [
            {"role": "system", "content": "SETTING", "agent": "main"},
            {"role": "user", "content": "demo", "agent": "main", "is_demo": True},
            {"role": "user", "content": "ISSUE", "agent": "main"},
            {"role": "assistant", "content": "Look.\n```\nopen a.py\n```", "thought": "Look.",
             "action": "open a.py\n", "agent": "main"},
            {"role": "user", "content": shown, "agent": "main"},
            {"role": "assistant", "content": "```\nsubmit\n```", "thought": "\n",
             "action": "submit\n", "agent": "main"},
        ],
        "trajectory": [{"action": "submit\n", "observation": "diff --git"}],
    }  # fmt: skip
    assert told(events_of(document)) == [
        ("system:system", "message", "SETTING"),
        ("human:user", "message", "demo"),
        ("human:user", "message", "ISSUE"),
        ("agent:assistant", "message", "Look."),
        ("agent:assistant", "tool_call", ToolCall("shell", "step-3", {"command": "open a.py\n"})),
        ("tool:shell", "tool_result", ToolResult("shell", "step-3", shown, "/src/a.py")),
        ("agent:assistant", "tool_call", ToolCall("shell", "step-5", {"command": "submit\n"})),
        ("tool:shell", "tool_result", ToolResult("shell", "step-5", "diff --git")),
    ]


def test_a_history_with_tool_calls_is_not_told_twice() -> None:
    call = {"id": "c", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}
    document = {
        "history": [
            {"role": "assistant", "content": "Look.", "thought": "Look.", "action": "ls",
             "tool_calls": [call], "agent": "main"},
            {"role": "tool", "content": "a.py", "tool_call_ids": ["c"], "agent": "main"},
        ]
    }  # fmt: skip
    assert told(events_of(document)) == [
        ("agent:assistant", "message", "Look."),
        ("agent:assistant", "tool_call", ToolCall("bash", "c", {"command": "ls"})),
        ("tool:bash", "tool_result", ToolResult("bash", "c", "a.py")),
    ]


def test_steps_stand_in_for_a_history_that_is_not_there() -> None:
    steps = [
        {"thought": "Look.", "action": "ls", "observation": "a.py", "response": "Look. ls"},
        {"thought": "", "action": "", "observation": "", "response": "Done."},
    ]
    assert told(events_of({"trajectory": steps})) == [
        ("agent:assistant", "message", "Look."),
        ("agent:assistant", "tool_call", ToolCall("shell", "step-0", {"command": "ls"})),
        ("tool:shell", "tool_result", ToolResult("shell", "step-0", "a.py")),
        ("agent:assistant", "message", "Done."),
    ]
