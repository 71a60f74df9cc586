"""Conversations as slots: one for each message, and a record of where the history ends."""

from __future__ import annotations

import json
from collections import OrderedDict
from typing import Any
from uuid import uuid4

from pydantic import TypeAdapter
from pydantic_ai.conversation_store import (
    ConversationConflict,
    ConversationEntry,
    ConversationRecord,
)
from pydantic_ai.messages import ModelMessagesTypeAdapter

from camillo.v1.slot_pb2 import NewSlot, Slot
from camillo_client import Camillo
from camillo_client.errors import VersionConflict
from camillo_client.slot_records import MAX_BATCH, Records, digest, name

RECORDS, ENTRIES = "/pydantic-ai/records", "/pydantic-ai/entries"
MAX_PLACES, MAX_COUNT = 10_000, 2**32 - 1
_RECORD = TypeAdapter(ConversationRecord)


class ConversationLog:
    """The methods of the store without an event loop."""

    def __init__(self, camillo: Camillo) -> None:
        self._records = Records(camillo, "pydantic-ai")
        # Where entries are that this process has seen: the framework names them by their ids alone.
        self._places: OrderedDict[str, str] = OrderedDict()

    def record(self, conversation_id: str) -> ConversationRecord | None:
        head, bodies = self._current(conversation_id)
        return None if head is None else self._loaded(bodies[self._state(head)["run"]])

    def records(self, scope: str | None, limit: int | None) -> list[ConversationRecord]:
        heads, bodies = set[tuple[str, str]](), dict[tuple[str, str], Slot]()
        for slot in self._records.below(RECORDS, tags=[] if scope is None else [digest(scope)]):
            _, _, _, conversation, *run = slot.key.split("/")
            if run:
                bodies[conversation, run[0]] = slot
            else:
                heads.add((conversation, self._state(slot)["run"]))
        found = [self._loaded(bodies[each]) for each in heads & bodies.keys()]
        return sorted(found, key=lambda record: record.updated_at, reverse=True)[:limit]

    def _current(self, conversation_id: str) -> tuple[Slot | None, dict[str, Slot]]:
        """The head of a conversation, and its bodies by run: one that the head does not name was deleted."""
        key = f"{RECORDS}/{name(conversation_id)}"
        slots = {slot.key: slot for slot in self._records.below(key)}
        return slots.pop(key, None), {key.rpartition("/")[2]: slot for key, slot in slots.items()}

    def _state(self, head: Slot) -> dict[str, Any]:
        """The run of a conversation, a new one after each deletion; its revision, its last entry, and how many it has
        had."""
        state: dict[str, Any] = json.loads(self._records.data(head))
        return state

    def _loaded(self, body: Slot) -> ConversationRecord:
        record = _RECORD.validate_json(self._records.data(body))
        place = body.key.replace(RECORDS, ENTRIES, 1)
        for entry_id in (*record.branches, record.head_id):
            if entry_id is not None:
                self._remember(entry_id, place)
        return record

    def _remember(self, entry_id: str, place: str) -> None:
        self._places[entry_id] = place
        self._places.move_to_end(entry_id)
        while len(self._places) > MAX_PLACES:
            self._places.popitem(last=False)

    def history(self, head_id: str | None, limit: int | None) -> list[ConversationEntry]:
        if head_id is None or limit == 0:
            return []
        place = self._places.get(head_id)
        if place is not None:
            try:
                return self._walk(place, head_id, limit)
            except LookupError:
                # Its conversation was deleted. A fork may have it.
                pass
        for slot in self._records.below(ENTRIES, tags=[_tag(head_id)]):
            return self._walk(slot.key.rpartition("/")[0], head_id, limit)
        raise LookupError(head_id)

    def _walk(self, place: str, entry_id: str | None, limit: int | None) -> list[ConversationEntry]:
        """A history, read from its end: a message is written behind the one before it, and keys sort the newest
        first."""
        found = list[ConversationEntry]()
        for slot in self._records.below(place, page_size=100 if limit is None else min(limit + 8, 100)):
            if entry_id is None or _tag(entry_id) not in slot.tags:
                continue
            parent, _, data = self._records.data(slot).partition(b"\n")
            parent_id = json.loads(parent)
            [message] = ModelMessagesTypeAdapter.validate_json(data)
            found.append(ConversationEntry(id=entry_id, parent_id=parent_id, message=message))
            self._remember(entry_id, place)
            entry_id = parent_id
            if entry_id is None or len(found) == limit:
                return found[::-1]
        raise LookupError(entry_id)

    def write(
        self, record: ConversationRecord, entries: list[ConversationEntry], expected_revision: str | None
    ) -> None:
        head, bodies = self._current(record.conversation_id)
        state = {"revision": None, "run": uuid4().hex, "count": 0, "head": None} if head is None else self._state(head)
        if state["revision"] != expected_revision:
            raise ConversationConflict(record.conversation_id)
        key, run = f"{RECORDS}/{name(record.conversation_id)}", state["run"]
        place = f"{key}/{run}".replace(RECORDS, ENTRIES, 1)
        base = entries[0].parent_id if entries else record.head_id
        if base not in (None, state["head"]) and not any(self._records.below(place, page_size=1, tags=[_tag(base)])):
            try:
                entries = [*self.history(base, None), *entries]
            except LookupError:
                raise ConversationConflict(record.conversation_id) from None
        scopes = [] if record.scope is None else [digest(record.scope)]
        first = state["count"]
        state |= {"revision": record.revision, "head": record.head_id, "count": first + len(entries)}
        version = self._records.version(key) if head is None else head.version
        slots = [self._entry_slot(place, first + index, entry) for index, entry in enumerate(entries)]
        slots.append(self._records.slot(f"{key}/{run}", _RECORD.dump_json(record), scopes))
        slots.append(self._records.slot(key, json.dumps(state).encode(), scopes, version))
        self._commit(record.conversation_id, slots)
        for entry in entries:
            self._remember(entry.id, place)
        self._records.forget_artifacts([] if head is None else [bodies[run]])

    def _entry_slot(self, place: str, count: int, entry: ConversationEntry) -> NewSlot:
        data = json.dumps(entry.parent_id).encode() + b"\n" + ModelMessagesTypeAdapter.dump_json([entry.message])
        key = f"{place}/{MAX_COUNT - count:08x}{name(entry.id)}"
        return self._records.slot(key, data, [_tag(entry.id)])

    def _commit(self, conversation_id: str, slots: list[NewSlot]) -> None:
        """Writes slots, of which the last one counts: with it those that fit in one transaction."""
        before, last = slots[:-MAX_BATCH], slots[-MAX_BATCH:]
        written = self._records.write(before) if before else []
        try:
            self._records.write(last)
        except VersionConflict:
            self._records.forget([*written, *last])
            raise ConversationConflict(conversation_id) from None

    def delete(self, conversation_id: str, expected_revision: str) -> None:
        head, _ = self._current(conversation_id)
        if head is None or self._state(head)["revision"] != expected_revision:
            raise ConversationConflict(conversation_id)
        try:
            self._records.write([self._records.tombstone(head.key, head.version)])
        except VersionConflict:
            raise ConversationConflict(conversation_id) from None
        self.sweep(conversation_id)

    def sweep(self, conversation_id: str) -> None:
        """Forgets what a conversation had that was deleted; another one may have its id by now."""
        head, bodies = self._current(conversation_id)
        for run, body in bodies.items():
            if head is None or run != self._state(head)["run"]:
                entries = list(self._records.below(body.key.replace(RECORDS, ENTRIES, 1)))
                # The body at last: with it an interrupted deletion goes on.
                self._records.forget(entries)
                self._records.forget([body])


def _tag(entry_id: str) -> str:
    return f"entry:{digest(entry_id)}"
