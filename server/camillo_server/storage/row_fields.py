"""The fields of a row: one table, from which lists of columns in statements, in staging and in the index are derived.

A new field is a line here, a field of `Row` (rows/row.py) and of its message, and a migration that adds its column to
`memories` and `memory_history`.
"""

from collections.abc import Iterable
from enum import Enum, auto
from typing import NamedTuple


class RowTable(Enum):
    """The table that holds a field."""

    # Part of the primary key of every table below.
    KEY = auto()
    # `memories`, and `memory_history` for the versions before.
    VERSION = auto()
    # `memory_access`.
    ACCESS = auto()
    # `memories` alone: derived from the fields of a version.
    DERIVED = auto()
    # `memory_vectors`.
    VECTOR = auto()


class RowField(NamedTuple):
    """A field: its column has the same name, in this table and of this type."""

    name: str
    type: str
    table: RowTable = RowTable.VERSION
    # The value of a row without one, as SQL; in `access_columns` and in the index.
    default: str = ""
    # The type of its column in the index in memory (numpy), if it has one of its own.
    indexed_as: str = ""
    # Chunks have it; the column of others has a default.
    in_chunks: bool = True

    @property
    def is_array(self) -> bool:
        return self.type.endswith("[]")

    @property
    def sent_as(self) -> str:
        """The type of an item of an array parameter: Postgres has no arrays of arrays of different lengths."""
        return "text" if self.is_array or self.type == "tsvector" else self.type

    @property
    def cast(self) -> str:
        """The cast of a value that is sent as another type."""
        return "" if self.sent_as == self.type else f"::{self.type}"


# The fields of `Row` come first, in its order.
FIELDS = (
    RowField("memory_id", "uuid", RowTable.KEY),
    RowField("agent_id", "text", RowTable.KEY),
    RowField("content", "text"),
    RowField("kind", "smallint", indexed_as="i2"),
    RowField("session_id", "text"),
    RowField("occurred_at", "timestamptz", indexed_as="i8"),
    RowField("tags", "text[]"),
    RowField("sensitivity", "smallint", indexed_as="i2"),
    RowField("importance", "real", indexed_as="f4"),
    RowField("metadata", "jsonb"),
    RowField("expires_at", "timestamptz", default="'infinity'", indexed_as="i8"),
    RowField("pinned", "boolean", indexed_as="u1"),
    RowField("archived", "boolean", indexed_as="u1"),
    RowField("version", "bigint", indexed_as="i8"),
    RowField("source_refs", "text[]"),
    RowField("created_at", "timestamptz", indexed_as="i8"),
    RowField("updated_at", "timestamptz", indexed_as="i8"),
    RowField("vector_model_id", "text"),
    RowField("trust_level", "smallint", indexed_as="i2"),
    RowField("actor", "text"),
    RowField("credential", "text"),
    RowField("valid_from", "timestamptz", default="'-infinity'", indexed_as="i8", in_chunks=False),
    RowField("valid_until", "timestamptz", default="'infinity'", indexed_as="i8", in_chunks=False),
    RowField("supersedes", "uuid[]", in_chunks=False),
    RowField("superseded_by", "uuid", in_chunks=False),
    RowField("accessed_at", "timestamptz", RowTable.ACCESS, "'-infinity'", "i8"),
    RowField("access_count", "bigint", RowTable.ACCESS, "0", "i8"),
    RowField("stated_count", "bigint", RowTable.ACCESS, "1", "i8"),
    RowField("term_count", "integer", RowTable.DERIVED),
    RowField("terms", "tsvector", RowTable.DERIVED),
    RowField("term_codes", "bytea", RowTable.DERIVED),
    RowField("key_id", "text", RowTable.DERIVED),
    RowField("sealed", "bytea", RowTable.DERIVED),
    RowField("cited_refs", "text[]", RowTable.DERIVED, in_chunks=False),
    RowField("fingerprint", "bytea", RowTable.DERIVED, in_chunks=False),
    RowField("embedding", "vector", RowTable.VECTOR),
    RowField("vector_key_id", "text", RowTable.VECTOR),
    RowField("sealed_vector", "bytea", RowTable.VECTOR),
)


def field_named(name: str) -> RowField:
    return next(field for field in FIELDS if field.name == name)


def fields_of(*tables: RowTable) -> list[RowField]:
    """The fields of these tables, in their order."""
    return [field for field in FIELDS if field.table in tables]


STORED = fields_of(RowTable.KEY, RowTable.VERSION)
VERSION = fields_of(RowTable.VERSION)
ACCESS = fields_of(RowTable.ACCESS)
# The columns of an insert into `memories`, beside its key.
INSERTED = fields_of(RowTable.VERSION, RowTable.DERIVED)
IN_CHUNKS = [field for field in INSERTED if field.in_chunks]
STAGED = [field for field in FIELDS if field.name != "agent_id"]
GROUPED = [*fields_of(RowTable.KEY), *INSERTED, *fields_of(RowTable.VECTOR)]
# A statement reads STORED and ACCESS, then the key and the bytes of an encrypted row.
COLUMNS = ", ".join(field.name for field in STORED)
ACCESS_COLUMNS = slice(len(STORED), len(STORED) + len(ACCESS))
ENCRYPTED_COLUMNS = slice(ACCESS_COLUMNS.stop, ACCESS_COLUMNS.stop + 2)


def _listed(items: Iterable[str]) -> str:
    # Without spaces: the driver keeps what it made of a statement of up to 4,096 characters, and `remember_group` has
    # most of them.
    return ",".join(items)


def _names(fields: Iterable[RowField]) -> str:
    return _listed(field.name for field in fields)


def _indexed(field: RowField) -> str:
    """The value of an indexed field."""
    column = f"{'a' if field.table is RowTable.ACCESS else 'm'}.{field.name}"
    return f"coalesce({column}, {field.default})" if field.default else column


def _read(field: RowField) -> str:
    """The value of a field of `memory_access`, which has no row for most memories; a time that is missing is null."""
    return f"a.{field.name}" if field.type == "timestamptz" else f"coalesce(a.{field.name}, {field.default})"


def _unread(field: RowField) -> str:
    return f"{'null' if field.type == 'timestamptz' else field.default}::{field.type}"


# The columns of the index in memory that are fields, with their types.
INDEXED = {field.name: field.indexed_as for field in FIELDS if field.indexed_as}

# The fragments of statements that are derived (storage/statements.py).
FRAGMENTS = {
    "memory_columns": _listed(f"m.{field.name}" for field in STORED),
    "access_columns": _listed(map(_read, ACCESS)),
    "no_access_columns": _listed(map(_unread, ACCESS)),
    "encrypted_columns": "m.key_id, m.sealed",
    # The columns of a tombstone, behind its id and its agent.
    "no_columns": _listed(["null"] * (ENCRYPTED_COLUMNS.stop - 2)),
    "version_columns": _names(VERSION),
    "inserted_columns": _names(INSERTED),
    "inserted_values": _listed(f"%({field.name})s{field.cast}" for field in INSERTED),
    "inserted_casts": _listed(f"{field.name}{field.cast}" for field in INSERTED),
    "grouped_columns": _names(GROUPED),
    "grouped_arrays": _listed(f"%({field.name})b::{field.sent_as}[]" for field in GROUPED),
    "changed_columns": _listed(f"{field.name} = %({field.name})s{field.cast}" for field in INSERTED),
    "staged_columns": _listed(f"{field.name} {'text' if field.type == 'tsvector' else field.type}" for field in STAGED),
    "staged_casts": _listed(
        f"{field.name}::tsvector" if field.type == "tsvector" else field.name for field in INSERTED
    ),
    "chunk_columns": _names(IN_CHUNKS),
    "chunk_types": _listed(f"{field.name} {field.type}" for field in [FIELDS[0], *IN_CHUNKS]),
    "indexed_columns": _listed(_indexed(field) for field in FIELDS if field.indexed_as),
    "indexed_access": _listed(map(_indexed, ACCESS)),
}
