"""Metrics of what models were used for, and of context that was handed out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from opentelemetry.metrics import CallbackOptions, Meter, Observation

Observe = Callable[[CallbackOptions], list[Observation]]
NANO = 1_000_000_000


class OperationUse(Protocol):
    """The use of one model for one operation by this process."""

    requests: int
    input_tokens: int
    output_tokens: int
    nano_usd: int


@dataclass(slots=True)
class TokenUses:
    """Figures that the metrics show at the moment of collection, as far as they are set."""

    # By operation and model.
    models: Callable[[], Mapping[tuple[str, str], OperationUse]] | None = None
    # By what was handed out and the door.
    context: Callable[[], Mapping[tuple[str, str], int]] | None = None


def register_tokens(uses: TokenUses, meter: Meter) -> None:
    """Makes observable what models were used for, and how much context was handed out."""

    def of_models(observed: Callable[[OperationUse, Mapping[str, str]], list[Observation]]) -> list[Observe]:
        def observe(_: CallbackOptions) -> list[Observation]:
            found = list(uses.models().items()) if uses.models else []
            return [
                each
                for (operation, model_id), use in found
                for each in observed(use, {"operation": operation, "model": model_id})
            ]

        return [observe]

    def context(_: CallbackOptions) -> list[Observation]:
        found = list(uses.context().items()) if uses.context else []
        return [Observation(tokens, {"operation": operation, "door": door}) for (operation, door), tokens in found]

    meter.create_observable_counter(
        "camillo.model.requests",
        of_models(lambda use, labels: [Observation(use.requests, labels)]),
        description="Requests to models that were answered",
    )
    meter.create_observable_counter(
        "camillo.model.tokens",
        of_models(
            lambda use, labels: [
                Observation(use.input_tokens, {**labels, "direction": "input"}),
                Observation(use.output_tokens, {**labels, "direction": "output"}),
            ]
        ),
        description="Tokens that models read and wrote",
    )
    meter.create_observable_counter(
        "camillo.model.spend",
        of_models(lambda use, labels: [Observation(use.nano_usd / NANO, labels)]),
        unit="USD",
        description="What they cost",
    )
    meter.create_observable_counter(
        "camillo.context.tokens",
        [context],
        description="Tokens of context that were handed out",
    )
