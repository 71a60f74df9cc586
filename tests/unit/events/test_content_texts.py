"""The texts that events state: every one of them, under names that tell nothing."""

import pytest
from camillo_server.features.events.content import content_texts
from camillo_server.features.events.event import (
    EventContent,
    JsonContent,
    TextContent,
    ToolCallContent,
    ToolResultContent,
)

NESTED = {"会": [1.0, None, "第一", {"a": True, "b": "🦓"}], "c": "tail"}
TEXTS = ["会", "第一", "a", "b", "🦓", "c", "tail"]


@pytest.mark.parametrize(
    ("content", "field", "expected"),
    [
        (TextContent("سلام"), "content.text", None),
        (JsonContent(NESTED), "content.json", TEXTS),
        (JsonContent({}), "content.json", []),
    ],
)
def test_every_text_is_among_them(content: EventContent, field: str, expected: list[str] | None) -> None:
    numbered = {f"{field}[{number}]": text for number, text in enumerate(expected or ())}
    assert content_texts(content) == ({field: "سلام"} if expected is None else numbered)


def test_of_a_call_and_a_result_they_have_their_names() -> None:
    call = ToolCallContent("grep", "c1", {"a": "b"})
    assert content_texts(call) == {
        "content.tool_call.tool": "grep",
        "content.tool_call.call_id": "c1",
        "content.tool_call.arguments[0]": "a",
        "content.tool_call.arguments[1]": "b",
    }
    result = ToolResultContent("grep", "c1", "src/a.py", "line\nline", 1, 2)
    assert content_texts(result) == {
        "content.tool_result.tool": "grep",
        "content.tool_result.call_id": "c1",
        "content.tool_result.path": "src/a.py",
        "content.tool_result.excerpt_text": "line\nline",
    }
