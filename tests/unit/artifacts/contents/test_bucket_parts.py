"""An object store that fails: what is said to the caller, and what to the operator."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from uuid import UUID

import obstore
import pytest
from camillo_server.kernel.errors import BytesUnavailable, DomainError, StorageFull
from camillo_server.storage.parts.bucket_parts import BucketParts
from camillo_server.storage.parts.object_parts import ObjectParts, PartName
from camillo_server.storage.parts.owned_store import open_part_store
from obstore.store import MemoryStore

from tests.http_server import http_server
from tests.patience import PATIENCE_SECONDS
from tests.unit.artifacts.s3_server import BUCKET, ListingS3, failing_s3, options

NAME = PartName("acme", UUID(int=1), 0)


CALLS: dict[str, Callable[[ObjectParts], Awaitable[object]]] = {
    "put": lambda parts: parts.put(NAME, b"x"),
    "get": lambda parts: parts.get(NAME, 1),
    "delete": lambda parts: parts.delete_content("acme", NAME.content_id),
    "contents": lambda parts: parts.contents("acme"),
    "tenants": lambda parts: parts.tenants(),
}
EACH_CALL = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)


def opened(endpoint: str, **more: str) -> ObjectParts:
    return open_part_store(f"s3://{BUCKET}/parts", options(endpoint, max_retries="0", **more))


@EACH_CALL
@pytest.mark.parametrize(
    ("status", "code"),
    [
        (500, "InternalError"),
        (503, "SlowDown"),
        (403, "AccessDenied"),
        (401, "Unauthorized"),
        (400, "Bad"),
        (404, "NoSuchBucket"),
    ],
)
async def test_a_store_that_answers_errors_is_unavailable_and_the_log_says_why(
    call: Callable[[ObjectParts], Awaitable[object]], status: int, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    with failing_s3(status, code) as (endpoint, asked), pytest.raises(BytesUnavailable) as caught:
        await call(opened(endpoint))
    assert len(asked) == 1
    for internal in (endpoint, BUCKET, code, "acme", "their-secret"):
        assert internal not in str(caught.value)
    [record] = [each for each in caplog.records if each.name.startswith("camillo_server")]
    assert record.levelno == logging.WARNING
    assert str(status) in record.getMessage()
    assert "their-secret" not in caplog.text


@EACH_CALL
async def test_a_store_that_never_answers_is_unavailable_after_the_time_out(
    call: Callable[[ObjectParts], Awaitable[object]],
) -> None:
    with failing_s3(0) as (endpoint, asked), pytest.raises(BytesUnavailable):
        async with asyncio.timeout(PATIENCE_SECONDS):
            await call(opened(endpoint, timeout="200ms"))
    assert len(asked) == 1


async def test_a_caller_that_gives_up_waits_no_longer() -> None:
    with failing_s3(0) as (endpoint, _), pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await opened(endpoint, timeout="60s").get(NAME, 1)


@EACH_CALL
async def test_a_store_that_is_not_there_is_unavailable(call: Callable[[ObjectParts], Awaitable[object]]) -> None:
    with failing_s3(500) as (endpoint, _):
        pass
    with pytest.raises(BytesUnavailable):
        await call(opened(endpoint))


async def test_a_failure_is_tried_again_as_often_as_the_options_say() -> None:
    with failing_s3(500) as (endpoint, asked):
        parts = open_part_store(f"s3://{BUCKET}", options(endpoint, max_retries="2"))
        with pytest.raises(BytesUnavailable):
            await parts.put(NAME, b"x")
    assert asked == ["PUT"] * 3


@pytest.mark.parametrize(("status", "code"), [(507, "Any"), (500, "XMinioStorageFull"), (403, "QuotaExceeded")])
async def test_a_store_without_room_is_full_to_writers_only(status: int, code: str) -> None:
    errors: list[type[DomainError]] = []
    with failing_s3(status, code) as (endpoint, _):
        for call in (CALLS["put"], CALLS["get"]):
            with pytest.raises(DomainError) as caught:
                await call(opened(endpoint))
            errors.append(caught.type)
    assert errors == [StorageFull, BytesUnavailable]


async def test_a_content_whose_parts_are_listed_in_several_pages_is_one() -> None:
    store = MemoryStore()
    for number in range(2700):
        name = PartName("acme", UUID(int=number // 900), number % 900)
        obstore.put(store, name.key(), b"12")
    obstore.put(store, f"acme/{UUID(int=1).hex}/notes.txt", b"of somebody else")
    found = await BucketParts(store).contents("acme")
    assert [(each.content_id.int, each.parts, each.bytes) for each in found] == [
        (number, 900, 1800) for number in range(3)
    ]


async def test_a_content_is_one_where_a_store_lists_keys_in_no_order() -> None:
    names = [PartName("acme", UUID(int=content), number) for number in range(3) for content in (2, 1)]
    keys = [f"parts/{name.key()}" for name in names]
    with http_server(ListingS3, keys=keys) as endpoint:
        found = await opened(endpoint).contents("acme")
    assert [(each.content_id.int, each.parts, each.bytes) for each in found] == [(2, 3, 6), (1, 3, 6)]


async def test_a_bucket_that_does_not_exist_is_not_a_loss(s3: str) -> None:
    there = open_part_store(f"s3://{BUCKET}/here", options(s3))
    await there.put(NAME, b"x")
    assert await there.get(NAME, 1) == b"x"
    with pytest.raises(BytesUnavailable):
        await open_part_store("s3://no-such-bucket/here", options(s3)).get(NAME, 1)
