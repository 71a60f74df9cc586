"""The table of fields of a row agrees with the row and with the tables of the database."""

import re

import psycopg
from camillo_server.rows.row import Row
from camillo_server.rows.store.rows import FIELD_NAMES
from camillo_server.rows.store.writer import REMEMBER, SQL
from camillo_server.storage.row_fields import ACCESS, FIELDS, STORED, RowTable, fields_of
from psycopg._queries import MAX_CACHED_STATEMENT_LENGTH, MAX_CACHED_STATEMENT_PARAMS

from tests.postgres_fixtures import TestDatabase

COLUMNS = """
select attname, format_type(atttypid, null) from pg_attribute
where attrelid = %s::regclass and attnum > 0 and not attisdropped
"""
# As the table of fields calls them.
TYPES = {"timestamp with time zone": "timestamptz"}
# Columns of every version that no field has.
BESIDE = {"tenant_id": "text", "key_id": "text", "sealed": "bytea"}


def types_of(database: TestDatabase, table: str) -> dict[str, str | None]:
    with psycopg.connect(database.superuser_url) as superuser:
        columns = superuser.execute(COLUMNS, (f"camillo.{table}",)).fetchall()
    return {name: TYPES.get(type_, type_) for name, type_ in columns}


def expected(*tables: RowTable) -> dict[str, str | None]:
    return {field.name: field.type for field in fields_of(*tables)}


def test_the_fields_of_a_row_come_first_and_in_its_order() -> None:
    names = [field.name for field in (*STORED, *ACCESS)]
    assert names == [field.name for field in FIELDS[: len(names)]]
    assert tuple(names) == Row._fields[: len(names)]


def test_every_field_has_a_column_of_its_type_and_every_column_a_field(database: TestDatabase) -> None:
    own = expected(RowTable.KEY, RowTable.VERSION)
    derived = expected(RowTable.DERIVED)
    assert types_of(database, "memories") == {**BESIDE, **own, **derived, "revision": "bigint"}
    assert types_of(database, "memory_history") == {**BESIDE, **own, "replaced_at": "timestamptz"}
    key_and_access = expected(RowTable.KEY, RowTable.ACCESS)
    assert types_of(database, "memory_access") == {"tenant_id": "text", **key_and_access}


def test_the_driver_keeps_what_it_makes_of_the_statements_of_a_write() -> None:
    for statement in (REMEMBER, SQL["remember_group"]):
        names = {*re.findall(r"%\((\w+)\)", statement)}
        assert {"content", "fingerprint", "tenant_id"} < names
        if statement == REMEMBER:
            names |= {*FIELD_NAMES}
        assert len(names) <= MAX_CACHED_STATEMENT_PARAMS
        assert len(statement.encode()) <= MAX_CACHED_STATEMENT_LENGTH
