"""`camillo hook status`: what the hooks of each client did in the last days, and what is wrong with them."""

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence

from camillo_cli.hooks import figures
from camillo_cli.hooks.clients import CLIENTS
from camillo_cli.hooks.endpoint import HookError
from camillo_cli.hooks.sessions import SessionFiles

USAGE = "usage: camillo hook status [--json]"
SHOWN_DAYS = 7
# Today and yesterday: a day of sessions, whenever it ended.
RECORDING_DAYS = 2
# So many transcripts without anything new are no session that was merely closed.
ENOUGH_TRANSCRIPTS = 3
NAMES = {
    "prompts_with_context": figures.ANSWERED,
    "prompts_without_context": figures.EMPTY,
    "prompts_missed": figures.MISSED,
    "prompts_failed": figures.FAILED,
    "recordings": figures.RECORDED,
    "recordings_of_nothing": figures.NOTHING,
    "recordings_failed": figures.UNRECORDED,
}


def show_status(arguments: Sequence[str], environ: Mapping[str, str] = os.environ) -> None:
    """Prints it. Raises HookError for arguments that it does not take."""
    if not set(arguments) <= {"--json"}:
        raise HookError(USAGE)
    shown = list(statuses(environ))
    if arguments:
        clients = [{"client": client, **counts, "problems": found} for client, counts, found in shown]
        failure = SessionFiles(environ).failure()
        sys.stdout.write(json.dumps({"days": SHOWN_DAYS, "clients": clients, "last_failure": failure}) + "\n")
        return
    for line in _lines(shown, environ):
        sys.stdout.write(f"{line}\n")


def statuses(environ: Mapping[str, str]) -> Iterator[tuple[str, dict[str, int], list[str]]]:
    """Each client whose hooks ran, what they did by the names above, and what is wrong."""
    for client in CLIENTS:
        counts = figures.counted(environ, client, SHOWN_DAYS)
        if any(counts.values()):
            named = {name: counts[letter] for name, letter in NAMES.items()}
            yield client, named, list(_problems(environ, client, named))


def summary(counts: Mapping[str, int]) -> str:
    """A line about what the hooks of a client did."""
    prompts = sum(counts[name] for name in NAMES if name.startswith("prompts"))
    transcripts = sum(counts[name] for name in NAMES if name.startswith("recordings"))
    return (
        f"{prompts:,} prompts and starts ({counts['prompts_with_context']:,} with context, "
        f"{counts['prompts_missed']:,} missed, "
        f"{counts['prompts_failed']:,} failed), {transcripts:,} transcripts ({counts['recordings']:,} recorded, "
        f"{counts['recordings_of_nothing']:,} without anything new, {counts['recordings_failed']:,} failed)"
    )


def nothing_recorded(environ: Mapping[str, str], client: str) -> str:
    """A line where the hooks of a client recorded nothing for a day of sessions; else empty."""
    counts = figures.counted(environ, client, RECORDING_DAYS)
    transcripts = counts[figures.NOTHING] + counts[figures.UNRECORDED]
    if counts[figures.RECORDED] or transcripts < ENOUGH_TRANSCRIPTS:
        return ""
    return f"nothing was recorded of {transcripts:,} transcripts, today and yesterday"


def _problems(environ: Mapping[str, str], client: str, counts: Mapping[str, int]) -> Iterator[str]:
    if missed := counts["prompts_missed"]:
        yield (
            f"{missed:,} prompts or starts went without their context: the server was away, or slower than "
            f"CAMILLO_HOOK_DEADLINE_MS"
        )
    if failed := counts["prompts_failed"]:
        yield f"{failed:,} prompts or starts failed: run the hook by hand to see why"
    if line := nothing_recorded(environ, client):
        yield line


def _lines(shown: list[tuple[str, dict[str, int], list[str]]], environ: Mapping[str, str]) -> Iterator[str]:
    if not shown:
        yield f"no hook ran in the last {SHOWN_DAYS} days ('camillo install' configures a client)"
    for client, counts, problems in shown:
        yield f"{client}, last {SHOWN_DAYS} days: {summary(counts)}"
        yield from (f"  {problem}" for problem in problems)
    if failure := SessionFiles(environ).failure():
        yield f"the last recording failed: {failure}"
