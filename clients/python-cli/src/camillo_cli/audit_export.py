"""audit export: the audit trail as JSON lines, and the check of such a file where there is no server."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any
from uuid import UUID

from typer import Argument, Option

from camillo_cli import options
from camillo_cli.connection import ClientOptions, administering
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.format import counted
from camillo_cli.output import message_dict, note, print_value, progress_bar
from camillo_formats.audit_chain import (
    AuditChain,
    AuditHead,
    ChainCheck,
    ChainEntry,
    findings_message,
)

if TYPE_CHECKING:
    from camillo.v1 import audit_pb2 as pb
    from camillo.v1.audit_service_pb2 import VerifyAuditResponse

# So much is written anew, at most, when an export is resumed.
ENTRIES_A_STEP = 1_000
# Servers write one chain, each by its own clock.
MAX_SKEW = timedelta(hours=1)
ENDLESS = 2**63 - 1


@dataclass(slots=True)
class FileCheck:
    """Checks the chains in the lines of a file. If a chain lacks its beginning, trusts its first entry."""

    known: Mapping[str, Mapping[int, bytes]] = field(default_factory=dict)
    tenant_id: str = ""
    chains: dict[str, ChainCheck] = field(default_factory=dict)

    def add(self, tenant_id: str, entry: pb.AuditEntry) -> None:
        """Adds the next line. Raises CliError for a line of another tenant."""
        if self.tenant_id not in ("", tenant_id):
            raise CliError("the file has entries of several tenants", ExitCode.USAGE)
        self.tenant_id = tenant_id
        check = self.chains.get(entry.agent_id)
        if check is None:
            is_first = entry.position == 1
            check = self._begin(entry.agent_id, 0 if is_first else entry.position, entry.hash)
            if not is_first:
                check.entries += 1
                return
        check.add([_entry(entry)])

    def resume(self, tenant_id: str, chains: Mapping[str, Sequence[Any]]) -> None:
        """Goes on behind entries that were checked."""
        self.tenant_id = tenant_id
        for agent_id, (position, hash_, entries) in chains.items():
            self._begin(agent_id, position, bytes.fromhex(hash_)).entries = entries

    def ends(self) -> dict[str, tuple[int, str, int]]:
        """Where the chains are, for `resume`."""
        return {
            agent_id: (check.last.position, check.last.hash.hex(), check.entries)
            for agent_id, check in self.chains.items()
        }

    def finished(self) -> list[VerifyAuditResponse]:
        """The findings for each chain, by agent; also for chains of known heads that the file lacks."""
        for agent_id in self.known.keys() - self.chains.keys():
            self._begin(agent_id, 0, b"")
        for check in self.chains.values():
            check.chain = replace(check.chain, head=check.last)
            check.finish()
            # Where a file begins, nothing was pruned.
            check.chain = replace(check.chain, pruned_position=0)
        return [findings_message(check) for _, check in sorted(self.chains.items())]

    def _begin(self, agent_id: str, position: int, hash_: bytes) -> ChainCheck:
        """A chain that goes on behind an entry, or begins."""
        head = AuditHead(agent_id, ENDLESS, b"")
        behind = (position, hash_) if position else (0, b"")
        known = dict(self.known.get(agent_id, {}))
        check = ChainCheck(self.tenant_id, AuditChain(head, *behind), known)
        self.chains[agent_id] = check
        return check


@dataclass(slots=True)
class Period:
    """Entries of a period: of each chain all from the first one of it to the last, whatever the clocks of servers
    say."""

    since: datetime | None
    until: datetime | None
    begun: set[str] = field(default_factory=set)
    ended: set[str] = field(default_factory=set)

    def conditions(self, scope: str) -> dict[str, Any]:
        """The conditions of the request to the server."""
        return {
            "scope_agent_id": scope,
            "at_from": self.since and self.since - MAX_SKEW,
            "at_before": self.until and self.until + MAX_SKEW,
        }

    def has(self, entry: pb.AuditEntry) -> bool:
        """Whether this entry, which comes behind the last one, is of it."""
        at = entry.at.ToDatetime(UTC)
        if self.since is None or at >= self.since:
            self.begun.add(entry.agent_id)
        if self.until is not None and at >= self.until:
            self.ended.add(entry.agent_id)
        return entry.agent_id in self.begun and entry.agent_id not in self.ended


def export(
    client: ClientOptions,
    target: Annotated[Path, Argument(metavar="FILE", help="Where it is when it is complete.")],
    since: Annotated[
        datetime | None,
        options.ago(options.where, "From then on: 2026-01-31, or 30d for thirty days ago.", "--since"),
    ] = None,
    until: Annotated[
        datetime | None,
        options.ago(options.where, "Before then: 2026-01-31, or 2h for two hours ago.", "--until"),
    ] = None,
    scope: Annotated[str, options.where("In the space of this agent, or @shared.", "--scope")] = "",
    resume: Annotated[bool, Option("--resume", help="Go on where an export to this file was interrupted.")] = False,
) -> None:
    """Write the audit trail as JSON lines in the order of commits, checking its hashes. Exit code 1 if one is wrong.

    Until it is complete it is beside FILE, with .part behind its name. camillo audit verify --file FILE checks it
    again, anywhere.

    Example: camillo audit export trail.jsonl --since 30d
    """
    from camillo_cli.audit import report_chains

    with administering(client) as camillo:
        copy = Copy(Path(f"{target}.part"), camillo.who_am_i().tenant_id, Period(since, until))
        if resume:
            copy.resume()
        changes = camillo.audit.watch(resume_token=copy.token, **copy.period.conditions(scope))
        with closing(changes), progress_bar("export", None) as report:
            copy.write(changes, report)
    copy.complete(target)
    text = f"exported {counted(copy.entries, 'entry', 'entries')} to {target}"
    print_value({"exported": copy.entries}, text, as_json=client.as_json)
    found = copy.check.finished()
    if any(each.problems for each in found):
        report_chains(client, found)
    note(f"the hashes of {counted(len(found), 'chain', 'chains')} are as they should be")


@dataclass(slots=True)
class Copy:
    """A file that is being written, and beside it up to where it is whole."""

    part: Path
    tenant_id: str
    period: Period
    check: FileCheck = field(default_factory=FileCheck)
    token: str = ""
    entries: int = 0
    size: int = 0

    def resume(self) -> None:
        """Goes on where it was interrupted. Raises CliError where there is nothing, or of another tenant."""
        try:
            kept = json.loads(self._state.read_text("utf-8"))
            if kept["tenant_id"] != self.tenant_id:
                raise CliError(f"{self.part} is of another tenant", ExitCode.USAGE)
            self.check.resume(self.tenant_id, kept["chains"])
            self.period.begun, self.period.ended = set(kept["begun"]), set(kept["ended"])
            self.token, self.entries, self.size = kept["token"], kept["entries"], kept["bytes"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            what = f"there is no export at {self.part} to resume"
            raise CliError(what, ExitCode.USAGE) from error

    def write(self, changes: Iterable[pb.AuditChange], report: Callable[[int, int], None]) -> None:
        """All entries that there are now."""
        with self.part.open("r+b" if self.size else "wb") as file:
            file.truncate(self.size)
            file.seek(self.size)
            for change in changes:
                if not change.HasField("entry"):
                    break
                if self.period.has(change.entry):
                    self.check.add(self.tenant_id, change.entry)
                    file.write(_line(self.tenant_id, change.entry))
                    self.entries += 1
                    self.token = change.resume_token
                    if self.entries % ENTRIES_A_STEP == 0:
                        self._keep(file)
                        report(self.entries, self.entries)
            _sync(file)

    def complete(self, target: Path) -> None:
        """Puts the file where it belongs."""
        self.part.replace(target)
        self._state.unlink(missing_ok=True)

    def _keep(self, file: IO[bytes]) -> None:
        _sync(file)
        state = {
            "tenant_id": self.tenant_id,
            "token": self.token,
            "entries": self.entries,
            "bytes": file.tell(),
            "chains": self.check.ends(),
            "begun": sorted(self.period.begun),
            "ended": sorted(self.period.ended),
        }
        new = Path(f"{self._state}.new")
        new.write_text(json.dumps(state), "utf-8")
        new.replace(self._state)

    @property
    def _state(self) -> Path:
        return Path(f"{self.part}.json")


def check_file(path: Path, known: Sequence[pb.AuditHead]) -> list[VerifyAuditResponse]:
    """Checks the chains in a file of `audit export`. Raises CliError for any other file."""
    from google.protobuf.json_format import ParseError

    heads: dict[str, dict[int, bytes]] = {}
    for head in known:
        heads.setdefault(head.agent_id, {})[head.position] = head.hash
    check, number = FileCheck(heads), 0
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):  # noqa: B007
                check.add(*_read(line))
    except (OSError, ValueError, KeyError, AttributeError, TypeError, ParseError) as error:
        what = f"{path}, line {number}: no entry of an audit trail"
        raise CliError(what, ExitCode.USAGE) from error
    return check.finished()


def _read(line: bytes) -> tuple[str, pb.AuditEntry]:
    from google.protobuf.json_format import ParseDict

    from camillo.v1.audit_pb2 import AuditEntry as Message

    fields = json.loads(line)
    return str(fields.pop("tenant_id")), ParseDict(fields, Message())


def _line(tenant_id: str, entry: pb.AuditEntry) -> bytes:
    fields = {"tenant_id": tenant_id, **message_dict(entry)}
    return json.dumps(fields, ensure_ascii=False).encode() + b"\n"


def _entry(message: pb.AuditEntry) -> ChainEntry:
    digest = json.loads(message.facts).get("action_digest", "") if message.action_id else ""
    return ChainEntry(
        agent_id=message.agent_id,
        position=message.position,
        at=message.at.ToDatetime(UTC),
        revision=message.revision,
        method=message.method,
        credential=message.credential,
        facts=message.facts,
        action_id=UUID(message.action_id) if message.action_id else None,
        action_digest=bytes.fromhex(digest) or None,
        hash=message.hash,
    )


def _sync(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())
