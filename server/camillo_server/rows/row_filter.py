"""MemoryFilter: which memories and chunks a call reads, lists or deletes; comparisons of metadata among its
conditions."""

import enum
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NamedTuple

from camillo_server.kernel.channel import NEVER_IN_PUBLIC, Channel, ChannelPolicy
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import (
    KIND_OF_NUMBER,
    Kind,
    MemoryKind,
    Scalar,
    Sensitivity,
    Source,
    source_of,
)
from camillo_server.kernel.scope import TrustLevel
from camillo_server.rows.occurrences import read_metadata

# How the value of a memory may compare with the one that is asked for: less, equal or greater.
SIGNS = {"gt": (1,), "gte": (0, 1), "lt": (-1,), "lte": (-1, 0)}
OPERATORS = (*SIGNS, "ne", "in", "exists")


class MetadataComparison(NamedTuple):
    """One comparison: `operand` is a list of values for `in`, a bool for `exists`, and one value otherwise."""

    key: str
    operator: str
    operand: Any

    def holds(self, metadata: Mapping[str, Scalar]) -> bool:
        """Whether it holds for this metadata, with or without the key."""
        is_there, found = self.key in metadata, metadata.get(self.key)
        if self.operator == "exists":
            return is_there is self.operand
        if self.operator == "ne":
            return not (is_there and _same(found, self.operand))
        if self.operator == "in":
            return is_there and any(_same(found, each) for each in self.operand)
        return is_there and _sign(found, self.operand) in SIGNS[self.operator]

    def stored(self) -> dict[str, Any]:
        """The comparison as the statement reads it."""
        return {**self._asdict(), "signs": SIGNS.get(self.operator, ())}


def meets(conditions: Sequence[MetadataComparison], stored: Mapping[str, Any]) -> bool:
    """Whether a statement of a memory, of whose metadata and occurrences this is stored, fulfils all. Postgres decides
    the same by its function `meets_conditions`."""
    metadata, occurrences = read_metadata(stored)
    statements = (metadata, *(each.metadata for each in occurrences.kept))
    return any(all(each.holds(one) for each in conditions) for one in statements)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _same(one: Scalar, other: Scalar) -> bool:
    if is_number(one) and is_number(other):
        return _sign(one, other) == 0
    return type(one) is type(other) and one == other


def _sign(one: Any, other: Any) -> int | None:
    """-1, 0 or 1; None where they cannot be compared."""
    if is_number(one) and is_number(other):
        # A whole number that Postgres wrote out is that of the float again.
        one, other = float(one), float(other)
    elif not (isinstance(one, str) and isinstance(other, str)):
        return None
    return int(one > other) - int(one < other)


# The prefix of those tags of a document's passages that name its categories: `category:policy`.
CATEGORY_PREFIX = "category:"


class Archived(enum.IntEnum):
    """Selects memories by whether they are archived."""

    EXCLUDE = 1
    INCLUDE = 2
    ONLY = 3


class Validity(enum.IntEnum):
    """Selects memories by whether they are true at the moment that is asked for."""

    TRUE = 1
    ANY = 2
    NOT_TRUE = 3


@dataclass(frozen=True, slots=True)
class MemoryFilter:
    """Conditions that all have to hold; expired memories never pass, nor documents that are not effective yet.

    `kinds` are of memories, and restrict no other source; without any, all pass. With `chunks_only` no memory passes.
    `sensitivities` are those that may be read, empty for any; no row passes of `hidden_kinds`, nor of a source that is
    not among `sources`. A document, and nothing else, has to be of one of the `document_categories` that are asked for,
    empty for any, and of one of the `granted_categories`, None for any. An action, and nothing else, has to be of one
    of the `acting_agents`, None for any.

    Without a `validity`, a search finds only what is true, and everything else passes what is not, too: see
    `searched_validity`. `as_of` is the moment that is asked for, None for the present. With `known_at`, nothing passes
    that was stored, or changed, after that moment."""

    tags_any: Sequence[str] = ()
    tags_all: Sequence[str] = ()
    kinds: Sequence[MemoryKind] = ()
    session_id: str = ""
    occurred_from: datetime | None = None
    occurred_before: datetime | None = None
    min_importance: float = 0.0
    max_sensitivity: Sensitivity | None = None
    archived: Archived = Archived.EXCLUDE
    metadata: Mapping[str, Scalar] = field(default_factory=dict)
    metadata_conditions: Sequence[MetadataComparison] = ()
    min_trust: TrustLevel = TrustLevel.UNKNOWN
    sources: Sequence[Source] = (Source.MEMORY,)
    sensitivities: Sequence[Sensitivity] = ()
    hidden_kinds: Sequence[Kind] = ()
    document_categories: Sequence[str] = ()
    granted_categories: frozenset[str] | None = None
    acting_agents: frozenset[AgentId] | None = None
    chunks_only: bool = False
    validity: Validity | None = None
    as_of: datetime | None = None
    known_at: datetime | None = None

    def without_restricted(self) -> "MemoryFilter":
        """The filter for another space than the caller's own: restricted rows are shown in their own alone."""
        levels = self.sensitivities or tuple(Sensitivity)
        return replace(self, sensitivities=tuple(each for each in levels if each is not Sensitivity.RESTRICTED))

    @property
    def searched_validity(self) -> Validity:
        """The validity by which a search selects memories."""
        return self.validity or Validity.TRUE

    @property
    def is_empty(self) -> bool:
        """True if it selects memories alone, and holds no condition of its own."""
        if self is NO_FILTER or self == NO_FILTER:
            return True
        # Granted categories do not restrict memories.
        return self.granted_categories is not None and replace(self, granted_categories=None).is_empty

    @property
    def asks_for_kinds(self) -> bool:
        """True unless it lets every kind of memory through, and nothing else."""
        if self.kinds or self.hidden_kinds or self.chunks_only:
            return True
        return tuple(self.sources) != (Source.MEMORY,)

    @property
    def is_narrowed(self) -> bool:
        """True if a channel (kernel/channel.py) or a credential hides rows from it: no count and no score may reveal
        hidden rows."""
        # A channel that may load nothing leaves no source.
        if self.sensitivities or self.hidden_kinds or not self.sources:
            return True
        if self.acting_agents is not None and Source.AUDIT in self.sources:
            return True
        return self.granted_categories is not None and Source.DOCUMENT in self.sources

    def narrowed_to(self, granted: frozenset[str] | None) -> "MemoryFilter":
        """The filter, which lets through no document but of these categories; of any where that is None."""
        if granted is None:
            return self
        if self.granted_categories is not None:
            granted &= self.granted_categories
        return replace(self, granted_categories=granted)

    def narrowed(self, policy: ChannelPolicy, channel: Channel) -> "MemoryFilter":
        """The filter, which lets through nothing that the channel may not load."""
        allowed = policy.allowed(channel)
        if self.sensitivities:
            allowed &= frozenset(self.sensitivities)
        hidden = NEVER_IN_PUBLIC if channel is Channel.PUBLIC else ()
        if len(allowed) == len(Sensitivity) and not hidden:
            return self
        return replace(
            self,
            sensitivities=tuple(sorted(allowed)),
            hidden_kinds=tuple(sorted({*self.hidden_kinds, *hidden})),
            # No level at all would read as any.
            sources=self.sources if allowed else (),
        )


NO_FILTER = MemoryFilter()
"""Lets every memory through but what is archived or expired; in a search, what is not true now."""


def category_tags(categories: Iterable[str]) -> list[str]:
    """The tags of passages of documents of these categories."""
    return [CATEGORY_PREFIX + category for category in sorted(categories)]


def passing_kinds(query: MemoryFilter) -> tuple[Kind, ...]:
    """The kinds of row that a filter lets through, in the order of their numbers."""
    return tuple(
        kind
        for kind in KIND_OF_NUMBER.values()
        if source_of(kind) in query.sources
        and kind not in query.hidden_kinds
        and (not isinstance(kind, MemoryKind) or _passes_memory(query, kind))
    )


def _passes_memory(query: MemoryFilter, kind: MemoryKind) -> bool:
    return not query.chunks_only and (not query.kinds or kind in query.kinds)
