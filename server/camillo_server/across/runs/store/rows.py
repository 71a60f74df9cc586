"""Runs as rows: what goes into a statement, what comes out of one."""

import enum
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from camillo_server.across.runs.run import (
    Answer,
    FunctionCall,
    Run,
    RunDraft,
    RunId,
    RunStep,
    Trigger,
)
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.rows.forgettable import Forgettable
from camillo_server.storage.encrypted_json import MIN_ENCRYPTED, EncryptedJson, Json, JsonLocation
from camillo_server.storage.statements import scope_parameters, statements

# The keys of a call, and the one of an answer, as an entry has them.
CALL, ANSWER = "call", "answer"


class EntryKind(enum.IntEnum):
    """The kind of an entry of a run."""

    ROUND = 1
    INSTRUCTION = 2
    SUMMARY = 3


class RunRows:
    """Turns runs and their entries into rows and back; what is sensitive is encrypted on the way."""

    def __init__(self, keyring: Keyring) -> None:
        self._json = EncryptedJson(keyring)

    def run_parameters(self, scope: Scope, run: Run) -> dict[str, Any]:
        """Everything that a statement stores of a new run. Raises KeyMissing."""
        stated = run.stated
        details = {
            "type": stated.trigger.type,
            "payload": dict(stated.trigger.payload),
            "focus": stated.focus,
        }
        location = _run_location(scope, run.run_id)
        return {
            **scope_parameters(scope),
            "run_id": run.run_id,
            "session_id": stated.session_id,
            "sensitivity": int(stated.sensitivity),
            "max_tokens": stated.max_tokens,
            "idle_seconds": stated.idle_seconds,
            "started_at": run.started_at,
            "ends_at": run.ends_at,
            **self._json.columns(details, location, encrypted=stated.sensitivity >= MIN_ENCRYPTED),
        }

    def run(self, scope: Scope, row: Any) -> Run:
        """The run in a row with the columns of the fragment `run_columns`. Raises KeyMissing, BytesLost."""
        stored = (row.details, row.key_id, row.sealed_details)
        details = self._json.read(stored, _run_location(scope, row.run_id))
        return Run(
            run_id=RunId(row.run_id),
            agent_id=AgentId(row.agent_id),
            stated=RunDraft(
                trigger=Trigger(details["type"], details["payload"]),
                focus=details["focus"],
                session_id=row.session_id,
                sensitivity=Sensitivity(row.sensitivity),
                max_tokens=row.max_tokens,
                idle_seconds=row.idle_seconds,
            ),
            rounds=row.rounds,
            instructions=row.instructions,
            started_at=row.started_at,
            active_at=row.active_at,
            ends_at=row.ends_at,
        )

    def entry_parameters(self, scope: Scope, run: Run, kind: EntryKind, number: int, details: Json) -> dict[str, Any]:
        """The parameters that store an entry of this number, but for the moment. Raises KeyMissing."""
        location = _entry_location(scope, run.run_id, kind, number)
        encrypted = run.stated.sensitivity >= MIN_ENCRYPTED
        return {
            **scope_parameters(scope),
            "run_id": run.run_id,
            "kind": int(kind),
            "place": number,
            **self._json.columns(details, location, encrypted=encrypted),
        }

    def entry(self, scope: Scope, run_id: RunId, kind: EntryKind, number: int, columns: Sequence[Any]) -> Json:
        """The details in the columns behind the number in a row of the statement `entries`. Raises KeyMissing,
        BytesLost."""
        return self._json.read(columns, _entry_location(scope, run_id, kind, number))


def run_key(scope: Scope, run_id: RunId, now: datetime) -> dict[str, Any]:
    """The parameters of the fragment `open_run`."""
    return {**scope_parameters(scope), "run_id": run_id, "now": now}


@dataclass(frozen=True, slots=True)
class NewEntries:
    """Entries of one number: a round with its summary, or an instruction. `text`: their details by kind, as JSON;
    `nbytes`: how much of a run's room they take."""

    details: Mapping[EntryKind, Json]
    text: str
    nbytes: int

    @classmethod
    def of(cls, details: Mapping[EntryKind, Json]) -> "NewEntries":
        texts = {kind: _json_text(each) for kind, each in details.items()}
        text = ",".join(f'"{int(kind)}":{each}' for kind, each in texts.items())
        return cls(details, f"{{{text}}}", sum(len(each.encode()) for each in texts.values()))

    @property
    def are_of_a_round(self) -> bool:
        return EntryKind.ROUND in self.details


def _json_text(details: Json) -> str:
    return json.dumps(details, ensure_ascii=False, separators=(",", ":"))


def round_details(steps: Sequence[RunStep], now: datetime) -> Json:
    """The details of the entry of a round."""
    return {"steps": [_step_details(step, now) for step in steps]}


def steps_from(details: Json) -> list[RunStep]:
    """The steps in the details of the entry of a round."""
    return [_step(each) for each in details["steps"]]


def _step_details(step: RunStep, now: datetime) -> Json:
    at = (step.occurred_at or now).isoformat()
    what = step.what
    return {"at": at, ANSWER: what.text} if isinstance(what, Answer) else {"at": at, CALL: asdict(what)}


def _step(details: Mapping[str, Any]) -> RunStep:
    what = FunctionCall(**details[CALL]) if CALL in details else Answer(details[ANSWER])
    return RunStep(what, datetime.fromisoformat(details["at"]))


def _run_location(scope: Scope, run_id: RunId) -> JsonLocation:
    return JsonLocation.in_scope(scope.tenant_id, scope.agent_id, "run", run_id)


def _entry_location(scope: Scope, run_id: RunId, kind: EntryKind, number: int) -> JsonLocation:
    row_id = f"{run_id}\0{int(kind)}\0{number}"
    return JsonLocation.in_scope(scope.tenant_id, scope.agent_id, "run_entry", row_id)


FORGETTING = statements("across/runs/forgetting")
RUNS = Forgettable("runs", FORGETTING, "run")
RUN_ENTRIES = Forgettable("run_entries", FORGETTING, "run_entry", part_of="runs")
