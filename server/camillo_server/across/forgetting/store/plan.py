"""The plan of a forgetting in one scope: made as of one moment, carried out in the transaction that holds its lock."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from uuid import UUID

from camillo_server.across.forgetting.excerpts import Excerpts
from camillo_server.across.forgetting.records import (
    NAMED,
    ForgetSelection,
    ForgottenElsewhere,
    ForgottenReplay,
    OfSession,
    Records,
    Repeating,
    Selector,
    named,
    summed,
)
from camillo_server.across.forgetting.store.cascade import Cascade, follow, follow_links, select
from camillo_server.across.forgetting.store.redaction import (
    NO_REDACTIONS,
    Redactions,
    plan_redactions,
)
from camillo_server.across.forgetting.store.texts import RecordTexts
from camillo_server.kernel.ids import MAX_NAMED_IDS, AgentId, MemoryId
from camillo_server.kernel.scope import Scope, shared_scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.lib.text.value_fingerprints import SHORTEST_PART, is_common, value_fingerprint
from camillo_server.lib.text.value_spans import NOTHING_SOUGHT, SoughtValues, ValueSpans
from camillo_server.rows.forgettable import Forgettables, PlannedRemoval, Removal, RepeatingRecords
from camillo_server.rows.store.removal import (
    chunks_of,
    count_chunks,
    count_rows,
    delete_rows,
    existing_ids,
    restore_rows,
    selected_ids,
)
from camillo_server.storage.database import Session
from camillo_server.storage.scopes import next_revision
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("across/forgetting/store/forgetting")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class SearchedBefore:
    """The records that repeat a value, as they were found before the scope was locked, and the revision of that search;
    and the artifacts that were not searched. No artifact is searched under the lock."""

    records: Records
    revision: int
    unsearched: Collection[str]


@dataclass(frozen=True, slots=True)
class DeletionPlan:
    """The records that go, by store, and what goes and comes back with them. `blocked` are the fingerprints of values
    that may not be stated again, `unblocked` the number of texts that are no values and may, `sought` the values that
    are looked for, `refs` the names by which records of another scope may cite one of these, `repeats` the records
    that were recognized, `excerpts` what a dry run shows of them, `redactions` the records that stay without it."""

    records: Records
    memory_ids: Sequence[MemoryId]
    record_chunk_ids: Sequence[MemoryId]
    compaction_ids: Sequence[UUID]
    restored_ids: Sequence[MemoryId]
    planned: Sequence[PlannedRemoval]
    refs: Collection[str]
    stores: Mapping[str, int]
    left_ids: Records
    blocked: Collection[bytes] = ()
    unblocked: int = 0
    sought: SoughtValues = NOTHING_SOUGHT
    repeats: Records = field(default_factory=dict)
    excerpts: Excerpts | None = None
    redactions: Redactions = NO_REDACTIONS

    def new_artifacts(self, found: RepeatingRecords) -> set[str]:
        """The artifacts that go only because they repeat a value."""
        return set(found.repeating).difference(self.records["artifacts"])

    def with_artifacts(self, found: RepeatingRecords, chunk_rows: Mapping[str, int]) -> "DeletionPlan":
        """The plan with the artifacts that repeat a value; `chunk_rows` counts the new ones' chunk rows by store."""
        added = self.new_artifacts(found)
        records = {**self.records, "artifacts": sorted(added.union(self.records["artifacts"]))}
        left = set(self.left_ids["artifacts"]) - added
        return replace(
            self,
            records=records,
            stores=summed([self.stores, {"artifacts": len(added)}, chunk_rows]) if added else self.stores,
            left_ids={**self.left_ids, "artifacts": left, "unsearched_artifacts": found.unsearched},
            repeats={**self.repeats, "artifacts": found.repeating},
        )

    @property
    def size(self) -> int:
        """How many records go, of whatever kind."""
        return sum(map(len, (*self.records.values(), *self.redactions.records.values())))

    def digest(self) -> bytes:
        """A digest that only a plan of the same records and compactions shares."""
        going = {**self.records, "compactions": [str(each) for each in self.compaction_ids]}
        going |= {f"redacted_{store}": list(ids) for store, ids in self.redactions.records.items() if ids}
        return sha256(repr(sorted((each, sorted(ids)) for each, ids in going.items())).encode()).digest()

    def receipt(self, receipt_id: UUID | None, now: datetime) -> ForgottenReplay:
        """The receipt for the caller, which names at most 1,000 ids of each store."""
        return ForgottenReplay(
            receipt_id=receipt_id,
            memory_ids=tuple(self.memory_ids[:MAX_NAMED_IDS]),
            stores=self.stores,
            blocked_values=len(self.blocked),
            forgotten_at=now,
            records=named(self.records, "memories", *NAMED),
            left_ids=named(self.left_ids, *NAMED),
            scopes=int(self.size > 0),
            unblocked_values=self.unblocked,
            names=named({s: self.records.get(s) or self.left_ids.get(s, ()) for s in NAMED}),
        )


class DeletionPlanner:
    """Plans within one transaction: the one that deletes and holds the scope's write lock, or a snapshot."""

    def __init__(self, session: Session, scope: Scope, keyring: Keyring, declared: Forgettables, now: datetime) -> None:
        self._session = session
        self._scope = scope
        self._declared = declared
        self._texts = RecordTexts(session, scope, keyring, declared)
        self._now = now

    async def plan(self, selection: ForgetSelection, searched_before: SearchedBefore | None = None) -> DeletionPlan:
        """The plan of a selection. With `searched_before`, only records written since then are searched for repeats.
        Raises KeyMissing and BytesLost where a value cannot be read that is to be blocked or searched for."""
        session, scope, declared = self._session, self._scope, self._declared
        # Row-level security hides the handoffs that the agent sent: they lie in the scopes of others.
        await session.execute(SQL["enter_every_agent"])
        cascade = Cascade(declared)
        if isinstance(selection.selector, ForgottenElsewhere):
            cascade.cited = frozenset(selection.selector.cited)
        await select(session, scope, cascade, await self._roots(selection))
        roots = {store: set(ids) for store, ids in cascade.records.items()}
        await follow(session, scope, cascade)
        stated: Mapping[bytes, bool] = {}
        if not selection.allow_restating:
            stating = {**roots, "memories": cascade.records["memories"]}
            stated = await self._fingerprints_to_block(selection.selector, stating)
        blocked = sorted(each for each, is_value in stated.items() if is_value)
        sought = NOTHING_SOUGHT
        repeats: Records = {}
        redactions = NO_REDACTIONS
        excerpts = Excerpts(selection.excerpts, scope) if selection.excerpts else None
        left_ids: Records = {"unsearched_artifacts": searched_before.unsearched if searched_before else ()}
        if selection.repeats:
            sought = await self._sought(selection.selector, roots)
            since = searched_before.revision if searched_before else 0
            # Actions lie in the shared scope alone, which is another one of these.
            leave_out = ("actions",) if isinstance(selection.selector, ForgottenElsewhere) and scope.agent_id else ()
            repeats = await self._texts.repeating(sought, since, excerpts.add if excerpts else None, leave_out)
            every = [repeats, searched_before.records if searched_before else {}]
            found = {
                store: {each for of in every for each in of.get(store, ())}.difference(selection.keep.get(store, ()))
                for store in declared.stores
            }
            if selection.redact:
                redactions = await plan_redactions(self._texts, declared, found, sought, self._now)
            cascade.add_all(redactions.apart_from(found))
            left_ids = {**left_ids, "recipes": await self._texts.repeating_recipes(sought)}
        # Redacted records stay, though they may rest on something that goes, or lie under it.
        events_under = redactions.apart_from({"events": await self._events_under(cascade)})["events"]
        if selection.include_events:
            cascade.add("events", events_under)
        if selection.include_linked:
            await follow_links(session, scope, cascade)
        elif selection.repeats or selection.include_events:
            await follow(session, scope, cascade)
        for store, staying in redactions.records.items():
            cascade.records[store].difference_update(staying)
        plan = await self._plan_of(cascade, events_under)
        left_ids = {**plan.left_ids, **left_ids}
        return replace(
            plan,
            stores=summed([plan.stores, redactions.stores]),
            blocked=blocked,
            unblocked=len(stated) - len(blocked),
            sought=sought,
            repeats=repeats,
            left_ids=left_ids,
            excerpts=excerpts,
            redactions=redactions,
        )

    async def _roots(self, selection: ForgetSelection) -> Records:
        selector = selection.selector
        key = scope_parameters(self._scope)
        if isinstance(selector, OfSession):
            parameters = {**key, "session_id": selector.session_id}
            rows = await self._session.rows(self._declared.sql["ids_of_session"], parameters)
            return {"events": [str(event_id) for (event_id,) in rows]}
        if isinstance(selector, Repeating | ForgottenElsewhere):
            return {}
        if isinstance(selector, Mapping):
            return {store: await self._existing(store, ids) for store, ids in selector.items()}
        memory_ids = await selected_ids(self._session, self._scope, selector, self._now)
        return {"memories": [str(each) for each in memory_ids]}

    async def _fingerprints_to_block(self, selector: Selector, records: Records) -> Mapping[bytes, bool]:
        """The fingerprints of what the records state, and of the text that was given; and whether each is of a value,
        which may be blocked."""
        fingerprints = await self._texts.fingerprints(records, shortest=0)
        if isinstance(selector, Repeating):
            fingerprints |= {self._named(each): not is_common(each) for each in selector.values}
        return fingerprints

    async def _sought(self, selector: Selector, roots: Records) -> SoughtValues:
        """The values that are looked for: those that the records state, but for short ones, or that were given."""
        if isinstance(selector, ForgottenElsewhere):
            return selector.sought
        if isinstance(selector, Repeating):
            return SoughtValues(frozenset(map(self._named, selector.values)), ValueSpans(*selector.values))
        stated = await self._texts.fingerprints(roots, shortest=SHORTEST_PART)
        return SoughtValues(frozenset(each for each, is_value in stated.items() if is_value))

    def _named(self, value: str) -> bytes:
        """The fingerprint of a text that a caller named, which is searched for whatever it is."""
        return value_fingerprint(self._scope.tenant_id, value)

    async def _events_under(self, cascade: Cascade) -> Collection[str]:
        """The events that the memories rest on."""
        parameters = {**scope_parameters(self._scope), "memory_ids": cascade.memory_ids}
        rows = await self._session.rows(SQL["sources_of"], parameters)
        refs = {ref for row in rows for ref in row if ref is not None}
        # A caller may name anything as a source: those that are a UUID may be events.
        return await self._existing("events", [ref for ref in refs if _UUID.fullmatch(ref)])

    async def _existing(self, store: str, ids: Collection[str]) -> Collection[str]:
        if not ids:
            return ()
        if store == "memories":
            memory_ids = [MemoryId(UUID(each)) for each in ids]
            return [str(e) for e in await existing_ids(self._session, self._scope, memory_ids)]
        parameters = {**scope_parameters(self._scope), "ids": list(ids)}
        return [each for (each,) in await self._session.rows(self._declared.sql[f"existing_{store}"], parameters)]

    async def _plan_of(self, cascade: Cascade, events_under: Collection[str]) -> DeletionPlan:
        session, scope, declared = self._session, self._scope, self._declared
        records = {store: sorted(await self._existing(store, cascade.records[store])) for store in declared.stores}
        planned = [
            await plan(session, scope, ids) for store, plan in declared.planned.items() if (ids := records[store])
        ]
        origins = [each for store in declared.with_chunks for each in records[store]]
        chunk_ids = await chunks_of(session, scope, origins)
        return DeletionPlan(
            records=records,
            memory_ids=[MemoryId(UUID(each)) for each in records["memories"]],
            record_chunk_ids=chunk_ids,
            compaction_ids=sorted(cascade.compaction_ids),
            restored_ids=cascade.restored_ids,
            planned=planned,
            refs=cascade.refs(),
            stores=await self._count(records, chunk_ids, planned, len(cascade.compaction_ids)),
            left_ids={
                "artifacts": await self._left_artifacts(cascade, records),
                "events": set(events_under) - set(records["events"]),
                "other_scopes": await self._citing_elsewhere(cascade),
            },
        )

    async def _count(
        self,
        records: Records,
        chunk_ids: Sequence[MemoryId],
        planned: Sequence[PlannedRemoval],
        compactions: int,
    ) -> Mapping[str, int]:
        """Rows by store."""
        session, scope, declared = self._session, self._scope, self._declared
        counts: list[Mapping[str, int]] = [each.stores for each in planned]
        memory_ids = [MemoryId(UUID(each)) for each in records["memories"]]
        if memory_ids or not planned:
            counts.append(await count_rows(session, scope, memory_ids))
        if chunk_ids:
            counts.append(await count_chunks(session, scope, chunk_ids))
        # Memories and planned records are counted with their chunks, versions and vectors.
        counted = ("memories", *declared.planned)
        others = {store: len(records[store]) for store in declared.stores if store not in counted}
        others["compactions"] = compactions
        for store, each in declared.by_store.items():
            if each.versions and (ids := list(records[store])):
                key = {**scope_parameters(scope), "ids": ids}
                (others[each.versions],) = await session.only_row(each.sql[f"count_{each.versions}"], key)
        counts.append({store: count for store, count in others.items() if count})
        return summed(counts)

    async def _left_artifacts(self, cascade: Cascade, records: Records) -> Collection[str]:
        """Artifacts that are cited by what goes, or were made from it: an agent deletes them by themselves."""
        refs = cascade.refs()
        if not refs:
            return ()
        parameters = {
            **scope_parameters(self._scope),
            "memory_ids": cascade.memory_ids,
            "event_ids": list(records["events"]),
            "refs": refs,
            "size": MAX_NAMED_IDS,
        }
        rows = await self._session.rows(SQL["left_artifacts"], parameters)
        return {each for (each,) in rows}.difference(records["artifacts"])

    async def _citing_elsewhere(self, cascade: Cascade) -> Collection[str]:
        """Memories of agents that rest on what goes from the shared scope."""
        refs = cascade.refs()
        if self._scope.agent_id or not refs:
            return ()
        parameters = {"tenant_id": self._scope.tenant_id, "refs": refs, "size": MAX_NAMED_IDS}
        rows = await self._session.rows(SQL["citing_elsewhere"], parameters)
        return {each for (each,) in rows}


async def carry_out(
    session: Session, scope: Scope, plan: DeletionPlan, removal: Removal, declared: Forgettables
) -> Mapping[AgentId, int]:
    """Removes what is planned inside the caller's transaction, which holds the scope's write lock. The other agents who
    lose a handoff by it, and the tenant's shared scope where it loses actions, with the new revisions of their
    scopes."""
    key, revision, now = scope_parameters(scope), removal.revision, removal.now
    others = dict[AgentId, int]()
    if scope.agent_id and plan.records["actions"]:
        shared = shared_scope(scope)
        others[shared.agent_id] = await next_revision(session, shared, now)
        chunk_ids = await chunks_of(session, shared, plan.records["actions"])
        await delete_rows(session, shared, chunk_ids, others[shared.agent_id], now)
    if gone := [*plan.memory_ids, *plan.record_chunk_ids]:
        await delete_rows(session, scope, gone, revision, now)
    if plan.compaction_ids:
        ids = list(plan.compaction_ids)
        await session.execute(SQL["delete_compactions"], {**key, "compaction_ids": ids})
    if plan.restored_ids:
        await restore_rows(session, scope, plan.restored_ids, revision, now)
    for planned in plan.planned:
        await planned.carry_out(session, scope, removal)
    for store, of in declared.by_store.items():
        ids_of_store = list(plan.records.get(store, ()))
        if ids_of_store and of.delete:
            await of.delete(session, scope, ids_of_store, removal)
        elif ids_of_store and store == "handoffs":
            parameters = {**key, "ids": ids_of_store}
            others |= dict(await session.rows(of.sql["delete_handoffs"], parameters))
        elif ids_of_store and not of.plan:
            parameters = {**key, "ids": ids_of_store, "revision": revision}
            await session.execute(of.sql[f"delete_{store}"], parameters)
    return others
