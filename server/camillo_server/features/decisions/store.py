"""Decisions in Postgres, and the chunks in which a search finds them."""

from collections.abc import AsyncGenerator, Collection, Sequence
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from camillo_server.features.decisions.decision import (
    DECISION_TEXTS,
    Decision,
    DecisionDraft,
    DecisionFilter,
    DecisionId,
    DecisionReach,
    DecisionReplay,
    DecisionStatus,
    Supersession,
    SupersessionReplay,
    decision_row,
)
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.errors import NotFound, SupersessionCycle, VersionConflict
from camillo_server.kernel.ids import AFTER_ALL, AgentId, PageCursor, TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.off_loop import map_off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.lib.text.json_lines import texts_of
from camillo_server.rows.forgettable import Forgettable, Removal
from camillo_server.rows.row import NewRow
from camillo_server.rows.store.inserts import rows_with_terms, store_chunks
from camillo_server.rows.store.removal import mark_derived
from camillo_server.storage.database import Session
from camillo_server.storage.encrypted_json import DraftRows
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("features/decisions/decisions")
FORGETTING = statements("features/decisions/forgetting")
DECISIONS_AT_ONCE = 200
EVERY_DECISION = DecisionFilter(statuses=tuple(DecisionStatus))
# The columns of what callers state, and how each is read.
COLUMNS = {
    "reach": DecisionReach,
    "channel": Channel,
    "sensitivity": Sensitivity,
    "session_id": str,
    "tags": tuple,
    "refs": tuple,
}
R = TypeVar("R")


class DecisionRows:
    """Converts decisions to rows and back; sensitive texts are encrypted in the row."""

    def __init__(self, keyring: Keyring) -> None:
        self._drafts = DraftRows(keyring, DecisionDraft, purpose="decision", columns=COLUMNS, texts=DECISION_TEXTS)

    def parameters(self, scope: Scope, decision: Decision) -> dict[str, Any]:
        """The parameters that store a new decision, without the revision. Raises KeyMissing."""
        return {
            **self._drafts.parameters(scope, decision.decision_id, decision.stated),
            "decision_id": decision.decision_id,
            "version": decision.version,
            "decided_at": decision.stated.decided_at or decision.created_at,
            "created_at": decision.created_at,
        }

    async def decisions(self, tenant_id: TenantId, rows: Sequence[Any]) -> list[Decision]:
        """The decisions in rows with the columns of the fragment `decision_columns`. Raises KeyMissing, BytesLost."""
        return await map_off_loop(partial(self._decision, tenant_id), rows)

    def _decision(self, tenant_id: TenantId, row: Any) -> Decision:
        return Decision(
            decision_id=DecisionId(row.decision_id),
            agent_id=AgentId(row.agent_id),
            version=row.version,
            status=DecisionStatus(row.status),
            stated=self._drafts.draft(tenant_id, row.decision_id, row, decided_at=row.decided_at),
            created_at=row.created_at,
            superseded_by=DecisionId(row.superseded_by) if row.superseded_by else None,
            superseded_at=row.superseded_at,
            supersedes=tuple(map(DecisionId, row.supersedes)),
        )


def _filter_parameters(filter: DecisionFilter) -> dict[str, Any]:
    return {
        "statuses": [int(status) for status in filter.statuses],
        "reaches": [int(reach) for reach in filter.reaches] or None,
        "session_id": filter.session_id or None,
        "tags_any": list(filter.tags_any) or None,
        "ref": filter.ref.lower() or None,
        "sensitivities": [int(level) for level in filter.sensitivities],
        "is_public": filter.is_public,
    }


class DecisionStore:
    """Decisions of one scope, each with its chunk. Every write is one transaction that advances the scope's revision by
    one; a repeated request writes nothing and gets the first record. Every method raises StorageUnavailable and
    KeyMissing; writes raise RequestIdReused, reads BytesLost."""

    def __init__(self, writes: ScopeWrites, keyring: Keyring) -> None:
        self._writes = writes
        self._database = writes.database
        self._keyring = keyring
        self._rows = DecisionRows(keyring)

    async def record(
        self, scope: Scope, decision: Decision, request: RequestKey | None, *, now: datetime
    ) -> Written[DecisionReplay]:
        """Stores a new decision. Raises ValueRejected."""
        rows = await rows_with_terms([decision_row(decision)])

        async def change(session: Session, revision: int) -> DecisionReplay:
            await self._insert(session, scope, decision, rows, revision)
            return DecisionReplay(decision.decision_id, now)

        texts = texts_of(decision.stated)
        return await self._writes.write(scope, request, DecisionReplay, change, now, rows, texts=texts, only_added=True)

    async def supersede(
        self,
        scope: Scope,
        supersession: Supersession,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> Written[SupersessionReplay]:
        """Links both decisions, and archives the chunk of the superseded one; an existing successor gets a new version.
        Raises NotFound, VersionConflict (also where one of them is not in force), SupersessionCycle; ValueRejected for
        a new successor."""
        successor, is_new = supersession.successor, supersession.is_new
        rows = await rows_with_terms([decision_row(successor)] if is_new else [])
        key = {
            **scope_parameters(scope),
            "decision_id": supersession.decision_id,
            "successor_id": successor.decision_id,
            "now": now,
        }

        async def change(session: Session, revision: int) -> SupersessionReplay:
            await _require_no_cycle(session, key, supersession)
            await _require_in_force(session, key, supersession.decision_id, supersession.expected_version)
            values = {**key, "revision": revision}
            if is_new:
                await self._insert(session, scope, successor, rows, revision)
            else:
                await _require_in_force(session, key, successor.decision_id, successor.version)
                await session.execute(SQL["touch"], values)
            await session.execute(SQL["supersede"], values)
            await session.execute(SQL["archive_chunk"], values)
            await mark_derived(session, scope, supersession.decision_id, revision, now)
            return SupersessionReplay(
                successor.decision_id,
                successor.version if is_new else successor.version + 1,
                (*successor.supersedes, supersession.decision_id),
            )

        texts = texts_of(successor.stated) if is_new else {}
        return await self._writes.write(scope, request, SupersessionReplay, change, now, rows, texts=texts)

    async def first_answer(
        self, scope: Scope, request: RequestKey | None, record_type: type[R], *, now: datetime
    ) -> Written[R] | None:
        """The first answer to this request, or None."""
        return await self._writes.first_answer(scope, request, record_type, now)

    async def get(self, scope: Scope, decision_ids: Sequence[DecisionId]) -> dict[DecisionId, Decision]:
        """The requested decisions that exist in the scope or in the tenant's shared one."""
        parameters = {**scope_parameters(scope), "decision_ids": list(decision_ids)}
        decisions = await self._read(scope, "get", parameters)
        return {decision.decision_id: decision for decision in decisions}

    async def page(
        self, scope: Scope, filter: DecisionFilter, after: PageCursor | None, size: int
    ) -> Sequence[Decision]:
        """At most `size` decisions of the scope and the tenant's shared one that follow `after`, in descending order of
        `created_at`."""
        cursor = after or AFTER_ALL
        parameters = {
            **scope_parameters(scope),
            **_filter_parameters(filter),
            "after_at": cursor.at,
            "after_id": cursor.row_id,
            "size": size,
        }
        return await self._read(scope, "page", parameters)

    async def chunk_rows(self, scope: Scope) -> AsyncGenerator[Sequence[NewRow], None]:
        """The chunk of every decision of the scope itself, a page at a time; the shared scope has its own."""
        after: PageCursor | None = None
        while page := await self.page(scope, EVERY_DECISION, after, DECISIONS_AT_ONCE):
            yield [decision_row(each) for each in page if each.agent_id == scope.agent_id]
            after = PageCursor(page[-1].created_at, page[-1].decision_id)

    async def _read(self, scope: Scope, name: str, parameters: dict[str, Any]) -> list[Decision]:
        rows = await self._database.records(scope, SQL[name], parameters)
        return await self._rows.decisions(scope.tenant_id, rows)

    async def _insert(
        self,
        session: Session,
        scope: Scope,
        decision: Decision,
        rows: Sequence[NewRow],
        revision: int,
    ) -> None:
        parameters = {**self._rows.parameters(scope, decision), "revision": revision}
        await session.execute(SQL["insert"], parameters)
        await store_chunks(session, scope, rows, self._keyring)


async def _require_no_cycle(session: Session, key: dict[str, Any], supersession: Supersession) -> None:
    """Raises SupersessionCycle where the decision has superseded its successor already, directly or through others."""
    successor_id = supersession.successor.decision_id
    rows = await session.rows(SQL["successors"], {**key, "decision_id": successor_id})
    if supersession.decision_id in {decision_id for (decision_id,) in rows}:
        raise SupersessionCycle("decision", supersession.decision_id)


async def _require_in_force(
    session: Session, key: dict[str, Any], decision_id: DecisionId, expected_version: int
) -> None:
    """Raises NotFound, VersionConflict."""
    current = await session.record(SQL["lock"], {**key, "decision_id": decision_id})
    if current is None:
        raise NotFound("decision", decision_id)
    if current.version != expected_version or current.status != DecisionStatus.ACTIVE:
        raise VersionConflict("decision", expected_version, current.version)


async def forget_decisions(session: Session, scope: Scope, decision_ids: Collection[str], removal: Removal) -> None:
    """Deletes decisions, and takes them out of their chains: what they superseded is superseded by the next that stays,
    or in force again where there is none."""
    key = {**scope_parameters(scope), "ids": list(decision_ids)}
    gone = set(decision_ids)
    successors: dict[str, str | None] = dict(await session.rows(FORGETTING["chain"], key))
    relinked: dict[str, str | None] = {}
    for decision_id, successor in successors.items():
        while successor is not None and successor in gone:
            successor = successors[successor]
        if decision_id not in gone:
            relinked[decision_id] = successor
    if relinked:
        values = {"ids": list(relinked), "successor_ids": list(relinked.values())}
        await session.execute(FORGETTING["relink"], {**key, **values, "revision": removal.revision, "now": removal.now})
    await session.execute(FORGETTING["delete_decisions"], key)


DECISIONS = Forgettable(
    "decisions",
    FORGETTING,
    "decision",
    own_texts=("decision",),
    has_chunks=True,
    is_cited=True,
    delete=forget_decisions,
)
