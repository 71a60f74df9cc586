"""Recipes: which sections a bundle has, where their items come from, and at what price. A recipe is data."""

import enum
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from camillo_server.kernel.kinds import MemoryKind, Scalar, Source
from camillo_server.kernel.scope import TrustLevel
from camillo_server.search.fusion import MIN_RELEVANCE
from camillo_server.search.scoring import ScoringProfile
from camillo_server.search.space_weights import SpaceWeights


class SectionSource(enum.StrEnum):
    """Where the items of a section come from."""

    VIEW = "view"
    """Texts that the agent, or the tenant, is always shown."""
    TASKS = "tasks"
    DECISIONS = "decisions"
    """Those that answer the query best, then the latest; without a query the latest."""
    RECALL = "recall"
    """What answers the query best among `sources`."""
    RECENT_EVENTS = "recent_events"
    """The last events of the session."""
    EARLIER_EVENTS = "earlier_events"
    """The last messages of other sessions, for a bundle of a session."""
    RECENT_MEMORIES = "recent_memories"
    """The last memories that happened within `hours`."""
    PINNED = "pinned"
    """Memories that are pinned, or have the tag `pinned`; then instructions, then some preferences."""
    HANDOFFS = "handoffs"
    SLOTS = "slots"
    """Slots, a line each: the newest first, then the most important, then those with most of the request's tags."""
    SKILLS = "skills"
    """Skills: those of `names` whole, and where they are `listed` a line of each of the others."""
    GIVEN_TEXT = "given_text"
    """The text that the request brings: a system prompt."""
    GIVEN_TURNS = "given_turns"
    """The turns that the request brings."""
    RESERVE = "reserve"
    """Nothing: room that stays free."""


class Overflow(enum.StrEnum):
    """The treatment of items that do not fit."""

    KEEP = "keep"
    """They are never cut: a budget that is too small for them is an error."""
    TRIM = "trim"
    """The first one that does not fit is cut, the others are left out."""
    DROP = "drop"
    """They are left out; a shorter one behind may still fit."""
    CONDENSE = "condense"
    """Turns beyond `whole` become one item of few words; then as `drop`, the oldest first."""


class Order(enum.StrEnum):
    """In which order a section shows its items."""

    BEST_FIRST = "best_first"
    OLDEST_FIRST = "oldest_first"
    NEWEST_FIRST = "newest_first"
    AS_FOUND = "as_found"


@dataclass(frozen=True, slots=True)
class SectionRecipe:
    """One section. `budget` is its share in tokens of the recipe's own total, and is scaled with it; `most` is what it
    may take at most, shares that others left over included, and is not scaled. The higher the `priority`, the earlier
    it is filled.

    `limits` are the numbers of items to try, one after the other, until they fit: (5, 3) is five, else the best three.
    `min_score`: with no hit of at least this relevance, a section of retrieved items is empty. `whole`: so many of the
    latest turns are never condensed. `otherwise`: it is shown where nothing certain is asked, and no other section has
    anything but turns of this conversation; earlier events also where the query asks for what was last. `hours`: how
    far back recent memories go. `min_trust`: what is less trustworthy is no candidate. `names`: skills that are loaded
    whole; `listed`: of so many others a line is shown."""

    name: str
    title: str
    source: SectionSource
    budget: int
    most: int
    priority: int
    order: Order = Order.AS_FOUND
    overflow: Overflow = Overflow.DROP
    is_stable: bool = False
    limits: Sequence[int] = (200,)
    view: str = ""
    sources: Sequence[Source] = (Source.MEMORY,)
    kinds: Sequence[MemoryKind] = ()
    tags: Sequence[str] = ()
    metadata: Mapping[str, Scalar] = field(default_factory=dict)
    profile: ScoringProfile | None = None
    space_weights: SpaceWeights | None = None
    min_score: float = MIN_RELEVANCE
    whole: int = 20
    hours: float = 24.0
    min_trust: TrustLevel = TrustLevel.UNKNOWN
    categories: Sequence[str] = ()
    names: Sequence[str] = ()
    otherwise: bool = False
    listed: int = 0

    @property
    def key(self) -> Hashable:
        """All that decides which records are its candidates, and in which order."""
        return (self.source, self.name, self.limits[0], self.view, self.names, self.listed, self.min_trust)


@dataclass(frozen=True, slots=True)
class Recipe:
    """Sections in the order in which the prompt shows them (stable ones before the others), and the total they
    share."""

    name: str
    description: str
    budget: int
    sections: Sequence[SectionRecipe]
    digest: str
    text: str
    is_built_in: bool
