"""Uploads that are broken off, and how far they have come."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from hashlib import sha256
from typing import Any, Self

import grpc
import psycopg
from camillo.v1.artifact_service_pb2 import GetUploadRequest, GetUploadResponse, PutArtifactRequest, PutArtifactResponse

from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.artifacts.calls import put
from tests.server_fixtures import Caller, refusal

TABLES = ("artifacts", "contents", "content_parts", "uploads")
NOTHING = dict.fromkeys(TABLES, 0)


def rows(database: TestDatabase) -> dict[str, int]:
    """How many rows there are of what artifacts are made of."""
    asked = ", ".join(f"(select count(*) from camillo.{table})" for table in TABLES)
    with psycopg.connect(database.superuser_url) as connection:
        found = connection.execute(f"select {asked}".encode()).fetchone()
    assert found is not None
    return dict(zip(TABLES, found, strict=True))


async def until_rows(database: TestDatabase, **wanted: int) -> None:
    """Waits until these tables have so many rows."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not wanted.items() <= (await asyncio.to_thread(rows, database)).items():
            pass


async def upload_state(caller: Caller, upload_id: str) -> GetUploadResponse:
    """How far an upload has come: 0 where there is none."""
    try:
        found: GetUploadResponse = await caller(GetUploadRequest(upload_id=upload_id))
    except grpc.aio.AioRpcError as error:
        if refusal(error).reason != "UPLOAD_NOT_FOUND":
            raise
        return GetUploadResponse()
    return found


class OpenUpload:
    """A call that sends what it is told to, and ends when the test says so. Enter it: at the end it is broken off."""

    def __init__(self, caller: Caller) -> None:
        self._coming: asyncio.Queue[PutArtifactRequest | None] = asyncio.Queue()
        self.answer: asyncio.Task[Any] = asyncio.create_task(caller.send(self._messages(), "PutArtifact"))

    def send(self, messages: Iterable[PutArtifactRequest]) -> None:
        """Goes on with these."""
        for message in messages:
            self._coming.put_nowait(message)

    def end(self) -> None:
        """Says that there is no more, finish or not."""
        self._coming.put_nowait(None)

    async def break_off(self) -> None:
        """Cancels the call, as a client that is gone."""
        self.answer.cancel()
        await asyncio.wait([self.answer])

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.break_off()

    async def _messages(self) -> AsyncIterator[PutArtifactRequest]:
        while (message := await self._coming.get()) is not None:
            yield message


async def held(caller: Caller, upload_id: str, least: int) -> int:
    """How many bytes the server holds, once they are so many."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (state := await upload_state(caller, upload_id)).held_bytes < least:
            pass
    return int(state.held_bytes)


async def go_on(caller: Caller, data: bytes, **fields: Any) -> PutArtifactResponse:
    """The answer to an upload that is gone on with where it stands."""
    start = (await upload_state(caller, fields["upload_id"])).held_bytes
    prefix = sha256(data[:start]).digest() if start else b""
    return await put(caller, data[start:], offset=start, prefix_sha256=prefix, **fields)
