"""spaces export, import, copy: all that is kept of a person, a project or a team, taken elsewhere."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from camillo_cli.arguments import cannot_read
from camillo_cli.connection import ClientOptions, administering
from camillo_cli.failures import CliError, ExitCode, one_line
from camillo_cli.format import counted
from camillo_cli.imports.feed import rereadable
from camillo_cli.options import DryRun
from camillo_cli.output import note, open_output, print_value, progress_bar
from camillo_cli.spaces import SpacePath

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import BinaryIO

    from camillo_client.space_imports import ImportedSpace

SHOWN_FAILURES = 10


def export(
    client: ClientOptions,
    path: SpacePath,
    target: Annotated[str, Argument(metavar="[FILE]", help="Write to it; '-': standard output.")] = "-",
    vectors: Annotated[bool, Option("--vectors", help="Include the vectors of memories.")] = False,
) -> None:
    """Write a space as JSON lines: memories and slots in every version, events, artifacts with their bytes, decisions,
    tasks, views.

    The first line counts them, and what is left out; the last one has a digest, so that a cut file is refused.

    Example: camillo spaces export users/42 ana.jsonl
    """
    from camillo_client.space_files import header_of

    header = None
    count = 0
    with administering(client) as camillo, open_output(target) as file, progress_bar("export", None) as report:
        for line in camillo.spaces.export(path, include_vectors=vectors):
            header = header or header_of(line)
            file.write(line)
            count += 1
            if count % 500 == 0:
                report(count, count)
    if header is None:
        return
    if target != "-":
        print_value({"exported": dict(header.counts)}, f"exported {_by_store(header.counts)}", as_json=client.as_json)
    if header.left_out:
        note(f"note: left out: {_by_store(header.left_out)}")
    note(f"note: left out, and not counted: {', '.join(header.not_counted)}")


def import_space(
    client: ClientOptions,
    source: Annotated[str, Argument(metavar="FILE", help="A file of 'spaces export'; '-': standard input.")],
    to: Annotated[str, Option(metavar="SPACE", help="The space to write into: users/43, @shared.")],
    dry_run: DryRun = False,
) -> None:
    """Write a file of 'spaces export' into a space, here or on another server. Records that are there stay.

    The same command, run again, goes on where it was cut off. Memories keep their ids; other records have new ones,
    and what refers to them is rewritten. A file that is cut or changed writes nothing.

    Example: camillo spaces import ana.jsonl --to users/43
    """
    from camillo_client.space_files import BadSpaceFile

    with _opened(source) as file, administering(client) as camillo:
        try:
            done = camillo.spaces.import_(file, to=to, dry_run=dry_run)
        except BadSpaceFile as error:
            raise CliError(f"{source}: {one_line(str(error))}", ExitCode.USAGE) from error
    _show(client, done, dry_run=dry_run)


def copy(
    client: ClientOptions,
    path: SpacePath,
    to: Annotated[str, Argument(metavar="TO", help="The space to write into.")],
    dry_run: DryRun = False,
) -> None:
    """Write what one space holds into another one of the tenant, as export and import do.

    Example: camillo spaces copy projects/template projects/shop
    """
    with administering(client) as camillo:
        done = camillo.spaces.copy(path, to, dry_run=dry_run)
    _show(client, done, dry_run=dry_run)


def _show(client: ClientOptions, done: ImportedSpace, *, dry_run: bool) -> None:
    """Raises CliError where a record was refused."""
    verb = "would import" if dry_run else "imported"
    values = {
        "written": +done.written,
        "known": +done.known,
        "failed": +done.failed,
        "merged": done.merged,
        "dropped_refs": done.dropped_refs,
        "left_out": dict(done.header.left_out),
    }
    print_value(values, f"{verb} {_by_store(done.written)}", as_json=client.as_json)
    if done.known:
        note(f"note: there already: {_by_store(done.known)}")
    if done.merged:
        note(f"note: {counted(done.merged, 'memory says', 'memories say')} exactly what another one says")
    if done.dropped_refs:
        note(
            f"note: {counted(done.dropped_refs, 'reference names', 'references name')} what is not in the file: dropped"
        )
    if done.header.left_out:
        note(f"note: not in the file: {_by_store(done.header.left_out)}")
    for failure in done.failures[:SHOWN_FAILURES]:
        note(f"not stored: line {failure.line:,}: {one_line(failure.reason)}")
    if failed := done.failed.total():
        raise CliError(f"{failed:,} not stored")


def _by_store(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{store} {count:,}" for store, count in sorted(counts.items()) if count) or "nothing"


def _opened(source: str) -> BinaryIO:
    try:
        return rereadable(sys.stdin.buffer) if source == "-" else Path(source).expanduser().open("rb")
    except OSError as error:
        raise cannot_read(source, error) from error
