"""Traces: joined to the caller's, sampled by its decision, without contents."""

import subprocess
import sys

import pytest
from camillo_server.settings.settings import TelemetrySettings
from camillo_server.telemetry.tracing import Tracing, no_tracing, start_telemetry, tracing_to
from opentelemetry import trace
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from tests.ports import free_port

METHOD = "/camillo.v1.MemoryService/Recall"
TRACE = "0af7651916cd43dd8448eb211c80319c"
SAMPLED = {"traceparent": f"00-{TRACE}-b7ad6b7169203331-01"}
NOT_SAMPLED = {"traceparent": f"00-{TRACE}-b7ad6b7169203331-00"}


def recording(trace_ratio: float) -> tuple[Tracing, InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    return tracing_to(SimpleSpanProcessor(exporter), trace_ratio, Resource.create()), exporter


def test_a_request_joins_the_trace_of_its_caller() -> None:
    tracing, exporter = recording(0.0)
    with tracing.start_span(METHOD, SAMPLED):
        pass
    [span] = exporter.get_finished_spans()
    assert span.parent is not None
    assert (f"{span.parent.trace_id:032x}", f"{span.parent.span_id:016x}") == (TRACE, "b7ad6b7169203331")
    assert span.name == "camillo.v1.MemoryService/Recall"
    assert dict(span.attributes or {}) == {
        "rpc.system": "grpc",
        "rpc.service": "camillo.v1.MemoryService",
        "rpc.method": "Recall",
    }


@pytest.mark.parametrize("metadata", [{}, {"traceparent": "nonsense"}, {"x-other": "1"}])
def test_without_a_callers_trace_the_ratio_decides(metadata: dict[str, str]) -> None:
    for ratio, expected in ((1.0, 1), (0.0, 0)):
        tracing, exporter = recording(ratio)
        with tracing.start_span(METHOD, metadata):
            pass
        spans = exporter.get_finished_spans()
        assert len(spans) == expected
        assert all(span.parent is None for span in spans)


def test_a_caller_that_does_not_sample_is_not_sampled() -> None:
    tracing, exporter = recording(1.0)
    with tracing.start_span(METHOD, NOT_SAMPLED):
        pass
    assert not exporter.get_finished_spans()
    with tracing.start_span(METHOD, SAMPLED):
        pass
    assert len(exporter.get_finished_spans()) == 1


def test_the_span_is_current_while_the_request_is_at_work() -> None:
    tracing, _ = recording(1.0)
    with tracing.start_span(METHOD, SAMPLED) as span:
        assert trace.get_current_span() is span
    assert trace.get_current_span() is not span


def test_an_exception_passes_and_leaves_no_text_in_the_span() -> None:
    tracing, exporter = recording(1.0)
    with pytest.raises(ValueError, match="diary"), tracing.start_span(METHOD, {}):
        raise ValueError("my diary")
    [span] = exporter.get_finished_spans()
    assert not span.events
    assert span.status.description is None


def test_a_tracing_that_is_off_says_so_and_still_can_be_used() -> None:
    tracing = no_tracing()
    assert not tracing.enabled
    with tracing.start_span(METHOD, {}) as span:
        assert not span.is_recording()
    tracing.stop()


def test_an_endpoint_turns_tracing_on_and_stopping_does_not_need_anyone_there() -> None:
    endpoint = f"http://127.0.0.1:{free_port()}"
    telemetry = start_telemetry(TelemetrySettings(otlp_endpoint=endpoint))
    assert telemetry.tracing.enabled
    telemetry.stop()


def test_the_exporters_are_not_imported_unless_there_is_an_endpoint() -> None:
    program = (
        "import sys; from camillo_server.settings.settings import TelemetrySettings;"
        "from camillo_server.telemetry.tracing import start_telemetry;"
        "loaded = lambda: any('exporter.otlp' in name for name in sys.modules);"
        "start_telemetry(TelemetrySettings()).stop(); before = loaded();"
        "from opentelemetry.exporter.otlp.proto.grpc import trace_exporter;"
        "print(before, loaded())"
    )
    answer = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert answer.stdout.split() == ["False", "True"]
