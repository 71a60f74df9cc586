"""The figures of a server, and how those of vectors and indexes are made observable."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from opentelemetry.metrics import CallbackOptions, Meter, Observation

from camillo_server.telemetry.spool import SpoolCounts, SpoolUse
from camillo_server.telemetry.tokens import TokenUses

# Seconds. From below an empty call to beyond any deadline worth waiting for.
REQUEST_BOUNDS = (
    0.00025, 0.0005, 0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
)  # fmt: skip
LAG_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
LOAD_BOUNDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_MAX_SERIES = 1_000
_REST = ("other", "other")
BREAKER_STATES = ("closed", "half_open", "open")
Observe = Callable[[CallbackOptions], list[Observation]]


class Distribution:
    """Counts by bucket, and the sum: what a histogram shows of one series. Bounds belong to the bucket below."""

    __slots__ = ("bounds", "counts", "maximum", "minimum", "total")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0
        self.minimum = float("inf")
        self.maximum = float("-inf")

    def record(self, value: float) -> None:
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value
        if value < self.minimum:
            self.minimum = value
        if value > self.maximum:
            self.maximum = value


@dataclass(slots=True)
class QueryCacheUse:
    """Hits and misses of the cache, and its size. Read from any thread."""

    hits: int = 0
    # Waited for the vector that another caller had already asked for.
    joined: int = 0
    misses: int = 0
    entries: int = 0
    size_bytes: int = 0


@dataclass(frozen=True, slots=True)
class PoolUse:
    """Connections of the database pool: all, those idle, and callers waiting for one."""

    size: int
    idle: int
    waiting: int


@dataclass(frozen=True, slots=True)
class JobFigures:
    """Background jobs of one task in all processes: how many wait, run, and have failed for good."""

    task: str
    waiting: int
    running: int
    dead: int
    oldest_waiting_seconds: float


@dataclass(frozen=True, slots=True)
class ProviderUse:
    """The use of an embedding provider by this process: calls by outcome, their cost, the circuit breaker."""

    calls: Mapping[str, int]
    tokens: int
    usd: float
    breaker: str


@dataclass(frozen=True, slots=True)
class IndexUse:
    """The indexes that this process holds in memory, and what has come of them since it started."""

    scopes: int
    bytes_held: int
    max_bytes: int
    hits: int
    misses: int
    loads: int
    failures: int
    evictions: int


@dataclass(slots=True)
class Instruments:
    """All of the server's figures. Written on the event loop only, read from any thread.

    `backlog` (scopes with memories that wait for their vector) and the other callables are called by the thread
    that collects: they must be quick and read only.
    """

    in_flight: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    embedding_failures: Counter[str] = field(default_factory=Counter)
    value_refusals: Counter[str] = field(default_factory=Counter)
    unentered_audits: Counter[str] = field(default_factory=Counter)
    vector_faults: Counter[str] = field(default_factory=Counter)
    reranked: Counter[str] = field(default_factory=Counter)
    judged: Counter[str] = field(default_factory=Counter)
    request_seconds: dict[tuple[str, str], Distribution] = field(default_factory=dict)
    loop_lag_seconds: Distribution = field(default_factory=lambda: Distribution(LAG_BOUNDS))
    index_load_seconds: Distribution = field(default_factory=lambda: Distribution(LOAD_BOUNDS))
    index_lag_seconds: Distribution = field(default_factory=lambda: Distribution(LAG_BOUNDS))
    indexes: Callable[[], IndexUse] | None = None
    backlog: Callable[[], int] | None = None
    database_faults: Callable[[], Mapping[str, int]] | None = None
    pool: Callable[[], PoolUse] | None = None
    jobs: Callable[[], Sequence[JobFigures]] | None = None
    query_cache: Callable[[], QueryCacheUse] | None = None
    provider: Callable[[], ProviderUse | None] | None = None
    token_uses: TokenUses = field(default_factory=TokenUses)
    spool: Callable[[], SpoolUse] | None = None
    spool_counts: SpoolCounts = field(default_factory=SpoolCounts)

    def record_request(self, method: str, code: str, seconds: float) -> None:
        """Counts one finished request by the method's full name and the name of its status code."""
        series = self.request_seconds.get((method, code))
        if series is None:
            series = self._new_series((method, code))
        series.record(seconds)

    def record_rejection(self, reason: str) -> None:
        """Counts a request that was turned away before its work began."""
        self.rejected[reason] += 1

    def record_embedding_failure(self, reason: str) -> None:
        """Counts a text that was stored without its vector."""
        self.embedding_failures[reason] += 1

    def record_vector_fault(self, call: str) -> None:
        """Counts a recall that could not search the vectors in Postgres, or a write that could not store one."""
        self.vector_faults[call] += 1

    def record_reranking(self, outcome: str) -> None:
        """Counts a recall whose candidates were read again, or should have been."""
        self.reranked[outcome] += 1

    def record_judged(self, outcome: str, pairs: int) -> None:
        """Counts pairs of memories that a model judged, or should have."""
        self.judged[outcome] += pairs

    def record_loop_lag(self, seconds: float) -> None:
        """Records by how much the event loop was late."""
        self.loop_lag_seconds.record(seconds)

    def record_index_load(self, seconds: float) -> None:
        """Records how long a scope's index took to load."""
        self.index_load_seconds.record(seconds)

    def record_index_lag(self, seconds: float) -> None:
        """Records how long an index in memory took to follow a change."""
        self.index_lag_seconds.record(seconds)

    def _new_series(self, key: tuple[str, str]) -> Distribution:
        # A caller may invent method names; it must not thereby fill the memory.
        if len(self.request_seconds) >= _MAX_SERIES:
            key = _REST
        return self.request_seconds.setdefault(key, Distribution(REQUEST_BOUNDS))


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
        description="Spaces in memory",
    )
    meter.create_observable_gauge(
        "camillo.index.memory",
        observing(lambda use: {"held": use.bytes_held, "budget": use.max_bytes}),
        unit="By",
        description="Bytes of the indexes in memory, and how many they may take",
    )
    meter.create_observable_counter(
        "camillo.index.lookups",
        observing(lambda use: {"hit": use.hits, "miss": use.misses}),
        description="Recalls that found their space in memory, or did not",
    )
    meter.create_observable_counter(
        "camillo.index.events",
        observing(lambda use: {"load": use.loads, "eviction": use.evictions, "failure": use.failures}),
        description="Indexes that were loaded, had to make room, or were dropped because they were in doubt",
    )
