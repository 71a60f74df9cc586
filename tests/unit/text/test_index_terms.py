"""Index terms: what a query finds a text by."""

import pytest
from camillo_server.lib.text.index_terms import (
    FUNCTION_TERMS,
    MAX_TERM_CHARACTERS,
    MAX_TERMS,
    MAX_TEXT_CHARACTERS,
    MAX_WHOLE_CHARACTERS,
    index_terms,
    written_terms,
)
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case


def finds(query: str, text: str) -> bool:
    """Whether every term of the query is one of the text."""
    terms = index_terms(query)
    return bool(terms) and set(terms) <= set(index_terms(text))


def test_a_plain_word_gives_one_term() -> None:
    assert index_terms("The quick brown Fox") == ["the", "quick", "brown", "fox"]


def test_repeats_and_order_are_kept() -> None:
    assert index_terms("tea, milk, tea") == ["tea", "milk", "tea"]


@each_case(
    ("token", "terms"),
    [
        ("getUserById", "getuserbyid get user by id"),
        ("HTTPServer2", "httpserver2 http server 2"),
        ("IDs", "id"),
        ("snake_cold_word", "snake_cold_word snak cold word"),
        ("long-term", "long-term long term"),
        ("__init__", "__init__ init"),
        ("v1.2.3", "v1.2.3 v1 v 1 2 3"),
        ("utf8", "utf8 utf 8"),
        ("k8s", "k8s"),
        ("C++", "c++ c"),
        ("C#", "c# c"),
        ("R&D", "r&d r d"),
        ("$1,200", "1200"),
        ("10:30", "10:30 10 30"),
        ("bob@example.org", "bob@example.org bob example.org exampl org"),
        ("C:\\temp\\log.txt", "c:\\temp\\log.txt c temp log.txt log txt"),
        ("53AA51172d142c89", "53aa51172d142c89 53aa511"),
        ("std::vector", "std::vector std vector"),
    ],
)
def test_an_identifier_gives_itself_whole_and_its_parts(token: str, terms: str) -> None:
    assert index_terms(token) == terms.split()


def test_a_path_gives_every_level_of_its_parts() -> None:
    assert index_terms("server/camillo_server/app.py") == [
        "server/camillo_server/app.py",
        *["server", "camillo_server", "camillo", "server", "app.py", "app", "py"],
    ]


def test_an_address_of_the_web_is_found_by_host_path_and_parameter() -> None:
    url = "see https://docs.example.com/guide/install?version=3#linux."
    for query in ("docs.example.com", "guide", "install", "version", "linux", "example"):
        assert finds(query, url)
    assert not finds("windows", url)


def test_a_time_stamp_is_found_by_its_date() -> None:
    assert finds("2024-03-15", "started at 2024-03-15T10:30:00Z")
    assert not finds("2024-03-16", "started at 2024-03-15T10:30:00Z")


@pytest.mark.parametrize("text", ["Caroline's", "Caroline’s", "caroline"])
def test_a_possessive_is_the_word_itself(text: str) -> None:
    assert index_terms(text) == index_terms("Caroline")


@pytest.mark.parametrize(("query", "name"), [("youtube", "YouTube"), ("username", "userName"), ("iphone", "iPhone")])
def test_a_name_is_found_however_its_letters_are_cased(query: str, name: str) -> None:
    assert finds(query, name)


def test_negations_meet_with_and_without_an_apostrophe() -> None:
    assert index_terms("don't") == index_terms("don’t") == index_terms("dont")


@each_case(
    ("one", "other"),
    [
        ("café", "CAFE"),
        ("cafe\u0301", "café"),
        ("Straße", "STRASSE"),
        ("Ærø", "aero"),
        ("İstanbul", "istanbul"),
        ("Łódź", "lodz"),
        ("ﬁle", "file"),
        ("ＡＢＣ１２", "abc12"),
        ("Ελλάδος", "ΕΛΛΑΔΟΣ"),
        ("ёлка", "елка"),
        ("مُحَمَّدٌ", "محمد"),
        ("العـــربية", "العربية"),
        ("أحمد", "احمد"),
        ("٢٠٢٤", "2024"),
        ("שָׁלוֹם", "שלום"),
        ("ｶﾞｷﾞ", "ガギ"),
        ("か\u3099", "が"),
        ("co\u00adop\u200be\u200drate", "cooperate"),
        ("\ufeffhello", "hello"),
        ("👩🏽", "👩"),
        ("❤\ufe0f", "❤"),
    ],
)
def test_two_spellings_of_one_word_give_the_same_terms(one: str, other: str) -> None:
    assert index_terms(one) == index_terms(other) != []


@pytest.mark.parametrize(("one", "other"), [("か", "が"), ("мои", "мой"), ("कि", "की"), ("กา", "กี"), ("다", "나")])
def test_marks_that_make_another_letter_are_kept(one: str, other: str) -> None:
    assert index_terms(one) != index_terms(other)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("東京都", ["東", "東京", "京", "京都", "都"]),
        ("猫", ["猫"]),
        ("고양이", ["고", "고양", "양", "양이", "이"]),
        ("ดีมาก", ["ดี", "ดีม", "ม", "มา", "า", "าก", "ก"]),
    ],
)
def test_scripts_without_spaces_give_characters_and_pairs(text: str, terms: list[str]) -> None:
    assert index_terms(text) == terms


@each_case(
    ("query", "text", "other"),
    [
        ("咖啡", "我们昨天在北京的咖啡馆见面", "我们昨天在北京的茶馆见面"),
        ("馆", "我们昨天在北京的咖啡馆见面", "我们昨天见面"),
        ("カフェ", "東京のカフェで会った", "東京の駅で会った"),
        ("물", "찬물을 마셨다", "커피를 마셨다"),
        ("서울", "서울에서 만났다", "부산에서 만났다"),
        ("อากาศ", "วันนี้อากาศดีมาก", "วันนี้ฝนตก"),
        ("ကား", "ကားအသစ် ဝယ်တယ်", "အိမ်"),
        ("שלום", "אמר שלום לכולם", "אמר תודה לכולם"),
        ("العربية", "يتعلم اللغة العربية", "يتعلم اللغة التركية"),
        ("हिन्दी", "मैं हिन्दी बोलता हूँ।", "मैं बोलता हूँ।"),
        ("Россия", "живу в стране Россия", "живу в стране Чехия"),
        ("🎉", "we won 🎉🎉", "we won"),
        ("🇩🇪", "moved to 🇩🇪🇫🇷", "moved to 🇫🇷"),
        ("iPhone", "昨日iPhone 15を買った", "昨日パソコンを買った"),
    ],
)
def test_a_query_finds_texts_of_its_language(query: str, text: str, other: str) -> None:
    assert finds(query, text)
    assert not finds(query, other)


def test_function_words_are_indexed_and_known_as_such() -> None:
    assert index_terms("to be or not to be") == ["to", "be", "or", "not", "to", "be"]
    assert set(index_terms("to be or not to be")) <= FUNCTION_TERMS
    assert not FUNCTION_TERMS & set(index_terms("tea garden"))


@each_case("text", ["", " \n\t", "...!?", "____", "\u200b\ufeff", "\ud800\udfff", "\x00"])
def test_a_text_without_words_gives_no_term(text: str) -> None:
    assert index_terms(text) == []


def test_a_long_term_keeps_its_beginning() -> None:
    assert index_terms("x" * 1000) == ["x" * MAX_TERM_CHARACTERS]


def test_the_number_of_terms_and_the_text_read_are_bounded() -> None:
    assert len(index_terms("猫 dog " * MAX_TERMS)) == MAX_TERMS
    assert index_terms(" " * MAX_TEXT_CHARACTERS + "word") == []
    assert index_terms(" " * (MAX_TEXT_CHARACTERS - 4) + "word") == ["word"]


ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=200)


@given(ANY_TEXT)
def test_any_text_gives_terms_that_postgres_can_store(text: str) -> None:
    for term in index_terms(text):
        assert 1 <= len(term) <= MAX_TERM_CHARACTERS
        assert "\x00" not in term
        term.encode("utf-8")


MIXED_TEXT = st.text("ab1C#+/.'-: \n\xa0\u2028\u3000\x1cé\u0301好ア\u3099🚀ﬁİß\u200d\xad٣\u0e01\u0e31\u180e´ي\u0649")


@given(MIXED_TEXT | ANY_TEXT)
def test_words_folded_one_by_one_give_the_terms_of_the_whole(text: str) -> None:
    # Texts of so many characters are folded whole.
    assert written_terms(text) == written_terms(text + " " * MAX_WHOLE_CHARACTERS)


@given(ANY_TEXT)
def test_the_same_text_gives_the_same_terms(text: str) -> None:
    assert index_terms(text) == index_terms(text)


@given(st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), min_size=1, max_size=40))
def test_any_single_han_character_finds_the_text_that_holds_it(text: str) -> None:
    assert all(finds(character, text) for character in text)


@given(st.lists(st.from_regex(r"[a-z]{1,12}", fullmatch=True), min_size=1, max_size=20))
def test_plain_words_give_one_term_each(words: list[str]) -> None:
    # Stems follow, where the words look like another language.
    each = [term for word in words for term in index_terms(word)[:1]]
    assert index_terms(" ".join(words))[: len(words)] == each
