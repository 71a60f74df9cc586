"""What a reader takes for one character, which may be several of Unicode: the main rules of its annex 29."""

import unicodedata

_ZERO_WIDTH_JOINER = "\u200d"
_VIRAMA = 9
_FLAG_HALVES = "".join(map(chr, range(0x1F1E6, 0x1F200)))
# A character with more marks upon it is no writing any more.
_LONGEST = 64


def is_border(text: str, at: int) -> bool:
    """Whether one character ends before `at`, which is above 0 and below the length."""
    before, after = text[at - 1], text[at]
    if before == "\r":
        return after != "\n"
    if "\ud800" <= before <= "\udbff":
        return not "\udc00" <= after <= "\udfff"
    # Most text: neither side can be part of anything.
    if before < "\u0300" and after < "\u0300":
        return True
    if _ZERO_WIDTH_JOINER in (before, after) or unicodedata.combining(before) == _VIRAMA:
        return False
    if after in _FLAG_HALVES:
        return _flag_halves_before(text, at) % 2 == 0
    return not _extends(after)


def border_at_or_before(text: str, at: int, earliest: int) -> int:
    """The last border up to `at`; `at` itself where there is none behind `earliest`, nor among the 64 places before."""
    if at >= len(text):
        return len(text)
    places = range(at, max(earliest, at - _LONGEST, 0), -1)
    return next((place for place in places if is_border(text, place)), at)


def _flag_halves_before(text: str, at: int) -> int:
    first = at
    while first and text[first - 1] in _FLAG_HALVES:
        first -= 1
    return at - first


def _extends(character: str) -> bool:
    """A mark, a skin tone, a tag of a flag, the vowel or the end of a Korean syllable in parts."""
    return (
        unicodedata.category(character).startswith("M")
        or "\U0001f3fb" <= character <= "\U0001f3ff"
        or "\U000e0020" <= character <= "\U000e007f"
        or "\u1160" <= character <= "\u11ff"
        or character in "\u200c\uff9e\uff9f"
    )
