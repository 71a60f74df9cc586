"""Many messages in few packs."""

from __future__ import annotations

from camillo.v1.memory_pb2 import Memory
from camillo_client.packing import packs


def _memories(count: int, size: int = 1) -> list[Memory]:
    return [Memory(content=str(number % 10) * size) for number in range(count)]


def test_packs_keep_the_order_and_the_number() -> None:
    memories = _memories(7)
    packed = list(packs(memories, max_count=3, max_bytes=10_000))
    assert [len(pack) for pack in packed] == [3, 3, 1]
    assert [memory for pack in packed for memory in pack] == memories


def test_packs_keep_the_size() -> None:
    packed = list(packs(_memories(5, size=100), max_count=100, max_bytes=250))
    assert [len(pack) for pack in packed] == [2, 2, 1]


def test_a_message_over_the_size_travels_alone() -> None:
    memories = [*_memories(1), *_memories(1, size=500), *_memories(1)]
    assert [len(pack) for pack in packs(memories, max_count=9, max_bytes=100)] == [1, 1, 1]


def test_nothing_makes_no_pack() -> None:
    assert list(packs([], max_count=3, max_bytes=100)) == []
