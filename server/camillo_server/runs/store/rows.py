"""Runs as rows: what goes into a statement, what comes out of one."""

import enum
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from camillo_server.crypto.keyring import Keyring
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.memories.store.encrypted_rows import MIN_ENCRYPTED
from camillo_server.runs.run import (
    Answer,
    FunctionCall,
    RoundSummary,
    Run,
    RunDraft,
    RunId,
    RunStep,
    Trigger,
)
from camillo_server.storage.encrypted_json import EncryptedJson, Json, JsonLocation
from camillo_server.storage.statements import scope_parameters

Row = Sequence[Any]
# Behind the columns of the fragment `run_columns`.
BEHIND_RUN = 14
# The keys of a call, and the one of an answer, as an entry has them.
CALL, ANSWER = "call", "answer"


class EntryKind(enum.IntEnum):
    """What an entry of a run is."""

    ROUND = 1
    INSTRUCTION = 2
    SUMMARY = 3


class RunRows:
    """Turns runs and their entries into rows and back; what is sensitive is encrypted on the way."""

    def __init__(self, keyring: Keyring) -> None:
        self._sealed = EncryptedJson(keyring)

    def run_parameters(self, scope: Scope, run: Run) -> dict[str, Any]:
        """Everything that a statement stores of a new run. Raises KeyMissing."""
        stated = run.stated
        details = {
            "type": stated.trigger.type,
            "payload": dict(stated.trigger.payload),
            "focus": stated.focus,
        }
        place = _run_place(scope, run.run_id)
        return {
            **scope_parameters(scope),
            "run_id": run.run_id,
            "session_id": stated.session_id,
            "sensitivity": int(stated.sensitivity),
            "max_tokens": stated.max_tokens,
            "idle_seconds": stated.idle_seconds,
            "started_at": run.started_at,
            "ends_at": run.ends_at,
            **self._sealed.columns(details, place, encrypted=stated.sensitivity >= MIN_ENCRYPTED),
        }

    def run(self, scope: Scope, row: Row) -> Run:
        """The run in the columns of the fragment `run_columns`. Raises KeyMissing, BytesLost."""
        details = self._sealed.read(row[11:14], _run_place(scope, row[0]))
        return Run(
            run_id=RunId(row[0]),
            agent_id=AgentId(row[1]),
            stated=RunDraft(
                trigger=Trigger(details["type"], details["payload"]),
                focus=details["focus"],
                session_id=row[2],
                sensitivity=Sensitivity(row[3]),
                max_tokens=row[4],
                idle_seconds=row[5],
            ),
            rounds=row[6],
            instructions=row[7],
            started_at=row[8],
            active_at=row[9],
            ends_at=row[10],
        )

    def entry_parameters(
        self, scope: Scope, run: Run, at: tuple[EntryKind, int], details: Json
    ) -> dict[str, Any]:
        """What a statement stores of an entry in this place, but for the moment. Raises KeyMissing."""
        kind, place = at
        is_sealed = run.stated.sensitivity >= MIN_ENCRYPTED
        return {
            **scope_parameters(scope),
            "run_id": run.run_id,
            "kind": int(kind),
            "place": place,
            **self._sealed.columns(
                details, _entry_place(scope, run.run_id, at), encrypted=is_sealed
            ),
        }

    def entry(self, scope: Scope, run_id: RunId, kind: EntryKind, row: Row) -> Json:
        """What the entry of a row of the statement `entries` tells. Raises KeyMissing, BytesLost."""
        return self._sealed.read(row[1:4], _entry_place(scope, run_id, (kind, row[0])))


def json_bytes(details: Json) -> int:
    """How much of a run's room it takes."""
    return len(json.dumps(details, ensure_ascii=False, separators=(",", ":")).encode())


def round_details(steps: Sequence[RunStep], now: datetime) -> Json:
    """A round as an entry tells it."""
    return {"steps": [_step_details(step, now) for step in steps]}


def steps_from(details: Json) -> list[RunStep]:
    """The steps of such an entry."""
    return [_step(each) for each in details["steps"]]


def summary_details(summary: RoundSummary) -> Json:
    """A summary as an entry tells it."""
    return {
        "sentence": summary.sentence,
        "failures": list(summary.failures),
        "answer": summary.answer,
    }


def summary_from(details: Json) -> RoundSummary:
    """The summary of such an entry."""
    return RoundSummary(details["sentence"], tuple(details["failures"]), details["answer"])


def _step_details(step: RunStep, now: datetime) -> Json:
    at = (step.occurred_at or now).isoformat()
    what = step.what
    if isinstance(what, Answer):
        return {"at": at, ANSWER: what.text}
    call = {
        "name": what.name,
        "arguments": dict(what.arguments),
        "result": what.result,
        "is_error": what.is_error,
    }
    return {"at": at, CALL: call}


def _step(details: Mapping[str, Any]) -> RunStep:
    what = FunctionCall(**details[CALL]) if CALL in details else Answer(details[ANSWER])
    return RunStep(what, datetime.fromisoformat(details["at"]))


def _run_place(scope: Scope, run_id: RunId) -> JsonLocation:
    return JsonLocation(scope.tenant_id, "run", f"{scope.agent_id}\0{run_id}")


def _entry_place(scope: Scope, run_id: RunId, at: tuple[EntryKind, int]) -> JsonLocation:
    kind, place = at
    row_id = f"{scope.agent_id}\0{run_id}\0{int(kind)}\0{place}"
    return JsonLocation(scope.tenant_id, "run_entry", row_id)
