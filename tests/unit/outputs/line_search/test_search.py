"""Search by pattern in contents of many scripts, however they are cut, against a plain search of each line."""

import re
from collections.abc import AsyncGenerator

import pytest
from camillo_server.kernel.errors import InvalidField
from camillo_server.lib.outputs.line_search import lines as sections
from camillo_server.lib.outputs.line_search import scan
from camillo_server.lib.outputs.line_search.query import Block, LineProgress, Match
from camillo_server.lib.outputs.line_search.search import FOUND_BYTES, PROGRESS_BYTES, search_lines
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.unit.outputs.line_search.contents import (
    answers,
    cut,
    found_in,
    plainly_found,
    positions,
    streamed,
    texts_found,
    wanted,
)

LETTERS = ["a", "b", "ab", "A", " ", "-", "_", "ä", "Ä", "中", "文", "🔥", "ש", "е\u0301", "\t"]
ENDS = ["\n", "\n", "\r\n", "\r", "\n\n"]
PIECES = st.sampled_from([each.encode() for each in LETTERS + ENDS])
BROKEN = st.sampled_from([b"\xff", b"\xc3", b"\xe4\xb8", b"\x80\x80", b"\x00", b"?"])
CONTENTS = st.lists(st.one_of(PIECES, PIECES, PIECES, BROKEN), max_size=60).map(b"".join)
PLACES = st.lists(st.integers(1, 120), max_size=12)
# Where RE2 and Python write the same.
EXPRESSIONS = [
    *("a", "ab|a", "a|ab", "a+", "a*", "^a", "a$", "^$", "^", "$", "[^a]", "[^a]+$", ".", ".*", "b.*"),
    *("a.?b", "^[^ ]* ", "[äÄ中]", "(?i)Ä", "(a)(b)?", "(?s)a.b", "a\nb", "a[\\s]b", "(?m)^b", "x*$"),
    *("\\\\", "[]a]", "[a\\]]+", "🔥|ש", "е\u0301?", "\\?|\ufffd", "..", "(?:ab)*$", "b{2}", "-?_", "\t"),
]
# Expressions for whole words: they match letters only, since of signs that touch not each is found, and never nothing.
WORDS = ["a", "ab|a", "a|ab", "a+", "[äÄ中]", "a.?b", "b{2}", "(a)(b)?", "ש|Ä"]
NUMBERS = st.tuples(st.integers(1, 12), st.integers(0, 4), st.integers(0, 4), st.integers(1, 9))


@given(CONTENTS, st.sampled_from(EXPRESSIONS), PLACES, NUMBERS, st.booleans(), st.booleans())
async def test_an_expression_finds_what_it_finds_in_each_line_alone(
    content: bytes,
    expression: str,
    places: list[int],
    numbers: tuple[int, int, int, int],
    ignores_case: bool,
    is_whole: bool,
) -> None:
    limit, before, after, start = numbers
    asked = wanted(
        expression,
        is_regex=True,
        ignore_case=ignores_case,
        whole_words=is_whole and expression in WORDS,
        limit=limit,
        before=before,
        after=after,
        start_line=start,
    )
    plain = rf"(?<!\w)(?:{expression})(?!\w)" if asked.pattern.whole_words else expression
    if "(?i)" in plain or "(?m)" in plain or "(?s)" in plain:
        flags = "".join(re.findall(r"\(\?([ims])\)", plain))
        plain = f"(?{flags})" + re.sub(r"\(\?[ims]\)", "", plain)
    assert await found_in(content, asked, places) == plainly_found(content, asked, plain)


@given(
    CONTENTS,
    st.lists(st.sampled_from([*LETTERS, "?", "\r", "."]), min_size=1, max_size=3).map("".join),
    PLACES,
    NUMBERS,
    st.booleans(),
)
async def test_a_text_finds_what_it_finds_in_each_line_alone(
    content: bytes, text: str, places: list[int], numbers: tuple[int, int, int, int], ignores_case: bool
) -> None:
    limit, before, after, start = numbers
    asked = wanted(text, ignore_case=ignores_case, limit=limit, before=before, after=after, start_line=start)
    assert await found_in(content, asked, places) == plainly_found(content, asked, re.escape(text))


@given(CONTENTS, st.sampled_from(["a", "[^ ]", "^", "$"]), PLACES, st.data())
async def test_searches_that_go_on_where_the_last_one_ended_find_the_same(
    content: bytes, expression: str, places: list[int], data: st.DataObject
) -> None:
    whole = wanted(expression, is_regex=True, before=2, after=2)
    together: list[Match] = []
    start, is_limited = 1, True
    while is_limited:
        limit = data.draw(st.integers(1, 3))
        asked = wanted(expression, is_regex=True, before=2, after=2, limit=limit, start_line=start)
        told = await answers(_blocks_from(content, places, start - 3), asked)
        together += [match for found in told for match in found.matches]
        assert told[-1].is_last
        start, is_limited = told[-1].next_line, told[-1].limit_reached
    assert together == await found_in(content, whole)
    assert start == 1 + len(re.findall(rb"[^\n]*\n|[^\n]+", content))


def _blocks_from(content: bytes, places: list[int], line: int) -> list[Block]:
    """The blocks from the last one that begins before the line on."""
    blocks = cut(content, places)
    needed = max((n for n, block in enumerate(blocks) if block.first_line < line), default=0)
    return blocks[needed:]


@given(CONTENTS, st.sampled_from(["a", "^", "b|$", "."]), PLACES)
async def test_every_answer_tells_where_a_search_goes_on(content: bytes, expression: str, places: list[int]) -> None:
    asked = wanted(expression, is_regex=True, after=1)
    told = await answers(cut(content, places), asked)
    for number, found in enumerate(told):
        left = [match for later in told[number + 1 :] for match in later.matches]
        rest = wanted(expression, is_regex=True, after=1, start_line=found.next_line)
        assert await found_in(content, rest) == left


LONG_PATTERNS = ["ab", "a{1,5}b", "^a", "b$", "[^a]b", "a$", "中", "[äÄ]a", r"\bb", "^.", "🔥.?"]


@given(
    st.lists(st.sampled_from([*LETTERS, "\r\n", "aaab", "-" * 30, "中" * 20]), max_size=80),
    st.sampled_from(LONG_PATTERNS),
    st.lists(st.integers(1, 900), max_size=40),
    st.booleans(),
)
async def test_a_line_that_is_too_long_to_hold_gives_what_it_gives_when_it_is_held(
    pieces: list[str], expression: str, places: list[int], is_whole: bool
) -> None:
    content = "".join(pieces).encode()
    asked = wanted(expression, is_regex=True, whole_words=is_whole, before=1, after=1, max_line_bytes=16)
    held = await found_in(content, asked)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sections, "MAX_HELD_LINE_BYTES", 64)
        patch.setattr(scan, "OVERLAP_BYTES", 64)
        assert await found_in(content, asked, places) == held


@pytest.mark.parametrize("step", [1 << 20, 100_003])
async def test_a_line_as_long_as_the_content_is_searched_to_its_end(step: int) -> None:
    content = b"first\n[" + b'{"k":"v"},' * 400_000 + '"nädel"]\nlast\n'.encode()
    places = range(step, len(content), step)
    [match] = await found_in(content, wanted("NÄDEL", ignore_case=True, before=1, after=1), places)
    line = match.line
    assert (line.number, line.offset, line.is_cut) == (2, 6, True)
    assert len(line.text.encode()) == 4_096
    assert [line.text[a:b] for a, b in match.spans] == ["nädel"]
    assert content[line.text_offset :].startswith(line.text.encode())
    assert ([each.text for each in match.before], [each.text for each in match.after]) == (["first"], ["last"])
    assert positions(await found_in(content, wanted("last"), places)) == [(3, content.index(b"last"), ((0, 4),))]


async def test_a_match_that_goes_on_to_the_end_of_a_very_long_line_is_found() -> None:
    content = b"x" * 3_000_000 + b"start" + b"y" * 3_000_000
    places = range(1 << 20, len(content), 1 << 20)
    [match] = await found_in(content, wanted("start.*", is_regex=True), places)
    assert match.line.text[match.spans[0][0] :].startswith("starty")
    assert not await found_in(content, wanted("starty*x", is_regex=True), places)


async def test_letters_of_any_script_are_found_whatever_their_case() -> None:
    content = "Großer ÄRGER\nпривет МИР\nعربي\n中文 日志\ncafe\u0301\nפעולה 🔥\n"
    assert await texts_found(content, "ärger", ignore_case=True) == ["Großer ÄRGER"]
    assert await texts_found(content, "мир", ignore_case=True) == ["привет МИР"]
    assert await texts_found(content, "мир") == []
    assert await texts_found(content, "文 日") == ["中文 日志"]
    assert await texts_found(content, "🔥$", is_regex=True) == ["פעולה 🔥"]
    assert await texts_found(content, "^.{4}$", is_regex=True) == ["عربي"]
    assert await texts_found(content, r"e\pM", is_regex=True) == ["cafe\u0301"]


async def test_a_whole_word_has_no_letter_of_any_script_beside_it() -> None:
    content = "ärger\närgern\nein ärger!\ncafe\ncafe\u0301\n中文\n中\nid id2 my_id id\n"
    assert await texts_found(content, "ärger", whole_words=True) == ["ärger", "ein ärger!"]
    assert await texts_found(content, "rger") == ["ärger", "ärgern", "ein ärger!"]
    assert await texts_found(content, "rger", whole_words=True) == []
    assert await texts_found(content, "cafe", whole_words=True) == ["cafe"]
    assert await texts_found(content, "中", whole_words=True) == ["中"]
    [match] = await found_in(content.encode(), wanted("id", whole_words=True))
    assert match.spans == ((0, 2), (13, 15))


async def test_bytes_that_are_no_text_stand_for_characters() -> None:
    content = b"error \xff\xfe code 7\r\nwhat\xff\nwhat?\n"
    assert len(await found_in(content, wanted("error .* code", is_regex=True))) == 1
    assert len(await found_in(content, wanted(r"error .{2} code \d$", is_regex=True))) == 1
    questions = await found_in(content, wanted(r"what\?", is_regex=True))
    assert [match.line.text for match in questions] == ["what?"]
    words = await found_in(content, wanted("what", whole_words=True))
    assert [match.line.text for match in words] == ["what\ufffd", "what?"]


async def test_the_carriage_return_before_a_newline_is_no_part_of_the_line() -> None:
    content = "a\r\n\r\nb\rc\r\nd\r"
    assert await texts_found(content, "^$", is_regex=True) == [""]
    assert await texts_found(content, "[ac]$", is_regex=True) == ["a", "b\rc"]
    assert await texts_found(content, r"\r", is_regex=True) == ["b\rc", "d\r"]
    assert await texts_found(content, "\r") == ["b\rc", "d\r"]
    assert await texts_found(content, "a", whole_words=True) == ["a"]


async def test_the_borders_of_the_text_are_those_of_the_line() -> None:
    content = "ab\nba\nA\n\\Ab\n"
    assert await texts_found(content, r"\Ab", is_regex=True) == ["ba"]
    assert await texts_found(content, r"a\z", is_regex=True) == ["ba"]
    assert await texts_found(content, r"\Q\A\Eb", is_regex=True) == ["\\Ab"]
    assert await texts_found(content, r"\\Ab", is_regex=True) == ["\\Ab"]


@each_case(
    ("text", "is_regex", "told"),
    [
        ("", True, "empty"),
        ("", False, "empty"),
        ("a(", True, r"missing \)"),
        ("a)(b", True, r"unexpected \)"),
        (r"(?=a)", True, r"\(\?="),
        (r"(a)\1", True, r"escape sequence"),
        ("a{2000}", True, "repetition"),
        (r"((\pL{1,30}){1,30}\pN{1,30}){1}" * 40, True, "too large"),
        ("(?-m)a", True, "flag m"),
        (r"a\C", True, "not supported"),
        ("a\nb", False, "newline"),
        ("a" * 4_097, False, "4096"),
        ("a\ud800", False, "Unicode"),
    ],
)
async def test_a_pattern_that_cannot_be_searched_is_refused_with_the_reason(
    text: str, is_regex: bool, told: str
) -> None:
    for is_whole in (False, True):
        with pytest.raises(InvalidField, match=told):
            await found_in(b"a", wanted(text, is_regex=is_regex, whole_words=is_whole))


async def test_reading_stops_with_the_block_that_reaches_the_limit() -> None:
    read: list[int] = []
    is_closed = False

    async def blocks() -> AsyncGenerator[Block]:
        nonlocal is_closed
        try:
            for block in cut(b"x\n" * 100, range(2, 200, 2)):
                read.append(block.first_line)
                yield block
        finally:
            is_closed = True

    told = [found async for found in search_lines(blocks(), wanted("x", limit=3, after=2))]
    assert read == [1, 2, 3, 4, 5]
    assert is_closed
    assert [match.line.number for found in told for match in found.matches] == [1, 2, 3]
    assert (told[-1].next_line, told[-1].limit_reached, told[-1].is_last) == (4, True, True)


async def test_the_first_match_comes_before_the_next_block_is_asked_for() -> None:
    asked_for: list[int] = []

    async def blocks() -> AsyncGenerator[Block]:
        for block in cut(b"x\na\nb\nx\nc\n", [4, 6]):
            asked_for.append(block.first_line)
            yield block

    search = search_lines(blocks(), wanted("x", after=2))
    first = await anext(search)
    assert [line.text for line in first.matches[0].after] == ["a", "b"]
    assert asked_for == [1, 3]
    last = [found async for found in search][-1]
    assert [line.text for line in last.matches[0].after] == ["c"]


async def test_an_answer_stays_small_when_every_line_matches_with_all_its_context() -> None:
    content = b"".join(b"%06d %s\n" % (n, b"x" * 90) for n in range(3_000))
    told = await answers(cut(content, [150_000]), wanted("x", before=50, after=50))
    assert sum(len(found.matches) for found in told) == 3_000
    assert len(told) > 100
    assert max(map(_text_bytes, told)) < FOUND_BYTES + 101 * 100
    middle = next(m for found in told for m in found.matches if m.line.number == 1_500)
    assert [line.number for line in (*middle.before, *middle.after)] == [*range(1_450, 1_500), *range(1_501, 1_551)]


def _text_bytes(found: LineProgress) -> int:
    lines = [line for match in found.matches for line in (match.line, *match.before, *match.after)]
    return sum(len(line.text) for line in lines)


async def test_a_search_without_matches_tells_how_far_it_is() -> None:
    block = b"nothing to see here\n" * 50_000
    content = block * 35
    told = await answers(cut(content, range(len(block), len(content), len(block))), wanted("x"))
    assert [found.matches for found in told] == [()] * 3
    assert PROGRESS_BYTES <= told[0].scanned_bytes < PROGRESS_BYTES + len(block)
    assert told[0].next_line == 1 + told[0].scanned_bytes // 20
    assert (told[-1].scanned_bytes, told[-1].next_line) == (len(content), 1 + len(content) // 20)


async def test_a_content_without_bytes_has_no_lines() -> None:
    for blocks in ([], [Block(0, 1, b"")]):
        [found] = await answers(blocks, wanted("^", is_regex=True))
        assert found == LineProgress((), 0, 1, is_last=True)
    [match] = await found_in(b"\n", wanted("^", is_regex=True))
    assert match.line.number == 1


async def test_a_first_line_whose_beginning_may_be_missing_is_no_context() -> None:
    content = b"one\ntwo\nthree\nfour\n"
    asked = wanted("three", before=2, start_line=3)
    blocks = cut(content, [5])
    [whole] = await found_in(content, asked)
    assert [line.text for line in whole.before] == ["one", "two"]
    search = search_lines(streamed(blocks[1:]), asked)
    later = [match async for found in search for match in found.matches]
    assert [(match.line, match.before) for match in later] == [(whole.line, ())]
