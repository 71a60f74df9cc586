"""The client itself offers the methods of `memories`, too."""

from __future__ import annotations

import inspect
import warnings
from pathlib import Path
from typing import Any

import pytest
from clients.python.tests.fake_server import FakeServer

from camillo.v1.memory_pb2 import Memory
from camillo_client import AsyncCamillo, AsyncMemories, Camillo

OTHER_NAMES = {"list": "list_memories", "import_": "import_memories"}
METHODS = [name for name in vars(AsyncMemories) if not name.startswith("_")]


@pytest.mark.parametrize("name", METHODS)
def test_each_method_of_memories_has_a_short_form(client: AsyncCamillo, name: str) -> None:
    method = getattr(AsyncMemories, name)
    short = getattr(client, OTHER_NAMES.get(name, name))
    assert short == getattr(client.memories, name)
    assert short.__doc__ == method.__doc__
    # As tools see it that look at the class.
    on_class = getattr(AsyncCamillo, OTHER_NAMES.get(name, name))
    assert inspect.signature(on_class) == inspect.signature(method)
    assert inspect.iscoroutinefunction(on_class) == inspect.iscoroutinefunction(method)


async def test_both_forms_share_what_was_written(client: AsyncCamillo, server: FakeServer) -> None:
    await client.memories.remember("tea")
    await client.recall("tea")
    await client.remember("more tea")
    await client.memories.recall("tea")
    tokens = [sent.freshness.at_least_as_fresh.token for sent in server.desk.of("Recall")]
    assert tokens == ["db1/ada/1", "db1/ada/2"]


def test_a_warning_names_the_line_of_the_caller(sync_client: Camillo) -> None:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        sync_client.remember("a # in it")
        sync_client.memories.remember("a # in it")
    assert [Path(warning.filename) for warning in found] == [Path(__file__)] * 2
    assert found[1].lineno == found[0].lineno + 1


def test_a_short_form_can_be_overridden() -> None:
    class Counting(Camillo):
        def get(self, memory_id: str, **options: Any) -> Memory:
            return Memory(memory_id=f"{memory_id}, counted")

    with Counting.connect("localhost:1", key="") as camillo:
        assert camillo.get("m0").memory_id == "m0, counted"
