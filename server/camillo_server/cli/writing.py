"""remember, update, forget."""

import sys
from datetime import datetime
from typing import Annotated, Any

import typer
from typer import Argument, Option

from camillo_server.cli.arguments import given_text, metadata, moment_ago, moment_ahead, utc_now
from camillo_server.cli.choices import Kind, Sensitivity
from camillo_server.cli.connection import ClientOptions, connected
from camillo_server.cli.failures import CliError, ExitCode
from camillo_server.cli.filters import FilterOptions
from camillo_server.cli.output import counted, note, print_message, say

RequestId = Annotated[
    str | None,
    Option(help="Repeated with the same id and content, the command writes nothing twice."),
]
Expires = Annotated[str | None, Option(help="Hidden from then on: 2027-01-31, or 90d.")]
Happened = Annotated[
    str | None, Option("--occurred", help="When what it tells happened: 2026-01-31, or 2h.")
]
Importance = Annotated[float | None, Option(min=0, max=1)]
Session = Annotated[str | None, Option(help="The conversation it comes from.")]


def remember(
    client: ClientOptions,
    text: Annotated[
        list[str] | None, Argument(help="The statement; '-', or piped in: from standard input.")
    ] = None,
    kind: Annotated[Kind | None, Option(help="What it is about. Default: fact.")] = None,
    tag: Annotated[list[str] | None, Option(help="A tag; may be repeated.")] = None,
    importance: Importance = None,
    session: Session = None,
    sensitivity: Annotated[
        Sensitivity | None, Option(help="Who may be shown it. Default: internal.")
    ] = None,
    meta: Annotated[list[str] | None, Option(help="key=value; may be repeated.")] = None,
    occurred: Happened = None,
    expires: Expires = None,
    never_expires: Annotated[
        bool, Option("--never-expires", help="No end, whatever its kind.")
    ] = False,
    pin: Annotated[bool, Option("--pin", help="Exempt from clean-up.")] = False,
    source: Annotated[
        list[str] | None, Option(help="An id of what it rests on; may be repeated.")
    ] = None,
    memory_id: Annotated[str, Option("--id", help="A UUID. Default: made by the server.")] = "",
    request_id: RequestId = None,
) -> None:
    """Store one memory.

    Example: camillo remember "Ada prefers tea to coffee" --kind preference --tag drinks
    """
    now = utc_now()
    content = given_text(text)
    fields = {
        **_stated(kind, sensitivity, importance, session),
        "tags": tag or [],
        "metadata": metadata(meta or []) or None,
        "occurred_at": moment_ago(occurred, now),
        "expires_at": moment_ahead(expires, now),
        "never_expires": never_expires,
        "pinned": pin,
        "source_refs": source or [],
        "memory_id": memory_id,
    }
    with connected(client) as camillo:
        memory = camillo.remember(content, request_id=request_id, **fields)
    if client.as_json:
        print_message(memory)
    else:
        say(f"remembered {memory.memory_id}")


def update(
    client: ClientOptions,
    memory_id: Annotated[str, Argument(help="The id of a memory.")],
    content: Annotated[str | None, Option(help="The new text; '-': standard input.")] = None,
    kind: Annotated[Kind | None, Option()] = None,
    add_tag: Annotated[list[str] | None, Option(help="May be repeated.")] = None,
    remove_tag: Annotated[list[str] | None, Option(help="May be repeated.")] = None,
    importance: Importance = None,
    session: Session = None,
    sensitivity: Annotated[Sensitivity | None, Option()] = None,
    meta: Annotated[
        list[str] | None, Option(help="key=value to set; key= to take away; may be repeated.")
    ] = None,
    occurred: Happened = None,
    expires: Annotated[str | None, Option(help="As with remember; 'never'.")] = None,
    pin: Annotated[bool | None, Option("--pin/--unpin")] = None,
    archive: Annotated[bool | None, Option("--archive/--restore")] = None,
    expected_version: Annotated[
        int | None,
        Option(min=1, help="Fail if the memory has another version. Default: the one it has."),
    ] = None,
    request_id: RequestId = None,
) -> None:
    """Change one memory; what was replaced stays in its history.

    Example: camillo update 0198c0de-0000-7000-8000-000000000001 --add-tag drinks --importance 0.9
    """
    fields: dict[str, Any] = {
        **_stated(kind, sensitivity, importance, session),
        **({} if content is None else {"content": given_text([content])}),
        **({} if occurred is None else {"occurred_at": moment_ago(occurred, utc_now())}),
        **({} if expires is None else {"expires_at": _expiry(expires)}),
        **({} if pin is None else {"pinned": pin}),
        **({} if archive is None else {"archived": archive}),
    }
    changes_parts = bool(add_tag or remove_tag or meta)
    if not fields and not changes_parts:
        raise CliError("nothing to change: name at least one field", ExitCode.USAGE)
    with connected(client) as camillo:
        version = expected_version
        if version is None or changes_parts:
            memory = camillo.get(memory_id)
            version = version or memory.version
            if add_tag or remove_tag:
                kept = [tag for tag in memory.tags if tag not in (remove_tag or [])]
                fields["tags"] = list(dict.fromkeys([*kept, *(add_tag or [])]))
            if meta:
                fields["metadata"] = _merged(memory, meta)
        changed = camillo.update(memory_id, version, request_id=request_id, **fields)
    if client.as_json:
        print_message(changed)
    else:
        say(f"updated {changed.memory_id} to version {changed.version}")


def forget(
    client: ClientOptions,
    filters: FilterOptions,
    memory_ids: Annotated[
        list[str] | None, Argument(metavar="[ID]...", help="Ids; or give filter options.")
    ] = None,
    dry_run: Annotated[bool, Option("--dry-run", help="Only tell what would go.")] = False,
    allow_restating: Annotated[
        bool, Option("--allow-restating", help="What they say may be stated again.")
    ] = False,
    include_events: Annotated[
        bool, Option("--include-events", help="Forget the events that they rest on, too.")
    ] = False,
    yes: Annotated[bool, Option("--yes", "-y", help="Do not ask.")] = False,
    request_id: RequestId = None,
) -> None:
    """Remove memories for good, with all that was derived from them; they may not be stated again.

    Example: camillo forget --tag drinks --dry-run
    """
    if bool(memory_ids) != filters.is_empty:
        raise CliError("give either ids or filter options", ExitCode.USAGE)
    selector: dict[str, Any] = {"ids": memory_ids} if memory_ids else {"filter": filters.message()}
    selector |= {"allow_restating": allow_restating, "include_events": include_events}
    with connected(client) as camillo:
        if not dry_run and not yes and sys.stdin.isatty():
            found = camillo.forget(**selector, dry_run=True).forgotten
            if found:
                typer.confirm(f"Forget {counted(found)} for good?", abort=True, err=True)
        answer = camillo.forget(**selector, dry_run=dry_run, request_id=request_id)
    if client.as_json:
        print_message(answer)
        return
    say(f"{'would forget' if dry_run else 'forgot'} {counted(answer.forgotten)}")
    if answer.receipt.blocked_values:
        blocked = answer.receipt.blocked_values
        note(f"{blocked:,} {'value' if blocked == 1 else 'values'} may not be stated again")
    if answer.receipt.receipt_id:
        note(f"receipt {answer.receipt.receipt_id}")


def _stated(
    kind: Kind | None,
    sensitivity: Sensitivity | None,
    importance: float | None,
    session: str | None,
) -> dict[str, Any]:
    """The fields that were given, as the client takes them."""
    fields = {
        "kind": kind and kind.value,
        "sensitivity": sensitivity and sensitivity.value,
        "importance": importance,
        "session_id": session,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _expiry(text: str) -> datetime | None:
    return None if text == "never" else moment_ahead(text, utc_now())


def _merged(memory: Any, pairs: list[str]) -> dict[str, Any]:
    from camillo_client import to_dict

    merged = {**to_dict(memory.metadata), **metadata(pairs)}
    return {key: value for key, value in merged.items() if value != ""}
