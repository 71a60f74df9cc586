"""supersede, contradictions: which memory took whose place, and which might."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

from typer import Argument

from camillo_server.cli import options
from camillo_server.cli.connection import ClientOptions, connected
from camillo_server.cli.memories import FilterOptions, MemoryId
from camillo_server.cli.output import print_result
from camillo_server.cli.tables import Column, pages, print_list

if TYPE_CHECKING:
    from camillo.v1.supersession_pb2 import Contradiction


def supersede(
    client: ClientOptions,
    memory_id: MemoryId,
    successor_id: Annotated[str, Argument(help="The memory that takes its place.")],
    since: Annotated[
        datetime | None,
        options.ago(
            options.option,
            "From when on the successor is true: 2026-01-31, or 7d. Default: as it says itself.",
            "--since",
        ),
    ] = None,
    expected_version: options.ExpectedVersion = None,
    request_id: options.RequestId = None,
) -> None:
    """Put one memory in the place of another. The old one stays readable, and is not recalled any more.

    Example: camillo supersede 0198c0de-0000-7000-8000-000000000001 0198c0de-0000-7000-8000-000000000002
    """
    with connected(client) as camillo:
        version = expected_version or camillo.get(memory_id).version
        answer = camillo.supersede(
            memory_id, version, successor_id, since=since, request_id=request_id
        )
    superseded, successor = answer.superseded.memory_id, answer.memory.memory_id
    print_result(client, answer, f"{superseded} is superseded by {successor}")


def contradictions(
    client: ClientOptions, filters: FilterOptions, limit: options.Limit = None
) -> None:
    """List pairs of memories that probably contradict each other, newest first. Nothing is changed.

    Example: camillo contradictions --tag drinks --limit 10
    """
    conditions = filters.message()
    with connected(client) as camillo:
        found = pages(camillo.contradictions, limit, filter=conditions)
        print_list(client, found, COLUMNS, empty="no contradictions", lines=3)


def _differences(found: Contradiction) -> str:
    from camillo.v1.supersession_pb2 import Difference
    from camillo_client import enum_name

    return ", ".join(enum_name(Difference, each) for each in found.differences)


COLUMNS = (
    Column("older", "older.memory_id", style="dim"),
    Column("newer", "newer.memory_id", style="dim"),
    Column("differ in", _differences, style="bold"),
    Column("older says", "older.content"),
    Column("newer says", "newer.content"),
)
