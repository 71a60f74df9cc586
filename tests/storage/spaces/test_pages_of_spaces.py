"""A page of spaces is read from the primary key, however many spaces there are."""

from typing import Any

import psycopg
import pytest
from camillo_server.across.spaces import paths
from camillo_server.storage.scopes import SQL, ScopeRange
from psycopg import sql

from tests.postgres_fixtures import TestDatabase
from tests.storage.every_table import enter

SPACES = 100_000
SIZE = 51
SQL_MODE = sql.SQL("set plan_cache_mode = {}")
FILL = """
insert into camillo.scopes (tenant_id, agent_id, revision, memory_count, term_count, display_name, created_at)
select 'acme', case n %% 2 when 0 then 'users/' else 'projects/p/' end || lpad(n::text, 6, '0'), 1, 0, 0, '', now()
from generate_series(1, %s) n
"""


@pytest.fixture
def connection(database: TestDatabase) -> Any:
    with psycopg.connect(database.superuser_url, autocommit=True) as superuser:
        superuser.execute(
            "insert into camillo.tenants (tenant_id, display_name, created_at) values ('acme', '', now())"
        )
        superuser.execute(FILL, (SPACES,))
        superuser.execute("analyze camillo.scopes")
    with psycopg.connect(database.server_url, autocommit=True) as connection:
        enter(connection, "acme")
        connection.execute("set search_path = camillo")
        connection.execute(PREPARED.encode())
        yield connection


# The statement as one that the server prepares: a generic plan knows no values.
NUMBERED = {"tenant_id": "$1::text", "begins": "$2", "ends": "$3", "size": "$4::bigint"}
PREPARED = f"prepare page (text, text[], text[], bigint) as {SQL['scopes_in_ranges'] % NUMBERED}"


def page(connection: psycopg.Connection, ranges: list[ScopeRange], plan_cache_mode: str) -> tuple[list[str], int]:
    """The paths of a page, and how many blocks its statement reads."""
    connection.execute(SQL_MODE.format(sql.Identifier(plan_cache_mode)))
    begins, ends = [each.begin for each in ranges], [each.end for each in ranges]
    execute = sql.SQL("execute page ({}, {}, {}, {})").format("acme", begins, ends, SIZE)
    rows = connection.execute(execute).fetchall()
    explained = connection.execute(sql.SQL("explain (analyze, buffers, format json) {}").format(execute)).fetchone()
    assert explained
    top = explained[0][0]["Plan"]
    return [row[0] for row in rows], top["Shared Hit Blocks"] + top["Shared Read Blocks"]


@pytest.mark.parametrize("plan_cache_mode", ["force_custom_plan", "force_generic_plan"])
def test_a_page_of_100_000_spaces_reads_some_tens_of_blocks(
    connection: psycopg.Connection, plan_cache_mode: str
) -> None:
    everything = list(paths.common(paths.of_prefix(""), paths.of_prefix("")))
    users = list(paths.common(paths.of_prefix(""), paths.of_prefix("users/")))
    for ranges, after, first in (
        (everything, "", "projects/p/000001"),
        (everything, "users/050000", "users/050002"),
        (users, "", "users/000002"),
        (users, "users/099000", "users/099002"),
    ):
        left = [each.behind(after) for each in ranges]
        found, blocks = page(connection, left, plan_cache_mode)
        assert (found[0], len(found)) == (first, SIZE)
        assert found == sorted(found)
        assert blocks < 100
    grants = [paths.one(f"users/{number:06}") for number in range(2, 130, 2)]
    found, blocks = page(connection, grants, plan_cache_mode)
    assert len(found) == SIZE
    assert blocks < 500


def test_a_scan_of_all_of_them_would_read_more(connection: psycopg.Connection) -> None:
    explained = connection.execute(
        "explain (analyze, buffers, format json) select count(display_name) from camillo.scopes"
    ).fetchone()
    assert explained
    assert explained[0][0]["Plan"]["Shared Hit Blocks"] > 1000
