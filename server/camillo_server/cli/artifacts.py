"""artifact put, list, show, update, rm, cites."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer
from typer import Argument, Option

from camillo_server.cli.arguments import metadata, moment_ahead, utc_now
from camillo_server.cli.artifact_options import (
    AboutOptions,
    ArtifactFilterOptions,
    ShownIn,
    name_of,
)
from camillo_server.cli.byte_files import bytes_bar
from camillo_server.cli.connection import ClientOptions, connected
from camillo_server.cli.failures import CliError, ExitCode
from camillo_server.cli.output import note, print_message, say
from camillo_server.cli.tables import Column, printable, show_table
from camillo_server.cli.writing import RequestId

if TYPE_CHECKING:
    from camillo.v1.artifact_pb2 import Artifact

PAGE_SIZE = 500
ArtifactId = Annotated[
    str, Argument(metavar="ID", help="The id of an artifact, or a whole memory ref.")
]
COLUMNS = (
    Column("id", style="dim"),
    Column("age", right=True),
    Column("size", right=True),
    Column("lines", right=True, optional=True),
    Column("kind", optional=True),
    Column("tool", style="green", optional=True),
    Column("description"),
)


def put(
    client: ClientOptions,
    about: AboutOptions,
    path: Annotated[str, Argument(metavar="FILE", help="A file; '-': standard input.")],
    request_id: RequestId = None,
) -> None:
    """Store a file as an artifact.

    Example: camillo artifact put build.log --tool shell --command "make"
    """
    from camillo_server.cli.artifact_wording import kept

    fields = about.fields()
    with _opened(path) as file, connected(client) as camillo:
        if path != "-" and not about.name:
            fields["name"] = Path(path).name
        with bytes_bar("put", _length(file)) as passed:
            artifact = camillo.artifacts.put(
                file, request_id=request_id, on_progress=passed, **fields
            )
    if client.as_json:
        print_message(artifact)
        return
    say(artifact.memory_ref)
    note(f"stored {kept(artifact)}")


def list_artifacts(
    client: ClientOptions,
    filters: ArtifactFilterOptions,
    limit: Annotated[int | None, Option(min=1, help="At most this many. Default: all.")] = None,
    shared: Annotated[bool, Option("--shared", help="Those that all agents share, too.")] = False,
    channel: ShownIn = None,
) -> None:
    """List artifacts, newest first.

    Example: camillo artifact list --tool shell --since 7d --min-size 1MB
    """
    conditions = filters.conditions()
    with connected(client) as camillo:
        size = min(limit or PAGE_SIZE, PAGE_SIZE)
        found = camillo.artifacts.list(
            page_size=size,
            include_shared=shared,
            channel=name_of(channel),
            **conditions,
        )
        if client.as_json:
            for artifact in islice(found, limit):
                print_message(artifact)
        else:
            _show_artifacts(islice(found, limit))


def show(client: ClientOptions, artifact_id: ArtifactId, channel: ShownIn = None) -> None:
    """Show what is known of an artifact: metadata, summary, beginning and end.

    Example: camillo artifact show npm_install_7f3k9q2mxd
    """
    from camillo_server.cli.artifact_wording import details

    with connected(client) as camillo:
        known = camillo.artifacts.get(artifact_id, channel=name_of(channel))
    if client.as_json:
        print_message(known)
        return
    shown = printable if sys.stdout.isatty() else str
    say(shown(known.artifact.memory_ref))
    for name, value in details(known.artifact):
        say(f"{name:<12} {value}")
    parts = {
        "summary": known.artifact.summary,
        "head": known.preview.head,
        "tail": known.preview.tail,
    }
    for name, text in parts.items():
        if text:
            say(f"\n--- {name}\n{shown(text.rstrip())}")


def update(
    client: ClientOptions,
    artifact_id: ArtifactId,
    name: Annotated[str | None, Option()] = None,
    description: Annotated[str | None, Option(help="'': from the content again.")] = None,
    session: Annotated[str | None, Option()] = None,
    add_tag: Annotated[list[str] | None, Option(help="May be repeated.")] = None,
    remove_tag: Annotated[list[str] | None, Option(help="May be repeated.")] = None,
    meta: Annotated[
        list[str] | None, Option(help="key=value to set; key= to take away; may be repeated.")
    ] = None,
    expires: Annotated[str | None, Option(help="2027-01-31, 90d, or 'never'.")] = None,
    pin: Annotated[bool | None, Option("--pin/--unpin")] = None,
    expected_version: Annotated[
        int | None,
        Option(min=1, help="Fail if it has another version. Default: the one it has."),
    ] = None,
    request_id: RequestId = None,
) -> None:
    """Change what is said about an artifact, never its bytes.

    Example: camillo artifact update npm_install_7f3k9q2mxd --add-tag build --pin
    """
    given = {"name": name, "description": description, "session_id": session, "pinned": pin}
    fields: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    if expires is not None:
        fields["expires_at"] = None if expires == "never" else moment_ahead(expires, utc_now())
    if not fields and not (add_tag or remove_tag or meta):
        raise CliError("nothing to change: name at least one field", ExitCode.USAGE)
    with connected(client) as camillo:
        artifact = camillo.artifacts.get(artifact_id).artifact
        if add_tag or remove_tag:
            left = [tag for tag in artifact.tags if tag not in (remove_tag or [])]
            fields["tags"] = list(dict.fromkeys([*left, *(add_tag or [])]))
        if meta:
            fields["metadata"] = _merged(artifact, meta)
        version = expected_version or artifact.version
        changed = camillo.artifacts.update(artifact_id, version, request_id=request_id, **fields)
    if client.as_json:
        print_message(changed)
    else:
        say(f"updated {changed.artifact_id} to version {changed.version}")


def remove(
    client: ClientOptions,
    artifact_ids: Annotated[list[str], Argument(metavar="ID...", help="Ids, or memory refs.")],
    yes: Annotated[bool, Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Remove artifacts for good.

    Example: camillo artifact rm npm_install_7f3k9q2mxd
    """
    if not yes and sys.stdin.isatty():
        what = artifact_ids[0] if len(artifact_ids) == 1 else f"{len(artifact_ids)} artifacts"
        typer.confirm(f"Remove {what} for good?", abort=True, err=True)
    with connected(client) as camillo:
        for artifact_id in artifact_ids:
            receipt = camillo.artifacts.delete(artifact_id)
            if client.as_json:
                print_message(receipt)
            else:
                say(f"removed {receipt.artifact_id}")


def cites(client: ClientOptions, artifact_id: ArtifactId) -> None:
    """List what cites an artifact.

    Example: camillo artifact cites npm_install_7f3k9q2mxd
    """
    from camillo.v1.memory_pb2 import Source
    from camillo_client import enum_name

    with connected(client) as camillo:
        found = list(camillo.artifacts.citations(artifact_id))
    if client.as_json:
        for citation in found:
            print_message(citation)
    elif found:
        rows = [[enum_name(Source, c.source), c.agent_id, c.cited_by_id] for c in found]
        show_table([Column("what"), Column("agent"), Column("id")], rows)
    else:
        note("nothing cites it")


def _show_artifacts(artifacts: Iterator[Artifact]) -> None:
    """Page by page, so that the first are seen before the last are read."""
    from camillo_server.cli.artifact_wording import row

    now, shown = utc_now(), 0
    while page := list(islice(artifacts, PAGE_SIZE)):
        show_table(COLUMNS, [row(artifact, now) for artifact in page])
        shown += len(page)
    if not shown:
        note("no artifacts")


@contextmanager
def _opened(source: str) -> Iterator[BinaryIO]:
    if source == "-":
        yield sys.stdin.buffer
        return
    try:
        with Path(source).expanduser().open("rb") as file:
            yield file
    except OSError as error:
        raise CliError(f"cannot read {source}: {error.strerror}", ExitCode.USAGE) from error


def _length(file: BinaryIO) -> int | None:
    """For the bar alone."""
    if not file.seekable():
        return None
    place = file.tell()
    length = file.seek(0, 2) - place
    file.seek(place)
    return length or None


def _merged(artifact: Artifact, pairs: list[str]) -> dict[str, Any]:
    from camillo_client import to_dict

    merged = {**to_dict(artifact.metadata), **metadata(pairs)}
    return {key: value for key, value in merged.items() if value != ""}
