"""Tables: fitted to the terminal, or tab-separated with nothing shortened where standard output is not one."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from camillo_server.cli.output import console

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

GAP = 2
LEAST_TEXT_WIDTH = 32
# Zero width joiner and non-joiner belong to emoji and to many scripts; other format characters can turn a line around.
KEPT_FORMAT_CHARACTERS = frozenset("\u200c\u200d")
HIDDEN = frozenset({"Cc", "Cf", "Cs"})


@dataclass(frozen=True, slots=True)
class Column:
    """A heading, and how its cells look. An optional column goes first where the terminal is narrow."""

    title: str
    style: str = ""
    right: bool = False
    optional: bool = False
    # Styles of single cells, by what is in them.
    styles: Mapping[str, str] = field(default_factory=dict)


def show_table(
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    lines: int = 1,
    *,
    drawn: bool = False,
) -> None:
    """Prints rows whose last cell is a text of any length, on a terminal cut to so many lines.

    `drawn` is for what is to be looked at, not processed, wherever it goes.
    """
    cleaned = [[clean(cell) for cell in row] for row in rows]
    if not drawn and not console().is_terminal:
        for row in cleaned:
            sys.stdout.write("\t".join(row) + "\n")
    else:
        _draw(console(), columns, cleaned, lines)


def clean(text: str) -> str:
    """Any text as one line that a terminal cannot misread."""
    return "".join(map(_visible, " ".join(text.split())))


def printable(text: str) -> str:
    """A text of several lines without what would steer a terminal."""
    return "".join(c if c in "\n\t" else _visible(c) for c in text)


def _visible(character: str) -> str:
    if character.isascii():
        return character if character.isprintable() else "\N{REPLACEMENT CHARACTER}"
    if character in KEPT_FORMAT_CHARACTERS or unicodedata.category(character) not in HIDDEN:
        return character
    return "" if unicodedata.category(character) == "Cf" else "\N{REPLACEMENT CHARACTER}"


def _draw(
    console: Console, columns: Sequence[Column], rows: Sequence[Sequence[str]], lines: int
) -> None:
    from rich.table import Table
    from rich.text import Text

    kept, text_width = _fitted(columns, rows, console.width)
    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="dim")
    for place in kept:
        column = columns[place]
        table.add_column(
            column.title,
            style=column.style,
            justify="right" if column.right else "left",
            no_wrap=place != kept[-1],
        )
    for row in rows:
        cells = [Text(row[place], columns[place].styles.get(row[place], "")) for place in kept[:-1]]
        table.add_row(*cells, _shortened(console, row[-1], text_width, lines))
    console.print(table)


def _fitted(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int
) -> tuple[list[int], int]:
    """The columns that there is room for, and the width left for the last."""
    kept = list(range(len(columns)))
    while True:
        taken = sum(_width(columns, rows, place) + GAP for place in kept[:-1])
        optional = [place for place in kept[:-1] if columns[place].optional]
        if width - taken >= LEAST_TEXT_WIDTH or not optional:
            return kept, max(width - taken - 1, 10)
        kept.remove(optional[-1])


def _width(columns: Sequence[Column], rows: Sequence[Sequence[str]], place: int) -> int:
    from rich.cells import cell_len

    return max([cell_len(columns[place].title), *(cell_len(row[place]) for row in rows)])


def _shortened(console: Console, text: str, width: int, lines: int) -> Text:
    """The first lines of a text, with an ellipsis where there is more."""
    from rich.text import Text

    # What lies far beyond what is shown need not be measured.
    wrapped = Text(text[: width * (lines + 2) * 2]).wrap(console, width)
    shown = wrapped[:lines]
    if len(wrapped) > lines:
        last = shown[-1]
        last.rstrip()
        last.truncate(width - 1)
        last.append("…")
    return Text("\n").join(shown)
