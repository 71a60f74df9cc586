"""Listing, retrying and discarding spooled writes, and a tenant's policy for them."""

from __future__ import annotations

import pytest
from clients.python.tests.fake_server import FakeServer

from camillo.v1.spool_pb2 import SpoolPolicy, SpoolState
from camillo_client import AsyncCamillo, Camillo


async def test_spooled_writes_are_listed_over_all_pages(client: AsyncCamillo, server: FakeServer) -> None:
    assert [write.spool_id async for write in client.spool.list(page_size=1)] == ["s1", "s2", "s3"]
    failed = [write async for write in client.spool.list(state="failed")]
    waiting = [write.spool_id async for write in client.spool.list(state=SpoolState.SPOOL_STATE_WAITING)]
    assert [write.reason for write in failed] == ["QUOTA_EXCEEDED", "DAMAGED"]
    assert waiting == ["s3"]
    asked = server.desk.of("ListSpooled")
    assert [request.page_token for request in asked] == ["", "1", "2", "", "1", ""]
    assert [request.page_size for request in asked] == [1, 1, 1, 0, 0, 0]


async def test_writes_that_failed_are_retried_and_discarded(client: AsyncCamillo, server: FakeServer) -> None:
    answer = await client.spool.retry(["s1", "s2"])
    assert (answer.stored, [write.spool_id for write in answer.failed]) == (1, ["s1"])
    assert await client.spool.discard(iter(["s1", "s9"]), request_id="mine") == 1
    assert [write.spool_id async for write in client.spool.list()] == ["s2", "s3"]
    assert server.desk.of("RetrySpooled")[0].request_id
    assert server.desk.of("DiscardSpooled")[0].request_id == "mine"
    with pytest.raises(TypeError, match="a single text"):
        await client.spool.discard("s1")


async def test_the_policy_is_read_and_set(client: AsyncCamillo, server: FakeServer) -> None:
    assert await client.spool.policy() == SpoolPolicy.SPOOL_POLICY_SPOOL
    assert await client.spool.set_policy("drop") == SpoolPolicy.SPOOL_POLICY_DROP
    assert await client.spool.policy() == SpoolPolicy.SPOOL_POLICY_DROP
    assert server.desk.of("SetSpoolPolicy")[0].request_id


def test_the_sync_twin_does_the_same(sync_client: Camillo) -> None:
    assert [write.spool_id for write in sync_client.spool.list(state="failed")] == ["s1", "s2"]
    assert sync_client.spool.retry(["s2"]).stored == 1
    assert sync_client.spool.discard(["s2"]) == 1
    assert sync_client.spool.set_policy("refuse") == SpoolPolicy.SPOOL_POLICY_REFUSE
