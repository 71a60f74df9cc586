"""What a piece of text costs in tokens, beyond the one that every piece costs.

A byte-pair vocabulary of some 100,000 entries holds the common words of English, and of program text, whole; other
words fall apart, the more so the longer they are and the less their letters follow each other as in English. Of other
scripts it holds the characters of the widely written ones and short runs of them, else single bytes. The constants are
means over English prose, program text, manual pages, JSON and, for scripts, translations of one text.
"""

import re
from bisect import bisect_right
from itertools import pairwise
from typing import NamedTuple


class PieceCost(NamedTuple):
    """All in tokens: expected beyond the first; the variance of that; expected further if the text is neither English
    nor program text; and whether the piece is a word at all, and one that shows English."""

    extra: float
    variance: float
    foreign: float = 0.0
    is_word: bool = False
    is_english: bool = False


# Words that are frequent in English and in English-based program text, and in no other language of the Latin script.
_ENGLISH_WORDS = """
the and that with for this you from not have are your was which they can if it of by when then there what how been
were would should could about into only other some such than their them these use using used return get set string
true false file line name value type new else but we my our will be is to or has had at help make know work want need
time way first also more like just being where while who any each most its out up do does done did one two because
between through before after both here sure let
"""
_ENGLISH = frozenset(_ENGLISH_WORDS.split())

# For each letter those that often follow it in English words.
_FOLLOWERS = (
    "a:bcdgilmnprstuvy b:aeiloru c:acehiklortu d:aeiosu e:acdefglmnprstvx f:aefiloru g:aehinoru h:aeiot "
    "i:abcdefglmnoprstvz k:eis l:adeilostuy m:aeimops n:acdefginostuv o:abcdgiklmnoprstuvw p:aeiloprstu "
    "q:u r:adegiklmnorstuy s:acehiopstu t:aehilorstuy u:abcegilmnprst v:aei w:aehio x:pt y:p z:e"
)
_USUAL = frozenset(
    entry[0] + follower for entry in _FOLLOWERS.split() for follower in entry.partition(":")[2]
)


class _WordRates(NamedTuple):
    """For a word after a space, a mark or nothing: always, for each letter beyond the fourth, for each of the first
    two unusual pairs of letters, for a capital, and for each letter after the first in a word of capitals."""

    always: float
    letter: float
    unusual: float
    capital: float
    shouted: float


# Most entries begin with a space, few with a mark.
_AFTER_SPACE = _WordRates(0.0, 0.025, 0.06, 0.07, 0.05)
_BARE = _WordRates(0.0, 0.07, 0.15, 0.05, 0.12)
_AFTER_MARK = _WordRates(0.11, 0.11, 0.18, 0.5, 0.07)
# Letters in no order at all, as in keys: every further unusual pair; every letter where capitals are scattered.
_FURTHER_UNUSUAL = 0.65
_SCATTERED_LETTER = 0.71
# Words of other languages: every letter beyond the third.
_FOREIGN_LETTER = 0.3

# A run of marks, for the first change of mark and each further one; of white space, for two changes.
_FIRST_CHANGE = 0.08
_NEXT_CHANGE = 0.5

# In words with letters beyond ASCII, which few entries hold: each letter of ASCII.
_LETTER_BESIDE = 0.27
_SPACE_BEFORE = 0.2
_BEYOND_LATIN = "\u0250"
# In most scripts from here on no entry begins with a space.
_WIDE = "\u2000"
_SPACE_BEFORE_WIDE = 0.65
# A mark that repeats the one before it, as lines are drawn.
_REPEATED_MARK = 0.2
# The variance of what characters of one script cost, over that cost.
_SCRIPT_DISPERSION = 0.2

# What a character costs, by the code point where its block begins: little in scripts of which there is much text, else
# about the number of its bytes in UTF-8.
_RATES = (
    (0x0080, 1.0),  # Latin with diacritics
    (0x0250, 1.5),  # phonetic letters, combining marks
    (0x0370, 1.0),  # Greek
    (0x0400, 0.58),  # Cyrillic
    (0x0530, 2.15),  # Armenian
    (0x0590, 1.2),  # Hebrew
    (0x0600, 0.88),  # Arabic
    (0x0700, 2.2),  # Syriac, Thaana, N'Ko
    (0x0900, 1.18),  # Devanagari
    (0x0980, 1.5),  # Bengali
    (0x0A00, 2.1),  # Gurmukhi, Gujarati, Oriya
    (0x0B80, 1.55),  # Tamil
    (0x0C00, 2.1),  # Telugu, Kannada, Malayalam, Sinhala
    (0x0E00, 1.06),  # Thai
    (0x0E80, 2.15),  # Lao, Tibetan, Myanmar, Georgian
    (0x1100, 3.0),  # Jamo, Ethiopic, Canadian syllabics and more
    (0x1780, 1.9),  # Khmer
    (0x1800, 3.0),
    (0x1E00, 1.1),  # Latin of Vietnamese
    (0x1F00, 2.2),  # Greek with breathings
    (0x2000, 1.05),  # typographic marks
    (0x2070, 1.8),  # arrows, mathematics
    (0x2500, 1.0),  # lines and boxes
    (0x25A0, 2.0),  # symbols
    (0x2C00, 3.0),
    (0x3000, 1.0),  # marks of Chinese and Japanese, kana
    (0x3100, 3.0),
    (0x4E00, 1.11),  # Han
    (0xA000, 3.0),
    (0xAC00, 1.25),  # Hangul
    (0xD7B0, 3.0),
    (0xFE00, 1.5),  # variation selectors
    (0xFE10, 2.5),
    (0xFF00, 1.1),  # full width
    (0xFFA0, 2.5),
    (0xFFFD, 1.2),  # the mark of what could not be decoded
    (0xFFFE, 4.0),
    (0x1F100, 2.8),  # emoji
    (0x1FB00, 4.0),
)
_BLOCKS = tuple(start for start, _ in _RATES)

_HUMP = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_RUN = re.compile(r"[\x00-\x7f]+|[^\x00-\x7f]+")


def piece_cost(piece: str) -> PieceCost:
    """The cost of a piece as `tokens` cuts them."""
    if not piece.isascii():
        return _beyond_ascii(piece)
    if piece[-1].isalpha():
        return _word(piece)
    if piece.isdigit():
        return PieceCost(0.0, 0.0)
    extra = _NEXT_CHANGE * (_changes(piece) // 2) if piece.isspace() else _marks(piece)
    return PieceCost(extra, extra)


def _marks(piece: str) -> float:
    marks = piece.strip()
    changes = _changes(marks)
    extra = _FIRST_CHANGE + (changes - 1) * _NEXT_CHANGE if changes else 0.0
    # A run of one mark is an entry in many lengths, but not with the end of a line.
    return extra + (len(marks) > 4 and piece[-1] in "\r\n")


def _word(piece: str) -> PieceCost:
    mark = "" if piece[0].isalpha() else piece[0]
    word = piece[1:] if mark else piece
    rates = _AFTER_SPACE if mark == " " else _AFTER_MARK if mark else _BARE
    humps: list[str] = _HUMP.findall(word)
    if len(humps) > 2 and len(humps) * 3 > len(word):
        extra = max(len(humps) / 2, _SCATTERED_LETTER * len(word)) - (not mark)
    else:
        extra = _hump(humps[0], rates) + sum(1 + _hump(hump, _BARE) for hump in humps[1:])
    if mark != " " or not word[1:].islower():
        return PieceCost(extra, extra)
    if word in _ENGLISH:
        return PieceCost(0.0, 0.0, is_word=True, is_english=True)
    foreign = max(0.0, (len(word) - 3) * _FOREIGN_LETTER - extra)
    return PieceCost(extra, extra, foreign, is_word=True)


def _hump(hump: str, rates: _WordRates) -> float:
    """For a part of a word that is written in one case, or with a capital."""
    letters, lower = len(hump), hump.lower()
    unusual = sum(first + second not in _USUAL for first, second in pairwise(lower))
    extra = rates.always + max(0, letters - 4) * rates.letter + min(unusual, 2) * rates.unusual
    extra += max(0, unusual - 2) * _FURTHER_UNUSUAL
    if letters > 1 and hump.isupper():
        extra += rates.capital / 2 + rates.shouted * (letters - 1)
    elif letters > 1 and hump != lower:
        extra += rates.capital
    return min(extra, letters)


def _beyond_ascii(piece: str) -> PieceCost:
    cost = 0.0
    for run in _RUN.findall(piece):
        cost += _ascii_beside(run, piece) if run.isascii() else _characters(run)
    extra = max(0.0, cost - 1)
    is_word = piece[0] == " " and piece[-1].isalpha() and piece[-1] < _BEYOND_LATIN
    return PieceCost(extra, extra * _SCRIPT_DISPERSION, is_word=is_word)


def _ascii_beside(run: str, piece: str) -> float:
    if run[-1].isalpha():
        return len(run) * _LETTER_BESIDE
    if run.isspace():
        return _SPACE_BEFORE_WIDE if piece[0] == " " and piece[1] >= _WIDE else _SPACE_BEFORE
    return 1 + _marks(run)


def _characters(run: str) -> float:
    cost, before = 0.0, ""
    for character in run:
        repeats = character == before and not character.isalpha()
        cost += _REPEATED_MARK if repeats else _character_rate(character)
        before = character
    return cost


class _CharacterRates(dict[str, float]):
    """The rate of each character met before; there are 1,114,112 at most."""

    def __missing__(self, character: str) -> float:
        rate = self[character] = _RATES[bisect_right(_BLOCKS, ord(character)) - 1][1]
        return rate


_character_rate = _CharacterRates().__getitem__


def _changes(run: str) -> int:
    return sum(first != second for first, second in pairwise(run))
