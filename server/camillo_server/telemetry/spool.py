"""Figures of the spool: what waits, and what has become of spooled writes."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from opentelemetry.metrics import CallbackOptions, Meter, Observation

Observe = Callable[[CallbackOptions], list[Observation]]


@dataclass(slots=True)
class SpoolCounts:
    """Writes that this process has spooled, stored from a spool, given up for a reason, and dropped."""

    spooled: int = 0
    replayed: int = 0
    dropped: int = 0
    failed: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class SpoolUse:
    """The contents of this process's spool: `unopened` are writes for which it has no key."""

    waiting: int
    unopened: int
    bytes_held: int
    oldest_seconds: float


def register_spool(use: Callable[[], SpoolUse | None], counts: SpoolCounts, meter: Meter) -> None:
    """Makes them observable."""

    def observing(figures: Callable[[SpoolUse], list[Observation]]) -> Observe:
        def observe(_: CallbackOptions) -> list[Observation]:
            found = use()
            return figures(found) if found else []

        return observe

    def outcomes(_: CallbackOptions) -> list[Observation]:
        plain = {"spooled": counts.spooled, "replayed": counts.replayed, "dropped": counts.dropped}
        return [Observation(count, {"outcome": outcome}) for outcome, count in plain.items()]

    def failures(_: CallbackOptions) -> list[Observation]:
        return [Observation(count, {"reason": why}) for why, count in list(counts.failed.items())]

    meter.create_observable_gauge(
        "camillo.spool.writes",
        [
            observing(
                lambda held: [
                    Observation(held.waiting, {"state": "waiting"}),
                    Observation(held.unopened, {"state": "unopened"}),
                ]
            )
        ],
        description="Spooled writes that wait for Postgres, or for a key",
    )
    meter.create_observable_gauge(
        "camillo.spool.size",
        [observing(lambda held: [Observation(held.bytes_held)])],
        unit="By",
        description="Size of the spool",
    )
    meter.create_observable_gauge(
        "camillo.spool.oldest_waiting",
        [observing(lambda held: [Observation(held.oldest_seconds)])],
        unit="s",
        description="For how long the oldest spooled write has been waiting",
    )
    meter.create_observable_counter(
        "camillo.spool.outcomes",
        [outcomes],
        description="Writes that were spooled, stored from the spool, and dropped",
    )
    meter.create_observable_counter(
        "camillo.spool.failures", [failures], description="Spooled writes that could not be stored"
    )
