"""Comparisons of metadata in filters: recalls, lists and forgetting by them, and what is refused."""

from typing import Any

import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1.memory_service_pb2 import ListMemoriesRequest

from tests.rpc.memories.calls import listed, recall, remember
from tests.server_fixtures import Server, refused

Compared = tuple[tuple[str, dict[str, Any]], ...]


def compared(*conditions: tuple[str, dict[str, Any]]) -> pb.MemoryFilter:
    made: list[Any] = [{"key": key, "value": value} for key, value in conditions]
    return pb.MemoryFilter(metadata_conditions=made)


FOUND: list[tuple[Compared, set[str]]] = [
    ((("order", {"gte": 10, "lt": 20}),), {"order 10", "order 15"}),
    ((("order", {"gt": 10}), ("état", {"in": ["ouvert", None]})), {"order 15"}),
    # As it is stored: composed.
    ((("e\u0301tat", {"ne": "ouvert"}), ("order", {"exists": True})), {"order 10", "order 20"}),
    ((("order", {"exists": False}),), {"order of tea"}),
    ((("état", {"gt": "fermé 🚪"}),), {"order 15"}),
]


@pytest.mark.parametrize("is_recalled_before", [True, False])
async def test_they_are_found_by_comparisons(server: Server, is_recalled_before: bool) -> None:
    await remember(server.alice, "order 10", metadata={"order": 10})
    await remember(server.alice, "order 15", metadata={"order": 15, "état": "ouvert"})
    await remember(server.alice, "order 20", metadata={"order": 20, "état": "fermé"})
    await remember(server.alice, "order of tea")
    if is_recalled_before:
        await recall(server.alice, "order")
    for conditions, texts in FOUND:
        hits = (await recall(server.alice, "order", filter=compared(*conditions))).hits
        assert {hit.memory.content for hit in hits} == texts, conditions
        found = await listed(server.alice, compared(*conditions))
        assert set(found) == texts, conditions


async def test_one_statement_fulfils_them_all(server: Server) -> None:
    for order, shop in ((1, "x"), (2, "y")):
        await remember(server.alice, "The order arrived 订单", metadata={"order": order, "shop": shop})
    for order, shop, is_found in ((1, "x", True), (2, "y", True), (1, "y", False)):
        wanted = compared(("order", {"in": [order]}), ("shop", {"lte": shop, "gte": shop}))
        hits = (await recall(server.alice, "order arrived", filter=wanted)).hits
        assert bool(hits) == is_found
        assert bool(await listed(server.alice, wanted)) == is_found


async def test_what_is_encrypted_is_recalled_by_them_and_not_listed(server: Server) -> None:
    level = pb.SENSITIVITY_CONFIDENTIAL
    await remember(server.alice, "order secret", metadata={"order": 5}, sensitivity=level)
    for value, is_found in (({"gt": 4}, True), ({"ne": 4}, True), ({"ne": 5}, False)):
        wanted = compared(("order", value))
        hits = (await recall(server.alice, "order secret", filter=wanted)).hits
        assert bool(hits) == is_found, value
        assert not await listed(server.alice, wanted)
    assert await listed(server.alice)


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"equals": 1},
        {"gt": None},
        {"gte": True},
        {"lt": [1]},
        {"in": []},
        {"in": "open"},
        {"in": [[1]]},
        {"in": list(range(65))},
        {"exists": "yes"},
        {"ne": {"a": 1}},
        {"ne": 2**53},
    ],
)
async def test_other_comparisons_are_refused(server: Server, value: dict[str, Any]) -> None:
    refusal = await refused(server.alice(ListMemoriesRequest(filter=compared(("order", value)))))
    assert refusal.reason == "INVALID_FIELD"
