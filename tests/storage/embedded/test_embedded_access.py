"""Who may reach the embedded Postgres, as whom, and what its log may tell."""

import os
import pwd
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest
from camillo_server.storage.embedded import account
from camillo_server.storage.embedded.account import account_for, binaries_for
from camillo_server.storage.embedded.server import EmbeddedPostgres
from psycopg import errors

from tests.postgres_fixtures import TestDatabase
from tests.storage.embedded.embedded_child import eventually


@pytest.fixture
def open_door(embedded_postgres: EmbeddedPostgres) -> Iterator[None]:
    """Lets every user reach the socket, so that only authentication keeps them out."""
    socket = socket_of(embedded_postgres)
    socket.parent.chmod(0o711)
    socket.chmod(0o777)
    yield
    socket.chmod(0o700)
    socket.parent.chmod(0o700)


def socket_of(postgres: EmbeddedPostgres) -> Path:
    (directory,) = parse_qs(urlsplit(postgres.server_url).query)["host"]
    return Path(directory) / ".s.PGSQL.5432"


def log_in(url: str, user: str | None = None) -> subprocess.CompletedProcess[str]:
    """Runs psql, as another user of the operating system if given."""
    options = {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []} if user else {}
    psql = binaries_for(account_for(Path("/nonexistent"))) / "psql"
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        [psql, "-X", "-c", "select 1", url], capture_output=True, text=True, cwd="/", **options
    )


as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as another user")


@as_root
@pytest.mark.usefixtures("open_door")
def test_another_user_is_turned_away_by_authentication(embedded_postgres: EmbeddedPostgres) -> None:
    for url in (embedded_postgres.superuser_url, embedded_postgres.owner_url, embedded_postgres.server_url):
        assert log_in(url).returncode == 0
        assert "Peer authentication failed" in log_in(url, user="nobody").stderr


@as_root
def test_another_user_does_not_even_reach_the_socket(embedded_postgres: EmbeddedPostgres) -> None:
    assert log_in(embedded_postgres.server_url).returncode == 0
    assert "Permission denied" in log_in(embedded_postgres.server_url, user="nobody").stderr


def test_what_it_keeps_is_private(embedded_postgres: EmbeddedPostgres) -> None:
    directory = embedded_postgres.log_path.parent
    for path in (
        directory / "postgres",
        directory / "lock",
        directory / "postgres.log",
        socket_of(embedded_postgres),
        socket_of(embedded_postgres).parent,
    ):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path
    assert stat.S_IMODE(directory.stat().st_mode) & 0o066 == 0


def test_it_does_not_listen_on_the_network(embedded_postgres: EmbeddedPostgres) -> None:
    with psycopg.connect(embedded_postgres.superuser_url) as connection:
        assert connection.execute("show listen_addresses").fetchone() == ("",)


def test_neither_role_is_above_row_level_security(embedded_postgres: EmbeddedPostgres) -> None:
    with psycopg.connect(embedded_postgres.superuser_url) as connection:
        above = connection.execute(
            "select rolname, rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication"
            " from pg_roles where rolname in ('camillo_owner', 'camillo_server', 'postgres')"
        ).fetchall()
    assert dict(above) == {"camillo_owner": False, "camillo_server": False, "postgres": True}


def test_the_serving_role_sees_only_what_a_policy_shows(database: TestDatabase) -> None:
    with psycopg.connect(database.owner_url, autocommit=True) as owner:
        owner.execute("create table public.guarded as select 42 as answer")
        owner.execute("grant select on public.guarded to camillo_server")
        with psycopg.connect(database.server_url, autocommit=True) as server:
            assert server.execute("select answer from guarded").fetchall() == [(42,)]
            owner.execute("alter table public.guarded enable row level security")
            assert server.execute("select answer from guarded").fetchall() == []
            with pytest.raises(errors.InsufficientPrivilege):
                server.execute("alter table guarded disable row level security")


def test_the_serving_role_may_create_nothing_that_lasts(database: TestDatabase) -> None:
    with psycopg.connect(database.server_url, autocommit=True) as server:
        for statement in ("create schema mine", "create table public.mine (answer int)"):
            with pytest.raises(errors.InsufficientPrivilege):
                server.execute(statement)
        server.execute("create temporary table mine (answer int)")  # imports stage their rows in one
    with psycopg.connect(database.owner_url) as owner:
        owner.execute("create schema mine")


def test_a_role_that_was_given_too_much_loses_it_at_the_next_start(data_directory: Path) -> None:
    postgres = EmbeddedPostgres(data_directory, durable=False)
    with postgres, psycopg.connect(postgres.superuser_url) as superuser:
        superuser.execute("alter role camillo_server superuser bypassrls")
    with postgres, psycopg.connect(postgres.server_url) as server:
        found = server.execute("select rolsuper, rolbypassrls from pg_roles where rolname = current_user")
        assert found.fetchone() == (False, False)


def test_the_log_tells_of_the_server_and_never_of_contents(database: TestDatabase) -> None:
    log = socket_log(database)
    confided = "what-a-user-confided"
    with psycopg.connect(database.superuser_url, autocommit=True) as connection:
        connection.execute("create table public.once (text text primary key, number int check (number > 0))")
        connection.execute("insert into public.once values (%s, 1)", [confided])
        for statement, parameters in (
            ("insert into public.once values (%s, 1)", [confided]),
            ("insert into public.once values (%s || 'x', -1)", [confided]),
            ("select %s::uuid", [confided]),
            (f"select '{confided}' from missing", []),
        ):
            with pytest.raises(psycopg.Error):
                connection.execute(statement.encode(), parameters)
        connection.execute(f"do $$ begin raise warning '{confided}'; end $$".encode())
        connection.execute("do $$ begin raise log 'the control'; end $$")
    assert "the control" in log.read_text()
    assert confided not in log.read_text()


def test_the_log_of_a_crash_does_not_quote_the_statement(data_directory: Path) -> None:
    confided = "what-a-user-confided"
    with EmbeddedPostgres(data_directory, durable=False) as postgres:
        with psycopg.connect(postgres.server_url) as victim:
            pid = victim.info.backend_pid
            statement = threading.Thread(target=fail_at, args=(victim, f"select '{confided}', pg_sleep(60)"))
            statement.start()
            with psycopg.connect(postgres.superuser_url, autocommit=True) as observer:
                running = "select 1 from pg_stat_activity where pid = %s and state = 'active'"
                assert eventually(lambda: observer.execute(running, [pid]).fetchone() is not None)
            os.kill(pid, signal.SIGKILL)
            statement.join()
        # Until it has recovered: a stop in the midst of that takes all of its time-out.
        assert eventually(lambda: postgres.log_path.read_text().count("ready to accept") == 2)
        assert "terminated by signal 9" in postgres.log_path.read_text()
        assert confided not in postgres.log_path.read_text()


def fail_at(connection: psycopg.Connection, statement: str) -> None:
    with suppress(psycopg.OperationalError):
        connection.execute(statement.encode())


def socket_log(database: TestDatabase) -> Path:
    (directory,) = parse_qs(urlsplit(database.server_url).query)["host"]
    return Path(directory).parent / "postgres.log"


@pytest.mark.skipif(os.geteuid() != 0, reason="Postgres runs as another user only for root")
def test_root_is_told_once_which_user_owns_what(
    data_directory: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    name = f"camillo-own-{os.getpid()}"
    monkeypatch.setattr(account, "ACCOUNT_FOR_ROOT", name)
    try:
        for starts in (1, 2):
            with EmbeddedPostgres(data_directory, durable=False) as postgres:
                [sockets] = parse_qs(urlsplit(postgres.server_url).query)["host"]
                owned = (data_directory / "postgres", Path(sockets))
                assert {path.owner() for path in owned} == {name}, starts
            told = [each.message for each in caplog.records if "refuses to run as root" in each.message]
            assert told == [
                f"Postgres refuses to run as root: the system user {name}, which was created for this, "
                f"runs it and owns {owned[0]} and {owned[1]}"
            ]
    finally:
        subprocess.run(["userdel", name], check=True)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes users")
def test_processes_that_start_at_once_on_a_new_machine_share_one_user() -> None:
    name = f"camillo-test-{os.getpid()}"
    program = (
        "from camillo_server.storage.embedded import account;"
        f"account.ACCOUNT_FOR_ROOT = '{name}';"
        "print(account._account_for_root().pw_name)"
    )
    command = [sys.executable, "-c", program]
    try:
        starts = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
        assert [start.communicate()[0].strip() for start in starts] == [name] * 4
    finally:
        subprocess.run(["userdel", name], check=True)
