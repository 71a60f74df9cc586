"""Damage that Postgres tells of: pages that do not match their checksums, files and libraries that are gone."""

import logging
from collections import Counter

import psycopg
from psycopg import errors as pg

from camillo_server.kernel.errors import DomainError

# Errors that do not pass by themselves, and do not say that Postgres is away: a connection that told of one is sound.
# The library of pgvector that cannot be loaded is an UndefinedFile, or an UndefinedFunction where it is another one.
DAMAGE = (
    pg.DataCorrupted,
    pg.IndexCorrupted,
    pg.InternalError_,
    pg.UndefinedFile,
    pg.UndefinedFunction,
)
# Errors for which Postgres' message names a file or a relation, and never a value.
NAMES_A_FILE = (pg.DataCorrupted, pg.IndexCorrupted, pg.UndefinedFile)
DAMAGED, FULL = "damaged", "full"

logger = logging.getLogger(__name__)


class StorageDamaged(DomainError):
    """Postgres found its own files damaged, or a part of it missing. The server's log and `camillo doctor` say more."""

    code, reason = "INTERNAL", "INTERNAL"
    message = "the database is damaged, or lacks a part, where this call reads or writes; an operator has to repair it"


def note_fault(faults: Counter[str], error: Exception) -> None:
    """Counts and logs the error, if it tells of damage or of a full disk."""
    if isinstance(error, pg.DiskFull):
        faults[FULL] += 1
    elif isinstance(error, DAMAGE):
        faults[DAMAGED] += 1
        _log(error)


def _log(error: psycopg.Error) -> None:
    details = {"sqlstate": error.sqlstate}
    if isinstance(error, NAMES_A_FILE):
        details["cause"] = error.diag.message_primary
    logger.error("postgres is damaged, or lacks a part: run camillo doctor --deep", extra=details)
