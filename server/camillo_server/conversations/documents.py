"""JSON documents that hold conversations: which format they have, and the conversations in them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from camillo_server.conversations import swe_agent
from camillo_server.conversations.conversation import (
    LOOKED_AT,
    Conversation,
    Format,
    has_messages,
    message_list,
    placed,
)
from camillo_server.conversations.event import Record
from camillo_server.conversations.spellings import SESSIONS, stated_word, word

OWN_BLOCKS = frozenset({"tool_use", "tool_result", "thinking", "redacted_thinking"})


def document_format(document: Any) -> Format | None:
    """The format of a document; None for what is no conversation."""
    if swe_agent.is_trajectory(document):
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
    numbered = placed(messages, prefix)
    session = stated_word(record, SESSIONS) or word(record.get("id")) or word(record.get("uuid"))
    return Conversation(numbered, session, name)


def _trajectories(document: Any) -> Iterator[Conversation]:
    if swe_agent.is_trajectory(document):
        yield swe_agent.trajectory(document)


def _task_runs(document: Any) -> Iterator[Conversation]:
    for index, run, messages in _runs(document):
        name = f"task-{word(run.get('task_id')) or index}"
        trial = word(run.get("trial"))
        prefix = f"[{index}].traj" if "traj" in run else f"simulations[{index}].messages"
        yield Conversation(
            placed(messages, prefix), name=f"{name}/trial-{trial}" if trial else name
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
    """A bare number names the chat within its collection only: there the file's name is the better one."""
    if _is_reduced(document):
        chat = document["chat"]
        named = isinstance(chat, str) and not chat.strip().isdecimal()
        yield Conversation(placed(document["messages"], "messages"), word(chat) if named else "")


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
            yield Conversation(placed(messages, "messages"))
        elif found := conversation(record, f"[{index}]" if is_several else ""):
            yield Conversation(found.messages, found.session_id, str(index) if is_several else "")


def _is_anthropic(messages: Iterable[object]) -> bool:
    return any(
        isinstance(block, dict) and word(block.get("type")) in OWN_BLOCKS
        for message in messages
        if isinstance(message, dict) and isinstance(message.get("content"), list)
        for block in message["content"]
    )


def _has_system(document: Any) -> bool:
    listed = document if isinstance(document, list) else [document]
    return any(isinstance(each, dict) and "system" in each for each in listed[:LOOKED_AT])


READERS: Mapping[Format, Callable[[Any], Iterator[Conversation]]] = {
    Format.SWE_AGENT: _trajectories,
    Format.TAU_BENCH: _task_runs,
    Format.CHAT: _reduced,
    Format.OPENAI: _message_lists,
    Format.ANTHROPIC: _message_lists,
}
