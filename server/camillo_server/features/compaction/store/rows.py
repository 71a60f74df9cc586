"""Compactions as rows: what goes into a statement, what comes out of one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from camillo_server.features.compaction.compaction import (
    Compaction,
    CompactionId,
    CompactionReason,
    CompactionState,
    Merge,
    Refusal,
)
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.rows.row import NewRow
from camillo_server.rows.store.removal import existing_ids
from camillo_server.rows.store.rows import memory_fingerprint
from camillo_server.storage.blocklist import ValueFingerprints, blocked_fields
from camillo_server.storage.database import Session
from camillo_server.storage.encrypted_json import MIN_ENCRYPTED, EncryptedJson, JsonLocation
from camillo_server.storage.statements import scope_parameters, statements

PURPOSE = "compaction"
SQL = statements("features/compaction/store/compactions")


class CompactionRows:
    """Turns compactions into rows and back; what is as sensitive as its sources is encrypted as they are."""

    def __init__(self, keyring: Keyring) -> None:
        self._json = EncryptedJson(keyring)

    def parameters(self, scope: Scope, compaction: Compaction) -> dict[str, Any]:
        """Everything that a statement stores. Raises KeyMissing."""
        details = {
            "content": compaction.content,
            "tag": compaction.tag,
            "lost": list(compaction.lost),
        }
        is_encrypted = compaction.sensitivity >= MIN_ENCRYPTED
        location = _location(scope, compaction.compaction_id)
        return {
            **scope_parameters(scope),
            "compaction_id": compaction.compaction_id,
            "state": int(compaction.state),
            "reason": int(compaction.reason),
            "refusal": int(compaction.refusal or 0),
            "sensitivity": int(compaction.sensitivity),
            "source_ids": list(compaction.source_ids),
            "source_versions": list(compaction.source_versions),
            "memory_id": compaction.memory_id,
            "summary_model_id": compaction.summary_model_id,
            "created_at": compaction.created_at,
            "committed_at": compaction.committed_at,
            **self._json.columns(details, location, encrypted=is_encrypted),
        }

    def compaction(self, scope: Scope, row: Any) -> Compaction:
        """The compaction in a named row of the fragment `compaction_columns`. Raises KeyMissing, BytesLost."""
        columns = (row.details, row.key_id, row.sealed_details)
        details = self._json.read(columns, _location(scope, row.compaction_id))
        state = CompactionState(row.state)
        return Compaction(
            compaction_id=CompactionId(row.compaction_id),
            state=state,
            reason=CompactionReason(row.reason),
            refusal=Refusal(row.refusal) if row.refusal else None,
            sensitivity=Sensitivity(row.sensitivity),
            source_ids=tuple(map(MemoryId, row.source_ids)),
            source_versions=tuple(row.source_versions),
            # A reverted one goes on naming the merged memory, which is gone.
            memory_id=MemoryId(row.memory_id) if state is CompactionState.COMMITTED else None,
            summary_model_id=row.summary_model_id,
            created_at=row.created_at,
            committed_at=row.committed_at,
            reverted_at=row.reverted_at,
            content=details["content"],
            tag=details["tag"],
            lost=tuple(details["lost"]),
        )


def _location(scope: Scope, compaction_id: object) -> JsonLocation:
    return JsonLocation.in_scope(scope.tenant_id, scope.agent_id, PURPOSE, compaction_id)


@dataclass(frozen=True, slots=True)
class MergeCheck:
    """Refuses merges that cannot be carried out, each by itself. `texts`: the merged texts by the ids of their
    compactions."""

    scope: Scope
    keyring: Keyring
    texts: ValueFingerprints

    async def check_texts(self, session: Session, merges: Sequence[Merge]) -> list[Merge]:
        """Refuses merges whose text was forgotten, or a source of which is gone, and keeps nothing of what they say."""
        blocked = await blocked_fields(session, self.scope, self.texts)
        source_ids = {each for merge in merges for each in merge.compaction.source_ids}
        existing = set(await existing_ids(session, self.scope, source_ids))
        checked = []
        for merge in merges:
            if str(merge.compaction.compaction_id) in blocked:
                checked.append(_without_text(_refused(merge, Refusal.VALUE_REJECTED)))
            elif not existing.issuperset(merge.compaction.source_ids):
                checked.append(_without_text(_refused(merge, Refusal.SOURCE_CHANGED)))
            else:
                checked.append(merge)
        return checked

    async def check(self, session: Session, merges: Sequence[Merge], now: datetime) -> list[Merge]:
        """Refuses what `check_texts` refuses, and merges whose sources changed or whose text a memory of the scope has
        already; marks the others as committed. If two share a source, the first is committed."""
        versions = await self._versions(session, merges, now)
        existing = await self._existing(session, merges)
        checked = []
        for merge in await self.check_texts(session, merges):
            if merge.row is None:
                checked.append(merge)
                continue
            fingerprint = self._fingerprint(merge.row)
            if _is_intact(merge.compaction, versions) and fingerprint not in existing:
                for memory_id in merge.compaction.source_ids:
                    del versions[memory_id]
                existing.add(fingerprint)
                checked.append(_committed(merge, merge.row, now))
            else:
                checked.append(_refused(merge, Refusal.SOURCE_CHANGED))
        return checked

    async def _versions(self, session: Session, merges: Sequence[Merge], now: datetime) -> dict[MemoryId, int]:
        source_ids = {each for merge in merges if merge.row for each in merge.compaction.source_ids}
        parameters = {**scope_parameters(self.scope), "memory_ids": list(source_ids), "now": now}
        return dict(await session.rows(SQL["lock_sources"], parameters))

    async def _existing(self, session: Session, merges: Sequence[Merge]) -> set[bytes | None]:
        fingerprints = [self._fingerprint(merge.row) for merge in merges if merge.row]
        parameters = {**scope_parameters(self.scope), "fingerprints": fingerprints}
        rows = await session.rows(SQL["existing_fingerprints"], parameters)
        return {bytes(fingerprint) for (fingerprint,) in rows}

    def _fingerprint(self, row: NewRow) -> bytes | None:
        return memory_fingerprint(self.keyring, self.scope, row.memory)


def _is_intact(compaction: Compaction, versions: Mapping[MemoryId, int]) -> bool:
    found = [versions.get(memory_id) for memory_id in compaction.source_ids]
    return found == list(compaction.source_versions)


def _committed(merge: Merge, row: NewRow, now: datetime) -> Merge:
    committed = replace(
        merge.compaction,
        state=CompactionState.COMMITTED,
        memory_id=row.memory.memory_id,
        committed_at=now,
    )
    return Merge(committed, row)


def _refused(merge: Merge, refusal: Refusal) -> Merge:
    compaction = replace(merge.compaction, state=CompactionState.REFUSED, refusal=refusal)
    return Merge(compaction, None)


def _without_text(merge: Merge) -> Merge:
    """Nothing of a forgotten text is stored."""
    return Merge(replace(merge.compaction, content="", lost=()), None)
