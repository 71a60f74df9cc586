"""Characters as a reader counts them."""

from camillo_formats.characters import border_at_or_before, is_border

from tests.cases import each_case


@each_case(
    "character",
    [
        "e\u0301",
        "👩‍👩‍👧‍👦",
        "🇩🇪",
        "👍🏽",
        "क्ष",
        "한",
        "\r\n",
        "\ud83d\ude00",
        "❤\ufe0f",
        "1\ufe0f\u20e3",
        "น้ำ",
        "ស្រ",
        "ಕ್ಷ",
        "ක්\u200dය",
        "각",
    ],
)
def test_a_character_is_never_cut_and_its_ends_are_borders(character: str) -> None:
    text = f"a{character}b"
    borders = [at for at in range(1, len(text)) if is_border(text, at)]
    assert borders == [1, len(text) - 1]


def test_flags_are_cut_between_pairs() -> None:
    assert [at for at in range(1, 6) if is_border("🇩🇪🇫🇷🇨🇭", at)] == [2, 4]


def test_the_border_before_a_place_is_found() -> None:
    text = "ab👩‍👩‍👧‍👦c"
    assert border_at_or_before(text, 5, 0) == 2
    assert border_at_or_before(text, 2, 0) == 2
    assert border_at_or_before(text, 99, 0) == len(text)
    # There is none behind the earliest one allowed, nor within any reach.
    assert border_at_or_before(text, 5, 4) == 5
    assert border_at_or_before("a" + "\u0301" * 200, 150, 0) == 150
