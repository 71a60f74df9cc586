"""Words that name one thing as they are typed: whether a text has them."""

import pytest
from camillo_server.lib.text.typed_words import OTHERWISE_WRITTEN, ids_named, spellings, typed_words

from tests.cases import each_case

YES, NEARLY, NO = 1.0, OTHERWISE_WRITTEN, 0.0


@each_case(
    ("query", "text", "share"),
    [
        ("v2.4.10", "v2.4.1 was rolled back", NO),
        ("v2.4.1", "Release v2.4.10 is out", NO),
        ("2.4.10", "Release v2.4.10.", YES),
        ("v2.4.10", "Version 2.4.10, stable", YES),
        ("1.2.3", "at 1.2.31", NO),
        ("1.2.3", "at 11.2.3", NO),
        ("1.2.3", "at 1.2.3.4", NO),
        ("10.0.0.1", "the printer is 10.0.0.12", NO),
        ("SHOP-482", "SHOP-4821 ships", NO),
        ("shop-4821", "a/browse/SHOP-4821?x=1", YES),
        ("SHOP-4821 and SHOP-7", "SHOP-4821 ships", 0.5),
        ("600123456", "Kim: +34 600 123 456", NEARLY),
        ("600123456", "Kim: 16001234567", NO),
        ("+34600123456", "600 123 456", NEARLY),
        ("030 5550199", "0049305550199", NEARLY),
        ("600123456", "電話600–123–456です", NEARLY),
        ("600-123", "600–123", YES),
        ("AB7734", "編号A番B7734", NO),
        ("テスト12", "新テスト12です", YES),
        ("テスト12", "テ-スト 12", NEARLY),
        ("wifi", "The Wi-Fi", NEARLY),
        ("tea", "the steam", NO),
        ("c++", "in C++", YES),
        ("１２３４５", "code 12345", YES),
        ("AB7734", "合同编号是ＡＢ７７３４。", YES),
        ("9f8e7d6c", "commit 9f8e7d6c5b4a", NEARLY),
    ],
)
def test_the_share_that_a_text_has(query: str, text: str, share: float) -> None:
    words = typed_words(query, 1)
    assert words is not None
    assert words.share_in(text) == share


@pytest.mark.parametrize(
    "query", ["what happened in 2024", "what's up with Ana", "who has 3 cats", "who came at 10:30 today"]
)
def test_times_and_small_numbers_name_nothing(query: str) -> None:
    assert typed_words(query, 5) is None


@each_case(
    ("query", "is_id"),
    [
        ("01972f7e", True),
        ("01972F7E-1234", True),
        ("memory:01972f7e-1234-7890-abcd-1234567890ab", True),
        ("01972f7e12347890abcd1234567890ab", True),
        ("01972f7", False),
        ("01972f7e of Ana", False),
        ("01972f7e-1234-7890-abcd-1234567890ab0", False),
        ("decade", False),
    ],
)
def test_an_id_is_told_by_eight_digits_or_more(query: str, is_id: bool) -> None:
    assert (ids_named(query) is not None) == is_id


@each_case(
    ("word", "meant"),
    [
        ("kuberentes", "kubernetes"),
        ("kubbernetes", "kubernetes"),
        ("kubernites", "kubernetes"),
        ("wifi", "wi-fi"),
        ("wi-fi", "wifi"),
        ("nodejs", "node.js"),
        ("node.js", "nodejs"),
        ("gruesse", "grusse"),
        ("постргес", "постгрес"),
        ("שלןם", ""),
        ("biking", ""),
        ("tea", ""),
    ],
)
def test_the_spellings_of_a_word(word: str, meant: str) -> None:
    found = set(spellings(word).values())
    assert (meant in found) if meant else not {"hiking", "sea", "שלום"} & found
    assert len(found) < 1_500
