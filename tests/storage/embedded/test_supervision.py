"""The embedded Postgres that ends without being asked to."""

import os
import signal
import time
from pathlib import Path

import psycopg
from camillo_server.storage.embedded.server import EmbeddedPostgres, supervision

DEADLINE_SECONDS = 20.0


def postmaster_pid(data_directory: Path) -> int:
    return int((data_directory / "postgres" / "postmaster.pid").read_text().splitlines()[0])


def test_a_killed_postmaster_is_started_again_with_what_was_committed(data_directory: Path) -> None:
    postgres = EmbeddedPostgres(data_directory)  # durable: a commit that was acknowledged is there
    with postgres, supervision(postgres):
        with psycopg.connect(postgres.owner_url, autocommit=True) as owner:
            owner.execute("create table kept as select 42 as answer")
        first = postmaster_pid(data_directory)
        os.kill(first, signal.SIGKILL)

        deadline = time.monotonic() + DEADLINE_SECONDS
        while True:
            try:
                with psycopg.connect(postgres.owner_url, autocommit=True) as owner:
                    assert owner.execute("select answer from kept").fetchall() == [(42,)]
                break
            except psycopg.OperationalError:
                assert time.monotonic() < deadline, "Postgres did not come back"

        assert postmaster_pid(data_directory) != first
