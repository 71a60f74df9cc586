"""Rounds and instructions, added to a run: by one statement or, where that cannot be, step by step."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from psycopg.errors import CheckViolation, NotNullViolation, UniqueViolation

from camillo_server.across.runs.run import (
    MAX_BYTES,
    MAX_INSTRUCTIONS,
    MAX_ROUNDS,
    RoundSummary,
    Run,
    RunId,
    RunStep,
    step_texts,
)
from camillo_server.across.runs.store.rows import EntryKind, NewEntries, RunRows, round_details, run_key
from camillo_server.kernel.errors import NotFound, QuotaExceeded
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import EmptyReplay, RequestKey
from camillo_server.storage.blocklist import CONSTRAINT, UNREAD, TextFields, kept_fingerprints, with_request_id
from camillo_server.storage.database import Session, violates
from camillo_server.storage.encrypted_json import MIN_ENCRYPTED
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.statements import statements
from camillo_server.storage.written_requests import PRIMARY_KEY, Ids, audit_of, audits_json, request_parameters

SQL = statements("across/runs/store/runs")
# Why one statement cannot add entries, beside what leaves them without a place: a repeat, or a forgotten value.
CONFLICTS = (PRIMARY_KEY, CONSTRAINT, UNREAD)
# More fingerprints than prose of 20,000 characters has; as an array, more would take long to write down.
MAX_MARKS = 1_000
MAX_NOTED_RUNS = 10_000


@dataclass(frozen=True, slots=True)
class NewRound:
    """A round with its summary as it is stored, and the texts in it by field."""

    entries: NewEntries
    texts: TextFields

    @classmethod
    def of(cls, steps: Sequence[RunStep], summary: RoundSummary, now: datetime) -> "NewRound":
        """Takes as long as `steps_cost` tells."""
        details = {EntryKind.ROUND: round_details(steps, now), EntryKind.SUMMARY: asdict(summary)}
        return cls(NewEntries.of(details), step_texts(steps))


class RunEntries:
    """Adds entries to the runs of a scope, each time at the scope's next revision. Raises NotFound, RequestIdReused,
    ValueRejected, QuotaExceeded, KeyMissing, StorageUnavailable."""

    def __init__(self, writes: ScopeWrites, rows: RunRows) -> None:
        self._writes = writes
        self._rows = rows
        # Entries of these are encrypted for their place, which is known when the run is locked.
        self._encrypted: set[RunId] = set()

    async def add(
        self,
        scope: Scope,
        run_id: RunId,
        entries: NewEntries,
        texts: TextFields,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> tuple[Run | None, int]:
        """The run with the entries, None for a repeat, and the revision that holds them."""
        parameters = {
            **run_key(scope, run_id, now),
            "added_rounds": int(entries.are_of_a_round),
            "added_instructions": int(not entries.are_of_a_round),
            "added_bytes": entries.nbytes,
        }
        if run_id not in self._encrypted:
            known = await self._known_marks(scope, texts, request)
            if known is None or len(known) <= MAX_MARKS:
                values = {**parameters, "marks": known}
                added = await self._add_at_once(scope, entries, values, request)
                if added is not None:
                    return added
        return await self._add_step_by_step(scope, entries, texts, parameters, request)

    async def _known_marks(self, scope: Scope, texts: TextFields, request: RequestKey | None) -> list[bytes] | None:
        """The marks to look for among forgotten values; None where none are known."""
        fingerprints = await self._writes.known_blocks.fingerprints(scope, with_request_id(texts, request))
        if fingerprints is None:
            return None
        return list(await kept_fingerprints(self._writes.database.keyring, scope, fingerprints.all()))

    async def _add_at_once(
        self,
        scope: Scope,
        entries: NewEntries,
        parameters: dict[str, Any],
        request: RequestKey | None,
    ) -> tuple[Run, int] | None:
        """Adds entries in one statement; None where that cannot be done, and nothing is stored then."""
        values = {
            **parameters,
            **request_parameters(self._writes.database.keyring, scope, request, EmptyReplay()),
            "entries": entries.text,
            "min_encrypted": int(MIN_ENCRYPTED),
            "max_rounds": MAX_ROUNDS,
            "max_instructions": MAX_INSTRUCTIONS,
            "max_bytes": MAX_BYTES,
            "added_memories": 0,
            "added_terms": 0,
            "audits": audits_json([audit_of(None, parameters["now"], _ids(parameters))]),
        }
        try:
            row = await self._writes.run_alone(scope, SQL["add_entries"], values)
        except (UniqueViolation, CheckViolation, NotNullViolation) as error:
            has_no_place = error.diag.column_name == "place"
            if not has_no_place and not any(violates(error, name) for name in CONFLICTS):
                raise
            # Postgres refuses the first write to a scope with blocked values; from then on marks are sent along.
            if violates(error, UNREAD):
                self._writes.known_blocks.add(scope)
            return None
        self._writes.notify(scope, row.revision, (), only_added=True)
        return self._rows.run(scope, row), row.revision

    async def _add_step_by_step(
        self,
        scope: Scope,
        entries: NewEntries,
        texts: TextFields,
        parameters: dict[str, Any],
        request: RequestKey | None,
    ) -> tuple[Run | None, int]:
        """A repeat, or to an encrypted run; or finds out why they are refused."""
        changed: list[Run] = []
        run_id, now = parameters["run_id"], parameters["now"]

        async def change(session: Session, revision: int) -> EmptyReplay:
            row = await session.record(SQL["count_entry"], parameters)
            if row is None:
                raise NotFound("run", run_id)
            run = self._rows.run(scope, row)
            _require_room(run, row.bytes)
            for kind, details in entries.details.items():
                number = run.instructions if kind is EntryKind.INSTRUCTION else run.rounds
                entry = self._rows.entry_parameters(scope, run, kind, number, details)
                await session.execute(SQL["insert_entry"], {**entry, "now": now})
            # Assigned, not appended: the work of a write may run twice.
            changed[:] = [run]
            return EmptyReplay()

        written = await self._writes.write(
            scope,
            request,
            EmptyReplay,
            change,
            now,
            texts=texts,
            ids=_ids(parameters),
            only_added=True,
        )
        if written.is_repeat:
            return None, written.revision
        (run,) = changed
        if run.stated.sensitivity >= MIN_ENCRYPTED:
            self._note_encrypted(run_id)
        return run, written.revision

    def _note_encrypted(self, run_id: RunId) -> None:
        """One statement is not tried again; what is noted of other runs may be lost, which costs them an attempt."""
        if len(self._encrypted) >= MAX_NOTED_RUNS:
            self._encrypted.clear()
        self._encrypted.add(run_id)


def _ids(parameters: dict[str, Any]) -> Ids:
    return {"run_id": parameters["run_id"]}


def _require_room(run: Run, used_bytes: int) -> None:
    """Raises QuotaExceeded, which undoes what went beyond."""
    bounds = (
        ("run_rounds", run.rounds, MAX_ROUNDS),
        ("run_instructions", run.instructions, MAX_INSTRUCTIONS),
        ("run_bytes", used_bytes, MAX_BYTES),
    )
    for quota, used, max_used in bounds:
        if used > max_used:
            raise QuotaExceeded(quota, max_used)
