"""What a reader takes for one character, which may be several of Unicode: an extended grapheme cluster of its annex 29."""

import unicodedata

import regex

_CHARACTER = regex.compile(r"\X")
_ZERO_WIDTH_JOINER = "\u200d"
_VIRAMA = 9
# A character with more marks upon it is no writing any more.
_LONGEST = 64


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
    """The last border up to `at`; `at` itself where there is none behind `earliest`, nor among the 64 places before."""
    if at >= len(text):
        return len(text)
    places = range(at, max(earliest, at - _LONGEST, 0), -1)
    return next((place for place in places if is_border(text, place)), at)
