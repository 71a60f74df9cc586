"""Fusion: what a candidate's similarity is made of, and what must never change it."""

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from camillo_server.search.fusion import ArmScores, Fusion, QueryFacts, fuse
from camillo_server.search.signals.brevity import BREVITY
from camillo_server.search.signals.linked import LINKED
from camillo_server.search.signals.neighbourhood import NEIGHBOURHOOD
from camillo_server.search.signals.signal import at_rows
from camillo_server.search.signals.speech import SPEECH, speech_flags
from camillo_server.search.signals.temporal import TEMPORAL
from camillo_server.search.signals.typed import TYPED
from numpy.typing import NDArray

from tests.cases import each_case

NAN = float("nan")
QUERY = QueryFacts([3.0, 1.5], 500)
PARTS = (NEIGHBOURHOOD, BREVITY, TEMPORAL, LINKED, SPEECH, TYPED)
ARMS = tuple(field.name for field in fields(ArmScores))


def column(*values: float) -> NDArray[np.float32]:
    return np.array(values, np.float32)


def arms_of(dense: list[float], lexical: list[float]) -> ArmScores:
    """Candidates alone in the world: no neighbours, no sessions."""
    count = len(dense)
    return ArmScores(
        dense=column(*dense),
        lexical=column(*lexical),
        dense_near=np.full((count, 4), np.nan, np.float32),
        lexical_near=np.zeros((count, 4), np.float32),
    )


def in_sessions(arms: ArmScores) -> ArmScores:
    """The candidates, each in a session of its own."""
    return replace(arms, sessions=np.arange(1, len(arms.dense) + 1).astype(np.uint64))


def some_arms(count: int = 200, seed: int = 1) -> ArmScores:
    """Scores as they come, some of them missing."""
    numbers = np.random.default_rng(seed)

    def dense(*shape: int) -> NDArray[np.float32]:
        values = numbers.normal(0.3, 0.15, shape).clip(-1, 1).astype(np.float32)
        return np.where(numbers.random(shape) < 0.1, np.float32(np.nan), values)

    def lexical(*shape: int) -> NDArray[np.float32]:
        values = numbers.gamma(2, 2, shape).astype(np.float32)
        return np.where(numbers.random(shape) < 0.5, np.float32(0), values)

    return ArmScores(
        dense=dense(count),
        lexical=lexical(count),
        dense_near=dense(count, 4),
        lexical_near=lexical(count, 4),
        sessions=numbers.integers(0, 12, count).astype(np.uint64),
        signals={
            BREVITY: numbers.integers(1, 700, count),
            TEMPORAL: numbers.random(count).astype(np.float32),
            LINKED: numbers.random(count).astype(np.float32),
            TYPED: numbers.random(count).astype(np.float32),
            SPEECH: speech_flags(
                asks=numbers.random(count) < 0.3, replies=numbers.random(count) < 0.3, named=np.arange(count) % 2 == 0
            ),
        },
    )


def with_value(arms: ArmScores, name: str, place: tuple[int, ...], value: float) -> ArmScores:
    changed: Any = np.array(getattr(arms, name))
    changed[place] = value
    return replace(arms, **{name: changed})


def turned_arms(arms: ArmScores, order: NDArray[np.intp]) -> ArmScores:
    columns = {name: getattr(arms, name)[order] for name in ARMS if name != "signals"}
    return ArmScores(**columns, signals=at_rows(arms.signals, order))


def columns_of(fusion: Fusion) -> dict[str, NDArray[np.float32]]:
    """The similarity and every part of it."""
    assert fusion.parts.keys() == set(PARTS)
    parts = {signal.name: part.score for signal, part in fusion.parts.items()}
    return {"similarity": fusion.similarity, "dense": fusion.dense, "lexical": fusion.lexical, **parts}


def weighted(fusion: Fusion) -> NDArray[np.float32]:
    parts = fusion.parts
    assert parts.keys() == set(PARTS)
    return np.asarray(
        fusion.dense_weight * fusion.dense
        + fusion.lexical_weight * fusion.lexical
        + sum(part.weight * part.score for part in parts.values())
    )


def weights(fusion: Fusion) -> tuple[float, ...]:
    return (fusion.dense_weight, fusion.lexical_weight, *(fusion.weight_of(signal) for signal in PARTS))


class TestWhatIsPromised:
    @each_case("seed", range(20))
    def test_a_similarity_is_the_sum_of_its_parts_by_their_weights(self, seed: int) -> None:
        fusion = fuse(some_arms(seed=seed), QUERY)
        np.testing.assert_allclose(weighted(fusion), fusion.similarity, atol=1e-5)
        assert sum(weights(fusion)) == pytest.approx(1)

    @each_case("count", [1, 2, 3, 50, 600])
    @each_case("seed", range(5))
    def test_every_part_lies_from_0_to_1(self, count: int, seed: int) -> None:
        fusion = fuse(some_arms(count, seed), QUERY)
        for name, part in columns_of(fusion).items():
            assert part.shape == (count,)
            assert ((part >= 0) & (part <= 1)).all(), name

    @each_case("seed", range(10))
    def test_the_order_of_the_candidates_makes_no_difference(self, seed: int) -> None:
        arms = some_arms(301, seed)
        turned = np.random.default_rng(seed).permutation(301)
        fusion = fuse(arms, QUERY)
        again = fuse(turned_arms(arms, turned), QUERY)
        assert weights(again) == weights(fusion)
        parts = columns_of(again)
        for name, part in columns_of(fusion).items():
            assert (parts[name] == part[turned]).all(), name

    @each_case("name", ["dense", "lexical", "dense_near", "lexical_near"])
    @each_case("seed", range(5))
    def test_a_higher_score_never_lowers_a_candidate_below_another(self, name: str, seed: int) -> None:
        arms = replace(some_arms(seed=seed), sessions=None)
        values = getattr(arms, name)
        place = tuple(np.argwhere(np.isfinite(values) & (values > 0))[seed])
        before = fuse(arms, QUERY).similarity
        # Not above the best, which all others are measured by.
        higher = with_value(arms, name, place, (values[place] + np.nanmax(arms.dense)) / 2)
        if name.startswith("lexical"):
            higher = with_value(arms, name, place, (values[place] + arms.lexical.max()) / 2)
        after = fuse(higher, QUERY).similarity
        mine = place[0]
        assert (after[mine] >= after)[before[mine] >= before].all()

    def test_nothing_found_is_nothing(self) -> None:
        fusion = fuse(arms_of([NAN, NAN], [0, 0]), QUERY)
        assert fusion.similarity.tolist() == [0, 0]
        assert set(weights(fusion)) == {0}

    def test_no_candidates_are_no_trouble(self) -> None:
        empty = some_arms(0)
        assert fuse(empty, QUERY).similarity.shape == (0,)
        assert fuse(replace(empty, sessions=None, signals={}), QUERY).dense.shape == (0,)


class TestTheArms:
    def test_the_best_of_an_arm_is_1(self) -> None:
        fusion = fuse(arms_of([0.2, 0.7, 0.4], [6, 0, 3]), QUERY)
        assert fusion.dense.tolist() == pytest.approx([0, 1, 0.4], abs=1e-6)
        assert fusion.lexical.tolist() == [1, 0, 0.5]

    def test_a_vector_alone_orders_by_meaning(self) -> None:
        fusion = fuse(arms_of([0.2, 0.7, 0.4], [0, 0, 0]), QueryFacts([], 500))
        assert np.argsort(-fusion.similarity).tolist() == [1, 2, 0]
        assert fusion.lexical_weight == 0
        assert fusion.dense_weight > 0

    def test_words_alone_order_where_no_vector_could_be_made(self) -> None:
        fusion = fuse(arms_of([NAN, NAN, NAN], [1, 0, 5]), QUERY)
        assert np.argsort(-fusion.similarity).tolist() == [2, 0, 1]
        assert fusion.dense_weight == 0
        assert fusion.lexical_weight > 0

    @pytest.mark.parametrize(("dense", "lexical"), [(0.4, 0), (NAN, 3), (0.4, 3), (-0.2, 0)])
    def test_a_single_candidate_is_the_best_there_is(self, dense: float, lexical: float) -> None:
        fusion = fuse(arms_of([dense], [lexical]), QUERY)
        own = fusion.dense_weight * fusion.dense[0] + fusion.lexical_weight * fusion.lexical[0]
        assert own == pytest.approx(fusion.dense_weight + fusion.lexical_weight)
        assert fusion.similarity[0] > 0.5

    def test_a_memory_without_a_vector_counts_as_an_average_one(self) -> None:
        fusion = fuse(arms_of([0.1, 0.5, 0.3, NAN], [1, 1, 1, 1]), QUERY)
        assert fusion.dense[3] == pytest.approx(0.5)

    def test_an_arm_whose_best_stands_out_counts_for_more(self) -> None:
        alike = [0.5 + 0.01 * (place % 5) for place in range(50)]
        apart = [0.2 + 0.01 * (place % 5) for place in range(49)] + [0.9]
        flat = fuse(arms_of(alike, [1, 2] * 25), QUERY)
        sharp = fuse(arms_of(apart, [1, 2] * 25), QUERY)
        assert sharp.dense_weight > flat.dense_weight

    def test_scores_that_hardly_differ_decide_nothing(self) -> None:
        fusion = fuse(arms_of([0.50001, 0.5, 0.5], [2, 2.5, 2]), QUERY)
        assert np.argmax(fusion.similarity) == 1
        clear = fuse(arms_of([0.7, 0.5, 0.5], [2, 2.1, 2]), QUERY)
        assert np.argmax(clear.similarity) == 0

    def test_a_rare_term_gives_words_more_weight(self) -> None:
        arms = some_arms()
        common = fuse(arms, QueryFacts([0.2, 0.4], 500))
        rare = fuse(arms, QueryFacts([0.2, 5.5], 500))
        assert rare.lexical_weight > common.lexical_weight

    def test_a_term_that_no_memory_has_is_not_a_rare_one(self) -> None:
        arms, memories = some_arms(), 500
        unknown = float(np.log(1 + (memories + 0.5) / 0.5))
        unique = float(np.log(1 + (memories - 0.5) / 1.5))
        known = fuse(arms, QueryFacts([0.4], memories)).lexical_weight
        assert fuse(arms, QueryFacts([0.4, unknown], memories)).lexical_weight == known
        assert fuse(arms, QueryFacts([0.4, unique], memories)).lexical_weight > known

    def test_words_of_few_that_cover_little_of_the_query_count_a_fifth(self) -> None:
        def words_over_meaning(sharing: int, of_query: int) -> float:
            alone = arms_of([0.5 + 0.001 * place for place in range(100)], [3.0] + [0.0] * 99)
            lexical = column(*[3.0] * sharing, *[0.0] * (100 - sharing))
            # As far as one stands out from the rest, whatever share of them has words of the query.
            fusion = fuse(replace(alone, lexical=lexical), QueryFacts([3.0] * of_query, 500))
            spread = min(1 / float(np.std(lexical / 3)), 10.0)
            return fusion.lexical_weight / fusion.dense_weight / spread

        whole = words_over_meaning(sharing=1, of_query=1)
        assert words_over_meaning(sharing=1, of_query=3) == pytest.approx((0.2 + 0.8 * 0.1) * whole)
        assert words_over_meaning(sharing=5, of_query=3) == pytest.approx((0.2 + 0.8 * 0.5) * whole)
        assert words_over_meaning(sharing=10, of_query=3) == pytest.approx(whole)
        assert words_over_meaning(sharing=99, of_query=5) == pytest.approx(whole)

    def test_words_that_are_a_tenth_of_the_query_count_half_of_those_that_are_a_fifth(self) -> None:
        arms = arms_of([0.2 + 0.001 * place for place in range(100)], [3.0, 1.0] * 50)

        def words_over_meaning(of_query: int, model_id: str = "all-minilm-l6-v2") -> float:
            fusion = fuse(arms, QueryFacts([3.0] * of_query, 500, model_id))
            return fusion.lexical_weight / fusion.dense_weight

        assert words_over_meaning(of_query=10) == pytest.approx(words_over_meaning(of_query=5) / 2)
        assert words_over_meaning(10, "lexical-1-960") == pytest.approx(words_over_meaning(5, "lexical-1-960"))
        assert words_over_meaning(of_query=5) == pytest.approx(words_over_meaning(of_query=1))

    def test_meanings_count_little_to_a_model_that_finds_all_texts_alike(self) -> None:
        """As one of English does with Arabic; a model whose languages are not known is believed."""

        def weights_of(cosine: float, model_id: str) -> tuple[float, float]:
            arms = arms_of([cosine + 0.001 * place for place in range(100)], [3.0] + [0.0] * 99)
            fusion = fuse(arms, QueryFacts([3.0] * 3, 500, model_id))
            return fusion.dense_weight, fusion.lexical_weight

        english, arabic = weights_of(0.2, "all-minilm-l6-v2-0123456789ab"), weights_of(0.75, "all-MiniLM-L12-v2-4567")
        assert english[1] < english[0]
        # All of the words' weight, too, though a single candidate has them.
        assert arabic[1] > 20 * arabic[0] > 0
        for other in (
            "",
            "lexical-3-960",
            "multilingual-e5-small-q4-e023cb22e389",
            "paraphrase-multilingual-minilm-l12",
        ):
            assert weights_of(0.75, other) == pytest.approx(weights_of(0.2, other))

    def test_a_few_texts_that_are_alike_are_no_other_language(self) -> None:
        alike = arms_of([0.7, 0.8, 0.75], [3.0, 0.0, 0.0])
        known = fuse(alike, QueryFacts([3.0], 500, "all-minilm-l6-v2"))
        assert known.dense_weight == fuse(alike, QueryFacts([3.0], 500)).dense_weight


class TestWhatStandsBeside:
    @pytest.mark.parametrize("name", ["dense_near", "lexical_near"])
    def test_a_good_neighbour_lifts_a_memory(self, name: str) -> None:
        arms = in_sessions(arms_of([0.9, 0.1, 0.3, 0.3], [5, 0, 1, 1]))
        beside = with_value(arms, name, (3, 1), getattr(arms, name.removesuffix("_near"))[0])
        alone, near = fuse(arms, QUERY).similarity, fuse(beside, QUERY).similarity
        assert alone[2] == alone[3]
        assert near[3] > near[2]

    def test_what_comes_second_counts_for_half(self) -> None:
        arms = arms_of([0.9, 0.1], [5, 1])
        near = [
            fuse(with_value(arms, "lexical_near", (1, side), 5), QUERY).parts[NEIGHBOURHOOD].score[1]
            - fuse(arms, QUERY).parts[NEIGHBOURHOOD].score[1]
            for side in range(4)
        ]
        assert near[2] == pytest.approx(near[0] / 2, rel=1e-3)
        assert near[3] == pytest.approx(near[1] / 2, rel=1e-3)

    def test_of_what_went_before_the_meaning_does_not_count(self) -> None:
        arms = in_sessions(arms_of([0.9, 0.1, 0.3], [0, 0, 0]))
        before = with_value(arms, "dense_near", (2, 0), 0.9)
        after = with_value(arms, "dense_near", (2, 1), 0.9)
        assert fuse(before, QUERY).similarity[2] == fuse(arms, QUERY).similarity[2]
        assert fuse(after, QUERY).similarity[2] > fuse(arms, QUERY).similarity[2]

    def test_neighbours_of_one_step_are_enough(self) -> None:
        arms = some_arms()
        dense, lexical = arms.dense_near[:, :2], arms.lexical_near[:, :2]
        fusion = fuse(replace(arms, dense_near=dense, lexical_near=lexical), QUERY)
        np.testing.assert_allclose(weighted(fusion), fusion.similarity, atol=1e-5)

    def test_the_best_of_a_session_lifts_the_others(self) -> None:
        arms = arms_of([0.9, 0.3, 0.3, 0.1], [5, 1, 1, 0])
        together = replace(arms, sessions=np.array([7, 7, 8, 8], np.uint64))
        fusion = fuse(together, QUERY)
        assert fusion.similarity[1] > fusion.similarity[2]
        apart = fuse(arms, QUERY)
        assert apart.similarity[1] == apart.similarity[2]

    def test_memories_without_a_session_have_nothing_to_do_with_each_other(self) -> None:
        arms = arms_of([0.9, 0.3, 0.1], [5, 1, 0])
        none = fuse(replace(arms, sessions=np.zeros(3, np.uint64)), QUERY)
        one = fuse(replace(arms, sessions=np.ones(3, np.uint64)), QUERY)
        assert none.similarity.tolist() == fuse(arms, QUERY).similarity.tolist()
        assert one.parts[NEIGHBOURHOOD].score[1] > none.parts[NEIGHBOURHOOD].score[1]


class TestBrevity:
    def test_of_two_that_match_alike_the_shorter_is_better(self) -> None:
        arms = replace(arms_of([0.5, 0.5, 0.1], [2, 2, 0]), signals={BREVITY: np.array([40, 300, 40])})
        fusion = fuse(arms, QUERY)
        assert fusion.similarity[0] > fusion.similarity[1]

    def test_from_a_few_sentences_down_length_does_not_matter(self) -> None:
        arms = replace(arms_of([0.5, 0.5, 0.5], [1, 1, 1]), signals={BREVITY: np.array([1, 32, 64])})
        brevity = fuse(arms, QUERY).parts[BREVITY].score
        assert brevity[0] == brevity[1] == 1
        assert brevity[2] == pytest.approx(0.909, abs=1e-3)

    def test_a_page_has_none(self) -> None:
        counts = np.array([320, 8192], np.uint16)
        arms = replace(arms_of([0.5, 0.5], [1, 1]), signals={BREVITY: counts})
        assert fuse(arms, QUERY).parts[BREVITY].score.tolist() == pytest.approx([0, 0], abs=1e-6)
