"""Unicode's normal forms, in time that grows with the length of a text alone."""

import re
import unicodedata
from functools import cache
from typing import Literal

# No mark is a letter, but for two of half width that become marks upon kana. Most texts are told by the first character.
_MAY_BE_PILED = re.compile("[^\x00-\u02ff\\w][\\W\uff9e\uff9f]{30}")
# Where marks are: not among ideographs, syllables and private characters.
_MARKED = (range(0x3200), range(0xA490, 0xAC00), range(0xFB00, 0x1F000))


def normalized(form: Literal["NFC", "NFKC", "NFKD"], text: str) -> str:
    """The text in this form. Of marks upon one letter the first 30 stay, as in the stream-safe format (Unicode's annex 15):
    putting them in order takes time with the square of their number."""
    if is_piled(text):
        text = _piled_marks().sub(r"\1", text)
    return unicodedata.normalize(form, text)


def is_piled(text: str) -> bool:
    """Whether there are more marks upon one letter."""
    return bool(_MAY_BE_PILED.search(text)) and bool(_piled_marks().search(text))


@cache
def _piled_marks() -> re.Pattern[str]:
    marked = f"[{''.join(chr(code) for part in _MARKED for code in part if _is_mark(chr(code)))}]"
    return re.compile(f"({marked}{{30}}){marked}+")


def _is_mark(character: str) -> bool:
    """Some are none themselves and become two."""
    return unicodedata.combining(unicodedata.normalize("NFKD", character)[0]) > 0
