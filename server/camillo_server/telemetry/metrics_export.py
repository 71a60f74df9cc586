"""From the server's figures to OpenTelemetry data, at the moment of collection."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence

from opentelemetry.exporter.prometheus import PrometheusMetricReader
from opentelemetry.metrics import CallbackOptions, Meter, Observation
from opentelemetry.sdk.metrics.export import (
    AggregationTemporality,
    Histogram,
    HistogramDataPoint,
    Metric,
    MetricExporter,
    MetricsData,
    PeriodicExportingMetricReader,
    ResourceMetrics,
    ScopeMetrics,
)
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from prometheus_client import CollectorRegistry

from camillo_server.telemetry.instruments import (
    Distribution,
    Instruments,
    JobFigures,
    PoolUse,
    register_embedding,
    register_indexes,
)
from camillo_server.telemetry.spool import register_spool
from camillo_server.telemetry.tokens import register_tokens

METER_NAME = "camillo"


class HistogramSource:
    """The distributions as OpenTelemetry histograms: there is no observable one to register instead."""

    def __init__(self, instruments: Instruments, resource: Resource) -> None:
        self._instruments = instruments
        self._resource = resource
        self._started_at = time.time_ns()

    def added_to(self, collected: MetricsData) -> MetricsData:
        """The metrics that the SDK collected, with the histograms added."""
        scope = ScopeMetrics(InstrumentationScope(METER_NAME), self._metrics(), "")
        mine = ResourceMetrics(self._resource, [scope], "")
        return MetricsData([*collected.resource_metrics, mine])

    def _metrics(self) -> list[Metric]:
        now = time.time_ns()
        # One copy first: the event loop may add a series while this thread walks over them.
        requests = [
            self._point({"method": method, "code": code}, distribution, now)
            for (method, code), distribution in list(self._instruments.request_seconds.items())
        ]
        metrics = []
        if requests:
            metrics.append(_metric("camillo.request.duration", "Time from arrival to answer", requests))
        for name, description, distribution in self._plain():
            point = self._point({}, distribution, now)
            # Before its first value a distribution has no least and no greatest.
            if point.count:
                metrics.append(_metric(name, description, [point]))
        return metrics

    def _plain(self) -> Iterable[tuple[str, str, Distribution]]:
        """The data points without attributes."""
        mine = self._instruments
        yield "camillo.event_loop.lag", "How late due work begins", mine.loop_lag_seconds
        yield "camillo.index.load", "Time to load a space's index", mine.index_load_seconds
        yield (
            "camillo.index.lag",
            "Time from news of a change to its effect",
            mine.index_lag_seconds,
        )

    def _point(self, attributes: Mapping[str, str], distribution: Distribution, now: int) -> HistogramDataPoint:
        counts = list(distribution.counts)
        return HistogramDataPoint(
            attributes=dict(attributes),
            start_time_unix_nano=self._started_at,
            time_unix_nano=now,
            count=sum(counts),
            sum=distribution.total,
            bucket_counts=counts,
            explicit_bounds=distribution.bounds,
            min=distribution.minimum,
            max=distribution.maximum,
        )


class PrometheusReader(PrometheusMetricReader):
    """The SDK's reader for Prometheus, with the histograms."""

    def __init__(self, histograms: HistogramSource, registry: CollectorRegistry) -> None:
        super().__init__(registry=registry, scope_info_enabled=False)
        self._histograms = histograms

    def _receive_metrics(self, metrics_data: MetricsData, timeout_millis: float = 10_000, **kwargs: object) -> None:
        super()._receive_metrics(self._histograms.added_to(metrics_data), timeout_millis, **kwargs)


class PushReader(PeriodicExportingMetricReader):
    """The SDK's periodic reader, with the histograms."""

    def __init__(self, histograms: HistogramSource, exporter: MetricExporter, interval_seconds: float) -> None:
        self._histograms = histograms
        super().__init__(exporter, export_interval_millis=interval_seconds * 1000)

    def _receive_metrics(self, metrics_data: MetricsData, timeout_millis: float = 10_000, **kwargs: object) -> None:
        super()._receive_metrics(self._histograms.added_to(metrics_data), timeout_millis, **kwargs)


def register(instruments: Instruments, meter: Meter) -> None:
    """Makes the counters and gauges observable."""
    register_embedding(instruments, meter)
    register_tokens(instruments.token_uses, meter)
    register_indexes(instruments, meter)
    register_spool(lambda: instruments.spool() if instruments.spool else None, instruments.spool_counts, meter)
    _observe_counts(meter, "camillo.request.rejected", "Requests turned away", instruments.rejected)
    _observe_counts(
        meter,
        "camillo.value.refusals",
        "Forgotten values refused",
        instruments.value_refusals,
        "method",
    )
    _observe_counts(
        meter,
        "camillo.audit.unentered",
        "Reads and refused calls without an entry",
        instruments.unentered_audits,
    )
    _observe_counts(meter, "camillo.embedding.failures", "Texts without vector", instruments.embedding_failures)
    _observe_counts(
        meter,
        "camillo.vector_store.faults",
        "Calls that had to do without vectors in Postgres",
        instruments.vector_faults,
        "call",
    )
    _observe_counts(
        meter,
        "camillo.recall.reranked",
        "Recalls whose candidates were to be read again",
        instruments.reranked,
        "outcome",
    )
    _observe_counts(
        meter,
        "camillo.contradictions.judged",
        "Pairs of memories that a model was to judge",
        instruments.judged,
        "outcome",
    )
    meter.create_observable_counter(
        "camillo.database.faults",
        [lambda _: _fault_observations(instruments)],
        description="Statements that found Postgres damaged, or its disk full",
    )
    meter.create_observable_up_down_counter(
        "camillo.request.in_flight",
        [lambda _: [Observation(instruments.in_flight)]],
        description="Requests at work",
    )
    meter.create_observable_gauge(
        "camillo.embedding.backlog",
        [lambda _: [Observation(instruments.backlog())] if instruments.backlog else []],
        description="Memories that wait for their vector",
    )
    meter.create_observable_gauge(
        "camillo.pool.connections",
        [lambda _: _pool_observations(instruments.pool() if instruments.pool else None)],
        description="Database connections and callers that wait for one, by state",
    )
    meter.create_observable_gauge(
        "camillo.jobs",
        [lambda _: _job_observations(instruments.jobs() if instruments.jobs else ())],
        description="Background jobs of all processes, by task and state",
    )
    meter.create_observable_gauge(
        "camillo.jobs.oldest_waiting",
        [lambda _: _job_ages(instruments.jobs() if instruments.jobs else ())],
        unit="s",
        description="For how long the oldest job of a task has been waiting",
    )


def _observe_counts(
    meter: Meter, name: str, description: str, counts: Mapping[str, int], attribute: str = "reason"
) -> None:
    def observe(_: CallbackOptions) -> Iterable[Observation]:
        return [Observation(count, {attribute: key}) for key, count in list(counts.items())]

    callback: Callable[[CallbackOptions], Iterable[Observation]] = observe
    meter.create_observable_counter(name, [callback], description=description)


def _fault_observations(instruments: Instruments) -> list[Observation]:
    faults = instruments.database_faults() if instruments.database_faults else {}
    return [Observation(count, {"reason": reason}) for reason, count in faults.items()]


def _pool_observations(use: PoolUse | None) -> list[Observation]:
    if use is None:
        return []
    figures = {"busy": use.size - use.idle, "idle": use.idle, "waiting": use.waiting}
    return [Observation(count, {"state": state}) for state, count in figures.items()]


def _job_observations(tasks: Sequence[JobFigures]) -> list[Observation]:
    return [
        Observation(count, {"task": figures.task, "state": state})
        for figures in tasks
        for state, count in (
            ("waiting", figures.waiting),
            ("running", figures.running),
            ("dead", figures.dead),
        )
    ]


def _job_ages(tasks: Sequence[JobFigures]) -> list[Observation]:
    return [Observation(f.oldest_waiting_seconds, {"task": f.task}) for f in tasks]


def _metric(name: str, description: str, points: list[HistogramDataPoint]) -> Metric:
    return Metric(name, description, "s", Histogram(points, AggregationTemporality.CUMULATIVE))
