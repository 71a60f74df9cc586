"""Group commit: who waits while a write is under way is stored together, once, in order, and nobody is forgotten."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import pytest
from camillo_server.kernel.clock import remaining_seconds, set_deadline
from camillo_server.kernel.errors import DeadlineExceeded, StorageFull, StorageUnavailable
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.off_loop import current_tenant
from camillo_server.kernel.scope import Scope
from camillo_server.storage.group_commit import (
    GROUPS_AT_ONCE,
    MAX_GROUP_BYTES,
    MAX_GROUP_WRITES,
    GroupCommit,
)
from camillo_server.storage.scopes import scope_set

from tests.patience import PATIENCE_SECONDS

ALICE, BOB, CARL, DORA = (Scope(TenantId("acme"), AgentId(name)) for name in ("alice", "bob", "carl", "dora"))
ELSEWHERE = Scope(TenantId("other"), ALICE.agent_id)


class Store:
    """Keeps what is stored, in the order in which it begins; each write lasts until it is let."""

    def __init__(self, *, spans_scopes: bool = False) -> None:
        self.stored: list[Sequence[str]] = []
        self.scopes: list[Scope] = []
        self.ended: list[Sequence[str]] = []
        self.tenants: set[str] = set()
        self.seconds: set[float] = set()
        self.begun = asyncio.Semaphore(0)
        self.let = asyncio.Event()
        self.errors: dict[int, Exception] = {}
        self.commit = GroupCommit[str, str](self._store, spans_scopes=spans_scopes)

    def write(self, name: str, scope: Scope = ALICE, byte_count: int = 1, *, shares: bool = True) -> asyncio.Task[str]:
        return asyncio.create_task(self.commit.write(scope, name, byte_count, self._alone(scope, name), shares=shares))

    async def release(self) -> None:
        self.let.set()
        await asyncio.sleep(0)

    def _alone(self, scope: Scope, name: str) -> Callable[[], Awaitable[str]]:
        async def store() -> str:
            (outcome,) = await self._store(scope, [name])
            return outcome

        return store

    async def _store(self, scope: Scope, names: Sequence[str]) -> Sequence[str]:
        self.stored.append(names)
        self.scopes.append(scope)
        self.begun.release()
        if len(names) > 1:
            self.tenants.add(current_tenant.get())
            self.seconds.add(remaining_seconds(1_000))
        await self.let.wait()
        if len(names) in self.errors:
            raise self.errors[len(names)]
        self.ended.append(names)
        return [f"{scope.agent_id}: {name}" for name in names]


@pytest.fixture
async def store() -> Store:
    return Store()


async def until_begun(store: Store, writes: int) -> None:
    while len(store.stored) < writes:
        await store.begun.acquire()


async def test_who_waits_while_a_write_is_under_way_is_stored_together_in_order(store: Store) -> None:
    writes = [store.write(str(number)) for number in range(5)]
    await until_begun(store, 1)
    await store.release()
    assert await asyncio.gather(*writes) == [f"alice: {number}" for number in range(5)]
    assert store.stored == [["0"], ["1", "2", "3", "4"]]


async def test_one_after_the_other_each_is_stored_at_once_and_alone(store: Store) -> None:
    store.let.set()
    for number in range(3):
        assert await store.write(str(number)) == f"alice: {number}"
    assert store.stored == [["0"], ["1"], ["2"]]


async def test_a_scope_does_not_wait_for_another(store: Store) -> None:
    writes = [store.write("1"), store.write("2", BOB), store.write("3"), store.write("4")]
    await until_begun(store, 2)
    assert store.stored == [["1"], ["2"]]
    await store.release()
    await asyncio.gather(*writes)
    assert store.stored == [["1"], ["2"], ["3", "4"]]


async def test_a_group_has_neither_too_many_writes_nor_too_many_bytes(store: Store) -> None:
    writes = [store.write("first")]
    writes += [store.write(str(number)) for number in range(MAX_GROUP_WRITES + 1)]
    writes += [store.write(size, byte_count=MAX_GROUP_BYTES - 1) for size in ("large", "larger")]
    await until_begun(store, 1)
    await store.release()
    await asyncio.gather(*writes)
    last = str(MAX_GROUP_WRITES)
    assert [len(names) for names in store.stored] == [1, MAX_GROUP_WRITES, 2, 1]
    assert store.stored[2:] == [[last, "large"], ["larger"]]


async def test_a_group_works_for_its_tenant_and_has_no_deadline_of_a_caller(store: Store) -> None:
    set_deadline(60)
    writes = [store.write(str(number)) for number in range(3)]
    await until_begun(store, 1)
    await store.release()
    await asyncio.gather(*writes)
    assert store.tenants == {"acme"}
    assert store.seconds == {1_000}


async def test_who_leaves_before_its_group_begins_is_not_stored(store: Store) -> None:
    writes = [store.write(str(number)) for number in range(4)]
    await until_begun(store, 1)
    writes[2].cancel()
    await store.release()
    outcomes = await asyncio.gather(*writes, return_exceptions=True)
    assert isinstance(outcomes[2], asyncio.CancelledError)
    assert store.stored == [["0"], ["1", "3"]]


async def test_who_leaves_while_its_group_is_stored_takes_nothing_from_the_others(store: Store) -> None:
    writes = [store.write(str(number)) for number in range(4)]
    await until_begun(store, 1)
    await store.release()
    store.let.clear()
    await until_begun(store, 2)
    writes[2].cancel()
    await asyncio.sleep(0)
    await store.release()
    assert await writes[1] == "alice: 1"
    assert await writes[3] == "alice: 3"
    assert store.ended[1] == ["1", "2", "3"]


async def test_a_group_that_everybody_has_left_is_stopped_and_the_next_goes_on(store: Store) -> None:
    writes = [store.write(str(number)) for number in range(3)]
    await until_begun(store, 1)
    await store.release()
    store.let.clear()
    await until_begun(store, 2)
    later = store.write("later")
    for write in writes[1:]:
        write.cancel()
    await asyncio.gather(*writes, return_exceptions=True)
    await store.release()
    assert await later == "alice: later"
    assert store.ended == [["0"], ["later"]]


async def test_the_first_that_is_cancelled_makes_way_for_the_next(store: Store) -> None:
    first, second = store.write("first"), store.write("second")
    await until_begun(store, 1)
    first.cancel()
    await store.release()
    assert await second == "alice: second"
    assert store.ended == [["second"]]


async def test_who_leaves_when_it_is_given_its_turn_hands_it_on(store: Store) -> None:
    first, second = store.write("first"), store.write("second")
    await until_begun(store, 1)
    store.let.set()
    # Behind the end of the first, which gives the second its turn, in one pass of the loop.
    asyncio.get_running_loop().call_soon(second.cancel)
    third = store.write("third")
    assert await third == "alice: third"
    assert await first == "alice: first"
    assert store.stored == [["first"], ["third"]]
    # Nothing is left behind: the next is stored at once.
    assert await store.write("fourth") == "alice: fourth"


async def test_of_a_group_that_fails_each_is_stored_alone_before_who_came_later(store: Store) -> None:
    store.errors[3] = StorageFull()
    writes = [store.write(str(number)) for number in range(4)]
    await until_begun(store, 1)
    await store.release()
    store.let.clear()
    await until_begun(store, 2)
    writes += [store.write("later"), store.write("last")]
    await asyncio.sleep(0)
    await store.release()
    await asyncio.gather(*writes)
    assert store.stored == [["0"], ["1", "2", "3"], ["1"], ["2"], ["3"], ["later", "last"]]


async def test_where_a_group_may_have_been_stored_it_is_not_stored_again(store: Store) -> None:
    store.errors[3] = StorageUnavailable()
    writes = [store.write(str(number)) for number in range(4)]
    await until_begun(store, 1)
    await store.release()
    assert await writes[0] == "alice: 0"
    for write in writes[1:]:
        with pytest.raises(StorageUnavailable):
            await write
    assert store.stored == [["0"], ["1", "2", "3"]]
    assert await store.write("later") == "alice: later"


async def test_a_defect_reaches_every_caller(store: Store) -> None:
    store.errors[2] = TypeError("a defect")
    writes = [store.write(str(number)) for number in range(3)]
    await until_begun(store, 1)
    await store.release()
    for write in writes[1:]:
        with pytest.raises(TypeError):
            await write
    assert await store.write("later") == "alice: later"


async def test_a_deadline_ends_the_wait(store: Store) -> None:
    first = store.write("first")
    await until_begun(store, 1)
    set_deadline(0)
    second, third = store.write("second"), store.write("third")
    for write in (second, third):
        with pytest.raises(DeadlineExceeded):
            await write
    await store.release()
    assert await first == "alice: first"
    assert store.stored == [["first"]]


async def test_writes_of_several_scopes_share_a_statement_in_the_order_of_scopes() -> None:
    store = Store(spans_scopes=True)
    writes = [store.write("one", ALICE), store.write("two", BOB)]
    await until_begun(store, 2)
    writes += [store.write("bob", BOB), store.write("carl", CARL), store.write("alice", ALICE), store.write("2", BOB)]
    await asyncio.sleep(0)
    assert len(store.stored) == GROUPS_AT_ONCE
    await store.release()
    assert await asyncio.gather(*writes[3:5]) == ['{"alice","carl"}: carl', '{"alice","carl"}: alice']
    await asyncio.gather(*writes)
    # The first that ended was of alice, while a write of bob's was under way.
    assert store.stored == [["one"], ["two"], ["alice", "carl"], ["bob", "2"]]
    assert store.scopes[2:] == [scope_set(ALICE.tenant_id, [ALICE.agent_id, CARL.agent_id]), BOB]
    assert await store.write("later") == "alice: later"


async def test_another_tenant_does_not_wait() -> None:
    store = Store(spans_scopes=True)
    writes = [store.write(name, scope) for name, scope in (("1", ALICE), ("2", BOB), ("3", CARL), ("4", ELSEWHERE))]
    await until_begun(store, 3)
    assert store.stored == [["1"], ["2"], ["4"]]
    await store.release()
    await asyncio.gather(*writes)


async def test_where_nothing_ends_for_long_others_go_on_beside_it() -> None:
    store = Store(spans_scopes=True)
    writes = [store.write("1", ALICE), store.write("2", BOB), store.write("3", CARL), store.write("4", ALICE)]
    async with asyncio.timeout(PATIENCE_SECONDS):
        await until_begun(store, 3)
    # But none beside one of its scope.
    assert store.stored == [["1"], ["2"], ["3"]]
    await store.release()
    await asyncio.gather(*writes)
    assert store.stored[3:] == [["4"]]


async def test_who_does_not_share_and_who_was_set_apart_has_a_group_of_its_scope() -> None:
    store = Store(spans_scopes=True)
    store.commit.set_apart(BOB)
    writes = [store.write("1", ALICE), store.write("2", BOB)]
    await until_begun(store, 2)
    for number in range(2):
        writes += [store.write(f"bob {number}", BOB), store.write(f"carl {number}", CARL)]
        writes += [store.write(f"alice {number}", ALICE, shares=False), store.write(f"dora {number}", DORA)]
    await asyncio.sleep(0)
    await store.release()
    await asyncio.gather(*writes)
    assert sorted(map(sorted, store.stored[2:])) == [
        ["alice 0", "alice 1"],
        ["bob 0", "bob 1"],
        ["carl 0", "carl 1", "dora 0", "dora 1"],
    ]


async def test_of_several_scopes_that_fail_each_is_stored_alone() -> None:
    store = Store(spans_scopes=True)
    store.errors[3] = StorageFull()
    writes = [store.write("1", ALICE), store.write("2", BOB)]
    await until_begun(store, 2)
    writes += [store.write("carl", CARL), store.write("dora", DORA), store.write("more", CARL)]
    await asyncio.sleep(0)
    await store.release()
    assert await asyncio.gather(*writes[2:]) == ["carl: carl", "dora: dora", "carl: more"]
    assert store.stored[2] == ["carl", "more", "dora"]
    assert sorted(map(list, store.stored[3:])) == [["carl"], ["dora"], ["more"]]
