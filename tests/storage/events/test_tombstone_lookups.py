"""The trigger that protects events takes as long for an agent with many tombstones as for one with few."""

from uuid import uuid4

import psycopg

from tests.postgres_fixtures import TestDatabase
from tests.storage.every_table import enter


def test_each_event_that_goes_is_found_among_the_tombstones_by_its_key(database: TestDatabase) -> None:
    """Whatever statistics there are: an agent may have millions."""
    count, parts = 1_500, 3
    with psycopg.connect(database.superuser_url, autocommit=True) as superuser:
        superuser.execute("set search_path to camillo, public")
        superuser.execute("insert into tenants (tenant_id, display_name, created_at) values ('many', '', now())")
        superuser.execute(
            "insert into scopes (tenant_id, agent_id, revision, memory_count, term_count, display_name, created_at)"
            " values ('many', 'ada', 1, 0, 0, '', now())"
        )
        superuser.execute(
            "insert into events (tenant_id, agent_id, event_id, revision, place, session_id, channel, actor_type, "
            "actor_id, kind,"
            " sensitivity, tags, occurred_at, recorded_at, refs, importance, content_bytes, key_id, details)"
            " select 'many', 'ada', md5(n::text)::uuid, 1, n, '', 2, 1, 'ada', 1, 2, '{}', now(), now(), '{}', 0.5, "
            "10, '', '{}'"
            " from generate_series(1, %s) n",
            (count,),
        )
        receipt_id = uuid4()
        superuser.execute(
            "insert into event_receipts (tenant_id, agent_id, receipt_id, forgotten_at, counts)"
            " values ('many', 'ada', %s, now(), '{}')",
            (receipt_id,),
        )
    with psycopg.connect(database.server_url, autocommit=True) as connection:
        enter(connection, "many", "ada")
        connection.execute("set search_path to camillo, public")
        for part in range(parts):
            event_ids = [
                event_id
                for (event_id,) in connection.execute("select event_id from events limit %s", (count // parts,))
            ]
            connection.execute(
                "insert into event_tombstones select tenant_id, agent_id, event_id, 2, place, %s from events where "
                "event_id = any(%s)",
                (receipt_id, event_ids),
            )
            gone = connection.execute(
                "delete from events where tenant_id = 'many' and agent_id = 'ada' and event_id = any(%s)", (event_ids,)
            )
            assert gone.rowcount == count // parts, part
        connection.execute("select pg_stat_force_next_flush()")
        rows = connection.execute(
            "select indexrelname, idx_tup_read from pg_stat_user_indexes where relname = 'event_tombstones'"
        ).fetchall()
    read: dict[str, int] = dict(rows)
    assert count <= read["event_tombstones_pkey"] <= 2 * count
    assert sum(read.values()) <= 2 * count
