"""bundle, snapshot: the context for a model, and a report of what it is made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from camillo_cli.arguments import read_words
from camillo_cli.connection import ClientOptions, connected
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.format import SHARED, clean, field_text
from camillo_cli.options import (
    Channel,
    ClientFields,
    LinkMode,
    ShownIn,
    SpeechMode,
    TimeMode,
    Words,
    ago,
    literal,
    option,
    panel,
    words,
)
from camillo_cli.output import console, note, print_message, print_notes, print_text, say
from camillo_cli.recall import degraded_notes
from camillo_cli.tables import GAP, Column, show_items

if TYPE_CHECKING:
    from rich.progress_bar import ProgressBar
    from rich.table import Table

    from camillo.v1.context_pb2 import Bundle, PackingEntry, SectionBudget

# The usual recipe allows far more, for agents with long contexts.
DEFAULT_TOKENS = 8_000
MIN_BAR, MAX_BAR = 6, 30
# Why a candidate is not in a bundle, or not whole.
REASONS = {
    "budget": "over budget",
    "trimmed": "cut",
    "truncated_tool_output": "cut tool output",
    "duplicate": "duplicate",
    "condensed": "condensed",
    "limit": "over limit",
}
LEFT_TOGETHER = frozenset(("budget", "condensed", "limit"))
STYLES = {"kept": "green", "cut": "yellow", "cut tool output": "yellow"}
bundle_option = panel("Bundle")


@dataclass(frozen=True, slots=True)
class BundleOptions(ClientFields):
    """How to build a bundle."""

    max_tokens: Annotated[
        int | None,
        bundle_option("Token budget. Default: that of the recipe; 8000 for bundle without --recipe.", min=1),
    ] = None
    session_id: Annotated[str, bundle_option("The session whose next turn it is for.", "--session")] = ""
    channel: Annotated[
        Channel | None,
        bundle_option("Where it will be shown; decides which sensitivities are read."),
    ] = None
    as_of: Annotated[
        datetime | None,
        ago(bundle_option, "As of this time: 2026-01-31T12:00Z, or 2h ago as 2h. Default: now."),
    ] = None
    spaces: Annotated[
        list[str] | None,
        bundle_option(
            "Read this space, too: users/42, projects/shop; may be repeated.", "--read-space", metavar="PATH"
        ),
    ] = None
    explain: Annotated[bool, bundle_option("Show the result for each candidate.", "--explain")] = False
    time_mode: Annotated[
        TimeMode,
        bundle_option("What a time in the text does: prefer what happened then, nothing, or leave out all else."),
    ] = TimeMode.PREFER
    link_mode: Annotated[LinkMode, bundle_option("Whether to find what the best hits are linked with, too.")] = (
        LinkMode.FOLLOW
    )
    speech_mode: Annotated[
        SpeechMode,
        bundle_option("Whether scores count who speaks, and whether it is a question."),
    ] = SpeechMode.PREFER


Render = Annotated[bool, Option("--render", help="Print the prompt and nothing else.")]


def bundle(
    client: ClientOptions,
    options: BundleOptions,
    query: Annotated[
        Words,
        Argument(help="The user's message, or a question; '-': standard input. Default: none."),
    ] = None,
    recipe: Annotated[str, option("See 'camillo recipe list'. Default: active_context.")] = "",
    intent: Annotated[str, option("What the bundle is for; it is recorded.")] = "",
    skills: Annotated[list[str] | None, option("A skill to load whole; may be repeated.", "--skill")] = None,
    render: Render = False,
) -> None:
    """Build the context for the next call of a model, and show its sections and their tokens.

    Example: camillo bundle "when do we ship?" --session s1 --max-tokens 4000 --render
    """
    _check(client, options, render)
    if options.max_tokens is None and not recipe:
        options = replace(options, max_tokens=DEFAULT_TOKENS)
    text = read_words(query) if query else ""
    with connected(client) as camillo:
        built = camillo.context.bundle(text, recipe=recipe, intent=intent, skills=skills or (), **options.fields())
    _show(client, built, render=render, explained=options.explain)


def snapshot(
    client: ClientOptions,
    options: BundleOptions,
    trigger: Annotated[Words, words("What started the run")] = None,
    focus: Annotated[str, option("What the agent should pay attention to.")] = "",
    render: Render = False,
) -> None:
    """Build the context for the start of a run, and show its sections and their tokens.

    Example: camillo snapshot "Ada wrote: the order is late" --focus orders --render
    """
    _check(client, options, render)
    text = read_words(trigger)
    with connected(client) as camillo:
        built = camillo.context.snapshot(text, focus=focus, **options.fields())
    _show(client, built, render=render, explained=options.explain)


def digest(
    client: ClientOptions,
    token_limit: Annotated[int | None, Option(min=1, help="Tokens that it may have. Default: 2000.")] = None,
    tags: Annotated[
        list[str] | None,
        Option("--tag", help="Among slots of the same time, those with this tag come first; may be repeated."),
    ] = None,
    current_time: Annotated[
        datetime | None,
        ago(option, "Leave out what has expired by then: 2026-01-31T12:00Z, or 2h. Default: now."),
    ] = None,
    channel: ShownIn = None,
    read_space: Annotated[
        list[str] | None,
        Option(metavar="PATH", help="Read the slots of this space, too: users/42; may be repeated."),
    ] = None,
    explain: Annotated[bool, Option("--explain", help="Show the result for each slot.")] = False,
) -> None:
    """Print what the slots of an agent say in brief, a line each, the newest first, as a model is shown it.

    Example: camillo digest --token-limit 500 --tag health
    """
    with connected(client) as camillo:
        built = camillo.context.digest(
            token_limit=token_limit,
            tags=tags or (),
            current_time=current_time,
            channel=literal(channel),
            spaces=read_space or (),
            explain=explain,
        )
    _show(client, built, render=not explain, explained=explain)


def _check(client: ClientOptions, options: BundleOptions, render: bool) -> None:
    if render and (options.explain or client.as_json):
        raise CliError("--render takes neither --explain nor --json", ExitCode.USAGE)


def _show(client: ClientOptions, built: Bundle, *, render: bool, explained: bool) -> None:
    print_notes(degraded_notes(built.degraded))
    for each in built.spaces:
        if not each.HasField("revision"):
            note(f"{each.space} could not be read: nothing of it is shown")
    if client.as_json:
        print_message(built)
        return
    if render:
        print_text(built.prompt.rstrip("\n"))
        return
    # In a pipe, the rows of two tables could not be told apart.
    if console().is_terminal or not explained:
        show_sections(built, explained=explained)
    if explained:
        if console().is_terminal:
            say("")
        show_entries(built)
    note_bundle(built, explained=explained)


def show_sections(bundle: Bundle, *, explained: bool = False) -> None:
    """Prints a row for each section, in the order of the prompt; on a terminal with a bar of its budget."""
    if console().is_terminal:
        _draw_sections(bundle, explained=explained)
        return
    show_items(section_budgets(bundle), SECTIONS)


def show_entries(bundle: Bundle) -> None:
    """Prints a row for each candidate of each section."""
    if console().is_terminal:
        _draw_entries(bundle.report.entries, with_spaces=bool(bundle.spaces))
        return
    show_items(bundle.report.entries, [*ENTRIES, SPACE] if bundle.spaces else ENTRIES)


def section_budgets(bundle: Bundle) -> list[SectionBudget]:
    """The sections in the order of the prompt, then those that are empty."""
    order = {section.name: index for index, section in enumerate(bundle.sections)}
    return sorted(bundle.report.budgets, key=lambda b: order.get(b.section, len(order)))


def allowed_tokens(budget: SectionBudget) -> int:
    """The share of a section, and what was added to it from shares that others do not use."""
    return budget.share_tokens + budget.received_tokens


def outcome_text(entry: PackingEntry) -> str:
    """Whether a candidate was kept, else why not, in a word or two."""
    outcome = field_text(entry, "outcome")
    if outcome == "kept" or not entry.reason:
        return outcome
    reason = field_text(entry, "reason")
    return REASONS.get(reason, reason)


def space_of(entry: PackingEntry) -> str:
    """The space that a candidate is from."""
    return clean(entry.agent_id) or SHARED


def note_bundle(bundle: Bundle, *, explained: bool = False) -> None:
    """Notes what was left out of a bundle, its id and its recipe."""
    counts: Counter[str] = Counter()
    for omission in bundle.omissions:
        name = field_text(omission, "reason")
        # These omissions are one for a section, with all that it is about; the others one for each item.
        left = max(1, len(omission.refs)) if name in LEFT_TOGETHER else 1
        counts[REASONS.get(name, name)] += left
    if counts:
        omitted = ", ".join(f"{count:,} {reason}" for reason, count in counts.most_common())
        note(f"left out or cut: {omitted}{'' if explained else ' (see --explain)'}")
    note(f"bundle {bundle.bundle_id}, recipe {bundle.recipe}")


def _draw_sections(bundle: Bundle, *, explained: bool) -> None:
    from rich.text import Text

    parts = ["prio", "share", "more"] if explained else []
    titles = ["section", "items", *parts, "tokens", "of"]
    rows = [
        ("", _cells(budget, explained=explained), budget.used_tokens, allowed_tokens(budget))
        for budget in section_budgets(bundle)
    ]
    total = ["total", "", *("" for _ in parts), f"{bundle.tokens:,}", f"{bundle.budget_tokens:,}"]
    rows.append(("bold", total, bundle.tokens, bundle.budget_tokens))
    columns = zip(titles, *(cells for _, cells, _, _ in rows), strict=True)
    width = console().width - sum(max(map(len, column)) + GAP for column in columns)
    if explained and width < MIN_BAR:
        _draw_sections(bundle, explained=False)
        return
    table = _table(titles, left=1)
    if width >= MIN_BAR:
        table.add_column("")
    for style, cells, used, allowed in rows:
        bar = [_bar(used, allowed, min(width, MAX_BAR))] if width >= MIN_BAR else []
        table.add_row(*(Text(clean(cell), style) for cell in cells), *bar)
    console().print(table)


def _cells(budget: SectionBudget, *, explained: bool) -> list[str]:
    """The cells of a row, in the order of the columns."""
    items = f"{budget.kept:,}/{budget.candidates:,}"
    received = f"{budget.received_tokens:+,}" if budget.received_tokens else ""
    parts = [f"{budget.priority}", f"{budget.share_tokens:,}", received] if explained else []
    return [budget.section, items, *parts, f"{budget.used_tokens:,}", f"{allowed_tokens(budget):,}"]


def _table(titles: Sequence[str], *, left: int) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="dim")
    for index, title in enumerate(titles):
        table.add_column(title, justify="left" if index < left else "right", no_wrap=True)
    return table


def _bar(used: int, allowed: int, width: int) -> ProgressBar:
    from rich.progress_bar import ProgressBar

    total = max(1, allowed)
    return ProgressBar(
        total=total,
        completed=min(used, total),
        width=width,
        style="bright_black",
        complete_style="cyan",
        finished_style="yellow",
    )


def _draw_entries(entries: Iterable[PackingEntry], *, with_spaces: bool) -> None:
    from rich.text import Text

    spaces = ["space"] if with_spaces else []
    table = _table(["candidate", *spaces, "outcome", "tokens", "score"], left=2 + len(spaces))
    # The candidates of a section are next to each other.
    for section, group in groupby(entries, key=attrgetter("section")):
        table.add_row(Text(clean(section), "bold"))
        for entry in group:
            outcome = outcome_text(entry)
            shown = Text(outcome, STYLES.get(outcome, "dim"))
            score = f"{entry.score:.3f}" if entry.score else ""
            of_space = [Text(space_of(entry))] if with_spaces else []
            table.add_row(Text(f"  {clean(entry.ref)}"), *of_space, shown, f"{entry.tokens:,}", score)
    console().print(table)


# Off a terminal. Numbers of tokens have no separators there.
SECTIONS = (
    Column("section", "section"),
    Column("items", "kept"),
    Column("candidates", "candidates"),
    Column("tokens", lambda budget: str(budget.used_tokens)),
    Column("of", lambda budget: str(allowed_tokens(budget))),
)
ENTRIES = (
    Column("section", "section"),
    Column("candidate", "ref"),
    Column("outcome", outcome_text),
    Column("tokens", lambda entry: str(entry.tokens)),
    Column("score", lambda entry: f"{entry.score:.3f}"),
)
SPACE = Column("space", space_of)
