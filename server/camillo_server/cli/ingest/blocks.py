"""The content of a message as blocks, in order: text, thoughts, tool calls and their results."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from camillo_server.cli.ingest.records import (
    CALL_IDS,
    Record,
    ToolCall,
    ToolResult,
    first_word,
    word,
)

CALLS = frozenset({"tool_use", "server_tool_use", "tool_call", "tool-call", "function_call"})
RESULTS = frozenset({"tool_result", "tool-result", "function_call_output"})
THOUGHTS = frozenset({"thinking", "reasoning"})
# Content that is not text is replaced by its name in brackets.
PICTURES = frozenset({"image", "image_url", "input_image"})
SOUNDS = frozenset({"audio", "audio_url", "input_audio"})
FILES = frozenset({"document", "file", "input_file"})
# Blocks without readable content.
UNREADABLE = frozenset({"redacted_thinking"})
MAX_NAME_LENGTH = 128


@dataclass(frozen=True, slots=True)
class Thought:
    """Reasoning of a model that is not part of its answer."""

    text: str


Block: TypeAlias = str | Thought | ToolCall | ToolResult


def blocks_of(content: object) -> Iterator[Block]:
    """The blocks of a content, neighbouring texts joined; none for an empty one."""
    texts: list[str] = []
    for block in _single_blocks(content):
        if isinstance(block, str):
            texts.append(block)
            continue
        yield from _joined(texts)
        texts.clear()
        yield block
    yield from _joined(texts)


def text_of(content: object) -> str:
    """The text of any content; JSON where it is not text."""
    if isinstance(content, dict) and not _is_block(content):
        return as_json(content)
    if isinstance(content, list) and not all(isinstance(p, str) or _is_block(p) for p in content):
        return as_json(content)
    blocks = (_shown(block) for block in _single_blocks(content))
    return "\n".join(text for text in blocks if text)


def as_json(value: object) -> str:
    """A value as JSON, with characters that are not ASCII unescaped."""
    return json.dumps(value, ensure_ascii=False)


def tool_call(block: Record) -> ToolCall:
    """A tool call, with the field names of several APIs."""
    inner = block.get("function")
    called: Record = inner if isinstance(inner, dict) else block
    name = word(called.get("name")) or word(inner) or word(block.get("tool")) or "tool"
    given = next(
        (called[key] for key in ("arguments", "input", "args", "kwargs") if key in called), None
    )
    call_id = first_word(block, (*CALL_IDS, "id"))
    return ToolCall(name[:MAX_NAME_LENGTH], call_id[:MAX_NAME_LENGTH], arguments(given))


def arguments(given: object) -> dict[str, Any]:
    """Arguments as an object, also if they are JSON in a string, or missing."""
    if isinstance(given, str):
        if not given.strip():
            return {}
        try:
            given = json.loads(given, parse_constant=str)
        except (ValueError, RecursionError):
            return {"input": given}
    if given is None:
        return {}
    return given if isinstance(given, dict) else {"input": given}


def tool_result(block: Record) -> ToolResult:
    """A tool result; the tool and the path are empty where only the call names them."""
    content = next((block[key] for key in ("content", "output", "result") if key in block), None)
    failed = block.get("is_error") or block.get("error") or block.get("status") == "error"
    return ToolResult(
        tool=(word(block.get("name")) or word(block.get("tool_name")))[:MAX_NAME_LENGTH],
        call_id=first_word(block, (*CALL_IDS, "id"))[:MAX_NAME_LENGTH],
        text=text_of(content),
        is_error=bool(failed),
    )


def _joined(texts: list[str]) -> Iterator[str]:
    text = "\n".join(texts)
    if text.strip():
        yield text


def _shown(block: Block) -> str:
    if isinstance(block, str):
        return block
    if isinstance(block, ToolCall):
        return f"{block.tool}({as_json(block.arguments)})"
    return block.text


def _is_block(part: object) -> bool:
    return isinstance(part, dict) and (
        isinstance(part.get("type"), str) or isinstance(part.get("text"), str)
    )


def _single_blocks(content: object) -> Iterator[Block]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for part in content:
            yield from _single_blocks(part)
    elif isinstance(content, dict):
        parts = content.get("parts")
        if isinstance(parts, list):
            yield from _single_blocks(parts)
        else:
            yield from _typed_block(content)


def _typed_block(block: Record) -> Iterator[Block]:
    kind = word(block.get("type"))
    if kind in CALLS:
        yield tool_call(block)
    elif kind in RESULTS or kind.endswith("_tool_result"):
        yield tool_result(block)
    elif kind in THOUGHTS:
        text = word(block.get("thinking")) or text_of(block.get("summary")) or _own_text(block)
        if text.strip():
            yield Thought(text)
    elif kind in PICTURES:
        yield "[image]"
    elif kind in SOUNDS:
        yield _own_text(block) or "[audio]"
    elif kind in FILES:
        yield _file(block)
    elif kind not in UNREADABLE:
        yield _own_text(block) or (f"[{kind}]" if kind else as_json(block))


def _own_text(block: Record) -> str:
    found = (block.get(key) for key in ("text", "refusal", "transcript", "content"))
    return next((text for text in found if isinstance(text, str)), "")


def _file(block: Record) -> str:
    source = block.get("source")
    inner: Record = source if isinstance(source, dict) else {}
    is_text = word(inner.get("type")) in ("text", "content")
    text = text_of(inner.get("data") or inner.get("content")) if is_text else ""
    name = word(block.get("title")) or word(block.get("filename"))
    return "\n".join(part for part in (name, text) if part) or "[document]"
