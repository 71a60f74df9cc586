"""The figures of vectors: how queries come by theirs, and what a provider is asked and costs."""

from collections.abc import Callable, Iterable

from opentelemetry.metrics import CallbackOptions, Meter, Observation

from camillo_server.telemetry.metrics import Instruments, ProviderUse

BREAKER_STATES = ("closed", "half_open", "open")


def register_embedding(instruments: Instruments, meter: Meter) -> None:
    """Makes them observable; those of a provider only where there is one."""
    meter.create_observable_counter(
        "camillo.embedding.query_cache.lookups",
        [lambda _: _lookups(instruments)],
        description="Queries by how they came by their vector",
    )
    meter.create_observable_gauge(
        "camillo.embedding.query_cache.size",
        [lambda _: _sizes(instruments)],
        unit="By",
        description="Memory that cached vectors of queries take",
    )
    meter.create_observable_counter(
        "camillo.embedding.provider.calls",
        [_of_provider(instruments, _calls)],
        description="Requests to the provider by outcome",
    )
    meter.create_observable_counter(
        "camillo.embedding.provider.tokens",
        [_of_provider(instruments, lambda use: [Observation(use.tokens)])],
        description="Tokens that the provider has counted",
    )
    meter.create_observable_counter(
        "camillo.embedding.provider.spend",
        [_of_provider(instruments, lambda use: [Observation(use.usd)])],
        unit="USD",
        description="What they cost",
    )
    meter.create_observable_gauge(
        "camillo.embedding.provider.breaker",
        [_of_provider(instruments, _breaker)],
        description="1 for the state of the circuit breaker, 0 for the others",
    )


def _lookups(instruments: Instruments) -> list[Observation]:
    if instruments.query_cache is None:
        return []
    use = instruments.query_cache()
    counts = {"hit": use.hits, "joined": use.joined, "miss": use.misses}
    return [Observation(count, {"result": result}) for result, count in counts.items()]


def _sizes(instruments: Instruments) -> list[Observation]:
    return [Observation(instruments.query_cache().size_bytes)] if instruments.query_cache else []


def _calls(use: ProviderUse) -> list[Observation]:
    return [Observation(count, {"outcome": outcome}) for outcome, count in use.calls.items()]


def _breaker(use: ProviderUse) -> list[Observation]:
    return [Observation(int(use.breaker == state), {"state": state}) for state in BREAKER_STATES]


def _of_provider(
    instruments: Instruments, observed: Callable[[ProviderUse], list[Observation]]
) -> Callable[[CallbackOptions], Iterable[Observation]]:
    def observe(_: CallbackOptions) -> Iterable[Observation]:
        use = instruments.provider() if instruments.provider else None
        return observed(use) if use else []

    return observe
