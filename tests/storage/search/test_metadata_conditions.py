"""Comparisons of metadata: an index in memory and Postgres let the same rows pass, those that the contract names."""

import random
from dataclasses import replace
from typing import Any

import pytest
from camillo_server.kernel.clock import microseconds
from camillo_server.kernel.kinds import Scalar
from camillo_server.rows.occurrences import Occurrence, Occurrences
from camillo_server.rows.row import NewRow
from camillo_server.rows.row_filter import MemoryFilter, MetadataComparison

from tests.postgres_fixtures import TestDatabase
from tests.storage.search.recall_rows import NOW, memory_id, opened, row, spec, store
from tests.storage.search.test_recall_search import loaded_index, search

NUMBERS: list[Scalar] = [0, -0.0, 1, 1.0, 1.5, -2, 1e22, 1e23, 1e300, -1e300, 5e-324, 2**53 - 1]
TEXTS: list[Scalar] = [
    "",
    "1",
    "10",
    "9",
    "a",
    "B",
    "é",
    "중",
    "🚀",
    "\uffff",
    "مرحبا",
    'a"\\b',
    "Ⅷ",
]
VALUES: list[Scalar] = [*NUMBERS, *TEXTS, True, False, None]
KEYS = ["order", "шоп", "100%", "'quoted\""]
ORDERED = ("gt", "gte", "lt", "lte")


def some_metadata(dice: random.Random) -> dict[str, Scalar]:
    return {key: dice.choice(VALUES) for key in KEYS if dice.random() < 0.6}


def some_row(number: int, dice: random.Random) -> NewRow:
    """A memory that was stated once, or several times with other metadata."""
    made = row(number, f"walrus {number}", metadata=some_metadata(dice))
    kept = [Occurrence("", NOW, "", some_metadata(dice)) for _ in range(dice.choice([0, 0, 2]))]
    return replace(made, memory=made.memory._replace(occurrences=Occurrences(tuple(kept))))


def some_comparison(dice: random.Random) -> MetadataComparison:
    key = dice.choice(KEYS)
    match dice.choice(["ordered", "ne", "in", "exists"]):
        case "ordered":
            return MetadataComparison(key, dice.choice(ORDERED), dice.choice([*NUMBERS, *TEXTS]))
        case "in":
            return MetadataComparison(key, "in", tuple(dice.choices(VALUES, k=dice.randint(1, 4))))
        case "exists":
            return MetadataComparison(key, "exists", dice.random() < 0.5)
    return MetadataComparison(key, "ne", dice.choice(VALUES))


@pytest.mark.parametrize("seed", range(2))
async def test_an_index_and_postgres_let_the_same_rows_pass(database: TestDatabase, seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311
    rows = [some_row(number, dice) for number in range(150)]
    passed = 0
    async with opened(database) as pool:
        await store(database, pool, rows)
        snapshot = (await loaded_index(pool)).snapshot
        for _ in range(150):
            conditions = tuple(some_comparison(dice) for _ in range(dice.randint(1, 3)))
            wanted = MemoryFilter(metadata_conditions=conditions)
            searched = snapshot.searched(wanted, microseconds(NOW))
            asked = spec("walrus", None, filter=wanted, candidates_per_arm=1_000)
            found = await search(pool, replace(asked, with_neighbours=False))
            ids = {memory.memory_id for memory in found.memories(range(len(found)))}
            mask = range(snapshot.count) if searched.mask is None else searched.mask.nonzero()[0]
            here = {memory.memory_id for memory in snapshot.memories(list(map(int, mask)))}
            assert here == ids, conditions
            passed += bool(ids) and len(ids) < len(rows)
    # Neither all nor none, of most.
    assert passed > 75


# A value, a comparison, and whether it holds; ... for no value.
TABLE: list[tuple[Any, str, Any, bool]] = [
    (10, "gte", 10.0, True),
    (9, "gt", 10, False),
    (-0.0, "lt", 0, False),
    ("9", "gt", "10", True),
    ("10", "gt", 9, False),
    (10, "lt", "9", False),
    ("z", "lt", "é", True),
    ("\uffff", "lt", "🚀", True),
    (True, "gte", 1, False),
    (None, "lte", 0, False),
    (..., "lt", 5, False),
    (1, "ne", 1.0, False),
    (1, "ne", True, True),
    (None, "ne", None, False),
    (..., "ne", None, True),
    (..., "ne", 1, True),
    (1.0, "in", ("a", 1), True),
    (True, "in", (1, "true"), False),
    (None, "in", (None,), True),
    (..., "in", (None,), False),
    (None, "exists", True, True),
    (..., "exists", True, False),
    (..., "exists", False, True),
    ("", "exists", False, False),
]


async def test_they_compare_as_the_contract_says(database: TestDatabase) -> None:
    rows = [
        row(number, f"walrus {number}", metadata={} if value is ... else {"order": value})
        for number, (value, _, _, _) in enumerate(TABLE)
    ]
    async with opened(database) as pool:
        await store(database, pool, rows)
        snapshot = (await loaded_index(pool)).snapshot
        for number, (_, operator, operand, holds) in enumerate(TABLE):
            wanted = MemoryFilter(metadata_conditions=(MetadataComparison("order", operator, operand),))
            asked = spec("walrus", None, filter=wanted, candidates_per_arm=1_000)
            there = await search(pool, asked)
            found = {memory.memory_id for memory in there.memories(range(len(there)))}
            searched = snapshot.searched(wanted, microseconds(NOW))
            mask = [True] * len(rows) if searched.mask is None else searched.mask
            place = [each.memory_id for each in snapshot.memories(range(snapshot.count))].index(memory_id(number))
            told = (memory_id(number) in found, bool(mask[place]))
            assert told == (holds, holds), TABLE[number]
