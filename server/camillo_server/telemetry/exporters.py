"""Sends metrics and traces where the settings say. Only this module of the server imports the SDK of OpenTelemetry."""

import logging
import os
from collections.abc import Callable
from contextlib import ExitStack

from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import MetricReader
from opentelemetry.sdk.resources import Resource
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
from camillo_server.telemetry.tracing import Tracing, no_tracing, tracing_to

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
