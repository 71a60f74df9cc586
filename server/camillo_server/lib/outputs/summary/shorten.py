"""Texts made to fit, cut at borders of characters as people see them."""

from collections.abc import Sequence

from camillo_formats.characters import border_at_or_before, is_border
from camillo_formats.rendering import one_line as one_line

ELLIPSIS = "…"
# How far a border is looked for towards the end; a longer run of combining characters is cut all the same.
MAX_STEPS = 32
# The room for a description beside the name of what was run.
HEADLINE_ROOM = 100


def shortened(text: str, longest: int) -> str:
    """The text, or its beginning with an ellipsis, of at most `longest` characters."""
    if len(text) <= longest:
        return text
    if longest < 1:
        return ""
    return text[: border_at_or_before(text, longest - 1, 0)].rstrip() + ELLIPSIS


def shortened_front(text: str, longest: int) -> str:
    """The text, or an ellipsis with its end: what matters in a path comes last."""
    if len(text) <= longest:
        return text
    first = len(text) - longest + 1
    last = min(first + MAX_STEPS, len(text))
    border = next((at for at in range(first, last) if is_border(text, at)), last)
    return ELLIPSIS + text[border:]


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
            return f"{shown} and {rest + 1:,} more" if shown else shortened(item, room)
        shown = joined
    left = total - len(items)
    return f"{shown} and {left:,} more" if left else shown


def counted(number: int, word: str, many: str = "") -> str:
    """A number with its noun: `1 file`, `1,204 files`."""
    return f"{number:,} {word if number == 1 else many or word + 's'}"
