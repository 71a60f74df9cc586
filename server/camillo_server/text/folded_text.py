"""Text as it looks, not as it is written: what a reader takes for the same becomes the same.

Follows NFKC_Casefold (Unicode, section 3.13) and, for a few scripts, the confusables of Unicode's technical standard 39.
Accents stay: they are another word. So do digits that look like letters: `O1` and `01` are different names.
"""

import re
import unicodedata
from collections.abc import Iterator

from camillo_server.text.characters import normalized

# As pairs of what is seen and the Latin letter it is taken for, in small letters.
_CYRILLIC = ("авекмнорстухіјѕһԁԛԝӏьпгѵ", "abekmhopctyxijshdqwlbnrv")
_GREEK = ("αβγεζηικνορτυχω", "abyeznikvoptuxw")
_OTHERS = ("ıȷɑɡɩօսոհցզ", "ijagiounhgq")
# A capital that looks like another letter than its small one does, told by the Latin capital beside it.
_GREEK_CAPITAL = re.compile("(?<=[A-Z])[ΗΜΝΥ]|[ΗΜΝΥ](?=[A-Z])")
_GREEK_CAPITALS = str.maketrans("ΗΜΝΥ", "HMNY")

# What shows nothing: Cf and those that Unicode calls default ignorable; lines through letters and rings around them;
# what Arabic and Hebrew writing may leave out.
_SHOWS_NOTHING = re.compile(
    "[\u00ad\u0334-\u0338\u034f\u0488\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u0600-\u0605\u061c"
    "\u0640\u064b-\u0652\u0670\u06dd\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u20dd-\u20e0\u20e2-\u20e4\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u070f\u0890\u0891\u08e2"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
# Some end a sentence without a space behind them: they are given one.
_WIDE_PUNCTUATION = tuple(
    zip("，！？：；（）", (",", "! ", "? ", ": ", ";", "(", ")"), strict=True)
)
# What Chinese, Japanese and Korean texts are mostly made of, ASCII included: but for wide punctuation it stays as it is.
_PLAIN_IDEOGRAPHS = re.compile(
    "[\t\n\r -~\u2014\u2018\u2019\u201c\u201d\u3001\u3002\u3008-\u3011\u3014-\u301b\u3041-\u3096\u30a1-\u30fe"
    "\u4e00-\u9fff\uac00-\ud7a3，！？：；（）]*"
)
_FOREIGN_DIGIT = re.compile(r"[^\D0-9]")
# Where punctuation is: not among ideographs, syllables and private characters.
_PUNCTUATED = (range(0x3200), range(0xA490, 0xAC00), range(0xFB00, 0x10000))
LINE_END, SENTENCE_END = "\n", "\x1f"
# In ASCII these count as symbols, and are used as punctuation.
_ALSO_PUNCTUATION = "`^~|<>+="


def folded(text: str) -> str:
    """The text in small letters of one kind; white space and punctuation as they were."""
    if text.isascii():
        return text.casefold()
    if _PLAIN_IDEOGRAPHS.fullmatch(text):
        return _narrowed(text).casefold()
    text = normalized("NFKC", _narrowed(_SHOWS_NOTHING.sub("", text)))
    if any(capital in text for capital in "ΗΜΝΥ"):
        text = _GREEK_CAPITAL.sub(lambda found: found[0].translate(_GREEK_CAPITALS), text)
    text = text.casefold()
    # Most texts hold none, and the search is many times faster.
    if _MAY_LOOK_ALIKE.search(text):
        text = text.translate(_LOOKS)
    text = _FOREIGN_DIGIT.sub(lambda found: str(unicodedata.decimal(found[0])), text)
    return unicodedata.normalize("NFC", text)


def without_punctuation(text: str) -> str:
    """Without white space and control characters, too; `LINE_END` and `SENTENCE_END` stay."""
    return text.translate(_ASCII_PUNCTUATION) if text.isascii() else _PUNCTUATION.sub("", text)


def _narrowed(text: str) -> str:
    # For these alone, which all Chinese has, NFKC would take a hundred times as long.
    for wide, narrow in _WIDE_PUNCTUATION:
        text = text.replace(wide, narrow)
    return text


def _looks() -> dict[str, str]:
    looks = {
        seen: taken_for
        for pair in (_CYRILLIC, _GREEK, _OTHERS)
        for seen, taken_for in zip(*pair, strict=True)
    }
    return looks | dict(_accented(looks)) | dict(_drawn_letters())


def _accented(looks: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Letters that are a look-alike with marks, such as the ё of Russian."""
    for character in map(chr, range(0x370, 0x530)):
        letters = unicodedata.normalize("NFD", character)
        if len(letters) > 1 and letters[0] in looks:
            yield character, looks[letters[0]] + letters[1:]


def _drawn_letters() -> Iterator[tuple[str, str]]:
    """Small capitals, and letters in filled circles and squares."""
    for code in (*range(0x250, 0x2B0), *range(0x1D00, 0x1D30), *range(0x1F150, 0x1F18A)):
        words = unicodedata.name(chr(code), "").split()
        if words[:2] in (
            ["LATIN", "LETTER"],
            ["NEGATIVE", "CIRCLED"],
            ["NEGATIVE", "SQUARED"],
        ) and ("CAPITAL" in words and len(words[-1]) == 1):
            yield chr(code), words[-1].lower()


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PZ" or character in _ALSO_PUNCTUATION


# With itself for what is not there: a miss costs several times a hit.
_LOOKS = str.maketrans(
    {chr(code): chr(code) for code in (*range(128), *range(0x370, 0x530))} | _looks()
)
_MAY_LOOK_ALIKE = re.compile("[\u0131\u0237-\u052f\u0561-\u0587\u1d00-\u1d2f\U0001f150-\U0001f189]")
_PUNCTUATION_CHARACTERS = "".join(
    character for part in _PUNCTUATED for character in map(chr, part) if _is_punctuation(character)
)
_PUNCTUATION = re.compile(rf"[\x00-\x09\x0b-\x1e\x7f-\x9f{re.escape(_PUNCTUATION_CHARACTERS)}]+")
_ASCII_PUNCTUATION = {
    code: None if _PUNCTUATION.match(chr(code)) else chr(code) for code in range(128)
}
