"""LangGraph's own conformance suite for checkpointers."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from uuid import uuid4

from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.conformance.capabilities import Capability

from camillo_client import Camillo
from camillo_langgraph import CamilloSaver


async def test_every_capability_conforms(connection: Camillo) -> None:
    @checkpointer_test(name="CamilloSaver")
    async def saver() -> AsyncGenerator[CamilloSaver]:
        yield CamilloSaver(connection.for_project(f"t-{uuid4().hex}"))

    report = await validate(saver)
    assert {name: result.failures for name, result in report.results.items() if not result.passed} == {}
    assert report.results.keys() == {capability.value for capability in Capability}
    assert report.passed_all()
    counted = sum(result.tests_passed for result in report.results.values())
    assert counted == 81
