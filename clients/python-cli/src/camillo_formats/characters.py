"""Unicode's normal forms, in time that grows with the length of a text alone."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Literal

import regex

# No mark is a letter, but for two of half width that become marks upon kana. Most texts are told by the first
# character.
_MAY_BE_PILED = re.compile("[^\x00-\u02ff\\w][\\W\uff9e\uff9f]{30}")
# The ranges with marks: not ideographs, syllables and private characters.
_MARKED = (range(0x3200), range(0xA490, 0xAC00), range(0xFB00, 0x1F000))
# How long a piece of a long text is, and before which characters one may begin: white space and ideographs.
_PIECE, _INDEPENDENT = 16 * 1024, re.compile("[\x00-\x20\u4e00-\u9fff]")
_CHARACTER = regex.compile(r"\X")
# The contract's words for it are those of `Limit.visible`.
VISIBLE = regex.compile(r"[^\p{White_Space}\p{Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]")
_ZERO_WIDTH_JOINER = "\u200d"
_VIRAMA = 9
# A character with more marks upon it is no writing any more.
_LONGEST = 64
_PLACEHOLDER = re.compile(r"\[redacted(?:: [a-z0-9-]{1,64})?\]")
_LONGEST_PLACEHOLDER = 80


def normalized(form: Literal["NFC", "NFKC", "NFKD"], text: str) -> str:
    """The text in this form. Keeps the first 30 marks upon one letter, as in the stream-safe format (Unicode's annex
    15): putting them in order takes time with the square of their number."""
    if len(text) <= _PIECE:
        return _normalized(form, text)
    return "".join(_normalized(form, piece) for piece in independent_pieces(text))


def composed(text: str) -> str:
    """The text in NFC; one with more marks upon a letter than writing has as it is: leaving some out would make two
    texts one."""
    if unicodedata.is_normalized("NFC", text) or is_piled(text):
        return text
    return unicodedata.normalize("NFC", text)


def _normalized(form: Literal["NFC", "NFKC", "NFKD"], text: str) -> str:
    if is_piled(text):
        text = _piled_marks().sub(r"\1", text)
    return unicodedata.normalize(form, text)


def independent_pieces(text: str) -> Iterator[str]:
    """Pieces whose forms together are that of the text: before these characters no other changes with them. A long text
    at once would keep the interpreter's lock for all of it."""
    start = 0
    while len(text) - start > _PIECE:
        border = _INDEPENDENT.search(text, start + _PIECE)
        if border is None:
            break
        yield text[start : border.start()]
        start = border.start()
    yield text[start:]


def is_piled(text: str) -> bool:
    """Whether any letter has more than 30 marks."""
    return bool(_MAY_BE_PILED.search(text)) and bool(_piled_marks().search(text))


@cache
def _piled_marks() -> re.Pattern[str]:
    marked = f"[{''.join(chr(code) for part in _MARKED for code in part if _is_mark(chr(code)))}]"
    return re.compile(f"({marked}{{30}}){marked}+")


def _is_mark(character: str) -> bool:
    """Whether the character is a mark, or decomposes into marks."""
    return unicodedata.combining(unicodedata.normalize("NFKD", character)[0]) > 0


def is_border(text: str, at: int) -> bool:
    """Whether one character ends before `at`, which is above 0 and below the length."""
    before, after = text[at - 1], text[at]
    # Most text: neither side can be part of anything.
    if before < "\u0300" and after < "\u0300":
        return before != "\r" or after != "\n"
    # Two halves of one character, as a decoder that is wrong leaves them: no characters of Unicode.
    if "\ud800" <= before <= "\udbff":
        return not "\udc00" <= after <= "\udfff"
    # The annex lets Khmer, Kannada and Sinhala be cut below a letter, where a reader sees one character.
    if before == _ZERO_WIDTH_JOINER or unicodedata.combining(before) == _VIRAMA:
        return False
    # The rules look back as far as they have to, and one character ahead.
    match = _CHARACTER.match(text, at - 1, at + 1)
    return match is not None and match.end() == at


def border_at_or_before(text: str, at: int, earliest: int) -> int:
    """The last border up to `at`; `at` itself where there is none behind `earliest`, nor among the 64 characters
    before. A placeholder in the place of a secret is one character."""
    if at >= len(text):
        return len(text)
    opening = text.rfind("[redacted", max(earliest + 1, at - _LONGEST_PLACEHOLDER, 0), at + 9)
    if 0 <= opening < at and (placeholder := _PLACEHOLDER.match(text, opening)):
        at = opening if placeholder.end() > at else at
    before = range(at, max(earliest, at - _LONGEST, 0), -1)
    return next((index for index in before if is_border(text, index)), at)
