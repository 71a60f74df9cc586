"""Memories to be put together."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import numpy as np
from camillo_server.features.compaction.groups import Comparable
from camillo_server.kernel.ids import AgentId, MemoryId
from camillo_server.models.embedding.lexical import LexicalEmbedder
from camillo_server.rows.row import MemoryDraft, Row

NOW = datetime(2030, 1, 1, tzinfo=UTC)


def memory(content: str, number: int = 0, **fields: Any) -> Row:
    """A memory of so many hours after the first."""
    draft = MemoryDraft(content=content, **{"occurred_at": NOW + timedelta(hours=number), **fields})
    return draft.memory(AgentId("alice"), MemoryId(UUID(int=number)), NOW)


def memories(contents: Sequence[str], **fields: Any) -> list[Row]:
    """Memories of every hour."""
    return [memory(content, number, **fields) for number, content in enumerate(contents)]


async def by_words(found: Sequence[Row]) -> Comparable:
    """Memories to be compared by their words, none having a vector."""
    words = await LexicalEmbedder().embed([each.content for each in found])
    nothing = np.zeros((len(found), 1), np.float32)
    return Comparable(found, nothing, [""] * len(found), words)


def contents(groups: Sequence[Sequence[Row]]) -> list[list[str]]:
    return [[each.content for each in group] for group in groups]
