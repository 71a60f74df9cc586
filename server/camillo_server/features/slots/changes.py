"""Reads what happened to the slots of a scope, in the order of its revisions."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from camillo_formats.slot_keys import BEHIND, path_of

from camillo_server.features.slots.slot import Slot, SlotFilter, SlotId
from camillo_server.features.slots.store.reader import PAGE_BYTES, SQL
from camillo_server.features.slots.store.rows import SlotRows
from camillo_server.kernel.kinds import ChunkKind
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.storage.database import Database
from camillo_server.storage.scopes import scope_revision
from camillo_server.storage.statements import scope_parameters

CHANGES_AT_ONCE = 500
# How many versions a page looks at: those of one statement of a few milliseconds.
SCANNED_AT_ONCE = 1_000
LAST_ID, LAST_VERSION = SlotId(UUID(int=2**128 - 1)), 2**62


class SlotCursor(NamedTuple):
    """A position among the changes of a scope; the next page begins after it. A forgotten slot has version 0."""

    revision: int
    slot_id: SlotId
    version: int

    @classmethod
    def behind(cls, revision: int) -> "SlotCursor":
        """After everything of a revision."""
        return cls(revision, LAST_ID, LAST_VERSION)


@dataclass(frozen=True, slots=True)
class SlotChange:
    """A version that was written; without one, the slot was forgotten, or the reader may not load the version."""

    cursor: SlotCursor
    slot: Slot | None

    @property
    def is_forgotten(self) -> bool:
        return self.cursor.version == 0


@dataclass(frozen=True, slots=True)
class SlotChangePage:
    """Changes in order, and the revision at which they were read. `next` is the position behind which more may follow; only where
    it is None there is nothing."""

    changes: Sequence[SlotChange]
    revision: int
    next: SlotCursor | None


@dataclass(frozen=True, slots=True)
class SlotRange:
    """The slots below a prefix that pass a filter's channel."""

    scope: Scope
    prefix: str
    filter: SlotFilter


class SlotChanges:
    """Raises StorageUnavailable, KeyMissing, BytesLost."""

    def __init__(self, database: Database, keyring: Keyring) -> None:
        self._database = database
        self._rows = SlotRows(keyring)

    async def page(self, range_: SlotRange, after: SlotCursor, until_revision: int, *, follows: bool) -> SlotChangePage:
        """Versions behind a position up to a revision; for one who follows them also which slots were forgotten, and that a
        version may not be loaded where the one before it may."""
        parameters = {
            **_parameters(range_),
            "after_revision": after.revision,
            "after_id": after.slot_id,
            "after_version": after.version,
            "until_revision": until_revision,
            "follows": follows,
            "scanned": SCANNED_AT_ONCE,
        }
        rows = await self._records(range_.scope, "changes", parameters)
        found = [row for row in rows if row.changed_id is not None]
        read = [row for row in found if row.slot_id is not None]
        slots = iter(await self._rows.slots(range_.scope.tenant_id, read))
        changes = [
            SlotChange(
                SlotCursor(row.changed_in, SlotId(row.changed_id), row.changed_version),
                next(slots) if row.slot_id is not None else None,
            )
            for row in found
        ]
        first = rows[0]
        if changes:
            behind = changes[-1].cursor
        elif first.scanned_id is not None:
            behind = SlotCursor(first.scanned_in, SlotId(first.scanned_id), first.scanned_version)
        else:
            behind = None
        return SlotChangePage(changes, first.scope_revision, behind)

    async def revision(self, scope: Scope) -> int:
        """The revision of the latest write."""
        return await self._database.read(scope, lambda session: scope_revision(session, scope))

    async def triggered(self, range_: SlotRange, after: datetime, after_id: UUID, now: datetime) -> Sequence[Slot]:
        """Slots whose time has come, behind that of another one, in the order of their times and ids."""
        parameters = {**_parameters(range_), "after": after, "after_id": after_id, "now": now}
        rows = await self._records(range_.scope, "triggered", parameters)
        return await self._rows.slots(range_.scope.tenant_id, rows)

    async def next_trigger(self, range_: SlotRange, now: datetime) -> datetime | None:
        """When the time of the next one comes."""
        parameters = {**_parameters(range_), "now": now}
        rows = await self._database.rows(range_.scope, SQL["next_trigger"], parameters)
        moment: datetime | None = rows[0][0]
        return moment

    async def _records(self, scope: Scope, name: str, parameters: dict[str, Any]) -> Sequence[Any]:
        return await self._database.read(scope, lambda session: session.records(SQL[name], parameters))


def _parameters(range_: SlotRange) -> dict[str, Any]:
    root = path_of(range_.prefix)
    return {
        **scope_parameters(range_.scope),
        "low": root,
        "until": root + BEHIND,
        "sensitivities": [int(level) for level in range_.filter.sensitivities],
        "is_public": range_.filter.is_public,
        "private_kind": int(ChunkKind.PRIVATE_SLOT),
        "size": CHANGES_AT_ONCE,
        "bytes": PAGE_BYTES,
    }
