"""Keyword arguments that describe a run, and its steps."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias, TypedDict, Unpack

from camillo.v1.memory_pb2 import NewMemory, Sensitivity
from camillo.v1.run_pb2 import FunctionCall, RunStep, Trigger
from camillo_client.convert import SensitivityLevel, reject_text, to_struct, to_timestamp
from camillo_client.keyword_fields import wire_values
from camillo_client.memories import new_memory
from camillo_client.named_arguments import names_arguments

# A text is what the model answered.
StepLike: TypeAlias = str | RunStep


class RunFields(TypedDict, total=False):
    """Fields of a new run. None is the same as left out."""

    # The matter that the run is to keep in sight.
    focus: str
    # The conversation.
    session_id: str
    # Default: internal.
    sensitivity: SensitivityLevel | Sensitivity
    # How many tokens its rendering may take; default 2,000.
    max_tokens: int
    # It ends by itself after so many seconds without a call; default 3,600.
    idle_seconds: int
    # How many tokens the snapshot may take; default 500.
    snapshot_max_tokens: int
    # Start without a snapshot.
    skip_snapshot: bool


def run_values(**fields: Unpack[RunFields]) -> dict[str, Any]:
    """The fields of a request that starts a run."""
    return wire_values(fields, RunFields.__optional_keys__, "a run", {})


def new_trigger(type: str, payload: Mapping[str, Any] | None) -> Trigger:
    """The trigger of a run."""
    return Trigger(type=type, payload=None if payload is None else to_struct(payload))


@names_arguments
def function_call(
    name: str,
    arguments: Mapping[str, Any] | None = None,
    result: str = "",
    *,
    is_error: bool = False,
    occurred_at: datetime.datetime | None = None,
) -> RunStep:
    """The call of a function and what came back, as a step of a run."""
    call = FunctionCall(
        name=name,
        arguments=None if arguments is None else to_struct(arguments),
        result=result,
        is_error=is_error,
    )
    at = None if occurred_at is None else to_timestamp(occurred_at, "occurred_at")
    return RunStep(function_call=call, occurred_at=at)


def to_step(step: StepLike) -> RunStep:
    """A step as the contract has it."""
    return RunStep(llm_response=step) if isinstance(step, str) else step


def to_memories(memories: Iterable[str | NewMemory]) -> list[NewMemory]:
    """The memories to store; TypeError for a single text, which would be split into its characters."""
    reject_text(memories, "memories")
    return [new_memory(memory) if isinstance(memory, str) else memory for memory in memories]
