"""The stemmer brings the forms of one word together and leaves different words apart."""

from camillo_server.lib.text.word_forms import stem
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case


@each_case(
    "forms",
    [
        "cat cats",
        "box boxes",
        "class classes",
        "city cities",
        "carry carries carried carrying",
        "make makes made making",
        "plan plans planned planning",
        "walk walks walked walking",
        "hope hopes hoped hoping",
        "agree agrees",
        "run runs ran running",
        "go goes went gone going",
        "buy buys bought buying",
        "child children",
        "id ids",
        "api apis",
    ],
)
def test_forms_of_one_word_have_one_stem(forms: str) -> None:
    assert len({stem(form) for form in forms.split()}) == 1


@each_case(
    ("one", "other"),
    [
        ("king", "k"),
        ("red", "r"),
        ("need", "ne"),
        ("bus", "bu"),
        ("this", "thi"),
        ("glass", "glas"),
        ("universe", "universal"),
        ("policy", "police"),
    ],
)
def test_different_words_keep_different_stems(one: str, other: str) -> None:
    assert stem(one) != stem(other)


@each_case("word", ["", "a", "py", "naïve", "v2s", "кошки", "sha256", "٣", "猫猫猫猫s"])
def test_what_is_no_english_word_stays_as_it_is(word: str) -> None:
    assert stem(word) == word


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=40))
def test_a_stem_is_never_empty_and_little_longer_than_an_irregular_form(word: str) -> None:
    assert 1 <= len(stem(word)) <= max(len(word), len("understand"))
