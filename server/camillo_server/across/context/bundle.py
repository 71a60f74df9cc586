"""Bundles: context for a model, and the account of how it came about."""

import enum
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Any, NamedTuple

from camillo_server.kernel.channel import Channel
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope, TrustLevel
from camillo_server.kernel.writes import MINIMIZE_LATENCY, Freshness
from camillo_server.lib.text.tokens import CountedText
from camillo_server.search.scoring import ScoringProfile
from camillo_server.search.signals.temporal import TimeMode

if TYPE_CHECKING:
    from camillo_server.across.context.prepared_texts import PreparedText

# An item, or an omission, names at most this many refs.
MAX_REFS = 200


class ItemType(enum.IntEnum):
    """The type of an item. The numbers are those of the contract."""

    VIEW = 1
    TASK = 2
    DECISION = 3
    MEMORY = 4
    CHUNK = 5
    EVENT = 6
    HANDOFF = 7
    GIVEN = 8
    CONDENSED = 9
    SLOT = 10
    SKILL = 11


class OmissionReason(enum.IntEnum):
    """Why something is not in a bundle, or not whole. The numbers are those of the contract."""

    BUDGET = 1
    TRIMMED = 2
    TRUNCATED_TOOL_OUTPUT = 3
    DUPLICATE = 4
    CONDENSED = 5
    LIMIT = 6
    STALE = 7
    NOT_TRUE = 8


class PackingOutcome(enum.IntEnum):
    """The outcome for a candidate. The numbers are those of the contract."""

    KEPT = 1
    TRIMMED = 2
    DROPPED = 3


# A turn of a conversation that the caller holds: who spoke, the text, what it refers to. A plain tuple: garbage
# collections pass over those of texts, and a request has thousands.
Turn = tuple[str, str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class BundleRequest:
    """A request for a bundle. `max_tokens`: None for as many as the recipe says; `as_of`: the time for ages and
    expiries, None for now. `tags`: among slots that are equally new and important, those with more of them come first.
    `skills`: are shown whole, beside those that the recipe names. `document_categories`: those that the caller's
    credential grants, None for all documents."""

    scope: Scope
    recipe: str
    channel: Channel
    session_id: str = ""
    intent: str = ""
    query: str = ""
    max_tokens: int | None = None
    freshness: Freshness = MINIMIZE_LATENCY
    as_of: datetime | None = None
    explain: bool = False
    given_text: str = ""
    given_turns: Sequence[Turn] = ()
    tags: Sequence[str] = ()
    skills: Sequence[str] = ()
    document_categories: frozenset[str] | None = None
    # The same options as a recall has for its search.
    time_mode: TimeMode = TimeMode.PREFER
    time_zone: tzinfo | None = None
    follows_links: bool = True
    weighs_speech: bool = True
    # The spaces that are read as one with the scope's own, and how fresh each has to be.
    beside: Sequence[tuple[Scope, Freshness]] = ()
    # The actors for whom the caller speaks, such as `agent:support`: lines of other spaces name other authors.
    actors: frozenset[str] = frozenset()

    @property
    def query_text(self) -> str:
        """The query, or else the last turn."""
        if self.query or not self.given_turns:
            return self.query
        _, text, _ = self.given_turns[-1]
        return text


class Candidate(NamedTuple):
    """A possible item of a section, policy already applied.

    `prefix` stands before the text in the prompt (time, speaker, kind). `refs`: its own id first.
    `truncated_artifact_id`: it shows the beginning of this artifact. `path`: the file that it is a passage of.
    `is_data`: it has a fence of its own where its section has none. `cut_characters`: the number of characters that
    were cut off its text. `score`: 0 if there was no query. `trust_level`: an agent's if it has none of its own.
    `is_spooled`: Postgres does not hold it yet. `agent_id`: the space that it is from, None for what the request
    brings. `author`: the actor that wrote it, such as `human:ana`; empty if nobody knows. `prepared`: what packing
    makes of its text, where that is kept.
    """

    # A bundle has hundreds, and of items as well: a frozen dataclass takes several times as long to create.

    type: ItemType
    text: str
    refs: Sequence[str]
    prefix: str = ""
    score: float = 0.0
    occurred_at: datetime | None = None
    sensitivity: Sensitivity = Sensitivity.INTERNAL
    is_derived: bool = False
    truncated_artifact_id: str = ""
    path: str = ""
    cut_characters: int = 0
    is_data: bool = False
    trust_level: TrustLevel = TrustLevel.AGENT
    is_spooled: bool = False
    agent_id: AgentId | None = None
    author: str = ""
    prepared: "PreparedText | None" = None


class Item(NamedTuple):
    """A candidate as it stands in the prompt, and the tokens that it takes there, its label among them. `key`: the same
    for items of other sections that say the same; `copies`: those of its own section, for which it stands; `parts`: its
    lines behind the label, where these are rendered already; `prepared`: of what these were made, unless it was cut for
    this bundle."""

    candidate: Candidate
    text: str
    tokens: int
    label: str = ""
    is_trimmed: bool = False
    key: int = -1
    copies: Sequence[Candidate] = ()
    parts: Sequence[CountedText] = ()
    prepared: "PreparedText | None" = None

    @property
    def refs(self) -> Sequence[str]:
        """The ids that the item refers to, its own first."""
        return self.candidate.refs


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a bundle; `tokens` with its heading and fence."""

    name: str
    title: str
    items: Sequence[Item]
    tokens: int
    budget_tokens: int
    is_stable: bool


@dataclass(frozen=True, slots=True)
class Omission:
    """Something that is not in a bundle, or not whole."""

    reason: OmissionReason
    section: str
    refs: Sequence[str]
    tokens: int
    artifact_id: str = ""
    # The number of items that it stands for.
    items: int = field(default=1, repr=False)


class PackingEntry(NamedTuple):
    """One candidate and its outcome; the reason is None if it was kept."""

    section: str
    ref: str
    outcome: PackingOutcome
    reason: OmissionReason | None
    tokens: int
    score: float
    agent_id: AgentId | None = None


class SectionBudget(NamedTuple):
    """How a section's budget came about and was spent, in tokens."""

    section: str
    priority: int
    share: int
    received: int
    used: int
    candidates: int
    kept: int


@dataclass(frozen=True, slots=True)
class Packed:
    """The result of packing: everything of a bundle that follows from the packing order alone."""

    prompt: str
    tokens: int
    sections: Sequence[Section]
    omissions: Sequence[Omission] = ()
    budgets: Sequence[SectionBudget] = ()
    entries: Sequence[PackingEntry] = ()


@dataclass(frozen=True, slots=True)
class Provenance:
    """How the items of a bundle were found."""

    intent: str
    query_terms: Sequence[str]
    candidate_pool_size: int
    scored: int
    sensitivities_allowed: Sequence[Sensitivity]
    channel: Channel
    weights: ScoringProfile
    recipe_digest: str
    model_id: str
    as_of: datetime
    token_counter: str


class Degraded(enum.IntEnum):
    """Why an answer is less good than it could be. The numbers are those of the contract."""

    EMBEDDING_UNAVAILABLE = 1
    VECTORS_PENDING = 2
    SEALED_NOT_SEARCHED = 3
    STORAGE_UNAVAILABLE = 4
    VECTOR_SEARCH_UNAVAILABLE = 5


@dataclass(frozen=True, slots=True)
class Bundle:
    """Context for a model. `bundle_id` is made from all the rest but the revision."""

    bundle_id: str
    recipe: str
    budget: int
    packed: Packed
    provenance: Provenance
    revision: int
    degraded: Sequence[Degraded]
    is_explained: bool
    # The spaces read beside the own one, and the revision of each; None where nothing of it could be read.
    spaces: Mapping[Scope, int | None] = field(default_factory=dict)


WORKING_MEMORY_RECIPE = "working_memory"
# Without copies, which are shown once; stale items, which would be wrong; items beyond a recipe's limit.
TRUNCATION = (
    OmissionReason.BUDGET,
    OmissionReason.TRIMMED,
    OmissionReason.TRUNCATED_TOOL_OUTPUT,
    OmissionReason.CONDENSED,
)
# Enters facts of the current call in the trail of a scope, after the call.
Note = Callable[[Scope, Mapping[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Truncations:
    """Notes truncations: those of working memory always, those of other bundles if the tenant's reads are entered."""

    enter: Note
    reading: Set[TenantId]

    def note(self, request: BundleRequest, omissions: Sequence[Omission]) -> None:
        """Enters the omissions for want of room, if there are any."""
        if request.recipe != WORKING_MEMORY_RECIPE and request.scope.tenant_id not in self.reading:
            return
        cut = [each for each in omissions if each.reason in TRUNCATION]
        if cut:
            self.enter(request.scope, truncation_facts(request.recipe, cut))


def truncation_facts(recipe: str, cut: Sequence[Omission]) -> dict[str, Any]:
    """The facts that are entered: tokens and items by section."""
    tokens, items = Counter[str](), Counter[str]()
    for each in cut:
        tokens[each.section] += each.tokens
        items[each.section] += each.items
    return {
        "recipe": recipe,
        "tokens_removed": tokens.total(),
        "tokens_removed_of": dict(tokens),
        "items_removed_of": dict(items),
    }
