"""Writes of slots: each one transaction at the scope's next revision."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from camillo_formats.slot_keys import path_of
from psycopg.errors import CheckViolation, NotNullViolation, UniqueViolation

from camillo_server.features.slots.slot import NewSlot, Slot, SlotId, SlotsReplay
from camillo_server.features.slots.store.rows import SlotRows
from camillo_server.kernel.errors import VersionConflict
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.rows.row import NewRow
from camillo_server.storage.blocklist import UNREAD
from camillo_server.storage.database import Session, violates
from camillo_server.storage.encrypted_json import MIN_ENCRYPTED
from camillo_server.storage.group_commit import GroupCommit
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.statements import json_text, scope_parameters, statements
from camillo_server.storage.written_requests import MAX_IDS, audit_of, audits_json, request_parameters

SQL = statements("features/slots/store/slots")
# Why a write cannot be stored in one round trip: its request is a repeat, a value is blocked, or there is another
# version.
CONFLICTS = (UniqueViolation, CheckViolation, NotNullViolation)


@dataclass(frozen=True, slots=True)
class PreparedSlots:
    """The slots of a write, also as JSON, what is kept of its request, and the marks of its texts, None where no
    blocked values are known."""

    news: Sequence[NewSlot]
    slots: str
    request: Mapping[str, Any] | None
    marks: Sequence[bytes] | None
    audit: Mapping[str, Any]
    now: datetime

    @property
    def rows(self) -> Sequence[NewRow]:
        """The chunks."""
        return [new.row for new in self.news if new.row is not None]


class SlotWriter:
    """Writes slots of one scope. Every write advances the scope's revision by one, all of it or nothing; a repeated
    request writes nothing and gets the first record. Raises StorageUnavailable, RequestIdReused, KeyMissing."""

    def __init__(self, writes: ScopeWrites, keyring: Keyring) -> None:
        self._writes = writes
        self._rows = SlotRows(keyring)
        self._groups = GroupCommit(self._set_group)

    async def set(self, scope: Scope, news: Sequence[NewSlot], request: RequestKey | None) -> Written[Sequence[Slot]]:
        """Stores the next versions of keys, in this order, and the chunks of the last ones in the place of those
        before. Raises VersionConflict, ValueRejected."""
        now = news[0].slot.updated_at
        step_by_step = partial(self._set_step_by_step, scope, news, request, now)
        if any(new.slot.sensitivity >= MIN_ENCRYPTED for new in news):
            # Encrypted details are bound to the number of their version.
            done = await step_by_step()
        else:
            write = await self._prepared(scope, news, request, now)
            done = await self._groups.write(
                scope, write, len(write.slots), partial(self._set_alone, scope, write, step_by_step)
            )
        record = done.record
        stored = [
            replace(new.slot, slot_id=slot_id, version=version, updated_at=record.at)
            for new, slot_id, version in zip(news, record.slot_ids, record.versions, strict=True)
        ]
        return Written(done.revision, stored, done.is_repeat)

    async def _prepared(
        self, scope: Scope, news: Sequence[NewSlot], request: RequestKey | None, now: datetime
    ) -> PreparedSlots:
        kept = None
        if request is not None:
            record = SlotsReplay((), (), now)
            keyring = self._writes.database.keyring
            kept = {**request_parameters(keyring, scope, request, record), "created_at": now}
        return PreparedSlots(
            news=news,
            slots=await self._rows.json(scope, news),
            request=kept,
            marks=await self._writes.known_fingerprints(scope, _texts(news), request),
            audit=audit_of(None, now),
            now=now,
        )

    async def _set_alone(self, scope: Scope, write: PreparedSlots, step_by_step: Any) -> Written[SlotsReplay]:
        try:
            (done,) = await self._set_group(scope, [write])
        except CONFLICTS as error:
            # Postgres refuses the first write to a scope with blocked values; from then on marks are sent along.
            if violates(error, UNREAD):
                self._writes.known_blocks.add(scope)
            done = await step_by_step()
        return done

    async def _set_group(self, scope: Scope, writes: Sequence[PreparedSlots]) -> Sequence[Written[SlotsReplay]]:
        """Stores all of them, or raises where one cannot be stored: then none is."""
        lock, store = _parameters(scope, writes)
        stored = await self._writes.run_together(scope, (SQL["lock_scope"], lock), (SQL["set"], store))
        done, end = list[Written[SlotsReplay]](), 0
        for revision, write in enumerate(writes, stored.before + 1):
            begin, end = end, end + len(write.news)
            # Without chunks, caches need not read what is new.
            self._writes.notify(scope, revision, write.rows, only_added=not (write.rows or stored.has_removed))
            record = SlotsReplay(tuple(stored.slot_ids[begin:end]), tuple(stored.versions[begin:end]), write.now)
            done.append(Written(revision, record))
        return done

    async def _set_step_by_step(
        self, scope: Scope, news: Sequence[NewSlot], request: RequestKey | None, now: datetime
    ) -> Written[SlotsReplay]:
        async def change(session: Session, revision: int) -> SlotsReplay:
            numbered = await self._numbered(session, scope, news)
            slots = await self._rows.json(scope, numbered)
            await session.execute(SQL["set"], _store_parameters(scope, [slots], [], [], now))
            return SlotsReplay(
                tuple(new.slot.slot_id for new in numbered),
                tuple(new.slot.version for new in numbered),
                now,
            )

        rows = [new.row for new in news if new.row is not None]
        return await self._writes.write(scope, request, SlotsReplay, change, now, rows, texts=_texts(news))

    async def _numbered(self, session: Session, scope: Scope, news: Sequence[NewSlot]) -> Sequence[NewSlot]:
        """The slots with the ids and versions that they get, numbered as the statement numbers them."""
        paths = {new.slot.key: path_of(new.slot.key) for new in news}
        parameters = {**scope_parameters(scope), "paths": list(paths.values())}
        rows = await session.records(SQL["current"], parameters)
        newest = {row.path: (SlotId(row.slot_id), row.version) for row in rows}
        numbered = []
        for new in news:
            path = paths[new.slot.key]
            slot_id, version = newest.get(path, (new.slot.slot_id, 0))
            if new.if_version not in (None, version):
                expected = new.if_version or 0
                raise VersionConflict("slot", expected, version, name=new.slot.key)
            newest[path] = slot_id, version + 1
            numbered.append(new.numbered(slot_id, version + 1))
        return numbered


def _parameters(scope: Scope, writes: Sequence[PreparedSlots]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The parameters of the statements `lock_scope` and `set`."""
    requests = [{**each.request, "write": number} for number, each in enumerate(writes, 1) if each.request is not None]
    marks = [each.marks for each in writes]
    lock = {
        **scope_parameters(scope),
        "writes": len(writes),
        "added_memories": 0,
        "added_terms": 0,
        # Without the marks of one write, the statement refuses if any value at all is blocked.
        "marks": None if None in marks else list({each for of_one in marks for each in of_one or ()}),
        "now": writes[0].now,
    }
    slots, audits = [each.slots for each in writes], [each.audit for each in writes]
    return lock, _store_parameters(scope, slots, requests, audits, writes[0].now)


def _store_parameters(
    scope: Scope,
    slots: Sequence[str],
    requests: Sequence[Mapping[str, Any]],
    audits: Sequence[Mapping[str, Any]],
    now: datetime,
) -> dict[str, Any]:
    """The parameters of the statement `set`; one JSON array for each write."""
    return {
        **scope_parameters(scope),
        "writes": len(slots),
        "slots": f"[{','.join(slots)}]",
        "requests": json_text(requests),
        "audits": audits_json(audits),
        "max_ids": MAX_IDS,
        "now": now,
    }


def _texts(news: Sequence[NewSlot]) -> Mapping[str, str]:
    """The texts of a write, by field; of several slots with their indexes."""
    if len(news) == 1:
        return news[0].texts
    return {f"slots[{index}].{field}": text for index, new in enumerate(news) for field, text in new.texts.items()}
