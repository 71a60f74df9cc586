"""A text as something said: who says it, and whether it asks."""

import time

import pytest
from camillo_server.lib.text.index_terms import index_terms
from camillo_server.lib.text.speech import ASKS, MAX_QUESTION_CHARACTERS, PERSON, asks, speakers_in, speech_terms

from tests.cases import each_case
from tests.patience import takes_less


@each_case(
    "text",
    [
        "Where does Ana live?",
        "Ana: That sounds great! Where are you headed?",
        "[3 May] 小明：你喜欢什么颜色？",
        "أين تعيش آنا؟",
        "Really?! 😊",
        "It snowed.\nDid it?)",
        "¿Dónde vive Ana? [shows a photo of a door]",
        "क्या आना घर पर है?",
        "מה שלומך?",
        f"{'It is a long story. ' * 500}Who told you?",
    ],
)
def test_what_ends_in_a_short_question_asks(text: str) -> None:
    assert asks(text)
    assert ASKS in {*speech_terms(text)}


@each_case(
    "text",
    [
        "",
        "?",
        "Ana lives in Paris.",
        "Did you know? Ana lives in Paris.",
        "Which is why Ana, who had moved to Paris in the spring, wanted to know whether the keys of the old flat were "
        "lost?",
        "see https://example.org/?",
        f"a{'b' * MAX_QUESTION_CHARACTERS}?",
    ],
)
def test_what_tells_does_not_ask(text: str) -> None:
    assert not asks(text)
    assert ASKS not in {*speech_terms(text)}


@each_case(
    ("text", "said_by"),
    [
        ("Ana: I moved to Paris", {"ana:"}),
        ("[1:07 pm on 25 February, 2022] Joanna: Thanks!", {"joanna:"}),
        ("Ana María: hola", {"ana:", "maria:"}),
        ("小明：你好", {"小明:"}),
        ("Анна: привет", {"анна:"}),
        ("آنا: مرحبا", {"انا:"}),
        ("User: I like tea", {PERSON}),
        ("Ana lives in Paris", set()),
        ("What I mean by this is the following: nothing", set()),
        ("https://example.org is down", set()),
        ("12:30 is lunch", set()),
        ("", set()),
    ],
)
def test_who_says_it_stands_before_it(text: str, said_by: set[str]) -> None:
    told = {*speech_terms(text)} - {ASKS}
    assert said_by <= told
    assert bool(told) is bool(said_by)


def test_what_a_person_says_is_told_by_the_actor() -> None:
    assert PERSON in {*speech_terms("ada: I moved", "human:ada")}
    assert PERSON not in {*speech_terms("ada: I moved", "agent:ada")}


def test_terms_stand_in_the_order_of_the_text() -> None:
    # A set of strings has another order in each process, and rows of one text are to be equal bytes.
    names = [f"Ana Bea Cy{end}: why?" for end in ("ra", "nthia")]
    assert [[*speech_terms(name, "human:ana")] for name in names] == [
        [ASKS, "ana:", "bea:", "cyra:", PERSON],
        [ASKS, "ana:", "bea:", "cynthia:", PERSON],
    ]


@each_case(
    "text",
    [
        "Where do I live?",
        "what's my name",
        "Wo wohne ich?",
        "où est mon vélo",
        "¿dónde está mi bici?",
        "где мой велосипед",
        "我住在哪里",
        "أين دراجتي أنا",
        "मेरा घर कहाँ है",
    ],
)
def test_a_query_in_the_first_person_names_a_person(text: str) -> None:
    assert PERSON in speakers_in(text, index_terms(text))
    other = "Where does Ana live? Wo wohnt sie? Ana 住在哪里 где Анна"
    assert PERSON not in speakers_in(other, index_terms(other))


def test_a_query_names_those_whose_names_it_has() -> None:
    named = speakers_in("Did Joanna meet Nate?", ["joanna", "meet", "nate"])
    assert {"joanna:", "nate:"} <= {*named}


@pytest.mark.parametrize("text", ["?" * 2_000, ":" * 2_000, "[" * 2_000, "a?" * 1_000, "a: " * 700])
def test_hostile_texts_take_no_time(text: str) -> None:
    def told() -> None:
        started = time.perf_counter()
        [*speech_terms(text)]
        assert time.perf_counter() - started < 1

    assert takes_less(0.02, told)
