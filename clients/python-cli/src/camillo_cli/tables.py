"""Lists as tables: columns are data, fitted to the terminal; elsewhere tab-separated below a line of headings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from camillo_cli.format import age_of, clean, field_text
from camillo_cli.output import (
    HasFormat,
    console,
    is_terminal,
    note,
    print_item,
    print_message,
    print_text,
    say,
)

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

GAP = 2
MIN_TEXT_WIDTH = 32
PAGE_SIZE = 200

# The path of a field (`stated.reach`), or a function of the message.
Value = str | Callable[[Any], str]
Details = Sequence[tuple[str, Value]]


@dataclass(frozen=True, slots=True)
class Column:
    """A heading, the value below it, and how it looks. An optional column is left out first on a narrow terminal."""

    title: str
    value: Value = ""
    style: str = ""
    right: bool = False
    optional: bool = False
    # Styles of single cells, by their text.
    styles: Mapping[str, str] = field(default_factory=dict)


def text_of(item: Any, value: Value) -> str:
    """The text of a value of a message."""
    return field_text(item, value) if isinstance(value, str) else value(item)


def age_in(name: str) -> Callable[[Any], str]:
    """The age of a timestamp, by the path of its field."""
    timestamp = attrgetter(name)
    return lambda item: age_of(timestamp(item))


def within(column: Column, name: str) -> Column:
    """The column for messages that have its message in a field of this name."""
    return replace(column, value=lambda item: text_of(getattr(item, name), column.value))


def pages(call: Callable[..., Iterable[Any]], limit: int | None, **arguments: Any) -> Iterable[Any]:
    """The first `limit` results of a paginated call of the client, read page by page."""
    return islice(call(page_size=min(limit or PAGE_SIZE, PAGE_SIZE), **arguments), limit)


def print_list(
    options: HasFormat,
    items: Iterable[Any],
    columns: Sequence[Column],
    *,
    empty: str | Callable[[], str],
    lines: int = 1,
) -> None:
    """Prints messages or dataclasses as lines of JSON or as a table, page by page so that the first are seen before
    the last are read; `empty`, or what it returns, is noted where there are none."""
    if options.as_json:
        for item in items:
            print_item(item)
        return
    rest, is_first = iter(items), True
    while page := list(islice(rest, PAGE_SIZE)):
        show_items(page, columns, lines, is_first=is_first)
        is_first = False
    if is_first:
        note(empty if isinstance(empty, str) else empty())


def show_items(
    items: Iterable[Any],
    columns: Sequence[Column],
    lines: int = 1,
    *,
    always_drawn: bool = False,
    is_first: bool = True,
) -> None:
    """Prints a row for each item; see show_table."""
    rows = [[text_of(item, column.value) for column in columns] for item in items]
    show_table(columns, rows, lines, always_drawn=always_drawn, is_first=is_first)


def show_details(item: Any, fields: Details) -> None:
    """Prints a line for each field that is not empty."""
    for name, value in details(item, fields):
        say(f"{name:<12} {value}")


def show_record(options: HasFormat, record: Any, text: str, fields: Details, lists: Iterable[str] = ()) -> None:
    """Prints a record as JSON, or its text, each list of texts below its name, and a line for each other field."""
    if options.as_json:
        print_message(record)
        return
    print_text(text)
    for name in lists:
        if texts := getattr(record.stated, name):
            say(f"\n{name}")
            for each in texts:
                say(f"- {clean(each)}")
    say("")
    show_details(record, fields)


def details(item: Any, fields: Details) -> list[tuple[str, str]]:
    """The fields that are not empty, each with its name."""
    shown = ((name, clean(text_of(item, value))) for name, value in fields)
    return [(name, text) for name, text in shown if text]


def show_table(
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    lines: int = 1,
    *,
    always_drawn: bool = False,
    is_first: bool = True,
) -> None:
    """Prints rows whose last cell is a text of any length, on a terminal cut to so many lines; nothing without rows.

    `always_drawn` is for output that is looked at, not processed, wherever it goes. Off a terminal, only the first page
    of a list has headings.
    """
    cleaned = [[clean(cell) for cell in row] for row in rows]
    if not rows:
        return
    if always_drawn or is_terminal():
        _draw(console(), columns, cleaned, lines)
        return
    titles = [[column.title for column in columns]] if is_first else []
    for row in (*titles, *cleaned):
        say("\t".join(row))


def _draw(console: Console, columns: Sequence[Column], rows: Sequence[Sequence[str]], lines: int) -> None:
    from rich.table import Table
    from rich.text import Text

    kept, text_width = _fit(columns, rows, console.width)
    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="dim")
    for index in kept:
        column = columns[index]
        table.add_column(
            column.title,
            style=column.style,
            justify="right" if column.right else "left",
            no_wrap=index != kept[-1],
        )
    for row in rows:
        cells = [Text(row[index], columns[index].styles.get(row[index], "")) for index in kept[:-1]]
        table.add_row(*cells, _cut(console, row[-1], text_width, lines))
    console.print(table)


def _fit(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int) -> tuple[list[int], int]:
    """The indexes of the columns that there is room for, and the width left for the last."""
    from rich.cells import cell_len

    kept = list(range(len(columns)))
    widths = [
        max([cell_len(column.title), *(cell_len(row[index]) for row in rows)])
        for index, column in enumerate(columns[:-1])
    ]
    while True:
        used = sum(widths[index] + GAP for index in kept[:-1])
        optional = [index for index in kept[:-1] if columns[index].optional]
        if width - used >= MIN_TEXT_WIDTH or not optional:
            return kept, max(width - used - 1, 10)
        kept.remove(optional[-1])


def _cut(console: Console, text: str, width: int, lines: int) -> Text:
    """The first lines of a text, with an ellipsis where there is more."""
    from rich.text import Text

    # Text far beyond what is shown need not be measured.
    wrapped = Text(text[: width * (lines + 2) * 2]).wrap(console, width)
    shown = wrapped[:lines]
    if len(wrapped) > lines:
        last = shown[-1]
        last.rstrip()
        last.truncate(width - 1)
        last.append("…")
    return Text("\n").join(shown)
