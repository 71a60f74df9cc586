"""Chunks that were stored before parts counted as longer get the lengths that they would have now."""

import psycopg
import pytest
from alembic import command
from camillo.v1 import memory_pb2 as pb
from camillo_server.admin.store.invariants import violations
from camillo_server.storage.embedded.roles import SERVER
from camillo_server.storage.migrate import migrate, run_migrations

from tests.postgres_fixtures import TestDatabase
from tests.rpc.memories.calls import remember
from tests.rpc.records import record, text_event, tool_event
from tests.server_fixtures import Server

LONG = "浸泡茶叶 steep שרה עלים 🍵. " * 200
# As an earlier release stored them, which had no terms of who says what.
PLAIN = """
update camillo.memories m set term_count = p.terms from (
    select memory_id, (
        select sum(cardinality(positions)) from unnest(terms) where right(lexeme, 1) not in (':', '?')
    ) as terms from camillo.memories where sealed is null
) p where p.memory_id = m.memory_id;
update camillo.scopes s set term_count = (
    select coalesce(sum(term_count), 0) from camillo.memories m
    where m.tenant_id = s.tenant_id and m.agent_id = s.agent_id)
"""


def lengths(database: TestDatabase) -> list[tuple[str, str, int]]:
    """Lengths of each row, by scope; and of each scope."""
    with psycopg.connect(database.superuser_url) as connection:
        return connection.execute(
            "select agent_id, memory_id::text, term_count::bigint from camillo.memories"
            " union all select agent_id, 'all', term_count from camillo.scopes order by 1, 2"
        ).fetchall()


async def test_parts_of_before_the_migration_count_as_long_as_those_of_today(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = server.database
    await record(server.alice, LONG)
    await record(server.alice, "short 茶 🍵")
    await record(server.rival, tool_event(LONG).tool_result.excerpt_text)
    await remember(server.alice, "a memory of leaves")
    await record(server.alice, text_event(LONG).text, sensitivity=pb.SENSITIVITY_PUBLIC)
    today = lengths(database)
    await server.app.stop()
    with psycopg.connect(database.superuser_url) as superuser:
        superuser.execute(PLAIN)
    before = lengths(database)
    assert sum(length for *_, length in before) < sum(length for *_, length in today)
    to, back = command.upgrade, command.downgrade
    monkeypatch.setattr(command, "upgrade", lambda config, _: back(config, "0040"))
    run_migrations(database.owner_url)
    assert lengths(database) == before
    monkeypatch.setattr(command, "upgrade", to)
    migrate(database.owner_url, SERVER)
    assert lengths(database) == today
    with psycopg.connect(database.owner_url, autocommit=True) as owner:
        assert not list(violations(owner))
