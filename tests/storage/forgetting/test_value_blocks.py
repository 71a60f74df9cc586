"""Value blocks in Postgres: seen by every write that comes to its turn after them, whatever it knew before."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from camillo_server.across.context.view import View
from camillo_server.across.forgetting.records import ForgetSelection
from camillo_server.features.events.event import JsonContent
from camillo_server.features.tasks.task import Task, TaskDraft, TaskId
from camillo_server.kernel.errors import KeyMissing, NotFound, ValueRejected
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import MemoryKind, Sensitivity
from camillo_server.kernel.off_loop import MAX_LOOP_CHARACTERS
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.lib.text.value_fingerprints import value_fingerprint
from camillo_server.storage.blocklist import (
    Blocking,
    block,
    blocked_fields,
    blocked_fingerprints,
    fingerprint_texts,
    fingerprint_texts_off_loop,
    has_blocks,
)
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.storage.scope_writes import ScopeWrites

from tests.postgres_fixtures import TestDatabase
from tests.storage.context.ground_store import (
    ALICE,
    BOB,
    KEYRING,
    NOW,
    RIVAL,
    SHARED,
    GroundStore,
    decision,
    event,
    ground_store,
    request,
    row,
)
from tests.storage.forgetting_store import forgetting_store
from tests.storage.locking import scope_held, until_waiting
from tests.storage.replays import OF_MEMORIES

MANY_LINES = MAX_LOOP_CHARACTERS
VALUE = "Пользователь живёт в Базеле 🏠"
RESPELT = "ПОЛЬЗОВАТЕЛЬ  живёт в «Базеле» 🏠!"
OTHER = "Пользователь живёт в Берне 🏠"


@pytest.fixture
async def store(database: TestDatabase) -> AsyncIterator[GroundStore]:
    async with ground_store(database) as opened:
        yield opened


def writes(store: GroundStore) -> ScopeWrites:
    return ScopeWrites(store.database, ChangeNotifier(""))


async def blocked(store: GroundStore, value: str = VALUE, scope: Scope = ALICE) -> UUID:
    """The receipt by which the value may not be stated."""
    stored = row(uuid4(), value, scope, kind=MemoryKind.FACT)
    await store.memories.remember(scope, stored, OF_MEMORIES, None, now=NOW)
    forgetting = forgetting_store(writes(store), KEYRING)
    what = ForgetSelection([stored.memory.memory_id])
    written = await forgetting.forget(scope, what, None, now=NOW)
    assert written.record.receipt_id is not None
    return written.record.receipt_id


async def remember(store: GroundStore, text: str, scope: Scope) -> object:
    stored = row(uuid4(), text, scope, kind=MemoryKind.FACT)
    return await store.memories.remember(scope, stored, OF_MEMORIES, None, now=NOW)


async def record(store: GroundStore, text: str, scope: Scope) -> object:
    return await store.record(event(text, scope), scope=scope)


async def record_much(store: GroundStore, text: str, scope: Scope) -> object:
    """Stores more than is read before it is known that there is anything to look for."""
    lines = "nothing of interest\n" * MANY_LINES
    return await store.record(event(f"{lines}{text}\n{lines}", scope), scope=scope, chunks=[])


async def record_json(store: GroundStore, text: str, scope: Scope) -> object:
    content = JsonContent({"a": [1.0, {text: None}]})
    return await store.record(event(content=content, scope=scope), scope=scope, chunks=[])


async def decide(store: GroundStore, text: str, scope: Scope) -> object:
    return await store.decide(decision("so be it", scope, rationale=("because", text)), scope)


async def open_task(store: GroundStore, text: str, scope: Scope) -> object:
    draft = TaskDraft("work", goal=text)
    task = Task(TaskId(uuid4()), scope.agent_id, draft, 1, NOW, NOW)
    return await store.tasks.put(scope, task, None, None, texts={"goal": text}, now=NOW)


async def put_view(store: GroundStore, text: str, scope: Scope) -> object:
    view = View("rules", scope.agent_id, f"# Rules\n* {text}", Sensitivity.INTERNAL, 1, NOW)
    return await store.views.put(scope, view, None, None, now=NOW)


Write = Callable[[GroundStore, str, Scope], Coroutine[Any, Any, object]]
WRITES = (remember, record, record_much, record_json, decide, open_task, put_view)


@pytest.mark.parametrize("write", WRITES)
async def test_a_write_that_waits_for_its_turn_sees_what_was_blocked_meanwhile(
    store: GroundStore, write: Write
) -> None:
    await write(store, OTHER, ALICE)
    with scope_held(store.postgres, "acme", "alice") as holder:
        waiting = asyncio.create_task(write(store, RESPELT, ALICE))
        await until_waiting(store.postgres, 1)
        holder.execute(
            "insert into camillo.value_blocks (tenant_id, agent_id, mark, receipt_id, blocked_at)"
            " values ('acme', 'alice', %s, %s, %s)",
            (value_fingerprint(ALICE.tenant_id, VALUE), uuid4(), NOW),
        )
        holder.commit()
        with pytest.raises(ValueRejected):
            await waiting
    await write(store, OTHER if write is not remember else OTHER + "!", ALICE)


@pytest.mark.parametrize("write", WRITES)
async def test_what_one_scope_forgot_others_may_state_and_what_is_shared_none(store: GroundStore, write: Write) -> None:
    await blocked(store)
    for scope in (BOB, SHARED, RIVAL):
        await write(store, RESPELT, scope)
    await blocked(store, OTHER, SHARED)
    for scope in (ALICE, BOB, SHARED):
        with pytest.raises(ValueRejected):
            await write(store, OTHER, scope)
    await write(store, OTHER, RIVAL)


@pytest.mark.parametrize("write", WRITES)
async def test_what_is_refused_leaves_nothing_behind(store: GroundStore, write: Write) -> None:
    await blocked(store)
    tables = ("memories", "events", "event_refs", "decisions", "tasks", "views", "requests")
    before = {table: store.count(table) for table in tables}
    revision = store.rows("select revision from scopes where agent_id = 'alice'")
    told = len(store.committed)
    with pytest.raises(ValueRejected):
        await write(store, VALUE, ALICE)
    assert {table: store.count(table) for table in tables} == before
    assert store.rows("select revision from scopes where agent_id = 'alice'") == revision
    assert store.counts_are_right()
    assert len(store.committed) == told
    await write(store, OTHER, ALICE)
    assert {table: store.count(table) for table in tables} != before


async def test_it_is_told_which_events_state_it_and_where(store: GroundStore) -> None:
    await blocked(store)
    events = [event(OTHER), event(f"Bye. {RESPELT} Hello."), event(content=JsonContent({"a": OTHER, "b": [VALUE]}))]
    assert await store.events.rejected(ALICE, events, None) == {1: "content.text", 2: "content.json[3]"}
    assert await store.events.rejected(BOB, events, None) == {}


async def test_a_repeated_request_is_answered_as_it_was(store: GroundStore) -> None:
    for text in (VALUE, VALUE + "\nnothing of interest" * MANY_LINES):
        key = request(text[:40] + str(len(text)))
        first = await store.record(event(text), chunks=[], key=key)
        receipt_id = await blocked(store)
        again = await store.record(event(text), chunks=[], key=key)
        assert again == first
        with pytest.raises(ValueRejected):
            await store.record(event(text), chunks=[])
        await forgetting_store(writes(store), KEYRING).lift_blocks(ALICE, receipt_id, None, now=NOW)


async def test_the_last_receipt_holds_the_block(store: GroundStore) -> None:
    first = await blocked(store)
    second = uuid4()
    mark = value_fingerprint(ALICE.tenant_id, RESPELT)
    await store.database.transaction(ALICE, lambda session: block(session, ALICE, Blocking([mark], second, NOW)))
    assert store.rows("select mark, receipt_id from value_blocks") == [(mark, second)]
    blocks = forgetting_store(writes(store), KEYRING)
    assert await blocks.lift_blocks(ALICE, first, None, now=NOW) == 0
    with pytest.raises(NotFound):
        await blocks.lift_blocks(ALICE, second, None, now=NOW)
    assert await blocks.lift_blocks(ALICE, RESPELT.lower(), None, now=NOW) == 1
    assert store.count("value_blocks") == 0


async def test_blocks_are_found_for_each_field_by_its_own(store: GroundStore) -> None:
    async def is_forgotten(scope: Scope, value: str) -> bool:
        mark = value_fingerprint(scope.tenant_id, value)
        found = await store.database.read(scope, partial(blocked_fingerprints, scope=scope, fingerprints=[mark]))
        return bool(found)

    async def has_forgotten(scope: Scope) -> bool:
        return await store.database.read(scope, partial(has_blocks, scope=scope))

    assert not await has_forgotten(ALICE)
    await blocked(store)
    texts = {"a": OTHER, "b": f"So: {RESPELT}", "c": "", "d": VALUE, "e": "x" * 20_000}
    for stated in (fingerprint_texts(ALICE, texts), await fingerprint_texts_off_loop(ALICE, texts)):
        found = await store.database.read(ALICE, partial(blocked_fields, scope=ALICE, written=stated))
        assert found == {"b", "d"}
    for scope, known in ((ALICE, True), (BOB, False), (SHARED, False), (RIVAL, False)):
        assert await has_forgotten(scope) is known
        assert await is_forgotten(scope, VALUE) is known
    assert not await is_forgotten(ALICE, OTHER)


async def test_a_value_that_cannot_be_read_is_not_forgotten_in_silence(store: GroundStore) -> None:
    """Nobody can know without its key what may not be stated; whoever lets it be stated needs none."""
    stored = row(uuid4(), VALUE, kind=MemoryKind.FACT, sensitivity=Sensitivity.RESTRICTED)
    await store.memories.remember(ALICE, stored, OF_MEMORIES, None, now=NOW)
    keyless = forgetting_store(writes(store), Keyring.empty())
    ids = [stored.memory.memory_id]
    with pytest.raises(KeyMissing):
        await keyless.forget(ALICE, ForgetSelection(ids), None, now=NOW)
    assert store.count("memories") == 1
    await keyless.forget(ALICE, ForgetSelection(ids, allow_restating=True), None, now=NOW)
    assert store.count("memories") == 0


async def test_the_agents_blocks_outlive_it_and_not_its_tenant(store: GroundStore) -> None:
    await blocked(store)
    await store.administration.delete_agent(ALICE.tenant_id, ALICE, None, NOW)
    # Its own and that of the deletion.
    assert (store.count("value_blocks"), store.count("receipts")) == (1, 2)
    with pytest.raises(ValueRejected):
        await remember(store, RESPELT, ALICE)
    await store.administration.delete_tenant(RIVAL.tenant_id, ALICE.tenant_id, None, NOW)
    assert store.count("value_blocks") == store.count("receipts") == 0


def test_marks_are_bytes_of_one_length() -> None:
    assert {len(mark) for mark in fingerprint_texts(ALICE, {"a": VALUE, "b": "?"}).all()} == {32}


async def test_many_derived_memories_go_in_one_forgetting(store: GroundStore) -> None:
    origin = row(uuid4(), VALUE, kind=MemoryKind.FACT)
    await store.memories.remember(ALICE, origin, OF_MEMORIES, None, now=NOW)
    derived = [
        row(uuid4(), f"derived {number}", kind=MemoryKind.FACT, source_refs=(str(origin.memory.memory_id),))
        for number in range(1_000)
    ]
    await store.memories.remember_many(ALICE, derived, OF_MEMORIES, None, now=NOW)
    kept = MemoryId(uuid4())
    await store.memories.remember(
        ALICE, row(uuid4(), "kept", kind=MemoryKind.FACT, memory_id=kept), OF_MEMORIES, None, now=NOW
    )
    forgetting = forgetting_store(writes(store), KEYRING)
    what = ForgetSelection([origin.memory.memory_id])
    receipt = (await forgetting.would_forget(ALICE, what, now=NOW)).receipt
    written = await forgetting.forget(ALICE, what, None, now=NOW)
    assert written.record.stores["memories"] == receipt.stores["memories"] == 1_001
    assert written.record.blocked_values == store.count("value_blocks") == 1_001
    assert store.rows("select memory_id from memories") == [(kept,)]
    assert store.count("memory_sources") == 1
    assert store.counts_are_right()


async def test_rows_of_another_tenant_are_not_to_be_seen(store: GroundStore) -> None:
    await blocked(store)
    with psycopg.connect(store.postgres.server_url) as connection:
        connection.execute("set search_path to camillo, public")
        for tenant_id, count in (("rival", 0), ("acme", 1)):
            connection.execute(
                "select set_config('camillo.tenant', %s, false), set_config('camillo.agent', '*', false)", (tenant_id,)
            )
            for table in ("value_blocks", "receipts"):
                found = connection.execute(f"select count(*) from {table}").fetchone()
                assert found == (count,)
