"""Records that a bundle is built from beside retrieval, read in one snapshot and one round trip."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from psycopg import AsyncCursor
from psycopg.rows import namedtuple_row, tuple_row

from camillo_server.context.records import ContextRecords, RecordsQuery
from camillo_server.context.store.handoffs import handoff_from
from camillo_server.context.store.views import MAX_VIEWS, ViewRows
from camillo_server.crypto.keyring import Keyring
from camillo_server.decisions.store import DecisionRows
from camillo_server.events.store.rows import EventRows
from camillo_server.kernel.clock import earlier
from camillo_server.kernel.revision import Freshness
from camillo_server.kernel.scope import Scope, shared_scope
from camillo_server.memories.memory import Memory
from camillo_server.memories.store.rows import RowReader
from camillo_server.storage.database import Database, Session
from camillo_server.storage.scopes import read_fresh
from camillo_server.storage.statements import scope_parameters, statements
from camillo_server.tasks.store import TaskRows

SQL = {**statements("context/store/records"), "views": statements("context/store/context")["views"]}
RECENT_BYTES = 3 * 1024 * 1024
# RowReader unpacks rows of memories by position: there are many of them.
BY_POSITION = {"recent_memories", "pinned"}

Rows = list[Any]
Found = dict[str, Rows]


@dataclass(frozen=True, slots=True)
class RecordsRead:
    """Records of a scope, and the revision of the tenant's shared scope as of the same snapshot."""

    records: ContextRecords
    shared_revision: int


class RecordReader:
    """Reads the records of a scope and of the tenant's shared one in one snapshot."""

    def __init__(self, database: Database, keyring: Keyring) -> None:
        self._database = database
        self._keyring = keyring
        self._views = ViewRows(keyring)
        self._tasks = TaskRows(keyring)
        self._decisions = DecisionRows(keyring)
        self._events = EventRows(keyring)

    async def read(
        self, scope: Scope, wanted: RecordsQuery, freshness: Freshness, *, now: datetime
    ) -> RecordsRead:
        """Raises StorageUnavailable, RevisionBehind, KeyMissing, BytesLost."""
        parameters = _parameters(scope, wanted, now)
        sizes = {name: size for name, size in _sizes(wanted).items() if size > 0}

        async def work(session: Session) -> tuple[Found, int]:
            found = await _read(session, parameters, sizes)
            return found, found["revisions"][0][0]

        found, _ = await read_fresh(self._database, scope, freshness, work)
        return await self._records(scope, found)

    async def _records(self, scope: Scope, found: Found) -> RecordsRead:
        tenant_id = scope.tenant_id
        revision, shared_revision = found["revisions"][0]
        events = await self._events.events(scope, found.get("recent_events", [])[::-1])
        records = ContextRecords(
            revision=revision,
            views=[self._views.view(tenant_id, row) for row in found.get("views", [])],
            tasks=await self._tasks.tasks(tenant_id, found.get("tasks", [])),
            decisions=await self._decisions.decisions(tenant_id, found.get("decisions", [])),
            handoffs=[handoff_from(row) for row in found.get("handoffs", [])],
            recent_events=events,
            recent_memories=self._memories(scope, found.get("recent_memories", [])),
            pinned=self._memories(scope, found.get("pinned", [])),
        )
        return RecordsRead(records, shared_revision)

    def _memories(self, scope: Scope, rows: Rows) -> list[Memory]:
        """Of the scope, or of the tenant's: what is encrypted is bound to its scope."""
        readings = {
            each.agent_id: RowReader(each, self._keyring) for each in (scope, shared_scope(scope))
        }
        return [readings[row[1]].memory(row) for row in rows]


async def _read(session: Session, parameters: dict[str, Any], sizes: Mapping[str, int]) -> Found:
    """The rows of these statements by name, each with its size, as of one moment."""
    cursors: dict[str, AsyncCursor[Any]] = {}
    async with session.pipeline(), session.transaction():
        await session.execute(SQL["one_moment"])
        for name in ("revisions", *sizes):
            row_factory = tuple_row if name in BY_POSITION else namedtuple_row
            cursors[name] = session.cursor(binary=True, row_factory=row_factory)
            await cursors[name].execute(SQL[name], {**parameters, "size": sizes.get(name)})
    return {name: await cursor.fetchall() for name, cursor in cursors.items()}


def _parameters(scope: Scope, wanted: RecordsQuery, now: datetime) -> dict[str, Any]:
    return {
        **scope_parameters(scope),
        "session_id": wanted.session_id,
        "since": earlier(now, timedelta(hours=wanted.recent_memories_hours)),
        "now": now,
        "bytes": RECENT_BYTES,
    }


def _sizes(wanted: RecordsQuery) -> dict[str, int]:
    return {
        "views": MAX_VIEWS if wanted.views else 0,
        "tasks": wanted.tasks,
        "decisions": wanted.decisions,
        "handoffs": wanted.handoffs,
        "recent_events": wanted.recent_events if wanted.session_id else 0,
        "recent_memories": wanted.recent_memories,
        "pinned": wanted.pinned,
    }
