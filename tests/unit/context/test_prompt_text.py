"""Texts as a prompt shows them, and as they are compared."""

from camillo_formats.rendering import cleaned, one_line
from camillo_server.across.context.rendering import comparable

from tests.cases import each_case


@each_case("line_break", ["\n", "\r\n", "\r", "\v", "\f", "\x85", "\u2028", "\u2029"])
def test_every_line_break_is_one(line_break: str) -> None:
    assert cleaned(f"first{line_break}second") == "first\nsecond"
    assert one_line(f"first{line_break}second") == "first second"


@each_case("control", ["\x00", "\x1b", "\x1c", "\x7f", "\x90", "\u202e", "\u2066", "\u2069"])
def test_controls_are_dropped_and_what_stands_around_them_stays(control: str) -> None:
    assert cleaned(f"a{control}b\tc") == "ab\tc"


@each_case("text", ["日本語のテキスト", "مرحبا بالعالم", "👩‍👩‍👧 family", "e\u0301 a\u200fb", "plain", ""])
def test_texts_of_any_script_stay_as_they_are(text: str) -> None:
    assert cleaned(text) == text


def test_half_a_character_is_shown_as_a_mark() -> None:
    assert cleaned("a\ud800b") == "a\N{REPLACEMENT CHARACTER}b"


def test_empty_lines_around_a_text_are_gone_and_those_within_stay() -> None:
    assert cleaned("\n\na\n\nb\n") == "a\n\nb"


@each_case(
    "text",
    [
        "Hello World",
        "  hello\n\tWORLD ",
        "Ｈｅｌｌｏ　Ｗｏｒｌｄ",
        "hel\u200blo wor\u00adld",
        "he\x00llo world\ufe0f",
        "h\u2060ello\u2003world",
    ],
)
def test_what_a_reader_takes_for_the_same_compares_as_the_same(text: str) -> None:
    assert comparable(text) == "hello world"


def test_what_a_reader_tells_apart_compares_as_different() -> None:
    assert comparable("hello world") != comparable("hello worlds")
    assert comparable("übung") != comparable("ubung")


def test_long_texts_compare_like_short_ones() -> None:
    assert comparable("A " * 5_000) == comparable("a\n" * 5_000)
