"""Messages of chat frameworks, in the forms in which they are stored."""

from typing import Any

from camillo_cli.ingest.records import ToolCall, ToolResult

from tests.cases import each_case
from tests.unit.cli.ingest.reading_text import events_of

CALLED = {"toolCallId": "c", "input": {"city": "Bilbao"}, "output": {"grad": 21}}
ASKED = {"id": "1", "role": "user", "parts": [{"type": "text", "text": "Wie warm? 🌡️"}]}
AI = {"content": "21 °C", "tool_calls": [{"name": "weather", "args": {"city": "Bilbao"}, "id": "c"}]}
HUMAN = {"content": "Wie warm? 🌡️", "type": "human"}


def texts_by_actor(document: Any) -> list[tuple[str, object]]:
    return [(event.actor_type, event.content) for event in events_of(document)]


def test_parts_of_ui_messages_are_read() -> None:
    picture = {"type": "file", "mediaType": "image/png", "url": "data:image/png;base64,AAAA"}
    plan = {"type": "file", "mediaType": "application/pdf", "filename": "plan.pdf", "url": "x"}
    beside = {**ASKED, "content": "Wie warm? 🌡️", "parts": [*ASKED["parts"], picture, plan]}
    for tool in (
        {"type": "tool-weather", "state": "output-available", **CALLED},
        {"type": "dynamic-tool", "toolName": "weather", **CALLED},
        {
            "type": "tool-invocation",
            "toolInvocation": {
                "toolName": "weather",
                "toolCallId": "c",
                "args": CALLED["input"],
                "result": CALLED["output"],
            },
        },
    ):
        parts = [{"type": "step-start"}, tool, {"type": "text", "text": "21 °C", "state": "done"}]
        answer = {"id": "2", "role": "assistant", "parts": parts}
        for document in ([beside, answer], {"id": "chat", "messages": [beside, answer]}):
            assert texts_by_actor(document) == [
                ("human", "Wie warm? 🌡️\n[image]\nplan.pdf"),
                ("agent", ToolCall("weather", "c", {"city": "Bilbao"})),
                ("tool", ToolResult("weather", "c", '{"grad": 21}')),
                ("agent", "21 °C"),
            ]


@each_case(
    "document",
    [
        [HUMAN, {**AI, "type": "ai"}],
        [{"type": "human", "data": HUMAN}, {"type": "ai", "data": {**AI, "type": "ai"}}],
        [
            {"lc": 1, "type": "constructor", "id": ["langchain", "HumanMessage"], "kwargs": HUMAN},
            {"lc": 1, "type": "constructor", "id": ["langchain_core", "AIMessage"], "kwargs": AI},
        ],
        {"messages": [HUMAN, {**AI, "type": "ai"}]},
        {"values": {"messages": [HUMAN, {**AI, "type": "ai"}]}, "next": [], "config": {}},
        {
            "channel_values": {
                "messages": [
                    HUMAN,
                    {
                        **AI,
                        "type": "ai",
                        "content": [
                            {"type": "text", "text": "21 °C"},
                            {"type": "tool_use", "name": "weather", "id": "c", "input": {"city": "Bilbao"}},
                        ],
                    },
                    {"type": "remove", "id": "x", "content": ""},
                ]
            }
        },
    ],
)
def test_messages_of_langchain_are_read(document: Any) -> None:
    assert texts_by_actor(document) == [
        ("human", "Wie warm? 🌡️"),
        ("agent", "21 °C"),
        ("agent", ToolCall("weather", "c", {"city": "Bilbao"})),
    ]
