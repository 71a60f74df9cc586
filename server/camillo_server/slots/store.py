"""Slots in Postgres: the newest version of each key as lists look for it, every version with its content, and the chunk of the
newest one in which a search finds it."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from camillo_server.crypto.keyring import Keyring
from camillo_server.events.store.rows import store_chunks
from camillo_server.kernel.attribution import TRUST_LEVELS
from camillo_server.kernel.errors import VersionConflict
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import ChunkKind, Sensitivity
from camillo_server.kernel.off_loop import off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.memories.memory import NewRow
from camillo_server.memories.store.deletion import delete_rows
from camillo_server.slots.content import PARSED_MICROSECONDS, ContentFields, parsed
from camillo_server.slots.key import BEHIND, SEPARATOR, key_of, path_of
from camillo_server.slots.slot import (
    NewSlot,
    ProvenanceKind,
    Slot,
    SlotEntry,
    SlotFilter,
    SlotId,
    SlotProvenance,
    SlotReplay,
    SlotSource,
    slot_chunk_id,
    slot_row,
)
from camillo_server.storage.database import Session
from camillo_server.storage.encrypted_json import MIN_ENCRYPTED, EncryptedJson, JsonLocation
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("slots/slots")
# Reading one version, most of it decryption and JSON, and each further byte of it.
SLOT_MICROSECONDS = 30.0
BYTE_MICROSECONDS = 1 / 64
# Of a page, so that it fits in a message: at least one slot is read.
PAGE_BYTES = 3 * 1024 * 1024
SLOTS_AT_ONCE = 200
EVERY_SLOT = SlotFilter()


@dataclass(frozen=True, slots=True)
class EntryPage:
    """A page of what stands below a prefix, and whether there is more behind it."""

    entries: Sequence[SlotEntry]
    has_more: bool


@dataclass(frozen=True, slots=True)
class VersionPage:
    """A page of the versions of a slot, and whether there are earlier ones."""

    versions: Sequence[Slot]
    has_more: bool


class SlotRows:
    """Converts slots to rows and back; sensitive content is encrypted in the row. Keys, types and tags are not: lists look for
    them."""

    def __init__(self, keyring: Keyring) -> None:
        self._json = EncryptedJson(keyring)

    def parameters(self, scope: Scope, slot: Slot) -> dict[str, Any]:
        """The parameters that store a version, without the revision. Raises KeyMissing."""
        fields = slot.fields
        details = {
            "content": slot.json_content,
            "source": _source_json(slot.source),
            "fields": _fields_json(fields),
        }
        location = slot_location(scope.tenant_id, scope.agent_id, slot.slot_id, slot.version)
        encrypted = slot.sensitivity >= MIN_ENCRYPTED
        columns = self._json.columns(details, location, encrypted=encrypted)
        return {
            **scope_parameters(scope),
            **columns,
            "slot_id": slot.slot_id,
            "path": path_of(slot.key),
            "version": slot.version,
            "kind": slot.kind,
            "sensitivity": slot.sensitivity,
            "trust_level": slot.trust_level,
            "credential": slot.credential,
            "updated_at": slot.updated_at,
            "content_bytes": len(slot.json_content.encode()),
            "type": fields.type,
            "tags": list(fields.tags),
            "importance": fields.importance,
            "expired_at": fields.expired_at,
            "trigger_at": fields.trigger_at,
        }

    async def slots(self, tenant_id: str, rows: Sequence[Any]) -> list[Slot]:
        """The versions in rows with the columns of the fragment `slot_columns`. Raises KeyMissing, BytesLost."""
        cost = sum(SLOT_MICROSECONDS + row.content_bytes * BYTE_MICROSECONDS for row in rows)
        return await off_loop(cost, lambda: [self._slot(tenant_id, row) for row in rows])

    def _slot(self, tenant_id: str, row: Any) -> Slot:
        location = slot_location(tenant_id, row.agent_id, row.slot_id, row.version)
        details = self._json.read((row.details, row.key_id, row.sealed_details), location)
        return Slot(
            slot_id=SlotId(row.slot_id),
            agent_id=AgentId(row.agent_id),
            key=key_of(row.path),
            version=row.version,
            json_content=details["content"],
            source=_source_from(details["source"]),
            fields=_fields_from(details["fields"]),
            sensitivity=Sensitivity(row.sensitivity),
            trust_level=TRUST_LEVELS[row.trust_level],
            credential=row.credential,
            updated_at=row.updated_at,
        )


class SlotStore:
    """Slots of one scope. Every write is one transaction that advances the scope's revision by one; a repeated request writes
    nothing and gets the first record. Every method raises StorageUnavailable and KeyMissing; writes raise RequestIdReused,
    reads BytesLost."""

    def __init__(self, writes: ScopeWrites, keyring: Keyring) -> None:
        self._writes = writes
        self._database = writes.database
        self._keyring = keyring
        self._rows = SlotRows(keyring)

    async def set(
        self,
        scope: Scope,
        new: NewSlot,
        if_version: int | None,
        request: RequestKey | None,
    ) -> Written[Slot]:
        """Stores the next version of a key, and its chunk in the place of that of the version before. `if_version`: only behind
        this one, 0 being none. Raises VersionConflict, ValueRejected."""
        slot, now = new.slot, new.slot.updated_at
        rows = [new.row] if new.row else []

        async def change(session: Session, revision: int) -> SlotReplay:
            key = {**scope_parameters(scope), "path": path_of(slot.key)}
            current = await session.record(SQL["lock"], key)
            version = current.version if current else 0
            if if_version not in (None, version):
                raise VersionConflict("slot", if_version or 0, version)
            slot_id = SlotId(current.slot_id) if current else slot.slot_id
            next_ = replace(slot, slot_id=slot_id, version=version + 1)
            values = {**self._rows.parameters(scope, next_), "revision": revision}
            async with session.pipeline():
                await session.execute(SQL["put"], values)
                await session.execute(SQL["insert_version"], values)
            if current and current.kind is not None:
                gone = [slot_chunk_id(slot_id, version)]
                await delete_rows(session, scope, gone, revision, now)
            if rows:
                chunks = [_numbered(row, next_) for row in rows]
                await store_chunks(session, scope, chunks, self._keyring)
            return SlotReplay(slot_id, version + 1, now)

        done = await self._writes.write(
            scope, request, SlotReplay, change, now, rows, texts=new.texts
        )
        record = done.record
        stored = replace(slot, slot_id=record.slot_id, version=record.version, updated_at=record.at)
        return Written(done.revision, stored, done.is_repeat)

    async def version(self, scope: Scope, key: str, version: int | None) -> Slot | None:
        """This version of a slot, or the newest; None where there is none."""
        parameters = {**scope_parameters(scope), "path": path_of(key), "version": version}
        rows = await self._read(scope, "version", parameters)
        slots = await self._rows.slots(scope.tenant_id, rows)
        return slots[0] if slots else None

    async def page(
        self,
        scope: Scope,
        prefix: str,
        filter: SlotFilter,
        after: str,
        size: int,
        *,
        one_level: bool,
    ) -> EntryPage:
        """What stands below a prefix and passes a filter, behind a key, in the order of paths: at most `size` entries, and fewer
        where they hold much."""
        root = path_of(prefix)
        low = path_of(after) + BEHIND if one_level and after else path_of(after)
        parameters = {
            **scope_parameters(scope),
            **_filter_parameters(filter),
            "root_length": len(root),
            "low": low or (root + SEPARATOR if one_level else root),
            "after": path_of(after),
            "until": root + BEHIND,
            # One more than requested shows whether there is a next page.
            "size": size + 1,
            "bytes": PAGE_BYTES,
        }
        rows = await self._read(scope, "level" if one_level else "page", parameters)
        read = await self._rows.slots(
            scope.tenant_id, [row for row in rows if row.slot_id is not None]
        )
        slots = {slot.key: slot for slot in read}
        entries = [
            SlotEntry(key, slots.get(key), row.is_directory)
            for row in rows
            if (key := key_of(row.entry))
        ]
        found = rows[0].found if rows else 0
        return EntryPage(entries[:size], has_more=found > min(size, len(entries)))

    async def history(
        self, scope: Scope, key: str, filter: SlotFilter, before: int | None, size: int
    ) -> VersionPage:
        """The versions of a key below this one that pass the filter's channel, the newest first; as `page`."""
        parameters = {
            **scope_parameters(scope),
            **_filter_parameters(filter),
            "path": path_of(key),
            "before": before or 2**62,
            "size": size + 1,
            "bytes": PAGE_BYTES,
        }
        rows = await self._read(scope, "history", parameters)
        versions = await self._rows.slots(scope.tenant_id, rows)
        found = rows[0].found if rows else 0
        return VersionPage(versions[:size], has_more=found > min(size, len(versions)))

    async def chunk_rows(self, scope: Scope) -> AsyncGenerator[Sequence[NewRow], None]:
        """The chunk of every slot of the scope that has one, a page at a time."""
        after, has_more = "", True
        while has_more:
            page = await self.page(scope, "", EVERY_SLOT, after, SLOTS_AT_ONCE, one_level=False)
            has_more = page.has_more
            slots = [entry.slot for entry in page.entries if entry.slot is not None]
            yield await off_loop(
                sum(len(each.json_content) for each in slots) * PARSED_MICROSECONDS,
                lambda slots=slots: [slot_row(each, parsed(each.json_content)) for each in slots],  # type: ignore[misc]
            )
            after = page.entries[-1].key if page.entries else after

    async def _read(self, scope: Scope, name: str, parameters: dict[str, Any]) -> Sequence[Any]:
        return await self._database.read(
            scope, lambda session: session.records(SQL[name], parameters)
        )


def _numbered(row: NewRow, slot: Slot) -> NewRow:
    """The chunk, prepared for a new key, as that of this version."""
    memory = row.memory._replace(
        memory_id=slot_chunk_id(slot.slot_id, slot.version),
        source_refs=(str(slot.slot_id),),
        version=slot.version,
    )
    return replace(row, memory=memory)


def slot_location(tenant_id: str, agent_id: str, slot_id: object, version: int) -> JsonLocation:
    """What the encrypted details of a version are bound to."""
    return JsonLocation.in_scope(tenant_id, agent_id, "slot", f"{slot_id}\0{version}")


def _filter_parameters(filter: SlotFilter) -> dict[str, Any]:
    return {
        "types": list(filter.types) or None,
        "tags_any": list(filter.tags_any) or None,
        "updated_since": filter.updated_since,
        "trigger_before": filter.trigger_before,
        "sensitivities": [int(level) for level in filter.sensitivities],
        "is_public": filter.is_public,
        "private_kind": int(ChunkKind.PRIVATE_SLOT),
    }


def _source_json(source: SlotSource) -> Any:
    if isinstance(source, str):
        return source
    at = source.retrieved_at
    return {
        "kind": int(source.kind),
        "name": source.name,
        "retrieved_at": at.isoformat() if at else None,
        "locator": source.locator,
    }


def _source_from(value: Any) -> SlotSource:
    if isinstance(value, str):
        return value
    at = value["retrieved_at"]
    return SlotProvenance(
        kind=ProvenanceKind(value["kind"]),
        name=value["name"],
        retrieved_at=datetime.fromisoformat(at) if at else None,
        locator=value["locator"],
    )


def _fields_json(fields: ContentFields) -> Mapping[str, Any]:
    def plain(value: Any) -> Any:
        if isinstance(value, datetime):
            return value.isoformat()
        return list(value) if isinstance(value, tuple) else value

    return {name: plain(value) for name, value in asdict(fields).items()}


def _fields_from(value: Mapping[str, Any]) -> ContentFields:
    times = {
        name: datetime.fromisoformat(value[name]) if value[name] else None
        for name in ("expired_at", "trigger_at")
    }
    return ContentFields(**{**value, **times, "tags": tuple(value["tags"])})
