"""Client streams: they have places of their own, and a credential that has to hold until their end."""

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from camillo.v1 import artifact_service_pb2 as service
from camillo_server.doors.rpc import pipeline
from camillo_server.doors.rpc.pipeline import MESSAGES_PER_CHECK
from camillo_server.settings.sections import ServerSettings
from camillo_server.telemetry.instruments import Instruments

from tests.patience import PATIENCE_SECONDS
from tests.unit.rpc.counting_service import CountingService, OneKey, counting_service, serving

# One tenant may have half of these streams.
SETTINGS = ServerSettings(max_in_flight=1, max_streams=4, default_deadline_seconds=10)
MESSAGE = service.PutArtifactRequest(bytes=service.ArtifactBytes(data=b"x"))


async def messages(count: int, until: asyncio.Event | None = None) -> AsyncIterator[service.PutArtifactRequest]:
    for _ in range(count):
        yield MESSAGE
    if until is not None:
        await until.wait()


async def test_uploads_have_the_places_of_streams_not_of_calls() -> None:
    counting, instruments, end = counting_service(), Instruments(), asyncio.Event()
    async with serving(counting, SETTINGS, instruments) as stub:
        held = [asyncio.ensure_future(stub.PutArtifact(messages(1, end))) for _ in range(2)]
        for _ in held:
            await counting.begun.acquire()
        assert instruments.in_flight == 0
        assert (await stub.GetUpload(service.GetUploadRequest())).held_bytes == 2
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await stub.PutArtifact(messages(1))
        assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        end.set()
        await asyncio.gather(*held)
        await stub.PutArtifact(messages(1))
    assert counting.counts == [1, 1, 1]


async def test_an_upload_whose_key_is_revoked_ends_soon() -> None:
    counting = counting_service(revoke_at=3)
    async with serving(counting, SETTINGS, Instruments()) as stub:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await stub.PutArtifact(messages(10 * MESSAGES_PER_CHECK))
        assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED
        assert counting.counts == [MESSAGES_PER_CHECK - 1]
        counting.key.is_revoked = False
        counting.revoke_at = 0
        await stub.PutArtifact(messages(10 * MESSAGES_PER_CHECK))
    assert counting.counts[1] == 10 * MESSAGES_PER_CHECK


async def test_a_long_stream_is_no_slow_call(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(pipeline, "SLOW_SECONDS", 0.0)
    caplog.set_level(logging.INFO, logger=pipeline.__name__)
    async with serving(counting_service(), SETTINGS, Instruments()) as stub:
        await stub.PutArtifact(messages(1))
        await stub.GetUpload(service.GetUploadRequest())
    slow = [record.__dict__["method"] for record in caplog.records if record.message == "slow call"]
    assert slow == ["/camillo.v1.ArtifactService/GetUpload"]


class EndlessReads(CountingService):
    """Sends parts until its caller hangs up, or fails after the first one."""

    is_broken = False

    async def ReadArtifact(  # noqa: N802
        self, request: service.ReadArtifactRequest, context: Any
    ) -> AsyncIterator[service.ReadArtifactResponse]:
        while True:
            yield service.ReadArtifactResponse(data=b"x" * 1_000_000)
            if self.is_broken:
                raise LookupError("a defect")


async def test_a_caller_that_hangs_up_while_it_is_sent_something_is_no_defect(caplog: pytest.LogCaptureFixture) -> None:
    endless, instruments = EndlessReads(OneKey(), 0), Instruments()  # type: ignore[abstract]
    request = service.ReadArtifactRequest()
    async with serving(endless, SETTINGS, instruments) as stub:
        for number in range(1, 31):
            call = stub.ReadArtifact(request)
            await call.read()
            call.cancel()
            async with asyncio.timeout(PATIENCE_SECONDS):
                # Its place is free again when the server has heard of it.
                while sum(ended(instruments).values()) < number:  # noqa: ASYNC110
                    await asyncio.sleep(0.001)
        assert ended(instruments) == {"CANCELLED": 30}
        assert not [each for each in caplog.records if each.message == "call failed"]
        endless.is_broken = True
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            [each async for each in stub.ReadArtifact(request)]
        assert caught.value.code() is grpc.StatusCode.INTERNAL
    assert [each.message for each in caplog.records].count("call failed") == 1


def ended(instruments: Instruments) -> dict[str, int]:
    """How many calls ended with each code."""
    return {code: sum(seen.counts) for (_, code), seen in instruments.request_seconds.items()}
