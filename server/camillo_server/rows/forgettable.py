"""How a feature declares records that can be forgotten: how they are found, read and removed, and what cites them."""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, LiteralString, NamedTuple, Protocol
from uuid import UUID

from camillo_server.kernel.ids import MemoryId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.lib.text.value_spans import SoughtValues, ValueSpans
from camillo_server.storage.database import Session


@dataclass(frozen=True, slots=True)
class Removal:
    """A removal inside the transaction that holds the scope's write lock. `stores` are the counts of its receipt."""

    receipt_id: UUID
    revision: int
    now: datetime
    stores: Mapping[str, int] = field(default_factory=dict)


class PlannedRemoval(Protocol):
    """Records that are about to go, and how many rows go with them, by store."""

    @property
    def stores(self) -> Mapping[str, int]: ...

    async def carry_out(self, session: Session, scope: Scope, removal: Removal) -> None: ...


class PlannedRedaction(Protocol):
    """Records that stay without a value."""

    @property
    def ids(self) -> Collection[str]: ...

    async def carry_out(self, session: Session, scope: Scope, removal: Removal) -> int:
        """Cuts the value out, after the removals of the same transaction; how many rows wait for vectors."""
        ...


class RepeatingRecords(NamedTuple):
    """Ids of the records that repeat a value, and of those that were not searched."""

    repeating: list[str]
    unsearched: list[str]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A row of a record that repeats a value: the texts that do, and what finds the value inside them."""

    store: str
    record_id: str
    sensitivity: int
    texts: Sequence[str]
    spans: ValueSpans | None


NoteRepeat = Callable[[Repeat], None]
# Finds the records of a scope that have a text with one of these values; each is noted where that is asked for.
FindRepeats = Callable[[Scope, SoughtValues, NoteRepeat | None], Awaitable[RepeatingRecords]]


def _itself(text: str) -> Iterable[str]:
    return (text,)


def _as_stored(details: Mapping[str, Any]) -> Mapping[str, Any]:
    return details


@dataclass(frozen=True, slots=True)
class Forgettable:
    """The records of one store, named after its table. `sql` has what is done with them: `existing_<store>` finds those
    of some ids, `delete_<store>` deletes them, `citing_<store>` finds those that cite a record, `texts_of_<store>`
    reads all texts, with the sensitivity of each row."""

    store: str
    sql: Mapping[str, LiteralString]
    # The purpose that the rows are encrypted for; without one, no text of a row is read.
    purpose: str = ""
    # The keys of what a record states itself, which is blocked; the rest of it explains that.
    own_texts: Sequence[str] = ()
    # The texts to block of one that a record states, and the details of a row with what its texts contain.
    stated: Callable[[str], Iterable[str]] = _itself
    values: Callable[[Mapping[str, Any]], Mapping[str, Any]] = _as_stored
    # The store whose records these rows are parts of: they go with them.
    part_of: str = ""
    # Whether chunks are derived from the records, and whether what cites one of them, or a chunk, goes with it.
    has_chunks: bool = False
    is_cited: bool = False
    # The store of all versions, counted by `count_<versions>`.
    versions: str = ""
    # The id of a version's chunk, for each row of `<versions>_of`; without it, all versions share the record's chunks.
    chunk_of_version: Callable[[UUID, int], MemoryId] | None = None
    # In place of statements: plans the removal of some records, removes some, all of a scope, all of a tenant.
    plan: Callable[[Session, Scope, Collection[str]], Awaitable[PlannedRemoval]] | None = None
    delete: Callable[[Session, Scope, Collection[str], Removal], Awaitable[None]] | None = None
    # Finds out which of these records, which hold a value, can stay without it; without this, none can.
    redact: Callable[[Session, Scope, Sequence[str], SoughtValues], Awaitable[PlannedRedaction]] | None = None
    delete_all: Callable[[Session, Scope, Removal], Awaitable[None]] | None = None
    delete_tenant: Callable[[Session, TenantId], Awaitable[None]] | None = None


def _joined(files: Iterable[Mapping[str, LiteralString]]) -> Mapping[str, LiteralString]:
    """The statements of several files. Raises ValueError where two have another one of the same name."""
    found: dict[str, LiteralString] = {}
    for name, statement in (each for file in files for each in file.items()):
        if found.setdefault(name, statement) != statement:
            raise ValueError(f"two statements for forgetting are named {name}")
    return found


class Forgettables:
    """All declarations, by store, and their statements. Raises ValueError where two statements have one name."""

    def __init__(self, declared: Iterable[Forgettable]) -> None:
        self.by_store: Mapping[str, Forgettable] = {each.store: each for each in declared}
        self.sql: Mapping[str, LiteralString] = _joined(each.sql for each in self.by_store.values())
        declared = self.by_store.values()
        # The stores of records that can be named, cited, and cite others; and those whose rows have texts.
        self.stores = ("memories", *(each.store for each in declared if not each.part_of))
        self.cited = ("memories", *(each.store for each in declared if each.is_cited))
        self.citing = tuple(store for store in self.stores if f"citing_{store}" in self.sql)
        self.with_texts = tuple(each.store for each in declared if each.purpose)
        # The stores whose records may stay without a value.
        self.redacted = {each.store: each.redact for each in declared if each.redact}
        # The stores whose records, when they go, take other rows with them by a plan of their own; and with their
        # chunks.
        self.planned = {each.store: each.plan for each in declared if each.plan}
        self.with_chunks = tuple(each.store for each in declared if each.has_chunks and not each.plan)

    def record_of(self, store: str) -> str:
        """The store of the records that the rows of this store belong to."""
        declared = self.by_store.get(store)
        return declared.part_of or store if declared else store

    async def delete_all(self, session: Session, scope: Scope, removal: Removal) -> None:
        """Deletes what no statement for a whole scope may delete at once."""
        for each in self.by_store.values():
            if each.delete_all:
                await each.delete_all(session, scope, removal)

    async def delete_tenant(self, session: Session, tenant_id: TenantId) -> None:
        """Deletes what does not go with the row of its tenant."""
        for each in self.by_store.values():
            if each.delete_tenant:
                await each.delete_tenant(session, tenant_id)
