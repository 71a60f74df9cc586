"""BuildBundle: context for a model, by a recipe. One engine for snapshots, bundles and working memory."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from itertools import islice
from operator import itemgetter
from uuid import UUID

from camillo_server.across.context import candidates
from camillo_server.across.context.bundle import (
    Bundle,
    BundleRequest,
    Candidate,
    Degraded,
    Packed,
    PackingEntry,
    PackingOutcome,
    Provenance,
    Truncations,
)
from camillo_server.across.context.packing import PackingOrder, pack
from camillo_server.across.context.pools import Pools
from camillo_server.across.context.prepared_texts import PreparedTextCache, PreparedTexts
from camillo_server.across.context.recipe import Recipe, SectionSource
from camillo_server.across.context.recipes import RecipeBook, require_skills, with_skills
from camillo_server.across.context.records import ContextRecords, Loading, RecordsQuery, records_query, skills_query
from camillo_server.across.context.rendering import YieldingCounter
from camillo_server.across.context.retrieval import (
    NOTHING_RETRIEVED,
    Retrieval,
    Retrieved,
    searches_anything,
)
from camillo_server.across.context.spaces import as_one, beside_query, known_revisions
from camillo_server.across.context.store.record_cache import RecordCache
from camillo_server.features.decisions.decision import DecisionId
from camillo_server.features.decisions.store import DecisionStore
from camillo_server.features.events.event import contents_cost
from camillo_server.kernel.background import task_group
from camillo_server.kernel.channel import ChannelPolicy
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import StorageUnavailable
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.off_loop import MAX_LOOP_CHARACTERS, ROW, fits_loop, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import Freshness, FullyConsistent
from camillo_server.lib.text.speech import asks_for_the_last, asks_nothing
from camillo_server.rows.row import Row


@dataclass(frozen=True, slots=True)
class _Read:
    """All that was read for one bundle, policy applied."""

    records: ContextRecords
    retrieved: Retrieved
    decisions: Sequence[Candidate]
    degraded: Sequence[Degraded]
    revision: int
    spaces: Mapping[Scope, int | None]


@dataclass(frozen=True, slots=True)
class BuildBundle:
    """Reads and searches at once, then packs."""

    recipes: RecipeBook
    records: RecordCache
    decisions: DecisionStore
    retrieval: Retrieval
    policy: ChannelPolicy
    counter: YieldingCounter
    prepared_texts: PreparedTextCache
    clock: Clock
    truncations: Truncations
    # Keyed, so that nobody who states a text can tell the fence that will stand around it.
    fence_seed: Callable[[str], str]

    async def __call__(self, request: BundleRequest) -> Bundle:
        """Raises NotFound for the recipe or a skill, BudgetTooSmall, RevisionBehind, StorageUnavailable, KeyMissing."""
        recipe = await self.recipes.get(request.scope.tenant_id, request.recipe, request.freshness)
        recipe = with_skills(recipe, request.skills) if request.skills else recipe
        if not asks_nothing(request.query_text):
            recipe = _without_otherwise(recipe)
        now = request.as_of or self.clock.now()
        with self.prepared_texts.of_scopes(request.scope, *map(itemgetter(0), request.beside)) as prepared_texts:
            read = await self._read(request, recipe, now)
            packed = await self._packed(recipe, request, read, now, prepared_texts)
        if packed.omissions:
            self.truncations.note(request, packed.omissions)
        bundle = Bundle(
            bundle_id="",
            recipe=recipe.name,
            budget=_budget(recipe, request),
            packed=self._with_hidden(packed, read.retrieved),
            provenance=self._provenance(request, recipe, read.retrieved, now),
            revision=read.revision,
            degraded=read.degraded,
            is_explained=request.explain,
            spaces=read.spaces,
        )
        return replace(bundle, bundle_id=_digest(bundle))

    async def _read(self, request: BundleRequest, recipe: Recipe, now: datetime) -> _Read:
        loading = Loading(self.policy, request.scope, request.channel, request.document_categories)
        records, retrieved = await self._records_and_found(request, recipe, loading, now)
        # They may differ by a write that came between: the one that both hold is reported.
        revisions = [retrieved.revision, None if records.revision == _NOT_READ else records.revision]
        degraded = set(retrieved.degraded)
        spaces: Mapping[Scope, int | None] = {}
        if request.beside:
            spaces = known_revisions(map(itemgetter(0), request.beside), records.spaces, retrieved.spaces)
        if records.is_stale or None in records.spaces.values():
            degraded.add(Degraded.STORAGE_UNAVAILABLE)
        records = loading.records(records, request.session_id)
        require_skills(recipe, records.skills)
        decisions, is_complete = await self._decisions(recipe, retrieved, records, loading)
        if not is_complete:
            degraded.add(Degraded.STORAGE_UNAVAILABLE)
        return _Read(
            records=records,
            retrieved=retrieved,
            decisions=decisions,
            degraded=sorted(degraded),
            revision=min((each for each in revisions if each is not None), default=0),
            spaces=spaces,
        )

    async def _records_and_found(
        self, request: BundleRequest, recipe: Recipe, loading: Loading, now: datetime
    ) -> tuple[ContextRecords, Retrieved]:
        if not searches_anything(request, recipe):
            return await self._records(request, recipe, loading, now), NOTHING_RETRIEVED
        async with task_group() as group:
            records = group.create_task(self._records(request, recipe, loading, now))
            retrieved = group.create_task(self.retrieval(request, recipe, loading, now, records))
        return records.result(), retrieved.result()

    async def _records(self, request: BundleRequest, recipe: Recipe, loading: Loading, now: datetime) -> ContextRecords:
        slots = loading.slots_query(recipe, _budget(recipe, request), request.tags)
        query = records_query(recipe, request.session_id, slots, skills_query(recipe))
        if not any(query.sizes.values()):
            return ContextRecords(_NOT_READ)
        if request.beside:
            return await self._of_spaces(request, query, now)
        return await self.records.read(request.scope, query, request.freshness, now=now)

    async def _of_spaces(self, request: BundleRequest, query: RecordsQuery, now: datetime) -> ContextRecords:
        """The records of the own space and of those beside as of one; without those of a space that cannot be read."""
        async with task_group() as group:
            own = group.create_task(self.records.read(request.scope, query, request.freshness, now=now))
            beside = [
                (scope, group.create_task(self._of_space(scope, beside_query(query), freshness, now)))
                for scope, freshness in request.beside
            ]
        return as_one(own.result(), {scope: task.result() for scope, task in beside}, query)

    async def _of_space(
        self, scope: Scope, query: RecordsQuery, freshness: Freshness, now: datetime
    ) -> ContextRecords | None:
        """None if Postgres is away and nothing as fresh is kept."""
        try:
            return await self.records.read(scope, query, freshness, now=now)
        except StorageUnavailable:
            if isinstance(freshness, FullyConsistent):
                raise
            return None

    async def _decisions(
        self, recipe: Recipe, retrieved: Retrieved, records: ContextRecords, loading: Loading
    ) -> tuple[list[Candidate], bool]:
        """The decisions that were found, the best first, then the latest ones; and whether all could be read."""
        scores: dict[DecisionId, float] = {}
        homes: dict[DecisionId, AgentId] = {}
        for section in recipe.sections:
            if section.source is SectionSource.DECISIONS:
                for memory, score in retrieved.found.get(section.name, ()):
                    found = DecisionId(UUID(memory.source_refs[0]))
                    scores.setdefault(found, score)
                    if isinstance(memory, Row):
                        homes[found] = memory.agent_id
        known = {each.decision_id: each for each in records.decisions}
        missing = [each for each in scores if each not in known]
        is_complete = True
        if missing:
            try:
                known.update(await self.decisions.get(loading.scope, missing))
                for scope in records.spaces:
                    if of_space := [each for each in missing if homes[each] == scope.agent_id]:
                        known.update(await self.decisions.get(scope, of_space))
            except StorageUnavailable:
                is_complete = False
        ordered = [known[each] for each in dict.fromkeys((*scores, *known)) if each in known]
        return [
            candidates.of_decision(decision, scores.get(decision.decision_id, 0.0))
            for decision in ordered
            if loading.shows(decision)
        ], is_complete

    async def _packed(
        self,
        recipe: Recipe,
        request: BundleRequest,
        read: _Read,
        now: datetime,
        prepared_texts: PreparedTexts,
    ) -> Packed:
        pools = Pools(request, read.records, read.retrieved, read.decisions, now, prepared_texts)
        recipe = _with_what_is_there(recipe, request, pools)
        making = _making_cost(recipe, request, read.records)
        made = {
            each.name: pools.of(each)
            for each in recipe.sections
            if each.source not in _OF_ANY_SIZE or fits_loop(making)
        }

        def packed() -> Packed:
            order = PackingOrder(
                recipe=recipe,
                total=_budget(recipe, request),
                pools={each.name: made[each.name] if each.name in made else pools.of(each) for each in recipe.sections},
                seed=self.fence_seed(f"{request.scope.tenant_id}/{request.scope.agent_id}"),
                is_explained=request.explain,
            )
            return pack(order, self.counter, prepared_texts)

        return await off_loop(making + _packing_cost(made.values(), prepared_texts), packed)

    def _with_hidden(self, packed: Packed, retrieved: Retrieved) -> Packed:
        """The packed bundle with stale and untrue memories among the dropped candidates."""
        entries = tuple(
            PackingEntry(
                section=name,
                ref=str(memory.memory_id),
                outcome=PackingOutcome.DROPPED,
                reason=reason,
                tokens=self.counter.count(memory.content),
                score=own,
                agent_id=memory.agent_id,
            )
            for reason, by_section in retrieved.hidden.items()
            for name, found in by_section.items()
            for memory, own in found
        )
        return replace(packed, entries=(*packed.entries, *entries)) if entries else packed

    def _provenance(self, request: BundleRequest, recipe: Recipe, retrieved: Retrieved, now: datetime) -> Provenance:
        return Provenance(
            intent=request.intent,
            query_terms=tuple(retrieved.terms),
            candidate_pool_size=retrieved.pool_size,
            scored=retrieved.scored,
            sensitivities_allowed=tuple(sorted(self.policy.allowed(request.channel))),
            channel=request.channel,
            weights=retrieved.profile,
            recipe_digest=recipe.digest,
            model_id=retrieved.model_id,
            as_of=now,
            token_counter=self.counter.name,
        )


# The revision of records that were not read, since the recipe shows none.
_NOT_READ = -1
# While the work waits for a thread, there are no candidates of these yet: they can be thousands, and megabytes of JSON.
_OF_ANY_SIZE = (
    SectionSource.GIVEN_TEXT,
    SectionSource.GIVEN_TURNS,
    SectionSource.RECENT_EVENTS,
)
_OF_CONVERSATION = (
    SectionSource.RECENT_EVENTS,
    SectionSource.GIVEN_TEXT,
    SectionSource.GIVEN_TURNS,
)


def _with_what_is_there(recipe: Recipe, request: BundleRequest, pools: Pools) -> Recipe:
    """The recipe without pinned sections that have no share and nothing to show; and without `otherwise` sections,
    unless the bundle would have nothing but turns of this conversation, or the query asks for them."""
    shown = [
        each
        for each in recipe.sections
        if not each.otherwise and (pools.records.pinned or each.budget or each.source is not SectionSource.PINNED)
    ]
    otherwise = [each for each in recipe.sections if each.otherwise]
    # The turn that is asked with was often recorded just before: then it is found, too.
    turns = pools.records.recent_turns if otherwise else frozenset()
    if otherwise and any(
        turns.isdisjoint(candidate.refs)
        for each in shown
        if each.source not in _OF_CONVERSATION
        for candidate in pools.of(each)
    ):
        is_asked = asks_for_the_last(request.query_text)
        otherwise = [each for each in otherwise if is_asked and each.source is SectionSource.EARLIER_EVENTS]
    if len(shown) + len(otherwise) == len(recipe.sections):
        return recipe
    names = {each.name for each in (*shown, *otherwise)}
    return replace(recipe, sections=[each for each in recipe.sections if each.name in names])


def _without_otherwise(recipe: Recipe) -> Recipe:
    """The recipe without `otherwise` sections, for a query that asks for something certain: they need not be read."""
    return replace(recipe, sections=[each for each in recipe.sections if not each.otherwise])


def _budget(recipe: Recipe, request: BundleRequest) -> int:
    return recipe.budget if request.max_tokens is None else request.max_tokens


def _making_cost(recipe: Recipe, request: BundleRequest, records: ContextRecords) -> float:
    """The cost of making candidates of given texts and of events: an eighth of what comparing them takes."""
    sections = [
        each
        for each in recipe.sections
        if each.source is SectionSource.RECENT_EVENTS and not records.has_kept(each.key)
    ]
    most = max((section.limits[0] for section in sections), default=0)
    contents = [each.content for each in islice(reversed(records.recent_events), most)]
    rows = (len(request.given_turns) + len(contents)) * ROW
    return (rows + contents_cost(contents, 8 * MAX_LOOP_CHARACTERS)) / 8


def _packing_cost(pools: Iterable[Sequence[Candidate]], prepared_texts: PreparedTexts) -> float:
    """The cost of packing these candidates: a twelfth for one whose tokens and words are known."""
    cost = 0.0
    for pool in pools:
        for each in pool:
            compared = 2 * ROW + len(each.text)
            cost += compared / 12 if prepared_texts.is_known(each) else compared
    return cost


def _digest(bundle: Bundle) -> str:
    """32 hexadecimal digits of the SHA-256 of all the rest but the revision: a rebuilt bundle has the same."""
    packed = bundle.packed
    items: list[tuple[object, ...]] = [
        (section.name, item.label, item.refs, item.candidate.score)
        for section in packed.sections
        for item in section.items
    ]
    if bundle.spaces:
        items += [(item.candidate.agent_id,) for section in packed.sections for item in section.items]
    content = (
        (bundle.recipe, bundle.budget, bundle.is_explained, tuple(bundle.degraded)),
        (packed.prompt, items, packed.omissions, packed.budgets, packed.entries),
        bundle.provenance,
    )
    return sha256(repr(content).encode("utf-8", "surrogatepass")).hexdigest()[:32]
