"""Cuts a text into the symbols that the grammar reads: words of time, numbers, dates in figures, and what separates
them."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from camillo_server.lib.text.time_expressions.spans import TimeSpan, day_of, month_of
from camillo_server.lib.text.time_expressions.vocabulary import (
    WORD,
    TimeWords,
    folded,
    without_prefix,
)

FIRST_YEAR, LAST_YEAR = 1000, 2999
MAX_NUMBER = 1_000
MAX_PHRASE_WORDS = 4
_CHINESE_FIGURES = {each: value for value, each in enumerate("〇一二三四五六七八九十")}
_CHINESE_FIGURES |= {"零": 0, "两": 2, "兩": 2}
_TOKEN = re.compile(
    r"(?P<iso>(?<!\d)\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?=T\d|\D|$))"
    r"|(?P<figures>(?<!\d)\d{1,2}(?P<by>[./])\d{1,2}(?P=by)\d{4}(?!\d))"
    r"|(?P<year_month>(?<!\d)\d{4}-\d{2}(?![\d-]))"
    r"|(?P<nth>\d{1,2}(?:st|nd|rd|th|er|º|ª|\.(?=\s)))"
    r"|(?P<quarter>\b[qQ][1-4]\b)"
    r"|(?P<number>\d+)"
    rf"|(?P<word>{WORD.pattern})"
    "|(?P<chinese>[\u3007\u4e00-\u9fff]+)"
    r"|(?P<mark>[^\s'’\"()\[\]«»“”])"
)
_MARKS = {",": ",", "،": ",", "、": ",", "-": "-", "–": "-", "—": "-", "~": "-"}


class Token(NamedTuple):
    """A symbol, or a span of time made of several; where it begins and ends in the text."""

    kind: str
    value: int | str | TimeSpan
    begin: int
    end: int


def tokens_of(text: str, known: TimeWords) -> list[Token]:
    """The tokens of a text. A word that says nothing about time becomes `.`."""
    found: list[Token] = []
    words: list[tuple[str, int, int]] = []
    for match in _TOKEN.finditer(text):
        group = match.lastgroup or ""
        if group == "word":
            words.append((folded(match[0]), *match.span()))
            continue
        if words and match[0] == "-" and known.longest.get(words[-1][0], 0) > 1:
            # The hyphen is within a phrase, as in "avant-hier".
            continue
        if words:
            found += _phrases(words, known)
            words = []
        found += _token(group, match, known)
    return [*found, *_phrases(words, known)]


def _phrases(words: Sequence[tuple[str, int, int]], known: TimeWords) -> Iterator[Token]:
    """The longest phrases that are known."""
    index = 0
    while index < len(words):
        word, begin, end = words[index]
        used, symbols = 1, known.phrases.get(word)
        for count in range(min(known.longest.get(word, 0), len(words) - index), 1, -1):
            phrase = " ".join(each for each, _, _ in words[index : index + count])
            if phrase in known.phrases:
                used, symbols = count, known.phrases[phrase]
                end = words[index + count - 1][2]
                break
        if symbols is None:
            symbols = without_prefix(word, known.phrases)
        yield from (Token(kind, value, begin, end) for kind, value in symbols)
        index += used


def _token(group: str, match: re.Match[str], known: TimeWords) -> Iterator[Token]:
    text, (begin, end) = match[0], match.span()
    if group == "chinese":
        yield from _chinese(text, begin, known)
    elif group == "number":
        yield _number(text, begin, end)
    elif group == "nth":
        yield Token("O", int(re.sub(r"\D", "", text)), begin, end)
    elif group == "quarter":
        yield from (Token("O", int(text[1]), begin, end), Token("U", "quarter", begin, end))
    elif group == "mark":
        yield Token(_MARKS.get(text, "."), 0, begin, end)
    else:
        span = _date_in_figures(text)
        yield Token(".", 0, begin, end) if span is None else Token("Z", span, begin, end)


def _number(text: str, begin: int, end: int) -> Token:
    value = int(text) if len(text) <= 4 else MAX_NUMBER
    if len(text) == 4 and FIRST_YEAR <= value <= LAST_YEAR:
        return Token("y", value, begin, end)
    return Token("N" if value < MAX_NUMBER else ".", value, begin, end)


def _date_in_figures(text: str) -> TimeSpan | None:
    """The date; of two figures that may both be months, the first is the day, as in most countries."""
    first, second, *rest = map(int, re.split(r"[-/.]", text))
    try:
        if not rest:
            return month_of(first, second)
        if first > 31:
            return day_of(first, second, rest[0])
        day, month = (second, first) if second > 12 else (first, second)
        return day_of(rest[0], month, day)
    except (ValueError, OverflowError):
        return None


def _chinese(text: str, offset: int, known: TimeWords) -> Iterator[Token]:
    """A run without spaces: the longest words that are known, and numbers."""
    index = 0
    while index < len(text):
        begin = offset + index
        for count in range(min(MAX_PHRASE_WORDS, len(text) - index), 0, -1):
            word = text[index : index + count]
            if symbols := known.chinese.get(word):
                yield from (Token(kind, value, begin, begin + count) for kind, value in symbols)
                break
            if (number := _chinese_number(word)) is not None:
                yield Token("N", number, begin, begin + count)
                break
        else:
            count = 1
            yield Token(".", 0, begin, begin + 1)
        index += count


def _chinese_number(text: str) -> int | None:
    """The number that Chinese characters write, up to 99; None if they write none."""
    tens, ten, ones = text.rpartition("十")
    if not all(each in _CHINESE_FIGURES for each in text) or len(tens) > 1 or len(ones) > 1:
        return None
    if not ten:
        return _CHINESE_FIGURES[ones]
    return 10 * (_CHINESE_FIGURES[tens] if tens else 1) + (_CHINESE_FIGURES[ones] if ones else 0)
