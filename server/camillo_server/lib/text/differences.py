"""Finds how texts that say nearly the same differ: a number, a date, a negation or a name. By rules, for any script."""

import enum
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import NamedTuple

from camillo_server.lib.text.difference_words import (
    AFFIRMING,
    DATE_WORDS,
    NEGATION_PARTS,
    NEGATION_SIGNS,
    NEGATIONS,
    NUMERALS,
)

# Longer texts say too much for one difference to tell.
MAX_TOKENS = 120
# The least share of words in common apart from the difference, and their least number.
MIN_SIMILARITY, MIN_SIMILARITY_IN_SESSION = 0.6, 0.5
MIN_COMMON = 2
# The most signs of a name in a script without spaces, and its most words in a script without capital letters.
MAX_NAME_SIGNS, MAX_NAME_WORDS = 6, 2
# Combining marks, which are no letters: of Latin and Cyrillic, Hebrew, Arabic, Devanagari.
_MARKS = "\u0300-\u036f\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963"
_TOKEN = re.compile(
    r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}:\d{2}|\d[\d.,\u066b\u066c]*\d|\d"
    rf"|[{NUMERALS}]+"
    # A sign of Chinese, or of kana and Thai, which put no spaces between words.
    r"|[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0e7f\U00020000-\U0003ffff]"
    rf"|[^\W\d_]+(?:[{_MARKS}'’\-]*[^\W\d_]+)*[{_MARKS}]*"
)
# The time in brackets at the beginning of a transcript's line.
_STAMP = re.compile(r"^\s*\[[^\]\n]{0,40}\]\s*")
_SENTENCE_END = ".!?。！？:\n"
_YEAR = re.compile(r"(?:19|20)\d\d")
_GROUPED = re.compile(r"\d{1,3}(?:[.,]\d{3})+")


class Difference(enum.IntEnum):
    """The kind of a difference between two texts. The numbers are those of the contract."""

    NUMBER = 1
    DATE = 2
    NEGATION = 3
    NAME = 4


class WordKind(enum.Enum):
    """Kind of a token."""

    WORD = 0
    NUMBER = 1
    DATE = 2
    NEGATION = 3
    NAME = 4


class ComparedWord(NamedTuple):
    """A word or a figure, in the form in which it is compared."""

    text: str
    kind: WordKind
    # Whether its capital letter tells nothing: at the beginning of a sentence, every word has one.
    is_first: bool = False


@dataclass(frozen=True, slots=True)
class Comparison:
    """The differences of two texts, and the share of the other words that they have in common: 0 to 1."""

    differences: tuple[Difference, ...]
    similarity: float


def compare(one: str, other: str, *, is_one_session: bool = False) -> Comparison | None:
    """Compares two texts; None if they say the same, or are about different things."""
    mine, theirs = tokens(one), tokens(other)
    if max(len(mine), len(theirs)) > MAX_TOKENS or _have_other_subjects(mine, theirs):
        return None
    differences = list(_differences(mine, theirs))
    similarity, common = _similarity(mine, theirs, excused=Difference.NAME in differences)
    least = MIN_SIMILARITY_IN_SESSION if is_one_session else MIN_SIMILARITY
    if not differences or similarity < least or common < MIN_COMMON:
        return None
    return Comparison(tuple(sorted(set(differences))), similarity)


def tokens(text: str, most: int = MAX_TOKENS) -> list[ComparedWord]:
    """The words and figures of a text; of a longer text one more than `most`."""
    text = unicodedata.normalize("NFKC", _STAMP.sub("", text))
    found, is_first = list[ComparedWord](), True
    for match in _TOKEN.finditer(text):
        before = text[: match.start()].rstrip()
        is_first = not before or before[-1] in _SENTENCE_END
        found.append(_token(match[0], text, match.start(), is_first))
        if len(found) > most:
            break
    return found


def _token(word: str, text: str, at: int, is_first: bool) -> ComparedWord:
    if word[0].isdigit():
        return _number(word, text[at + len(word) :])
    if word[0] in NUMERALS:
        return ComparedWord(word, WordKind.NUMBER)
    lower = word.casefold()
    if lower in NEGATIONS or any(part in lower for part in NEGATION_PARTS):
        return ComparedWord(lower, WordKind.NEGATION)
    if word in NEGATION_SIGNS and not _is_affirming(text, at):
        return ComparedWord(word, WordKind.NEGATION)
    if word[0].isupper() and lower not in DATE_WORDS:
        return ComparedWord(lower, WordKind.WORD if is_first else WordKind.NAME, is_first)
    # "may" and "mars" are months with a capital letter alone.
    if lower in DATE_WORDS and (word[0].isupper() or not _has_case(word) or len(word) > 4):
        return ComparedWord(lower, WordKind.DATE)
    return ComparedWord(lower, WordKind.WORD)


def _has_case(word: str) -> bool:
    return word.lower() != word.upper()


def _number(word: str, behind: str) -> ComparedWord:
    digits = "".join(str(unicodedata.digit(sign)) if sign.isdigit() else sign for sign in word).translate(
        str.maketrans("\u066b\u066c", ".,")
    )
    is_date = bool(re.search(r"[-/:]|\..*\.", digits)) or bool(_YEAR.fullmatch(digits))
    if is_date or behind[:1] in tuple("年月日号號時时点點"):
        return ComparedWord(digits, WordKind.DATE)
    if _GROUPED.fullmatch(digits):
        digits = re.sub("[.,]", "", digits)
    return ComparedWord(digits.lstrip("0") or "0", WordKind.NUMBER)


def _is_affirming(text: str, at: int) -> bool:
    """Whether the sign is a part of a word that denies nothing."""
    return any(word in text[max(0, at - 1) : at + 2] for word in AFFIRMING)


def _have_other_subjects(mine: Sequence[ComparedWord], theirs: Sequence[ComparedWord]) -> bool:
    """Whether both begin with something else that the other does not name: what they say may both be true."""
    first, second = _subject(mine), _subject(theirs)
    if first is None or second is None or first.text == second.text:
        return False
    my_words, their_words = ({token.text for token in each} for each in (mine, theirs))
    return first.text not in their_words and second.text not in my_words


def _subject(tokens: Sequence[ComparedWord]) -> ComparedWord | None:
    words = [token for token in tokens if token.kind in (WordKind.WORD, WordKind.NAME)]
    return words[0] if words else None


def _differences(mine: Sequence[ComparedWord], theirs: Sequence[ComparedWord]) -> Iterator[Difference]:
    for kind, difference in (
        (WordKind.NUMBER, Difference.NUMBER),
        (WordKind.DATE, Difference.DATE),
    ):
        if _replaced(mine, theirs, kind):
            yield difference
    counts = [sum(token.kind is WordKind.NEGATION for token in each) for each in (mine, theirs)]
    if min(counts) == 0 < max(counts):
        yield Difference.NEGATION
    if _replaced(mine, theirs, WordKind.NAME) or _has_other_span(mine, theirs):
        yield Difference.NAME


def _replaced(mine: Sequence[ComparedWord], theirs: Sequence[ComparedWord], kind: WordKind) -> bool:
    """Whether each has one of this kind that the other does not have in any form."""
    my_words, their_words = ({token.text for token in each} for each in (mine, theirs))
    return any(token.kind is kind and token.text not in their_words for token in mine) and any(
        token.kind is kind and token.text not in my_words for token in theirs
    )


def _has_other_span(mine: Sequence[ComparedWord], theirs: Sequence[ComparedWord]) -> bool:
    """Whether a few words of a script without capital letters, within the same words, stand in the place of others."""
    for _, begin, end, from_, until in _replaced_spans(mine, theirs):
        spans = mine[begin:end], theirs[from_:until]
        if begin and from_ and all(map(_may_be_name, spans)):
            return True
    return False


def _replaced_spans(
    mine: Sequence[ComparedWord], theirs: Sequence[ComparedWord]
) -> list[tuple[str, int, int, int, int]]:
    my_words, their_words = ([token.text for token in each] for each in (mine, theirs))
    codes = SequenceMatcher(None, my_words, their_words, autojunk=False).get_opcodes()
    return [code for code in codes if code[0] == "replace"]


def _may_be_name(span: Sequence[ComparedWord]) -> bool:
    if any(token.kind is not WordKind.WORD or _has_case(token.text) for token in span):
        return False
    is_signs = all(len(token.text) == 1 for token in span)
    return len(span) <= (MAX_NAME_SIGNS if is_signs else MAX_NAME_WORDS)


def _similarity(mine: Sequence[ComparedWord], theirs: Sequence[ComparedWord], *, excused: bool) -> tuple[float, int]:
    """The share of words that both have, and their number; beside a name in the place of another, where that is
    `excused`."""
    my_words, their_words = (
        Counter(token.text for token in each if token.kind in (WordKind.WORD, WordKind.NAME)) for each in (mine, theirs)
    )
    common = (my_words & their_words).total()
    alone = min(my_words.total(), their_words.total()) - common
    total = my_words.total() + their_words.total()
    if excused:
        total -= 2 * min(alone, MAX_NAME_WORDS)
    return (2 * common / total if total else 0.0), common
