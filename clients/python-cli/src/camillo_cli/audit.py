"""audit list, record, verify, policy: what was changed, by whom, and proof that nothing was taken out of that."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from camillo_cli import options
from camillo_cli.arguments import read_words
from camillo_cli.connection import ClientOptions, connected
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.format import time_text
from camillo_cli.output import HasFormat, note, print_message, print_result, say
from camillo_cli.tables import Column, age_in, pages, print_list, text_of

if TYPE_CHECKING:
    from camillo.v1.audit_pb2 import AuditChange, AuditEntry, AuditHead
    from camillo.v1.audit_service_pb2 import VerifyAuditResponse

SHARED = "@shared"
# Facts of every call; all others are about what was changed.
CALL_FACTS = ("role", "peer", "request_id", "agent_id")


@dataclass(frozen=True, slots=True)
class AuditFilterOptions(options.ClientFields):
    """Conditions of a filter of entries; all of them have to hold."""

    scope_agent_id: Annotated[str, options.where("In the space of this agent, or @shared.", "--scope")] = ""
    method: Annotated[str, options.where("By this method, or service with a slash: MemoryService/.", "--method")] = ""
    credential: Annotated[str, options.where("By this key's id, or subject of a token.", "--credential")] = ""
    id: Annotated[str, options.where("That name this id.", "--id")] = ""
    at_from: Annotated[
        datetime | None,
        options.ago(options.where, "From then on: 2026-01-31, or 2h for two hours ago.", "--since"),
    ] = None
    at_before: Annotated[
        datetime | None,
        options.ago(options.where, "Before then: 2026-01-31, or 2h for two hours ago.", "--until"),
    ] = None


def list_entries(client: ClientOptions, filters: AuditFilterOptions, limit: options.Limit = None) -> None:
    """List changes, the last one first: when, by which method, whose key, and the ids of what was changed.

    Example: camillo audit list --scope alice --since 1d
    """
    with connected(client) as camillo:
        found = pages(camillo.audit.list, limit, **filters.fields())
        print_list(client, found, COLUMNS, empty="no entries")


@dataclass(frozen=True, slots=True)
class ActionOptions(options.ClientFields):
    """The fields of an action, apart from its texts."""

    metadata: options.Metadata = field(default_factory=list)
    session_id: options.SessionId = ""
    sensitivity: options.SensitivityLevel = None
    occurred_at: Annotated[
        datetime | None,
        options.ago(options.about, "When it was done: 2026-01-31, or 2h for two hours ago.", "--occurred"),
    ] = None


def record(
    client: ClientOptions,
    fields: ActionOptions,
    action: Annotated[str, Argument(metavar="ACTION", help="What was done: invoice.approved.")],
    text: Annotated[options.Words, options.words("The message")] = None,
    request_id: options.RequestId = None,
) -> None:
    """Enter an action of an agent's runtime. Every agent of the tenant finds it: camillo recall --source audit.

    Example: camillo audit record invoice.approved "Approved invoice 4711 over 1,200 EUR" --meta invoice=4711
    """
    message, given = read_words(text), fields.fields()
    meta = given.pop("metadata", None)
    with connected(client) as camillo:
        answer = camillo.audit.record(action, message, meta=meta, request_id=request_id, **given)
    print_result(client, answer, f"recorded {answer.action_id}")


def verify(
    client: ClientOptions,
    heads: Annotated[
        Path | None,
        Option(
            metavar="FILE",
            help="Compare with the ends of the chains in this file, then write those of now to it.",
        ),
    ] = None,
    file: Annotated[
        Path | None,
        Option(
            "--file",
            metavar="FILE",
            help="Check this file of camillo audit export, without a server.",
        ),
    ] = None,
) -> None:
    """Check that no entry was changed, removed, moved or added. Exit code 1 if one was.

    Entries are checked against the ends of their chains, which are in the same database. To find out if somebody with
    all rights there cut off both, keep the ends elsewhere: --heads FILE.
    Example: camillo audit verify --heads audit-heads.json
    """
    known = read_heads(heads) if heads is not None else []
    if file is not None:
        from camillo_cli.audit_export import check_file

        report_chains(client, check_file(file, known))
        return
    with connected(client) as camillo:
        found = list(camillo.audit.verify(known))
    report_chains(client, found)
    if heads is not None:
        _write_heads(heads, [each.head for each in found])


def report_chains(client: HasFormat, found: Sequence[VerifyAuditResponse]) -> None:
    """Prints what was found of chains. Raises CliError where any was tampered with."""
    for each in found:
        if client.as_json:
            print_message(each)
            continue
        if each.pruned_position:
            gone = f"entries up to {each.pruned_position} are older than the tenant keeps them"
            note(f"{_name(each)}: {gone}")
        for problem in each.problems:
            say(f"{_name(each)}: entry {problem.position} {PROBLEMS[problem.kind]}")
    troubled = [each for each in found if each.problems]
    if troubled:
        raise CliError(f"{len(troubled)} of {len(found)} chains were tampered with", ExitCode.ERROR)
    entries = sum(each.entries for each in found)
    note(f"{entries} entries in {len(found)} chains are as they were written")


def policy(
    client: ClientOptions,
    retention_days: Annotated[
        int | None,
        Option(
            min=0,
            max=36_500,
            metavar="DAYS",
            help="Keep entries for so many days, at least 31; 0 keeps them for ever.",
        ),
    ] = None,
    reads: Annotated[
        bool | None, Option("--reads/--no-reads", help="Enter reads of memories and the like, too.")
    ] = None,
) -> None:
    """Show how long entries are kept and whether reads are entered, or change that.

    Example: camillo audit policy --retention-days 400 --reads
    """
    with connected(client) as camillo:
        found = camillo.audit.policy()
        if retention_days is not None or reads is not None:
            days = found.retention_days if retention_days is None else retention_days
            found = camillo.audit.set_policy(
                retention_days=days, audit_reads=found.audit_reads if reads is None else reads
            )
    kept = f"kept for {found.retention_days} days" if found.retention_days else "kept for ever"
    print_result(client, found, f"entries are {kept}; reads are {'' if found.audit_reads else 'not '}entered")


def read_heads(path: Path) -> Sequence[AuditHead]:
    """The heads in the file; empty if there is no file yet. Raises CliError."""
    from camillo.v1.audit_pb2 import AuditHead

    if not path.exists():
        return []
    try:
        kept = json.loads(path.read_text("utf-8"))
        return [
            AuditHead(agent_id=each["agent"], position=each["position"], hash=bytes.fromhex(each["hash"]))
            for each in kept
        ]
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise CliError(f"{path} holds no ends of chains", ExitCode.USAGE) from error


def _write_heads(path: Path, heads: Iterable[AuditHead]) -> None:
    kept = [
        {"agent": head.agent_id, "position": head.position, "hash": head.hash.hex()} for head in heads if head.position
    ]
    path.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")


def entry_line(change: AuditChange) -> str:
    """An entry in one line; a checkpoint has none."""
    if not change.HasField("entry"):
        return ""
    return "  ".join(text_of(change.entry, column.value) for column in LINE)


def _name(found: VerifyAuditResponse) -> str:
    return found.head.agent_id or SHARED


def _who(entry: AuditEntry) -> str:
    return entry.credential or "background job"


def _scope(entry: AuditEntry) -> str:
    return entry.agent_id or SHARED


def _what(entry: AuditEntry) -> str:
    facts: dict[str, Any] = json.loads(entry.facts)
    return ", ".join(f"{name} {_fact(value)}" for name, value in facts.items() if name not in CALL_FACTS)


def _fact(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value))
    if isinstance(value, dict):
        return " ".join(f"{name}={number}" for name, number in value.items())
    return str(value)


# By the numbers of the contract.
PROBLEMS = {1: "is not as it was written", 2: "is missing", 3: "was added"}
COLUMNS = (
    Column("age", age_in("at"), right=True),
    Column("scope", _scope),
    Column("entry", "position", right=True, optional=True),
    Column("method", "method"),
    Column("credential", _who, style="dim", optional=True),
    Column("changed", _what),
)
LINE = (
    Column("at", lambda entry: time_text(entry.at)),
    Column("scope", _scope),
    Column("method", "method"),
    Column("credential", _who),
    Column("changed", _what),
)
