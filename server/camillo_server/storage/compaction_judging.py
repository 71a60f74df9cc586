"""Whether a compaction can still be carried out, asked inside the writing transaction: what is so then stays so."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from camillo_server.contents.keyring import Keyring
from camillo_server.domain.compaction.compaction import (
    Compaction,
    CompactionState,
    Refusal,
)
from camillo_server.domain.compaction.ports import Merge
from camillo_server.domain.ids import MemoryId
from camillo_server.domain.ports import NewRow
from camillo_server.domain.scope import Scope
from camillo_server.storage.database import Session
from camillo_server.storage.fingerprints import memory_fingerprint
from camillo_server.storage.forgetting import ids_to_forget
from camillo_server.storage.rows import scope_parameters
from camillo_server.storage.statements import statements
from camillo_server.storage.value_blocks import Marked, blocked_fields

SQL = statements("compactions")


@dataclass(frozen=True, slots=True)
class MergeJudging:
    """Refuses what cannot be, each for itself. `stated`: the merged texts by the ids of their compactions."""

    scope: Scope
    keyring: Keyring
    stated: Marked

    async def of_texts(
        self, session: Session, merges: Sequence[Merge], now: datetime
    ) -> list[Merge]:
        """Refuses those whose text was forgotten, or a source of which is gone, and keeps nothing of what they say."""
        blocked = await blocked_fields(session, self.scope, self.stated)
        wanted = {each for merge in merges for each in merge.compaction.source_ids}
        there = set(await ids_to_forget(session, self.scope, list(wanted), now))
        judged = []
        for merge in merges:
            if str(merge.compaction.compaction_id) in blocked:
                judged.append(_wordless(_refused(merge, Refusal.VALUE_REJECTED)))
            elif not there.issuperset(merge.compaction.source_ids):
                judged.append(_wordless(_refused(merge, Refusal.SOURCE_CHANGED)))
            else:
                judged.append(merge)
        return judged

    async def of_all(self, session: Session, merges: Sequence[Merge], now: datetime) -> list[Merge]:
        """Those also whose sources are not as they were, or which say what a memory of the scope says; the others are
        carried out now. Of two with a source in common, the first is."""
        versions = await self._versions(session, merges, now)
        said = await self._said(session, merges)
        judged = []
        for merge in await self.of_texts(session, merges, now):
            if merge.row is None:
                judged.append(merge)
                continue
            fingerprint = self._fingerprint(merge.row)
            if _is_intact(merge.compaction, versions) and fingerprint not in said:
                for memory_id in merge.compaction.source_ids:
                    del versions[memory_id]
                said.add(fingerprint)
                judged.append(_committed(merge, merge.row, now))
            else:
                judged.append(_refused(merge, Refusal.SOURCE_CHANGED))
        return judged

    async def _versions(
        self, session: Session, merges: Sequence[Merge], now: datetime
    ) -> dict[MemoryId, int]:
        wanted = {each for merge in merges if merge.row for each in merge.compaction.source_ids}
        parameters = {**scope_parameters(self.scope), "memory_ids": list(wanted), "now": now}
        return {row[0]: row[1] for row in await session.rows(SQL["lock_sources"], parameters)}

    async def _said(self, session: Session, merges: Sequence[Merge]) -> set[bytes | None]:
        wanted = [self._fingerprint(merge.row) for merge in merges if merge.row]
        parameters = {**scope_parameters(self.scope), "fingerprints": wanted}
        return {bytes(row[0]) for row in await session.rows(SQL["said_already"], parameters)}

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


def _wordless(merge: Merge) -> Merge:
    """Of a text that was forgotten not a word is kept."""
    return Merge(replace(merge.compaction, content="", lost=()), None)
