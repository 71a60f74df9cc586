"""Traces: one span for each request, joined to the caller's trace.

The rule for attributes is that of the logs: never contents. Exceptions are not recorded for the same reason.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from opentelemetry.trace import NoOpTracer, Span, SpanKind, Tracer
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

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
