"""The memory service."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from google.adk.events.event import Event
from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions.session import Session
from google.genai import types

from camillo.v1.event_pb2 import NewEvent
from camillo_client import Camillo, Hit, memory_filter, new_event, new_memory
from camillo_client.conversations import MAX_QUERY, SOURCES, recordable, scalars, warn_of_refused, without_speaker
from camillo_client.errors import EventNotFound
from camillo_client.slot_records import Records, digest, name
from camillo_client.uninterrupted import finished

MAX_RESULTS, MAX_TAGS = 10, 64
EVENT, MEMORY = "event/", "memory/"
# Begins the tag that one event alone has.
ONE = "adk-event:"


class CamilloMemoryService(BaseMemoryService):
    """Keeps events as events, and memories as memories, in the space of their user.

    A search finds by meaning and words, at most 10 of them, those of the same app. Each event is kept once, with its
    texts alone. An entry that was deleted is not kept again; for a memory, and where the server refuses a text, a
    warning is logged. Methods raise CamilloError; ValueError for a user id with a slash."""

    def __init__(self, camillo: Camillo) -> None:
        self._camillo_client = camillo

    async def add_session_to_memory(self, session: Session) -> None:
        await finished(self._camillo_add, session.app_name, session.user_id, session.id, list(session.events))

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Keeps events that are not there yet; `custom_metadata` has no keys that count."""
        await finished(self._camillo_add, app_name, user_id, session_id or "", list(events))

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Keeps memories; texts, numbers and booleans of their metadata and of `custom_metadata` are kept as metadata
        that filters of recalls compare."""
        news = [
            new_memory(
                text,
                tags=[_app(app_name)],
                occurred_at=None if entry.timestamp is None else datetime.fromisoformat(entry.timestamp),
                metadata=scalars({**(custom_metadata or {}), **entry.custom_metadata}),
                actor=_actor(entry.author, user_id) if entry.author else None,
            )
            for entry in memories
            if (text := _text(entry.content)).strip()
        ]
        warn_of_refused(await finished(lambda: self._camillo_client.for_user(user_id).remember_many(news)))

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        if not query.strip():
            return SearchMemoryResponse()
        answer = await asyncio.to_thread(
            lambda: self._camillo_client.for_user(user_id).recall(
                query[:MAX_QUERY],
                limit=MAX_RESULTS,
                sources=SOURCES,
                filter=memory_filter(tags_any=[_app(app_name)]),
            )
        )
        return SearchMemoryResponse(memories=[_entry(hit, user_id) for hit in answer.hits])

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Removes an entry for good, by the id that a search returned, with what repeats it."""
        await finished(self._camillo_delete, app_name, user_id, memory_id or "")

    def _camillo_delete(self, app: str, user_id: str, memory_id: str) -> None:
        user = self._camillo_client.for_user(user_id)
        if memory_id.startswith(MEMORY):
            user.forget([memory_id.removeprefix(MEMORY)])
        elif memory_id.startswith(EVENT):
            try:
                event = user.events.get(memory_id.removeprefix(EVENT)).event
            except EventNotFound:
                return
            # Before, so that it is not kept again whatever happens.
            records = Records(user, "adk")
            tags = [tag for tag in event.stated.tags if tag.startswith(ONE)]
            records.write([records.slot(f"{_deleted(app)}/{name(tag)}", b"") for tag in tags])
            user.events.forget([event.event_id])

    def _camillo_add(self, app: str, user_id: str, session_id: str, events: list[Event]) -> None:
        user = self._camillo_client.for_user(user_id)
        news = dict[str, NewEvent]()
        for event in events:
            text, tag = _text(event.content), _tag(app, session_id, event)
            if text.strip():
                news[tag] = new_event(
                    text,
                    session_id=session_id[:128],
                    actor=_actor(event.author, user_id),
                    tags=[_app(app), tag],
                    occurred_at=datetime.fromtimestamp(event.timestamp, UTC),
                )
        for slot in Records(user, "adk").below(_deleted(app)) if news else ():
            news.pop(ONE + slot.key.rpartition(name(ONE))[2], None)
        tags = list(news)
        for start in range(0, len(tags), MAX_TAGS):
            for known in user.events.list(tags_any=tags[start : start + MAX_TAGS], page_size=1_000):
                for tag in known.stated.tags:
                    news.pop(tag, None)
        warn_of_refused(user.events.record_many(news.values()) if news else [])


def _entry(hit: Hit, user_id: str) -> MemoryEntry:
    is_event = bool(hit.chunk.chunk_id)
    actor = hit.chunk.actor if is_event else hit.memory.actor
    author = "user" if actor.id == user_id else actor.id
    text = without_speaker(hit) if is_event else hit.text
    return MemoryEntry(
        id=(EVENT if is_event else MEMORY) + hit.ref,
        content=types.Content(role="user" if author == "user" else "model", parts=[types.Part(text=text)]),
        author=author or None,
        timestamp=hit.occurred_at.isoformat(),
        custom_metadata={} if is_event else dict(hit.memory.metadata),
    )


def _text(content: types.Content | None) -> str:
    texts = [part.text for part in (content and content.parts) or () if part.text and not part.thought]
    return recordable("\n".join(texts))


def _actor(author: str, user_id: str) -> Any:
    return ("human", user_id) if author == "user" else ("agent", author[:128])


def _app(app: str) -> str:
    return f"adk:{digest(app)}"


def _tag(app: str, session_id: str, event: Event) -> str:
    # The text that the TypeScript package makes, too.
    return ONE + digest(json.dumps([app, session_id, event.id], ensure_ascii=False, separators=(",", ":")))


def _deleted(app: str) -> str:
    return f"/adk/{name(app)}/deleted"
