"""Forms of words of other languages than English meet in a stem, beside the word itself."""

from functools import partial

import pytest
from camillo_server.lib.text.index_terms import MAX_TERM_CHARACTERS, MAX_TERMS, index_terms
from camillo_server.lib.text.word_forms import language_of, other_form
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.patience import least_seconds, takes_less

# Two texts of one language, and a word of each; or none of the second, where the words are not of one kind.
MEETING = [
    ("Она живёт в Казани", "родной город Казань", "казан"),
    ("Дома две черепахи", "как кормить черепаху", "черепах"),
    ("تعزف على العود", "لها خبرة وبالعود", "عود"),
    ("أين منزل مارا؟", "وسيلة النقل الخاصة بمارا", "مارا"),
    ("היא מנגנת בכינור", "הכינור שלה", "ינור"),
    ("שני שולחנות", "השולחן החדש", "לחנ"),
    ("लड़के खेलते हैं", "लड़कों का खेल", "लडक"),
    ("हिन्दी में", "हिंदी की किताब", "हिंद"),
    ("Διαβάζει βιβλία", "του βιβλίου", "βιβλ"),
    ("Sie wohnt in einem der Häuser", "Das ist ein Haus", "haus"),
    ("Elle a des chevaux et une maison", "le cheval est à elle", "cheval"),
    ("Ella estudia las plantas con sus hijos", "lo que estudió fue una planta", "plant"),
    ("Bir kaplumbağanın yemi nedir?", "iki kaplumbağayı çok seviyor", "kaplumbaga"),
]


@each_case(("one", "other", "stem"), MEETING)
def test_two_forms_of_a_word_meet(one: str, other: str, stem: str) -> None:
    assert stem in index_terms(one)
    assert stem in index_terms(other)


@pytest.mark.parametrize("text", ["Дома две черепахи", "בכינור שלה", "وبالعود", "in den Häusern"])
def test_the_words_themselves_stay_and_stand_first(text: str) -> None:
    # So a text that was stored before there were stems is found as it was.
    folded = {"Дома": "дома", "בכינור": "בכינור", "وبالعود": "وبالعود", "in": "in"}
    assert index_terms(text)[0] == folded[text.split()[0]]


@pytest.mark.parametrize(
    "text", ["The house in Los Angeles, la vie", "a café in the old town", "sure, the data of men meet", "x = e"]
)
def test_english_has_no_stems_beside_its_terms(text: str) -> None:
    words = [term for word in text.split() for term in index_terms(word.strip(",=")) if term]
    assert index_terms(text) == words


def test_dots_below_and_signs_of_nasals_tell_no_words_apart() -> None:
    assert other_form("ज़मीन") == "जमीन"
    assert other_form("हिन्दी") == other_form("हिंदी")
    # A single sign would only match others.
    assert other_form("का") == ""


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("wem schmeckt suppe aus kartoffeln", "german"),
        ("je ne sais pas où il est", "french"),
        ("kim bilir, bir kaplumbağanın yemi nedir", "turkish"),
        ("who is the baker of the town", ""),
        ("kubectl apply", ""),
    ],
)
def test_function_words_tell_the_language(text: str, language: str) -> None:
    assert language_of(text.split()) == language


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=300))
def test_any_text_has_terms_within_bounds(text: str) -> None:
    terms = index_terms("der und die das " + text)
    assert all(0 < len(term) <= MAX_TERM_CHARACTERS for term in terms)


@each_case("piece", ["и", "ال", "וה", "लड़्", "ü und ", "न्क", "Häusern und ", "ب"])
def test_hostile_texts_take_time_in_proportion(piece: str) -> None:
    def work(length: int) -> None:
        assert len(index_terms((piece * length)[:length])) <= MAX_TERMS

    assert takes_less(40 * least_seconds(partial(work, 6_000)) + 0.05, partial(work, 60_000))
