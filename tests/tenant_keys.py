"""Tenants and keys, put into a database before any server asks for them."""

from dataclasses import dataclass
from datetime import datetime

import psycopg
from camillo_server.doors.identity.key_cache import digest, new_secret
from camillo_server.kernel.scope import Role

from tests.postgres_fixtures import TestDatabase

Owner = tuple[str, str | None, Role]


@dataclass(frozen=True, slots=True)
class Keys:
    """Secrets of a tenant and of its rival, whose names are `acme` and `rival` but where tests share a server."""

    root: str
    admin: str
    alice: str
    reader: str
    rival: str
    tenant_id: str = "acme"
    rival_id: str = "rival"


def create_tenant(database: TestDatabase, tenant_id: str, now: datetime) -> None:
    """A tenant, there before any server is."""
    with psycopg.connect(database.superuser_url) as connection:
        insert_tenants(connection, [tenant_id], now)


def create_key(database: TestDatabase, tenant_id: str, agent_id: str | None, role: Role, now: datetime) -> str:
    """The secret of a new key."""
    with psycopg.connect(database.superuser_url) as connection:
        return insert_keys(connection, [(tenant_id, agent_id, role)], now)[0]


def create_keys(database: TestDatabase, now: datetime) -> Keys:
    """The tenants `acme` and `rival` with their keys."""
    with psycopg.connect(database.superuser_url) as connection:
        return insert_tenants_with_keys(connection, "acme", "rival", now)


def insert_tenants_with_keys(connection: psycopg.Connection, tenant_id: str, rival_id: str, now: datetime) -> Keys:
    """The keys of a tenant and of its rival."""
    insert_tenants(connection, [tenant_id, rival_id], now)
    owners: list[Owner] = [
        (tenant_id, None, Role.ROOT),
        (tenant_id, None, Role.TENANT_ADMIN),
        (tenant_id, "alice", Role.WRITER),
        (tenant_id, "alice", Role.READER),
        (rival_id, None, Role.WRITER),
    ]
    root, admin, alice, reader, rival = insert_keys(connection, owners, now)
    return Keys(root, admin, alice, reader, rival, tenant_id, rival_id)


def insert_tenants(connection: psycopg.Connection, tenant_ids: list[str], now: datetime) -> None:
    """Adds the tenants that are not there yet."""
    connection.execute(
        "insert into camillo.tenants (tenant_id, display_name, created_at)"
        " select unnest(%s::text[]), '', %s on conflict do nothing",
        (tenant_ids, now),
    )


def insert_keys(connection: psycopg.Connection, owners: list[Owner], now: datetime) -> list[str]:
    """The secrets of new keys, one for each owner."""
    secrets = [signed_secret(connection) for _ in owners]
    tenant_ids, agent_ids, roles = map(list, zip(*owners, strict=True))
    connection.execute(
        "insert into camillo.api_keys"
        " (tenant_id, key_id, agent_id, secret_digest, role, description, created_at)"
        " select tenant_id, gen_random_uuid()::text, agent_id, secret_digest, role, '', %s"
        " from unnest(%s::text[], %s::text[], %s::bytea[], %s::smallint[])"
        " as owner (tenant_id, agent_id, secret_digest, role)",
        (now, tenant_ids, agent_ids, [digest(each) for each in secrets], [int(each) for each in roles]),
    )
    return secrets


def signed_secret(connection: psycopg.Connection) -> str:
    """A secret as the servers on this database sign it."""
    row = connection.execute("select secret from camillo.key_secrets").fetchone()
    assert row is not None
    return new_secret(row[0])
