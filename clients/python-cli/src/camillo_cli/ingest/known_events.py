"""Events of a file that an earlier run has recorded: a repeat, or a file with a mended line, adds only what is new."""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from camillo.v1.event_pb2 import Event, NewEvent

# Equal times of a log are moved apart by less than this, and by another amount once a line before them is mended.
MAX_MOVED_SECONDS = 1.0
# The server puts these in the place of secrets.
PLACEHOLDER = re.compile(r"\[redacted(?:: [a-z0-9-]{1,64})?\]|\*{4,}")
# A secret is one word, or a key that ends where it says.
KEY_BEGIN, KEY_END = "-----BEGIN", "-----END"

# The events that were recorded of a session of a file, by the session and the tag of the file.
ListEvents = Callable[[str, str], Iterable["Event"]]


@dataclass(frozen=True, slots=True, eq=False)
class _Recorded:
    """A recorded event; it stands for one event of the file."""

    event: NewEvent
    identity: bytes

    def seconds_from(self, event: NewEvent) -> float:
        """How far its time is from that of an event of the file, which may have none."""
        return abs(_seconds(self.event) - _seconds(event)) if event.HasField("occurred_at") else 0.0


@dataclass(slots=True)
class _Session:
    """Recorded events of a session by what they say, and those that the server has changed: without secrets, or cut."""

    same: defaultdict[bytes, list[_Recorded]] = field(default_factory=lambda: defaultdict(list))
    changed: list[_Recorded] = field(default_factory=list)

    def add(self, event: NewEvent) -> None:
        recorded = _Recorded(event, _identity(event))
        self.same[recorded.identity].append(recorded)
        if _was_changed(event):
            self.changed.append(recorded)

    def take(self, event: NewEvent) -> bool:
        near = _near(event, self.same.get(_identity(event), []) if self.same else [])
        near = near or _near(event, [each for each in self.changed if _may_be(each.event, event)])
        if near is None:
            return False
        self.same[near.identity].remove(near)
        if near in self.changed:
            self.changed.remove(near)
        return True


class KnownEvents:
    """Recognizes events by what they say, who says it, their session and their time; read from the server by
    session."""

    def __init__(self, list_events: ListEvents) -> None:
        self._list_events = list_events
        self._sessions: dict[tuple[str, str], _Session] = {}

    def take(self, event: NewEvent, tag: str) -> bool:
        """Whether the event was recorded before this run. One that was recorded once is taken once."""
        key = event.session_id, tag
        if (session := self._sessions.get(key)) is None:
            session = self._sessions[key] = _Session()
            for recorded in self._list_events(*key):
                session.add(recorded.stated)
        return session.take(event)


def _seconds(event: NewEvent) -> float:
    return event.occurred_at.seconds + event.occurred_at.nanos / 1e9


def _near(event: NewEvent, recorded: Iterable[_Recorded]) -> _Recorded | None:
    """The nearest in time, if it is near enough."""
    nearest = min(recorded, key=lambda each: each.seconds_from(event), default=None)
    return nearest if nearest and nearest.seconds_from(event) < MAX_MOVED_SECONDS else None


def _identity(event: NewEvent) -> bytes:
    """A digest of who says what."""
    said, output = _statement_and_output(event)
    digest = hashlib.sha256(said.SerializeToString(deterministic=True))
    digest.update(output.encode())
    return digest.digest()[:16]


def _statement_and_output(event: NewEvent) -> tuple[NewEvent, str]:
    """Who says what, and apart from it the output of a tool or a step; without what the server adds to an output."""
    from camillo.v1.event_pb2 import NewEvent

    said, output = NewEvent(actor=event.actor, kind=event.kind), ""
    content = event.WhichOneof("content")
    if content == "text":
        said.text = event.text
    elif content:
        getattr(said, content).CopyFrom(getattr(event, content))
        if content == "tool_result":
            output = said.tool_result.excerpt_text
            for name in ("excerpt_text", "line_range", "truncated", "artifact_id"):
                said.tool_result.ClearField(name)
        elif content == "workflow_step":
            output = said.workflow_step.output
            for name in ("output", "truncated", "artifact_id"):
                said.workflow_step.ClearField(name)
    return said, output


def _was_cut(event: NewEvent) -> bool:
    return event.tool_result.truncated or event.workflow_step.truncated


def _was_changed(event: NewEvent) -> bool:
    said, output = _statement_and_output(event)
    return _was_cut(event) or bool(PLACEHOLDER.search(output) or PLACEHOLDER.search(_text(said)))


def _may_be(recorded: NewEvent, event: NewEvent) -> bool:
    """Whether the event may have become the recorded one, whose secrets are gone and whose output may be cut."""
    if recorded.WhichOneof("content") != event.WhichOneof("content"):
        return False
    (said, output), (own, own_output) = _statement_and_output(recorded), _statement_and_output(event)
    return _fits(_text(said), _text(own)) and _fits(output, own_output, is_cut=_was_cut(recorded))


def _text(message: NewEvent) -> str:
    from google.protobuf.json_format import MessageToDict

    return json.dumps(MessageToDict(message), ensure_ascii=False, sort_keys=True)


def _fits(recorded: str, text: str, *, is_cut: bool = False) -> bool:
    """Whether the texts are the same but for placeholders, or the recorded one is the beginning."""
    placeholders = [found[0] for found in PLACEHOLDER.finditer(recorded)]
    first, *others = PLACEHOLDER.split(recorded)
    if not text.startswith(first):
        return False
    at = len(first)
    for number, (placeholder, part) in enumerate(zip(placeholders, others, strict=True), 1):
        is_last = number == len(others) and not is_cut
        # A secret is never shorter than its placeholder.
        least = at + len(placeholder)
        end = len(text) - len(part) if is_last else text.find(part, least)
        if end < least or not text.endswith(part if is_last else "") or not _may_be_secret(text[at:end]):
            return False
        at = end + len(part)
    return is_cut or at == len(text)


def _may_be_secret(text: str) -> bool:
    return not re.search(r"\s", text) or (KEY_BEGIN in text and KEY_END in text)
