"""Records that a bundle is built from beside retrieval, read in one snapshot and one round trip."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from psycopg import AsyncCursor
from psycopg.rows import namedtuple_row, tuple_row

from camillo_server.across.context.records import (
    MAX_PREFERENCES,
    MAX_RECENT_BYTES,
    ContextRecords,
    RecordsQuery,
    recent,
    standing,
)
from camillo_server.across.context.store.context import ViewRows, handoff_from
from camillo_server.features.decisions.store import DecisionRows
from camillo_server.features.events.store.rows import EventRows
from camillo_server.features.knowledge.skill_store import bundle_parameters, nearest_skill
from camillo_server.features.slots.store.rows import BriefRows
from camillo_server.features.tasks.store import TaskRows
from camillo_server.kernel.clock import earlier
from camillo_server.kernel.off_loop import off_loop
from camillo_server.kernel.scope import Scope, shared_scope
from camillo_server.kernel.writes import Freshness
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.rows.row import Row
from camillo_server.rows.store.rows import AGENT_ID, RowReader, decryption_cost
from camillo_server.storage.database import Database, Session
from camillo_server.storage.scopes import read_fresh
from camillo_server.storage.statements import scope_parameters, statements

SQL = {
    **statements("across/context/store/records"),
    "views": statements("across/context/store/context")["views"],
    "bundle_skills": statements("features/knowledge/skills")["bundle"],
}
# RowReader unpacks rows of memories by position: there are many of them.
BY_POSITION = {"unasked"}

Rows = Mapping[str, Sequence[Any]]


class RecordReader:
    """Reads the records of a scope and of the tenant's shared one in one snapshot."""

    def __init__(self, database: Database, keyring: Keyring) -> None:
        self._database = database
        self._keyring = keyring
        self._views = ViewRows(keyring)
        self._tasks = TaskRows(keyring)
        self._decisions = DecisionRows(keyring)
        self._events = EventRows(keyring)
        self._slots = BriefRows(keyring)

    async def read(self, scope: Scope, query: RecordsQuery, freshness: Freshness, *, now: datetime) -> ContextRecords:
        """Raises StorageUnavailable, RevisionBehind, KeyMissing, BytesLost."""
        parameters = {
            **scope_parameters(scope),
            "session_id": query.session_id,
            "since": earlier(now, timedelta(hours=query.recent_memories_hours)),
            "now": now,
            "pinned": query.pinned,
            "preferences": min(query.pinned, MAX_PREFERENCES),
            "recent": query.recent_memories,
            "bytes": MAX_RECENT_BYTES,
            **(query.slots.parameters if query.slots else {}),
            **(bundle_parameters(query.skills) if query.skills else {}),
        }

        async def work(session: Session) -> tuple[Rows, int]:
            rows = await _read(session, parameters, query.sizes)
            return rows, rows["revisions"][0].revision

        rows, _ = await read_fresh(self._database, scope, freshness, work)
        return await self._records(scope, rows, query, parameters["since"])

    async def _records(self, scope: Scope, rows: Rows, query: RecordsQuery, since: datetime) -> ContextRecords:
        tenant_id = scope.tenant_id
        unasked = await self._memories(scope, rows["unasked"])
        revision, shared_revision, shared_rows, has_decisions = rows["revisions"][0]
        return ContextRecords(
            revision=revision,
            shared_revision=shared_revision,
            has_shared_rows=shared_rows > 0,
            has_decisions=has_decisions,
            views=[self._views.view(tenant_id, row) for row in rows["views"]],
            tasks=await self._tasks.tasks(tenant_id, rows["tasks"]),
            decisions=await self._decisions.decisions(tenant_id, rows["decisions"]),
            handoffs=[handoff_from(row) for row in rows["handoffs"]],
            recent_events=await self._events.events(scope, rows["recent_events"][::-1]),
            earlier_events=await self._events.events(scope, rows["earlier_events"][::-1]),
            recent_memories=recent(unasked, since)[: query.recent_memories],
            pinned=standing(unasked)[: query.pinned],
            slots=await self._slots.briefs(tenant_id, rows["slots"]),
            skills=[nearest_skill(row) for row in rows["bundle_skills"]],
        )

    async def _memories(self, scope: Scope, rows: Sequence[Any]) -> list[Row]:
        """The memories of rows of the scope or of the tenant's shared one: encrypted texts are bound to their scope."""
        readers = {each.agent_id: RowReader(each, self._keyring) for each in (scope, shared_scope(scope))}
        return await off_loop(
            decryption_cost(rows),
            lambda: [readers[row[AGENT_ID]].memory(row) for row in rows],
        )


async def _read(session: Session, parameters: dict[str, Any], sizes: Mapping[str, int]) -> Rows:
    """The rows of these statements by name, each with its size, as of one moment; none where the size is 0."""
    cursors: dict[str, AsyncCursor[Any]] = {}
    async with session.pipeline(), session.transaction():
        await session.execute(SQL["one_moment"])
        for name in ("revisions", *(name for name, size in sizes.items() if size)):
            row_factory = tuple_row if name in BY_POSITION else namedtuple_row
            cursors[name] = session.cursor(binary=True, row_factory=row_factory)
            await cursors[name].execute(SQL[name], {**parameters, "size": sizes.get(name)})
    rows = {name: await cursor.fetchall() for name, cursor in cursors.items()}
    return dict.fromkeys(sizes, ()) | rows
