"""The figures of the indexes in memory as OpenTelemetry instruments."""

from collections.abc import Callable

from opentelemetry.metrics import CallbackOptions, Meter, Observation

from camillo_server.telemetry.metrics import IndexUse, Instruments

Observe = Callable[[CallbackOptions], list[Observation]]


def register_indexes(instruments: Instruments, meter: Meter) -> None:
    """Makes residency, use and fate of the indexes observable."""

    def observing(figures: Callable[[IndexUse], dict[str, int]]) -> list[Observe]:
        def observe(_: CallbackOptions) -> list[Observation]:
            if instruments.indexes is None:
                return []
            found = figures(instruments.indexes())
            return [Observation(number, {"kind": kind}) for kind, number in found.items()]

        return [observe]

    meter.create_observable_gauge(
        "camillo.index.scopes",
        observing(lambda use: {"held": use.scopes}),
        description="Scopes in memory",
    )
    meter.create_observable_gauge(
        "camillo.index.memory",
        observing(lambda use: {"held": use.bytes_held, "budget": use.most_bytes}),
        unit="By",
        description="Bytes of the indexes in memory, and how many they may take",
    )
    meter.create_observable_counter(
        "camillo.index.lookups",
        observing(lambda use: {"hit": use.hits, "miss": use.misses}),
        description="Recalls that found their scope in memory, or did not",
    )
    meter.create_observable_counter(
        "camillo.index.events",
        observing(
            lambda use: {"load": use.loads, "eviction": use.evictions, "failure": use.failures}
        ),
        description="Indexes that were loaded, had to make room, or were dropped because they were in doubt",
    )
