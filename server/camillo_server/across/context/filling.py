"""Filling one section: which of its candidates are shown, in how many tokens, and what becomes of the others."""

import math
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from operator import attrgetter

from camillo_formats.characters import border_at_or_before

from camillo_server.across.context.bundle import Candidate, Item, ItemType, OmissionReason
from camillo_server.across.context.candidates import MAX_TOKENS, MIN_TOKENS, condensed
from camillo_server.across.context.prepared_texts import CUT, Distinct, PreparedText, PreparedTexts
from camillo_server.across.context.recipe import Overflow, Recipe, SectionRecipe, SectionSource
from camillo_server.across.context.rendering import UNFENCED, counted_parts, letter, section_tokens
from camillo_server.kernel.errors import BudgetTooSmall
from camillo_server.lib.text.tokens import CountedText, TokenCounter, opening

# A shorter beginning of a text tells nothing.
_MIN_TRIMMED = 24
# The hits of a recall beyond its limit that may replace copies.
_SPARE_CANDIDATES = 20


@dataclass(frozen=True, slots=True)
class SectionRoom:
    """The room of a section: its share of the tokens, its tokens in all, its items, whether turns are condensed; and
    what other sections show already: texts (by their keys), and whole events, with all their passages."""

    share: int
    tokens: int
    limit: int
    shown_keys: AbstractSet[int] = frozenset()
    shown_events: AbstractSet[str] = frozenset()
    is_condensed: bool = False


@dataclass(slots=True)
class Filled:
    """A section as it is filled; items in the order of their weight, the most important first. `share` and `allowed`
    are the tokens by the recipe and in the end, `frame` those of heading and fence; `is_short`: something did not
    fit."""

    section: SectionRecipe
    frame: int
    share: int
    allowed: int
    candidates: int
    kept: list[Item] = field(default_factory=list)
    left: list[tuple[Item, OmissionReason]] = field(default_factory=list)
    is_short: bool = False
    # With heading and fence; 0 without an item.
    tokens: int = 0

    def keep(self, item: Item) -> None:
        """Shows an item behind those that are kept."""
        self.tokens += item.tokens if self.kept else self.frame + item.tokens
        self.kept.append(item)

    def take_back_last(self) -> None:
        """Leaves out the least important item that is kept."""
        last = self.kept.pop()
        self.tokens = self.tokens - last.tokens if self.kept else 0
        # A trimmed item's whole is in `left` already.
        self.left = [each for each in self.left if each[0].candidate is not last.candidate]
        self.left.append((last, OmissionReason.BUDGET))
        self.is_short = True


class Filler:
    """Fills a section from the candidates that say something, the first ones first."""

    def __init__(self, section: SectionRecipe, pool: Sequence[Distinct], tag: str, counter: TokenCounter) -> None:
        self._section = section
        self._tag = tag
        self._counter = counter
        self._frame, self._label_tokens = section_tokens(
            counter, section.source in UNFENCED, section.title, section.name, letter(section.source), tag
        )
        if section.source is SectionSource.RECALL:
            pool = pool[: section.limits[0] + _SPARE_CANDIDATES]
        self.items = [
            self._item(candidate, prepared, key, copies)
            for candidate, prepared, key, copies in pool
            if not prepared.is_blank
        ]
        self.has_fences = bool(self.items)
        if self.items and section.source in UNFENCED:
            self.has_fences = any(each.candidate.is_data for each in self.items)

    def whole_tokens(self) -> int:
        """The section's tokens with all items."""
        return self._frame + sum(item.tokens for item in self.items) if self.items else 0

    def empty(self, share: int, tokens: int) -> Filled:
        """The section without an item yet, of these tokens by the recipe and in the end."""
        return Filled(self._section, self._frame, share, tokens, len(self.items))

    def fill(self, room: SectionRoom) -> Filled:
        """Fills the section with as many of the first items as there is room for."""
        filled = self.empty(room.share, room.tokens)
        items = self._condensed(filled, room) if room.is_condensed else self.items
        # A recall's hits beyond its own limit only replace copies.
        is_recall = self._section.source is SectionSource.RECALL
        max_items = self._section.limits[0] if is_recall else len(items)
        tokens, looked_at = room.tokens - self._frame, 0
        shown_keys, shown_events = room.shown_keys, room.shown_events
        for item in items:
            if looked_at >= max_items:
                break
            if item.key in shown_keys or (shown_events and _is_of(item.candidate, shown_events)):
                filled.left.append((item, OmissionReason.DUPLICATE))
                continue
            looked_at += 1
            if len(filled.kept) >= room.limit:
                filled.left.append((item, self._beyond(room.limit)))
            elif item.tokens <= tokens:
                filled.keep(item)
                tokens -= item.tokens
            else:
                tokens -= self._cut(item, filled, tokens)
        return filled

    def _cut(self, item: Item, filled: Filled, tokens: int) -> int:
        """Trims or leaves out an item that does not fit. Returns the tokens that are gone by it."""
        trimmed = self._trimmed(item, tokens) if self._may_trim(filled) else None
        filled.is_short = True
        filled.left.append((item, OmissionReason.TRIMMED if trimmed else OmissionReason.BUDGET))
        if trimmed:
            filled.keep(trimmed)
        if self._section.overflow is Overflow.TRIM:
            return tokens
        return trimmed.tokens if trimmed else 0

    def _beyond(self, limit: int) -> OmissionReason:
        """Why an item is too many: the first limit is the recipe's own, the others apply for want of room."""
        is_first = limit == self._section.limits[0]
        return OmissionReason.LIMIT if is_first else OmissionReason.BUDGET

    def _item(
        self,
        candidate: Candidate,
        prepared: PreparedText,
        key: int = -1,
        copies: Sequence[Candidate] = (),
    ) -> Item:
        """The candidate as the item that it would be."""
        parts, tokens = prepared.lines(self._section, candidate, self._tag, self._counter)
        tokens += self._label_tokens
        return Item(candidate, prepared.shown, tokens, "", prepared.is_cut, key, copies, parts, prepared)

    def _lines(self, candidate: Candidate, text: str) -> tuple[Sequence[CountedText], int]:
        """The candidate with this text instead of its own, and its tokens."""
        parts, tokens = counted_parts(self._section, candidate, text, self._tag, self._counter)
        return parts, tokens + self._label_tokens

    def _may_trim(self, filled: Filled) -> bool:
        """Whether an item may be trimmed. The last turn of a conversation is always shown, however long it is."""
        if self._section.overflow is Overflow.CONDENSE:
            return not filled.kept
        return self._section.overflow is Overflow.TRIM and not filled.is_short

    def _trimmed(self, item: Item, tokens: int) -> Item | None:
        """The item with the beginning of its text, in so many tokens; None if that would tell nothing."""
        size = tokens - self._lines(item.candidate, "")[1]
        while size >= _MIN_TRIMMED:
            whole = opening(item.text, size)
            # Cuts only between characters as a reader sees them.
            text = whole[: border_at_or_before(item.text, len(whole), 0)].rstrip() + CUT
            parts, trimmed_tokens = self._lines(item.candidate, text)
            if trimmed_tokens <= tokens:
                return item._replace(text=text, tokens=trimmed_tokens, is_trimmed=True, parts=parts, prepared=None)
            size -= max(1, trimmed_tokens - tokens)
        return None

    def _condensed(self, filled: Filled, room: SectionRoom) -> Sequence[Item]:
        """The latest turns, and one item for those before them."""
        whole, older = self.items[: self._section.whole], self.items[self._section.whole :]
        if not older:
            return self.items
        filled.left += [(item, OmissionReason.CONDENSED) for item in older]
        budget = min(MAX_TOKENS, max(MIN_TOKENS, room.tokens // 8))
        few_words = condensed([item.candidate for item in older], budget, self._counter)
        # The condensed item comes before the older whole turns, so that these do not take its room.
        return [whole[0], self._item(few_words, PreparedTexts().of(few_words)), *whole[1:]]


def _is_of(candidate: Candidate, events: AbstractSet[str]) -> bool:
    """Whether the candidate is a passage of one of these events, whose id is its second ref."""
    return candidate.type is ItemType.CHUNK and not events.isdisjoint(candidate.refs[1:2])


@dataclass(frozen=True, slots=True)
class PackingPlan:
    """A plan of cuts: whether turns are condensed, and the limit that each section has, by its name."""

    is_condensed: bool
    limits: Mapping[str, int]


def by_priority(recipe: Recipe) -> list[SectionRecipe]:
    """The sections in the order in which they are filled, ties in the recipe's order; without the reserve."""
    filled = [section for section in recipe.sections if section.source is not SectionSource.RESERVE]
    return sorted(filled, key=attrgetter("priority"), reverse=True)


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
        # The tokens of each section by the recipe, and at most.
        self._of_recipe = {
            section.name: min(section.most, int(section.budget * self._scale)) for section in self._order
        }
        self._most = {section.name: min(section.most, self.limit) for section in self._order}
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
        # Recent turns before what else is filled, with their share alone: the conversation stays in one part, and what
        # is shown there is not shown as evidence instead.
        of_turns = [section for section in self._order if section.source is SectionSource.RECENT_EVENTS]
        others = [section for section in self._order if section.source is not SectionSource.RECENT_EVENTS]
        for section in of_turns + others:
            share = self._shares[section.name]
            tokens = share if section.source is SectionSource.RECENT_EVENTS else share + spare
            filled[section.name] = self._fill(section, plan, tokens, filled)
            spare += share - filled[section.name].tokens
        for section in self._order:
            before = filled[section.name]
            more = before.tokens + spare
            if before.is_short and min(self._most[section.name], more) > before.allowed:
                after = self._fill(section, plan, more, filled)
                if after.tokens >= before.tokens:
                    filled[section.name] = after
                    spare -= after.tokens - before.tokens
        return [filled[section.name] for section in self._order]

    def _fill(self, section: SectionRecipe, plan: PackingPlan, tokens: int, filled: Mapping[str, Filled]) -> Filled:
        filler, share = self._fillers[section.name], self._of_recipe[section.name]
        tokens = min(self._most[section.name], tokens)
        if not filler.items:
            return filler.empty(share, tokens)
        others = [each for name, each in filled.items() if name != section.name and each.kept]
        room = SectionRoom(
            share,
            tokens,
            plan.limits[section.name],
            {item.key for each in others for item in each.kept} - {-1},
            _events_of_turns(others) if section.source is SectionSource.RECALL else frozenset(),
            plan.is_condensed and section.overflow is Overflow.CONDENSE,
        )
        return filler.fill(room)

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
        shares = self._of_recipe
        excess = self._overhead + sum(max(0, tokens - shares[name]) for name, tokens in needed.items())
        others = sum(share for name, share in shares.items() if name not in needed)
        scale = max(0.0, 1 - excess / others) if others else 0.0
        return {
            name: max(share, needed[name]) if name in needed else int(share * scale) for name, share in shares.items()
        }


def _is_recent_turns(section: SectionRecipe) -> bool:
    return section.source is SectionSource.RECENT_EVENTS


def _events_of_turns(others: Sequence[Filled]) -> frozenset[str]:
    """The events that evidence need not repeat: those that are whole among the recent turns, and their copies."""
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
