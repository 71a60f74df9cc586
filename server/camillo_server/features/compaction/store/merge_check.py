"""Checks inside the writing transaction whether a compaction can still be carried out: nothing can change in
between."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from camillo_server.features.compaction.compaction import Compaction, CompactionState, Merge, Refusal
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.rows.row import NewRow
from camillo_server.rows.store.deletion import existing_ids
from camillo_server.rows.store.rows import memory_fingerprint
from camillo_server.storage.blocklist import ValueFingerprints, blocked_fields
from camillo_server.storage.database import Session
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("features/compaction/store/compactions")


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
