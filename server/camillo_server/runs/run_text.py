"""A run as a text: sections under headings; what was said and answered in fences, as data.

What the agent, or who runs it, states itself, is not fenced: focus and instructions are to be followed.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from camillo_server.context.rendering import (
    cleaned,
    fence_closed,
    fence_opened,
    fence_tag,
    heading,
    indented,
    notice,
    one_line,
)
from camillo_server.events.chunks import call_text, json_text
from camillo_server.runs.run import FunctionCall, RunContents, RunStep
from camillo_server.text.characters import border_at_or_before

_CUT = "\N{HORIZONTAL ELLIPSIS}"


@dataclass(frozen=True, slots=True)
class Cuts:
    """How many rounds are shown as they were, the last ones, and how many characters of each text; and how many older
    ones in a sentence (None: not even their number is), of which the oldest has so many characters."""

    rounds: int
    result_characters: int | None = None
    other_characters: int | None = None
    sentences: int | None = None
    last_sentence_characters: int | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """A section as rendered: how many rounds or instructions it shows, and how many were left out or shortened."""

    name: str
    text: str
    items: int
    cut: int = 0


@dataclass(frozen=True, slots=True)
class _TextPiece:
    """A step in a form that no line of it can be taken for anything else. Of what is before `least` nothing is cut."""

    opening: str
    least: int
    result: str = ""
    came_back: str = ""

    def text(self, cuts: Cuts) -> str:
        said = _shortened(self.opening, cuts.other_characters, self.least)
        if not self.came_back:
            return said
        result = _shortened(self.result, cuts.result_characters)
        return f"{said}\n{self.came_back}: {result}" if result else f"{said}\n{self.came_back}"

    def is_cut(self, cuts: Cuts) -> bool:
        return self.text(cuts) != self.text(_WHOLE)


_WHOLE = Cuts(0)


class RunText:
    """The texts of one run, made ready once."""

    def __init__(self, contents: RunContents, seed: str) -> None:
        self._run = contents.run
        self._rounds = [
            (each.number, tuple(_piece(step) for step in each.steps)) for each in contents.rounds
        ]
        self._sentences = {
            number: one_line(summary.sentence) for number, summary in contents.summaries.items()
        }
        stated = contents.run.stated
        self._trigger = _trigger(one_line(stated.trigger.type), json_text(stated.trigger.payload))
        self._focus = cleaned(stated.focus)
        self._instructions = [cleaned(each) for each in contents.instructions]
        self._tag = fence_tag(seed, self._texts())

    @property
    def rounds(self) -> int:
        """How many rounds can be shown as they were."""
        return len(self._rounds)

    @property
    def longest_result(self) -> int:
        """The characters of the longest result among them."""
        return max((len(each.result) for each in self._pieces()), default=0)

    @property
    def longest_other(self) -> int:
        """The same of arguments and answers."""
        return max((len(each.opening) - each.least for each in self._pieces()), default=0)

    def sentences(self, rounds: int) -> int:
        """How many older rounds can be told, where so many are shown as they were."""
        return sum(number <= self._run.rounds - rounds for number in self._sentences)

    def sentence_length(self, cuts: Cuts) -> int:
        """The characters of the first sentence that these cuts leave out; 0 where there is none."""
        number = self._run.rounds - cuts.rounds - (cuts.sentences or 0)
        return len(self._sentences.get(number, ""))

    def fixed(self) -> list[Part]:
        """What is never cut."""
        body = indented(self._trigger)
        trigger = (
            f"{notice(self._tag)}{fence_opened('Trigger', 'trigger', self._tag)}"
            f"{body}{fence_closed(self._tag)}"
        )
        parts = [Part("trigger", trigger, 1)]
        if self._focus:
            parts.append(Part("focus", f"{heading('Focus')}{indented(f'- {self._focus}')}\n", 1))
        if self._instructions:
            lines = "".join(indented(f"- {each}") for each in self._instructions)
            text = f"{heading('Instructions')}{lines}\n"
            parts.append(Part("instructions", text, len(self._instructions)))
        return parts

    def parts(self, cuts: Cuts) -> list[Part]:
        """All sections in their order; one that nothing is shown of says what was left out."""
        return [*self.fixed(), *self._earlier(cuts), *self._last_rounds(cuts)]

    def text(self, cuts: Cuts) -> str:
        """All of them as one text."""
        return "".join(part.text for part in self.parts(cuts))

    def _earlier(self, cuts: Cuts) -> Iterator[Part]:
        older = self._run.rounds - cuts.rounds
        if not older:
            return
        if cuts.sentences is None:
            yield Part("earlier", "", 0, older)
            return
        first = older - cuts.sentences + 1
        lines = [f"[{number}] {self._sentences[number]}\n" for number in range(first, older + 1)]
        is_shortened = cuts.last_sentence_characters is not None
        if is_shortened:
            sentence = _shortened(self._sentences[first], cuts.last_sentence_characters, told=False)
            lines[0] = f"[{first}] {sentence}\n"
        if first > 1:
            more = f"{first - 1:,} older round{'s' if first > 2 else ''} not shown"
            lines.insert(0, f"({more})\n")
        body = f"{fence_opened('Earlier rounds', 'earlier', self._tag)}{''.join(lines)}"
        text = f"{body}{fence_closed(self._tag)}"
        yield Part("earlier", text, cuts.sentences, first - 1 + is_shortened)

    def _last_rounds(self, cuts: Cuts) -> Iterator[Part]:
        if not cuts.rounds:
            return
        shown = self._rounds[-cuts.rounds :]
        lines = [
            indented(f"[{number}] {piece.text(cuts)}")
            for number, pieces in shown
            for piece in pieces
        ]
        body = f"{fence_opened('Last rounds', 'rounds', self._tag)}{''.join(lines)}"
        cut = sum(any(piece.is_cut(cuts) for piece in pieces) for _, pieces in shown)
        yield Part("rounds", f"{body}{fence_closed(self._tag)}", len(shown), cut)

    def _pieces(self) -> Iterator[_TextPiece]:
        return (piece for _, pieces in self._rounds for piece in pieces)

    def _texts(self) -> Iterator[str]:
        yield from (self._trigger, self._focus, *self._instructions, *self._sentences.values())
        yield from (text for each in self._pieces() for text in (each.opening, each.result))


def _trigger(kind: str, payload: str) -> str:
    return cleaned(f"{kind}\n{payload}" if payload else kind)


def _piece(step: RunStep) -> _TextPiece:
    what = step.what
    if not isinstance(what, FunctionCall):
        opening = "answered: "
        return _TextPiece(f"{opening}{cleaned(what.text)}", len(opening))
    name = one_line(what.name)
    result = cleaned(what.result)
    came_back = "failed" if what.is_error else "result" if result else ""
    opening = f"called {cleaned(call_text(name, what.arguments))}"
    return _TextPiece(opening, len("called ") + len(name) + 1, result, came_back)


def _shortened(text: str, most: int | None, least: int = 0, *, told: bool = True) -> str:
    """The text, or of a longer one so many characters behind `least`, and how many more there are if that is `told`."""
    if most is None or len(text) <= least + most:
        return text
    kept = text[: border_at_or_before(text, least + most, least)]
    return f"{kept}{_CUT} [{len(text) - len(kept):,} more characters]" if told else f"{kept}{_CUT}"
