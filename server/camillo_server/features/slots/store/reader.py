"""Reads slots in Postgres: the newest version of each key as lists look for it, and every version with its content."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Any

from camillo_formats.slot_content import VALUES_COST, parsed
from camillo_formats.slot_keys import BEHIND, SEPARATOR, key_of, path_of

from camillo_server.features.slots.slot import Slot, SlotEntry, SlotFilter, slot_row
from camillo_server.features.slots.store.rows import SlotRows
from camillo_server.kernel.kinds import ChunkKind
from camillo_server.kernel.off_loop import off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.rows.row import NewRow
from camillo_server.storage.database import Database
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("features/slots/store/slots")
# The maximum size of a page, so that it fits in a message; at least one slot is read.
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


class SlotReader:
    """Reads slots of one scope. Every method raises StorageUnavailable, KeyMissing, BytesLost."""

    def __init__(self, database: Database, keyring: Keyring) -> None:
        self._database = database
        self._rows = SlotRows(keyring)

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
        """The entries below a prefix that pass a filter, after a key, in the order of paths: at most `size`, and fewer
        if they are large."""
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
        read = await self._rows.slots(scope.tenant_id, [row for row in rows if row.slot_id is not None])
        slots = iter(read)
        entries = [_entry(row, None if row.slot_id is None else next(slots)) for row in rows if row.entry]
        found = rows[0].found if rows else 0
        return EntryPage(entries[:size], has_more=found > min(size, len(entries)))

    async def history(self, scope: Scope, key: str, filter: SlotFilter, before: int | None, size: int) -> VersionPage:
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
            slots = [entry.slot for entry in page.entries if entry.slot is not None and entry.slot.has_chunk]
            yield await off_loop(
                sum(len(each.json_content) for each in slots) * VALUES_COST,
                lambda slots=slots: [slot_row(each, parsed(each.json_content)) for each in slots],  # type: ignore[misc]
            )
            after = page.entries[-1].key if page.entries else after

    async def _read(self, scope: Scope, name: str, parameters: dict[str, Any]) -> Sequence[Any]:
        return await self._database.records(scope, SQL[name], parameters)


def _entry(row: Any, slot: Slot | None) -> SlotEntry:
    return SlotEntry(slot.key if slot else key_of(row.entry), slot, row.is_directory)


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
