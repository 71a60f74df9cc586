"""mirror: the slots of a scope as files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from camillo_cli.connection import ClientOptions, connected
from camillo_cli.failures import CliError
from camillo_cli.format import clean, counted
from camillo_cli.output import note, print_json, say

if TYPE_CHECKING:
    from camillo_client import Camillo, Mirror
    from camillo_client.mirror import MirrorStep
    from camillo_client.mirror.inbox import Inbox

INBOX_SECONDS = 0.5


def mirror(
    client: ClientOptions,
    directory: Annotated[Path, Argument(metavar="DIR", help="Where to keep them; made if it does not exist.")],
    prefix: Annotated[str, Option(help="Only slots below this key.", metavar="KEY")] = "",
    follow: Annotated[
        bool, Option("--follow", help="Go on until interrupted, through restarts of the server.")
    ] = False,
    shared: Annotated[bool, Option("--shared", help="Those of the space that all agents of the tenant share.")] = False,
    compact: Annotated[bool, Option("--compact", help="Write state.jsonl: the newest versions of all.")] = False,
    rotate: Annotated[
        bool,
        Option("--rotate", help="Move a log of 100,000 lines to archive/. Default: one log."),
    ] = False,
    flush: Annotated[bool, Option("--flush", help="Wait for the disk, so that a power cut loses nothing.")] = False,
) -> None:
    """Keep slots as files, to be listed, searched and read with ls, grep and jq: the newest content of each below
    DIR/index, every version in DIR/log.jsonl.

    Files dropped into DIR/inbox are set meanwhile: inbox/user/style.json as /user/style. While the server is away the
    files stay as they are, and DIR/mirror.json says since when.

    Example: camillo mirror memory --follow
    """
    from camillo_client.mirror.directory import ROTATED_LINES, MirrorError

    with connected(client) as camillo:
        try:
            opened = camillo.mirror(
                directory,
                prefix=prefix,
                shared=shared,
                flush=flush,
                rotated_lines=ROTATED_LINES if rotate else 0,
            )
        except MirrorError as error:
            raise CliError(str(error)) from None
        except OSError as error:
            raise CliError(f"{directory}: {error.strerror}") from None
        with opened, _taking_inbox(camillo, directory, shared):

            def say_synced(changes: int) -> None:
                if compact:
                    opened.compact()
                _print_summary(client, opened, directory, changes)

            if follow:
                _follow(client, opened, say_synced)
            else:
                say_synced(opened.sync())


def _print_summary(client: ClientOptions, opened: Mirror, directory: Path, changes: int) -> None:
    repairs = opened.repairs
    repaired = [
        text.format(counted(count, one, f"{one}s"))
        for count, text, one in (
            (repairs.steps_finished, "finished {}", "step"),
            (repairs.lines_dropped, "took back {} of the log", "line"),
            (repairs.files_written, "wrote {} anew", "file"),
            (repairs.files_removed, "removed {}", "file"),
        )
        if count
    ]
    if repairs.started_anew:
        repaired.append(f"read everything anew: {repairs.started_anew}")
    if client.as_json:
        print_json({"slots": opened.slots, "changes": changes, "repairs": repaired})
        return
    seen = counted(changes, "change", "changes")
    say(f"{counted(opened.slots, 'slot', 'slots')} in {directory}, {seen} since the last time")
    if repaired:
        say(f"the last time did not end in order: {', '.join(repaired)}")


def _follow(client: ClientOptions, opened: Mirror, say_synced: Callable[[int], None]) -> None:
    """Follows; what there was before is one line. A server that is not there yet is waited for."""
    is_synced, is_away, changes = False, False, 0
    with closing(opened.follow()) as steps:
        for step in steps:
            if step.away is not None and not is_away:
                note("the server is away; the files stay as they are")
            elif step.away is None and is_away:
                note("the server is back")
            is_away = step.away is not None
            if is_synced:
                _print_changes(client, step)
                continue
            changes += len(step.changes)
            if is_synced := step.is_current:
                say_synced(changes)
                sys.stdout.flush()


def _print_changes(client: ClientOptions, step: MirrorStep) -> None:
    for line in _lines(step):
        if client.as_json:
            print_json(line)
        else:
            say("  ".join(clean(str(value)) for value in line.values()))
    sys.stdout.flush()


def _lines(step: MirrorStep) -> Iterator[dict[str, object]]:
    from camillo_client.mirror import Forgotten, Hidden

    for change in step.changes:
        match change:
            case Forgotten():
                yield {"change": "forgotten", "slot_id": change.slot_id}
            case Hidden():
                yield {"change": "hidden", "slot_id": change.slot_id}
            case _:
                verb = "set" if change.valid else "removed"
                yield {"change": verb, "key": change.key, "version": change.version}


@contextmanager
def _taking_inbox(camillo: Camillo, directory: Path, shared: bool) -> Iterator[None]:
    """Sets what is in the inbox, then, in a thread and for as long as the block runs, what is dropped into it. A file
    that cannot be set yet is tried again."""
    from camillo_client import CamilloError
    from camillo_client.mirror.inbox import Inbox

    inbox, is_over, noted = Inbox(directory), Event(), set[str]()

    def take() -> None:
        try:
            _take(camillo, inbox, shared)
        except (CamilloError, OSError) as error:
            if (problem := clean(str(error))) not in noted:
                noted.add(problem)
                note(f"the inbox waits: {problem}")

    def run() -> None:
        while not is_over.wait(INBOX_SECONDS):
            take()

    thread = Thread(target=run, name="inbox", daemon=True)
    take()
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
        inbox.close()


def _take(camillo: Camillo, inbox: Inbox, shared: bool) -> None:
    """Raises CamilloError, OSError where something else than the server's absence keeps a file in the inbox."""
    from camillo_client import SHARED, provenance
    from camillo_client.errors import DeadlineExceeded, FailedPrecondition, InvalidArgument, Overloaded, Unavailable

    for file in inbox.dropped():
        where = provenance(
            "file",
            file.path[-1],
            retrieved_at=datetime.now(UTC),
            locator={"path": "/".join(file.path)},
        )
        try:
            text = file.content.decode()
            camillo.slots.set_memory(file.key, text, where, agent_id=SHARED if shared else None)
        except (InvalidArgument, FailedPrecondition, UnicodeDecodeError) as error:
            note(f"refused {clean(file.key)}: {clean(str(error))}")
            inbox.refused(file, str(error))
        except (Unavailable, DeadlineExceeded, Overloaded):
            # The file stays, for the next time.
            return
        else:
            inbox.done(file)
