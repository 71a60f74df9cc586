"""Text is cut at headings and paragraphs, at worst between words, and nothing of it is lost."""

import unicodedata

import pytest
from camillo_server.text.passages import (
    COMFORTABLE_MEMORY,
    MAX_MEMORY,
    Passage,
    markdown_passages,
    plain_passages,
    split_at_length,
)
from hypothesis import given
from hypothesis import strategies as st

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


def test_a_passage_begins_with_the_headings_it_stands_under() -> None:
    assert list(markdown_passages(DOCUMENT)) == [
        Passage("Kettle", "Kettle\n\nFill it first.\n\nSwitch it on."),
        Passage(
            "Kettle > Descaling",
            "Kettle > Descaling\n\nUse citric acid.\n\n"
            "```sh\n# not a heading\n\nkettle --descale\n```",
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
    "text",
    ["", "\n\n \n", "# only\n## headings\n", "\ufeff"],
    ids=["empty", "blank", "headings", "mark"],
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


@pytest.mark.parametrize(
    "unit", ["e\u0301", "👨\u200d👩\u200d👧", "ก็"], ids=["accent", "family", "thai"]
)
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
