"""Generated collections: what is asked can be answered, and what is replaced comes before what replaces it."""

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest

from bench.quality.measures import UNKNOWN, Estimate
from bench.quality.suites import (
    anchors,
    implicit,
    languages,
    lists,
    names,
    precise,
    shapes,
    supersession,
    times,
    unanswerable,
)
from bench.quality.suites.asking import generations
from bench.quality.suites.biographies import LANGUAGES, language, shares
from bench.quality.suites.collection import Collection, Statement
from bench.quality.suites.results import SuiteRun, save
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
    "names": (names.collections, names.CASES),
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


def test_every_question_of_names_asks_about_two_that_have_statements() -> None:
    words = work(FIRST)
    for collection in collections_of("names"):
        statements = {each.key: each.text for each in collection.statements}
        for question in collection.questions:
            asked = [each for each in words[question.category] if each in question.text]
            assert len(asked) == 2
            assert all(any(each.casefold() in statements[key].casefold() for key in question.right) for each in asked)


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
