"""A run rendered into a budget: what is never cut first, then the last rounds, then as many older ones as there is room
for. The whole text is counted each time, so that the bound holds whatever a counter does. Equal in, equal out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from camillo_server.kernel.errors import BudgetTooSmall
from camillo_server.runs.run import RunContents
from camillo_server.runs.run_text import Cuts, RunText
from camillo_server.text.tokens import TokenCounter

# Less of a text tells nothing; what is shorter is never cut.
MIN_CHARACTERS = 80
MIN_SENTENCE_CHARACTERS = 24
# Where a search begins: what a token and a sentence are like.
CHARACTERS_PER_TOKEN = 4.0
TOKENS_OF_A_SENTENCE = 20.0
# A search ends where so little of the budget is free, or after so many counts.
NARROW = 0.005
MAX_COUNTS = 12


@dataclass(frozen=True, slots=True)
class RunSection:
    """A part of a rendered run. `items`: how many rounds or instructions it shows; `cut`: how many rounds were left out
    or shortened."""

    name: str
    tokens: int
    items: int
    cut: int


@dataclass(frozen=True, slots=True)
class RenderedRun:
    """The text, its tokens, and its parts in order."""

    prompt: str
    tokens: int
    sections: Sequence[RunSection]


def render(contents: RunContents, max_tokens: int, counter: TokenCounter, seed: str) -> RenderedRun:
    """Raises BudgetTooSmall where trigger, focus and instructions do not fit."""
    text = RunText(contents, seed)

    _require_room(text, max_tokens, counter)
    room = _Room(text, max_tokens, counter)
    cuts = _with_sentences(text, _with_rounds(text, room), room)
    parts = text.parts(cuts)
    prompt = "".join(part.text for part in parts)
    return RenderedRun(
        prompt=prompt,
        tokens=counter.count(prompt),
        sections=[
            RunSection(part.name, counter.count(part.text), part.items, part.cut) for part in parts
        ],
    )


def _require_room(text: RunText, max_tokens: int, counter: TokenCounter) -> None:
    parts = text.fixed()
    whole = "".join(part.text for part in parts)
    if not counter.fits(whole, max_tokens):
        told = {part.name: counter.count(part.text) for part in parts}
        raise BudgetTooSmall(max_tokens, counter.count(whole), told)


@dataclass(frozen=True, slots=True)
class _Room:
    """What fits of a run."""

    text: RunText
    max_tokens: int
    counter: TokenCounter

    def fits(self, cuts: Cuts) -> bool:
        return self.counter.fits(self.text.text(cuts), self.max_tokens)

    def widest(
        self, cuts: Callable[[int], Cuts], bounds: tuple[int, int], per_token: float
    ) -> Cuts:
        """The cuts of about the greatest size that fits, where those of the least one do. `per_token`: by how much the
        size grows for a token, about."""
        (low, high), low_tokens = bounds, self._count(cuts(bounds[0]))
        for _ in range(MAX_COUNTS):
            free = self.max_tokens - low_tokens
            if low >= high or free <= NARROW * self.max_tokens:
                break
            size = min(max(low + int(free * per_token), low + 1), high)
            tokens = self._count(cuts(size))
            # From two sizes follows how the next one is to be chosen.
            per_token = (size - low) / max(tokens - low_tokens, 1)
            if tokens <= self.max_tokens:
                low, low_tokens = size, tokens
            else:
                high = size - 1
        return cuts(low)

    def _count(self, cuts: Cuts) -> int:
        return self.counter.count(self.text.text(cuts))


def _with_rounds(text: RunText, room: _Room) -> Cuts:
    """The last rounds whole; else their results shortened, then their other texts; else fewer of them."""
    for rounds in range(text.rounds, 0, -1):
        whole = Cuts(rounds)
        if room.fits(whole):
            return whole
        least = replace(whole, result_characters=MIN_CHARACTERS)
        if room.fits(least):
            return room.widest(
                lambda size, cuts=least: replace(cuts, result_characters=size),  # type: ignore[misc]
                (MIN_CHARACTERS, text.longest_result),
                CHARACTERS_PER_TOKEN / rounds,
            )
        least = replace(least, other_characters=MIN_CHARACTERS)
        if room.fits(least):
            return room.widest(
                lambda size, cuts=least: replace(cuts, other_characters=size),  # type: ignore[misc]
                (MIN_CHARACTERS, text.longest_other),
                CHARACTERS_PER_TOKEN / rounds,
            )
    return Cuts(0)


def _with_sentences(text: RunText, cuts: Cuts, room: _Room) -> Cuts:
    """As many older rounds in a sentence each as fit, the oldest left out first; of the next one what there is room for."""
    least = replace(cuts, sentences=0)
    if not room.fits(least):
        return cuts
    told = room.widest(
        lambda count: replace(cuts, sentences=count),
        (0, text.sentences(cuts.rounds)),
        1 / TOKENS_OF_A_SENTENCE,
    )
    length = text.sentence_length(told)
    longer = replace(
        told, sentences=(told.sentences or 0) + 1, last_sentence_characters=MIN_SENTENCE_CHARACTERS
    )
    if length <= MIN_SENTENCE_CHARACTERS or not room.fits(longer):
        return told
    return room.widest(
        lambda size: replace(longer, last_sentence_characters=size),
        (MIN_SENTENCE_CHARACTERS, length),
        CHARACTERS_PER_TOKEN,
    )
