"""Outputs of terminals as a reader of the screen would have seen them."""

import re
from itertools import pairwise

# Bounded, so that text full of openings without ends stays linear.
ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]{0,32}[ -/]{0,4}[@-~]|[\]PX^_][^\x07\x1b\n]{0,400}(?:\x07|\x1b\\)|[()*+#%][0-9A-Za-z]|[=>78A-Z\\^_])"
)
# What remains of control characters is noise; tabs and newlines are not.
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]+")
DELETED = dict.fromkeys([*range(9), *range(11, 32), 127])


def cleaned(text: str) -> str:
    """Without escape sequences, and of lines that were written over only what was seen last. Keeps all newlines."""
    if "\x1b" in text:
        text = ESCAPES.sub("", text)
    if "\r" in text:
        text = _last_seen(text.replace("\r\n", "\n"))
    if "\b" in text or "\x00" in text or "\x1b" in text:
        text = text.translate(DELETED) if text.isascii() else CONTROLS.sub("", text)
    return text.removeprefix("\ufeff")


def _last_seen(text: str) -> str:
    parts = text.split("\r")
    if len(parts) == 1:
        return text
    if "\n" not in text:
        return "\n".join(parts)
    kept = [
        part if not following or following.startswith("\n") else part[: part.rfind("\n") + 1]
        for part, following in pairwise(parts)
    ]
    return "".join(kept) + parts[-1]
