"""A memory store over the memories and events of a space."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from uuid import uuid4

from strands.memory import AddMessagesContext, ExtractionConfig, MemoryEntry, MemoryStore, SearchOptions
from strands.types.content import Message

from camillo_client import Camillo, Hit
from camillo_client.conversations import MAX_QUERY, SOURCES, record, scalars
from camillo_client.conversations import messages as events_of
from camillo_client.errors import CamilloError
from camillo_client.uninterrupted import finished

MAX_RESULTS, MAX_PENDING = 200, 1_000
DEFAULT_RESULTS = 10


class CamilloMemoryStore(MemoryStore):
    """Memory of a person: `CamilloMemoryStore(camillo.for_user("42"))`.

    `add` keeps a memory; equal ones are one. `add_messages`, for `extraction=True`, keeps the texts of messages as
    events of the conversation `session_id`, the user's as said by the person `speaker`. A search finds both, by
    meaning and words. Methods raise CamilloError, and ValueError for input that a store refuses. A change that has
    begun is finished, also when the caller is cancelled. One object serves several threads and event loops."""

    def __init__(
        self,
        camillo: Camillo,
        *,
        name: str = "camillo",
        description: str | None = None,
        max_search_results: int | None = None,
        writable: bool = True,
        extraction: ExtractionConfig | bool | None = None,
        session_id: str = "",
        speaker: str = "user",
    ) -> None:
        if not name.strip():
            raise ValueError("CamilloMemoryStore: name must not be empty.")
        _check(max_search_results)
        self.name, self.description = name, description
        self.max_search_results, self.writable, self.extraction = max_search_results, writable, extraction
        self._camillo, self._session_id, self._speaker = camillo, session_id, speaker
        # Request ids of batches that failed: the manager sends the same again.
        self._failed = dict[str, str]()

    async def search(self, query: str, options: SearchOptions | None = None) -> list[MemoryEntry]:
        """Entries by relevance; `id`, `kind`, `score` and `occurred_at` are in their metadata."""
        asked = (options or {}).get("max_search_results")
        _check(asked)
        limit = min(asked or self.max_search_results or DEFAULT_RESULTS, MAX_RESULTS)
        if not query.strip():
            return []
        answer = await asyncio.to_thread(lambda: self._camillo.recall(query[:MAX_QUERY], limit=limit, sources=SOURCES))
        return [_entry(hit) for hit in answer.hits]

    async def add(self, content: str, metadata: dict[str, Any] | None = None) -> str:
        """Keeps a memory; its id. Texts, numbers and booleans of the metadata are kept."""
        self._check_writable()
        if not content.strip():
            raise ValueError("CamilloMemoryStore: content must not be empty.")
        fields: Any = {"metadata": scalars(metadata or {})}
        if self._session_id:
            fields["session_id"] = self._session_id
        return (await finished(lambda: self._camillo.remember(content, **fields))).memory_id

    async def add_messages(self, messages: list[Message], context: AddMessagesContext | None = None) -> None:
        """Keeps what messages say. A batch that is sent again after it failed is kept once."""
        self._check_writable()
        numbers = None if context is None else context.sequence_numbers
        await finished(self._record, list(messages), json.dumps([numbers, messages], default=repr, sort_keys=True))

    def _record(self, messages: list[Message], batch: str) -> None:
        said = [(_text(each), ("human", self._speaker) if each["role"] == "user" else None) for each in messages]
        request_id = self._failed.pop(batch, None) or uuid4().hex
        try:
            record(self._camillo, events_of(said, self._session_id), request_id)
        except CamilloError:
            self._failed[batch] = request_id
            if len(self._failed) > MAX_PENDING:
                self._failed.pop(next(iter(self._failed)))
            raise

    def _check_writable(self) -> None:
        if not self.writable:
            raise ValueError("CamilloMemoryStore: store is not writable.")


def _check(most: int | None) -> None:
    if most is not None and most < 1:
        raise ValueError("CamilloMemoryStore: max_search_results must be at least 1.")


def _entry(hit: Hit) -> MemoryEntry:
    more: dict[str, Any] = {} if hit.chunk.chunk_id else dict(hit.memory.metadata)
    more |= {"id": hit.ref, "kind": hit.kind, "score": hit.score, "occurred_at": hit.occurred_at.isoformat()}
    return MemoryEntry(content=hit.text, metadata=more)


def _text(message: Message) -> str:
    return "\n".join(block["text"] for block in message["content"] if isinstance(block.get("text"), str))
