"""Events are append-only by the database alone: bare statements of the role that serves, and of the owner."""

from collections.abc import AsyncIterator

import psycopg
import pytest
from psycopg import sql

from tests.postgres_fixtures import TestDatabase
from tests.storage.context.ground_store import NOW, GroundStore, event, ground_store


@pytest.fixture
async def store(database: TestDatabase) -> AsyncIterator[GroundStore]:
    async with ground_store(database) as opened:
        yield opened


CHANGES = {
    "update": "update camillo.events set actor_id = 'forged'",
    "trust": "update camillo.events set trust = 2, credential = 'forged'",
    "truncate": "truncate camillo.events cascade",
    "truncate all": "truncate camillo.tenants cascade",
    "delete": "delete from camillo.events",
    "delete hidden": "with gone as (delete from camillo.events returning 1)"
    " select set_config('camillo.tenant', '', true), set_config('camillo.agent', '', true) from gone",
    "delete with scopes": "delete from camillo.scopes",
}
ENTER = "select set_config('camillo.tenant', 'acme', false), set_config('camillo.agent', 'alice', false)"
INSERT = (
    "insert into camillo.events select tenant_id, agent_id, gen_random_uuid(), revision, place + 1, session_id, "
    "channel,"
    " actor_type, actor_id, kind, sensitivity, tags, occurred_at, recorded_at, refs, importance, content_bytes, key_id,"
    " details, sealed_details from camillo.events returning event_id"
)


@pytest.mark.parametrize("role", ["server", "owner"])
@pytest.mark.parametrize("change", list(CHANGES))
async def test_the_database_never_lets_events_change_or_go(store: GroundStore, role: str, change: str) -> None:
    await store.record(event("as it was"))
    url = store.postgres.server_url if role == "server" else store.postgres.owner_url
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(ENTER)
        refused = (psycopg.errors.RestrictViolation, psycopg.errors.InsufficientPrivilege)
        with pytest.raises(refused):
            connection.execute(sql.SQL(CHANGES[change]))
        assert len(connection.execute(sql.SQL(INSERT)).fetchall()) == 1
    assert await store.texts() == ["as it was", "as it was"]


async def test_the_role_that_serves_has_no_right_to_change_events(store: GroundStore) -> None:
    rights = store.rows(
        "select right_of, has_table_privilege('camillo_server', 'camillo.events', right_of)"
        " from unnest(array['select', 'insert', 'delete', 'update', 'truncate']) as r (right_of)"
    )
    assert [name for name, has in rights if has] == ["select", "insert", "delete"]


async def test_an_event_goes_once_its_tombstone_stands(store: GroundStore) -> None:
    kept, gone = event("kept"), event("gone")
    await store.record(kept, gone)
    with psycopg.connect(store.postgres.server_url) as connection:
        connection.execute("set search_path to camillo")
        connection.execute(ENTER)
        key = ("acme", "alice", gone.event_id)
        connection.execute("insert into event_receipts values ('acme', 'alice', %s, %s, '{}')", (key[2], NOW))
        connection.execute("insert into event_tombstones values (%s, %s, %s, 1, 0, %s)", (*key, key[2]))
        connection.execute("delete from events where event_id = %s", (gone.event_id,))
    assert await store.texts() == ["kept"]
