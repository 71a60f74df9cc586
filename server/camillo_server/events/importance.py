"""How important an event is, where its caller does not say: the first rule that fits tells.

Rules of words know English, German, Spanish, French, Chinese, Japanese, Russian and Arabic.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from camillo_server.events import importance_words as words
from camillo_server.events.event import (
    ActorType,
    Event,
    EventKind,
    TextContent,
    ToolCallContent,
    ToolResultContent,
)

USUAL = 0.5
# So much of the beginning and of the end of a text is looked at.
BEGINNING, END = 1_536, 512
# What is longer tells more than thanks.
LONGEST_SMALL_TALK = 80


@dataclass(frozen=True, slots=True)
class Rule:
    """What the rule is called, how important what it fits is, and what it fits: an event, and what was said in it in
    lower case."""

    name: str
    importance: float
    fits: Callable[[Event, str], bool]


def importance(event: Event) -> float:
    """0 to 1: what the caller said, else what the rules say of the event as a whole."""
    if event.importance is not None:
        return event.importance
    content = event.content
    text = _looked_at(content.text).lower() if isinstance(content, TextContent) else ""
    return next((rule.importance for rule in RULES if rule.fits(event, text)), USUAL)


def _looked_at(text: str) -> str:
    return text if len(text) <= BEGINNING + END else f"{text[:BEGINNING]}\n{text[-END:]}"


def _says(phrases: words.Phrases) -> Callable[[Event, str], bool]:
    return lambda event, text: phrases.are_in(text)


def _asks_to_remember(event: Event, text: str) -> bool:
    """Of people alone: what a page or a tool says is no instruction."""
    return event.actor.type is ActorType.HUMAN and words.REMEMBER.are_in(text)


def _is_small(pattern: re.Pattern[str]) -> Callable[[Event, str], bool]:
    return lambda event, text: (
        0 < len(text) <= LONGEST_SMALL_TALK and pattern.fullmatch(text.strip()) is not None
    )


def _failed(event: Event, text: str) -> bool:
    content = event.content
    return isinstance(content, ToolResultContent) and (content.is_error or bool(content.exit_code))


def _is_a(kind: EventKind) -> Callable[[Event, str], bool]:
    return lambda event, text: event.kind is kind


RULES: Sequence[Rule] = (
    Rule("asked to remember", 1.0, _asks_to_remember),
    Rule("a decision", 0.9, _is_a(EventKind.DECISION)),
    Rule("a tool failed", 0.7, _failed),
    Rule("a call of a tool", 0.3, lambda event, text: isinstance(event.content, ToolCallContent)),
    Rule("thanks, consent", 0.1, _is_small(words.ACKNOWLEDGEMENT)),
    Rule("greetings", 0.2, _is_small(words.GREETING)),
    Rule("tells of a decision", 0.9, _says(words.DECISION)),
    Rule("tells of an approval", 0.85, _says(words.APPROVAL)),
    Rule("names an amount of money", 0.8, _says(words.AMOUNT)),
    Rule("tells of an error", 0.7, _says(words.ERROR)),
    Rule("asks something", 0.5, lambda event, text: words.QUESTION.search(text) is not None),
)
"""In order: the first that fits holds."""
