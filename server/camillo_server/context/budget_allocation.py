"""Who may take how much: shares by recipe, what nobody needs flowing on, and what is cut first when it is too little."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from camillo_server.context.filling import Filled, Filler, SectionRoom
from camillo_server.context.recipe import Overflow, Recipe, SectionRecipe, SectionSource
from camillo_server.kernel.errors import BudgetTooSmall


@dataclass(frozen=True, slots=True)
class PackingPlan:
    """How much is cut from the start: turns condensed, and which of its limits each section has (by its name)."""

    is_condensed: bool
    limits: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Allocation:
    """A section with its share and what it was allowed in the end."""

    filled: Filled
    share: int
    allowed: int
    candidates: int


def by_priority(recipe: Recipe) -> list[SectionRecipe]:
    """The sections in the order in which they are filled: equal ones as the recipe has them, the reserve at the end."""
    filled = [section for section in recipe.sections if section.source is not SectionSource.RESERVE]
    return sorted(filled, key=lambda section: -section.priority)


def plans(recipe: Recipe) -> Iterator[PackingPlan]:
    """One after the other, each cutting more: turns first, then the numbers of items, the least important section first."""
    limits = {section.name: section.limits[0] for section in recipe.sections}
    yield PackingPlan(False, dict(limits))
    condenses = any(section.overflow is Overflow.CONDENSE for section in recipe.sections)
    if condenses:
        yield PackingPlan(True, dict(limits))
    for section in reversed(by_priority(recipe)):
        for limit in section.limits[1:]:
            limits[section.name] = limit
            yield PackingPlan(condenses, dict(limits))


class BudgetAllocation:
    """Divides so many tokens among the sections. `reserved` of the whole stay free."""

    def __init__(
        self, recipe: Recipe, fillers: Mapping[str, Filler], total: int, overhead: int
    ) -> None:
        """`overhead` goes off before all."""
        self._recipe = recipe
        self._fillers = fillers
        self._total = total
        self._overhead = overhead
        self._order = by_priority(recipe)
        self._scale = total / recipe.budget
        self.reserved = sum(
            math.ceil(section.budget * self._scale)
            for section in recipe.sections
            if section.source is SectionSource.RESERVE
        )
        self._limit = total - self.reserved
        self._needed = self._whole_sections()
        self._shares = self._shared()

    def best(self, slack: int = 0) -> list[Allocation]:
        """By the first plan that leaves nothing out for want of room, else by the last; in the order of filling.

        `slack` is by how much the texts together take less than one by one.
        """
        found: list[Allocation] = []
        for plan in plans(self._recipe):
            found = self._allocations(plan, slack)
            if not any(each.filled.is_short for each in found):
                break
        return found

    def _allocations(self, plan: PackingPlan, slack: int) -> list[Allocation]:
        allowed: dict[str, int] = {}
        filled: dict[str, Filled] = {}
        spare = slack + max(0, self._limit - self._overhead - sum(self._shares.values()))
        for section in _turns_first(self._order):
            share = self._shares[section.name]
            flowing = 0 if section.source is SectionSource.RECENT_EVENTS else spare
            allowed[section.name] = min(self._most(section), share + flowing)
            filled[section.name] = self._fill(section, plan, allowed[section.name], filled)
            spare += share - filled[section.name].tokens
        for section in self._order:
            before = filled[section.name]
            more = min(self._most(section), before.tokens + spare)
            if before.is_short and more > allowed[section.name]:
                after = self._fill(section, plan, more, filled)
                if after.tokens >= before.tokens:
                    allowed[section.name], filled[section.name] = more, after
                    spare -= after.tokens - before.tokens
        return [
            Allocation(
                filled[section.name],
                self._share(section),
                allowed[section.name],
                len(self._fillers[section.name].pieces),
            )
            for section in self._order
        ]

    def _fill(
        self, section: SectionRecipe, plan: PackingPlan, tokens: int, others: Mapping[str, Filled]
    ) -> Filled:
        standing = {
            piece.key
            for name, filled in others.items()
            if name != section.name
            for piece in filled.kept
        }
        is_condensed = plan.is_condensed and section.overflow is Overflow.CONDENSE
        room = SectionRoom(
            tokens,
            plan.limits[section.name],
            standing - {-1},
            _shown_events(section, others),
            is_condensed,
        )
        return self._fillers[section.name].fill(room)

    def _most(self, section: SectionRecipe) -> int:
        return min(section.most, self._limit)

    def _share(self, section: SectionRecipe) -> int:
        return min(section.most, int(section.budget * self._scale))

    def _whole_sections(self) -> dict[str, int]:
        """What the sections that are never cut take. Raises BudgetTooSmall."""
        needed = {
            section.name: self._fillers[section.name].whole_tokens()
            for section in self._order
            if section.overflow is Overflow.KEEP
        }
        for section in self._order:
            if needed.get(section.name, 0) > section.most:
                tokens = needed[section.name]
                raise BudgetTooSmall(section.most, tokens, {section.name: tokens})
        total = sum(needed.values())
        if total > self._limit:
            raise too_small(self._recipe, self._total, needed)
        return needed

    def _shared(self) -> dict[str, int]:
        """Shares of this total; what is never cut has what it needs, at the expense of the others, in proportion."""
        shares = {section.name: self._share(section) for section in self._order}
        excess = self._overhead + sum(
            max(0, needed - shares[name]) for name, needed in self._needed.items()
        )
        others = sum(share for name, share in shares.items() if name not in self._needed)
        scale = max(0.0, 1 - excess / others) if others else 0.0
        return {
            name: max(share, self._needed[name]) if name in self._needed else int(share * scale)
            for name, share in shares.items()
        }


def _turns_first(order: Sequence[SectionRecipe]) -> list[SectionRecipe]:
    """Recent turns before what else is filled, with their share alone: the conversation stays in one piece, and what
    is shown there is not shown as evidence instead."""
    return sorted(order, key=lambda section: section.source is not SectionSource.RECENT_EVENTS)


def _shown_events(section: SectionRecipe, others: Mapping[str, Filled]) -> frozenset[str]:
    """For evidence: the events that stand whole among the recent turns, their copies too."""
    if section.source is not SectionSource.RECALL:
        return frozenset()
    return frozenset(
        ref
        for filled in others.values()
        if filled.section.source is SectionSource.RECENT_EVENTS
        for piece in filled.kept
        if not piece.is_trimmed
        for ref in piece.candidate.refs
    )


def too_small(recipe: Recipe, total: int, needed: Mapping[str, int]) -> BudgetTooSmall:
    """Tells with which total it would do."""
    reserved = sum(
        section.budget for section in recipe.sections if section.source is SectionSource.RESERVE
    )
    least = math.ceil(sum(needed.values()) * recipe.budget / (recipe.budget - reserved or 1))
    return BudgetTooSmall(
        total, max(least, total + 1), {name: tokens for name, tokens in needed.items() if tokens}
    )


def take_back(allocations: Sequence[Allocation], tokens: int) -> bool:
    """Leaves out what is least important until so many tokens are free, recent turns last, since what stands there stands
    nowhere else; False where nothing more may go."""

    last = [
        each for each in allocations if each.filled.section.source is SectionSource.RECENT_EVENTS
    ]
    first = [each for each in allocations if each not in last]
    for each in (*reversed(first), *reversed(last)):
        if each.filled.section.overflow is Overflow.KEEP:
            continue
        while each.filled.kept and tokens > 0:
            before = each.filled.tokens
            each.filled.take_back_last()
            tokens -= before - each.filled.tokens
        if tokens <= 0:
            return True
    return False
