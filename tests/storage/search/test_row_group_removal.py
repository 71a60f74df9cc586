"""A row group goes with the first of its rows, before whoever removes it hears so; nobody sees one of another scope."""

import asyncio
from uuid import UUID

import psycopg
import pytest
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.scope import ANY_AGENT, Scope
from camillo_server.search.store.row_groups import (
    GROUP_ROWS,
)

from tests.storage.every_table import enter
from tests.storage.locking import until_waiting
from tests.storage.memories.replicas import (
    ALICE,
    new_row,
)
from tests.storage.search.grouped_scopes import (
    BOB,
    ROWS,
    Grouped,
    ids_of,
    plain_rows,
    read_to_group,
)

REWRITES = {
    "delete": "delete from memories where memory_id = %s",
    "content": "update memories set content = 'another' where memory_id = %s",
    "tags": "update memories set tags = '{a}' where memory_id = %s",
    "metadata": """update memories set metadata = '{"a": 1}' where memory_id = %s""",
    "session": "update memories set session_id = 'another' where memory_id = %s",
    "sources": "update memories set source_refs = '{a}' where memory_id = %s",
    "actor": "update memories set actor = 'another' where memory_id = %s",
    "credential": "update memories set credential = 'another' where memory_id = %s",
    "terms": "update memories set term_codes = '' where memory_id = %s",
    "encryption": "update memories set sealed = 'x', content = '', key_id = 'k' where memory_id = %s",
}
OTHER_CHANGES = {
    "nothing": "update memories set content = content, tags = tags where memory_id = %s",
    "pinned": "update memories set pinned = true, revision = revision + 1 where memory_id = %s",
    "vector": "update memories set vector_model_id = 'another' where memory_id = %s",
}


@pytest.mark.parametrize("statement", REWRITES.values(), ids=REWRITES)
async def test_a_rewritten_row_takes_its_group_along(grouped: Grouped, statement: str) -> None:
    rows = plain_rows(2 * GROUP_ROWS)
    await grouped.here.remember_many(rows)
    assert await grouped.grouping.pack(ALICE) == 2
    packed = await read_to_group(grouped, rows)
    ids = ids_of(rows)
    grouped.execute(statement, [ids[3]])
    ((first_id,),) = grouped.execute("select first_id from row_groups")
    assert isinstance(first_id, UUID)
    assert first_id > ids[3]
    # A group that was packed before is not stored behind it.
    assert not await grouped.store.put(ALICE, *packed)
    assert grouped.count() == 1


@pytest.mark.parametrize("statement", OTHER_CHANGES.values(), ids=OTHER_CHANGES)
async def test_another_change_leaves_groups_there(grouped: Grouped, statement: str) -> None:
    rows = plain_rows(ROWS)
    await grouped.here.remember_many(rows)
    await grouped.grouping.pack(ALICE)
    packed = await read_to_group(grouped, rows)
    grouped.execute(statement, [rows[0].memory.memory_id])
    assert grouped.count() == 1
    assert await grouped.store.put(ALICE, *packed)


@pytest.mark.parametrize("count", [900, 1_100])
async def test_many_deleted_rows_take_all_their_groups_along(grouped: Grouped, count: int) -> None:
    rows, others = plain_rows(1_200), plain_rows(ROWS)
    await grouped.here.remember_many(rows)
    await grouped.here.remember_many(others, BOB)
    await grouped.grouping.pack(ALICE)
    await grouped.grouping.pack(BOB)
    assert grouped.count() == 6
    grouped.execute(
        "delete from memories where agent_id = 'alice' and memory_id in"
        " (select memory_id from memories where agent_id = 'alice' order by md5(memory_id::text) limit %s)",
        [count],
    )
    assert grouped.execute("select agent_id from row_groups") == [("bob",)]


async def test_forgetting_removes_groups_before_its_receipt(grouped: Grouped) -> None:
    rows = [*plain_rows(ROWS), new_row("zzsecretzz")]
    await grouped.here.remember_many(rows)
    await grouped.grouping.pack(ALICE)
    found = "select count(*) from row_groups where position('zzsecretzz'::bytea in packed) > 0"
    assert grouped.execute(found) == [(1,)]
    packed = await read_to_group(grouped, rows)
    await grouped.here.forget([rows[-1].memory.memory_id])
    assert grouped.count() == 0
    assert not await grouped.store.put(ALICE, *packed)
    assert await grouped.grouping.pack(ALICE) == 1
    assert (grouped.count(), grouped.execute(found)) == (1, [(0,)])


async def test_who_stores_a_group_waits_for_a_removal_under_way(grouped: Grouped) -> None:
    rows = plain_rows(ROWS)
    await grouped.here.remember_many(rows)
    packed = await read_to_group(grouped, rows)
    for commits in (False, True):
        with psycopg.connect(grouped.database.superuser_url) as removing:
            removing.execute("delete from camillo.memories where memory_id = %s", [rows[0].memory.memory_id])
            storing = asyncio.create_task(grouped.store.put(ALICE, *packed))
            await until_waiting(grouped.database, 1)
            if commits:
                removing.commit()
            else:
                removing.rollback()
        assert await storing is not commits
        assert grouped.count() == (0 if commits else 1)


async def test_a_removal_waits_for_a_group_that_is_being_stored(grouped: Grouped) -> None:
    rows = plain_rows(ROWS)
    await grouped.here.remember_many(rows)
    read, first_id, last_id, packed = await read_to_group(grouped, rows)
    with psycopg.connect(grouped.database.superuser_url) as storing:
        storing.execute(
            "select from camillo.scopes where agent_id = 'alice' and rewrites = %s for no key update", [read.rewrites]
        )
        storing.execute(
            "insert into camillo.row_groups values ('acme', 'alice', %s, %s, 'x', 1, 1, 0, %s)",
            (first_id, last_id, packed),
        )
        removing = asyncio.create_task(
            asyncio.to_thread(grouped.execute, REWRITES["delete"], [rows[0].memory.memory_id])
        )
        await until_waiting(grouped.database, 1)
        storing.commit()
    await removing
    assert grouped.count() == 0


@pytest.mark.parametrize("stored", [True, False])
async def test_a_removal_that_sees_an_earlier_moment_fails(grouped: Grouped, stored: bool) -> None:
    rows = plain_rows(ROWS)
    await grouped.here.remember_many(rows)
    packed = await read_to_group(grouped, rows)
    with psycopg.connect(grouped.database.superuser_url) as removing:
        removing.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        removing.execute("select from camillo.memories")
        if stored:
            assert await grouped.store.put(ALICE, *packed)
        try:
            removing.execute("delete from camillo.memories where memory_id = %s", [rows[0].memory.memory_id])
            removing.commit()
        except psycopg.errors.SerializationFailure:
            removing.rollback()
    ((left,),) = grouped.execute("select count(*) from memories")
    assert (left, grouped.count()) == ((ROWS, 1) if stored else (ROWS - 1, 0))


async def test_a_foreign_tenant_sees_no_groups(grouped: Grouped) -> None:
    await grouped.here.remember_many(plain_rows(ROWS))
    await grouped.grouping.pack(ALICE)
    seen = "select count(*) from camillo.row_groups"
    with psycopg.connect(grouped.database.server_url, autocommit=True) as serving:
        counts = []
        for tenant_id, agent_id in (("acme", "alice"), ("acme", ANY_AGENT), ("acme", "bob"), ("rival", ANY_AGENT)):
            enter(serving, tenant_id, agent_id)
            counts += [count for (count,) in serving.execute(seen)]
        assert counts == [1, 1, 0, 0]
        enter(serving, "rival")
        assert serving.execute("delete from camillo.row_groups").rowcount == 0
        serving.execute("select camillo.drop_row_groups('{acme}', '{alice}', array[gen_random_uuid()])")
    assert grouped.count() == 1
    rival = Scope(TenantId("rival"), ALICE.agent_id)
    async with grouped.here.database.snapshot(rival) as session:
        assert await grouped.store.groups(session, ALICE) == []


async def test_groups_go_with_their_scope(grouped: Grouped) -> None:
    await grouped.here.remember_many(plain_rows(ROWS))
    await grouped.grouping.pack(ALICE)
    assert grouped.count() == 1
    grouped.execute("delete from tenants where tenant_id = 'acme'")
    assert grouped.count() == 0
