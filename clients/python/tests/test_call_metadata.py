"""Metadata that a call sends beside its request."""

from __future__ import annotations

import hashlib
import sys

import pytest
from clients.python.tests.fake_server import FakeServer
from opentelemetry.sdk.trace import TracerProvider

from camillo.v1.memory_pb2 import Memory
from camillo_client import SHARED, AsyncCamillo
from camillo_client.call_metadata import CallMetadata, scope_digest


def _digest(key: str, agent_id: str) -> str:
    return hashlib.sha256(key.encode() + b"\0" + agent_id.encode()).hexdigest()[:16]


async def test_calls_of_one_scope_carry_one_name(client: AsyncCamillo, server: FakeServer) -> None:
    await client.remember("tea")
    [memory async for memory in client.export()]
    await client.import_memories([Memory(content="tea")])
    await client.artifacts.put(b"tea")
    await client.who_am_i()
    assert len(server.desk.calls) == 5
    for call in server.desk.calls:
        assert call.metadata["camillo-scope"] == _digest("k-1", "ada")


async def test_calls_of_another_scope_carry_another(client: AsyncCamillo, server: FakeServer) -> None:
    await client.recall("tea", agent_id="bob 茶")
    await client.recall("tea", agent_id=SHARED)
    names = [call.metadata["camillo-scope"] for call in server.desk.calls]
    assert names == [_digest("k-1", "bob 茶"), _digest("k-1", SHARED)]


async def test_without_a_key_calls_carry_one_too(server: FakeServer) -> None:
    async with AsyncCamillo.connect(server.address, key="", agent_id="ada") as client:
        await client.recall("tea")
    assert server.desk.calls[0].metadata["camillo-scope"] == _digest("", "ada")


async def test_the_trace_of_the_caller_goes_with_the_call(client: AsyncCamillo, server: FakeServer) -> None:
    tracer = TracerProvider().get_tracer("test")
    with tracer.start_as_current_span("tea") as span:
        await client.recall("tea")
    await client.recall("tea")
    inside, outside = server.desk.calls
    trace_id = f"{span.get_span_context().trace_id:032x}"
    assert str(inside.metadata["traceparent"]).split("-")[1] == trace_id
    assert "traceparent" not in outside.metadata


def test_without_open_telemetry_there_is_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "opentelemetry.trace")
    tracer = TracerProvider().get_tracer("test")
    with tracer.start_as_current_span("tea"):
        names = [name for name, _ in CallMetadata("k", "").of(None)]
    assert names == ["authorization", "camillo-default-agent", "camillo-scope"]


async def test_calls_name_the_agent_for_requests_without_one(
    client: AsyncCamillo, server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await client.recall("tea")
    monkeypatch.setenv("CAMILLO_AGENT", " planner\n")
    async with AsyncCamillo.connect(server.address, key="k-2") as other:
        await other.recall("tea")
    named = [call.metadata["camillo-default-agent"] for call in server.desk.calls]
    assert named == ["default", "planner"]


async def test_a_default_agent_that_no_header_carries_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAMILLO_AGENT", "plänner")
    with pytest.raises(ValueError, match="CAMILLO_AGENT"):
        AsyncCamillo.connect("localhost:1", key="k")


def test_a_scope_is_named_without_telling_the_key() -> None:
    assert scope_digest("k", "a") != scope_digest("k", "b") != scope_digest("j", "b")
    assert len(scope_digest("k", "a")) == 16
    # Where a key ends and an agent begins is never in doubt.
    assert scope_digest("ab", "c") != scope_digest("a", "bc")
