"""BuildBundle: context for a model, by a recipe. One engine for snapshots, bundles and working memory."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from uuid import UUID

from camillo_server.context import candidates
from camillo_server.context.bundle import Bundle, Candidate, Degraded, Packed, Provenance
from camillo_server.context.candidates import Turn
from camillo_server.context.packing import PackingOrder, pack
from camillo_server.context.policy import Loading
from camillo_server.context.ports import Ground, GroundReader
from camillo_server.context.recipe import Recipe, SectionRecipe, SectionSource
from camillo_server.context.recipes import RecipeBook
from camillo_server.context.records import ground_wanted, is_nothing, of_ground
from camillo_server.context.rendering import CachedCounter
from camillo_server.context.retrieval import Found, Retrieval, Retrieved, Wanted
from camillo_server.decisions.decision import Decision, DecisionId
from camillo_server.decisions.store import DecisionStore
from camillo_server.events.event import contents_cost
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import StorageUnavailable
from camillo_server.kernel.off_loop import off_loop
from camillo_server.kernel.revision import MINIMIZE_LATENCY, Freshness
from camillo_server.kernel.scope import Scope
from camillo_server.text.tokens import TokenCounter

__all__ = ["BuildBundle", "BundleAsked", "BundleParts", "Turn"]

# Comparing a candidate that is all but empty with others and counting its tokens, and each further character.
_CANDIDATE_MICROSECONDS = 16.0
CHARACTER_MICROSECONDS = 1 / 16


@dataclass(frozen=True, slots=True)
class BundleAsked:
    """What a bundle is asked for. `as_of` is the time for ages and expiries; None for now."""

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


@dataclass(frozen=True, slots=True)
class BundleParts:
    """What bundles are made with."""

    recipes: RecipeBook
    ground: GroundReader
    decisions: DecisionStore
    retrieval: Retrieval
    policy: ChannelPolicy
    counter: TokenCounter
    clock: Clock


@dataclass(frozen=True, slots=True)
class _Read:
    """All that was read for one bundle, policy applied."""

    ground: Ground
    retrieved: Retrieved
    decisions: Sequence[Candidate]
    degraded: frozenset[Degraded]
    revision: int


class BuildBundle:
    """Reads and searches at once, then packs."""

    def __init__(self, parts: BundleParts) -> None:
        self._parts = parts
        self._counter = CachedCounter(parts.counter)

    async def __call__(self, asked: BundleAsked) -> Bundle:
        """Raises NotFound for the recipe, BudgetTooSmall, RevisionBehind, StorageUnavailable, KeyMissing."""
        recipe = await self._parts.recipes.get(asked.scope.tenant_id, asked.recipe)
        now = asked.as_of or self._parts.clock.now()
        loading = Loading(self._parts.policy, asked.scope, asked.channel)
        read = await self._read(asked, recipe, loading, now)
        order = PackingOrder(
            recipe=recipe,
            total=recipe.budget if asked.max_tokens is None else asked.max_tokens,
            pools=await _pools(recipe, asked, read, now),
            seed=f"{asked.scope.tenant_id}/{asked.scope.agent_id}",
            is_explained=asked.explain,
        )
        bundle = Bundle(
            bundle_id="",
            recipe=recipe.name,
            budget=order.total,
            packed=await self._packed(order),
            provenance=self._provenance(asked, recipe, read.retrieved, now),
            revision=read.revision,
            degraded=sorted(read.degraded),
            is_explained=asked.explain,
        )
        return replace(bundle, bundle_id=_digest(bundle))

    async def _read(
        self, asked: BundleAsked, recipe: Recipe, loading: Loading, now: datetime
    ) -> _Read:
        sources = (SectionSource.RECALL, SectionSource.DECISIONS)
        sections = [section for section in recipe.sections if section.source in sources]
        wanted = Wanted(loading, _query(asked), sections, asked.freshness, now)
        ground, retrieved = await asyncio.gather(
            self._ground(asked, recipe, now), self._parts.retrieval(wanted)
        )
        degraded = set(retrieved.degraded)
        if ground.is_held:
            degraded.add(Degraded.STORAGE_UNAVAILABLE)
        revisions = [retrieved.revision, None if ground is _NO_GROUND else ground.revision]
        ground = loading.ground(ground, asked.session_id)
        hits = [hit for s in sections if s.source is sources[1] for hit in _found(retrieved, s)]
        decisions, is_complete = await self._decisions(hits, ground, loading)
        if not is_complete:
            degraded.add(Degraded.STORAGE_UNAVAILABLE)
        return _Read(
            ground=ground,
            retrieved=retrieved,
            decisions=decisions,
            degraded=frozenset(degraded),
            # They may differ by a write that came between: what both hold is told.
            revision=min((each for each in revisions if each is not None), default=0),
        )

    async def _ground(self, asked: BundleAsked, recipe: Recipe, now: datetime) -> Ground:
        wanted = ground_wanted(recipe, asked.session_id)
        if is_nothing(wanted):
            return _NO_GROUND
        return await self._parts.ground.ground(asked.scope, wanted, asked.freshness, now=now)

    async def _decisions(
        self, hits: Sequence[Found], ground: Ground, loading: Loading
    ) -> tuple[list[Candidate], bool]:
        """Those that were found, the best first, and then the latest; and whether all could be read."""
        scores: dict[DecisionId, float] = {}
        for memory, score in hits:
            scores.setdefault(DecisionId(UUID(memory.source_refs[0])), score)
        known: dict[DecisionId, Decision] = {each.decision_id: each for each in ground.decisions}
        missing = [each for each in scores if each not in known]
        is_complete = True
        if missing:
            try:
                known.update(await self._parts.decisions.get(loading.scope, missing))
            except StorageUnavailable:
                is_complete = False
        ordered = [known[each] for each in dict.fromkeys((*scores, *known)) if each in known]
        return [
            candidates.of_decision(decision, scores.get(decision.decision_id, 0.0))
            for decision in ordered
            if loading.shows(decision)
        ], is_complete

    async def _packed(self, order: PackingOrder) -> Packed:
        cost = sum(
            _CANDIDATE_MICROSECONDS + len(each.text) * CHARACTER_MICROSECONDS
            for pool in order.pools.values()
            for each in pool
        )
        return await off_loop(cost, lambda: pack(order, self._counter))

    def _provenance(
        self, asked: BundleAsked, recipe: Recipe, retrieved: Retrieved, now: datetime
    ) -> Provenance:
        return Provenance(
            intent=asked.intent,
            query_terms=tuple(retrieved.terms),
            candidate_pool_size=retrieved.pool_size,
            scored=retrieved.scored,
            sensitivities_allowed=tuple(sorted(self._parts.policy.allowed(asked.channel))),
            channel=asked.channel,
            weights=retrieved.profile,
            recipe_digest=recipe.digest,
            model_id=retrieved.model_id,
            as_of=now,
            token_counter=self._counter.name,
        )


_NO_GROUND = Ground(0)


def _query(asked: BundleAsked) -> str:
    """What is asked, or else the last turn."""
    if asked.query or not asked.given_turns:
        return asked.query
    return asked.given_turns[-1].text


def _found(retrieved: Retrieved, section: SectionRecipe) -> Sequence[Found]:
    return retrieved.found.get(section.name, ())


async def _pools(
    recipe: Recipe, asked: BundleAsked, read: _Read, now: datetime
) -> dict[str, Sequence[Candidate]]:
    """The candidates of all sections; of large events they are made in a thread."""

    def made() -> dict[str, Sequence[Candidate]]:
        return {section.name: _pool(section, asked, read, now) for section in recipe.sections}

    contents = (event.content for event in read.ground.recent_events)
    return await off_loop(contents_cost(contents, CHARACTER_MICROSECONDS), made)


def _pool(
    section: SectionRecipe, asked: BundleAsked, read: _Read, now: datetime
) -> Sequence[Candidate]:
    """The candidates of one section, the most important first."""
    match section.source:
        case SectionSource.RECALL:
            return [candidates.of_memory(*hit) for hit in _found(read.retrieved, section)]
        case SectionSource.DECISIONS:
            return read.decisions[: section.limits[0]]
        case SectionSource.GIVEN_TEXT:
            return [candidates.of_given_text(asked.given_text)] if asked.given_text else []
        case SectionSource.GIVEN_TURNS:
            return [candidates.of_turn(turn) for turn in reversed(asked.given_turns)]
        case _:
            return of_ground(section, read.ground, now)


def _digest(bundle: Bundle) -> str:
    """32 hexadecimal digits of the SHA-256 of all the rest but the revision: what is rebuilt is the same again."""
    packed = bundle.packed
    items = [
        (section.name, item.label, item.refs, item.candidate.score)
        for section in packed.sections
        for item in section.items
    ]
    told = (
        (bundle.recipe, bundle.budget, bundle.is_explained, tuple(bundle.degraded)),
        (packed.prompt, items, packed.omissions, packed.budgets, packed.entries),
        bundle.provenance,
    )
    return sha256(repr(told).encode("utf-8", "surrogatepass")).hexdigest()[:32]
