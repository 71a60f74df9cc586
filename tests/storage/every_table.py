"""Rows in every table, and bare statements of the server's role, with no filter of the application.

The tables come from the catalog, so a new one without a policy fails here.
"""

import asyncio
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import grpc
import psycopg
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo_server.kernel.scope import ANY_AGENT
from psycopg import sql

from tests.postgres_fixtures import TestDatabase
from tests.rpc.forgetting.test_forget import forget
from tests.rpc.memories.calls import recall, remember
from tests.rpc.memories.test_update import update
from tests.server_fixtures import Caller, servers
from tests.storage.context.ground_rows import keep_ground
from tests.storage.lifecycle.lifecycle_rows import keep_lifecycles
from tests.tenant_keys import create_keys
from tests.unit.identity.moving_clock import MovingClock

# The tables that belong to the database and to no tenant.
OF_NO_TENANT = {"schema_version", "database_identity", "key_secrets", "global_skills"}
# Tables of a tenant as a whole: none of its agents has rows of its own there.
OF_NO_AGENT = {"audit_policies", "contents", "content_parts", "embedding_spend", "recipes", "spool_policies", "tenants"}
# Events neither change nor go, nor does a scope that has some: test_events_never_change.py.
NEVER_CHANGE = {"events", "scopes", "audit_chains", "audit_entries"}
# The role may do nothing but read them, and add to one: tests/rpc/audit/test_audit.py.
READ_ONLY = {"audit_chains", "audit_entries"}
CITING = "kept [MemoryRef: log_1]"


async def fill(caller: Caller) -> None:
    """Stores at least one row in every table."""
    request = service.RememberRequest(request_id="r", memory=pb.NewMemory(content=CITING))
    kept = (await caller(request)).memory
    await caller(update(kept.memory_id, 1, content=f"{CITING}, changed"))
    gone = await remember(caller, "gone")
    await caller(forget(gone.memory_id))
    with pytest.raises(grpc.aio.AioRpcError):
        await remember(caller, "gone")
    await recall(caller, "kept")


def spend_on_vectors(database: TestDatabase) -> None:
    """Enters what a provider that costs money would."""
    with psycopg.connect(database.superuser_url) as superuser:
        superuser.execute(
            "insert into camillo.embedding_spend (tenant_id, day, model_id, nano_usd, tokens)"
            " select tenant_id, '2030-01-01', 'model', 1, 1 from camillo.tenants"
        )
        superuser.execute(
            "insert into camillo.token_usage"
            " select tenant_id, '2030-01-01', agent_id, 'judging', 'model', '', 1, 1, 1, 1 from camillo.scopes"
        )


def keep_policies(database: TestDatabase) -> None:
    """Stores a policy of the audit trail and of the spool for each tenant."""
    with psycopg.connect(database.superuser_url) as superuser:
        superuser.execute(
            "insert into camillo.audit_policies (tenant_id, retention_days) select tenant_id, 31 from camillo.tenants"
        )
        superuser.execute(
            "insert into camillo.spool_policies (tenant_id, policy) select tenant_id, 3 from camillo.tenants"
        )


def keep_row_groups(database: TestDatabase) -> None:
    """Stores a row group of each scope, as for large ones."""
    with psycopg.connect(database.superuser_url) as superuser:
        superuser.execute(
            "insert into camillo.row_groups select tenant_id, agent_id, %(id)s, %(id)s, '', 1, 1, 0, 'x'"
            " from camillo.scopes",
            {"id": uuid4()},
        )


def keep_artifacts(database: TestDatabase) -> None:
    """Stores an artifact of each scope, and the upload that it came from, with one content for the tenant."""
    content_id, now = uuid4(), datetime(2030, 1, 1, tzinfo=UTC)
    with psycopg.connect(database.superuser_url) as superuser:
        for statement in (
            "insert into camillo.contents select tenant_id, %(id)s, 'f', 1, 1, 1, false, 1, 2, %(now)s, %(now)s"
            " from camillo.tenants",
            "insert into camillo.content_parts select tenant_id, %(id)s, 0, 1, 1, 1, 0, '', 'x' from camillo.tenants",
            "insert into camillo.artifacts select tenant_id, 'log' || agent_id, agent_id, '', %(id)s, 1, '', '', '{}',"
            " 1, 1, false, null, %(now)s, %(now)s, 1, '', '{}', null from camillo.scopes",
            "insert into camillo.uploads select tenant_id, agent_id, %(id)s, %(id)s, 1, '', '{}', null,"
            " 'log' || agent_id, %(now)s from camillo.scopes",
        ):
            superuser.execute(statement, {"id": content_id, "now": now})


@pytest.fixture(scope="session")
def filled_template(
    clone: Callable[[str], TestDatabase],
    template_database: str,
    drop: Callable[[str], None],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[str]:
    """The name of a database that nobody is connected to. Both tenants have rows in every table, in their shared scope;
    so has the agent `alice` of `acme`."""
    database = clone(template_database)
    asyncio.run(fill_all(database, tmp_path_factory.mktemp("filled")))
    spend_on_vectors(database)
    keep_policies(database)
    keep_artifacts(database)
    keep_row_groups(database)
    keep_ground(database)
    keep_lifecycles(database)
    yield database.name
    drop(database.name)


async def fill_all(database: TestDatabase, data_dir: Path) -> None:
    clock = MovingClock()
    # A server that stops stores the access statistics.
    async with servers(database, create_keys(database, clock.now()), clock, data_dir) as start:
        server = await start()
        for caller in (server.alice, server.admin, server.rival):
            await fill(caller)


@pytest.fixture
def filled(
    clone: Callable[[str], TestDatabase], filled_template: str, drop: Callable[[str], None]
) -> Iterator[TestDatabase]:
    """A copy of the template."""
    database = clone(filled_template)
    yield database
    drop(database.name)


@pytest.fixture
def tables(filled: TestDatabase) -> list[str]:
    return tenant_tables(filled)


def tenant_tables(database: TestDatabase) -> list[str]:
    with psycopg.connect(database.superuser_url) as connection:
        rows = connection.execute(
            "select relname::text from pg_class join pg_namespace n on n.oid = relnamespace"
            " where nspname = 'camillo' and relkind in ('r', 'p') and not relispartition order by 1"
        ).fetchall()
    return [name for (name,) in rows if name not in OF_NO_TENANT]


@pytest.fixture
def connection(filled: TestDatabase) -> Iterator[psycopg.Connection]:
    """The server's own role, bound to no tenant yet."""
    with psycopg.connect(filled.server_url, autocommit=True) as connection:
        yield connection


def enter(connection: psycopg.Connection, tenant_id: str, agent_id: str = ANY_AGENT) -> None:
    connection.execute(
        "select set_config('camillo.tenant', %s, false), set_config('camillo.agent', %s, false)", (tenant_id, agent_id)
    )


def tenants_in(connection: psycopg.Connection, table: str) -> set[str]:
    statement = sql.SQL("select distinct tenant_id from camillo.{}").format(sql.Identifier(table))
    return {row[0] for row in connection.execute(statement)}


def agents_in(connection: psycopg.Connection, table: str) -> set[str | None]:
    statement = sql.SQL("select distinct agent_id from camillo.{}").format(sql.Identifier(table))
    return {row[0] for row in connection.execute(statement)}


def written_columns(connection: psycopg.Connection, table: str) -> list[sql.Identifier]:
    """Columns that a statement may write: the others are computed from them."""
    rows = connection.execute(
        "select attname::text from pg_attribute where attrelid = %s::regclass and attnum > 0"
        " and not attisdropped and attgenerated = '' order by attnum",
        (f"camillo.{table}",),
    )
    return [sql.Identifier(name) for (name,) in rows]


def changed_rows(connection: psycopg.Connection, statement: str, table: str) -> int:
    composed = sql.SQL(statement).format(sql.Identifier(table))
    with connection.transaction(force_rollback=True):
        return connection.execute(composed).rowcount
