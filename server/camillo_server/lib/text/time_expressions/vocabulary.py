"""The words of time of eight languages, from `words/*.toml`, as symbols that the grammar reads.

A symbol is one character, a value what it says: `M` is a month, 3 which one. Words are compared without case, accents,
vowel marks and the article of Arabic."""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import re2

WORDS = Path(__file__).parent / "words"
Value = int | str
# The symbol of each section of a file; `word` has a symbol for each of its entries.
SECTIONS: Mapping[str, str] = {
    "month": "M",
    "weekday": "W",
    "unit": "U",
    "day": "D",
    "season": "S",
    # A form that says "in the summer" by itself.
    "in_season": "V",
    # "hier" is "here" in German.
    "french_day": "h",
    "number": "N",
    "ordinal": "O",
    "year": "j",
    "month_from_now": "R",
}
SYMBOLS: Mapping[str, str] = {
    "last": "L",
    "next": "X",
    "this": "T",
    # A weekday after these is one of that week.
    "last_or_of_last_week": "L",
    "next_or_of_next_week": "X",
    "this_or_of_this_week": "T",
    "ago": "A",
    "from_now": "a",
    "within": "I",
    "before": "B",
    "after": "F",
    "since": "s",
    "until": "u",
    "between": "w",
    "and": "&",
    "from": "f",
    "to": "t",
    "during": "p",
    "of": "_",
    "begin": "E",
    "middle": "K",
    "end": "G",
    "half": "H",
    "every": "v",
    # Words that stand behind the phrase that they belong to.
    "ago_or_before": "b",
    "later_or_after": "a",
    "since_that": "r",
    "until_that": "n",
    "in_that": "P",
    "between_that": "P",
    # Words that mean "ago" before a number, and something else before a date.
    "ago_before_it": "B",
    "ago_since_it": "s",
    "month_number": "c",
    "day_number": "g",
    # Phrases that contain a word of time and name no time.
    "other": ".",
}
# Words of these sections say that a text may name a time.
TELLING = frozenset(
    {
        "month",
        "weekday",
        "unit",
        "day",
        "french_day",
        "season",
        "in_season",
        "year",
        "month_from_now",
        "two",
    }
)
_MARKS = re.compile("[\u0300-\u036f\u0640\u064b-\u065f\u0670\u093c]")
_ARTICLES = ("وال", "بال", "ال")
_ARABIC_AND = "و"
_CJK = re.compile("[\u3007\u4e00-\u9fff]+")


class Symbol(NamedTuple):
    """The meaning of a word."""

    kind: str
    value: Value = 0


Symbols = tuple[Symbol, ...]
NO_TIME: Symbols = (Symbol("."),)


class TimeWords(NamedTuple):
    """Words by how they are compared, those of a phrase with a space between, and Chinese ones; the number of words of
    the longest phrase that begins with a word, and a pattern that finds a word which may name a time."""

    phrases: Mapping[str, Symbols]
    longest: Mapping[str, int]
    chinese: Mapping[str, Symbols]
    hint: Any


def folded(word: str) -> str:
    """The word as words are compared."""
    if word.isascii():
        return word.lower()
    return _MARKS.sub("", unicodedata.normalize("NFKD", word.casefold()))


def without_prefix(word: str, known: Mapping[str, Symbols]) -> Symbols:
    """The meaning of an Arabic word that is not known as it is, by the word behind its article or "and"."""
    if word.startswith(_ARABIC_AND) and (symbols := known.get(word[1:])):
        return (Symbol("&"), *symbols)
    bare = next((word[len(each) :] for each in _ARTICLES if word.startswith(each)), "")
    return known.get(bare, NO_TIME)


@cache
def vocabulary() -> TimeWords:
    """All languages in one: of words that two of them share, the first language is read."""
    phrases: dict[str, Symbols] = {}
    chinese: dict[str, Symbols] = {}
    hints: set[str] = set()
    for path in sorted(WORDS.glob("*.toml")):
        for section, phrase, symbols in _entries(tomllib.loads(path.read_text("utf-8"))):
            is_chinese = _CJK.fullmatch(phrase) is not None
            known = chinese if is_chinese else phrases
            known.setdefault(phrase if is_chinese else _folded_phrase(phrase), symbols)
            if section in TELLING:
                hints |= {phrase, unicodedata.normalize("NFD", phrase)}
    longest: dict[str, int] = {}
    for phrase in phrases:
        words = phrase.split()
        longest[words[0]] = max(longest.get(words[0], 0), len(words))
    return TimeWords(phrases, longest, chinese, _hint(hints))


def _folded_phrase(phrase: str) -> str:
    return " ".join(folded(word) for word in WORD.findall(phrase))


# A word with its marks, which are no letters; of Chinese each run.
WORD = re.compile(
    "(?:[^\\W\\d_\u3007\u4e00-\u9fff][\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f\u0962\u0963]*)+"
)


def _entries(file: Mapping[str, Any]) -> Iterator[tuple[str, str, Symbols]]:
    """Each phrase of a file with its section and what it says."""
    for section, entries in file.items():
        if section == "event":
            # anchors.py reads these words.
            continue
        for key, phrases in entries.items():
            for phrase in phrases.split(", "):
                yield section, phrase, _symbols(section, key)


def _symbols(section: str, key: str) -> Symbols:
    if section == "word":
        return (Symbol(SYMBOLS[key], key),)
    if section == "two":
        return (Symbol("N", 2), Symbol("U", key))
    value: Value = int(key) if key.lstrip("-").isdigit() else key
    return (Symbol(SECTIONS[section], value),)


def _hint(words: Iterable[str]) -> Any:
    by_length = sorted(words, key=lambda word: (-len(word), word))
    plain = [re.escape(word) for word in by_length if word.isascii()]
    other = [re.escape(word) for word in by_length if not word.isascii()]
    # RE2 reads a hundred alternatives as fast as one; `re` takes fifty times as long.
    return re2.compile(rf"\d{{4}}|\d[./-]\d|[\d一二三四五六七八九十]月|\b(?:{'|'.join(plain)})\b|{'|'.join(other)}")
