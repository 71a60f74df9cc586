"""export: the memories of an agent as JSON lines, or as Markdown to be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from camillo_cli.connection import ClientOptions, connected
from camillo_cli.export_forms import letta, mif
from camillo_cli.failures import CliError, ExitCode, one_line
from camillo_cli.format import counted, field_text
from camillo_cli.memories import FilterOptions
from camillo_cli.output import (
    message_json,
    note,
    open_output,
    print_value,
    progress_bar,
)
from camillo_formats.rendering import cleaned

if TYPE_CHECKING:
    from camillo.v1.memory_pb2 import Memory

# `md` is the short name of `markdown`.
ExportForm = StrEnum("ExportForm", "JSONL MD MARKDOWN MIF LETTA")
# Fields that have no place in a form.
NO_PLACE = {
    ExportForm.MIF: "vectors",
    ExportForm.LETTA: "kinds, sensitivities, importance, validity, sessions, sources, links, actors, vectors; "
    "Letta reads the blocks of the file, and its API takes the passages",
}


def export(
    client: ClientOptions,
    filters: FilterOptions,
    target: Annotated[str, Argument(metavar="[FILE]", help="Write to it; '-': standard output.")] = "-",
    vectors: Annotated[bool, Option("--vectors", help="Include their vectors.")] = False,
    form: Annotated[
        ExportForm,
        Option("--to", "--format", help="JSON lines and MIF come back whole by import; Markdown is to be read."),
    ] = ExportForm.JSONL,
) -> None:
    """Write the memories of one agent as JSON lines or in another form, oldest first: those that are there when it
    begins, as they are when each is read.

    It is no backup: events, artifacts, decisions, tasks, slots, runs, views, handoffs and earlier versions of memories
    are left out, and so are archived memories unless --archived says otherwise. camillo spaces export takes most of it,
    camillo backup all of it.
    Example: camillo export ada.jsonl --agent ada --archived include"""
    if form is not ExportForm.JSONL and vectors:
        raise CliError(f"--vectors and --to {form} do not go together", ExitCode.USAGE)
    count = 0
    with (
        connected(client) as camillo,
        open_output(target) as file,
        progress_bar("export", None) as report,
    ):

        def counting() -> Iterator[Memory]:
            nonlocal count
            for memory in camillo.export(filters.message(), include_vectors=vectors):
                yield memory
                count += 1
                if count % 500 == 0:
                    report(count, count)

        for data in _written(form, counting()):
            file.write(data)
    if target != "-":
        text = f"exported {counted(count)} to {target}"
        print_value({"exported": count}, text, as_json=client.as_json)
    note(f"note: {_left_out(filters)}")
    if form in NO_PLACE:
        note(f"note: {form} has no place for {NO_PLACE[form]}")


def _written(form: ExportForm, memories: Iterable[Memory]) -> Iterator[bytes]:
    if form is ExportForm.MIF:
        return mif(memories)
    if form is ExportForm.LETTA:
        return letta(memories)
    line = memory_line if form is ExportForm.JSONL else memory_markdown
    return (line(memory).encode() for memory in memories)


def _left_out(filters: FilterOptions) -> str:
    """A line that says what of an agent is not in an export."""
    archived = "" if filters.archived in ("include", "only") else "archived memories, "
    return (
        f"left out: {archived}earlier versions, events, artifacts, decisions, tasks, slots, skills, "
        "runs, views, handoffs and the documents of the tenant (camillo docs export); "
        "camillo backup takes all of it"
    )


def memory_line(memory: Memory) -> str:
    """A memory as a line of JSON, with its line end."""
    return message_json(memory) + "\n"


def memory_markdown(memory: Memory) -> str:
    """A memory as a point of a list, with what is known of it below."""
    first, *more = cleaned(memory.content).split("\n")
    about = [
        field_text(memory, "kind"),
        field_text(memory, "occurred_at"),
        *(one_line(f"#{tag}") for tag in memory.tags),
        memory.memory_id,
    ]
    lines = [f"- {first}", *(f"  {line}".rstrip() for line in more)]
    return "\n".join([*lines, f"  *{' · '.join(filter(None, about))}*", ""])
