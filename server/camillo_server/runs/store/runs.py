"""Runs: written at the scope's next revision, read as of one moment, and gone when they have ended."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from camillo_server.crypto.keyring import Keyring
from camillo_server.kernel.errors import NotFound, QuotaExceeded
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import EmptyReplay, RequestKey, replay_record
from camillo_server.memories.store.encrypted_rows import MIN_ENCRYPTED
from camillo_server.runs.run import (
    MAX_BYTES,
    MAX_INSTRUCTIONS,
    MAX_OPEN_RUNS,
    MAX_ROUNDS,
    RENDERING_HOLDS,
    WHOLE_ROUNDS,
    NewInstruction,
    NewRound,
    Round,
    RoundSummary,
    Run,
    RunContents,
    RunId,
)
from camillo_server.runs.run_texts import texts_of_run, texts_of_steps
from camillo_server.runs.store.rows import (
    BEHIND_RUN,
    EntryKind,
    RunRows,
    json_bytes,
    round_details,
    steps_from,
    summary_details,
    summary_from,
)
from camillo_server.storage.blocklist import TextFields, fingerprint_texts_off_loop
from camillo_server.storage.database import Session
from camillo_server.storage.encrypted_json import Json
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("runs/store/runs")
# No line of a rendered run takes fewer tokens, so that so many summaries are enough for any budget.
MIN_TOKENS_PER_LINE = 4

Rows = Sequence[Sequence[Any]]
Opened = TypeVar("Opened")


@replay_record
@dataclass(frozen=True, slots=True)
class RunReplay:
    """Which run was started."""

    run_id: RunId


@dataclass(frozen=True, slots=True)
class _NewEntry:
    """What is to be added to a run: its entries by kind, all in the same place."""

    run_id: RunId
    entries: Mapping[EntryKind, Json]
    stated: TextFields

    @property
    def added(self) -> dict[str, int]:
        """The parameters by which the run counts it."""
        return {
            "added_rounds": int(EntryKind.ROUND in self.entries),
            "added_instructions": int(EntryKind.INSTRUCTION in self.entries),
            "added_bytes": sum(map(json_bytes, self.entries.values())),
        }


class RunStore:
    """Runs of one scope that go on; one that has ended by itself is not found. Every write is one transaction that advances
    the scope's revision by one; a repeated request writes nothing. Every method raises StorageUnavailable and, but for
    `start`, NotFound; writes raise RequestIdReused, ValueRejected, QuotaExceeded, KeyMissing; reads KeyMissing,
    BytesLost."""

    def __init__(self, writes: ScopeWrites, keyring: Keyring) -> None:
        self._writes = writes
        self._database = writes.database
        self._rows = RunRows(keyring)

    async def start(
        self, scope: Scope, run: Run, request: RequestKey | None, *, now: datetime
    ) -> tuple[Run, int]:
        """The run as it is now, and the revision that holds it; for a repeated request, the run of then."""
        parameters = self._rows.run_parameters(scope, run)

        async def change(session: Session, revision: int) -> RunReplay:
            opened = await session.only_row(
                SQL["count_open"], {**scope_parameters(scope), "now": now}
            )
            if opened[0] >= MAX_OPEN_RUNS:
                raise QuotaExceeded("open_runs", MAX_OPEN_RUNS)
            await session.execute(SQL["insert"], parameters)
            return RunReplay(run.run_id)

        stated = await fingerprint_texts_off_loop(scope, texts_of_run(run.stated))
        written = await self._writes.write(
            scope, request, RunReplay, change, now, fingerprints=stated
        )
        if written.is_repeat:
            run = await self._as_it_is(scope, written.record.run_id, now)
        return run, written.revision

    async def append(
        self, scope: Scope, new: NewRound, request: RequestKey | None, *, now: datetime
    ) -> tuple[Run, int]:
        """The run with the round, and the revision that holds it."""
        entry = await off_loop(UNBOUNDED, lambda: _round_entry(new, now))
        return await self._add(scope, entry, request, now)

    async def instruct(
        self, scope: Scope, new: NewInstruction, request: RequestKey | None, *, now: datetime
    ) -> tuple[Run, int]:
        """The run with the instruction, and the revision that holds it."""
        entries = {EntryKind.INSTRUCTION: {"text": new.text}}
        entry = _NewEntry(new.run_id, entries, {"instruction": new.text})
        return await self._add(scope, entry, request, now)

    async def contents(
        self, scope: Scope, run_id: RunId, max_tokens: int | None, *, now: datetime
    ) -> RunContents:
        """Everything to render into so many tokens, by default as many as the run has, as of one moment."""
        async with self._database.snapshot(scope.tenant_id) as session:
            run = await self._open_run(session, scope, run_id, now)
            lines = (max_tokens or run.stated.max_tokens) // MIN_TOKENS_PER_LINE + WHOLE_ROUNDS
            read = partial(_entries, session, _key(scope, run_id, now))
            rounds = await read(EntryKind.ROUND, WHOLE_ROUNDS)
            told = await read(EntryKind.INSTRUCTION, MAX_INSTRUCTIONS)
            summaries = await read(EntryKind.SUMMARY, lines)
        return await self._opened(run, lambda: self._contents(scope, run, rounds, told, summaries))

    async def touch(self, scope: Scope, run: Run, *, now: datetime) -> None:
        """Records that the run was rendered, without a new revision. No error where the run has ended by now."""
        parameters = {
            **_key(scope, run.run_id, now),
            "holds_seconds": RENDERING_HOLDS.total_seconds(),
        }

        async def work(session: Session) -> None:
            await session.execute(SQL["touch"], parameters)

        await self._database.write(scope.tenant_id, work)

    async def summaries(
        self, scope: Scope, run_id: RunId, *, now: datetime
    ) -> tuple[Run, Mapping[int, RoundSummary]]:
        """The run, and the summary of each of its rounds by number."""
        async with self._database.snapshot(scope.tenant_id) as session:
            run = await self._open_run(session, scope, run_id, now)
            told = await _entries(session, _key(scope, run_id, now), EntryKind.SUMMARY, MAX_ROUNDS)
        return run, await self._opened(run, lambda: self._summaries(scope, run, told))

    async def _add(
        self, scope: Scope, new: _NewEntry, request: RequestKey | None, now: datetime
    ) -> tuple[Run, int]:
        parameters = {**_key(scope, new.run_id, now), **new.added}
        found: list[Run] = []

        async def change(session: Session, revision: int) -> EmptyReplay:
            row = await session.row(SQL["count_entry"], parameters)
            if row is None:
                raise NotFound("run", new.run_id)
            run = self._rows.run(scope, row)
            _require_room(run, row[BEHIND_RUN])
            for kind, details in new.entries.items():
                place = run.instructions if kind is EntryKind.INSTRUCTION else run.rounds
                entry = self._rows.entry_parameters(scope, run, (kind, place), details)
                await session.execute(SQL["insert_entry"], {**entry, "now": now})
            found[:] = [run]
            return EmptyReplay()

        stated = await fingerprint_texts_off_loop(scope, new.stated)
        written = await self._writes.write(
            scope, request, EmptyReplay, change, now, fingerprints=stated
        )
        run = await self._as_it_is(scope, new.run_id, now) if written.is_repeat else found[0]
        return run, written.revision

    async def _as_it_is(self, scope: Scope, run_id: RunId, now: datetime) -> Run:
        """For a repeat, which changes nothing."""
        return await self._database.read(
            scope.tenant_id, lambda session: self._open_run(session, scope, run_id, now)
        )

    async def _open_run(self, session: Session, scope: Scope, run_id: RunId, now: datetime) -> Run:
        row = await session.row(SQL["get"], _key(scope, run_id, now))
        if row is None:
            raise NotFound("run", run_id)
        return self._rows.run(scope, row)

    async def _opened(self, run: Run, work: Callable[[], Opened]) -> Opened:
        """Its result; what is encrypted is decrypted in a thread."""
        return await off_loop(UNBOUNDED if run.stated.sensitivity >= MIN_ENCRYPTED else 0, work)

    def _contents(
        self, scope: Scope, run: Run, rounds: Rows, told: Rows, summaries: Rows
    ) -> RunContents:
        """From rows that begin with the last one."""
        open_ = partial(self._rows.entry, scope, run.run_id)
        return RunContents(
            run=run,
            instructions=[open_(EntryKind.INSTRUCTION, row)["text"] for row in reversed(told)],
            rounds=[
                Round(row[0], steps_from(open_(EntryKind.ROUND, row))) for row in reversed(rounds)
            ],
            summaries=self._summaries(scope, run, summaries),
        )

    def _summaries(self, scope: Scope, run: Run, rows: Rows) -> Mapping[int, RoundSummary]:
        open_ = partial(self._rows.entry, scope, run.run_id, EntryKind.SUMMARY)
        return {row[0]: summary_from(open_(row)) for row in rows}


def _round_entry(new: NewRound, now: datetime) -> _NewEntry:
    entries = {
        EntryKind.ROUND: round_details(new.steps, now),
        EntryKind.SUMMARY: summary_details(new.summary),
    }
    return _NewEntry(new.run_id, entries, texts_of_steps(new.steps))


async def _entries(
    session: Session, key: Mapping[str, Any], kind: EntryKind, size: int
) -> list[tuple[Any, ...]]:
    """The last ones of a kind, at most so many, the last first."""
    return await session.rows(SQL["entries"], {**key, "kind": int(kind), "size": size})


def _require_room(run: Run, used_bytes: int) -> None:
    """Raises QuotaExceeded, which undoes what went beyond."""
    bounds = (
        ("run_rounds", run.rounds, MAX_ROUNDS),
        ("run_instructions", run.instructions, MAX_INSTRUCTIONS),
        ("run_bytes", used_bytes, MAX_BYTES),
    )
    for quota, used, most in bounds:
        if used > most:
            raise QuotaExceeded(quota, most)


def _key(scope: Scope, run_id: RunId, now: datetime) -> dict[str, Any]:
    return {**scope_parameters(scope), "run_id": run_id, "now": now}
