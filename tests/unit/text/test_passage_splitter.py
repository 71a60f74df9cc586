"""Every text is split where it hurts least, nothing of it is lost, the number of passages is bounded, and each stands
under its headings."""

import re
import time
import unicodedata
from itertools import pairwise

import pytest
from camillo_formats.characters import is_border
from camillo_formats.markdown import (
    COMFORTABLE_MEMORY,
    MAX_MEMORY,
    Passage,
    markdown_passages,
    plain_passages,
    sections,
    split_at_length,
    trail_at,
)
from camillo_server.lib.text.passages import MAX_PASSAGES, MAX_TOKENS, OVERLAP, passages
from camillo_server.lib.text.tokens import count_tokens
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case

ROOM = 1_800
ENGLISH = "The brown fox jumps over the lazy dog, and it does so again and again. "
SCRIPTS = {
    "chinese": "我们决定明天早上去茶馆喝茶，然后再讨论合同的细节。",
    "japanese": "明日の朝、お茶を飲みながら契約について話し合いましょう。",
    "arabic": "قررنا أن نشرب الشاي صباح الغد ثم نناقش تفاصيل العقد. ",
    "hindi": "हमने तय किया कि कल सुबह चाय पीकर अनुबंध पर बात करेंगे। ",
    "russian": "Мы решили завтра утром выпить чаю и обсудить договор. ",
    "emoji": "👩‍👩‍👧‍👦🇩🇪🇫🇷👍🏽 ",
    "combining": "e\u0301a\u0308o\u0302\u0323 ",
}

DOCUMENT = """\
# Kettle

Fill it first.

Switch it on.

## Descaling

Use citric acid.

```sh
# not a heading

kettle --descale
```

## Repairs ##
Ask Ada.
"""

pieces = st.sampled_from(
    [*SCRIPTS.values(), ENGLISH, "\n", "\n\n", "# Head\n", "```\n", "def f():\n", "    ", "\r\n", "x" * 300]
)
texts = st.one_of(st.lists(pieces, max_size=120).map("".join), st.text(max_size=3_000))


def cut(text: str, room: int = ROOM) -> list[str]:
    return [text[start:end] for start, end in passages(text, room)]


@given(texts, st.integers(200, 1_900))
def test_all_that_is_not_white_is_in_some_passage(text: str, room: int) -> None:
    found = list(passages(text, room))
    covered = bytearray(len(text))
    for start, end in found:
        assert 0 < end - start <= room
        covered[start:end] = b"\1" * (end - start)
    assert all(held or text[at].isspace() for at, held in enumerate(covered))
    assert all(text[start:end].strip() for start, end in found)
    assert found == sorted(found)
    assert found == list(passages(text, room))


@given(texts)
def test_what_a_reader_takes_for_one_character_is_never_cut_apart(text: str) -> None:
    for start, end in passages(text, 300):
        for at in (start, end):
            white_before = at > 0 and text[at - 1].isspace()
            assert at in (0, len(text)) or white_before or is_border(text, at)


def test_a_short_text_is_one_passage_whatever_borders_it_has() -> None:
    text = "# Tea\n\nGreen.\n\n# Coffee\n\nBlack."
    assert cut(text) == [text]
    assert len(cut(text * 60)) > 1


@each_case("script", SCRIPTS)
def test_no_passage_is_much_longer_than_a_dense_model_sees(script: str) -> None:
    found = cut(SCRIPTS[script] * 200)
    assert len(found) > 2
    assert max(map(count_tokens, found)) <= MAX_TOKENS * 1.05


def test_prose_gives_passages_of_about_the_same_length() -> None:
    tokens = [count_tokens(passage) for passage in cut(ENGLISH * 100)]
    assert len(tokens) > 5
    assert min(tokens) > 120
    assert max(tokens) < 330


@pytest.mark.parametrize(
    ("unit", "begins"),
    [
        ("## Part {n}\n\n" + ENGLISH * 4 + "\n\n", "## Part"),
        ("def part_{n}(tea):\n" + "    steep(tea)\n\n" * 20, "def part_"),
        (ENGLISH * 3 + "\n\n", "The brown"),
        ("2026-05-04 12:00:{n} INFO " + ENGLISH + "\n  at tea.py\n  at pot.py\n", "2026-05"),
    ],
)
def test_the_strongest_border_near_the_length_is_taken(unit: str, begins: str) -> None:
    text = "".join(unit.replace("{n}", str(n)) for n in range(10, 40))
    found = cut(text)
    assert len(found) > 3
    assert all(passage.startswith(begins) for passage in found)


def test_passages_overlap_only_where_a_paragraph_was_cut() -> None:
    inside = list(passages(ENGLISH * 60, ROOM))
    shared = [before - start for (_, before), (start, _) in pairwise(inside)]
    assert all(0 < each <= OVERLAP for each in shared)
    between = list(passages((ENGLISH * 6 + "\n\n") * 10, ROOM))
    gaps = [start - before for (_, before), (start, _) in pairwise(between)]
    assert len(gaps) > 2
    assert all(gap >= 0 for gap in gaps)


@each_case("script", [*SCRIPTS, "ascii", "unbroken", "lines"])
def test_a_mebibyte_of_anything_has_no_more_passages_than_are_stored(script: str) -> None:
    units = {**SCRIPTS, "ascii": ENGLISH, "unbroken": "a", "lines": "# a\n"}
    unit = units[script]
    text = unit * (1_048_576 // len(unit.encode()))
    found = list(passages(text, 1_669))
    assert 300 < len(found) <= MAX_PASSAGES
    assert found[-1][1] == len(text.rstrip())


def test_sentences_are_cut_behind_their_marks_in_scripts_without_spaces() -> None:
    found = cut(SCRIPTS["chinese"] * 100)
    assert all(re.search("[。，]$", passage) for passage in found)


@each_case(
    ("line", "name"),
    [
        ("# Tea", "Tea"),
        ("# Tea #", "Tea"),
        ("# Tea \t###  ", "Tea"),
        ("# C#", "C#"),
        ("# 茶 # and #more", "茶 # and #more"),
        ("# Tea ##x#", "Tea ##x#"),
        ("# 茶 🍵 {#tea}", "茶 🍵"),
        ("# Tea {#tea-2 .wide} ##", "Tea {#tea-2 .wide}"),
        ("# Tea ## {#tea .wide}", "Tea"),
        ("# Sets {1, 2}", "Sets {1, 2}"),
        ("# {#tea}", "{#tea}"),
    ],
)
def test_marks_may_close_a_heading(line: str, name: str) -> None:
    text = f"{line}\nbelow"
    assert trail_at(sections(text), len(text) - 1) == name


def test_a_row_of_spaces_takes_no_longer_than_it_is() -> None:
    text = f"# a{' ' * 500_000}b{' {#a' * 100_000} #\nbelow"
    began = time.process_time()
    assert trail_at(sections(text), len(text) - 1).startswith("a ")
    # Milliseconds where it is read once; hours where each space is a place to begin anew.
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    ("code", "heading"),
    [
        ("```\n# a\n```", "Tea"),
        ("~~~\n```\n# a\n~~~~  ", "Tea"),
        # A line that opens a fence does not close one.
        ("```\n```sh\n# a\n```", "Tea"),
        # No fence, but code in a line.
        ("```steep``` it\n# Pot", "Pot"),
        ("```\n# a", "Tea"),
    ],
)
def test_a_heading_in_a_fence_is_none(code: str, heading: str) -> None:
    text = f"# Tea\n{code}\nbelow"
    assert trail_at(sections(text), len(text) - 1).rpartition(" > ")[2] == heading


# Memories of files.


def test_a_passage_begins_with_the_headings_it_stands_under() -> None:
    assert list(markdown_passages(DOCUMENT)) == [
        Passage("Kettle", "Kettle\n\nFill it first.\n\nSwitch it on."),
        Passage(
            "Kettle > Descaling",
            "Kettle > Descaling\n\nUse citric acid.\n\n```sh\n# not a heading\n\nkettle --descale\n```",
        ),
        Passage("Kettle > Repairs", "Kettle > Repairs\n\nAsk Ada."),
    ]


def test_a_fence_is_closed_only_by_one_like_it() -> None:
    text = "````\n```\n# inside\n````\n# Outside\nbelow"
    assert [passage.heading for passage in markdown_passages(text)] == ["", "Outside"]


def test_an_unclosed_fence_keeps_its_text() -> None:
    [passage] = markdown_passages("```\ncode\n\nmore")
    assert passage.text == "```\ncode\n\nmore"


def test_short_paragraphs_are_joined_up_to_a_comfortable_length() -> None:
    paragraph = "word " * 60
    passages = list(plain_passages("\n\n".join([paragraph] * 10)))
    assert 1 < len(passages) < 10
    assert all(len(passage.text) <= COMFORTABLE_MEMORY for passage in passages)


def test_a_code_block_that_fits_is_not_cut() -> None:
    code = "```\n" + "x = 1\n" * 300 + "```"
    [passage] = markdown_passages(code)
    assert passage.text == code


def test_a_long_heading_leaves_room_for_the_text() -> None:
    passages = list(markdown_passages(f"# {'h' * 3000}\n\n{'word ' * 1000}"))
    assert all(len(passage.text) <= MAX_MEMORY for passage in passages)


@pytest.mark.parametrize(
    "text", ["", "\n\n \n", "# only\n## headings\n", "\ufeff"], ids=["empty", "blank", "headings", "mark"]
)
def test_text_that_says_nothing_gives_nothing_or_itself(text: str) -> None:
    assert [passage.text for passage in markdown_passages(text)] in ([], ["\ufeff"])


@pytest.mark.parametrize(
    "text",
    [
        "A sentence about kettles. " * 200,
        "Ein Satz über Kessel, groß und schön. " * 200,
        "جملة عن الغلاية. " * 300,
        "משפט על קומקום. " * 300,
    ],
    ids=["english", "german", "arabic", "hebrew"],
)
def test_words_are_never_cut(text: str) -> None:
    pieces = list(split_at_length(text, 500))
    assert len(pieces) > 2
    assert " ".join(pieces).split() == text.split()
    assert all(piece.rstrip().endswith(".") for piece in pieces)


def test_text_without_spaces_is_cut_behind_its_sentences() -> None:
    pieces = list(split_at_length("お茶が好きです。" * 400, 500))
    assert all(piece.endswith("。") and len(piece) <= 500 for piece in pieces)
    assert "".join(pieces) == "お茶が好きです。" * 400


@pytest.mark.parametrize("unit", ["e\u0301", "👨\u200d👩\u200d👧", "ก็"], ids=["accent", "family", "thai"])
def test_a_word_too_long_is_not_cut_inside_a_character(unit: str) -> None:
    pieces = list(split_at_length(unit * 400, 101))
    assert "".join(pieces) == unit * 400
    for piece in pieces:
        assert not unicodedata.category(piece[0]).startswith("M")
        assert piece[0] != "\u200d"
        assert piece[-1] != "\u200d"


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=6000))
def test_no_word_is_lost_and_no_passage_too_long(text: str) -> None:
    passages = list(plain_passages(text))
    assert all(0 < len(passage.text) <= MAX_MEMORY for passage in passages)
    kept = "".join("".join(passage.text for passage in passages).split())
    assert kept == "".join(text.split())


@given(st.lists(st.sampled_from(["# a", "## b", "```", "text here", "", "~~~", "- item"])))
def test_any_markdown_can_be_cut(lines: list[str]) -> None:
    passages = list(markdown_passages("\n".join(lines)))
    words = sum(line in ("text here", "- item") for line in lines)
    found = "\n".join(passage.text for passage in passages)
    assert found.count("text here") + found.count("- item") == words
