"""The Postgres that Camillo brings along and runs itself when the operator configures none."""

from camillo_server.storage.embedded.errors import (
    DataDirectoryInUse,
    DataDirectoryNotWritable,
    DataDirectoryVersionMismatch,
    EmbeddedPostgresError,
    PostgresStartFailed,
)
from camillo_server.storage.embedded.server import EmbeddedPostgres

__all__ = [
    "DataDirectoryInUse",
    "DataDirectoryNotWritable",
    "DataDirectoryVersionMismatch",
    "EmbeddedPostgres",
    "EmbeddedPostgresError",
    "PostgresStartFailed",
]
