"""Starts metrics and traces, one span for each request, and sends them where the settings say. Only this module of the
server imports the SDK of OpenTelemetry."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import MetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.trace import NoOpTracer, Span, SpanKind, Tracer
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from prometheus_client import CollectorRegistry, ProcessCollector, start_http_server

from camillo_server.settings.settings import TelemetrySettings
from camillo_server.telemetry.instruments import Instruments
from camillo_server.telemetry.metrics_export import (
    METER_NAME,
    HistogramSource,
    PrometheusReader,
    PushReader,
    register,
)

if TYPE_CHECKING:
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import SpanProcessor, TracerProvider


_PROPAGATOR = TraceContextTextMapPropagator()


@dataclass(frozen=True, slots=True)
class Tracing:
    """Starts spans. A request need not even ask if `enabled` is false."""

    enabled: bool
    tracer: Tracer
    provider: TracerProvider | None = None

    def start_span(self, method: str, metadata: Mapping[str, str]) -> AbstractContextManager[Span]:
        """A span that is current inside the `with`; `method` is `/camillo.v1.MemoryService/Recall`."""
        service, _, name = method.strip("/").rpartition("/")
        return self.tracer.start_as_current_span(
            method.strip("/"),
            context=_PROPAGATOR.extract(metadata),
            kind=SpanKind.SERVER,
            attributes={"rpc.system": "grpc", "rpc.service": service, "rpc.method": name},
            record_exception=False,
            set_status_on_exception=False,
        )

    def stop(self) -> None:
        """Sends what is queued."""
        if self.provider is not None:
            self.provider.shutdown()


def no_tracing() -> Tracing:
    """Spans that are nowhere recorded."""
    return Tracing(enabled=False, tracer=NoOpTracer())


def tracing_to(processor: SpanProcessor, trace_ratio: float, resource: Resource) -> Tracing:
    """Spans that the processor receives: the caller's decision where it made one, else this share of them."""
    # Late: most servers trace nothing, and the SDK takes a twentieth of the start to import.
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased

    sampler = ParentBased(TraceIdRatioBased(trace_ratio))
    provider = TracerProvider(sampler=sampler, resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(processor)
    return Tracing(enabled=True, tracer=provider.get_tracer("camillo"), provider=provider)


async def watch_loop_lag(instruments: Instruments, interval_seconds: float = 0.25) -> None:
    """Records for ever by how much a timer fires late. The caller owns the task and cancels it."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + interval_seconds
        await asyncio.sleep(interval_seconds)
        instruments.record_loop_lag(max(0.0, loop.time() - due))


_log = logging.getLogger(__name__)
_PUSH_SECONDS = 15.0
# For one push, and for the last ones while the server stops.
_PUSH_TIMEOUT_SECONDS = 2.0


def start_exporters(
    settings: TelemetrySettings, instruments: Instruments, worker: int, closing: ExitStack
) -> tuple[Tracing, int | None]:
    """Starts what is configured, to be stopped by `closing`. Returns the tracing and the Prometheus port that is
    listened on, None where none is. Raises OSError where that port is taken."""
    resource = Resource.create(
        {
            "service.name": settings.service_name,
            "service.instance.id": f"{os.uname().nodename}-{os.getpid()}",
        }
    )
    histograms = HistogramSource(instruments, resource)
    readers: list[MetricReader] = []
    port = None
    if settings.prometheus_port:
        registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        readers.append(PrometheusReader(histograms, registry))
        port = settings.prometheus_port + worker
        closing.callback(_serve(registry, settings.prometheus_host, port))
    if settings.otlp_endpoint:
        readers.append(_push_reader(histograms, settings.otlp_endpoint))
    provider = MeterProvider(readers, resource, shutdown_on_exit=False)
    register(instruments, provider.get_meter(METER_NAME))
    closing.callback(provider.shutdown, _PUSH_TIMEOUT_SECONDS * 1000)
    tracing = _tracing(settings, resource)
    closing.callback(tracing.stop)
    return tracing, port


def _serve(registry: CollectorRegistry, host: str, port: int) -> Callable[[], None]:
    server, thread = start_http_server(port, host, registry)
    _log.info("metrics are served", extra={"host": host, "port": port})

    def stop() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    return stop


def _push_reader(histograms: HistogramSource, endpoint: str) -> MetricReader:
    # Late: most servers push nowhere, and these imports take a tenth of a second.
    from opentelemetry.exporter.otlp.proto.grpc.metric_exporter import OTLPMetricExporter

    return PushReader(
        histograms,
        OTLPMetricExporter(endpoint=endpoint, timeout=_PUSH_TIMEOUT_SECONDS),
        _PUSH_SECONDS,
    )


def _tracing(settings: TelemetrySettings, resource: Resource) -> Tracing:
    if not settings.otlp_endpoint:
        return no_tracing()
    from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    processor = BatchSpanProcessor(OTLPSpanExporter(endpoint=settings.otlp_endpoint, timeout=_PUSH_TIMEOUT_SECONDS))
    return tracing_to(processor, settings.trace_ratio, resource)


@dataclass(frozen=True, slots=True)
class Telemetry:
    """The running telemetry. `prometheus_port` is the one that is listened on, None where none is."""

    instruments: Instruments
    tracing: Tracing
    prometheus_port: int | None
    _closing: ExitStack

    def stop(self) -> None:
        """Sends what is queued and closes the port; blocks for some seconds where nobody takes it."""
        self._closing.close()


def start_telemetry(settings: TelemetrySettings, worker: int = 0) -> Telemetry:
    """Starts what is configured. Each worker process listens on a port of its own, counted from the first's.

    Raises OSError where the Prometheus port is taken.
    """
    instruments = Instruments()
    if not (settings.prometheus_port or settings.otlp_endpoint):
        return Telemetry(instruments, no_tracing(), None, ExitStack())
    # Late: most servers export nothing, and these imports take a twentieth of the start.
    from camillo_server.telemetry.exporters import start_exporters

    with ExitStack() as closing:
        tracing, port = start_exporters(settings, instruments, worker, closing)
        return Telemetry(instruments, tracing, port, closing.pop_all())
