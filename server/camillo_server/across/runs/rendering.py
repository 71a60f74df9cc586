"""Renders a run into a budget, as sections under headings; puts what was said and answered in fences, as data.

First comes what is never cut, then the last rounds, then as many older ones as there is room for. The whole text is
counted each time, so that the bound holds whatever a counter does. Equal runs are rendered equally. Focus and
instructions are not fenced: the agent, or who runs it, states them, and they are to be followed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from camillo_formats.characters import border_at_or_before
from camillo_formats.rendering import cleaned, indented, one_line

from camillo_server.across.context.rendering import (
    fence_closed,
    fence_opened,
    fence_tag,
    heading,
    notice,
)
from camillo_server.across.runs.run import FunctionCall, RunContents, RunStep
from camillo_server.features.events.chunks import call_text
from camillo_server.kernel.errors import BudgetTooSmall
from camillo_server.lib.text.json_lines import json_text
from camillo_server.lib.text.tokens import TokenCounter

# A text is never cut below this length: less of it tells nothing.
MIN_CHARACTERS = 80
MIN_SENTENCE_CHARACTERS = 24
# A search begins with these: characters of a usual token, and tokens of a usual sentence.
CHARACTERS_PER_TOKEN = 4.0
TOKENS_OF_A_SENTENCE = 20.0
# A search ends where so little of the budget is free, or after so many counts.
NARROW = 0.005
MAX_COUNTS = 12
_CUT = "\N{HORIZONTAL ELLIPSIS}"


@dataclass(frozen=True, slots=True)
class RunSection:
    """A part of a rendered run. `items`: how many rounds or instructions it shows; `cut`: how many rounds were left out
    or shortened; `tokens` are counted last, of the sections that are shown."""

    name: str
    text: str
    items: int
    cut: int = 0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class RenderedRun:
    """The text, its tokens, and its parts in order."""

    prompt: str
    tokens: int
    sections: Sequence[RunSection]


@dataclass(frozen=True, slots=True)
class Cuts:
    """How many rounds are shown as they were, the last ones, and how many characters of each text; and how many older
    ones in a sentence (None: not even their number is), of which the oldest has so many characters."""

    rounds: int
    result_characters: int | None = None
    other_characters: int | None = None
    sentences: int | None = None
    last_sentence_characters: int | None = None


_WHOLE = Cuts(0)


def render(contents: RunContents, max_tokens: int, counter: TokenCounter, seed: str) -> RenderedRun:
    """Raises BudgetTooSmall where trigger, focus and instructions do not fit."""
    room = _Room(RunText(contents, seed), max_tokens, counter)
    room.require_fixed()
    sections = room.text.sections(_with_sentences(_with_rounds(room), room))
    prompt = "".join(section.text for section in sections)
    return RenderedRun(
        prompt=prompt,
        tokens=counter.count(prompt),
        sections=[replace(each, tokens=counter.count(each.text)) for each in sections],
    )


@dataclass(frozen=True, slots=True)
class _StepText:
    """A step in a form that no line of it can be taken for anything else. The first `uncut` characters of what it
    begins with are never cut."""

    opening: str
    uncut: int
    result: str = ""
    outcome: str = ""

    def text(self, cuts: Cuts) -> str:
        opening = _shortened(self.opening, cuts.other_characters, self.uncut)
        if not self.outcome:
            return opening
        result = _shortened(self.result, cuts.result_characters)
        return f"{opening}\n{self.outcome}: {result}" if result else f"{opening}\n{self.outcome}"

    def is_cut(self, cuts: Cuts) -> bool:
        return self.text(cuts) != self.text(_WHOLE)


class RunText:
    """The texts of one run, cleaned once."""

    def __init__(self, contents: RunContents, seed: str) -> None:
        self._run = contents.run
        self._rounds = [(each.number, tuple(_step_text(step) for step in each.steps)) for each in contents.rounds]
        self._sentences = {number: one_line(summary.sentence) for number, summary in contents.summaries.items()}
        stated = contents.run.stated
        kind, payload = one_line(stated.trigger.type), json_text(stated.trigger.payload)
        self._trigger = cleaned(f"{kind}\n{payload}" if payload else kind)
        # One line: a heading in it would be one of the prompt.
        self._focus = one_line(stated.focus)
        self._instructions = [cleaned(each) for each in contents.instructions]
        self._tag = fence_tag(seed, self._texts())
        # How many rounds can be shown as they were, and the characters of the longest result and other text among them.
        self.rounds = len(self._rounds)
        self.longest_result = max((len(each.result) for each in self._steps()), default=0)
        self.longest_other = max((len(each.opening) - each.uncut for each in self._steps()), default=0)

    def sentences(self, rounds: int) -> int:
        """How many older rounds can be shown in a sentence, where so many are shown as they were."""
        return sum(number <= self._run.rounds - rounds for number in self._sentences)

    def sentence_length(self, cuts: Cuts) -> int:
        """The characters of the first sentence that these cuts leave out; 0 where there is none."""
        number = self._run.rounds - cuts.rounds - (cuts.sentences or 0)
        return len(self._sentences.get(number, ""))

    def fixed(self) -> list[RunSection]:
        """The sections that are never cut."""
        trigger = notice(self._tag) + self._fenced("Trigger", "trigger", indented(self._trigger))
        sections = [RunSection("trigger", trigger, 1)]
        if self._focus:
            focus = f"{heading('Focus')}{indented(f'- {self._focus}')}\n"
            sections.append(RunSection("focus", focus, 1))
        if self._instructions:
            lines = "".join(indented(f"- {each}") for each in self._instructions)
            text = f"{heading('Instructions')}{lines}\n"
            sections.append(RunSection("instructions", text, len(self._instructions)))
        return sections

    def sections(self, cuts: Cuts) -> list[RunSection]:
        """All sections in their order; one that nothing is shown of says what was left out."""
        return [*self.fixed(), *self._earlier(cuts), *self._last_rounds(cuts)]

    def _earlier(self, cuts: Cuts) -> Iterator[RunSection]:
        older = self._run.rounds - cuts.rounds
        if not older:
            return
        if cuts.sentences is None:
            yield RunSection("earlier", "", 0, older)
            return
        first = older - cuts.sentences + 1
        lines = [f"[{number}] {self._sentences[number]}\n" for number in range(first, older + 1)]
        is_shortened = cuts.last_sentence_characters is not None
        if is_shortened:
            sentence = _shortened(self._sentences[first], cuts.last_sentence_characters, reported=False)
            lines[0] = f"[{first}] {sentence}\n"
        if first > 1:
            more = f"{first - 1:,} older round{'s' if first > 2 else ''} not shown"
            lines.insert(0, f"({more})\n")
        text = self._fenced("Earlier rounds", "earlier", "".join(lines))
        yield RunSection("earlier", text, cuts.sentences, first - 1 + is_shortened)

    def _last_rounds(self, cuts: Cuts) -> Iterator[RunSection]:
        if not cuts.rounds:
            return
        shown = self._rounds[-cuts.rounds :]
        lines = (indented(f"[{number}] {step.text(cuts)}") for number, steps in shown for step in steps)
        cut = sum(any(step.is_cut(cuts) for step in steps) for _, steps in shown)
        text = self._fenced("Last rounds", "rounds", "".join(lines))
        yield RunSection("rounds", text, len(shown), cut)

    def _fenced(self, title: str, name: str, lines: str) -> str:
        return f"{fence_opened(title, name, self._tag)}{lines}{fence_closed(self._tag)}"

    def _steps(self) -> Iterator[_StepText]:
        return (step for _, steps in self._rounds for step in steps)

    def _texts(self) -> Iterator[str]:
        yield from (self._trigger, self._focus, *self._instructions, *self._sentences.values())
        yield from (text for each in self._steps() for text in (each.opening, each.result))


@dataclass(frozen=True, slots=True)
class _Room:
    """Finds how much of a run fits into so many tokens."""

    text: RunText
    max_tokens: int
    counter: TokenCounter

    def require_fixed(self) -> None:
        """Raises BudgetTooSmall where what is never cut does not fit."""
        sections = self.text.fixed()
        whole = "".join(section.text for section in sections)
        if not self.counter.fits(whole, self.max_tokens):
            needed = {section.name: self.counter.count(section.text) for section in sections}
            raise BudgetTooSmall(self.max_tokens, self.counter.count(whole), needed)

    def fits(self, cuts: Cuts) -> bool:
        return self.counter.fits(self._rendered(cuts), self.max_tokens)

    def widest(self, cuts: Cuts, field: str, max_size: int, per_token: float) -> Cuts:
        """These cuts, which fit, with about the greatest size of this field that fits, too. `per_token`: by how much
        the size grows for a token, about."""
        low, low_tokens = getattr(cuts, field), self._count(cuts)
        for _ in range(MAX_COUNTS):
            free = self.max_tokens - low_tokens
            if low >= max_size or free <= NARROW * self.max_tokens:
                break
            size = min(max(low + int(free * per_token), low + 1), max_size)
            tokens = self._count(replace(cuts, **{field: size}))
            # From two sizes follows how the next one is to be chosen.
            per_token = (size - low) / max(tokens - low_tokens, 1)
            if tokens <= self.max_tokens:
                low, low_tokens = size, tokens
            else:
                max_size = size - 1
        return replace(cuts, **{field: low})

    def _count(self, cuts: Cuts) -> int:
        return self.counter.count(self._rendered(cuts))

    def _rendered(self, cuts: Cuts) -> str:
        return "".join(section.text for section in self.text.sections(cuts))


def _with_rounds(room: _Room) -> Cuts:
    """The last rounds whole; else their results shortened, then their other texts; else fewer of them."""
    longest = {
        "result_characters": room.text.longest_result,
        "other_characters": room.text.longest_other,
    }
    for rounds in range(room.text.rounds, 0, -1):
        cuts = Cuts(rounds)
        if room.fits(cuts):
            return cuts
        for field, max_size in longest.items():
            cuts = replace(cuts, **{field: MIN_CHARACTERS})
            if room.fits(cuts):
                return room.widest(cuts, field, max_size, CHARACTERS_PER_TOKEN / rounds)
    return Cuts(0)


def _with_sentences(cuts: Cuts, room: _Room) -> Cuts:
    """Adds a sentence for as many older rounds as fit, the oldest left out first, and the beginning of one more."""
    none = replace(cuts, sentences=0)
    if not room.fits(none):
        return cuts
    older = room.text.sentences(cuts.rounds)
    shown = room.widest(none, "sentences", older, 1 / TOKENS_OF_A_SENTENCE)
    length = room.text.sentence_length(shown)
    longer = replace(
        shown,
        sentences=(shown.sentences or 0) + 1,
        last_sentence_characters=MIN_SENTENCE_CHARACTERS,
    )
    if length <= MIN_SENTENCE_CHARACTERS or not room.fits(longer):
        return shown
    return room.widest(longer, "last_sentence_characters", length, CHARACTERS_PER_TOKEN)


def _step_text(step: RunStep) -> _StepText:
    what = step.what
    if not isinstance(what, FunctionCall):
        opening = "answered: "
        return _StepText(f"{opening}{cleaned(what.text)}", len(opening))
    name = one_line(what.name)
    result = cleaned(what.result)
    outcome = "failed" if what.is_error else "result" if result else ""
    opening = f"called {cleaned(call_text(name, what.arguments))}"
    return _StepText(opening, len("called ") + len(name) + 1, result, outcome)


def _shortened(text: str, size: int | None, uncut: int = 0, *, reported: bool = True) -> str:
    """The text, or of a longer one so many characters behind `uncut`, and how many more there are if that is
    `reported`."""
    if size is None or len(text) <= uncut + size:
        return text
    kept = text[: border_at_or_before(text, uncut + size, uncut)]
    rest = f" [{len(text) - len(kept):,} more characters]" if reported else ""
    return f"{kept}{_CUT}{rest}"
