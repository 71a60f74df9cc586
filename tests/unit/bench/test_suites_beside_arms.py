"""Suites beside each arm alone: implicit statements, other shapes of text, lists, and the comparison itself."""

from collections import Counter

from camillo_server.lib.text.index_terms import FUNCTION_TERMS, index_terms
from camillo_server.models.embedding.providers import choose_embedder
from camillo_server.settings.settings import MemorySettings

from bench.quality.measures import Estimate
from bench.quality.suites import implicit, lists, shapes
from bench.quality.suites.asking import SuiteAnswer
from bench.quality.suites.collection import Collection, SuiteQuestion
from bench.quality.suites.judging import against_best_arm, judge_recall
from bench.quality.suites.results import SuiteRun, worst_against_arms
from bench.quality.suites.running import answers_alone
from bench.quality.suites.texts import texts


def test_a_statement_shares_no_content_word_with_the_question_to_which_it_matters() -> None:
    topics = [topic for topics in implicit.TOPICS.values() for topic in topics]
    assert len(topics) == 8
    for topic in topics:
        pairs = texts(f"implicit_{topic}")["pairs"]
        assert len({text for pair in pairs for text in pair}) == 2 * implicit.PAIRS_A_TOPIC
        shared = [pair for pair in pairs if set.intersection(*map(content_terms, pair))]
        assert not shared
    assert content_terms("What is in my bags?") & content_terms("The bag was lost.") == {"bag"}


def content_terms(text: str) -> set[str]:
    return set(index_terms(text)) - FUNCTION_TERMS


def test_topics_that_are_tuned_on_and_held_back_are_scopes_apart_of_a_thousand_messages() -> None:
    dev, held = implicit.collections()
    assert [len(each.statements) for each in (dev, held)] == [1000, 1000]
    assert implicit.collections(splits=(implicit.HELD,)) == [held]
    for collection, split in ((dev, implicit.DEV), (held, implicit.HELD)):
        assert {each.category for each in collection.questions} == {f"{split}.{t}" for t in implicit.TOPICS[split]}
        assert set(lengths_of_sessions(collection)) <= set(range(8, 13))
        texts_of_scope = [each.text for each in collection.statements]
        assert len(set(texts_of_scope)) == len(texts_of_scope)


def lengths_of_sessions(collection: Collection) -> list[int]:
    return list(Counter(each.session_id for each in collection.statements).values())


def test_shapes_differ_in_the_length_of_their_texts() -> None:
    long, short, code = (
        [each.text for each in collection.statements] for collection in shapes.collections(shapes.CASES, seed=2)
    )
    assert all(150 <= len(text.split()) <= 400 for text in long)
    assert all(2 <= len(text.split()) <= 8 for text in short)
    assert sum("\n" in text for text in code) > len(code) / 4


def test_pieces_of_a_list_lie_in_different_sessions_in_their_order() -> None:
    for collection in lists.collections():
        sessions = {each.key: each.session_id for each in collection.statements}
        for question in collection.questions:
            assert 3 <= len(question.right) <= 6
            assert len({sessions[key] for key in question.right}) == len(question.right)
        assert [each.occurred_at for each in collection.statements] == sorted(
            each.occurred_at for each in collection.statements
        )


def suite_run(**changes: float) -> SuiteRun:
    estimates = {f"plain.{name}.against_best_arm": Estimate(each, 0, 0, 9) for name, each in changes.items()}
    return SuiteRun("shapes", "lexical", 9, 1, estimates)


def answer(found: str, right: str, category: str = "all") -> SuiteAnswer:
    question = SuiteQuestion("", category, frozenset(right))
    return SuiteAnswer(question, tuple(found), (), is_no_match=False, milliseconds=0.0)


def test_a_recall_is_compared_with_the_arm_that_finds_more() -> None:
    whole = [answer("ab", "a", "x"), answer("c", "ab", "y")]
    arms = {
        "first": [answer("z", "a", "x"), answer("ab", "ab", "y")],
        "second": [answer("z", "a", "x"), answer("b", "ab", "y")],
    }
    changes = against_best_arm(whole, arms)
    assert {name: each.value for name, each in changes.items()} == {
        "against_best_arm": 0.0,
        "x.against_best_arm": 1.0,
        "y.against_best_arm": -1.0,
    }


def test_the_kind_of_questions_furthest_behind_its_better_arm_is_told() -> None:
    missed = worst_against_arms([suite_run(long=0.1), suite_run(short=-0.006)])
    met = worst_against_arms([suite_run(long=0.1, short=-0.004)])
    assert missed
    assert met
    assert (missed.what, missed.met) == ("worst against its best arm: shapes.plain.short", False)
    assert met.met
    assert worst_against_arms([suite_run()]) is None


async def test_each_arm_is_asked_by_itself_without_a_server() -> None:
    [collection] = [each for each in shapes.collections(30) if each.name == "shapes-code"]
    embedder = choose_embedder(MemorySettings(embedding_model="lexical", embedding_dimensions=384)).embedder
    arms = await answers_alone([collection], embedder)
    await embedder.close()
    assert [each.question for each in arms["bm25"]] == list(collection.questions)
    for answers in arms.values():
        assert judge_recall(answers)["r10"].value > 0.8
    # An arm by itself returns nothing that it knows nothing of.
    assert all(len(each.found) < len(collection.statements) for each in arms["bm25"])
