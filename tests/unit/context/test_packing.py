"""Packing: never over the budget, the important first, and an account of everything."""

import math
import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from camillo_server.across.context.bundle import Candidate, ItemType, OmissionReason, Packed, PackingOutcome
from camillo_server.across.context.packing import PackingOrder, pack
from camillo_server.across.context.recipe import Recipe
from camillo_server.across.context.recipes import built_in_recipes
from camillo_server.across.context.rendering import YieldingCounter
from camillo_server.kernel.errors import BudgetTooSmall
from camillo_server.lib.text.tokens import ESTIMATE, CountedText

from tests.patience import takes_less
from tests.unit.context.samples import candidate, recipe, section, turn

RECIPES = built_in_recipes()
COUNTER = YieldingCounter(ESTIMATE)
WORDS = ["the", "plan", "changed", "error:", "0x3f", "日本語", "مرحبا", "👩‍👩‍👧", "{", "}", "\n", "=" * 9, "a/b/c.py"]
Pools = Mapping[str, Sequence[Candidate]]


def packed(of: Recipe, pools: Pools, total: int | None = None, **fields: Any) -> Packed:
    order = PackingOrder(of, of.budget if total is None else total, pools, "tenant/agent", **fields)
    return pack(order, COUNTER)


def sentence(chance: random.Random, most: int = 60) -> str:
    return " ".join(chance.choices(WORDS, k=chance.randint(1, most)))


def random_pools(chance: random.Random, of: Recipe) -> dict[str, list[Candidate]]:
    pools = {}
    for each in of.sections:
        count = chance.choice([0, 1, 3, 12]) if each.source != "given_turns" else 40
        type_ = {"view": ItemType.VIEW, "given_text": ItemType.GIVEN}.get(each.source, ItemType.CHUNK)
        if type_ is not ItemType.CHUNK:
            count = min(1, count)
        made = turn if each.source == "given_turns" else candidate
        pools[each.name] = [made(sentence(chance), number) for number in range(count)]
        if type_ is not ItemType.CHUNK:
            pools[each.name] = [one._replace(type=type_, text=one.text[:60]) for one in pools[each.name]]
    return pools


@pytest.mark.parametrize("name", sorted(RECIPES))
def test_a_bundle_is_never_over_its_budget(name: str) -> None:
    chance, refused = random.Random(name), 0  # noqa: S311
    for _ in range(200):
        total = chance.choice([1, 60, 200, 500, 1_000, 4_096, 12_000, 65_000])
        pools = random_pools(chance, RECIPES[name])
        try:
            found = packed(RECIPES[name], pools, total)
        except BudgetTooSmall:
            refused += 1
            continue
        assert found.tokens == ESTIMATE.count(found.prompt) <= total
        reserved = next((each.share for each in found.budgets if each.section == "reserve"), 0)
        assert found.tokens + reserved <= total
        for each in found.sections:
            most = next(one.most for one in RECIPES[name].sections if one.name == each.name)
            assert each.tokens <= most
    assert refused < 85


class Growing:
    """Counts more for a text than for its parts: the worst that a counter may do."""

    name = "growing"

    def count(self, text: str) -> int:
        return math.ceil(len(text) / 4 * (1 + len(text) / 8_000))

    def count_joined(self, texts: Sequence[CountedText]) -> int:
        return self.count("".join(each.text for each in texts))

    def count_after_space(self, text: CountedText) -> int:
        return self.count(text.text[1:])

    def fits(self, text: str, budget: int) -> bool:
        return self.count(text) <= budget


def test_the_whole_prompt_is_counted_and_the_least_important_goes_until_it_fits() -> None:
    chance, of = random.Random(8), RECIPES["active_context"]  # noqa: S311
    pools = {"retrieved_evidence": [candidate(sentence(chance), n) for n in range(40)]}
    sizes = []
    for total in range(500, 6_000, 250):
        found = pack(PackingOrder(of, total, pools, "tenant/agent"), Growing())
        assert Growing().count(found.prompt) == found.tokens <= total
        sizes.append(len(found.sections[0].items) if found.sections else 0)
        kept = {item.refs[0] for each in found.sections for item in each.items}
        left = {ref for each in found.omissions for ref in each.refs}
        assert len(kept) + len(left) == 40
        assert not kept & left
    assert sizes[0] < sizes[10] < 40


def test_equal_input_gives_equal_bytes() -> None:
    pools = random_pools(random.Random(4), RECIPES["active_context"])  # noqa: S311
    first, second = (packed(RECIPES["active_context"], pools, 3_000, is_explained=True) for _ in "ab")
    assert first == second
    assert first.prompt


def test_what_everything_has_room_for_is_shown_whole() -> None:
    pools = {
        "identity": [Candidate(ItemType.VIEW, "You are Bo.", ("identity",))],
        "task_state": [candidate("Write the report", prefix="doing:")],
        "retrieved_evidence": [candidate("First"), candidate("Second", 1)],
    }
    found = packed(RECIPES["active_context"], pools, is_explained=True)
    assert [each.name for each in found.sections] == list(pools)
    assert [item.label for each in found.sections for item in each.items] == ["", "t1", "e1", "e2"]
    assert not found.omissions
    assert {each.outcome for each in found.entries} == {PackingOutcome.KEPT}
    assert found.prompt.startswith("## Identity\nYou are Bo.\n")


SHARED = recipe(
    1_000,
    section("first", "recall", 400, priority=9, most=1_000),
    section("second", "tasks", 300, priority=5, most=1_000),
    section("third", "decisions", 200, priority=1),
    section("free", "reserve", 100),
)
PAGE = "word " * 100


def pages(count: int, word: str) -> list[Candidate]:
    return [candidate(f"{word}{number} {PAGE}", number) for number in range(count)]


def spent(found: Packed) -> dict[str, int]:
    return {each.section: each.kept for each in found.budgets}


def test_shares_follow_the_total() -> None:
    full = {each: pages(40, each) for each in ("first", "second", "third")}
    found = packed(SHARED, full)
    assert {each.section: each.share for each in found.budgets} == {
        "first": 400,
        "second": 300,
        "third": 200,
        "free": 100,
    }
    assert all(each.kept for each in found.budgets if each.section != "free")
    # `most` is not scaled, so that the fivefold total gives no section more than that.
    larger = {each.section: each for each in packed(SHARED, full, 5_000).budgets}
    assert larger["third"].used <= 200
    assert 700 < larger["first"].used <= 1_000


def test_what_nobody_needs_flows_to_the_next_by_priority() -> None:
    alone = packed(SHARED, {"second": pages(9, "b")})
    beside = packed(SHARED, {"first": pages(9, "a"), "second": pages(9, "b")})
    assert spent(alone)["second"] > spent(beside)["second"] >= 1
    assert next(each for each in alone.budgets if each.section == "second").received > 0


def test_what_is_left_over_in_the_end_comes_back_to_who_wanted_more() -> None:
    wanting = packed(SHARED, {"first": pages(9, "a")})
    assert spent(wanting)["first"] > 400 // ESTIMATE.count(PAGE) >= 2
    limited = packed(SHARED, {"third": pages(9, "c")})
    assert spent(limited)["third"] == 1


def test_the_reserve_stays_free() -> None:
    found = packed(SHARED, {"first": pages(40, "a"), "second": pages(40, "b")}, 3_000)
    assert found.tokens <= 2_700


def test_of_equal_texts_of_two_sections_the_more_important_shows_it() -> None:
    same = "The launch is on Friday"
    pools = {"first": [candidate(same, 0)], "second": [candidate(same.upper(), 1), candidate("Else", 2)]}
    found = packed(SHARED, pools, is_explained=True)
    assert [[item.text for item in each.items] for each in found.sections] == [[same], ["Else"]]
    (omission,) = found.omissions
    assert (omission.reason, omission.section) == (OmissionReason.DUPLICATE, "second")
    assert set(found.sections[0].items[0].refs) == {"chunk-0", "event-0", "chunk-1", "event-1"}


def test_copies_take_no_room() -> None:
    without = packed(SHARED, {"first": pages(2, "a")})
    copies = [each._replace(refs=(f"copy-{n}",)) for n in range(9) for each in pages(2, "a")]
    with_copies = packed(SHARED, {"first": [*pages(2, "a"), *copies]}, is_explained=True)
    assert with_copies.prompt == without.prompt
    assert {each.reason for each in with_copies.omissions} == {OmissionReason.DUPLICATE}
    assert sum(each.reason is OmissionReason.DUPLICATE for each in with_copies.entries) == 18


FIXED = recipe(
    1_000,
    section("system", "given_text", 300, most=900, priority=9, overflow="keep"),
    section("rules", "view", 300, view="rules", priority=8, overflow="trim"),
    section("evidence", "recall", 400, priority=5, most=1_000),
)


def system(words: int) -> list[Candidate]:
    return [Candidate(ItemType.GIVEN, "word " * words, ())]


def test_what_is_never_cut_takes_from_the_others() -> None:
    pools = {"system": system(600), "evidence": pages(9, "e")}
    found = packed(FIXED, pools)
    assert found.sections[0].items[0].text.count("word") == 600
    assert spent(found)["evidence"] < spent(packed(FIXED, {"evidence": pages(9, "e")}))["evidence"]


def test_a_budget_below_what_is_never_cut_tells_what_does_not_fit() -> None:
    with pytest.raises(BudgetTooSmall) as raised:
        packed(FIXED, {"system": system(600)}, 500)
    assert set(raised.value.sections) == {"system"}
    assert raised.value.sections["system"] > 600
    assert raised.value.needed_tokens > raised.value.details["max_tokens"]
    assert packed(FIXED, {"system": system(600)}, raised.value.needed_tokens).tokens > 600


def test_what_is_never_cut_has_its_own_most() -> None:
    with pytest.raises(BudgetTooSmall) as raised:
        packed(FIXED, {"system": system(1_200)}, 100_000)
    assert raised.value.details["max_tokens"] == 900


def test_a_text_that_is_too_long_is_cut_where_the_recipe_says_so() -> None:
    rules = [Candidate(ItemType.VIEW, "word " * 900, ("rules",)), Candidate(ItemType.VIEW, "more", ("rules",))]
    found = packed(FIXED, {"rules": rules}, is_explained=True)
    (item,) = found.sections[0].items
    assert item.is_trimmed
    assert item.text.startswith("word word")
    assert item.text.endswith("[\N{HORIZONTAL ELLIPSIS}]")
    reasons = {each.reason: each for each in found.omissions}
    assert set(reasons) == {OmissionReason.TRIMMED, OmissionReason.BUDGET}
    assert reasons[OmissionReason.TRIMMED].tokens > 500
    assert [each.outcome for each in found.entries] == [PackingOutcome.TRIMMED, PackingOutcome.DROPPED]


def test_a_cut_does_not_part_what_a_reader_takes_for_one_character() -> None:
    family = "👩‍👩‍👧"
    found = packed(FIXED, {"rules": [Candidate(ItemType.VIEW, family * 500, ("rules",))]})
    shown = found.sections[0].items[0].text.removesuffix(" [\N{HORIZONTAL ELLIPSIS}]")
    assert shown
    assert shown == family * (len(shown) // len(family))


def test_a_shorter_text_behind_one_that_does_not_fit_is_shown() -> None:
    pools = {"evidence": [candidate("word " * 2_000), candidate("Short", 1)]}
    found = packed(FIXED, pools)
    assert [item.text for item in found.sections[0].items] == ["Short"]
    (omission,) = found.omissions
    assert (omission.reason, omission.refs) == (OmissionReason.BUDGET, ("chunk-0",))
    assert omission.tokens > 1_900


def test_a_cut_output_of_a_tool_names_where_all_of_it_is() -> None:
    pools = {"evidence": [candidate("Begin", truncated_artifact_id="art_1")]}
    (omission,) = packed(FIXED, pools).omissions
    assert (omission.reason, omission.artifact_id) == (OmissionReason.TRUNCATED_TOOL_OUTPUT, "art_1")


def test_a_text_that_came_cut_is_told_to_be() -> None:
    found = packed(FIXED, {"evidence": [candidate("Begin", cut_characters=4_000)]}, is_explained=True)
    assert found.sections[0].items[0].is_trimmed
    assert [each.reason for each in found.omissions] == [OmissionReason.TRIMMED]
    assert found.entries[0].outcome is PackingOutcome.TRIMMED


TALK = RECIPES["working_memory"]


def talk(turns: int, words: int = 30) -> dict[str, list[Candidate]]:
    newest_first = [turn(f"turn {n} says " + "word " * words, n) for n in range(turns)][::-1]
    memories = [candidate(f"memory {n} tells " + "fact " * 20, n) for n in range(5)]
    return {"system_prompt": system(50), "conversation": newest_first, "memories": memories}


def shown(found: Packed, name: str) -> list[str]:
    return [item.text for each in found.sections if each.name == name for item in each.items]


def test_turns_are_condensed_first_then_memories_are_fewer_then_the_oldest_turns_go() -> None:
    outcomes = []
    for total in range(4_000, 400, -100):
        found = packed(TALK, talk(60), total)
        turns = shown(found, "conversation")
        is_condensed = "earlier turns" in turns[0]
        outcomes.append((is_condensed, len(shown(found, "memories")), len(turns) - is_condensed))
    assert outcomes[0] == (False, 5, 60)
    steps = list(dict.fromkeys(outcomes))
    assert steps[1] == (True, 5, 20)
    assert steps[2] == (True, 3, 20)
    assert steps[3][1] == 3
    assert steps[3][2] < 20


def test_every_cut_is_reported() -> None:
    totals = {total: packed(TALK, talk(60), total) for total in range(4_000, 400, -100)}
    reasons = {total: {(each.section, each.reason) for each in found.omissions} for total, found in totals.items()}
    assert reasons[4_000] == set()
    assert {("conversation", OmissionReason.CONDENSED)} in reasons.values()
    last = reasons[500]
    assert ("memories", OmissionReason.BUDGET) in last
    assert ("conversation", OmissionReason.BUDGET) in last


def test_a_conversation_is_shown_oldest_first_and_its_last_turn_always() -> None:
    turns = shown(packed(TALK, talk(60), 2_000), "conversation")
    numbers = [int(text.split()[1]) for text in turns[1:]]
    assert numbers == sorted(numbers)
    assert numbers[-1] == 59
    long = packed(TALK, talk(30, words=3_000), 800)
    assert shown(long, "conversation")[-1].startswith("turn 29 says word")


def test_a_recall_shows_no_more_than_its_limit_and_copies_leave_no_gap() -> None:
    one = recipe(
        1_000, section("pinned", "pinned", 500, priority=9), section("hits", "recall", 500, priority=1, limit=2)
    )
    hits = [candidate(text, n) for n, text in enumerate(("alpha", "beta", "gamma", "delta"))]
    found = packed(one, {"pinned": [candidate("Alpha", 9)], "hits": hits})
    assert [[item.text for item in each.items] for each in found.sections] == [["Alpha"], ["beta", "gamma"]]


def test_empty_texts_are_no_items() -> None:
    found = packed(FIXED, {"evidence": [candidate("\n\x00 "), candidate("seen", 1)]})
    assert [item.text for item in found.sections[0].items] == ["seen"]


def test_two_hundred_candidates_are_packed_in_a_moment() -> None:
    chance = random.Random(1)  # noqa: S311
    pools = {"retrieved_evidence": [candidate(sentence(chance), n) for n in range(200)]}
    packed(RECIPES["active_context"], pools, 4_096)
    assert takes_less(0.25, lambda: packed(RECIPES["active_context"], pools, 4_096))
