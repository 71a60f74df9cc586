"""The fence around recalled text that goes before a model, and its removal before anything is recorded.

A fence is `<camillo-memory id="…">`, the text, `</camillo-memory id="…">`. The id is random for each fence, and the end names it:
recalled text that has a fence in it, whoever wrote that, cannot end the one that it stands in. Only `re` and `os` are imported,
as hooks have to start fast.
"""

import os
import re
from bisect import bisect_left

FENCE_BEGIN = '<camillo-memory id="'
FENCE_END = '</camillo-memory id="'
_ID_BYTES = 8
_MARK = re.compile(r'<(/?)camillo-memory id="([0-9a-f]{16})">')


def fence(text: str) -> str:
    """The text in a fence of its own."""
    id = os.urandom(_ID_BYTES).hex()
    return f'{FENCE_BEGIN}{id}">\n{text.rstrip()}\n{FENCE_END}{id}">'


def strip_fences(text: str) -> str:
    """The text without what stands in fences. A beginning without its end stays: a text must not be able to hide what follows it.

    Takes time in proportion to the text, whatever is in it.
    """
    if FENCE_BEGIN not in text:
        return text
    begins: list[tuple[int, str]] = []
    ends: dict[str, list[int]] = {}
    for mark in _MARK.finditer(text):
        if mark[1]:
            ends.setdefault(mark[2], []).append(mark.end())
        else:
            begins.append((mark.start(), mark[2]))
    kept: list[str] = []
    at = 0
    for begin, id in begins:
        if begin < at:
            continue  # within a fence that is removed
        places = ends.get(id, [])
        next_end = bisect_left(places, begin)
        if next_end < len(places):
            kept.append(text[at:begin])
            at = places[next_end]
    return "".join((*kept, text[at:]))
