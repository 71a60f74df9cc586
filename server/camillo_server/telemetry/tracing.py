"""Starts metrics and traces as the settings say. Traces: one span for each request, joined to the caller's trace.

The rule for attributes is that of the logs: never contents. Exceptions are not recorded for the same reason."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from opentelemetry.trace import NoOpTracer, Span, SpanKind, Tracer
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from camillo_server.settings.settings import TelemetrySettings
from camillo_server.telemetry.instruments import Instruments

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
