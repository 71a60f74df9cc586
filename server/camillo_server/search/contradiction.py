"""Contradictions: two memories, what they differ in, and what a model says of them."""

import enum
from collections.abc import Sequence
from dataclasses import dataclass

from camillo_server.kernel.ids import MemoryId, PageCursor
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.lib.text.differences import Comparison
from camillo_server.rows.row import Row

# The same limit as for summaries by a remote model: more sensitive memories stay on this machine.
JUDGED_SENSITIVITY = Sensitivity.INTERNAL


class Verdict(enum.IntEnum):
    """A model's verdict on two memories. The numbers are those of the contract."""

    SUPERSEDES = 1
    CONTRADICTS = 2
    COMPATIBLE = 3
    UNJUDGED = 4


class UnjudgedReason(enum.IntEnum):
    """Why a model has not judged them. The numbers are those of the contract."""

    NO_MODEL = 1
    UNAVAILABLE = 2
    TIMEOUT = 3
    BUDGET = 4
    INVALID_ANSWER = 5
    SENSITIVITY = 6


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict, the memory that is true now where the other no longer is, and one sentence of the model."""

    verdict: Verdict
    current_id: MemoryId | None = None
    reason: str = ""
    unjudged_reason: UnjudgedReason | None = None


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two memories and their differences; none if no rule found them. Without a judgement, no model was asked."""

    newer: Row
    older: Row
    comparison: Comparison
    judgement: Judgement | None = None

    @property
    def is_found_by_rules(self) -> bool:
        return bool(self.comparison.differences)

    @property
    def may_be_sent(self) -> bool:
        """Whether a remote model may read both."""
        return max(self.newer.sensitivity, self.older.sensitivity) <= JUDGED_SENSITIVITY

    @property
    def is_proposal(self) -> bool:
        """Whether to list the pair: rules found it, or a model says that not both can be true."""
        verdict = self.judgement.verdict if self.judgement else None
        return self.is_found_by_rules or verdict in (Verdict.SUPERSEDES, Verdict.CONTRADICTS)


@dataclass(frozen=True, slots=True)
class ContradictionPage:
    """The contradictions of a page of memories, where the next page begins (None after the last), the revision that was
    read, and why some pairs were not judged."""

    contradictions: Sequence[Contradiction]
    next_cursor: PageCursor | None
    revision: int
    degraded: Sequence[UnjudgedReason] = ()
