"""How many tokens a text takes in a model's context, estimated so as not to undercount.

The text is cut as byte-pair tokenizers of the cl100k and o200k kind cut it before they merge: a word with the one
mark or space before it, up to three digits, a run of marks, a run of white space. A piece costs a token at least and
what `token_costs` expects beyond. The sum gets a margin for chance.
"""

import math
import re
import sys
import threading
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from camillo_server.lib.text.token_costs import piece_cost

# A client of MCP counts single texts: numpy, a third of what it takes to start, is for those that are counted joined.
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
# No piece is longer, and each costs a token at least.
_MAX_PIECE = 112
# The margin in standard deviations.
_DEVIATIONS = 2.2
# A text with at least the first share of words, of which fewer than the second show English, is in another language.
_PROSE_SHARE = 0.5
_ENGLISH_SHARE = 0.1
_CACHED_PIECES = 65_536
_NUMBER_BYTES = array("i").itemsize
# Costs are summed as whole numbers of this part of a token: in whatever order, the sum is the same.
_PARTS_OF_A_TOKEN = 1_000_000
# Language and margin are judged for so many characters at once; a cut costs a token at most.
_STRETCH = 8_192
# Bytes that are not valid in their encoding, as `surrogateescape` decodes them.
_NOT_VALID = re.compile("[\udc80-\udcff]")
# The densest text has a token for each character; less than so many characters never need counting twice.
_SHRINK = 0.97


class CountedText:
    """A text that stands in several longer ones. A counter keeps with it what it has found of it: `known` begins with
    whose that is."""

    __slots__ = ("known", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.known: tuple[object, Any] | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CountedText) and other.text == self.text

    def __hash__(self) -> int:
        return hash(self.text)


def is_border(before: str, behind: str) -> bool:
    """Whether no token of any vocabulary known here reaches from the one text into the other: between two lines of
    which the second is not indented, and between a bracket and a space. A run of marks may go on with a slash behind
    the end of a line."""
    if behind[:1].isspace():
        return before.endswith("]") and behind[0] == " "
    return before.endswith("\n") and not behind.startswith("/")


class TokenCounter(Protocol):
    """Counts the tokens that a text takes in a context."""

    @property
    def name(self) -> str:
        """The name of the vocabulary that it counts with, or `estimate`."""
        ...

    def count(self, text: str) -> int: ...

    def count_joined(self, texts: Sequence[CountedText]) -> int:
        """The `count` of these texts joined. There has to be a border between each two of them (`is_border`)."""
        ...

    def count_after_space(self, text: CountedText) -> int:
        """The `count` of the text without the space that it begins with."""
        ...

    def fits(self, text: str, budget: int) -> bool:
        """Whether `count` is at most the budget."""
        ...

    def __hash__(self) -> int: ...


def count_tokens(text: str) -> int:
    """At least the tokens that a model of the cl100k or o200k kind needs for the text, most probably."""
    return math.ceil(sum(_stretches(text)))


def count_joined_tokens(texts: Sequence[CountedText]) -> int:
    """The `count_tokens` of these texts joined. Only texts that were not counted before are cut into pieces."""
    costs = _current_costs()
    parts: list[_Sums] = []
    tokens, room = 0.0, _STRETCH
    for each in texts:
        size = len(each.text)
        if size > room:
            text, start = each.text, 0
            while size - start > room:
                parts.append(costs.sums(text, start, start + room))
                tokens += _tokens_of_sums(parts, costs)
                start, room = start + room, _STRETCH
                parts.clear()
            parts.append(costs.sums(text, start, start + room))
            room -= size - start
            continue
        known = each.known
        if known is None or known[0] is not costs.identity:
            known = each.known = (costs.identity, costs.sums(each.text))
        parts.append(known[1])
        room -= size
    return math.ceil(tokens + _tokens_of_sums(parts, costs))


def count_tokens_after_space(text: CountedText) -> int:
    """`count_tokens` of the text without the space that it begins with; it is cut once for this and for
    `count_joined_tokens`."""
    whole, costs = text.text, _current_costs()
    if len(whole) <= _STRETCH:
        pieces = _PIECE.findall(whole)
        first = pieces[0]
        # A word stays as it is; what else goes on behind the space might be cut in another way without it.
        if first == " " or first[1].isalnum():
            bare = first[1:]
            pieces[0:1] = (bare,) if bare else ()
            own = costs.sums_of(pieces)
            text.known = (costs.identity, _beginning_otherwise(own, bare, first, costs))
            return math.ceil(_tokens_of_one(own, costs))
    return count_tokens(whole[1:])


def fits(text: str, budget: int) -> bool:
    """Whether `count_tokens` is at most the budget; reads little more of the text than tells."""
    if len(text) > max(budget, 0) * _MAX_PIECE:
        return False
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
    count_joined = staticmethod(count_joined_tokens)
    count_after_space = staticmethod(count_tokens_after_space)
    fits = staticmethod(fits)


ESTIMATE: Final[TokenCounter] = _Estimate()


def _stretches(text: str) -> Iterator[float]:
    """The tokens of each part of the text."""
    costs = _current_costs()
    for start in range(0, len(text), _STRETCH):
        yield _tokens(_PIECE.findall(text, start, start + _STRETCH), costs)


def _tokens(pieces: list[str], costs: "_Costs") -> float:
    extra = variance = foreign = words = english = 0
    for piece, times in Counter(pieces).items():
        own, varies, is_foreign, is_word, is_english, _ = costs[piece]
        if own:
            extra += times * own
            # A piece that recurs errs each time by the same.
            variance += times * times * varies
        if is_word:
            foreign += times * is_foreign
            words += times
            english += times * is_english
    return _with_margin(len(pieces), extra, variance, foreign, words, english)


def _tokens_of_one(sums: "_Sums", costs: "_Costs") -> float:
    """The same as `_tokens_of_sums` for a single text, which has few pieces."""
    variances, variance = costs.variances(), 0
    for number, times in Counter(array("i", sums.dispersed)).items():
        variance += times * times * variances.item(number)
    return _with_margin(sums.pieces, sums.extra, variance, sums.foreign, sums.words, sums.english)


def _tokens_of_sums(parts: Sequence["_Sums"], costs: "_Costs") -> float:
    """Estimates as `_tokens` does, for pieces of which the sums are known: some thousand of them at once."""
    import numpy as np

    if not parts:
        return 0.0
    pieces, extra, foreign, words, english, dispersed = zip(*parts, strict=True)
    # The variance of a piece grows with the square of how often it occurs in all of them.
    numbers = np.frombuffer(b"".join(dispersed), np.int32).copy()
    numbers.sort()
    ends = np.append((numbers[1:] != numbers[:-1]).nonzero()[0], len(numbers) - 1) if len(numbers) else numbers
    times = np.diff(ends, prepend=-1)
    variance = int((times * times).dot(costs.variances()[numbers[ends]]))
    return _with_margin(sum(pieces), sum(extra), variance, sum(foreign), sum(words), sum(english))


def _beginning_otherwise(sums: "_Sums", bare: str, first: str, costs: "_Costs") -> "_Sums":
    """The sums of pieces of which the first is `first` instead of `bare`; the empty piece is none."""
    old, new = costs[bare] if bare else None, costs[first]
    extra, foreign, words, english, dispersed = sums[1:]
    if old is not None:
        extra, foreign, words, english = (
            extra - old.extra,
            foreign - old.foreign,
            words - old.is_word,
            english - old.is_english,
        )
        dispersed = dispersed[_NUMBER_BYTES:] if old.variance else dispersed
    if new.variance:
        dispersed = new.number.to_bytes(_NUMBER_BYTES, sys.byteorder) + dispersed
    return _Sums(
        sums.pieces + (old is None),
        extra + new.extra,
        foreign + new.foreign,
        words + new.is_word,
        english + new.is_english,
        dispersed,
    )


def _with_margin(pieces: int, extra: int, variance: int, foreign: int, words: int, english: int) -> float:
    expected = pieces + extra / _PARTS_OF_A_TOKEN
    if words > _PROSE_SHARE * pieces:
        foreign_share = max(0.0, 1 - english / (_ENGLISH_SHARE * words))
        expected += foreign / _PARTS_OF_A_TOKEN * foreign_share
    return expected + _DEVIATIONS * math.sqrt(variance / _PARTS_OF_A_TOKEN)


class _Cost(NamedTuple):
    """A piece's cost in parts of a token (`PieceCost`), and the number that stands for it."""

    extra: int
    variance: int
    foreign: int
    is_word: int
    is_english: int
    number: int


class _Sums(NamedTuple):
    """The pieces of a text, and what they cost beside their number; `dispersed` has the numbers, 4 bytes each, of those
    that may cost more or less than expected."""

    pieces: int
    extra: int
    foreign: int
    words: int
    english: int
    dispersed: bytes


class _Costs(dict[str, _Cost]):
    """The costs of pieces met before."""

    def __init__(self) -> None:
        super().__init__()
        self._variances: NDArray[np.int64] | None = None
        # Texts keep this beside their sums: with the costs themselves, they would keep those alive that were
        # replaced.
        self.identity = object()
        self._lock = threading.Lock()

    def __missing__(self, piece: str) -> _Cost:
        # If two threads meet a piece at once, both get its one number.
        with self._lock:
            known = self.get(piece)
            if known is None:
                known = self._add(piece)
            return known

    def variances(self) -> "NDArray[np.int64]":
        """The variances by the numbers of their pieces: at least those given."""
        if self._variances is None:
            import numpy as np

            with self._lock:
                variances = np.zeros(max(1_024, 2 * len(self)), np.int64)
                if self:
                    variances[: len(self)] = [each.variance for each in self.values()]
                self._variances = variances
        return self._variances

    def sums(self, text: str, start: int = 0, end: int = sys.maxsize) -> _Sums:
        """The sums of the pieces of this part of the text."""
        return self.sums_of(_PIECE.findall(text, start, end))

    def sums_of(self, pieces: Sequence[str]) -> _Sums:
        """The sums of these pieces."""
        if not pieces:
            return _Sums(0, 0, 0, 0, 0, b"")
        extra, varies, foreign, words, english, numbers = zip(*map(self.__getitem__, pieces), strict=True)
        dispersed = array("i", [number for number, varied in zip(numbers, varies, strict=True) if varied])
        return _Sums(len(pieces), sum(extra), sum(foreign), sum(words), sum(english), dispersed.tobytes())

    def _add(self, piece: str) -> _Cost:
        number, cost = len(self), piece_cost(piece)
        extra, variance, foreign = (round(each * _PARTS_OF_A_TOKEN) for each in cost[:3])
        added = _Cost(extra, variance, foreign, cost.is_word, cost.is_english, number)
        variances = self._variances
        if variances is not None:
            if number == len(variances):
                import numpy as np

                variances = self._variances = np.concatenate((variances, np.zeros_like(variances)))
            variances[number] = variance
        self[piece] = added
        return added


_costs = _Costs()


def _current_costs() -> _Costs:
    """The costs; new, empty ones once the old ones are too many, since numbers mean nothing to other costs."""
    global _costs
    if len(_costs) >= _CACHED_PIECES:
        _costs = _Costs()
    return _costs


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
    """The text, decoded with `surrogateescape`, in a form that every reader accepts: invalid bytes become U+FFFD."""
    return _NOT_VALID.sub("\ufffd", text)
