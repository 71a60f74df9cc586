"""ProfileServer: what the process spends its time on, for the role root alone, one at a time."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import grpc
import pytest
from camillo.v1 import admin_service_pb2 as service

from tests.patience import PATIENCE_SECONDS
from tests.rpc.memories.calls import remember
from tests.server_fixtures import Server, refusal, refused

SECONDS = 1


@pytest.fixture(autouse=True)
def may_trace() -> None:
    """Skips where nothing may look into another process, as in some containers."""
    own = (str(Path(sys.executable).with_name("py-spy")), "dump", "--pid", str(os.getpid()))
    if subprocess.run(own, capture_output=True, timeout=60).returncode:
        pytest.skip("no process may trace another one here")


def wanted(format: Any = service.PROFILE_FORMAT_RAW) -> service.ProfileServerRequest:
    return service.ProfileServerRequest(seconds=SECONDS, samples_per_second=200, format=format)


async def profile_of_work(server: Server, format: Any) -> service.ProfileServerResponse:
    """A profile of the server while it is called."""
    asked = asyncio.create_task(server.root(wanted(format), 30.0))
    while not asked.done():
        await remember(server.alice, f"记住 🔧 {os.urandom(4).hex()}")
    answer: service.ProfileServerResponse = await asked
    return answer


@pytest.mark.own_server
async def test_a_profile_names_what_calls_run(server: Server) -> None:
    answer = await profile_of_work(server, service.PROFILE_FORMAT_RAW)
    assert answer.process_id == os.getpid()
    lines = answer.profile.decode().splitlines()
    assert any("pipeline.py" in line for line in lines)
    assert all(line.rpartition(" ")[2].isdecimal() for line in lines)


@pytest.mark.own_server
async def test_a_profile_comes_as_it_is_asked_for(server: Server) -> None:
    graph = await profile_of_work(server, service.PROFILE_FORMAT_UNSPECIFIED)
    assert b"<svg" in graph.profile
    assert json.loads((await profile_of_work(server, service.PROFILE_FORMAT_SPEEDSCOPE)).profile)


async def test_only_root_looks_into_the_server(server: Server) -> None:
    for caller in (server.alice, server.admin):
        assert (await refused(caller(wanted()))).reason == "SCOPE_FORBIDDEN"


@pytest.mark.own_server
async def test_one_profile_at_a_time(server: Server) -> None:
    both = [asyncio.create_task(server.root(wanted(), 30.0)) for _ in range(2)]
    done, (answered,) = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
    told = await refused(done.pop())
    assert (told.code, told.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "OVERLOADED")
    assert told.retry_seconds == SECONDS
    assert (await answered).process_id == os.getpid()
    assert (await server.root(wanted(), 30.0)).process_id == os.getpid()


@pytest.mark.own_server
async def test_who_hangs_up_ends_the_profile(server: Server) -> None:
    both = [asyncio.create_task(server.root(service.ProfileServerRequest(seconds=60), 90.0)) for _ in range(2)]
    done, (under_way,) = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
    assert (await refused(done.pop())).reason == "OVERLOADED"
    under_way.cancel()
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await is_refused(server):
            pass


async def is_refused(server: Server) -> bool:
    try:
        await server.root(wanted(), 30.0)
    except grpc.aio.AioRpcError as error:
        return refusal(error).reason == "OVERLOADED"
    return False


@pytest.mark.own_server
async def test_a_missing_profiler_is_named(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    monkeypatch.setenv("PATH", "/nowhere")
    told = await refused(server.root(wanted()))
    assert (told.code, told.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "PROFILER_UNAVAILABLE")
    assert "camillo-server[profile]" in told.message


@pytest.mark.own_server
@pytest.mark.parametrize(("field", "value"), [("seconds", 61), ("samples_per_second", 1001)])
async def test_bounds_hold(server: Server, field: str, value: int) -> None:
    limits: dict[str, Any] = {field: value}
    told = await refused(server.root(service.ProfileServerRequest(**limits)))
    assert (told.reason, told.fields) == ("INVALID_FIELD", (field,))
