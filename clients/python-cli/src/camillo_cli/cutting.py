"""Cuts texts that may hold secrets: what is left of one that is cut would be known for none."""

import re
from collections.abc import Callable
from functools import cache

from camillo_formats.characters import border_at_or_before
from camillo_formats.terminal_sequences import without_terminal_sequences

# The server's package plugs in what finds secrets, and cuts between them.
GROUP = "camillo.cut"
# A secret that is one word is no longer; a longer word is none.
MAX_WORD = 8_192
_WORD_BEFORE = re.compile(r"[!-~]*\Z")
KEY_BEGIN, _KEY_END = "-----BEGIN", re.compile("-----END[^\n-]*-----")


def cut(text: str, limit: int) -> str:
    """The first `limit` characters of a text that may hold secrets, fewer where its end would be a part of one."""
    text = without_terminal_sequences(text)
    # Looking for the server's package takes as long as half a short command, and most texts are short.
    return text if len(text) <= limit else (_installed() or cut_between_words)(text, limit)


@cache
def _installed() -> Callable[[str, int], str] | None:
    from importlib.metadata import entry_points

    return next((each.load() for each in entry_points(group=GROUP)), None)


def cut_between_words(text: str, limit: int) -> str:
    """Cuts without knowing what a secret looks like: in no word of ASCII, and in no key between its first and its last
    line."""
    end = limit
    begin = text.rfind(KEY_BEGIN, 0, limit)
    if begin >= 0 and not _KEY_END.search(text, begin, limit):
        end = begin
    elif "!" <= text[limit] <= "~" and (word := _word_before(text, limit)) is not None:
        end = word
    # A text that is not empty stays one.
    return text[: border_at_or_before(text, end, -1)] or "\N{HORIZONTAL ELLIPSIS}"[:limit]


def _word_before(text: str, limit: int) -> int | None:
    """Where the word begins that goes on at the limit; None where it is longer than a secret."""
    found = _WORD_BEFORE.search(text, max(limit - MAX_WORD, 0), limit)
    return found.start() if found and limit - found.start() < MAX_WORD else None
