"""lifecycle forget, reset, receipts, refusals, lift: removals, their receipts, and the texts that they block."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Option

from camillo_cli.arguments import read_words
from camillo_cli.connection import ClientOptions, acting_agent, connected
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.format import counted
from camillo_cli.options import (
    ClientFields,
    DryRun,
    Limit,
    RequestId,
    ShownIn,
    Words,
    Yes,
    literal,
    words,
)
from camillo_cli.output import note, print_json, print_result, say
from camillo_cli.tables import Column, age_in, pages, print_list, show_table

if TYPE_CHECKING:
    from camillo.v1.lifecycle_pb2 import Receipt
    from camillo.v1.memory_pb2 import ForgetReceipt, StoreCount
    from camillo_client import Camillo


def _ids(option: str, what: str, metavar: str = "ID") -> Any:
    return Option(option, metavar=metavar, help=f"{what}; may be repeated.")


@dataclass(frozen=True, slots=True)
class RecordOptions(ClientFields):
    """Records of an agent, by store."""

    memory_ids: Annotated[list[str], _ids("--memory", "A memory")] = field(default_factory=list)
    event_ids: Annotated[list[str], _ids("--event", "An event")] = field(default_factory=list)
    decision_ids: Annotated[list[str], _ids("--decision", "A decision")] = field(default_factory=list)
    task_ids: Annotated[list[str], _ids("--task", "A task")] = field(default_factory=list)
    slot_ids: Annotated[list[str], _ids("--slot", "A slot with every version")] = field(default_factory=list)
    document_ids: Annotated[list[str], _ids("--document", "A document of the tenant")] = field(default_factory=list)
    action_ids: Annotated[list[str], _ids("--action", "An action of the audit trail")] = field(default_factory=list)
    handoff_ids: Annotated[list[str], _ids("--handoff", "A handoff from or to the agent")] = field(default_factory=list)
    view_names: Annotated[list[str], _ids("--view", "A view of the agent", "NAME")] = field(default_factory=list)
    skill_names: Annotated[list[str], _ids("--skill", "A skill with every version", "NAME")] = field(
        default_factory=list
    )
    run_ids: Annotated[list[str], _ids("--run", "An open run")] = field(default_factory=list)
    artifact_ids: Annotated[list[str], _ids("--artifact", "An artifact of the agent")] = field(default_factory=list)
    alias_ids: Annotated[list[str], _ids("--merged-name", "A name that was merged")] = field(default_factory=list)
    proposal_ids: Annotated[list[str], _ids("--proposal", "A proposal of a distillation")] = field(default_factory=list)


def forget(
    client: ClientOptions,
    records: RecordOptions,
    value: Annotated[
        str | None, Option(metavar="TEXT", help="Everything that holds this value, inside sentences, too; instead.")
    ] = None,
    aliases: Annotated[
        list[str] | None, Option("--alias", metavar="TEXT", help="With --value: another name of it; may be repeated.")
    ] = None,
    include_linked: Annotated[
        bool,
        Option("--include-linked", help="Also forget what a link says is about these records or derived from them."),
    ] = False,
    include_merged: Annotated[
        bool, Option("--include-merged", help="With --value: also by the names merged with it (camillo entities).")
    ] = False,
    redact: Annotated[
        bool,
        Option("--redact", help="With --value: keep memories and events, with [forgotten] in the place of the value."),
    ] = False,
    all_scopes: Annotated[
        bool, Option("--all-scopes", help="In every space of the tenant; needs an admin key.")
    ] = False,
    dry_run: DryRun = False,
    allow_restating: Annotated[
        bool, Option("--allow-restating", help="Let the same texts be stored again later.")
    ] = False,
    include_events: Annotated[
        bool, Option("--include-events", help="Also forget the events that memories are based on.")
    ] = False,
    excerpts: Annotated[
        int, Option(min=0, max=50, help="With --value and --dry-run: records of each store whose places are shown.")
    ] = 10,
    channel: ShownIn = None,
    yes: Yes = False,
    request_id: RequestId = None,
) -> None:
    """Remove records of any kind permanently, with everything that cites or repeats them, and block the same texts.

    Example: camillo lifecycle forget --value "Ada lives at Hafenweg 12" --dry-run
    """
    named = {name: ids for name, ids in records.fields().items() if ids}
    if bool(named) == (value is not None):
        raise CliError("give either records or --value", ExitCode.USAGE)
    if (aliases or redact or include_merged) and value is None:
        raise CliError("give --alias, --include-merged and --redact with --value", ExitCode.USAGE)
    with connected(client) as camillo:
        receipt = run_confirmed(
            partial(
                camillo.lifecycle.forget,
                value=value,
                aliases=aliases or (),
                include_linked=include_linked,
                include_merged=include_merged,
                mode="redact_spans" if redact else None,
                allow_restating=allow_restating,
                include_events=include_events,
                all_scopes=all_scopes,
                excerpts=excerpts if dry_run and value is not None else 0,
                channel=literal(channel),
                **named,
            ),
            _planned_removals,
            dry_run=dry_run,
            yes=yes,
            request_id=request_id,
        )
    verb = "would forget" if dry_run else "forgot"
    print_result(client, receipt, f"{verb} {_records(receipt) or 'nothing'}")
    if client.as_json:
        return
    show_excerpts(receipt, all_scopes=all_scopes)
    show_matches(receipt, [value or "", *(aliases or ())])
    if receipt.found_nothing:
        note("no record was found")
    else:
        note(f"rows: {rows_by_store(receipt.stores)}")
    note_receipt(receipt)
    for left in receipt.remains:
        ids = f" ({len(left.ids):,})" if left.ids else ""
        note(f"may remain in {left.place.replace('_', ' ')}{ids} until {left.until}")


def show_excerpts(receipt: ForgetReceipt, *, all_scopes: bool) -> None:
    """Prints a row for each place that is shown, and a note for each store that has more."""
    places = [(of, each, text) for of in receipt.excerpts for each in of.excerpts for text in each.texts]
    rows = [
        (RECORDS.get(of.store, of.store), each.id, *([each.agent_id] if all_scopes else []), text)
        for of, each, text in places
    ]
    show_table([each for each in PLACES if all_scopes or each.title != "agent"], rows, lines=4)
    for of in receipt.excerpts:
        if of.not_shown:
            note(f"{of.store}: {counted(of.not_shown, 'more record holds', 'more records hold')} it")
        if of.withheld:
            note(f"{of.store}: {counted(of.withheld, 'record', 'records')} withheld, not to be shown here")


def show_matches(receipt: ForgetReceipt, values: Sequence[str]) -> None:
    """Prints a note for each of several values, and warns of those that are everyday words, or common ones."""
    given = chain(values, (each.merged_name or "a merged name" for each in receipt.matches[len(values) :]))
    for value, match in zip(given, receipt.matches, strict=False):
        if len(receipt.matches) > 1:
            note(f"{value!r}: {counted(match.records, 'record', 'records')}")
        if match.in_small_letters:
            small = f"{match.in_small_letters:,} of {counted(match.records, 'record', 'records')}"
            note(f"warning: {small} write {value!r} in small letters only: is it an everyday word?")
        if match.too_common:
            note(f"warning: {value!r} is too short or too common to be looked for inside sentences")


def _records(receipt: ForgetReceipt) -> str:
    """How many records go, by their kind; empty where there are none."""
    found = ((each.rows, RECORDS.get(each.store), each.store.replace("_", " ")) for each in receipt.stores)
    return ", ".join(counted(rows, one, many) for rows, one, many in found if rows and one)


def _planned_removals(planned: ForgetReceipt) -> str:
    """The records, or the text alone, which is blocked all the same."""
    return _records(planned) or ("a text that nothing states" if planned.blocked_values else "")


def note_receipt(receipt: ForgetReceipt | Receipt) -> None:
    """Prints how many values may not be stored again, and the receipt's id."""
    if blocked := receipt.blocked_values:
        note(f"{counted(blocked, 'value', 'values')} may not be stored again")
    if common := getattr(receipt, "unblocked_values", 0):
        note(f"{counted(common, 'text', 'texts')} may be: too short or too common to be blocked")
    if receipt.receipt_id:
        note(f"receipt {receipt.receipt_id}")


def reset(
    client: ClientOptions,
    confirm: Annotated[
        str | None,
        Option(
            metavar="NAME",
            help="The name of the agent, or of the tenant for its shared space: then the command does not ask.",
        ),
    ] = None,
    dry_run: DryRun = False,
    request_id: RequestId = None,
) -> None:
    """Empty a space permanently: all memories, events, decisions, tasks and artifacts of an agent.

    Example: camillo lifecycle reset --agent support --dry-run
    """
    with connected(client) as camillo:
        caller = camillo.who_am_i()
        # The name that has to be typed: the id of the agent, or of the tenant for its shared scope.
        name = acting_agent(client, caller) or caller.tenant_id
        if not dry_run and confirm is None:
            confirm = _ask_for_name(camillo, name)
        receipt = camillo.lifecycle.reset(name if confirm is None else confirm, dry_run=dry_run, request_id=request_id)
    verb = "would empty" if dry_run else "emptied"
    print_result(client, receipt, f"{verb} {name}: {rows_by_store(receipt.stores)}")
    if receipt.receipt_id and not client.as_json:
        note(f"receipt {receipt.receipt_id}")


def receipts(client: ClientOptions, limit: Limit = None) -> None:
    """List the receipts of removals, newest first.

    Example: camillo lifecycle receipts --limit 10
    """
    with connected(client) as camillo:
        listed = pages(camillo.lifecycle.receipts, limit)
        print_list(client, listed, RECEIPTS, empty="no receipts", lines=2)


def refusals(client: ClientOptions, limit: Limit = None) -> None:
    """List the writes that were refused because they held a forgotten value, newest first. The values are not kept.

    Example: camillo lifecycle refusals --limit 10
    """
    with connected(client) as camillo:
        listed = pages(camillo.lifecycle.refusals, limit)
        print_list(client, listed, REFUSALS, empty="no refusals")


def lift(
    client: ClientOptions,
    text: Annotated[Words, words("The text that was forgotten")] = None,
    receipt: Annotated[str | None, Option(metavar="ID", help="All texts of this receipt, instead.")] = None,
    request_id: RequestId = None,
) -> None:
    """Let a text that was forgotten be stored again.

    Example: camillo lifecycle lift "Ada prefers tea to coffee"
    """
    if text and receipt:
        raise CliError("give either a text or --receipt", ExitCode.USAGE)
    content = None if receipt else read_words(text)
    with connected(client) as camillo:
        lifted = camillo.lifecycle.lift(content, receipt_id=receipt, request_id=request_id)
    if client.as_json:
        print_json({"lifted": lifted})
    else:
        say(f"{counted(lifted, 'value', 'values')} may be stored again")


def run_confirmed(
    call: Callable[..., Any],
    describe: Callable[[Any], str],
    *,
    dry_run: bool,
    yes: bool,
    request_id: str | None,
    verb: str = "forget",
) -> Any:
    """Makes a call of the client that removes what it selects, once that is confirmed, and returns its answer.

    `describe` names what the answer of a dry run selects; where that is nothing, no more than the dry run is made,
    which leaves no receipt. Raises CliError where nobody can be asked."""
    # A repeated request is answered as before, though there is nothing left to remove.
    planned = None if request_id else call(dry_run=True)
    if dry_run:
        return planned or call(dry_run=True, request_id=request_id)
    what = "these" if planned is None else describe(planned)
    if not what:
        return planned
    confirm(verb, what, yes=yes)
    return call(request_id=request_id, plan_token="" if planned is None else planned.plan_token)


def confirm(verb: str, what: str, *, yes: bool) -> None:
    """Asks whether to do what cannot be undone. Raises CliError where nobody can be asked."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise CliError(f"this {verb}s {what} permanently: confirm it with --yes", ExitCode.USAGE)
    typer.confirm(f"{verb.capitalize()} {what} permanently?", abort=True, err=True)


def rows_by_store(stores: Iterable[StoreCount]) -> str:
    """The number of rows that were removed from each store."""
    return ", ".join(f"{each.store} {each.rows:,}" for each in stores if each.rows) or "none"


def _ask_for_name(camillo: Camillo, name: str) -> str:
    """Shows what would be removed, and asks for the name. Raises CliError where nobody can be asked."""
    if not sys.stdin.isatty():
        raise CliError(f"this removes everything: confirm it with --confirm {name}", ExitCode.USAGE)
    planned = camillo.lifecycle.reset(name, dry_run=True)
    note(f"This removes permanently: {rows_by_store(planned.stores)}.")
    typed: str = typer.prompt(f"Type {name} to continue", err=True)
    if typed != name:
        raise typer.Abort
    return typed


# Names of a row of each store; other stores hold parts of these.
RECORDS = {
    "memories": "memory",
    "redacted_memories": "redacted memory",
    "events": "event",
    "redacted_events": "redacted event",
    "decisions": "decision",
    "tasks": "task",
    "slots": "slot",
    "documents": "document",
    "actions": "action",
    "handoffs": "handoff",
    "views": "view",
    "skills": "skill",
    "runs": "run",
    "artifacts": "artifact",
    "entity_aliases": "merged name",
}
PLACES = (
    Column("record"),
    Column("id", style="dim"),
    Column("agent", optional=True),
    Column("where it stands"),
)
REFUSALS = (
    Column("age", age_in("at"), right=True),
    Column("method", "method"),
    Column("field", "field"),
    Column("receipt", "receipt_id", style="dim"),
)
RECEIPTS = (
    Column("id", "receipt_id", style="dim"),
    Column("age", age_in("at"), right=True),
    Column("cause", lambda receipt: receipt.cause.replace("_", " ")),
    Column("blocked", "blocked_values", right=True, optional=True),
    Column("removed", lambda receipt: rows_by_store(receipt.stores)),
)
