"""The data directory: who may use it, what lies in it, and where the socket goes.

lock                 held by the one process that may use the directory; holds its pid
postgres/            the database cluster
postgres.log         the log of Postgres; postgres.log.1 is the one before
pg_hba.conf, pg_ident.conf   who may log in; outside the cluster, and written anew at each start
socket/              unless its path is too long for a socket
"""

import fcntl
import hashlib
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from camillo_server.kernel.system import sync_directory
from camillo_server.storage.embedded.account import (
    POSTGRES_VERSION,
    Account,
    DataDirectoryInUse,
    DataDirectoryNotWritable,
    DataDirectoryVersionMismatch,
    PostgresStartFailed,
    wait_until,
)

PORT = 5432  # only names the socket; nothing listens on the network
SOCKET_NAME = f".s.PGSQL.{PORT}"
LONGEST_SOCKET_PATH = 103  # macOS; Linux has 107
MAX_LOG_BYTES = 10 * 1024 * 1024
UNFINISHED = "postgres.new-"
PROBE_SECONDS = 0.1


def lock_data_directory(directory: Path) -> int:
    """Creates the directory if need be and locks it for this process; returns the descriptor to close at the end.

    The kernel releases the lock however the process ends. The lock file stays: if it were removed, two processes could
    lock two different files of that name. Raises DataDirectoryNotWritable, DataDirectoryInUse.
    """
    try:
        # As root, the user that runs Postgres has to pass through to its own part, and sees nothing else.
        mode = 0o711 if os.geteuid() == 0 else 0o700
        directory.mkdir(mode=mode, parents=True, exist_ok=True)
        descriptor = os.open(directory / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        # Whoever asks for its holder has it for a moment.
        if not wait_until(lambda: _can_lock(descriptor), PROBE_SECONDS):
            holder = os.read(descriptor, 32).strip()
            os.close(descriptor)
            raise DataDirectoryInUse(directory, int(holder) if holder.isdigit() else None)
        try:
            os.ftruncate(descriptor, 0)
            os.write(descriptor, f"{os.getpid()}\n".encode())
        except OSError:
            # Else this process would hold the lock against its own next try.
            os.close(descriptor)
            raise
    except OSError as error:
        raise DataDirectoryNotWritable(directory, error) from error
    return descriptor


def _can_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def identity_of(directory: Path) -> str:
    """A short name for this directory on this machine: the same at each start, unlike that of any other."""
    status = directory.stat()
    named = f"{directory}\0{status.st_dev}\0{status.st_ino}"
    return f"camillo-{hashlib.sha256(named.encode()).hexdigest()[:12]}"


def has_cluster(postgres_directory: Path) -> bool:
    """Whether a cluster of the right version is there. Raises DataDirectoryVersionMismatch if something else is."""
    if not postgres_directory.exists() or not any(postgres_directory.iterdir()):
        return False
    version_file = postgres_directory / "PG_VERSION"
    found = version_file.read_text().strip() if version_file.exists() else None
    if found != str(POSTGRES_VERSION):
        raise DataDirectoryVersionMismatch(postgres_directory, found, POSTGRES_VERSION)
    return True


def unfinished_cluster(directory: Path, account: Account) -> Path:
    """A new directory to create a cluster in; those that an interrupted start left behind are removed."""
    for left_over in directory.glob(f"{UNFINISHED}*"):
        shutil.rmtree(left_over, ignore_errors=True)
    created = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=directory))
    if account.is_other:
        os.chown(created, account.uid, account.gid)
    return created


def publish_cluster(unfinished: Path, postgres_directory: Path) -> None:
    """Gives a finished cluster its name: before this there is none, and after it a power cut does not matter."""
    unfinished.rename(postgres_directory)
    sync_directory(postgres_directory.parent)


def write_authentication(directory: Path, user: str, roles: tuple[str, ...]) -> dict[str, str]:
    """Lets `user` of the operating system, and no one else, log in as `roles`. Returns Postgres' settings for it."""
    quoted = '"' + user.replace('"', '""') + '"'
    hba = directory / "pg_hba.conf"
    ident = directory / "pg_ident.conf"
    hba.write_text(f"local all {','.join(roles)} peer map=camillo\n")
    ident.write_text("".join(f"camillo {quoted} {role}\n" for role in roles))
    for file in (hba, ident):
        file.chmod(0o644)  # read by the user that runs Postgres; nothing in them is secret
    return {"hba_file": str(hba), "ident_file": str(ident)}


def rotate_log(log_path: Path) -> None:
    """Keeps one older log once the current one has grown large."""
    if log_path.exists() and log_path.stat().st_size > MAX_LOG_BYTES:
        log_path.replace(log_path.with_name(f"{log_path.name}.1"))


def socket_directory(directory: Path, identity: str, account: Account) -> Path:
    """A private directory whose path is short enough for a socket, in the data directory if that is."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    candidates = [directory / "socket"]
    if runtime and not account.is_other:  # root's runtime directory is closed to the user that runs Postgres
        candidates.append(Path(runtime) / identity)
    candidates += [Path(tempfile.gettempdir()) / identity, Path("/tmp") / identity]  # noqa: S108 (checked below)
    return _private(next(filter(_can_hold_socket, candidates)), account)


def _can_hold_socket(directory: Path) -> bool:
    # libpq reads a comma in a host as the start of a second host.
    path = os.fsencode(directory / SOCKET_NAME)
    return len(path) <= LONGEST_SOCKET_PATH and b"," not in path and directory.parent.is_dir()


def _private(directory: Path, account: Account) -> Path:
    """Creates or checks it: in /tmp anyone could have created one of that name, to answer instead of Postgres."""
    directory.mkdir(mode=0o700, exist_ok=True)
    found = directory.lstat()
    is_ours = stat.S_ISDIR(found.st_mode) and found.st_uid in (account.uid, os.geteuid())
    if not is_ours or stat.S_IMODE(found.st_mode) & 0o077:
        raise PostgresStartFailed(f"{directory} is not private to this user", "remove it")
    if account.is_other:
        os.chown(directory, account.uid, account.gid, follow_symlinks=False)
    return directory


def clear_leftovers(postgres_directory: Path, identity: str, timeout_seconds: float) -> None:
    """Waits until nothing of an earlier postmaster runs, helping it to stop, and removes its pid file.

    Only safe under the lock of the data directory. The pid file must go because Postgres takes any live
    process with that pid for a postmaster, and in a container each start hands out the same few pids. It
    may go because nothing runs: otherwise it would still guard against backends without a postmaster.
    """
    pid_file = postgres_directory / "postmaster.pid"
    if not pid_file.exists():
        return
    _stop_postmaster(pid_file, identity)
    if not _all_gone(identity, timeout_seconds):
        for pid in _processes_of(identity):
            _signal(pid, signal.SIGQUIT)
        if not _all_gone(identity, timeout_seconds):
            pids = ", ".join(map(str, _processes_of(identity)))
            raise PostgresStartFailed(f"an earlier Postgres still runs as process {pids}", "end it")
    pid_file.unlink(missing_ok=True)


def _stop_postmaster(pid_file: Path, identity: str) -> None:
    recorded = pid_file.read_text().partition("\n")[0]
    for pid in _processes_of(identity):
        if str(pid) == recorded:
            _signal(pid, signal.SIGINT)


def _all_gone(identity: str, timeout_seconds: float) -> bool:
    return wait_until(lambda: not _processes_of(identity), timeout_seconds)


def _processes_of(identity: str) -> list[int]:
    """Postmaster and backends of one cluster: all carry its `cluster_name` in their command line."""
    lines = _command_lines_linux() if sys.platform == "linux" else _command_lines()
    # Up to the first NUL is the program or, in a backend, the title that it gave itself.
    return [pid for pid, command in lines if "postgres" in command.partition("\0")[0] and identity in command]


def _command_lines_linux() -> Iterator[tuple[int, str]]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(FileNotFoundError, ProcessLookupError, PermissionError):
                yield int(entry.name), (entry / "cmdline").read_bytes().decode(errors="replace")


def _command_lines() -> Iterator[tuple[int, str]]:
    listing = subprocess.run(["/bin/ps", "-axo", "pid=,command="], capture_output=True, text=True, check=True)
    for line in listing.stdout.splitlines():
        pid, _, command = line.strip().partition(" ")
        yield int(pid), command


def _signal(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)
