"""The byte budget: who may come in, and who has to go for it."""

import random

import numpy as np
import pytest
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.search.index import budget as budget_module
from camillo_server.search.index.budget import CacheBudget
from camillo_server.search.index.columns import RowColumns
from camillo_server.search.index.dense import DenseIndex
from camillo_server.search.index.lexical import label_postings, term_postings
from camillo_server.search.index.resident_scope import ResidentScope
from camillo_server.search.index.scope_index import ScopeIndex
from camillo_server.search.store.scope_rows import ScopeFacts, ScopeRowsReader
from camillo_server.settings.settings import DatabaseSettings
from camillo_server.storage.database import Database


def scope(number: int) -> Scope:
    return Scope(TenantId("acme"), AgentId(f"agent-{number}"))


async def resident(number: int) -> ResidentScope:
    """An index of nothing; the budget goes by the bytes that it is told."""
    rows = np.zeros(0, np.int32)
    counts = np.zeros(0, np.uint8)
    index = ScopeIndex(
        AgentId(f"agent-{number}"),
        "mine",
        RowColumns(),
        term_postings(np.zeros(0, np.uint32), rows, counts),
        label_postings(np.zeros(0, np.uint64), rows),
        DenseIndex.build(np.zeros((0, 4), np.float16), np.zeros(0, np.bool_)),
        ScopeFacts(0, 0, 0),
    )
    database = Database("postgresql://nobody.invalid", DatabaseSettings())
    return ResidentScope(scope(number), index, ScopeRowsReader(database, "mine", 4))


async def take(budget: CacheBudget, number: int, nbytes: int) -> list[int]:
    """Uses a scope and takes it in if it is admitted; the numbers of those that went."""
    budget.use(scope(number))
    if not budget.admits(scope(number), nbytes):
        return []
    gone = budget.put(scope(number), await resident(number), nbytes)
    return [int(each.agent_id.removeprefix("agent-")) for each in gone]


def held(budget: CacheBudget) -> set[int]:
    return {int(each.resident.scope.agent_id.removeprefix("agent-")) for each in budget}


async def test_scopes_come_in_while_there_is_room() -> None:
    budget = CacheBudget(100)
    for number in range(4):
        assert await take(budget, number, 25) == []
    assert held(budget) == {0, 1, 2, 3}
    assert (len(budget), budget.bytes_held, budget.evictions) == (4, 100, 0)


async def test_the_least_recently_used_goes_first() -> None:
    budget = CacheBudget(100)
    for number in range(4):
        await take(budget, number, 25)
    for number in (0, 2):
        budget.use(scope(number))
    for _ in range(2):
        budget.use(scope(4))
    assert await take(budget, 4, 25) == [1]
    assert await take(budget, 5, 25) == [3]
    assert held(budget) == {0, 2, 4, 5}
    assert budget.evictions == 2


async def test_a_scope_larger_than_half_the_budget_never_comes_in() -> None:
    budget = CacheBudget(100)
    for _ in range(1_000):
        budget.use(scope(1))
    assert not budget.admits(scope(1), 51)
    assert budget.admits(scope(1), 50)


async def test_a_giant_does_not_flush_small_scopes_that_are_used_more() -> None:
    budget = CacheBudget(100)
    for number in range(10):
        await take(budget, number, 10)
        budget.use(scope(number))
    assert await take(budget, 99, 50) == []
    assert held(budget) == set(range(10))
    # Used as much for its bytes as those that would have to go, it is let in.
    for _ in range(20):
        budget.use(scope(99))
    assert await take(budget, 99, 50) == [0, 1, 2, 3, 4]


async def test_what_was_used_much_long_ago_makes_room_for_what_is_used_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget_module, "COUNTED_USES", 100)
    budget = CacheBudget(100)
    for number in (0, 1):
        await take(budget, number, 50)
        for _ in range(40):
            budget.use(scope(number))
    assert await take(budget, 2, 50) == []
    came_in_after = 0
    while 2 not in held(budget):
        await take(budget, 2, 50)
        came_in_after += 1
    assert 1 < came_in_after < 40


async def test_a_scope_that_grows_pushes_others_out_and_beyond_its_share_goes_itself() -> None:
    budget = CacheBudget(100)
    for number in range(4):
        await take(budget, number, 25)
    assert budget.resize(scope(3), 45) == [scope(0)]
    assert budget.bytes_held == 95
    assert budget.resize(scope(3), 51) == [scope(3)]
    assert (held(budget), budget.bytes_held) == ({1, 2}, 50)
    assert budget.resize(scope(3), 10) == []
    assert budget.evictions == 2


async def test_a_scope_put_again_takes_its_own_place() -> None:
    budget = CacheBudget(100)
    for number in range(2):
        await take(budget, number, 50)
    assert budget.admits(scope(0), 50)
    assert await take(budget, 0, 40) == []
    assert (held(budget), budget.bytes_held) == ({0, 1}, 90)
    budget.drop(scope(0))
    budget.drop(scope(0))
    assert (held(budget), budget.bytes_held) == ({1}, 50)


async def test_a_budget_of_nothing_admits_nothing() -> None:
    budget = CacheBudget(0)
    assert await take(budget, 1, 1) == []
    assert not len(budget)


@pytest.mark.parametrize("seed", range(5))
async def test_the_bytes_held_are_those_of_the_scopes_held_and_never_more_than_allowed(seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311
    budget = CacheBudget(1_000)
    for _ in range(1_000):
        number, nbytes = dice.randint(1, 30), dice.randint(1, 700)
        await dice.choice([take, take, resize, forget])(budget, number, nbytes)
        assert budget.bytes_held == sum(each.nbytes for each in budget) <= 1_000
        assert all(each.nbytes <= 500 for each in budget)
        assert len(budget) == len(held(budget))
    assert budget.evictions


async def resize(budget: CacheBudget, number: int, nbytes: int) -> None:
    budget.resize(scope(number), nbytes)


async def forget(budget: CacheBudget, number: int, nbytes: int) -> None:
    budget.drop(scope(number))


async def test_a_tenant_beyond_its_share_gives_way_to_one_below_it() -> None:
    budget = CacheBudget(100)
    for number in range(4):
        for _ in range(1_000):
            budget.use(scope(number))
        assert await take(budget, number, 25) == []
    # Used once, where those before were used a thousand times.
    modest = [Scope(TenantId("rival"), AgentId(f"agent-{number}")) for number in range(3)]
    for each in modest[:2]:
        budget.use(each)
        assert budget.admits(each, 25)
        budget.put(each, await resident(0), 25)
    assert [budget.get(scope(number)) is None for number in range(4)] == [True, True, False, False]
    # It has its share now: for more, one of its own goes.
    budget.use(modest[2])
    assert budget.admits(modest[2], 25)
    assert budget.put(modest[2], await resident(0), 25) == [modest[0]]
