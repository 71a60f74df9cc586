"""Search by words: which passages come first, and that it does not depend on how the content is cut."""

from collections.abc import Sequence

import pytest
from camillo_server.kernel.errors import InvalidField
from camillo_server.lib.outputs.line_search import lines as sections
from camillo_server.lib.outputs.line_search import windows
from camillo_server.lib.outputs.line_search.query import MAX_PASSAGE_BYTES, RankedPassage, RankedProgress, RankedQuery
from camillo_server.lib.outputs.line_search.query_terms import QueryTerms
from camillo_server.lib.outputs.line_search.search import rank_passages
from camillo_server.lib.text.index_terms import written_terms
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import each_case
from tests.unit.outputs.line_search.contents import cut, streamed

FILLER = "the worker served a request and went on\n"


async def told(
    content: bytes, query: str, places: Sequence[int] = (), limit: int = 5, lines: int = 20
) -> list[RankedProgress]:
    async def read(offset: int, length: int) -> bytes:
        assert 0 < length <= 32 << 10
        assert offset + length <= len(content)
        return content[offset : offset + length]

    blocks = streamed(cut(content, places))
    asked = RankedQuery(query, limit, lines)
    return [progress async for progress in rank_passages(blocks, asked, read)]


async def ranked(
    content: bytes, query: str, places: Sequence[int] = (), limit: int = 5, lines: int = 20
) -> Sequence[RankedPassage]:
    return (await told(content, query, places, limit, lines))[-1].passages


async def test_the_passage_with_the_rarer_words_comes_first() -> None:
    rows = [FILLER] * 1_000
    rows[123] = "the certificate of the gateway has expired\n"
    rows[700] = "a certificate was read\n"
    rows[701] = "another certificate was read\n"
    content = "".join(rows).encode()
    first, second = await ranked(content, "Which certificates did expire?")
    assert first.first_line <= 124 <= first.last_line
    assert second.first_line <= 701 <= second.last_line
    assert first.score > second.score > 0
    for each in (first, second):
        assert "certificate" in each.text
        assert content[each.offset :].startswith(each.text.encode())
        assert each.first_line == 1 + content.count(b"\n", 0, each.offset)
        assert each.last_line == each.first_line + each.text.count("\n")


async def test_windows_that_overlap_are_one_passage() -> None:
    rows = [FILLER] * 400
    rows[99] = rows[100] = "deadlock detected\n"
    rows[300] = "deadlock\n"
    found = await ranked("".join(rows).encode(), "deadlock")
    assert len(found) == 2
    assert found[0].first_line <= 100 < 101 <= found[0].last_line


@settings(max_examples=60)
@given(
    st.lists(
        st.sampled_from([FILLER, "disk full\n", "disk\n", "full of 中文 日志\n", "\r\n", "x" * 300 + " "]), max_size=200
    ),
    st.lists(st.integers(1, 9_000), max_size=8),
    st.integers(1, 9),
)
async def test_where_the_content_is_cut_changes_nothing(pieces: list[str], places: list[int], lines: int) -> None:
    content = "".join(pieces).encode()
    whole = await ranked(content, "disk full 日志", lines=lines)
    assert await ranked(content, "disk full 日志", places, lines=lines) == whole
    assert bool(whole) == any(word in content.decode() for word in ("disk", "full"))
    assert all(each.score > 0 for each in whole)


@each_case(
    ("query", "text"),
    [
        ("connections", "Connection refused"),
        ("carry", "it carries on"),
        ("making", "it makes no sense"),
        ("made", "it made no sense"),
        ("user store", "app/userStore.py:12"),
        ("app/userStore.py", "in app/userStore.py"),
        ("max run", "the max_run_seconds"),
        ("müller", "Frau MÜLLER kam"),
        ("muller", "Frau Mu\u0308ller kam"),
        ("strasse", "die Straße"),
        ("错误日志", "这里有错误日志"),
        ("错", "这里有错误日志"),
        ("🔥", "all is 🔥 here"),
        ("привет", "ПРИВЕТ, мир"),
        ("سلام", "قال سَلَام"),
        ("שלום", "שָׁלוֹם"),
        ("E1042", "code=E1042;"),
        ("py", "setup.py"),
        ("who is it", "who is it"),
        ("ＡＢＣ", "the abc"),
    ],
)
async def test_a_word_is_found_in_the_forms_that_have_its_term(query: str, text: str) -> None:
    content = FILLER.encode() * 50 + text.encode() + b"\n" + b"etc.\n" * 50
    found = await ranked(content, query, limit=50)
    assert any(text in passage.text for passage in found)
    assert text in found[0].text


async def test_lines_without_an_end_are_cut_alike_wherever_the_content_is_cut() -> None:
    content = b"".join(b"%05d " % number for number in range(20_000)) + b"\n"
    whole = await ranked(content, "00007 05003 19997")
    assert len(whole) == 3
    for places in ([8_192], [5, 8_191, 40_000], range(0, 120_000, 8_192), range(0, 120_000, 6_000)):
        assert await ranked(content, "00007 05003 19997", places) == whole
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sections, "MAX_HELD_LINE_BYTES", 1)
            assert await ranked(content, "00007 05003 19997", places) == whole


async def test_a_word_that_only_begins_alike_is_not_found() -> None:
    content = b"the category of catalogs\na cat sat\n"
    terms = QueryTerms("cats")
    assert [place for place, _ in terms.hits(content)] == [content.index(b"cat sat")]


WORDS = ["run", "running", "userStore", "a/b.py", "日志", "错误", "über", "k8s", "-", ":", "🔥", "the"]


@given(st.lists(st.sampled_from([*WORDS, " ", " ", "\n", ", "]), max_size=30), st.data())
async def test_every_term_counts_as_often_as_it_is_one_of_the_content(pieces: list[str], data: st.DataObject) -> None:
    content = "".join(pieces)
    # A lone short word or character also stands within words that are not looked at.
    query = data.draw(st.sampled_from(["running", "userStore", "日志 错误", "über", "🔥 run"]))
    terms = QueryTerms(query)
    counted = dict.fromkeys(range(len(terms.terms)), 0)
    for _, counts in terms.hits(content.encode()):
        for which, count in counts:
            counted[which] += count
    # Stems of another language depend on the text around a word, and a block of lines is not all of it.
    of_content = written_terms(content)
    for number, term in enumerate(terms.terms):
        if len(term) > 1 or not term.isalpha():
            assert counted[number] == of_content.count(term)


async def test_one_endless_line_has_passages_too() -> None:
    records = [b'{"level":"info","text":"nothing"},'] * 60_000
    records[45_000] = '{"level":"error","text":"полный отказ диска"},'.encode()
    content = b"[" + b"".join(records) + b"]"
    found = await ranked(content, "отказ диска", range(1 << 20, len(content), 1 << 20))
    assert len(found) == 1
    assert "полный отказ диска" in found[0].text
    assert (found[0].first_line, found[0].last_line) == (1, 1)
    assert len(found[0].text.encode()) <= MAX_PASSAGE_BYTES
    assert content[found[0].offset :].startswith(found[0].text.encode())


async def test_the_part_of_a_long_window_that_holds_the_words_is_shown() -> None:
    rows = [f"{number:03d} {'x ' * 250}\n" for number in range(200)]
    rows[117] = "117 " + "y " * 200 + "timeout reached\n"
    content = "".join(rows).encode()
    [found] = await ranked(content, "timeout")
    assert "timeout reached" in found.text
    assert len(found.text) <= MAX_PASSAGE_BYTES
    assert found.first_line == 1 + int(found.text[:3])
    assert content[found.offset :].startswith(found.text.encode())


async def test_when_too_many_windows_match_the_best_are_remembered() -> None:
    rows = ["disk\n"] * 900
    rows[5] = rows[850] = "disk failure\n"
    content = "".join(rows).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(windows, "MAX_HALVES", 40)
        found = await ranked(content, "disk failure", limit=50, lines=4)
    assert len(found) < 50
    assert all("failure" in passage.text for passage in found[:2])
    assert "failure" not in found[2].text


async def test_progress_is_told_before_the_passages() -> None:
    block = b"nothing to see here\n" * 50_000
    content = block * 17 + b"something\n"
    places = range(len(block), len(content), len(block))
    *before, last = await told(content, "something", places)
    assert [progress.passages for progress in before] == [()]
    assert 16 << 20 <= before[0].scanned_bytes < last.scanned_bytes == len(content)
    assert [passage.text.splitlines()[-1] for passage in last.passages] == ["something"]


async def test_what_has_no_words_is_refused_or_empty() -> None:
    with pytest.raises(InvalidField, match="no word"):
        await told(b"a\n", " ?!")
    assert await told(b"", "a") == [RankedProgress(0)]
    assert await told(b"b\n", "a") == [RankedProgress(2)]
    assert (await told(b"a\n", "a"))[-1].passages
