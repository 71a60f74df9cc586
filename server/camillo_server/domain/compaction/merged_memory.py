"""The memory that several become, and the compaction that tells of it."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from camillo_server.domain.compaction.compaction import (
    Compaction,
    CompactionId,
    CompactionState,
)
from camillo_server.domain.compaction.grouping import Group
from camillo_server.domain.ids import MemoryId, time_ordered_uuid
from camillo_server.domain.memory import Memory, MemoryDraft, MemoryKind, Scalar


def proposed(group: Group, content: str, summary_model_id: str, now: datetime) -> Compaction:
    """The compaction of a group, not carried out yet."""
    sources = sorted(group.sources, key=lambda memory: memory.memory_id)
    return Compaction(
        compaction_id=CompactionId(time_ordered_uuid(now)),
        state=CompactionState.PROPOSED,
        reason=group.reason,
        tag=group.tag,
        sensitivity=sources[0].sensitivity,
        source_ids=tuple(source.memory_id for source in sources),
        source_versions=tuple(source.version for source in sources),
        content=content,
        created_at=now,
        summary_model_id=summary_model_id,
    )


def merged_memory(compaction: Compaction, sources: Sequence[Memory], now: datetime) -> Memory:
    """It has what its sources have in common; it is as important and as late as the most of them, and lives as long as the
    longest lived. All have one sensitivity."""
    draft = MemoryDraft(
        content=compaction.content,
        kind=MemoryKind.SUMMARY,
        session_id=_common([source.session_id for source in sources]),
        occurred_at=max(source.occurred_at for source in sources),
        tags=[tag for tag in sources[0].tags if all(tag in each.tags for each in sources)],
        sensitivity=compaction.sensitivity,
        importance=max(source.importance for source in sources),
        metadata=_common_entries([source.metadata for source in sources]),
        expires_at=_latest([source.expires_at for source in sources]),
        source_refs=[str(memory_id) for memory_id in compaction.source_ids],
    )
    return draft.memory(sources[0].agent_id, MemoryId(time_ordered_uuid(now)), now)


def _common(values: Sequence[str]) -> str:
    return values[0] if len(set(values)) == 1 else ""


def _common_entries(entries: Sequence[Mapping[str, Scalar]]) -> Mapping[str, Scalar]:
    # Compared with their types: in Python, 1 equals True.
    told = [{(key, type(value), value) for key, value in each.items()} for each in entries]
    common = set.intersection(*told)
    return {key: value for key, value in entries[0].items() if (key, type(value), value) in common}


def _latest(dates: Sequence[datetime | None]) -> datetime | None:
    known = [date for date in dates if date is not None]
    return max(known) if len(known) == len(dates) else None
