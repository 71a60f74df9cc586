"""Runs to render and to distil."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from camillo_server.across.runs.run import (
    WHOLE_ROUNDS,
    Answer,
    FunctionCall,
    Round,
    Run,
    RunContents,
    RunDraft,
    RunId,
    RunStep,
    Trigger,
)
from camillo_server.across.runs.summarizing import summary_of
from camillo_server.kernel.ids import AgentId

MOMENT = datetime(2026, 11, 20, 14, 3, tzinfo=UTC)
RUN_ID = RunId(UUID(int=7))
SCRIPTS = (
    "The order is late.",
    "订单迟到了。请查一下！",
    "الطلب متأخر؟ نعم.",
    "Заказ опаздывает! Проверь.",
    "cafe\u0301 👩‍👩‍👧 🚢!",
    "ऑर्डर देर से है। देखो।",
)


def call(name: str = "search", result: str = "", **fields: Any) -> RunStep:
    """A call of a function; further fields are its arguments, but for `is_error`."""
    is_error = fields.pop("is_error", False)
    return RunStep(FunctionCall(name, fields, result, is_error))


def answer(text: str) -> RunStep:
    return RunStep(Answer(text))


def run(rounds: int = 0, **fields: Any) -> Run:
    given = {"trigger": Trigger("message", {"text": "the order is late"}), **fields}
    return Run(
        run_id=RUN_ID,
        agent_id=AgentId("alice"),
        stated=RunDraft(**given),
        rounds=rounds,
        instructions=0,
        started_at=MOMENT,
        active_at=MOMENT,
        ends_at=MOMENT + timedelta(hours=1),
    )


def contents(*rounds: Sequence[RunStep], instructions: Sequence[str] = (), **fields: Any) -> RunContents:
    """Contents of a run with these rounds, as a store hands them out; further fields are those of its draft."""
    numbered = [Round(number, steps) for number, steps in enumerate(rounds, 1)]
    return RunContents(
        run=run(len(rounds), **fields),
        instructions=instructions,
        rounds=numbered[-WHOLE_ROUNDS:],
        summaries={each.number: summary_of(each.steps) for each in numbered},
    )
