"""Matching lines as grep shows them: `12:` before a match, `13-` before a line around it, `--` between groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from camillo_server.cli.output import console, say
from camillo_server.cli.tables import printable

if TYPE_CHECKING:
    from camillo.v1.artifact_pb2 import ArtifactLine, ArtifactMatch
    from rich.text import Text

CUT = "…"


@dataclass(frozen=True, slots=True)
class GrepLine:
    """A line to be shown; `spans` are what matched in it, none for a line around a match."""

    number: int
    text: str
    is_match: bool
    spans: tuple[tuple[int, int], ...] = ()


def grep_lines(matches: Iterable[ArtifactMatch]) -> Iterator[GrepLine | None]:
    """Each line once, in order, though it may be around several matches; None where lines are left out between."""
    last, behind = 0, ()  # type: tuple[int, Iterable[ArtifactLine]]
    for match in matches:
        around = [*behind, *match.before]
        fresh = {line.number: line for line in around if last < line.number < match.line.number}
        for line in [_around(line) for line in fresh.values()] + [_match(match)]:
            if last and line.number > last + 1:
                yield None
            yield line
            last = line.number
        behind = match.after
    yield from (_around(line) for line in behind if line.number > last)


def show_lines(matches: Iterable[ArtifactMatch], *, with_context: bool) -> int:
    """Prints them, in colours on a terminal; how many matched."""
    found = 0
    for line in grep_lines(matches):
        if line is not None:
            found += line.is_match
            _show(line)
        elif with_context:
            say("--")
    return found


def _show(line: GrepLine) -> None:
    if console().is_terminal:
        console().print(colored(line), soft_wrap=True)
    else:
        say(f"{line.number}{':' if line.is_match else '-'}{line.text}")


def colored(line: GrepLine) -> Text:
    """Number and matches stand out; what would steer a terminal is left out."""
    from rich.text import Text

    text = Text.assemble((str(line.number), "green"), (":" if line.is_match else "-", "cyan"))
    place = 0
    for start, end in line.spans:
        text.append(printable(line.text[place:start]))
        text.append(printable(line.text[start:end]), "bold red")
        place = end
    text.append(printable(line.text[place:]))
    return text


def _match(match: ArtifactMatch) -> GrepLine:
    spans = tuple((span.start, span.end) for span in match.spans)
    return GrepLine(match.line.number, _text(match.line), True, spans)


def _around(line: ArtifactLine) -> GrepLine:
    return GrepLine(line.number, _text(line), False)


def _text(line: ArtifactLine) -> str:
    return line.text + CUT if line.is_cut else line.text
