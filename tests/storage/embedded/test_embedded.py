"""The embedded Postgres from an empty directory to a clean stop, and what stands in the way of a start."""

import os
import tempfile
import threading
from pathlib import Path

import psycopg
import pytest
from camillo_server.storage.embedded.account import (
    Account,
    DataDirectoryInUse,
    DataDirectoryNotWritable,
    DataDirectoryVersionMismatch,
    PostgresStartFailed,
    account_for,
)
from camillo_server.storage.embedded.directory import MAX_LOG_BYTES, socket_directory
from camillo_server.storage.embedded.process import Cluster, create_cluster
from camillo_server.storage.embedded.server import EmbeddedPostgres

from tests.storage.embedded.embedded_child import child_with_postgres, eventually, is_running, postmaster_pid, spawned

STOP_REQUEST = "received fast shutdown request"


def value(url: str, query: str) -> object:
    with psycopg.connect(url) as connection:
        row = connection.execute(query.encode()).fetchone()
    return None if row is None else row[0]


def remember(postgres: EmbeddedPostgres) -> None:
    with psycopg.connect(postgres.owner_url) as connection:
        connection.execute("create table kept (answer int)")
        connection.execute("insert into kept values (42)")


def test_it_starts_from_nothing_with_vectors(data_directory: Path) -> None:
    with EmbeddedPostgres(data_directory, durable=False) as postgres:
        assert value(postgres.server_url, "select '[3,4]'::vector <-> '[0,0]'") == 5
        assert value(postgres.server_url, "select current_user::text") == "camillo_server"
        assert value(postgres.owner_url, "select current_user::text") == "camillo_owner"


def test_data_survives_a_stop_and_a_start(data_directory: Path) -> None:
    postgres = EmbeddedPostgres(data_directory, durable=False)
    with postgres:
        remember(postgres)
        pid = postmaster_pid(data_directory)
    assert not is_running(pid)
    with postgres:
        assert value(postgres.owner_url, "select answer from kept") == 42


def test_stopping_and_starting_twice_is_harmless(data_directory: Path) -> None:
    postgres = EmbeddedPostgres(data_directory, durable=False)
    postgres.stop()
    postgres.start()
    postgres.start()
    assert value(postgres.server_url, "select 1") == 1
    postgres.stop()
    postgres.stop()


def test_by_default_what_is_acknowledged_is_on_disk(data_directory: Path) -> None:
    with EmbeddedPostgres(data_directory) as postgres:
        for setting in ("fsync", "synchronous_commit", "full_page_writes", "data_checksums"):
            assert value(postgres.server_url, f"show {setting}") == "on", setting


def test_text_sorts_and_folds_alike_on_every_machine(embedded_postgres: EmbeddedPostgres) -> None:
    found = "select encoding || datlocprovider::text || datlocale || datcollate from pg_database"
    assert value(embedded_postgres.server_url, f"{found} where datname = 'camillo'") == "6bC.UTF-8C"
    assert value(embedded_postgres.server_url, "select lower('ÀÉ')") == "àé"


def test_a_long_path_or_one_with_a_comma_gets_its_socket_elsewhere(data_directory: Path) -> None:
    for name in ("long" * 30, "a,comma and 100% space"):
        with EmbeddedPostgres(data_directory / name, durable=False) as postgres:
            sockets = value(postgres.superuser_url, "show unix_socket_directories")
            assert str(data_directory) not in str(sockets)
            assert value(postgres.server_url, "select 1") == 1


def test_a_socket_directory_that_others_can_use_is_refused(
    data_directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(data_directory))
    data_directory.mkdir()
    account = account_for(data_directory / "postgres")
    too_long = data_directory / ("long" * 30)
    assert socket_directory(too_long, "camillo-mine", account) == data_directory / "camillo-mine"
    (data_directory / "camillo-trap").mkdir()
    (data_directory / "camillo-trap").chmod(0o777)
    with pytest.raises(PostgresStartFailed, match="camillo-trap is not private"):
        socket_directory(too_long, "camillo-trap", account)


def test_it_outlives_the_thread_that_started_it(data_directory: Path) -> None:
    postgres = EmbeddedPostgres(data_directory, durable=False)
    thread = threading.Thread(target=postgres.start)
    thread.start()
    thread.join()
    assert value(postgres.server_url, "select 1") == 1
    assert STOP_REQUEST not in postgres.log_path.read_text()
    postgres.stop()
    assert postgres.log_path.read_text().count(STOP_REQUEST) == 1


def test_a_second_process_is_told_who_has_the_directory(data_directory: Path) -> None:
    with child_with_postgres(data_directory) as child:
        with pytest.raises(DataDirectoryInUse, match=f"process {child.process.pid}") as refused:
            EmbeddedPostgres(data_directory, durable=False).start()
        assert refused.value.holder == child.process.pid
        assert value(child.server_url, "select 1") == 1


def test_a_directory_that_cannot_be_written_is_named(data_directory: Path) -> None:
    data_directory.write_text("a file stands where the parent directory should be")
    with pytest.raises(DataDirectoryNotWritable, match=r"Not a directory.*choose another"):
        EmbeddedPostgres(data_directory / "below").start()


@pytest.mark.parametrize(("version", "found"), [("19\n", "Postgres 19"), (None, "no Postgres data")])
def test_data_of_another_version_is_left_alone(data_directory: Path, version: str | None, found: str) -> None:
    cluster = data_directory / "postgres"
    cluster.mkdir(parents=True)
    (cluster / "someone's").write_text("work")
    if version is not None:
        (cluster / "PG_VERSION").write_text(version)
    with pytest.raises(DataDirectoryVersionMismatch, match=found):
        EmbeddedPostgres(data_directory).start()
    assert (cluster / "someone's").read_text() == "work"


def test_a_creation_that_was_killed_halfway_is_begun_again(data_directory: Path) -> None:
    with spawned(data_directory) as process:
        assert eventually(lambda: any(data_directory.glob("postgres.new-*/PG_VERSION")))
        process.kill()
    assert not (data_directory / "postgres").exists()
    (data_directory / "postgres.new-earlier").mkdir()
    with EmbeddedPostgres(data_directory, durable=False) as postgres:
        assert value(postgres.server_url, "select 1") == 1
    assert not (data_directory / "postgres.new-earlier").exists()


def test_a_start_interrupted_between_its_steps_is_completed(data_directory: Path) -> None:
    postgres = EmbeddedPostgres(data_directory, durable=False)
    with postgres, psycopg.connect(postgres.superuser_url, autocommit=True) as superuser:
        superuser.execute("drop database camillo")
        superuser.execute("drop role camillo_server")
    with postgres:
        assert value(postgres.server_url, "select '[1]'::vector::text") == "[1]"


def test_the_reason_of_a_failed_start_is_what_postgres_said_last(data_directory: Path) -> None:
    with pytest.raises(PostgresStartFailed, match=r"FATAL: .*max_connections.*see .*postgres\.log"):
        EmbeddedPostgres(data_directory, durable=False, max_connections=-1).start()
    with EmbeddedPostgres(data_directory, durable=False) as postgres:
        assert value(postgres.server_url, "select 1") == 1


def test_a_start_that_takes_too_long_leaves_nothing_running(data_directory: Path) -> None:
    with pytest.raises(PostgresStartFailed, match="not ready after 0 s"):
        EmbeddedPostgres(data_directory, durable=False, start_timeout_seconds=0).start()
    assert not (data_directory / "postgres" / "postmaster.pid").exists()


def test_a_log_that_has_grown_large_is_put_aside_at_start(data_directory: Path) -> None:
    data_directory.mkdir()
    postgres = EmbeddedPostgres(data_directory, durable=False)
    postgres.log_path.write_bytes(b"x" * (MAX_LOG_BYTES + 1))
    with postgres:
        assert 0 < postgres.log_path.stat().st_size < MAX_LOG_BYTES
    assert (data_directory / "postgres.log.1").stat().st_size > MAX_LOG_BYTES


def test_an_initdb_that_never_ends_is_given_up(data_directory: Path) -> None:
    data_directory.mkdir(exist_ok=True)
    program = data_directory / "initdb"
    program.write_text("#!/bin/sh\nexec sleep 600\n")
    program.chmod(0o755)
    cluster = Cluster(data_directory / "new", data_directory, Account(os.geteuid(), os.getegid(), is_other=False))
    with pytest.raises(PostgresStartFailed, match=r"initdb has not ended after 0\.5 s"):
        create_cluster(cluster, durable=False, timeout_seconds=0.5)
