"""Chats with questions: read from files, as the memories that an agent would keep of them, or recorded as events.

LongMemEval's files are read by `long_mem_eval.py`. Any other file is `{chat, messages: [{id, batch, role, time, text}],
questions: [{category, question, evidence: [message ids]}]}`. A memory holds one message as a line of a transcript,
`[time] Speaker: text`; one that is longer than a memory may be is split at borders of paragraphs."""

import asyncio
import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from camillo.v1 import actor_pb2 as actors
from camillo.v1 import event_pb2 as events
from camillo.v1 import event_service_pb2 as service
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as memories
from camillo_formats.markdown import MAX_MEMORY, PARAGRAPH_SEPARATOR, split_at_length

from bench.measure.client import Calls

BATCH = 500
POLL_SECONDS = 0.05
VECTOR_SECONDS = 600.0
ASSISTANTS = frozenset({"assistant", "agent"})
TIMES = ("%B-%d-%Y", "%I:%M %p on %d %B, %Y", "%Y/%m/%d (%a) %H:%M")
# For sessions that do not say when they were, a day for each.
UNKNOWN_TIME = datetime(2024, 1, 1, tzinfo=UTC)
PARAGRAPHS = re.compile(r"\n\s*\n")
# Less would not leave room for anything but who spoke.
MIN_ROOM = 200


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a chat."""

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
    """A question, the messages that hold its answer (none if there is no answer), and when it is asked, if known."""

    category: str
    text: str
    evidence: frozenset[str]
    asked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Chat:
    """One file: all messages and memories in order, the questions that have evidence, and those that have none."""

    name: str
    messages: tuple[ChatMessage, ...]
    memories: tuple[KeptMemory, ...]
    questions: tuple[Question, ...]
    unanswerable: tuple[Question, ...] = ()


def read_chats(directory: Path) -> list[Chat]:
    """The chats of a directory by name. Raises FileNotFoundError if there is none."""
    paths = sorted(directory.glob("*.json"))
    if not paths:
        raise FileNotFoundError(f"no chats in {directory}")
    return [read_chat(path) for path in paths]


def read_chat(path: Path) -> Chat:
    """One chat. Raises KeyError or ValueError where it has another format."""
    file = json.loads(path.read_text(encoding="utf-8"))
    questions = [
        Question(asked["category"], asked["question"], frozenset(map(str, asked["evidence"])))
        for asked in file["questions"]
    ]
    return chat_of(path.stem, file["messages"], questions)


def chat_of(name: str, messages: Sequence[Mapping[str, Any]], questions: Sequence[Question]) -> Chat:
    """A chat of messages as files hold them."""
    return Chat(
        name,
        tuple(_messages(messages)),
        tuple(_memories(messages)),
        tuple(each for each in questions if each.evidence),
        tuple(each for each in questions if not each.evidence),
    )


def pieces(text: str, longest: int) -> Iterator[str]:
    """Runs of whole paragraphs of at most so many characters; a paragraph that is longer is cut."""
    whole = text.strip()
    if len(whole) <= longest:
        yield from [whole] if whole else []
        return
    waiting = ""
    for paragraph in PARAGRAPHS.split(whole):
        for part in split_at_length(paragraph, longest):
            joined = f"{waiting}{PARAGRAPH_SEPARATOR}{part}" if waiting else part
            if len(joined) > longest:
                yield waiting
                joined = part
            waiting = joined
    yield waiting


def _messages(messages: Sequence[Mapping[str, Any]]) -> Iterator[ChatMessage]:
    for place, message in enumerate(messages):
        yield ChatMessage(
            message_id=str(message["id"]),
            session_id=str(message["batch"]),
            speaker=str(message["role"]),
            occurred_at=_began(message) + timedelta(seconds=place),
            text=str(message["text"]),
        )


def _memories(messages: Sequence[Mapping[str, Any]]) -> Iterator[KeptMemory]:
    for place, message in enumerate(messages):
        opening = _opening(message)
        began = _began(message)
        for number, piece in enumerate(pieces(str(message["text"]), MAX_MEMORY - len(opening))):
            # Messages of a session state one time; they, and their pieces, happened one after the other.
            moment = began + timedelta(seconds=place, milliseconds=number)
            yield KeptMemory(str(message["id"]), str(message["batch"]), moment, opening + piece)


def _opening(message: Mapping[str, Any]) -> str:
    speaker = str(message["role"])
    speaker = speaker[:1].upper() + speaker[1:]
    moment = f"[{message['time']}] " if message.get("time") else ""
    return f"{moment}{speaker}: "[: MAX_MEMORY - MIN_ROOM]


def parse_time(text: str) -> datetime | None:
    """A time in one of the ways that files state it."""
    for form in TIMES:
        try:
            return datetime.strptime(text, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    return None


def _began(message: Mapping[str, Any]) -> datetime:
    if stated := parse_time(str(message.get("time") or "")):
        return stated
    number = re.sub(r"\D", "", str(message["batch"]))[-4:]
    return UNKNOWN_TIME + timedelta(days=int(number or 0))


class EventRecorder:
    """Records chats as an agent's runtime would, message by message."""

    def __init__(self, client: Calls) -> None:
        self._client = client

    async def record(self, chat: Chat, agent_id: str) -> tuple[dict[str, str], float]:
        """The message of every event, and the seconds that recording took. Raises AssertionError where one failed."""
        batches = [
            service.BatchRecordEventsRequest(
                agent_id=agent_id,
                events=[new_event(message) for message in chat.messages[start : start + BATCH]],
            )
            for start in range(0, len(chat.messages), BATCH)
        ]
        message_of: dict[str, str] = {}
        messages = iter(chat.messages)
        started = time.perf_counter()
        for batch in batches:
            for result in (await self._client(batch)).results:
                assert result.HasField("recorded"), result.error
                message_of[result.recorded.event_id] = next(messages).message_id
        return message_of, time.perf_counter() - started

    async def until_embedded(self, agent_id: str) -> None:
        """Returns when memory answers and every chunk has its vector. Raises TimeoutError."""
        request = recall_events(agent_id, "anything at all", 1)
        async with asyncio.timeout(VECTOR_SECONDS):
            while True:
                answer = await self._client(request)
                if not answer.degraded and answer.answered_by == pb.ANSWERED_BY_CACHE:
                    return
                await asyncio.sleep(POLL_SECONDS)


def new_event(message: ChatMessage) -> events.NewEvent:
    """A message as an event."""
    is_agent = message.speaker.lower() in ASSISTANTS
    event = events.NewEvent(
        session_id=message.session_id,
        actor=actors.Actor(
            type=actors.ACTOR_TYPE_AGENT if is_agent else actors.ACTOR_TYPE_HUMAN,
            id=message.speaker,
        ),
        kind=actors.EVENT_KIND_MESSAGE,
        text=message.text,
    )
    event.occurred_at.FromDatetime(message.occurred_at)
    return event


def recall_events(agent_id: str, text: str, limit: int) -> memories.RecallRequest:
    """Asks for chunks of events."""
    return memories.RecallRequest(agent_id=agent_id, text=text, limit=limit, sources=[pb.SOURCE_EVENT])


def share_of(evidence: frozenset[str], found: Sequence[str]) -> float:
    """How much of the evidence is among what was found."""
    return len(evidence.intersection(found)) / len(evidence)
