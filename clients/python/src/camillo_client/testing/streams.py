"""Answers of a model by four protocols, whole or as streams."""

import itertools
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

EVENTS, JSON = "text/event-stream", "application/json"
_numbers = itertools.count(1)


@dataclass(frozen=True)
class Say:
    """An answer in words, which ends the turn."""

    text: str


@dataclass(frozen=True)
class Call:
    """A call of a tool: `remember` stands for whatever the client calls Camillo's tool of that name."""

    tool: str
    arguments: dict[str, Any] = field(default_factory=dict)


Step = Say | Call
ASIDE = Say("Fine")


def tool_names(body: dict[str, Any]) -> list[str]:
    """The names of the tools that a request offers; those of a namespace as `namespace.name`."""
    return [name for tool in body.get("tools") or [] for name in _names(tool)]


def _names(tool: dict[str, Any]) -> Iterable[str]:
    if "functionDeclarations" in tool:  # Gemini
        return [each["name"] for each in tool["functionDeclarations"]]
    if tool.get("type") == "namespace":  # Responses
        return [f"{tool['name']}.{each['name']}" for each in tool["tools"]]
    if "function" in tool:  # Chat Completions
        return [tool["function"]["name"]]
    return [tool["name"]] if "name" in tool else []


def answer_of(path: str, body: dict[str, Any], step: Step) -> tuple[str, bytes]:
    """The content type and the bytes of an answer: a stream if the request asks for one."""
    if body.get("stream") or ":" in path:
        return stream_of(path, body, step)
    path = path.partition("?")[0]
    name = "/messages" if path.endswith("/messages") else "/responses" if path.endswith("/responses") else ""
    whole = {"/messages": _message, "/responses": _response}.get(name, _completion)(step)
    return JSON, json.dumps({**whole, "model": body.get("model", "scripted")}).encode()


def stream_of(path: str, body: dict[str, Any], step: Step) -> tuple[str, bytes]:
    """The content type and the bytes of an answer, as clients that always ask for streams take it."""
    if path.split("?")[0].endswith("/messages"):
        return EVENTS, _events(_messages(step), is_named=True)
    if path.endswith("/responses"):
        return EVENTS, _events(_responses(step), is_named=True)
    if path.endswith("/chat/completions"):
        if not body.get("stream"):
            return JSON, json.dumps(_completion(step)).encode()
        return EVENTS, _events(_chunks(step), is_named=False) + b"data: [DONE]\n\n"
    if ":streamGenerateContent" in path:
        return EVENTS, _events([_candidate(step)], is_named=False)
    return JSON, json.dumps(_candidate(step)).encode()


def _events(events: Iterable[dict[str, Any]], *, is_named: bool) -> bytes:
    lines = [(f"event: {each['type']}\n" if is_named else "") + f"data: {json.dumps(each)}\n\n" for each in events]
    return "".join(lines).encode()


def _messages(step: Step) -> list[dict[str, Any]]:
    usage = {"input_tokens": 10, "output_tokens": 5}
    message: dict[str, Any] = {"id": f"msg_{next(_numbers)}", "type": "message", "role": "assistant"}
    message |= {"model": "stub", "content": [], "stop_reason": None, "usage": usage}
    if isinstance(step, Say):
        block: dict[str, Any] = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": step.text}
    else:
        block = {"type": "tool_use", "id": _call_id(), "name": step.tool, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(step.arguments)}
    reason = "end_turn" if isinstance(step, Say) else "tool_use"
    return [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage},
        {"type": "message_stop"},
    ]


def _message(step: Step) -> dict[str, Any]:
    """An answer of Messages, whole."""
    if isinstance(step, Say):
        block: dict[str, Any] = {"type": "text", "text": step.text}
    else:
        block = {"type": "tool_use", "id": _call_id(), "name": step.tool, "input": step.arguments}
    told = {"id": f"msg_{next(_numbers)}", "type": "message", "role": "assistant", "content": [block]}
    reason = "end_turn" if isinstance(step, Say) else "tool_use"
    usage = {"input_tokens": 10, "output_tokens": 5}
    return {**told, "stop_reason": reason, "stop_sequence": None, "usage": usage}


def _response(step: Step) -> dict[str, Any]:
    """An answer of Responses, whole."""
    number = next(_numbers)
    if isinstance(step, Say):
        content = [{"type": "output_text", "text": step.text, "annotations": []}]
        item: dict[str, Any] = {"type": "message", "role": "assistant", "id": f"item_{number}"}
        item |= {"content": content}
    else:
        namespace, _, name = step.tool.rpartition(".")
        item = {"type": "function_call", "id": f"item_{number}", "call_id": _call_id()}
        item |= {"name": name, "arguments": json.dumps(step.arguments)}
        item |= {"namespace": namespace} if namespace else {}
    told = {"id": f"resp_{number}", "object": "response", "created_at": 1, "status": "completed"}
    usage = {
        "input_tokens": 10,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 5,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 15,
    }
    item["status"] = "completed"
    tools: dict[str, Any] = {"parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
    return {**told, **tools, "output": [item], "usage": usage}


def _responses(step: Step) -> list[dict[str, Any]]:
    whole = _response(step)
    [item] = whole["output"]
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": {**whole, "status": "in_progress", "output": []}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": whole},
    ]
    if isinstance(step, Say):
        where = {"item_id": item["id"], "output_index": 0, "content_index": 0, "logprobs": []}
        events.insert(1, {"type": "response.output_text.delta", "delta": step.text, **where})
    return [{**event, "sequence_number": number} for number, event in enumerate(events)]


def _completion(step: Step) -> dict[str, Any]:
    """An answer of Chat Completions, whole."""
    message: dict[str, Any] = {"role": "assistant", "content": getattr(step, "text", None)}
    if isinstance(step, Call):
        function = {"name": step.tool, "arguments": json.dumps(step.arguments)}
        message["tool_calls"] = [{"id": _call_id(), "type": "function", "function": function}]
    choice = {"index": 0, "message": message, "finish_reason": "stop" if isinstance(step, Say) else "tool_calls"}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    told = {"id": f"chat_{next(_numbers)}", "object": "chat.completion", "created": 1, "model": "scripted"}
    return {**told, "choices": [choice], "usage": usage}


def _chunks(step: Step) -> list[dict[str, Any]]:
    if isinstance(step, Say):
        delta: dict[str, Any] = {"role": "assistant", "content": step.text}
    else:
        function = {"name": step.tool, "arguments": json.dumps(step.arguments)}
        call = {"index": 0, "id": _call_id(), "type": "function", "function": function}
        delta = {"role": "assistant", "tool_calls": [call]}
    reason = "stop" if isinstance(step, Say) else "tool_calls"
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    head: dict[str, Any] = {"id": f"chat_{next(_numbers)}", "object": "chat.completion.chunk", "model": "stub"}
    head |= {"created": 1}
    return [
        {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
        {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}], "usage": usage},
    ]


def _candidate(step: Step) -> dict[str, Any]:
    if isinstance(step, Say):
        part: dict[str, Any] = {"text": step.text}
    else:
        part = {"functionCall": {"name": step.tool, "args": step.arguments}}
    content = {"role": "model", "parts": [part]}
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
    candidate = {"content": content, "finishReason": "STOP", "index": 0}
    return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "stub"}


def _call_id() -> str:
    return f"call_{next(_numbers)}"
