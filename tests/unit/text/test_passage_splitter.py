"""Every text is split where it hurts least, nothing of it is lost, the number of passages is bounded, and each stands under
its headings."""

import re
import time
from itertools import pairwise

import pytest
from camillo_server.text.characters import is_border
from camillo_server.text.passages import (
    MAX_PASSAGES,
    MAX_TOKENS,
    OVERLAP,
    passages,
    sections,
    trail_at,
)
from camillo_server.text.tokens import count_tokens
from hypothesis import given, settings
from hypothesis import strategies as st

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

pieces = st.sampled_from(
    [
        *SCRIPTS.values(),
        ENGLISH,
        "\n",
        "\n\n",
        "# Head\n",
        "```\n",
        "def f():\n",
        "    ",
        "\r\n",
        "x" * 300,
    ]
)
texts = st.one_of(st.lists(pieces, max_size=120).map("".join), st.text(max_size=3_000))


def cut(text: str, room: int = ROOM) -> list[str]:
    return [text[start:end] for start, end in passages(text, room)]


@settings(max_examples=150, deadline=None)
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


@settings(max_examples=150, deadline=None)
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


@pytest.mark.parametrize("script", SCRIPTS)
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


@pytest.mark.parametrize("script", [*SCRIPTS, "ascii", "unbroken", "lines"])
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


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("# Tea", "Tea"),
        ("# Tea #", "Tea"),
        ("# Tea \t###  ", "Tea"),
        ("# C#", "C#"),
        ("# 茶 # and #more", "茶 # and #more"),
        ("# Tea ##x#", "Tea ##x#"),
    ],
)
def test_marks_may_close_a_heading(line: str, name: str) -> None:
    text = f"{line}\nbelow"
    assert trail_at(sections(text), len(text) - 1) == name


def test_a_row_of_spaces_takes_no_longer_than_it_is() -> None:
    text = f"# a{' ' * 500_000}b #\nbelow"
    began = time.process_time()
    assert trail_at(sections(text), len(text) - 1).startswith("a ")
    # Milliseconds where it is read once; hours where each space is a place to begin anew.
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    ("code", "heading"),
    [
        ("```\n# a\n```", "Tea"),
        ("~~~\n```\n# a\n~~~~  ", "Tea"),
        # What opens a fence does not close one.
        ("```\n```sh\n# a\n```", "Tea"),
        # No fence, but code in a line.
        ("```steep``` it\n# Pot", "Pot"),
        ("```\n# a", "Tea"),
    ],
)
def test_a_heading_in_a_fence_is_none(code: str, heading: str) -> None:
    text = f"# Tea\n{code}\nbelow"
    assert trail_at(sections(text), len(text) - 1).rpartition(" > ")[2] == heading
