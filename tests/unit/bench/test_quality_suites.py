"""Generated collections: what is asked can be answered, and what is replaced comes before what replaces it."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest
from camillo_server.lib.text.index_terms import FUNCTION_TERMS, index_terms
from camillo_server.models.embedding.providers import choose_embedder
from camillo_server.settings.settings import MemorySettings

from bench.measure.report import Verdict
from bench.quality.measures import UNKNOWN, Estimate
from bench.quality.suites import (
    anchors,
    implicit,
    languages,
    lists,
    precise,
    shapes,
    supersession,
    times,
    unanswerable,
)
from bench.quality.suites.asking import SuiteAnswer, generations
from bench.quality.suites.biographies import LANGUAGES, language, shares
from bench.quality.suites.collection import Collection, Statement, SuiteQuestion
from bench.quality.suites.judging import against_best_arm, judge_recall
from bench.quality.suites.lists import EVERY_TOPIC
from bench.quality.suites.results import SuiteRun, save, worst_against_arms
from bench.quality.suites.running import answers_alone
from bench.quality.suites.texts import texts
from bench.quality.suites.work import FIRST, work
from tests.cases import each_case

GENERATORS = {
    "precise": (precise.collections, precise.CASES),
    "unanswerable": (unanswerable.collections, unanswerable.CASES),
    "supersession": (supersession.collections, 2 * supersession.CASES),
    "time": (times.collections, times.CASES),
    "anchor": (anchors.collections, anchors.CASES),
    "languages": (languages.collections, languages.CASES),
    "implicit": (implicit.collections, implicit.CASES),
    "shapes": (shapes.collections, shapes.CASES),
    "lists": (lists.collections, lists.CASES),
}
# Long answers fill a memory.
MAX_CHARACTERS = {"shapes": 2000}
every_generator = pytest.mark.parametrize("name", GENERATORS)


def collections_of(name: str) -> list[Collection]:
    generate: Callable[[], list[Collection]] = GENERATORS[name][0]
    return generate()


@every_generator
def test_a_generator_makes_the_same_again(name: str) -> None:
    assert collections_of(name) == collections_of(name)


@every_generator
def test_as_many_questions_are_asked_as_promised(name: str) -> None:
    asked = sum(len(each.questions) for each in collections_of(name))
    # In some languages nothing can be typed barely.
    least = 0.9 if name == "languages" else 1
    assert least * GENERATORS[name][1] <= asked <= GENERATORS[name][1]


@every_generator
def test_every_key_that_a_question_names_is_stored_once(name: str) -> None:
    for collection in collections_of(name):
        stored = [each.key for each in chain(collection.statements, collection.elsewhere)]
        assert len(stored) == len(set(stored))
        for question in collection.questions:
            assert question.right.union(question.wrong) <= set(stored)
            assert not question.right & question.wrong


@every_generator
def test_no_text_has_a_place_that_is_not_filled(name: str) -> None:
    for collection in collections_of(name):
        questions = [each.text for each in collection.questions]
        for text in chain((each.text for each in collection.statements), questions):
            assert not set("{}|") & set(text), text
            assert len(text) < MAX_CHARACTERS.get(name, 200)


def test_every_precise_question_has_something_that_must_not_be_returned() -> None:
    questions = [question for each in collections_of("precise") for question in each.questions]
    assert all(question.right and question.wrong for question in questions)
    fates = {key.rpartition("-")[2] for question in questions for key in question.wrong}
    assert fates == set(precise.FATES)


def test_a_half_of_the_unanswerable_suite_has_an_answer() -> None:
    questions = [question for each in collections_of("unanswerable") for question in each.questions]
    assert sum(bool(question.right) for question in questions) == len(questions) / 2


def test_a_fact_is_asked_for_as_it_was_while_it_held() -> None:
    for collection in collections_of("supersession"):
        statements = {each.key: each for each in collection.statements}
        for question in collection.questions:
            [key] = question.right
            replacing = [each for each in statements.values() if key in each.supersedes]
            if question.as_of is None:
                assert not replacing
            else:
                [successor] = replacing
                assert statements[key].occurred_at < question.as_of < successor.occurred_at


def test_what_is_replaced_is_stored_first() -> None:
    first, second, third, other = (
        Statement("a", ""),
        Statement("b", "", supersedes=("a",)),
        Statement("c", "", supersedes=("b",)),
        Statement("d", ""),
    )
    assert list(generations([third, other, second, first])) == [[other, first], [second], [third]]


def test_only_the_time_tells_what_a_log_is_asked_for() -> None:
    for collection in collections_of("time"):
        statements = {each.key: each for each in collection.statements}
        for question in collection.questions:
            assert question.asked_at
            right = [statements[key].occurred_at for key in question.right]
            wrong = [statements[key].occurred_at for key in question.wrong]
            assert 1 <= len(right) <= times.MAX_RIGHT
            assert max(right) < question.asked_at
            assert not [each for each in wrong if min(right) <= each <= max(right)]


def test_every_kind_of_time_is_asked_for_in_every_language() -> None:
    asked = {question.category for each in collections_of("time") for question in each.questions}
    assert asked == {f"{name}.{kind}" for name in LANGUAGES for kind in times.MOMENTS}


@each_case(
    ("name", "text", "typed"),
    [
        ("german", "Wo wohnt Käthe Großmann?", "wo wohnt kathe grossmann?"),
        ("french", "Où est Zoé Mercœur ?", "ou est zoe mercoeur ?"),
        ("turkish", "Işıl İzmir'de", "isil izmir'de"),
        ("russian", "Мой чай у Алёны", "мой чай у алены"),
        ("arabic", "إلى رُقيّة", "الي رقيه"),
        ("hindi", "ज़ीनत पहुँची", "जीनत पहुंची"),
        ("chinese", "欧阳玛拉", "欧阳玛拉"),
        ("thai", "มาลี ใจดี", "มาลี ใจดี"),
    ],
)
def test_bare_typing_leaves_out_what_people_leave_out(name: str, text: str, typed: str) -> None:
    assert languages.bare(text, name) == typed


def test_a_question_for_a_person_has_everybody_it_is_true_of() -> None:
    for collection in collections_of("languages"):
        statements = {each.key: each.text for each in collection.statements}
        found = [each for each in collection.questions if each.category.endswith(languages.FOUND)]
        assert len(found) == languages.CASES_A_LANGUAGE[languages.FOUND]
        told = [{statements[key] for key in each.right} for each in found]
        assert max(map(len, told)) > 1


@each_case("name", languages.EVERY)
def test_a_language_has_a_hundred_persons_and_eight_facts(name: str) -> None:
    told = language(name)
    assert len(set(told.persons)) == 100
    assert len(told.facts) == 8
    for fact in told.facts:
        assert len(set(fact.values)) == 12
        assert all("{x}" in each or "{y}" in each for each in fact.asks)
        assert all("{v}" in each for each in (*fact.says, *fact.changes))
        assert all("{w}" in each for each in fact.finds)


@each_case("name", LANGUAGES)
def test_the_work_of_a_team_is_told_in_every_language_alike(name: str) -> None:
    words, topics = work(name), work(name)["topics"]
    assert {topic["name"] for topic in topics} <= {topic["name"] for topic in work(FIRST)["topics"]}
    assert {topic["kind"] for topic in topics} == set(precise.KINDS)
    for topic in topics:
        assert len(set(topic["values"])) == 6
        told = (*topic["says"], *topic["more"], *topic["was"])
        assert all("{x}" in each and "{v}" in each for each in told)
        assert all("{x}" in each and "{v}" not in each for each in topic["asks"])
    assert not {*words["strangers"]} & {*words["people"]}
    # Questions about nothing in the logs name nobody and nothing of them.
    assert not [each for each in words["foreign"] if any(c in each for c in words["people"])]


def test_a_statement_shares_no_content_word_with_the_question_to_which_it_matters() -> None:
    assert len(EVERY_TOPIC) == 8
    for topic in EVERY_TOPIC:
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


def test_cases_are_spread_evenly() -> None:
    assert shares(11, ["a", "b", "c"]) == {"a": 4, "b": 4, "c": 3}
    assert shares(1, ["a", "b"]) == {"a": 1}


def suite_run(suite: str, precision: float, embedder: str = "lexical") -> SuiteRun:
    figures = {"precise.precision": Estimate(precision, 0.1, 0.9, 20), "precise.recall": UNKNOWN}
    return SuiteRun(suite, embedder, 20, 1, figures)


def test_results_of_one_suite_replace_only_those(tmp_path: Path) -> None:
    path = tmp_path / "quality.json"
    save(path, [suite_run("precise", 0.1), suite_run("time", 0.2)])
    save(path, [suite_run("precise", 0.3), suite_run("precise", 0.4, "a model")])
    written = json.loads(path.read_text("utf-8"))
    values = {
        (embedder, suite): found["figures"]["precise.precision"][0]
        for embedder, suites in written.items()
        for suite, found in suites.items()
    }
    expected = {("lexical", "precise"): 0.3, ("lexical", "time"): 0.2, ("a model", "precise"): 0.4}
    assert values == expected
    assert '"precise.precision": [0.3, 0.1, 0.9, 20]' in path.read_text("utf-8")


def test_figures_of_events_stand_beside_those_of_memories(tmp_path: Path) -> None:
    path = tmp_path / "quality.json"
    memories = suite_run("time", 0.1)
    save(path, [memories, replace(memories, as_events=True)])
    assert [*json.loads(path.read_text("utf-8"))["lexical"]] == ["time", "time_as_events"]


def test_a_goal_is_met_missed_or_skipped() -> None:
    assert [each.met for each in suite_run("precise", 0.75).verdicts()][:2] == [True, None]
    assert [each.met for each in suite_run("precise", 0.74).verdicts()][:2] == [False, None]


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
    def verdict(**changes: float) -> Verdict | None:
        estimates = {f"plain.{name}.against_best_arm": Estimate(each, 0, 0, 9) for name, each in changes.items()}
        return worst_against_arms([suite_run("precise", 0.5), SuiteRun("shapes", "lexical", 9, 1, estimates)])

    missed, met = verdict(long=0.1, short=-0.006), verdict(long=0.1, short=-0.004)
    assert missed
    assert met
    assert (missed.what, missed.met) == ("worst against its best arm: shapes.plain.short", False)
    assert met.met
    assert verdict() is None


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
