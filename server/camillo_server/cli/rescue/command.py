"""rescue: writes what is left when Postgres is lost."""

from __future__ import annotations

import json
import socket
import struct
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.format import SHARED, counted
from camillo_cli.options import AsJson
from camillo_cli.output import note, print_json, progress_bar, say
from camillo_cli.tables import Column, show_items
from typer import Argument

from camillo_server.cli.backup import known_keys
from camillo_server.cli.rescue.folder import RescueFolder, ScopeFolder
from camillo_server.cli.server import ServerOptions, operator_errors

if TYPE_CHECKING:
    from camillo_server.lib.crypto.keyring import Keyring
    from camillo_server.settings.settings import Settings

# A server encodes a part in milliseconds.
SILENCE_SECONDS = 60.0
REPORTED_ITEMS = 200
COLUMNS = (
    Column("tenant", lambda scope: scope.tenant_id),
    Column("agent", lambda scope: scope.agent_id or SHARED),
    Column("memories", lambda scope: f"{scope.memories:,}", right=True),
    Column("records", lambda scope: f"{scope.records:,}", right=True),
    Column("spooled", lambda scope: f"{scope.spooled:,}", right=True),
    Column("revision", lambda scope: "" if scope.revision is None else str(scope.revision), right=True),
    Column("whole", lambda scope: "no" if scope.is_partial else "yes"),
)


@dataclass(slots=True)
class Rescued:
    """Counts of what was rescued, and of what could not be."""

    folder: RescueFolder
    report: Callable[..., None]
    servers: int = 0
    spool_files: int = 0
    items: int = 0
    damaged: int = 0
    # Spooled writes by the id of the key that is missing.
    unopened: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    def count(self) -> None:
        self.items += 1
        if self.items % REPORTED_ITEMS == 0:
            self.report(self.items, self.items)


def rescue(
    options: ServerOptions,
    target: Annotated[str, Argument(metavar="DIR", help="A new directory, or an empty one.")],
    as_json: AsJson = False,
) -> None:
    """Write what servers hold in memory and in their spools as files. For when Postgres does not come back.

    Reads the memory of the servers that run with this data directory, and the spool of those and of dead ones; nothing
    of them is changed. DIR/TENANT/AGENT/MEMORY.md is for people. Beside it, memories.jsonl is what 'camillo import'
    takes; records.jsonl has the texts of events, documents, slots and decisions; spooled.jsonl the writes that were
    acknowledged and not stored, and spooled-memories.jsonl those of them that 'camillo import' takes. To replay them
    all instead, put the files of a spool into that of a server with the same keys.

    No key is asked for, since nobody can check one: who may read the files of the server may rescue. Confidential texts
    are written in clear, for their owner alone.

    Example: camillo rescue ./rescued --data-dir ./data
    """
    settings = options.settings()
    folder = RescueFolder(Path(target).expanduser())
    with operator_errors(), progress_bar("rescue", None, "items") as report:
        rescued = Rescued(folder, report)
        _rescue_memory(settings, rescued)
        _rescue_spools(settings, rescued)
    if not (rescued.servers or rescued.spool_files):
        raise CliError(
            f"nothing to rescue: no server runs with {settings.data_dir}, and there is no spool in "
            f"{settings.spool_dir}",
            ExitCode.NOT_FOUND,
        )
    _report(rescued, target, as_json=as_json)
    if rescued.problems or rescued.unopened or rescued.damaged:
        raise typer.Exit(ExitCode.ERROR)


def _rescue_memory(settings: Settings, rescued: Rescued) -> None:
    from camillo_server.assembly.processes.rescue_socket import PATTERN

    for path in sorted(settings.data_dir.glob(PATTERN)):
        try:
            connected = _connected(path)
        except ConnectionRefusedError:
            # The process of this socket was killed.
            continue
        except OSError as error:
            rescued.problems.append(f"cannot ask a server: {path.name}: {error.strerror}")
            continue
        with connected, connected.makefile("rb") as stream:
            rescued.servers += 1
            if not _read_server(stream, rescued):
                rescued.problems.append(f"a server ended before all was read: {path.name}")


def _connected(path: Path) -> socket.socket:
    from camillo_server.assembly.processes.rescue_socket import short_address

    connected = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connected.settimeout(SILENCE_SECONDS)
    try:
        with short_address(path) as address:
            connected.connect(address)
    except OSError:
        connected.close()
        raise
    return connected


def _read_server(stream: BinaryIO, rescued: Rescued) -> bool:
    """Reads what a server sends. Returns whether the server sent its end."""
    from camillo.v1.memory_pb2 import Chunk, Memory

    from camillo_server.assembly.processes.rescue_socket import RecordKind, RescuedScope

    scope: ScopeFolder | None = None
    is_whole = False
    try:
        for kind, data in _records(stream):
            if kind in (RecordKind.SCOPE, RecordKind.END) and scope is not None:
                scope.end(is_whole=True)
                scope = None
            if kind == RecordKind.SCOPE:
                begun = RescuedScope(**json.loads(data))
                found = rescued.folder.scope(begun.tenant_id, begun.agent_id)
                scope = found if found.begin(begun.revision) else None
            elif kind == RecordKind.END:
                is_whole = True
            elif scope is not None:
                rescued.count()
                if kind == RecordKind.MEMORY:
                    scope.add_memory(Memory.FromString(data))
                else:
                    scope.add_chunk(Chunk.FromString(data))
    finally:
        if scope is not None:
            scope.end(is_whole=False)
    return is_whole


def _records(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yields records until the server sends no more; omits a record that is cut short."""
    from camillo_server.assembly.processes.rescue_socket import HEADER

    try:
        while True:
            kind, length = HEADER.unpack(stream.read(HEADER.size))
            data = stream.read(length)
            if len(data) < length:
                return
            yield kind, data
    except (struct.error, TimeoutError, ConnectionError):
        return


def _rescue_spools(settings: Settings, rescued: Rescued) -> None:
    from camillo_server.doors.spool.held_file import UnreadableFile, spool_files

    keys: Keyring | None = None
    for path in spool_files(settings.spool_dir):
        rescued.spool_files += 1
        keys = keys or known_keys(settings)
        try:
            _read_spool(path, keys, rescued)
        except UnreadableFile as error:
            rescued.problems.append(f"cannot read the spool file {path.name}: {error}")


def _read_spool(path: Path, keys: Keyring, rescued: Rescued) -> None:
    from camillo_server.doors.spool.held_file import read_spool_file
    from camillo_server.doors.spool.spooled_write import DamagedFrame, SpooledWrite

    for item in read_spool_file(path, keys):
        rescued.count()
        if isinstance(item, SpooledWrite):
            folder = rescued.folder.scope(item.scope.tenant_id, item.scope.agent_id)
            folder.add_spooled(item)
        elif isinstance(item, DamagedFrame):
            rescued.damaged += 1
        else:
            rescued.unopened[item.key_id] += 1


def _report(rescued: Rescued, target: str, *, as_json: bool) -> None:
    scopes = rescued.folder.scopes
    if as_json:
        names = (
            "tenant_id",
            "agent_id",
            "memories",
            "records",
            "spooled",
            "revision",
            "is_partial",
        )
        print_json(
            {
                "servers": rescued.servers,
                "spool_files": rescued.spool_files,
                "damaged": rescued.damaged,
                "unopened": dict(rescued.unopened),
                "scopes": [{name: getattr(each, name) for name in names} for each in scopes],
            }
        )
    else:
        show_items(scopes, COLUMNS)
        sources = (
            f"{counted(rescued.servers, 'server', 'servers')} and "
            f"{counted(rescued.spool_files, 'spool file', 'spool files')}"
        )
        items = counted(rescued.items, "item", "items")
        say(f"{items} of {counted(len(scopes), 'scope', 'scopes')}, from {sources}: see {target}")
    for key_id, count in sorted(rescued.unopened.items()):
        note(f"note: {count:,} spooled writes are not here: their key {key_id} is missing, or another one")
    if rescued.damaged:
        note(f"note: {rescued.damaged:,} places of spool files are damaged: what was there is lost")
    for problem in rescued.problems:
        note(f"note: {problem}")
