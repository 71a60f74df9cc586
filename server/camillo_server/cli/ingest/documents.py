"""Files that hold conversations in one JSON document: their formats, and the messages in them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from camillo_server.cli.ingest.blocks import text_of
from camillo_server.cli.ingest.messages import CALL_ITEMS, RESULT_ITEMS
from camillo_server.cli.ingest.records import (
    MESSAGE_LISTS,
    SESSIONS,
    TEXTS,
    Record,
    first_word,
    word,
)

ANTHROPIC_BLOCKS = frozenset({"tool_use", "tool_result", "thinking", "redacted_thinking"})
SHELL = "shell"
# So many messages at the beginning of a list show its format.
MAX_INSPECTED = 20
# Fields for a speaker that hardly any JSON but a message has.
MESSAGE_SPEAKERS = frozenset({"role", "speaker", "author", "sender", "from", "user", "username"})
MESSAGE_CONTENTS = frozenset({*TEXTS, "tool_calls", "function_call", "action"})


class Format(StrEnum):
    """The format of a file."""

    JSONL = "jsonl"
    EVENTS = "events"
    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    SWE_AGENT = "swe-agent"
    TAU_BENCH = "tau-bench"
    CHAT = "chat"


LINE_FORMATS = frozenset({Format.JSONL, Format.EVENTS})


@dataclass(frozen=True, slots=True)
class Conversation:
    """Messages in order, each with its position in the file.

    `session_id` may be empty; then `name` distinguishes the conversations of a file.
    """

    messages: Iterable[tuple[str, object]]
    session_id: str = ""
    name: str = ""


def with_positions(messages: Iterable[object], prefix: str) -> Iterable[tuple[str, object]]:
    """Messages, each with its position in the list of this name."""
    return ((f"{prefix}[{index}]", message) for index, message in enumerate(messages))


def is_message(found: object) -> bool:
    """Whether it looks like a message: it has a speaker and a content."""
    if not isinstance(found, dict):
        return False
    inner = found.get("message")
    if isinstance(inner, dict):
        return is_message(inner)
    if word(found.get("type")) in CALL_ITEMS | RESULT_ITEMS:
        return True
    return bool(MESSAGE_SPEAKERS & found.keys()) and bool(MESSAGE_CONTENTS & found.keys())


def has_messages(found: object) -> bool:
    """Whether it is a list with a message near its beginning."""
    return isinstance(found, list) and any(is_message(each) for each in found[:MAX_INSPECTED])


def message_list(record: Record) -> str:
    """The name under which an object has its messages; empty if it has none."""
    return next((name for name in MESSAGE_LISTS if has_messages(record.get(name))), "")


def document_format(document: Any) -> Format | None:
    """The format of a document; None if it holds no conversation."""
    if _is_trajectory(document):
        return Format.SWE_AGENT
    if any(True for _ in _runs(document)):
        return Format.TAU_BENCH
    if _is_reduced(document):
        return Format.CHAT
    lists = [messages for _, _, messages in _lists(document)]
    if not lists:
        return None
    is_anthropic = any(map(_is_anthropic, lists)) or _has_system(document)
    return Format.ANTHROPIC if is_anthropic else Format.OPENAI


def conversations(document: Any, form: Format) -> list[Conversation] | None:
    """The conversations of a document of that format; None if it has another."""
    found = list(READERS[form](document))
    return found or None


def conversation(record: Record, name: str) -> Conversation | None:
    """The conversation of one object; None if it has no messages. Positions begin with the list's name."""
    if not (key := message_list(record)):
        return None
    messages = record[key]
    system = record.get("system")
    if system:
        messages = [{"role": "system", "content": system}, *messages]
    prefix = f"{name}.{key}" if name else key
    numbered = with_positions(messages, prefix)
    session = first_word(record, SESSIONS) or word(record.get("id")) or word(record.get("uuid"))
    return Conversation(numbered, session, name)


def _trajectories(document: Any) -> Iterator[Conversation]:
    if _is_trajectory(document):
        yield _trajectory(document)


def _task_runs(document: Any) -> Iterator[Conversation]:
    for index, run, messages in _runs(document):
        name = f"task-{word(run.get('task_id')) or index}"
        trial = word(run.get("trial"))
        prefix = f"[{index}].traj" if "traj" in run else f"simulations[{index}].messages"
        yield Conversation(
            with_positions(messages, prefix), name=f"{name}/trial-{trial}" if trial else name
        )


def _runs(document: Any) -> Iterator[tuple[int, Record, list[object]]]:
    """The runs of a result file, each with its number and messages."""
    if isinstance(document, dict):
        listed = document.get("simulations")
        listed = listed if isinstance(listed, list) else [document]
    else:
        listed = document if isinstance(document, list) else []
    for index, run in enumerate(listed):
        if isinstance(run, dict):
            messages = run.get("traj") or run.get("messages" if "task_id" in run else "")
            if isinstance(messages, list) and has_messages(messages):
                yield index, run, messages


def _is_reduced(document: Any) -> bool:
    return (
        isinstance(document, dict) and "chat" in document and has_messages(document.get("messages"))
    )


def _reduced(document: Any) -> Iterator[Conversation]:
    """Reads a chat; if its name is a mere number, the session is named after the file instead."""
    if _is_reduced(document):
        chat = document["chat"]
        named = isinstance(chat, str) and not chat.strip().isdecimal()
        yield Conversation(
            with_positions(document["messages"], "messages"), word(chat) if named else ""
        )


def _lists(document: Any) -> Iterator[tuple[int, Record, list[object]]]:
    """Every list of messages: the document itself, within it, or within the objects of a list."""
    if has_messages(document):
        yield 0, {}, document
        return
    for index, each in enumerate(document if isinstance(document, list) else [document]):
        if isinstance(each, dict) and (key := message_list(each)):
            yield index, each, each[key]


def _message_lists(document: Any) -> Iterator[Conversation]:
    is_several = isinstance(document, list)
    for index, record, messages in _lists(document):
        if not record:
            yield Conversation(with_positions(messages, "messages"))
        elif found := conversation(record, f"[{index}]" if is_several else ""):
            yield Conversation(found.messages, found.session_id, str(index) if is_several else "")


def _is_anthropic(messages: Iterable[object]) -> bool:
    return any(
        isinstance(block, dict) and word(block.get("type")) in ANTHROPIC_BLOCKS
        for message in messages
        if isinstance(message, dict) and isinstance(message.get("content"), list)
        for block in message["content"]
    )


def _has_system(document: Any) -> bool:
    listed = document if isinstance(document, list) else [document]
    return any(isinstance(each, dict) and "system" in each for each in listed[:MAX_INSPECTED])


def _is_trajectory(document: object) -> bool:
    """Whether a document is a trajectory of SWE-agent."""
    return isinstance(document, dict) and (
        _has_keys(document.get("history"), {"agent", "action", "message_type"})
        or _has_keys(document.get("trajectory"), {"action", "observation"})
    )


def _trajectory(document: Record) -> Conversation:
    """The conversation of a trajectory, from its history if it has one: only that contains the task."""
    if _has_keys(document.get("history"), {"role"}):
        return Conversation(_history(document["history"], _last_observation(document)))
    return Conversation(_steps(document["trajectory"]))


def _has_keys(found: object, keys: set[str]) -> bool:
    return isinstance(found, list) and any(
        isinstance(each, dict) and keys & each.keys() for each in found[:MAX_INSPECTED]
    )


def _last_observation(document: Record) -> str:
    """The output of the last command: the history ends before it."""
    steps = document.get("trajectory")
    last = steps[-1] if isinstance(steps, list) and steps else None
    return text_of(last.get("observation")) if isinstance(last, dict) else ""


def _history(history: list[object], last_observation: str) -> Iterator[tuple[str, object]]:
    """Reads a message of the user that follows an action as the output of the action's command."""
    pending = ""
    for index, message in enumerate(history):
        position = f"history[{index}]"
        if not isinstance(message, dict):
            yield position, message
            continue
        role, action = message.get("role"), message.get("action")
        if role == "assistant" and isinstance(action, str) and not message.get("tool_calls"):
            pending = f"step-{index}"
            yield position, _action(message, pending)
        elif role == "user" and pending and not message.get("is_demo"):
            yield position, _observation(message.get("content"), pending)
            pending = ""
        else:
            yield position, _thought_alone(message)
    if pending and last_observation.strip():
        yield "trajectory[-1]", _observation(last_observation, pending)


def _steps(steps: list[object]) -> Iterator[tuple[str, object]]:
    for index, step in enumerate(steps):
        position = f"trajectory[{index}]"
        if not isinstance(step, dict):
            yield position, step
            continue
        if step.get("action"):
            yield position, _action(step, f"step-{index}")
            yield position, _observation(step.get("observation"), f"step-{index}")
        else:
            yield position, {"role": "assistant", "content": step.get("response")}


def _action(step: Record, call_id: str) -> Record:
    call = {"id": call_id, "name": SHELL, "arguments": {"command": step["action"]}}
    return {"role": "assistant", "content": step.get("thought"), "tool_calls": [call]}


def _observation(content: object, call_id: str) -> Record:
    return {"role": "tool", "tool_call_id": call_id, "content": text_of(content)}


def _thought_alone(message: Record) -> Record:
    """A message without thought and action, which its content and its calls contain already."""
    return {name: value for name, value in message.items() if name not in ("thought", "action")}


READERS: Mapping[Format, Callable[[Any], Iterator[Conversation]]] = {
    Format.SWE_AGENT: _trajectories,
    Format.TAU_BENCH: _task_runs,
    Format.CHAT: _reduced,
    Format.OPENAI: _message_lists,
    Format.ANTHROPIC: _message_lists,
}
