"""Text cut to a number of tokens."""

import re

from camillo_server.domain.tokens import count_tokens, fits

# Bytes that are not valid in their encoding, as `surrogateescape` decodes them.
_NOT_VALID = re.compile("[\udc80-\udcff]")
# The densest text has a token for each character; less than so many characters never need counting twice.
_SHRINK = 0.97


def opening(text: str, max_tokens: int, *, goes_on: bool = False) -> str:
    """The beginning that has at most so many tokens, at least one character; ended at a line's end where that loses
    less than half of it. The whole, where it fits and nothing goes on behind it."""
    is_fitting = fits(text, max_tokens)
    if is_fitting and not goes_on:
        return text
    cut = text if is_fitting else _shrunk(text[: max_tokens * 8], max_tokens)
    line_end = cut.rfind("\n") + 1
    # A part can have more tokens than the whole, where it is less clearly English.
    return _shrunk(cut[:line_end], max_tokens) if line_end * 2 > len(cut) else cut


def _shrunk(cut: str, max_tokens: int) -> str:
    while (tokens := count_tokens(cut)) > max_tokens and len(cut) > 1:
        cut = cut[: max(1, int(len(cut) * max_tokens / tokens * _SHRINK))]
    return cut


def shown(text: str) -> str:
    """What was decoded with `surrogateescape`, in a form that every reader takes."""
    return _NOT_VALID.sub("\ufffd", text)
