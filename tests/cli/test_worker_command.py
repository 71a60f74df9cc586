"""worker: jobs in a process of their own, beside the server that has the embedded database or on one of ones own."""

import fcntl
import json
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Camillo, Finished, clean_environ, read_line, run_process, without_maintenance
from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.storage.lifecycle.job_rows import connected, job_rows

Start = Callable[..., subprocess.Popen[bytes]]


def worker(*arguments: str, **environ: str) -> Finished:
    """A worker that is not expected to begin."""
    return run_process("worker", *arguments, environ=clean_environ() | environ)


def test_the_help_says_what_it_is_for_with_examples() -> None:
    done = worker("--help")
    assert done.returncode == 0
    assert "Example: camillo worker --database-url" in done.stdout
    assert "jobs.enabled" in done.stdout


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_works_on_the_jobs_of_a_database_and_ends_well(
    number: signal.Signals, database: TestDatabase, start: Start, tmp_path: Path
) -> None:
    with connected(database) as connection:
        connection.execute(
            "insert into procrastinate_jobs (queue_name, task_name, args) values ('embed_scope', 'embed_scope',"
            ' \'{"tenant_id": "acme", "agent_id": "alice"}\')'
        )
    environ = clean_environ() | {
        "CAMILLO_DATABASE_URL": database.server_url,
        "CAMILLO_DATABASE_MIGRATE_AT_START": "false",
        # Only servers heed this setting; the worker ignores it.
        "CAMILLO_JOBS_ENABLED": "false",
        "CAMILLO_MEMORY_EMBEDDING_MODEL": "lexical",
        "CAMILLO_MEMORY_NEXT_EMBEDDING_MODEL": "random",
    }
    process = start("worker", "--json", "--data-dir", str(tmp_path), env=environ)
    told = json.loads(read_line(process))
    assert (told["model_id"], told["next_model_id"]) == ("lexical-1-960", "random-64")
    deadline = time.monotonic() + PATIENCE_SECONDS
    while job_rows(database):
        assert time.monotonic() < deadline
    process.send_signal(number)
    assert process.wait(PATIENCE_SECONDS) == 0
    with connected(database) as connection:
        assert connection.execute("select count(*) from procrastinate_workers").fetchone() == (0,)


def test_it_joins_the_server_that_has_the_embedded_database(server: Camillo, start: Start) -> None:
    environ = clean_environ() | without_maintenance(server.data_dir.parent)
    process = start("worker", "--json", "--data-dir", str(server.data_dir), env=environ)
    assert json.loads(read_line(process))["database"] == "embedded, of the running server"
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE_SECONDS) == 0
    # The server goes on.
    assert server.run("whoami").returncode == 0


def test_without_a_server_it_runs_the_embedded_database_itself(data_directory: Path, start: Start) -> None:
    process = start("worker", "--json", "--data-dir", str(data_directory), env=clean_environ())
    assert json.loads(read_line(process))["database"] == "embedded"
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE_SECONDS) == 0
    assert not (data_directory / "postgres/postmaster.pid").exists()


def test_a_database_that_is_being_started_is_told_in_one_line(data_directory: Path) -> None:
    data_directory.mkdir()
    with (data_directory / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.write("4711")
        lock.flush()
        done = worker("--data-dir", str(data_directory))
    assert done.returncode == 1
    assert done.stderr == (
        f"camillo: the embedded database in {data_directory} is being started or stopped by"
        " process 4711: try again in a moment\n"
    )


def test_a_database_that_nobody_has_migrated_is_refused_with_what_to_do(database: TestDatabase, tmp_path: Path) -> None:
    with connected(database) as connection:
        connection.execute("delete from camillo.schema_version")
    done = worker(
        "--data-dir", str(tmp_path), CAMILLO_DATABASE_URL=database.server_url, CAMILLO_DATABASE_MIGRATE_AT_START="false"
    )
    assert done.returncode == 1
    assert done.stderr.startswith("camillo: the database has schema none")
    assert "camillo migrate" in done.stderr


def test_a_model_that_cannot_be_had_is_told_before_anything_begins(database: TestDatabase, tmp_path: Path) -> None:
    done = worker(
        "--data-dir",
        str(tmp_path),
        CAMILLO_DATABASE_URL=database.server_url,
        CAMILLO_DATABASE_MIGRATE_AT_START="false",
        CAMILLO_MEMORY_NEXT_EMBEDDING_MODEL="onnx",
    )
    assert done.returncode == 1
    assert done.stderr == "camillo: no model directory is given or found\n"
