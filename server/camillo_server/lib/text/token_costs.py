"""The cost of a piece of text in tokens, beyond the one that every piece costs.

A byte-pair vocabulary of some 100,000 entries holds the common words of English, and of program text, whole; other
words fall apart, the more so the longer they are and the less their letters follow each other as in English. It holds
characters of other scripts and short runs of them where the script is widely written, else single bytes. The constants
are means over English prose, program text, manual pages, JSON and, for scripts, translations of one text.
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

# The letters that often follow each letter in English words.
_FOLLOWERS = (
    "a:bcdgilmnprstuvy b:aeiloru c:acehiklortu d:aeiosu e:acdefglmnprstvx f:aefiloru g:aehinoru h:aeiot "
    "i:abcdefglmnoprstvz k:eis l:adeilostuy m:aeimops n:acdefginostuv o:abcdgiklmnoprstuvw p:aeiloprstu "
    "q:u r:adegiklmnorstuy s:acehiopstu t:aehilorstuy u:abcegilmnprst v:aei w:aehio x:pt y:p z:e"
)
# The pairs of letters that words begin with.
_STARTERS = (
    "a:bcdfgilmnprstuvwx b:aeilorsuy c:aehilortuy d:aeioruy e:acdflmnpqrstuvxy f:aeiloru g:aehilnoru h:aeiotuy "
    "i:cdfglmnrst j:aeou k:einu l:aeiou m:aeiouy n:aeiou o:bcfnprtuvwx p:aehilorsuy q:u r:aehiou "
    "s:acehiklmnopqtuwy t:aehioruwy u:lnprst v:aeiou w:aehior y:aeiou z:eo"
)


def _pairs(table: str) -> frozenset[str]:
    return frozenset(entry[0] + second for entry in table.split() for second in entry.partition(":")[2])


_USUAL = _pairs(_FOLLOWERS)
_USUAL_START = _pairs(_STARTERS)


class _WordRates(NamedTuple):
    """For a word after a space, a mark or nothing: always, for each letter beyond the fourth, for each of the first
    two unusual pairs of letters and each further one, for each letter beyond the second where the first pair is
    unusual, for a capital, for being in capitals, and for each letter after the first of a word in capitals."""

    always: float
    letter: float
    unusual: float
    further: float
    start: float
    capital: float
    capitals: float
    shouted: float


# Most entries begin with a space, few with a mark.
_AFTER_SPACE = _WordRates(0.0, 0.025, 0.03, 0.35, 0.13, 0.05, 0.0, 0.09)
_BARE = _WordRates(0.0, 0.05, 0.13, 0.67, 0.17, 0.07, 0.02, 0.12)
_AFTER_MARK = _WordRates(0.1, 0.125, 0.14, 0.67, 0.18, 0.46, 0.6, 0.06)
_AFTER_RARE_MARK = _WordRates(0.7, 0.03, 0.2, 0.67, 0.1, 0.3, 0.1, 0.2)
_AFTER_SOME_MARKS = {
    "_": _WordRates(0.0, 0.125, 0.23, 0.67, 0.22, 0.57, 0.0, 0.05),
    ".": _WordRates(0.0, 0.085, 0.08, 0.67, 0.2, 0.05, 0.05, 0.18),
    " ": _AFTER_SPACE,
    "": _BARE,
    **dict.fromkeys("!#?@]^`{|}~", _AFTER_RARE_MARK),
}
# Letters in no order at all, as in keys, of which capitals are scattered.
_SCATTERED_LETTER = 0.72
# Letters that an unusual beginning makes dearer, at most.
_MAX_AFTER_START = 8
# Words of other languages: every letter beyond the third, every unusual pair beyond the second.
_FOREIGN_LETTER = 0.3
_FOREIGN_FURTHER = 0.3

# Letters up to here, and no more, are those of words that show a language.
_BEYOND_LATIN = "\u0250"
# The variance of what a piece of ASCII costs: that of rare events where it costs little, less where it costs much.
_MIN_DISPERSED, _DISPERSION = 0.35, 0.25
# The variance of what characters of one script cost, over that cost.
_SCRIPT_DISPERSION = 0.2

# Runs of marks that are one entry.
_WHOLE_RUNS = r"""
": ", "," ":" =" (" ") {" "} [" "] \" =\" ," :" "}, ("/ "> "/ ': ', '] [' (' ') =' `, ."
:: // /// /* */ ** *** -- --- ... == === != <= >= => -> += ++ && || << >> </ /> >< .. || ## ### #### `` ```
() (); () ); ), ). ): )) (( ([ ]) ], ]. [] {} ({ }) }, }; {{ }} [[ ]] :** **: __ ._ _, (_ (__ :// "))
"""
_WHOLE = frozenset(_WHOLE_RUNS.split())
# The costs of the first change of mark in a run, and of each further one; of two changes of white space.
_FIRST_CHANGE = 0.12
_NEXT_CHANGE = 0.55
_TWO_CHANGES_OF_SPACE = 0.5
# The cost of an ASCII letter in a word with letters beyond ASCII, which few entries hold.
_LETTER_BESIDE = 0.27
_SPACE_BEFORE = 0.2
# In most scripts from here on no entry begins with a space.
_WIDE = "\u2000"
_SPACE_BEFORE_WIDE = 0.65
# Each mark of a run of one and the same after the first: a few that lines are drawn with are entries in many lengths,
# some are one entry each; the others fall apart into two or three.
_IN_MANY_LENGTHS = {
    **dict.fromkeys("─…—\u00a0", 0.15),
    **dict.fromkeys("═━★·–。！、█¯\u200b\u3000", 0.5),
}
_SINGLE_ENTRIES = frozenset("\u0300\u0301│║░■☆•“”’″→←✔●？～€™")
_REPEATED, _REPEATED_BEYOND = 2.0, 3.0
# The cost of a character, by the code point where its block begins: little in scripts of which there is much text, else
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
    (0x2500, 1.0),  # lines
    (0x2503, 1.8),  # boxes, shades and blocks
    (0x2550, 1.0),  # double lines
    (0x2552, 1.8),
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
    (0xFF00, 1.2),  # full width
    (0xFFA0, 2.5),
    (0xFFFD, 1.2),  # the mark of what could not be decoded
    (0xFFFE, 4.0),
    (0x1F100, 2.8),  # emoji
    (0x1FB00, 4.0),
)
_BLOCKS = tuple(start for start, _ in _RATES)
_RUN = re.compile(r"[\x00-\x7f]+|[^\x00-\x7f]+")
_HUMP = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def piece_cost(piece: str) -> PieceCost:
    """The cost of a piece as `tokens` cuts them."""
    if not piece.isascii():
        return _beyond_ascii(piece)
    if piece[-1].isalpha():
        return _word(piece)
    if piece.isdigit():
        return PieceCost(0.0, 0.0)
    extra = _space_cost(piece) if piece.isspace() else _marks_cost(piece)
    return PieceCost(extra, _variance(extra))


def _variance(extra: float) -> float:
    return min(extra, _MIN_DISPERSED + _DISPERSION * extra)


def _word(piece: str) -> PieceCost:
    mark = "" if piece[0].isalpha() else piece[0]
    word = piece[1:] if mark else piece
    rates = _AFTER_SOME_MARKS.get(mark, _AFTER_MARK)
    humps: list[str] = _HUMP.findall(word)
    if len(humps) > 2 and len(humps) * 3 > len(word):
        extra = max(len(humps) / 2, _SCATTERED_LETTER * len(word)) - (not mark)
    else:
        extra = _hump(humps[0], rates) + sum(1 + _hump(hump, _BARE) for hump in humps[1:])
    variance = _variance(extra)
    if mark != " " or not word[1:].islower():
        return PieceCost(extra, variance)
    if word in _ENGLISH:
        return PieceCost(0.0, 0.0, is_word=True, is_english=True)
    foreign = (len(word) - 3) * _FOREIGN_LETTER
    foreign += max(0, _unusual_pairs(word) - 2) * _FOREIGN_FURTHER
    return PieceCost(extra, variance, max(0.0, foreign - extra), is_word=True)


def _hump(hump: str, rates: _WordRates) -> float:
    """The cost of a part of a word that is written in one case, or with a capital."""
    letters, lower = len(hump), hump.lower()
    unusual = _unusual_pairs(lower)
    extra = rates.always + max(0, letters - 4) * rates.letter + min(unusual, 2) * rates.unusual
    further = _BARE.further if hump.isupper() else rates.further
    extra += max(0, unusual - 2) * further
    if letters > 1:
        if lower[:2] not in _USUAL_START:
            extra += min(letters - 2, _MAX_AFTER_START) * rates.start
        if hump.isupper():
            extra += rates.capitals + rates.shouted * (letters - 1)
        elif hump != lower:
            extra += rates.capital
    return min(extra, letters)


def _unusual_pairs(word: str) -> int:
    return sum(first + second not in _USUAL for first, second in pairwise(word))


def _beyond_ascii(piece: str) -> PieceCost:
    extra = max(0.0, _script_cost(piece) - 1)
    is_word = piece[0] == " " and piece[-1].isalpha() and piece[-1] < _BEYOND_LATIN
    return PieceCost(extra, extra * _SCRIPT_DISPERSION, is_word=is_word)


def _marks_cost(piece: str) -> float:
    """The cost beyond the first token of a run of marks with the space before it and the ends of lines after it."""
    marks = piece.strip()
    if marks in _WHOLE:
        return 0.0
    changes = _changes(marks)
    extra = _FIRST_CHANGE + (changes - 1) * _NEXT_CHANGE if changes else 0.0
    # A run of one mark is an entry in many lengths, but not with the end of a line.
    return extra + (len(marks) > 4 and piece[-1] in "\r\n")


def _space_cost(piece: str) -> float:
    """The cost beyond the first token of a run of white space."""
    return _TWO_CHANGES_OF_SPACE * (_changes(piece) // 2)


def _changes(run: str) -> int:
    return sum(first != second for first, second in pairwise(run))


def _script_cost(piece: str) -> float:
    """The cost of the whole piece, which has a character beyond ASCII."""
    cost = 0.0
    for run in _RUN.findall(piece):
        cost += _ascii_beside(run, piece) if run.isascii() else _characters(run)
    return cost


def _ascii_beside(run: str, piece: str) -> float:
    if run[-1].isalpha():
        return len(run) * _LETTER_BESIDE
    if run.isspace():
        return _SPACE_BEFORE_WIDE if piece[0] == " " and piece[1] >= _WIDE else _SPACE_BEFORE
    return 1 + _marks_cost(run)


def _characters(run: str) -> float:
    cost, before = 0.0, ""
    for character in run:
        repeats = character == before and not character.isalpha()
        cost += _repeated(character) if repeats else _character_rate(character)
        before = character
    return cost


def _repeated(mark: str) -> float:
    if mark in _IN_MANY_LENGTHS:
        return _IN_MANY_LENGTHS[mark]
    if mark < "\u0100" or mark in _SINGLE_ENTRIES:
        return 1.0
    return _REPEATED if mark <= "\uffff" else _REPEATED_BEYOND


class _CharacterRates(dict[str, float]):
    """The rate of each character met before; there are 1,114,112 at most."""

    def __missing__(self, character: str) -> float:
        rate = self[character] = _RATES[bisect_right(_BLOCKS, ord(character)) - 1][1]
        return rate


_character_rate = _CharacterRates().__getitem__
