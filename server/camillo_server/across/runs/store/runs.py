"""Runs: written at the scope's next revision, read as of one moment, and gone when they have ended."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from camillo_server.across.runs.run import (
    MAX_INSTRUCTIONS,
    MAX_OPEN_RUNS,
    MAX_ROUNDS,
    RENDERING_HOLDS,
    WHOLE_ROUNDS,
    Round,
    RoundSummary,
    Run,
    RunContents,
    RunId,
)
from camillo_server.across.runs.store.entries import NewRound, RunEntries
from camillo_server.across.runs.store.rows import EntryKind, NewEntries, RunRows, run_key, steps_from
from camillo_server.kernel.errors import NotFound, QuotaExceeded
from camillo_server.kernel.ids import AFTER_ALL, PageCursor
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, replay_record
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.lib.text.json_lines import texts_of
from camillo_server.storage.blocklist import ShortenedText, TextFields, without_forgotten
from camillo_server.storage.database import Session
from camillo_server.storage.encrypted_json import MIN_ENCRYPTED
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("across/runs/store/runs")
# No line of a rendered run takes fewer tokens, so that so many summaries are enough for any budget.
MIN_TOKENS_PER_LINE = 4

Rows = Sequence[Sequence[Any]]
T = TypeVar("T")


@replay_record
@dataclass(frozen=True, slots=True)
class RunReplay:
    """The id of the run that was started."""

    run_id: RunId


class RunStore:
    """Runs of one scope that go on; one that has ended by itself is not found. Every write is one transaction that
    advances the scope's revision by one; a repeated request writes nothing. Every method raises StorageUnavailable and,
    but for `start` and `page`, NotFound; writes raise RequestIdReused, ValueRejected, QuotaExceeded, KeyMissing; reads
    KeyMissing, BytesLost."""

    def __init__(self, writes: ScopeWrites, keyring: Keyring) -> None:
        self._writes = writes
        self._database = writes.database
        self._rows = RunRows(keyring)
        self._entries = RunEntries(writes, self._rows)

    async def start(self, scope: Scope, run: Run, request: RequestKey | None, *, now: datetime) -> tuple[Run, int]:
        """The run as it is now, and the revision that holds it; for a repeated request, the run of then."""
        parameters = self._rows.run_parameters(scope, run)

        async def change(session: Session, revision: int) -> RunReplay:
            (open_runs,) = await session.only_row(SQL["count_open"], {**scope_parameters(scope), "now": now})
            if open_runs >= MAX_OPEN_RUNS:
                raise QuotaExceeded("open_runs", MAX_OPEN_RUNS)
            await session.execute(SQL["insert"], parameters)
            return RunReplay(run.run_id)

        texts = texts_of(run.stated)
        written = await self._writes.write(scope, request, RunReplay, change, now, texts=texts, only_added=True)
        if written.is_repeat:
            run = await self._current(scope, written.record.run_id, now)
        return run, written.revision

    async def append(
        self,
        scope: Scope,
        run_id: RunId,
        added: NewRound,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> tuple[Run, int]:
        """The run with the round, and the revision that holds it."""
        return await self._with(scope, run_id, added.entries, added.texts, request, now)

    async def without_forgotten(self, scope: Scope, texts: TextFields) -> Mapping[str, ShortenedText]:
        """The texts that had forgotten sentences, without these."""
        return await without_forgotten(self._database, scope, texts)

    async def instruct(
        self,
        scope: Scope,
        run_id: RunId,
        instruction: str,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> tuple[Run, int]:
        """The run with the instruction, and the revision that holds it."""
        entries = NewEntries.of({EntryKind.INSTRUCTION: {"text": instruction}})
        return await self._with(scope, run_id, entries, {"instruction": instruction}, request, now)

    async def contents(self, scope: Scope, run_id: RunId, max_tokens: int | None, *, now: datetime) -> RunContents:
        """Everything to render into so many tokens, by default as many as the run has, as of one moment."""
        async with self._database.snapshot(scope) as session:
            run = await self._open_run(session, scope, run_id, now)
            lines = (max_tokens or run.stated.max_tokens) // MIN_TOKENS_PER_LINE + WHOLE_ROUNDS
            read = partial(_entries, session, run_key(scope, run_id, now))
            rounds = await read(EntryKind.ROUND, WHOLE_ROUNDS)
            instructions = await read(EntryKind.INSTRUCTION, MAX_INSTRUCTIONS)
            summaries = await read(EntryKind.SUMMARY, lines)
        return await _decrypted(run, lambda: self._contents(scope, run, rounds, instructions, summaries))

    async def page(
        self, scope: Scope, session_id: str, after: PageCursor | None, size: int, *, now: datetime
    ) -> list[Run]:
        """At most `size` runs that follow `after`, the last started first; of any session for an empty one."""
        parameters = {
            **scope_parameters(scope),
            "session_id": session_id or None,
            "after_id": (after or AFTER_ALL).row_id,
            "size": size,
            "now": now,
        }
        rows = await self._database.records(scope, SQL["page"], parameters)
        # A trigger takes up to 16 KiB.
        return await off_loop(UNBOUNDED, lambda: [self._rows.run(scope, row) for row in rows])

    async def touch(self, scope: Scope, run: Run, *, now: datetime) -> None:
        """Records that the run was rendered, without a new revision. No error where the run has ended by now."""
        parameters = {
            **run_key(scope, run.run_id, now),
            "holds_seconds": RENDERING_HOLDS.total_seconds(),
        }

        async def work(session: Session) -> None:
            await session.execute(SQL["touch"], parameters)

        await self._database.write(scope, work)

    async def summaries(self, scope: Scope, run_id: RunId, *, now: datetime) -> tuple[Run, Mapping[int, RoundSummary]]:
        """The run, and the summary of each of its rounds by number."""
        async with self._database.snapshot(scope) as session:
            run = await self._open_run(session, scope, run_id, now)
            rows = await _entries(session, run_key(scope, run_id, now), EntryKind.SUMMARY, MAX_ROUNDS)
        return run, await _decrypted(run, lambda: self._summaries(scope, run, rows))

    async def _with(
        self,
        scope: Scope,
        run_id: RunId,
        entries: NewEntries,
        texts: TextFields,
        request: RequestKey | None,
        now: datetime,
    ) -> tuple[Run, int]:
        run, revision = await self._entries.add(scope, run_id, entries, texts, request, now=now)
        return run or await self._current(scope, run_id, now), revision

    async def _current(self, scope: Scope, run_id: RunId, now: datetime) -> Run:
        """The run as it is now, for a repeat, which changes nothing."""
        return await self._database.read(scope, lambda session: self._open_run(session, scope, run_id, now))

    async def _open_run(self, session: Session, scope: Scope, run_id: RunId, now: datetime) -> Run:
        row = await session.record(SQL["get"], run_key(scope, run_id, now))
        if row is None:
            raise NotFound("run", run_id)
        return self._rows.run(scope, row)

    def _contents(self, scope: Scope, run: Run, rounds: Rows, instructions: Rows, summaries: Rows) -> RunContents:
        """The contents of a run, from rows that begin with the last one."""
        read = partial(self._rows.entry, scope, run.run_id)
        return RunContents(
            run=run,
            instructions=[
                read(EntryKind.INSTRUCTION, number, columns)["text"] for number, *columns in reversed(instructions)
            ],
            rounds=[
                Round(number, steps_from(read(EntryKind.ROUND, number, columns)))
                for number, *columns in reversed(rounds)
            ],
            summaries=self._summaries(scope, run, summaries),
        )

    def _summaries(self, scope: Scope, run: Run, rows: Rows) -> Mapping[int, RoundSummary]:
        read = partial(self._rows.entry, scope, run.run_id, EntryKind.SUMMARY)
        return {number: RoundSummary(**read(number, columns)) for number, *columns in rows}


async def _decrypted(run: Run, work: Callable[[], T]) -> T:
    """The result of the work; what is encrypted is decrypted in a thread."""
    return await off_loop(UNBOUNDED if run.stated.sensitivity >= MIN_ENCRYPTED else 0, work)


async def _entries(session: Session, key: Mapping[str, Any], kind: EntryKind, size: int) -> list[tuple[Any, ...]]:
    """The last ones of a kind, at most so many, the last first."""
    return await session.rows(SQL["entries"], {**key, "kind": int(kind), "size": size})
