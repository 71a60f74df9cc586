"""Requests that are small on the wire and large once parsed: they cost the server no memory, with a key or without."""

import asyncio
from pathlib import Path
from typing import Any

import grpc
import pytest
from camillo.v1.memory_service_pb2 import BatchRememberRequest, RecallRequest
from grpc_health.v1.health_pb2 import HealthCheckRequest

from tests.faults.server_process import server_process
from tests.postgres_fixtures import TestDatabase
from tests.tenant_keys import Keys

MIB = 1024 * 1024
# Empty memories of two bytes each, which take 132 once parsed: 130 MiB for each request.
EMPTY_MEMORY = BatchRememberRequest(memories=[{}]).SerializeToString()
BODY = EMPTY_MEMORY * MIB
CALLS = 6
METHOD = "/camillo.v1.MemoryService/BatchRemember"


@pytest.mark.parametrize(
    ("has_key", "code"), [(False, grpc.StatusCode.UNAUTHENTICATED), (True, grpc.StatusCode.INVALID_ARGUMENT)]
)
async def test_lists_that_are_too_long_are_not_parsed(
    database: TestDatabase, keys: Keys, tmp_path: Path, has_key: bool, code: grpc.StatusCode
) -> None:
    metadata = (("authorization", f"Bearer {keys.alice}"),) if has_key else ()
    with server_process(tmp_path, database_url=database.server_url) as process:
        async with grpc.aio.insecure_channel(await process.ready()) as channel:
            send: Any = channel.unary_unary(METHOD)
            # Memory that a first call takes to load code is not counted.
            await send(BODY[:2], metadata=metadata, timeout=30).code()
            before = process.memory("VmRSS")
            for _ in range(CALLS):
                assert await send(BODY, metadata=metadata, timeout=30).code() is code
            many = (send(BODY, metadata=metadata, timeout=30) for _ in range(CALLS))
            assert {await each.code() for each in list(many)} == {code}
            grown = process.memory("VmHWM") - before
    assert grown < 64 * MIB, f"{grown / MIB:.0f} MiB"


LONG = "x" * (4 * MIB)
RECALL, CHECK = "/camillo.v1.MemoryService/Recall", "/grpc.health.v1.Health/Check"


@pytest.mark.parametrize(
    ("method", "body", "has_key", "code"),
    [
        (RECALL, RecallRequest(text=LONG), False, grpc.StatusCode.UNAUTHENTICATED),
        (RECALL, RecallRequest(text=LONG), True, grpc.StatusCode.INVALID_ARGUMENT),
        (CHECK, HealthCheckRequest(service=LONG), False, grpc.StatusCode.INVALID_ARGUMENT),
    ],
)
async def test_what_was_refused_is_not_kept(
    database: TestDatabase,
    keys: Keys,
    tmp_path: Path,
    method: str,
    body: RecallRequest | HealthCheckRequest,
    has_key: bool,
    code: grpc.StatusCode,
) -> None:
    """An error holds the frames that it went through, and they the request."""
    metadata = (("authorization", f"Bearer {keys.alice}"),) if has_key else ()
    request, turns = body.SerializeToString(), asyncio.Semaphore(8)
    with server_process(tmp_path, database_url=database.server_url) as process:
        async with grpc.aio.insecure_channel(await process.ready()) as channel:
            send: Any = channel.unary_unary(method)

            async def refuse() -> grpc.StatusCode:
                async with turns:
                    found: grpc.StatusCode = await send(request, metadata=metadata, timeout=60).code()
                    return found

            assert await refuse() is code
            before = process.memory("VmRSS")
            assert set(await asyncio.gather(*(refuse() for _ in range(100)))) == {code}
            grown = process.memory("VmHWM") - before
    assert grown < 160 * MIB, f"{grown / MIB:.0f} MiB"
