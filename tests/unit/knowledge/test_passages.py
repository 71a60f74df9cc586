"""Passages of documents: exact ranges of bytes, all of the text, bounded sizes, headings, whole blocks and whole
characters."""

from functools import partial
from itertools import pairwise

import pytest
import regex
from camillo_formats.media_types import DOCX, HTML, MARKDOWN, PDF, PLAIN
from camillo_server.features.knowledge.passages.passages import MAX_CHARACTERS, SIZE, DocumentPassage, document_passages
from camillo_server.lib.text.tokens import count_tokens
from hypothesis import given
from hypothesis import strategies as st

from tests.patience import FACTOR, least_seconds, takes_less

TYPES = (MARKDOWN, PLAIN, HTML, PDF, DOCX, "text/x-python", "text/x-java", "application/json")
# Several estimates added are a little more or less than one of the whole.
MAX_TOKENS = SIZE.max_tokens * 1.15
SENTENCE = "The travel office pays hotels, trains and meals after the receipts were handed in. "
LINES = st.sampled_from(
    [
        "# 差旅",
        "## Costs #",
        "### نفقات",
        "#### deep",
        "",
        "   ",
        "```python",
        "```",
        "~~~",
        "| city | rate |",
        "| --- | --- |",
        "---",
        "- point",
        "## Page 3",
        "def f(x):",
        "    class A:",
        "        pass",
        SENTENCE * 3,
        "差旅费用由财务部门支付。" * 40,
        "مرحبا بالعالم، تدفع الشركة. " * 30,
        "नमस्ते दुनिया। " * 30,
        "ไทยไม่มีช่องว่าง" * 40,
        "👩‍👩‍👧" * 60,
        "cafe\u0301 " * 40,
        "a" * 700,
        "{}[](),;" * 60,
    ]
)
TEXTS = st.lists(LINES, max_size=40).map("\n".join) | st.text(max_size=2_000)


def cited(text: str, passage: DocumentPassage) -> str:
    return text.encode()[passage.byte_from : passage.byte_until].decode()


def in_section(passages: list[DocumentPassage], heading: str) -> list[DocumentPassage]:
    return [each for each in passages if each.heading == heading]


@given(TEXTS, st.sampled_from(TYPES))
def test_ranges_are_exact_all_text_is_there_and_sizes_are_bounded(text: str, media_type: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    passages = document_passages(text, media_type)
    reached = 0
    for each in passages:
        passage = cited(text, each)
        above, _, rest = each.text.partition("\n")
        assert each.text == passage or (rest == passage and each.heading.startswith(above[:150]))
        assert passage.strip()
        assert len(each.text) <= MAX_CHARACTERS
        assert count_tokens(passage) <= MAX_TOKENS
        assert not text.encode()[reached : each.byte_from].decode().strip()
        reached = max(reached, each.byte_until)
    assert not text.encode()[reached:].decode().strip()
    assert [each.byte_from for each in passages] == sorted(each.byte_from for each in passages)
    assert passages == document_passages(text, media_type)


def test_a_passage_begins_with_the_headings_above_it() -> None:
    text = f"# Handbook\n\n{SENTENCE * 12}\n\n## Travel\n\n{SENTENCE * 40}\n\n## Pay\n\n{SENTENCE * 14}\n"
    passages = list(document_passages(text, MARKDOWN))
    travel = in_section(passages, "Handbook > Travel")
    assert len(travel) >= 2
    assert travel[0].text.startswith("Handbook\n## Travel\n\nThe travel office")
    assert travel[1].text.startswith("Handbook > Travel\nThe travel office")
    (pay,) = in_section(passages, "Handbook > Pay")
    assert cited(text, pay) == f"## Pay\n\n{SENTENCE * 14}".rstrip()


def test_short_sections_are_joined_under_what_is_above_both() -> None:
    long = "".join(f"## Long {n}\n\n{SENTENCE * 12}\n\n" for n in range(2))
    text = "# All\n\n" + "".join(f"## Short {n}\n\n{SENTENCE * 2}\n\n" for n in range(3)) + long
    passages = list(document_passages(text, MARKDOWN))
    assert [each.heading for each in passages] == ["All", "All > Long 0", "All > Long 1"]
    assert all(f"Short {n}" in passages[0].text for n in range(3))


def test_a_paragraph_that_is_cut_goes_on_with_what_was_said_before() -> None:
    text = "".join(f"{SENTENCE.strip()[:-1]} in {year}. " for year in range(1900, 1960))
    passages = document_passages(text, PLAIN)
    assert len(passages) > 3
    for before, behind in pairwise(passages):
        assert before.byte_until - 160 <= behind.byte_from < before.byte_until
        assert cited(text, behind).startswith("The travel office")


@pytest.mark.parametrize("opening", ["```python\n", "| name | rate |\n| --- | --- |\n"])
def test_code_and_rows_that_fit_are_not_cut(opening: str) -> None:
    is_code = opening.startswith("```")
    code = "".join(f"value_{n} = read(source, {n})\n\n" for n in range(12))
    rows = "".join(f"| {SENTENCE.strip()} {n} | {SENTENCE * 5}{n} |\n" for n in range(12))
    block = f"{opening}{code}```" if is_code else f"{opening}{rows}"
    text = f"# A\n\n{SENTENCE * 9}\n\n{block}\n\n{SENTENCE * 9}\n"
    passages = document_passages(text, MARKDOWN)
    assert len(passages) >= 2
    whole = [block] if is_code else block.splitlines()
    for each in whole:
        assert any(each.strip() in cited(text, passage) for passage in passages)


@pytest.mark.parametrize(
    "script", ["差旅费用由财务部门支付。", "ไทยไม่มีช่องว่างนี้", "نفقاتالسفرتدفع", "👩‍👩‍👧🇩🇪", "a\u0301\u0302e\u0308"]
)
def test_a_character_is_never_cut(script: str) -> None:
    text = script * (3_000 // len(script))
    borders = {match.start() for match in regex.finditer(r"\X", text)} | {len(text)}
    places = {len(text[:at].encode()) for at in borders}
    passages = document_passages(text, PLAIN)
    assert len(passages) > 1
    assert {at for each in passages for at in (each.byte_from, each.byte_until)} <= places


def test_front_matter_is_found_and_its_comments_are_no_headings() -> None:
    text = f"---\ntitle: 差旅\n# comment\nowner: ops\n---\n\n# Handbook\n\n{SENTENCE * 3}"
    first, second = document_passages(text, MARKDOWN)
    assert (first.heading, second.heading) == ("", "Handbook")
    assert "owner: ops" in first.text
    assert "# comment" in first.text


def test_pages_are_named_and_their_lines_are_no_headings() -> None:
    text = f"## Page 1\n\n# no heading\n{SENTENCE}\n\n## Page 12\n\n{SENTENCE}\n"
    passages = document_passages(text, PDF)
    assert [each.heading for each in passages] == ["Page 1", "Page 12"]


@pytest.mark.parametrize("media_type", TYPES)
def test_time_grows_with_the_text_alone(media_type: str) -> None:
    lines = ["# 差旅\n", "| a | b |\n", "```\n", "x" * 500 + "\n", "\n", "def f(x):\n", SENTENCE + "\n", " \n" * 9]

    def work(times: int) -> None:
        texts = ["".join(lines) * times, *(line * (times * 900 // len(line)) for line in lines)]
        for text in texts:
            document_passages(text, media_type)

    few = least_seconds(partial(work, 15))
    assert takes_less(8 * 3 * max(few, 0.01) * FACTOR, partial(work, 120))
