"""How many tokens a text takes in a model's context, estimated so as not to undercount.

The text is cut as byte-pair tokenizers of the cl100k and o200k kind cut it before they merge: a word with the one
mark or space before it, up to three digits, a run of marks, a run of white space. A piece costs a token at least and
what `token_costs` expects beyond. The sum gets a margin for chance.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Final, Protocol

from camillo_server.text.token_costs import PieceCost, piece_cost

_PIECE = re.compile(
    r"'(?:[sdmt]|ll|ve|re)"
    r"|(?:[^\w\r\n]|_)?[^\W\d_]{1,48}"
    r"|[0-9]{1,3}"
    r"| ?(?:[^\s\w]|_){1,64}[\r\n]{0,16}"
    r"|\s{0,96}[\r\n]{1,16}"
    r"|\s{1,96}(?!\S)"
    r"|\s{1,96}"
    r"|\d",
    re.IGNORECASE,
)
# The margin in standard deviations.
_DEVIATIONS = 2.2
# Where at least so much of the text is words, and fewer of them than this show English, it is in another language.
_PROSE_SHARE = 0.5
_ENGLISH_SHARE = 0.1
_CACHED_PIECES = 65_536
# Language and margin are judged for so many characters at once; a cut costs a token at most.
_STRETCH = 8_192
# Bytes that are not valid in their encoding, as `surrogateescape` decodes them.
_NOT_VALID = re.compile("[\udc80-\udcff]")
# The densest text has a token for each character; less than so many characters never need counting twice.
_SHRINK = 0.97


class TokenCounter(Protocol):
    """Counts the tokens that a text takes in a context."""

    @property
    def name(self) -> str:
        """Of the vocabulary it counts with, or `estimate`."""
        ...

    def count(self, text: str) -> int: ...

    def fits(self, text: str, budget: int) -> bool:
        """Whether `count` is at most the budget."""
        ...

    def __hash__(self) -> int: ...


def count_tokens(text: str) -> int:
    """At least the tokens that a model of the cl100k or o200k kind needs for the text, most probably."""
    return math.ceil(sum(_stretches(text)))


def fits(text: str, budget: int) -> bool:
    """Whether `count_tokens` is at most the budget; reads little more of the text than tells."""
    tokens = 0.0
    for stretch in _stretches(text):
        tokens += stretch
        if tokens > budget:
            return False
    return budget >= 0


class _Estimate:
    """The estimate as a counter."""

    name: Final = "estimate"
    count = staticmethod(count_tokens)
    fits = staticmethod(fits)


ESTIMATE: Final[TokenCounter] = _Estimate()


def _stretches(text: str) -> Iterator[float]:
    """The tokens of each part of the text."""
    for start in range(0, len(text), _STRETCH):
        yield _tokens(_PIECE.findall(text, start, start + _STRETCH))


def _tokens(pieces: list[str]) -> float:
    expected, variance, if_foreign = float(len(pieces)), 0.0, 0.0
    words = english = 0
    for piece, times in Counter(pieces).items():
        extra, dispersion, foreign, is_word, is_english = _COSTS[piece]
        if extra:
            expected += times * extra
            # A piece that recurs errs each time by the same.
            variance += times * times * dispersion
        if is_word:
            if_foreign += times * foreign
            words += times
            english += times * is_english
    if words > _PROSE_SHARE * len(pieces):
        expected += if_foreign * max(0.0, 1 - english / (_ENGLISH_SHARE * words))
    return expected + _DEVIATIONS * math.sqrt(variance)


class _Costs(dict[str, PieceCost]):
    """The costs of pieces met before; forgets them all when full."""

    def __missing__(self, piece: str) -> PieceCost:
        cost = piece_cost(piece)
        if len(self) >= _CACHED_PIECES:
            self.clear()
        self[piece] = cost
        return cost


_COSTS = _Costs()


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
