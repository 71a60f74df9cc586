"""Keeps folders published: publishes and removes what differs from the server, a few at a time.

A file in the folder keeps what earlier runs have published, by owner: nothing else is ever removed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from camillo_cli.failures import CliError, ExitCode
from camillo_cli.format import counted
from camillo_cli.output import note, print_json, progress_bar, say

AT_ONCE = 4
MAX_STATE_BYTES = 16 * 1024 * 1024
# Codes of errors that concern one file, and say nothing about the others.
OF_ONE_FILE = ("INVALID_ARGUMENT", "FAILED_PRECONDITION", "ABORTED", "ALREADY_EXISTS")
# The digests of what was published, by name.
Digests = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SyncOptions:
    """How a folder is synchronized."""

    keep: bool
    dry_run: bool
    yes: bool
    as_json: bool


@dataclass(frozen=True, slots=True)
class SyncPlan:
    """Names that differ. `left` were published or changed by somebody else since, and stay."""

    publish: Sequence[str]
    delete: Sequence[str]
    unchanged: int
    left: Sequence[str] = ()


@dataclass(slots=True)
class SyncResult:
    """Names that were published or deleted, and those that failed, with the reason."""

    published: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)


class SyncState:
    """Digests of what was published from a folder, for one owner: a tenant with an agent or a level."""

    def __init__(self, path: Path, owner: str) -> None:
        self._path = path
        self._owner = owner
        self._all: dict[str, dict[str, str]] = self._read()

    @property
    def published(self) -> dict[str, str]:
        return self._all.setdefault(self._owner, {})

    def save(self) -> None:
        """Replaces the file as a whole; without anything published there is none. Raises CliError."""
        kept = {owner: names for owner, names in sorted(self._all.items()) if names}
        unfinished = self._path.with_name(f"{self._path.name}.unfinished")
        try:
            if kept:
                unfinished.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", "utf-8")
                unfinished.replace(self._path)
            else:
                self._path.unlink(missing_ok=True)
        except OSError as error:
            raise CliError(f"cannot write {self._path}: {error.strerror}") from error

    def _read(self) -> dict[str, dict[str, str]]:
        problem = f"{self._path} is not what this command writes: remove it, and nothing is deleted"
        try:
            if not self._path.exists():
                return {}
            if self._path.is_symlink() or self._path.stat().st_size > MAX_STATE_BYTES:
                raise CliError(problem, ExitCode.USAGE)
            kept: Any = json.loads(self._path.read_text("utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise CliError(problem, ExitCode.USAGE) from error
        is_known = isinstance(kept, dict) and all(
            isinstance(names, dict) and all(isinstance(each, str) for each in names.values()) for names in kept.values()
        )
        if not is_known:
            raise CliError(problem, ExitCode.USAGE)
        return dict(kept)


def plan_of(local: Digests, remote: Digests, ours: Digests, *, keep: bool) -> SyncPlan:
    """Plans what to publish and to delete so that the server has what is here."""
    publish = [name for name, digest in local.items() if remote.get(name) != digest]
    gone = sorted(ours.keys() & remote.keys() - local.keys())
    # Whoever published it again meanwhile wants it to be there.
    left = [name for name in gone if remote[name] != ours[name]]
    delete = [] if keep else [name for name in gone if remote[name] == ours[name]]
    return SyncPlan(publish, delete, len(local) - len(publish), left)


def require_consent(plan: SyncPlan, ours: Digests, *, yes: bool) -> None:
    """Raises CliError where more than half of what was published would go: the folder may be the wrong one."""
    if not yes and 2 * len(plan.delete) > len(ours):
        raise CliError(
            f"this would delete {len(plan.delete)} of {len(ours)} that were published from this folder: "
            "look with --dry-run, then confirm with --yes",
            ExitCode.USAGE,
        )


def carry_out(
    plan: SyncPlan,
    publish: Callable[[str], str],
    delete: Callable[[str], None],
    state: SyncState,
    noun: str,
) -> SyncResult:
    """Publishes first, four at a time, then deletes. `publish` returns the digest of what it published. Saves
    what was done even if interrupted. Raises CliError."""
    result = SyncResult()
    work: list[tuple[str, Callable[[str], str | None]]] = [
        *((name, publish) for name in plan.publish),
        *((name, delete) for name in plan.delete),
    ]
    try:
        with progress_bar("Synchronizing", len(work) or 1, noun) as report:
            for part in (work[: len(plan.publish)], work[len(plan.publish) :]):
                _run(part, state, result, report)
    finally:
        state.save()
    return result


def _run(
    work: Sequence[tuple[str, Callable[[str], str | None]]],
    state: SyncState,
    result: SyncResult,
    report: Callable[..., None],
) -> None:
    pool = ThreadPoolExecutor(AT_ONCE)
    running: dict[Future[str | None], str] = {}
    try:
        running = {pool.submit(each, name): name for name, each in work}
        for future in as_completed([*running]):
            _note_end(running.pop(future), future, state, result)
            done = len(result.published) + len(result.deleted) + len(result.failed)
            report(done, done)
    finally:
        # Waits for running work, so that the next run knows what it did.
        pool.shutdown(wait=True, cancel_futures=True)
        for future, name in running.items():
            if not future.cancelled() and future.exception() is None:
                _note_end(name, future, state, result)


def _note_end(name: str, future: Future[str | None], state: SyncState, result: SyncResult) -> None:
    """Raises CamilloError where it says something of all files, such as that the server is away."""
    from camillo_client import CamilloError

    try:
        digest = future.result()
    except CamilloError as error:
        if error.code.name not in OF_ONE_FILE:
            raise
        result.failed[name] = str(error)
        return
    if digest is None:
        state.published.pop(name, None)
        result.deleted.append(name)
    else:
        state.published[name] = digest
        result.published.append(name)


def print_plan(plan: SyncPlan, *, as_json: bool) -> None:
    """Prints what would be done."""
    if as_json:
        print_json({"publish": plan.publish, "delete": plan.delete, "unchanged": plan.unchanged, "left": plan.left})
        return
    for name in plan.publish:
        say(f"publish {name}")
    for name in plan.delete:
        say(f"delete {name}")
    note(f"would publish {len(plan.publish)}, delete {len(plan.delete)}; {plan.unchanged} unchanged")


def print_sync(plan: SyncPlan, result: SyncResult, noun: str, *, as_json: bool) -> None:
    """Prints what was done. Raises CliError if something failed."""
    published, deleted = sorted(result.published), sorted(result.deleted)
    if as_json:
        print_json(
            {
                "published": published,
                "deleted": deleted,
                "unchanged": plan.unchanged,
                "left": plan.left,
                "failed": result.failed,
            }
        )
    else:
        say(f"published {len(published)}, deleted {len(deleted)}; {plan.unchanged} unchanged")
    for name in plan.left:
        note(f"left {name}: somebody else has changed it since")
    for name, reason in sorted(result.failed.items()):
        note(f"failed {name}: {reason}")
    if result.failed:
        raise CliError(f"{counted(len(result.failed), noun)} could not be synchronized")
