"""The texts of an event's chunks: what it tells, in passages that can each be understood alone."""

from collections.abc import Iterator
from dataclasses import dataclass

from camillo_server.domain.events.event import (
    Event,
    JsonContent,
    TextContent,
    ToolCallContent,
    ToolResultContent,
)
from camillo_server.domain.events.json_text import call_text, json_text
from camillo_server.domain.passage_splitter import MAX_TRAIL, passages, sections, trail_at

LONGEST = 2_000
# A longer path stands whole before the first passage only.
LONGEST_PATH_REPEATED = 200
_CUT = "\N{HORIZONTAL ELLIPSIS}"


@dataclass(frozen=True, slots=True)
class Told:
    """A text, what its first passage begins with, and what every other one does; of some, that opening tells enough
    without a text."""

    text: str
    opening: str
    repeated: str
    has_headings: bool = False
    stands_alone: bool = False


def chunk_texts(event: Event) -> list[str]:
    """The passages of an event in order: each of at most 2,000 characters and, unless there would be more than 1,024,
    about 300 tokens; none where nothing is told. The same event gives the same texts."""
    return list(_texts(told(event)))


def told(event: Event) -> Told:
    """What an event tells, as text."""
    match event.content:
        case TextContent(text):
            speaker = f"{event.actor.id}: "
            return Told(text, speaker, speaker, has_headings="#" in text)
        case JsonContent(value):
            speaker = f"{event.actor.id}:\n"
            return Told(json_text(value), speaker, speaker)
        case ToolCallContent(tool=tool, arguments=arguments):
            return Told(call_text(tool, arguments), "", f"{tool}: ")
        case ToolResultContent() as result:
            repeated = _heading(result, is_repeated=True)
            return Told(result.excerpt_text, _heading(result), repeated, stands_alone=True)


def _texts(what: Told) -> Iterator[str]:
    found = sections(what.text if what.has_headings else "")
    room = LONGEST - max(len(what.opening), len(what.repeated))
    if len(found) > 1:
        room -= MAX_TRAIL + 1
    opening = what.opening
    if what.stands_alone and not what.text.strip():
        yield opening.rstrip()
    for start, end in passages(what.text, room):
        trail = trail_at(found, start)
        passage = what.text[start:end].rstrip()
        if not passage.strip():
            continue
        yield f"{opening}{trail}\n{passage}" if trail else f"{opening}{passage}"
        opening = what.repeated


def _heading(result: ToolResultContent, *, is_repeated: bool = False) -> str:
    """The tool, what it was asked about, and how it failed: one line."""
    path = " ".join(result.path.split())
    if is_repeated and len(path) > LONGEST_PATH_REPEATED:
        path = _CUT + path[1 - LONGEST_PATH_REPEATED :]
    failed = "error" if result.is_error else ""
    code = f"exit code {result.exit_code}" if result.exit_code else ""
    return " ".join(said for said in (result.tool, path, failed, code) if said) + "\n"
