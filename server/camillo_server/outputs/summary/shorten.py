"""Texts made to fit, cut at borders of characters as people see them."""

import unicodedata
from collections.abc import Sequence

ELLIPSIS = "…"
JOINER = "\u200d"
# How far back a border is looked for; a longer run of combining characters is cut all the same.
MAX_STEPS = 32
MAX_FLAG_LETTERS = 4_096
# What a description has left beside the name of what was run.
HEADLINE_ROOM = 100


def shortened(text: str, longest: int) -> str:
    """The text, or its beginning with an ellipsis, of at most `longest` characters."""
    if len(text) <= longest:
        return text
    if longest < 1:
        return ""
    return text[: character_border(text, longest - 1)].rstrip() + ELLIPSIS


def shortened_front(text: str, longest: int) -> str:
    """The text, or an ellipsis with its end: what matters in a path comes last."""
    if len(text) <= longest:
        return text
    border = len(text) - longest + 1
    for _ in range(MAX_STEPS):
        if border >= len(text) or not joins(text, border):
            break
        border += 1
    return ELLIPSIS + text[border:]


def character_border(text: str, position: int) -> int:
    """The last border of characters at or before a position."""
    for _ in range(MAX_STEPS):
        if position <= 0 or position >= len(text) or not joins(text, position):
            return max(position, 0)
        position -= 1
    return position


def joins(text: str, position: int) -> bool:
    """Whether what stands at a position belongs to the character before it."""
    following, before = text[position], text[position - 1]
    if following < "\u0300":
        return False
    return (
        bool(unicodedata.combining(following))
        or following == JOINER
        or before == JOINER
        or "\ufe00" <= following <= "\ufe0f"
        or "\U0001f3fb" <= following <= "\U0001f3ff"
        or "\U000e0020" <= following <= "\U000e007f"
        or unicodedata.category(following) in ("Mn", "Me", "Mc")
        or (is_flag_letter(following) and flag_letters_before(text, position) % 2 == 1)
    )


def is_flag_letter(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def flag_letters_before(text: str, position: int) -> int:
    """How many letters of flags stand right before a position: two make one flag."""
    count = 0
    while (
        count < MAX_FLAG_LETTERS
        and position - count > 0
        and is_flag_letter(text[position - count - 1])
    ):
        count += 1
    return count


def listed(items: Sequence[str], room: int, total: int = 0) -> str:
    """As many of the items as fit, with commas; the others, of `total` in all, are counted."""
    total = max(total, len(items))
    shown = ", ".join(items[: room + 1])
    if len(items) == total and len(shown) <= room:
        return shown
    shown = ""
    for position, item in enumerate(items):
        joined = f"{shown}, {item}" if shown else item
        rest = total - position - 1
        if len(joined) + (len(f" and {rest:,} more") if rest else 0) > room:
            if not shown:
                return shortened(item, room)
            return f"{shown} and {total - position:,} more"
        shown = joined
    left = total - len(items)
    return f"{shown} and {left:,} more" if left else shown


def one_line(text: str) -> str:
    """The text with single spaces."""
    return " ".join(text.split())


def counted(number: int, word: str, many: str = "") -> str:
    """A number with its noun: `1 file`, `1,204 files`."""
    return f"{number:,} {word if number == 1 else many or word + 's'}"
