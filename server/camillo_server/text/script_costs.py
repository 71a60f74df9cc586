"""What pieces of text beyond ASCII cost in tokens."""

import re
from bisect import bisect_right
from itertools import pairwise

_WHOLE_RUNS = r"""
": ", "," ":" =" (" ") {" "} [" "] \" =\" ," :" "}, ("/ "> "/ ': ', '] [' (' ') =' `, ."
:: // /// /* */ ** *** -- --- ... == === != <= >= => -> += ++ && || << >> </ /> >< .. || ## ### #### `` ```
() (); () ); ), ). ): )) (( ([ ]) ], ]. [] {} ({ }) }, }; {{ }} [[ ]] :** **: __ ._ _, (_ (__ :// "))
"""
_WHOLE = frozenset(_WHOLE_RUNS.split())
# For the first change of mark in a run, and each further one; of white space, for two changes.
_FIRST_CHANGE = 0.12
_NEXT_CHANGE = 0.55
_TWO_CHANGES_OF_SPACE = 0.5
# In words with letters beyond ASCII, which few entries hold: each letter of ASCII.
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


def marks_cost(piece: str) -> float:
    """Beyond the first token, of a run of marks with the space before it and the ends of lines after it."""
    marks = piece.strip()
    if marks in _WHOLE:
        return 0.0
    changes = _changes(marks)
    extra = _FIRST_CHANGE + (changes - 1) * _NEXT_CHANGE if changes else 0.0
    # A run of one mark is an entry in many lengths, but not with the end of a line.
    return extra + (len(marks) > 4 and piece[-1] in "\r\n")


def space_cost(piece: str) -> float:
    """Beyond the first token, of a run of white space."""
    return _TWO_CHANGES_OF_SPACE * (_changes(piece) // 2)


def _changes(run: str) -> int:
    return sum(first != second for first, second in pairwise(run))


def script_cost(piece: str) -> float:
    """Of the whole piece, which has a character beyond ASCII."""
    cost = 0.0
    for run in _RUN.findall(piece):
        cost += _ascii_beside(run, piece) if run.isascii() else _characters(run)
    return cost


def _ascii_beside(run: str, piece: str) -> float:
    if run[-1].isalpha():
        return len(run) * _LETTER_BESIDE
    if run.isspace():
        return _SPACE_BEFORE_WIDE if piece[0] == " " and piece[1] >= _WIDE else _SPACE_BEFORE
    return 1 + marks_cost(run)


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
