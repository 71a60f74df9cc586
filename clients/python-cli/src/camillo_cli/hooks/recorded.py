"""Entries of a session that are recorded already, whoever recorded them: a hook, an import of its transcript, another
machine."""

import re
from collections.abc import Iterable, Mapping
from typing import Any
from unicodedata import normalize

from camillo_cli.hooks.endpoint import Endpoint
from camillo_cli.hooks.http_call import get
from camillo_cli.hooks.payload import clean
from camillo_cli.hooks.transcripts.entries import TranscriptEntry
from camillo_formats.fences import strip_fences

LIST_SECONDS = 30.0
PAGE_EVENTS = 1000
ACTOR_TYPES = {
    "user": "ACTOR_TYPE_HUMAN",
    "assistant": "ACTOR_TYPE_AGENT",
    "call": "ACTOR_TYPE_AGENT",
    "result": "ACTOR_TYPE_TOOL",
}
# A longer message is pasted material, and becomes an artifact.
MAX_TEXT_CHARACTERS = 65_536
CONTENTS = {"call": "toolCall", "result": "toolResult"}

# Placeholder that the server puts in place of a secret.
REDACTED = re.compile(r"\[redacted(?:: [^\]\n]{1,80})?\]")
Identity = tuple[str, str, str, str]


class RecordedEvents:
    """Recognizes the entries of a transcript among the events of its session, in the JSON of the contract. Each event
    is one entry's.

    Calls and results are recognized by their ids and times, as long outputs are stored elsewhere; messages by their
    times and texts."""

    def __init__(self, events: Iterable[Mapping[str, Any]] = ()) -> None:
        self._texts: dict[Identity, list[str]] = {}
        # How many entries were recognized.
        self.taken = 0
        for event in events:
            content = next((name for name in CONTENTS.values() if name in event), "")
            call_id = event[content].get("callId", "") if content else ""
            actor_type = event.get("actor", {}).get("type", "")
            texts = [event.get("text", "")]
            # Some clients write no times; their events have that of their recording.
            for time in ("", _time(event.get("occurredAt", ""))):
                self._texts.setdefault((content, actor_type, call_id, time), []).extend(texts)

    def take(self, entry: TranscriptEntry) -> bool:
        """Whether an entry is recorded. One that was recorded once is taken once."""
        if not self._texts:
            return False
        content = CONTENTS.get(entry.kind, "")
        identity = (content, ACTOR_TYPES[entry.kind], entry.call_id, _time(entry.occurred_at))
        texts = self._texts.get(identity, [])
        text = "" if content else message_text(entry)
        for number, recorded in enumerate(texts):
            if content or recorded == text or _is_stored_form(recorded, text):
                del texts[number]
                self.taken += 1
                return True
        return False


def message_text(entry: TranscriptEntry) -> str:
    """The text of a message as it is recorded. Clients put recalled text into the person's messages, where every fence
    is taken out; what an agent wrote may hold a fence of somebody else, which stays."""
    return clean(strip_fences(entry.text, only_own=entry.kind != "user")).strip()


def _is_stored_form(recorded: str, text: str) -> bool:
    """Whether a text is recorded so: without its secrets, in another form of its characters, or as an artifact."""
    if len(text) > MAX_TEXT_CHARACTERS:
        return True
    at = 0
    pieces = [_letters(piece) for piece in REDACTED.split(recorded)]
    letters = _letters(text)
    if len(pieces) == 1:
        return pieces[0] == letters != ""
    for piece in pieces:
        found = letters.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return letters.startswith(pieces[0]) and letters.endswith(pieces[-1])


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, normalize("NFC", text)))


def recorded_events(endpoint: Endpoint, session_id: str, client: str) -> RecordedEvents:
    """Events of a session, as the server has them. Raises ServerAway and HttpRefused."""
    from urllib.parse import urlencode

    stated: list[Mapping[str, Any]] = []
    query = {
        "filter.session_id": session_id,
        "filter.tags_any": client,
        "page_size": str(PAGE_EVENTS),
    }
    while True:
        answer = get(endpoint, f"/v1/events?{urlencode(query)}", LIST_SECONDS)
        events = answer.get("events")
        for event in events if isinstance(events, list) else []:
            stated.append(event["stated"])
        query["page_token"] = str(answer.get("nextPageToken") or "")
        if not query["page_token"]:
            return RecordedEvents(stated)


def _time(stated: str) -> str:
    """A time of RFC 3339 in UTC, as precise as the server keeps it, without zeros at its end."""
    seconds, point, part = stated.removesuffix("Z").partition(".")
    part = part[:6].rstrip("0")
    return f"{seconds}{point}{part}" if part else seconds
