"""Pages of receipts and compactions: each row once, newest first, however many have the same time."""

from typing import Any

from camillo.v1 import lifecycle_service_pb2 as service
from camillo.v1 import memory_service_pb2 as memories

from tests.rpc.memories.calls import remember
from tests.server_fixtures import Caller, Server, refused


async def all_pages(caller: Caller, request: Any, name: str) -> list[Any]:
    """The rows of all pages, each of them full but for the last."""
    rows: list[Any] = []
    while True:
        answer = await caller(request)
        page = getattr(answer, name)
        rows += page
        if not answer.next_page_token:
            assert 1 <= len(page) <= request.page_size
            return rows
        assert len(page) == request.page_size
        request.page_token = answer.next_page_token


async def test_pages_of_receipts(server: Server) -> None:
    expected = []
    for number in range(6):
        # Two of a kind have the same time.
        server.clock.move(60.0 * (number % 2))
        memory = await remember(server.alice, f"tea 茶 {number}")
        ids = memories.MemoryIds(ids=[memory.memory_id])
        answer = await server.alice(memories.ForgetMemoriesRequest(memory_ids=ids))
        expected.append(answer.receipt.receipt_id)
    for size in (1, 2, 3, 4, 6, 7):
        request = service.ListReceiptsRequest(page_size=size)
        receipts = await all_pages(server.alice, request, "receipts")
        assert sorted(each.receipt_id for each in receipts) == sorted(expected)
        moments = [each.at.ToDatetime() for each in receipts]
        assert moments == sorted(moments, reverse=True)
    first = await server.alice(service.ListReceiptsRequest(page_size=2))
    other = service.ListReceiptsRequest(agent_id="bob", page_token=first.next_page_token)
    assert (await refused(server.admin(other))).reason == "INVALID_PAGE_TOKEN"
    assert list((await server.admin(service.ListReceiptsRequest(agent_id="bob"))).receipts) == []


async def test_pages_of_compactions_belong_to_a_state(server: Server) -> None:
    for number in range(6):
        await remember(server.alice, f"tea 茶 is on shelf {number}", tags=["a", f"t{number % 3}"])
    for tag in ("t0", "t1", "t2"):
        criteria = service.CompactionCriteria(tags=[tag], tag_threshold=2, skip_near_duplicates=True)
        # Only the shelf that has more than two is put together.
        await remember(server.alice, f"tea is also behind {tag}", tags=[tag])
        await server.alice(service.CompactRequest(criteria=criteria, dry_run=True))
    request = service.ListCompactionsRequest(page_size=1, state=1)  # type: ignore[arg-type]
    proposed = await all_pages(server.alice, request, "compactions")
    assert len({each.compaction_id for each in proposed}) == len(proposed) == 3
    first = await server.alice(service.ListCompactionsRequest(page_size=1, state=1))  # type: ignore[arg-type]
    other = service.ListCompactionsRequest(page_token=first.next_page_token)
    assert (await refused(server.alice(other))).reason == "INVALID_PAGE_TOKEN"
    none = await server.alice(service.ListCompactionsRequest(state=2))  # type: ignore[arg-type]
    assert list(none.compactions) == []
