"""Exports of ChatGPT and claude.ai: conversations with branches, of which one is in use, and with attachments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from camillo_cli.hooks.transcripts.entries import OF_CLIENT, THOUGHT, LeftOut
from camillo_cli.ingest.records import Conversation, Record, as_json, word

OTHER_BRANCH = "messages of branches that are not in use"
EMPTY_CONVERSATION = "conversations without a message"
EMPTY = "messages without content"
# Contents that ChatGPT shows to nobody: its thoughts, instructions, what it knows of the person.
THOUGHTS = frozenset({"thoughts", "reasoning_recap"})
HIDDEN = frozenset({"user_editable_context", "model_editable_context"})
EVERYBODY = ("", "all")
Messages = list[tuple[str, object]]


def chatgpt_conversations(document: Any, first: int = 0) -> Iterator[Conversation]:
    """Reads `conversations.json` of ChatGPT, or a part of it from a conversation on: trees of messages."""
    for index, record in enumerate(document if isinstance(document, list) else [document], first):
        nodes = record.get("mapping") if isinstance(record, dict) else None
        if not isinstance(nodes, dict):
            continue
        session = word(record.get("conversation_id")) or word(record.get("id"))
        messages = list(_branch_messages(record, nodes, f"[{index}].mapping"))
        yield Conversation(messages or _nothing(index), session, str(index))


def _nothing(index: int) -> Messages:
    return [(f"[{index}]", LeftOut(EMPTY_CONVERSATION))]


def _branch_messages(record: Record, nodes: Mapping[str, Any], position: str) -> Iterator[tuple[str, object]]:
    branch = _branch(nodes, word(record.get("current_node")))
    for name in branch:
        message = nodes[name].get("message")
        if isinstance(message, dict):
            yield f"{position}[{name}]", _chatgpt_message(message)
    used = set(branch)
    for name, node in nodes.items():
        message = node.get("message") if isinstance(node, dict) else None
        if name not in used and isinstance(message, dict) and _role(message) in ("user", "assistant"):
            yield f"{position}[{name}]", LeftOut(OTHER_BRANCH)


def _branch(nodes: Mapping[str, Any], current: str) -> list[str]:
    """The names from the root to the current node; where none is stated, to the newest."""
    if not isinstance(nodes.get(current), dict):
        leaves = [name for name, node in nodes.items() if isinstance(node, dict) and not node.get("children")]
        current = max(leaves, key=lambda name: _created(nodes[name]), default="")
    branch: list[str] = []
    seen: set[str] = set()
    while isinstance(nodes.get(current), dict) and current not in seen:
        seen.add(current)
        branch.append(current)
        current = word(nodes[current].get("parent"))
    return branch[::-1]


def _created(node: Record) -> float:
    message = node.get("message")
    created = message.get("create_time") if isinstance(message, dict) else None
    return float(created) if isinstance(created, int | float) else 0.0


def _role(message: Record) -> str:
    author = message.get("author")
    return word(author.get("role")) if isinstance(author, dict) else ""


def _chatgpt_message(message: Record) -> object:
    content = message.get("content")
    content = content if isinstance(content, dict) else {}
    metadata = message.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    kind, role = word(content.get("content_type")), _role(message)
    if kind in THOUGHTS:
        return LeftOut(THOUGHT)
    is_hidden = metadata.get("is_visually_hidden_from_conversation") is True
    if role == "system" or kind in HIDDEN or is_hidden:
        return LeftOut(OF_CLIENT)
    texts = [*_texts(content), *_attached(metadata.get("attachments"))]
    text = "\n".join(each for each in texts if each.strip())
    if not text:
        return LeftOut(EMPTY)
    read = {"role": role, "create_time": message.get("create_time")}
    recipient = word(message.get("recipient"))
    if role == "assistant" and recipient not in EVERYBODY:
        call = {"id": word(message.get("id")), "name": recipient, "arguments": text}
        return {**read, "content": None, "tool_calls": [call]}
    if role == "tool":
        author = message["author"]
        return {**read, "name": word(author.get("name")), "content": text}
    return {**read, "content": text}


def _texts(content: Record) -> Iterator[str]:
    """The texts of a content; what is no text is named."""
    parts = content.get("parts")
    for part in parts if isinstance(parts, list) else [content.get("text"), content.get("result")]:
        if isinstance(part, str):
            yield part
        elif isinstance(part, dict):
            kind = word(part.get("content_type"))
            text = part.get("text")
            if isinstance(text, str):
                yield text
            elif "image" in kind:
                yield "[image]"
            elif kind:
                yield "[audio]" if "audio" in kind else f"[{kind}]"
            else:
                yield as_json(part)


def _attached(attachments: object) -> Iterator[str]:
    for attachment in attachments if isinstance(attachments, list) else []:
        if isinstance(attachment, dict):
            name = next((word(attachment[key]) for key in ("name", "file_name") if attachment.get(key)), "")
            yield f"[attachment: {name or 'without a name'}]"


def claude_ai_conversations(document: Any, first: int = 0) -> Iterator[Conversation]:
    """Reads `conversations.json` of claude.ai, or a part of it from a conversation on: lists of messages, each of which
    may name the one before it."""
    for index, record in enumerate(document if isinstance(document, list) else [document], first):
        messages = record.get("chat_messages") if isinstance(record, dict) else None
        if not isinstance(messages, list):
            continue
        branch = _used(messages, word(record.get("current_leaf_message_uuid")))
        listed: Messages = []
        for number, message in enumerate(messages):
            position = f"[{index}].chat_messages[{number}]"
            is_used = branch is None or not isinstance(message, dict) or word(message.get("uuid")) in branch
            listed.append((position, _claude_ai_message(message) if is_used else LeftOut(OTHER_BRANCH)))
        yield Conversation(listed or _nothing(index), word(record.get("uuid")), str(index))


def _used(messages: list[Any], leaf: str) -> set[str] | None:
    """The ids of the branch that ends with the leaf, else with the last message; None where no message names
    another."""
    parents = {
        word(each.get("uuid")): word(each.get("parent_message_uuid"))
        for each in messages
        if isinstance(each, dict) and word(each.get("uuid"))
    }
    if not set(parents) & set(parents.values()):
        return None
    at = leaf if leaf in parents else list(parents)[-1]
    used: set[str] = set()
    while at in parents and at not in used:
        used.add(at)
        at = parents[at]
    return used


def _claude_ai_message(message: object) -> object:
    if not isinstance(message, dict):
        return message
    content = message.get("content")
    blocks = content if isinstance(content, list) and content else [message.get("text") or ""]
    files = [*_attached(message.get("attachments")), *_attached(message.get("files"))]
    return {
        "role": message.get("sender"),
        "content": [*blocks, *files],
        "created_at": message.get("created_at"),
    }
