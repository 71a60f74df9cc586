"""Divides a bundle's tokens among its sections: shares by recipe, unused tokens passed on, and the order of cuts when
there are too few."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from camillo_server.across.context.filling import Filled, Filler, SectionRoom
from camillo_server.across.context.recipe import Overflow, Recipe, SectionRecipe, SectionSource
from camillo_server.kernel.errors import BudgetTooSmall


@dataclass(frozen=True, slots=True)
class PackingPlan:
    """A plan of cuts: whether turns are condensed, and the limit that each section has, by its name."""

    is_condensed: bool
    limits: Mapping[str, int]


def by_priority(recipe: Recipe) -> list[SectionRecipe]:
    """The sections in the order in which they are filled, ties in the recipe's order; without the reserve."""
    filled = [section for section in recipe.sections if section.source is not SectionSource.RESERVE]
    return sorted(filled, key=lambda section: -section.priority)


def plans(recipe: Recipe) -> Iterator[PackingPlan]:
    """The plans, each cutting more than the one before: turns first, then the numbers of items, the least important
    section first."""
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

    def __init__(self, recipe: Recipe, fillers: Mapping[str, Filler], total: int, overhead: int) -> None:
        """`overhead` is subtracted first. Raises BudgetTooSmall if the sections that are never cut do not fit."""
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
        self.limit = total - self.reserved
        self._shares = self._divided(self._whole_sections())

    def best(self, slack: int = 0) -> list[Filled]:
        """The sections in the order of filling, by the first plan with room for everything, or else by the last.

        `slack` is the number of tokens that the texts take less together than one by one.
        """
        filled: list[Filled] = []
        for plan in plans(self._recipe):
            filled = self._filled(plan, slack)
            if not any(each.is_short for each in filled):
                break
        return filled

    def too_small(self, needed: Mapping[str, int]) -> BudgetTooSmall:
        """The error that names the total with which it would do; `needed` are the tokens of sections that are never
        cut."""
        reserved = sum(section.budget for section in self._recipe.sections if section.source is SectionSource.RESERVE)
        budget = self._recipe.budget
        min_total = math.ceil(self._with_notice(needed) * budget / (budget - reserved or 1))
        sections = {name: tokens for name, tokens in needed.items() if tokens}
        return BudgetTooSmall(self._total, max(min_total, self._total + 1), sections)

    def _filled(self, plan: PackingPlan, slack: int) -> list[Filled]:
        filled: dict[str, Filled] = {}
        spare = slack + max(0, self.limit - self._overhead - sum(self._shares.values()))
        # Recent turns before what else is filled, with their share alone: the conversation stays in one piece, and what
        # is shown there is not shown as evidence instead.
        for section in sorted(self._order, key=lambda section: not _is_recent_turns(section)):
            share = self._shares[section.name]
            tokens = share if _is_recent_turns(section) else share + spare
            filled[section.name] = self._fill(section, plan, tokens, filled)
            spare += share - filled[section.name].tokens
        for section in self._order:
            before = filled[section.name]
            more = before.tokens + spare
            if before.is_short and min(self._max_tokens(section), more) > before.allowed:
                after = self._fill(section, plan, more, filled)
                if after.tokens >= before.tokens:
                    filled[section.name] = after
                    spare -= after.tokens - before.tokens
        return [filled[section.name] for section in self._order]

    def _fill(self, section: SectionRecipe, plan: PackingPlan, tokens: int, filled: Mapping[str, Filled]) -> Filled:
        others = [each for name, each in filled.items() if name != section.name]
        room = SectionRoom(
            self._share(section),
            min(self._max_tokens(section), tokens),
            plan.limits[section.name],
            {item.key for each in others for item in each.kept} - {-1},
            _shown_events(section, others),
            plan.is_condensed and section.overflow is Overflow.CONDENSE,
        )
        return self._fillers[section.name].fill(room)

    def _max_tokens(self, section: SectionRecipe) -> int:
        return min(section.most, self.limit)

    def _share(self, section: SectionRecipe) -> int:
        return min(section.most, int(section.budget * self._scale))

    def _whole_sections(self) -> dict[str, int]:
        """The tokens of each section that is never cut. Raises BudgetTooSmall."""
        needed = {}
        for section in self._order:
            if section.overflow is Overflow.KEEP:
                tokens = needed[section.name] = self._fillers[section.name].whole_tokens()
                if tokens > section.most:
                    raise BudgetTooSmall(section.most, tokens, {section.name: tokens})
        if self._with_notice(needed) > self.limit:
            raise self.too_small(needed)
        return needed

    def _with_notice(self, needed: Mapping[str, int]) -> int:
        """The tokens of these sections, with the notice if one of them has a fence."""
        has_fences = any(self._fillers[name].has_fences for name in needed)
        return sum(needed.values()) + (self._overhead if has_fences else 0)

    def _divided(self, needed: Mapping[str, int]) -> dict[str, int]:
        """The shares of the total. Sections that are never cut get what they need; the others pay for it in
        proportion."""
        shares = {section.name: self._share(section) for section in self._order}
        excess = self._overhead + sum(max(0, tokens - shares[name]) for name, tokens in needed.items())
        others = sum(share for name, share in shares.items() if name not in needed)
        scale = max(0.0, 1 - excess / others) if others else 0.0
        return {
            name: max(share, needed[name]) if name in needed else int(share * scale) for name, share in shares.items()
        }


def _is_recent_turns(section: SectionRecipe) -> bool:
    return section.source is SectionSource.RECENT_EVENTS


def _shown_events(section: SectionRecipe, others: Sequence[Filled]) -> frozenset[str]:
    """The events that evidence need not repeat: those that are whole among the recent turns, and their copies."""
    if section.source is not SectionSource.RECALL:
        return frozenset()
    return frozenset(
        ref
        for filled in others
        if _is_recent_turns(filled.section)
        for item in filled.kept
        if not item.is_trimmed
        for ref in item.candidate.refs
    )


def take_back(filled: Sequence[Filled], tokens: int) -> bool:
    """Leaves out the least important items until so many tokens are free; recent turns last, since they stand nowhere
    else. Returns False if too few can be freed."""
    cuttable = [each for each in reversed(filled) if each.section.overflow is not Overflow.KEEP]
    for each in sorted(cuttable, key=lambda each: _is_recent_turns(each.section)):
        while each.kept and tokens > 0:
            before = each.tokens
            each.take_back_last()
            tokens -= before - each.tokens
    return tokens <= 0
