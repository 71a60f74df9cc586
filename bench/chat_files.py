"""Chats with questions, and the memories that an agent would keep of them.

A file is `{chat, messages: [{id, batch, role, time, text}], questions: [{category, question, evidence: [message
ids]}]}`. A memory holds one message as a line of a transcript, `[time] Speaker: text`; one that is longer than a
memory may be is split at borders of paragraphs.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from camillo_server.cli.ingest.passages import LONGEST, SEPARATOR, cut

TIMES = ("%B-%d-%Y", "%I:%M %p on %d %B, %Y")
# For sessions that do not say when they were, a day for each.
UNKNOWN_TIME = datetime(2024, 1, 1, tzinfo=UTC)
PARAGRAPHS = re.compile(r"\n\s*\n")
# Less would not leave room for anything but who spoke.
LEAST_ROOM = 200


@dataclass(frozen=True, slots=True)
class Said:
    """A message as it was said."""

    message_id: str
    session_id: str
    speaker: str
    occurred_at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class KeptMemory:
    """A message, or a piece of one."""

    message_id: str
    session_id: str
    occurred_at: datetime
    content: str


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and the messages that hold the answer."""

    category: str
    text: str
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True)
class Chat:
    """One file: all messages and memories in order, and the questions that have evidence."""

    name: str
    messages: tuple[Said, ...]
    memories: tuple[KeptMemory, ...]
    questions: tuple[Question, ...]


def read_chats(directory: Path) -> list[Chat]:
    """The chats of a directory by name. Raises FileNotFoundError if there is none."""
    paths = sorted(directory.glob("*.json"))
    if not paths:
        raise FileNotFoundError(f"no chats in {directory}")
    return [read_chat(path) for path in paths]


def read_chat(path: Path) -> Chat:
    """One chat. Raises KeyError or ValueError where it has another format."""
    told = json.loads(path.read_text(encoding="utf-8"))
    questions = tuple(
        Question(asked["category"], asked["question"], frozenset(map(str, asked["evidence"])))
        for asked in told["questions"]
        if asked["evidence"]
    )
    messages = told["messages"]
    return Chat(path.stem, tuple(_said(messages)), tuple(_memories(messages)), questions)


def pieces(text: str, longest: int) -> Iterator[str]:
    """Runs of whole paragraphs of at most so many characters; a paragraph that is longer is cut."""
    whole = text.strip()
    if len(whole) <= longest:
        yield from [whole] if whole else []
        return
    waiting = ""
    for paragraph in PARAGRAPHS.split(whole):
        for part in cut(paragraph, longest):
            joined = f"{waiting}{SEPARATOR}{part}" if waiting else part
            if len(joined) > longest:
                yield waiting
                joined = part
            waiting = joined
    yield waiting


def _said(messages: list[Mapping[str, Any]]) -> Iterator[Said]:
    for place, message in enumerate(messages):
        yield Said(
            message_id=str(message["id"]),
            session_id=str(message["batch"]),
            speaker=str(message["role"]),
            occurred_at=_began(message) + timedelta(seconds=place),
            text=str(message["text"]),
        )


def _memories(messages: list[Mapping[str, Any]]) -> Iterator[KeptMemory]:
    for place, message in enumerate(messages):
        opening = _opening(message)
        began = _began(message)
        for number, piece in enumerate(pieces(str(message["text"]), LONGEST - len(opening))):
            # Messages of a session state one time; they, and their pieces, happened one after the other.
            moment = began + timedelta(seconds=place, milliseconds=number)
            yield KeptMemory(str(message["id"]), str(message["batch"]), moment, opening + piece)


def _opening(message: Mapping[str, Any]) -> str:
    speaker = str(message["role"])
    speaker = speaker[:1].upper() + speaker[1:]
    time = f"[{message['time']}] " if message.get("time") else ""
    return f"{time}{speaker}: "[: LONGEST - LEAST_ROOM]


def _began(message: Mapping[str, Any]) -> datetime:
    stated = str(message.get("time") or "")
    for form in TIMES:
        try:
            return datetime.strptime(stated, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    number = re.sub(r"\D", "", str(message["batch"]))[-4:]
    return UNKNOWN_TIME + timedelta(days=int(number or 0))
