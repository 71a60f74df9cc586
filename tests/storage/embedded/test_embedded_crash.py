"""Real signals: whatever is killed, what was committed is there at the next start, and nothing stays behind."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest
from camillo_server.storage.embedded.account import PostgresStartFailed, account_for
from camillo_server.storage.embedded.server import EmbeddedPostgres

from tests.patience import PATIENCE_SECONDS
from tests.storage.embedded.embedded_child import Child, child_with_postgres, eventually, is_running, postmaster_pid

only_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a death signal")


def commit(child: Child) -> None:
    with psycopg.connect(child.superuser_url) as connection:
        connection.execute("create table kept as select 42 as answer")


def committed(postgres: EmbeddedPostgres) -> object:
    with psycopg.connect(postgres.superuser_url) as connection:
        row = connection.execute("select answer from kept").fetchone()
    return row and row[0]


@only_linux
def test_postgres_goes_when_its_owner_is_killed(data_directory: Path) -> None:
    with child_with_postgres(data_directory, durable=True) as child:
        commit(child)
        pid = postmaster_pid(data_directory)
        assert is_running(pid)
        child.process.kill()
        assert eventually(lambda: not is_running(pid), within_seconds=10)
    with EmbeddedPostgres(data_directory) as postgres:
        assert committed(postgres) == 42


@pytest.fixture
def frozen_leftover(data_directory: Path) -> Iterator[int]:
    """The pid of a postmaster whose owner was killed, and that cannot go before it gets SIGCONT."""
    with child_with_postgres(data_directory, durable=True) as child:
        commit(child)
        pid = postmaster_pid(data_directory)
        os.kill(pid, signal.SIGSTOP)
        child.process.kill()
        child.process.wait()
        yield pid
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


def test_a_start_right_after_a_kill_waits_for_what_still_runs(data_directory: Path, frozen_leftover: int) -> None:
    postgres = EmbeddedPostgres(data_directory)
    start = threading.Thread(target=postgres.start)
    start.start()
    assert eventually(lambda: (data_directory / "lock").read_text() == f"{os.getpid()}\n")
    assert is_running(frozen_leftover)
    assert start.is_alive()
    os.kill(frozen_leftover, signal.SIGCONT)
    start.join(PATIENCE_SECONDS)
    assert committed(postgres) == 42
    assert not is_running(frozen_leftover)
    postgres.stop()


def test_what_never_goes_is_named_and_the_directory_given_back(data_directory: Path, frozen_leftover: int) -> None:
    with pytest.raises(PostgresStartFailed, match=f"still runs as process {frozen_leftover}"):
        EmbeddedPostgres(data_directory, stop_timeout_seconds=0.1).start()
    os.kill(frozen_leftover, signal.SIGCONT)
    with EmbeddedPostgres(data_directory) as postgres:
        assert committed(postgres) == 42


def test_a_start_recovers_after_everything_was_killed(data_directory: Path) -> None:
    with child_with_postgres(data_directory, durable=True) as child:
        commit(child)
        pid = postmaster_pid(data_directory)
        os.kill(pid, signal.SIGKILL)
        child.process.kill()
    with EmbeddedPostgres(data_directory) as postgres:
        assert committed(postgres) == 42
        assert "automatic recovery in progress" in postgres.log_path.read_text()


def test_a_stale_pid_that_now_belongs_to_another_process_is_no_obstacle(data_directory: Path) -> None:
    with EmbeddedPostgres(data_directory, durable=False):
        left_behind = (data_directory / "postgres" / "postmaster.pid").read_text()
    account = account_for(data_directory / "postgres")
    options = {"user": account.uid, "group": account.gid} if account.is_other else {}
    with subprocess.Popen(["sleep", "100"], **options) as bystander:  # type: ignore[call-overload]
        try:
            rest = left_behind.partition("\n")[2]
            (data_directory / "postgres" / "postmaster.pid").write_text(f"{bystander.pid}\n{rest}")
            with EmbeddedPostgres(data_directory, durable=False):
                assert bystander.poll() is None
        finally:
            bystander.kill()


def test_ctrl_c_reaches_the_owner_and_not_postgres(data_directory: Path) -> None:
    with child_with_postgres(data_directory) as child:
        os.killpg(child.process.pid, signal.SIGINT)
        assert child.next_line() == "interrupted"
        with psycopg.connect(child.server_url) as connection:
            assert connection.execute("select 1").fetchone() == (1,)
        assert os.getsid(postmaster_pid(data_directory)) != os.getsid(child.process.pid)
