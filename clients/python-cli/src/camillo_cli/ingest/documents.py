"""Files that hold conversations in one JSON document: their formats, and the messages in them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from enum import StrEnum
from typing import Any, TypeGuard

from camillo_cli.ingest.exports import chatgpt_conversations, claude_ai_conversations
from camillo_cli.ingest.frameworks import as_message, state_of
from camillo_cli.ingest.messages import CALL_ITEMS, RESULT_ITEMS
from camillo_cli.ingest.records import (
    MESSAGE_LISTS,
    SESSIONS,
    TEXTS,
    Conversation,
    Record,
    first_word,
    text_of,
    word,
)

ANTHROPIC_BLOCKS = frozenset({"tool_use", "tool_result", "thinking", "redacted_thinking"})
# Keys that only the entries of a trajectory of SWE-agent have.
HISTORY_KEYS = frozenset({"agent", "action", "message_type"})
STEP_KEYS = frozenset({"action", "observation"})
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
    CHATGPT = "chatgpt"
    CLAUDE_AI = "claude-ai"
    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    GEMINI_CLI = "gemini-cli"
    CURSOR = "cursor"


# Transcripts of coding agents, which hooks record, too.
TRANSCRIPTS = (Format.CLAUDE_CODE, Format.CODEX, Format.GEMINI_CLI, Format.CURSOR)
LINE_FORMATS = frozenset({Format.JSONL, Format.EVENTS, *TRANSCRIPTS})


def with_positions(messages: Iterable[object], prefix: str) -> list[tuple[str, object]]:
    """Messages, each with its position in the list of this name."""
    return [(f"{prefix}[{index}]", message) for index, message in enumerate(messages)]


def is_message(found: object) -> bool:
    """Whether a record looks like a message: it has a speaker and a content."""
    if not isinstance(found, dict):
        return False
    inner = found.get("message")
    if isinstance(inner, dict):
        return is_message(inner)
    found = as_message(found)
    if word(found.get("type")) in CALL_ITEMS | RESULT_ITEMS:
        return True
    return bool(MESSAGE_SPEAKERS & found.keys()) and bool(MESSAGE_CONTENTS & found.keys())


def has_messages(found: object) -> TypeGuard[list[object]]:
    """Whether a value is a list with a message near its beginning."""
    return isinstance(found, list) and any(is_message(each) for each in found[:MAX_INSPECTED])


def message_list(record: Record) -> str:
    """The name under which an object has its messages; empty if it has none."""
    return next((name for name in MESSAGE_LISTS if has_messages(record.get(name))), "")


def read_document(document: Any, form: Format | None) -> tuple[Format, list[Conversation]] | None:
    """The conversations of a document and their format; None if it holds none, or none of the format that is asked
    for."""
    for candidate in READERS if form is None or form not in READERS else (form,):
        if found := list(READERS[candidate](document)):
            if form is None and candidate is Format.OPENAI and _is_anthropic(document, found):
                return Format.ANTHROPIC, found
            return candidate, found
    return None


def conversation(record: Record, prefix: str = "", name: str = "") -> Conversation | None:
    """The conversation of one object; None if it has no messages. Positions begin with `prefix` and the list's name."""
    if not (key := message_list(record)):
        return None
    messages = record[key]
    system = record.get("system")
    if system:
        messages = [{"role": "system", "content": system}, *messages]
    session = first_word(record, SESSIONS) or word(record.get("id")) or word(record.get("uuid"))
    positions = f"{prefix}.{key}" if prefix else key
    return Conversation(with_positions(messages, positions), session, name)


def _task_runs(document: Any) -> Iterator[Conversation]:
    """Reads the runs of a result file of tau-bench."""
    if isinstance(document, dict):
        listed = document.get("simulations")
        runs = listed if isinstance(listed, list) else [document]
    else:
        runs = document if isinstance(document, list) else []
    for index, run in enumerate(runs):
        if not isinstance(run, dict):
            continue
        messages = run.get("traj") or run.get("messages" if "task_id" in run else "")
        if not has_messages(messages):
            continue
        name = f"task-{word(run.get('task_id')) or index}"
        if trial := word(run.get("trial")):
            name = f"{name}/trial-{trial}"
        prefix = f"[{index}].traj" if "traj" in run else f"simulations[{index}].messages"
        yield Conversation(with_positions(messages, prefix), name=name)


def _chat(document: Any) -> Iterator[Conversation]:
    """Reads a chat; if its name is a mere number, the session is named after the file instead."""
    if isinstance(document, dict) and "chat" in document and has_messages(document.get("messages")):
        chat = document["chat"]
        is_name = isinstance(chat, str) and not chat.strip().isdecimal()
        messages = with_positions(document["messages"], "messages")
        yield Conversation(messages, word(chat) if is_name else "")


def _message_lists(document: Any) -> Iterator[Conversation]:
    """Reads every list of messages: the document itself, within it, or within the objects of a list."""
    document = state_of(document)
    if has_messages(document):
        yield Conversation(with_positions(document, "messages"))
    elif isinstance(document, dict):
        if found := conversation(document):
            yield found
    elif isinstance(document, list):
        for index, record in enumerate(document):
            if isinstance(record, dict) and (found := conversation(record, f"[{index}]", str(index))):
                yield found


def _is_anthropic(document: Any, found: list[Conversation]) -> bool:
    """Whether messages have blocks of Anthropic's API, or a system prompt beside them."""
    records = document if isinstance(document, list) else [document]
    if any(isinstance(each, dict) and "system" in each for each in records[:MAX_INSPECTED]):
        return True
    return any(
        isinstance(block, dict) and word(block.get("type")) in ANTHROPIC_BLOCKS
        for each in found
        for _, message in each.messages
        if isinstance(message, dict) and isinstance(message.get("content"), list)
        for block in message["content"]
    )


def _trajectory(document: Any) -> Iterator[Conversation]:
    """Reads a trajectory of SWE-agent, from its history if it has one: only that contains the task."""
    if not isinstance(document, dict):
        return
    history, steps = document.get("history"), document.get("trajectory")
    if _has_keys(history, {"role"}) and (_has_keys(history, HISTORY_KEYS) or _has_keys(steps, STEP_KEYS)):
        yield Conversation(_history(history, _last_observation(steps)))
    elif _has_keys(steps, STEP_KEYS):
        yield Conversation(_steps(steps))


def _has_keys(found: object, keys: Set[str]) -> TypeGuard[list[object]]:
    return isinstance(found, list) and any(
        isinstance(each, dict) and keys & each.keys() for each in found[:MAX_INSPECTED]
    )


def _last_observation(steps: object) -> str:
    """The output of the last command: the history ends before it."""
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
            # Its content and its calls contain the thought and the action already.
            doubled = ("thought", "action")
            yield position, {name: message[name] for name in message if name not in doubled}
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


# In the order in which a document is tried: whatever holds lists of messages is taken for the last kind.
READERS: Mapping[Format, Callable[[Any], Iterator[Conversation]]] = {
    Format.SWE_AGENT: _trajectory,
    Format.TAU_BENCH: _task_runs,
    Format.CHAT: _chat,
    Format.CHATGPT: chatgpt_conversations,
    Format.CLAUDE_AI: claude_ai_conversations,
    Format.OPENAI: _message_lists,
    Format.ANTHROPIC: _message_lists,
}
