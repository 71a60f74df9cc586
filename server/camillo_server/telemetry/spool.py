"""Figures of the spool: what waits, and what has become of spooled writes."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from opentelemetry.metrics import CallbackOptions, Meter, Observation


@dataclass(slots=True)
class SpoolCounts:
    """Writes that this process has spooled, stored from a spool, given up for a reason, and dropped."""

    spooled: int = 0
    replayed: int = 0
    dropped: int = 0
    failed: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class SpoolUse:
    """What the spool of this process holds: `unopened` are writes for which it has no key."""

    waiting: int
    unopened: int
    bytes_held: int
    oldest_seconds: float


def register_spool(use: Callable[[], SpoolUse | None], counts: SpoolCounts, meter: Meter) -> None:
    """Makes them observable."""

    def gauge(
        name: str, unit: str, description: str, figures: Callable[[SpoolUse], dict[str, float]]
    ) -> None:
        def observe(_: CallbackOptions) -> list[Observation]:
            found = use()
            if found is None:
                return []
            return [Observation(value, {"state": key}) for key, value in figures(found).items()]

        meter.create_observable_gauge(name, [observe], unit=unit, description=description)

    def observe_counts(_: CallbackOptions) -> list[Observation]:
        plain = {"spooled": counts.spooled, "replayed": counts.replayed, "dropped": counts.dropped}
        return [Observation(count, {"outcome": outcome}) for outcome, count in plain.items()]

    def observe_failures(_: CallbackOptions) -> list[Observation]:
        return [Observation(count, {"reason": why}) for why, count in list(counts.failed.items())]

    gauge(
        "camillo.spool.writes",
        "",
        "Spooled writes that wait for Postgres, or for a key",
        lambda held: {"waiting": held.waiting, "unopened": held.unopened},
    )
    gauge("camillo.spool.size", "By", "Size of the spool", lambda held: {"held": held.bytes_held})
    gauge(
        "camillo.spool.oldest_waiting",
        "s",
        "For how long the oldest spooled write has been waiting",
        lambda held: {"waiting": held.oldest_seconds},
    )
    meter.create_observable_counter(
        "camillo.spool.outcomes",
        [observe_counts],
        description="Writes that were spooled, stored from the spool, and dropped",
    )
    meter.create_observable_counter(
        "camillo.spool.failures",
        [observe_failures],
        description="Spooled writes that could not be stored",
    )
