"""What a bundle is made of: its sections with bars of their budgets, and what became of each candidate."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from camillo_server.cli.output import console, note
from camillo_server.cli.tables import clean

if TYPE_CHECKING:
    from camillo.v1.context_pb2 import Bundle, PackingEntry, SectionBudget
    from rich.progress_bar import ProgressBar
    from rich.table import Table

GAP = 2
LEAST_BAR, MOST_BAR = 6, 30
# Why something is not there, or not whole, in the words of a report.
REASONS = {
    "budget": "over budget",
    "trimmed": "cut",
    "truncated_tool_output": "cut tool output",
    "duplicate": "duplicate",
    "condensed": "condensed",
    "limit": "over limit",
}
STYLES = {"kept": "green", "cut": "yellow", "cut tool output": "yellow"}


@dataclass(frozen=True, slots=True)
class Row:
    """One section of a bundle, or all of it."""

    name: str
    items: str
    used: int
    budget: int
    # How the budget came about.
    parts: tuple[str, str, str] = ("", "", "")

    def cells(self, *, explained: bool) -> list[str]:
        """In the order of the columns."""
        parts = self.parts if explained else ()
        return [self.name, self.items, *parts, f"{self.used:,}", f"{self.budget:,}"]


def show_sections(bundle: Bundle, *, explained: bool = False) -> None:
    """Prints a row for each section, in the order of the prompt; on a terminal with a bar of its budget."""
    rows = section_rows(bundle)
    if console().is_terminal:
        _draw_sections(
            rows, Row("total", "", bundle.tokens, bundle.budget_tokens), explained=explained
        )
        return
    for row in rows:
        kept, _, candidates = row.items.partition("/")
        cells = [row.name, kept, candidates, str(row.used), str(row.budget)]
        sys.stdout.write("\t".join(cells) + "\n")


def show_entries(bundle: Bundle) -> None:
    """Prints a row for each candidate of each section."""
    if console().is_terminal:
        _draw_entries(bundle.report.entries)
        return
    for entry in bundle.report.entries:
        cells = [entry.section, clean(entry.ref), became(entry), str(entry.tokens)]
        sys.stdout.write("\t".join([*cells, f"{entry.score:.3f}"]) + "\n")


def section_rows(bundle: Bundle) -> list[Row]:
    """Sections as the prompt has them, then those that are empty."""
    places = {section.name: place for place, section in enumerate(bundle.sections)}
    budgets = sorted(bundle.report.budgets, key=lambda b: places.get(b.section, len(places)))
    return [_row(budget) for budget in budgets]


def left_out(bundle: Bundle) -> str:
    """What is not in the bundle, or not whole, in one line; empty where nothing is."""
    from camillo.v1.context_pb2 import OmissionReason
    from camillo_client import enum_name

    counts: Counter[str] = Counter()
    for omission in bundle.omissions:
        name = enum_name(OmissionReason, omission.reason)
        counts[REASONS.get(name, name)] += 1
    return ", ".join(f"{count:,} {reason}" for reason, count in counts.most_common())


def became(entry: PackingEntry) -> str:
    """What became of a candidate, in a word or two."""
    from camillo.v1.context_pb2 import OmissionReason, PackingOutcome
    from camillo_client import enum_name

    if entry.outcome == PackingOutcome.PACKING_OUTCOME_KEPT:
        return "kept"
    reason = enum_name(OmissionReason, entry.reason)
    if entry.reason:
        return REASONS.get(reason, reason)
    return enum_name(PackingOutcome, entry.outcome)


def note_bundle(bundle: Bundle, *, explained: bool = False) -> None:
    """What there is to say of a bundle beside its sections."""
    if told := left_out(bundle):
        note(f"left out or cut: {told}{'' if explained else ' (see --explain)'}")
    note(f"bundle {bundle.bundle_id}, recipe {bundle.recipe}")


def _row(budget: SectionBudget) -> Row:
    return Row(
        budget.section,
        f"{budget.kept:,}/{budget.candidates:,}",
        budget.used_tokens,
        budget.share_tokens + budget.received_tokens,
        (
            f"{budget.priority}",
            f"{budget.share_tokens:,}",
            f"{budget.received_tokens:+,}" if budget.received_tokens else "",
        ),
    )


def _draw_sections(rows: Sequence[Row], total: Row, *, explained: bool) -> None:
    from rich.text import Text

    titles = ["section", "items", *(["prio", "share", "more"] if explained else []), "tokens", "of"]
    cells = [row.cells(explained=explained) for row in (*rows, total)]
    columns = zip(titles, *cells, strict=True)
    width = console().width - sum(max(map(len, column)) + GAP for column in columns)
    if explained and width < LEAST_BAR:
        _draw_sections(rows, total, explained=False)
        return
    table = _table(titles, left=1)
    if width >= LEAST_BAR:
        table.add_column("")
    for row, shown in zip((*rows, total), cells, strict=True):
        style = "bold" if row is total else ""
        bar = [_bar(row, min(width, MOST_BAR))] if width >= LEAST_BAR else []
        table.add_row(*(Text(clean(cell), style) for cell in shown), *bar)
    console().print(table)


def _table(titles: Sequence[str], *, left: int) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="dim")
    for place, title in enumerate(titles):
        table.add_column(title, justify="left" if place < left else "right", no_wrap=True)
    return table


def _bar(row: Row, width: int) -> ProgressBar:
    from rich.progress_bar import ProgressBar

    # A section without a budget is as full as it can be, and as empty.
    total = max(1, row.budget)
    return ProgressBar(
        total=total,
        completed=min(row.used, total),
        width=width,
        style="bright_black",
        complete_style="cyan",
        finished_style="yellow",
    )


def _draw_entries(entries: Sequence[PackingEntry]) -> None:
    from rich.text import Text

    table = _table(["candidate", "became", "tokens", "score"], left=2)
    for section, entry in _with_headings(entries):
        if section:
            table.add_row(Text(clean(section), "bold"))
        told = became(entry)
        score = f"{entry.score:.3f}" if entry.score else ""
        shown = Text(told, STYLES.get(told, "dim"))
        table.add_row(Text(f"  {clean(entry.ref)}"), shown, Text(f"{entry.tokens:,}"), Text(score))
    console().print(table)


def _with_headings(entries: Sequence[PackingEntry]) -> Iterator[tuple[str, PackingEntry]]:
    """Each entry, the first of a section with the section's name."""
    last = ""
    for entry in entries:
        yield (entry.section if entry.section != last else ""), entry
        last = entry.section
