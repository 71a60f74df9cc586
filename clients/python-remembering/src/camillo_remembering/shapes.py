"""Where the APIs have the question, the instructions, and the text of an answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Named = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Shape:
    """How one method states what it is asked and answers: the last message of the user, the arguments with a text
    added to the instructions, the text of an answer, and of an event of a stream."""

    question: Callable[[Named], str]
    added: Callable[[Named, str], Named]
    reply: Callable[[Any], str]
    delta: Callable[[Any], str]


def text_of(content: Any) -> str:
    """The text of a message, which may be in parts."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = (part.get("text") for part in content if isinstance(part, dict))
    return "\n".join(text for text in texts if isinstance(text, str))


def _last(messages: Any) -> str:
    """The text of the last message, if it is the user's: results of tools are no question."""
    if isinstance(messages, str):
        return messages
    # An iterator could be read once only: it is left to the call.
    last = messages[-1] if isinstance(messages, list | tuple) and messages else None
    return text_of(last.get("content")) if isinstance(last, dict) and last.get("role") == "user" else ""


def texts_of(named: Named) -> str:
    """Every text of the messages of a call."""
    messages = named.get("messages", named.get("input"))
    if isinstance(messages, str):
        return messages
    known = messages if isinstance(messages, list | tuple) else ()
    return "\n".join(text_of(message.get("content")) for message in known if isinstance(message, dict))


def _to_messages(named: Named, shown: str) -> Named:
    messages = list(named["messages"])
    return named | {"messages": [*messages[:-1], {"role": "system", "content": shown}, messages[-1]]}


def _to_instructions(named: Named, shown: str) -> Named:
    before = named.get("instructions")
    return named | {"instructions": f"{before}\n\n{shown}" if isinstance(before, str) and before else shown}


def _to_system(named: Named, shown: str) -> Named:
    before = named.get("system")
    # Behind what may be cached.
    blocks = [{"type": "text", "text": before}] if isinstance(before, str) else list(before or ())
    return named | {"system": [*blocks, {"type": "text", "text": shown}]}


def _anthropic_text(answer: Any) -> str:
    return "".join(block.text for block in answer.content if block.type == "text")


def _anthropic_delta(event: Any) -> str:
    is_text = event.type == "content_block_delta" and event.delta.type == "text_delta"
    return event.delta.text if is_text else ""


# By the path of the method in a client.
SHAPES = {
    "chat.completions.create": Shape(
        question=lambda named: _last(named.get("messages")),
        added=_to_messages,
        reply=lambda answer: answer.choices[0].message.content or "",
        delta=lambda chunk: (chunk.choices[0].delta.content or "") if chunk.choices else "",
    ),
    "responses.create": Shape(
        question=lambda named: _last(named.get("input")),
        added=_to_instructions,
        reply=lambda answer: answer.output_text,
        delta=lambda event: event.delta if event.type == "response.output_text.delta" else "",
    ),
    "messages.create": Shape(
        question=lambda named: _last(named.get("messages")),
        added=_to_system,
        reply=_anthropic_text,
        delta=_anthropic_delta,
    ),
}
