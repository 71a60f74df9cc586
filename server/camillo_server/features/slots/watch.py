"""Use cases that follow the slots of a scope: watched as they are written, and exported."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from camillo_formats.slot_keys import BEHIND, path_of

from camillo_server.features.slots.slot import Slot, SlotFilter, SlotId
from camillo_server.features.slots.store.reader import PAGE_BYTES, SLOTS_AT_ONCE, SQL, SlotReader
from camillo_server.features.slots.store.rows import SlotRows
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.kinds import ChunkKind
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.storage.change_notifier import MAX_WAIT_SECONDS, ChangeNotifier, ScopeListener
from camillo_server.storage.database import Database
from camillo_server.storage.scopes import scope_revision
from camillo_server.storage.statements import scope_parameters

CHANGES_AT_ONCE = 500
# How many versions a page looks at: those of one statement of a few milliseconds.
SCANNED_AT_ONCE = 1_000
LAST_ID, LAST_VERSION = SlotId(UUID(int=2**128 - 1)), 2**62
EVER = 2**62


class SlotCursor(NamedTuple):
    """A position among the changes of a scope; the next page begins after it. A forgotten slot has version 0."""

    revision: int
    slot_id: SlotId
    version: int

    @classmethod
    def behind(cls, revision: int) -> "SlotCursor":
        """After everything of a revision."""
        return cls(revision, LAST_ID, LAST_VERSION)


BEGINNING = SlotCursor.behind(0)


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
    """Changes in order, and the revision at which they were read. `next` is the position behind which more may follow;
    only where it is None there is nothing."""

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
        """Versions behind a position up to a revision; for one who follows them also which slots were forgotten, and
        that a version may not be loaded where the one before it may."""
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
        return await self._database.records(scope, SQL[name], parameters)


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


@dataclass(frozen=True, slots=True)
class Watched:
    """A message of a watch: a change, or a slot whose time has come, or else a checkpoint: everything up to the
    position was sent."""

    position: SlotCursor
    change: SlotChange | None = None
    triggered: Slot | None = None


@dataclass(frozen=True, slots=True)
class ExportedSlots:
    """Versions of an export, the position of each, and the revision up to which the export goes."""

    versions: Sequence[Slot]
    positions: Sequence[SlotCursor]
    revision: int


class WatchSlots:
    """Raises RevisionUnknown where Postgres has lost what was sent, StorageUnavailable, KeyMissing, BytesLost."""

    def __init__(self, changes: SlotChanges, notifier: ChangeNotifier, policy: ChannelPolicy, clock: Clock) -> None:
        self._changes = changes
        self._notifier = notifier
        self._policy = policy
        self._clock = clock

    async def __call__(
        self,
        scope: Scope,
        prefix: str,
        channel: Channel,
        after: SlotCursor | None,
        triggers_after: datetime | None,
    ) -> AsyncGenerator[Watched]:
        """Yields, without end, every version after a position (None: from the first one there is) in the order of
        revisions, and a checkpoint whenever everything up to its revision was sent and the revision moved on. With
        `triggers_after`, also yields slots whose time is after it, as it comes."""
        range_ = SlotRange(scope, prefix, self._policy.narrowed(SlotFilter(), channel))
        position, checkpoint = after or BEGINNING, -1
        timer = None if triggers_after is None else Triggers(self._changes, range_, triggers_after)
        # A watch that begins with nothing need not send what was forgotten before.
        silent_until = None if after is None else 0
        listener = self._notifier.listen(scope)
        try:
            while True:
                page = await self._changes.page(range_, position, EVER, follows=True)
                listener.require_history()
                silent_until = page.revision if silent_until is None else silent_until
                for change in page.changes:
                    if not change.is_forgotten or change.cursor.revision > silent_until:
                        yield Watched(change.cursor, change)
                if page.next is not None:
                    position = page.next
                    continue
                position = max(position, SlotCursor.behind(page.revision))
                if position.revision != checkpoint:
                    checkpoint = position.revision
                    yield Watched(position)
                if timer is None:
                    await listener.wait(MAX_WAIT_SECONDS)
                    continue
                for slot in await timer.come(self._clock.now()):
                    listener.require_history()
                    yield Watched(position, triggered=slot)
                await timer.wait(listener, self._clock)
        finally:
            listener.close()


class Triggers:
    """The slots of a watch whose time comes."""

    def __init__(self, changes: SlotChanges, range_: SlotRange, after: datetime) -> None:
        self._changes = changes
        self._range = range_
        self._after, self._after_id = after, LAST_ID
        self._has_more = False

    async def come(self, now: datetime) -> Sequence[Slot]:
        """The slots whose time has come since the last ones that were returned."""
        if now < self._after:
            return ()
        slots = await self._changes.triggered(self._range, self._after, self._after_id, now)
        self._has_more = bool(slots)
        if slots and (at := slots[-1].fields.trigger_at) is not None:
            self._after, self._after_id = at, slots[-1].slot_id
        elif not slots:
            # A slot that was given a time in the past was reported when it was written.
            self._after, self._after_id = now, LAST_ID
        return slots

    async def wait(self, listener: ScopeListener, clock: Clock) -> None:
        """Waits until the scope may have changed, or the time of the next one has come."""
        if self._has_more:
            return
        upcoming = await self._changes.next_trigger(self._range, self._after)
        seconds = MAX_WAIT_SECONDS
        if upcoming is not None:
            seconds = (upcoming - clock.now()).total_seconds()
        await listener.wait(min(max(seconds, 0.0), MAX_WAIT_SECONDS))


class ExportSlots:
    """Raises as `WatchSlots`. Each page is a read of its own: between them a caller holds neither a connection nor a
    transaction."""

    def __init__(self, changes: SlotChanges, store: SlotReader, policy: ChannelPolicy) -> None:
        self._changes = changes
        self._store = store
        self._policy = policy

    async def versions(
        self, scope: Scope, prefix: str, channel: Channel, after: SlotCursor | None
    ) -> AsyncGenerator[ExportedSlots]:
        """Every version behind a position, in the order of revisions, up to the revision of now."""
        range_ = SlotRange(scope, prefix, self._policy.narrowed(SlotFilter(), channel))
        position, revision = after or BEGINNING, EVER
        while True:
            page = await self._changes.page(range_, position, revision, follows=False)
            revision = min(revision, page.revision)
            if page.next is None:
                return
            position = page.next
            versions = [each.slot for each in page.changes if each.slot]
            if versions:
                positions = [each.cursor for each in page.changes]
                yield ExportedSlots(versions, positions, revision)

    async def newest(self, scope: Scope, prefix: str, channel: Channel, after: str) -> AsyncGenerator[ExportedSlots]:
        """The newest version of each slot that has content, behind a key, in the order of keys."""
        filter = self._policy.narrowed(SlotFilter(), channel)
        revision, has_more = await self._changes.revision(scope), True
        while has_more:
            page = await self._store.page(scope, prefix, filter, after, SLOTS_AT_ONCE, one_level=False)
            has_more = page.has_more
            if page.entries:
                after = page.entries[-1].key
                yield ExportedSlots([each.slot for each in page.entries if each.slot], (), revision)
