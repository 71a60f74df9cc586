"""Texts as a prompt shows them, and as they are compared: two forms that nothing invisible gets past."""

import re
from functools import lru_cache

from camillo_server.domain.normal_forms import normalized

_LINE_BREAK = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")
# Controls that turn what follows around until something ends them: a text may not reach beyond itself.
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_PLAIN = re.compile("[\t\n\x20-\x7e]*")
# Format characters, variation selectors, fillers and halves of characters: nobody sees them.
_UNSEEN = re.compile(
    "[\xad\u034f\u061c\u070f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_SPACE = re.compile(r"\s+")
# Longer texts are rare, and a few of them would fill any cache.
_CACHED_CHARACTERS = 4_096


def cleaned(text: str) -> str:
    """The text with every line break being one, without controls but the tab, and without empty lines around it."""
    if _PLAIN.fullmatch(text):
        return text.strip("\n")
    text = _LINE_BREAK.sub("\n", text)
    text = _CONTROL.sub("", _TURNING.sub("", text))
    return _LONE_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text).strip("\n")


def one_line(text: str) -> str:
    """The cleaned text in one line."""
    return " ".join(cleaned(text).split())


def comparable(text: str) -> str:
    """The same for texts that a reader takes for the same: compatible forms, case and white space are one, and what
    nobody sees is gone."""
    return _kept(text) if len(text) <= _CACHED_CHARACTERS else _comparable(text)


def _comparable(text: str) -> str:
    if not text.isascii():
        text = _UNSEEN.sub("", normalized("NFKC", text))
    text = _SPACE.sub(" ", _CONTROL.sub("", text)).strip()
    folded = text.casefold()
    return folded if folded.isascii() else normalized("NFKC", folded)


_kept = lru_cache(maxsize=4_096)(_comparable)
