"""A watch that its caller cancels is the usual end of a watch, and no error."""

import asyncio
import logging
from typing import Any

import pytest
from camillo.v1 import event_service_pb2 as events
from camillo.v1 import memory_service_pb2 as memories
from google.protobuf.message import Message

from tests.patience import PATIENCE_SECONDS
from tests.rpc.memories.calls import listed, remember
from tests.server_fixtures import Server

WATCHES = 24


async def until_counted(server: Server) -> None:
    """Waits until the server has seen a call end as cancelled, and none in another way."""
    seconds = server.app.kernel.telemetry.instruments.request_seconds
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not (codes := {code for method, code in seconds if "/Watch" in method}):
            await listed(server.alice)
    assert codes == {"CANCELLED"}


@pytest.mark.own_server
@pytest.mark.parametrize("method", [memories.WatchMemoriesRequest, events.WatchEventsRequest])
async def test_cancelled_watches_leave_no_error_in_the_log(
    server: Server, caplog: pytest.LogCaptureFixture, method: type[Message]
) -> None:
    caplog.set_level(logging.INFO)
    await remember(server.alice, "tea")

    async def watch_for(rounds: int) -> None:
        call: Any = server.alice.begin(method(from_beginning=True))
        for _ in range(rounds):
            await asyncio.sleep(0)
        if rounds % 2:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await anext(aiter(call))
        call.cancel()

    await asyncio.gather(*(watch_for(number) for number in range(WATCHES)))
    await until_counted(server)
    assert warnings_of(caplog) == []
    for name in ("asyncio", "grpc", "camillo_server"):
        logging.getLogger(name).warning("control")
    assert warnings_of(caplog) == ["control"] * 3


def warnings_of(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
