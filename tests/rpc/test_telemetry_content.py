"""Logs, spans and metrics tell what happened, and never what was said."""

import io
import json
import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import grpc
import pytest
from camillo_server.settings.settings import TelemetrySettings
from camillo_server.telemetry.instruments import Instruments
from camillo_server.telemetry.logging import Logs, start_logging
from camillo_server.telemetry.metrics_export import HistogramSource, PushReader, register
from camillo_server.telemetry.tracing import Telemetry, tracing_to
from google.protobuf.message import Message
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from tests import server_fixtures
from tests.rpc.memories.calls import remember
from tests.rpc.random_messages import ID, RandomMessages
from tests.rpc.test_random_requests import METHODS, answer, ground, new_requests
from tests.rpc.test_secrets import stored_texts
from tests.server_fixtures import Server, StartServer
from tests.unit.telemetry.test_metrics_export import KeptExports

# In ASCII, as which every log and every export writes it, whatever stands around it.
MARK = "zqmark7f3"
SAID = f"{MARK} 秘密 🤫 سرّ: zqmark7f3@example.com"
# Fields that hold what a caller says, in every request that has them.
SPOKEN = (
    *("content", "text", "title", "details", "goal", "plan_step", "decision", "rationale"),
    *("constraints", "alternatives", "consequences", "tags", "tags_any", "tags_all", "note"),
    *("query_text", "focus", "llm_response", "instruction", "result", "excerpt_text", "command"),
    *("description", "display_name", "trigger_event", "system_prompt", "session_id", "speaker"),
)
REQUESTS = 24
# Chance may give a method of those that are to speak nothing but refusals: it is asked until it answers.
MOST_REQUESTS = 20 * REQUESTS
# It takes as long as is asked for.
LASTING = {"ProfileServer"}
# Where most of what is said comes in.
SPEAKING = {
    *("Remember", "BatchRemember", "ImportMemories", "Recall", "RecordEvent", "RecordDecision"),
    *("UpsertTask", "PutView", "HandOff", "BuildBundle", "OffloadOutput", "StartRun"),
    *("LiftValueBlocks", "Compact", "Prune"),
}


@dataclass(frozen=True, slots=True)
class Heard:
    """Everything that telemetry was given."""

    log: io.StringIO
    logs: Logs
    spans: InMemorySpanExporter
    metrics: KeptExports
    provider: MeterProvider

    def everything(self) -> str:
        """Logs, spans and metrics as one text."""
        self.provider.force_flush()
        self.logs.flush()
        told = [self.log.getvalue()]
        told += [span.to_json() for span in self.spans.get_finished_spans()]
        told += [each.to_json() for each in self.metrics.exported]
        return "\n".join(told)


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Iterator[Heard]:
    """Keeps spans, figures and debug logs of every server that the test starts."""
    instruments, resource = Instruments(), Resource.create({"service.name": "camillo"})
    spans, metrics = InMemorySpanExporter(), KeptExports()
    tracing = tracing_to(SimpleSpanProcessor(spans), 1.0, resource)
    reader = PushReader(HistogramSource(instruments, resource), metrics, interval_seconds=3600)
    provider = MeterProvider([reader], resource, shutdown_on_exit=False)
    register(instruments, provider.get_meter("camillo"))

    def started(settings: TelemetrySettings) -> Telemetry:
        return Telemetry(instruments, tracing, None, ExitStack())

    monkeypatch.setattr(server_fixtures, "start_telemetry", started)
    stream = io.StringIO()
    logs = start_logging("info", "json", stream, queue_size=1_000_000)
    # Logs of gRPC and others would be a hundred times as long.
    own = logging.getLogger("camillo_server")
    own.setLevel(logging.DEBUG)
    yield Heard(stream, logs, spans, metrics, provider)
    logs.stop()
    own.setLevel(logging.NOTSET)
    provider.shutdown()


async def ask_everything(server: Server) -> Counter[str]:
    """Calls every method with what is marked, sometimes right and sometimes wrong; how often each was answered."""
    await remember(server.root, SAID, memory_id=ID)
    known = {name: [SAID] for name in SPOKEN} | await ground(server.root)
    answered: Counter[str] = Counter()
    # Forgotten texts are refused from then on, so these methods come last.
    for method in sorted(METHODS, key=lambda each: "Forget" in each.name):
        messages = RandomMessages(len(method.full_name), known)
        for asked in range(1 if method.name in LASTING else MOST_REQUESTS):
            if asked >= REQUESTS and (answered[method.name] or method.name not in SPEAKING):
                break
            requests: list[Message] = new_requests(method, messages)
            try:
                await answer(server.root, method, requests)
            except grpc.aio.AioRpcError:
                continue
            answered[method.name] += 1
    return answered


async def test_no_call_leaves_what_was_said_in_telemetry(heard: Heard, start_server: StartServer) -> None:
    server = await start_server()
    answered = await ask_everything(server)
    log = logging.getLogger("camillo_server.doors.rpc.pipeline")
    told = heard.everything()
    assert MARK not in told
    # The controls: all of it was heard, most was answered, and what is said would be found.
    assert {span.name.rpartition("/")[2] for span in heard.spans.get_finished_spans()} == {
        method.name for method in METHODS
    }
    assert "camillo.request.duration" in told
    assert answered.keys() >= SPEAKING, SPEAKING - answered.keys()
    assert MARK in stored_texts(server.database)
    log.debug("the control", extra={"text": SAID})
    heard.logs.flush()
    written = [json.loads(line) for line in heard.log.getvalue().splitlines()]
    assert [line["text"] for line in written if line["message"] == "the control"] == [SAID]
