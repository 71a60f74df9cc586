"""The embedded Postgres that ends without being asked to."""

import os
import signal
import time
from pathlib import Path
from typing import LiteralString

import psycopg
import pytest
from camillo_server.storage.embedded import server
from camillo_server.storage.embedded.server import EmbeddedPostgres, supervision

from tests.patience import FACTOR

DEADLINE_SECONDS = 20.0 * FACTOR


def postmaster_pid(data_directory: Path) -> int:
    return int((data_directory / "postgres" / "postmaster.pid").read_text().splitlines()[0])


def test_a_killed_postmaster_is_started_again_with_what_was_committed(data_directory: Path) -> None:
    postgres = EmbeddedPostgres(data_directory)  # durable: a commit that was acknowledged is there
    with postgres, supervision(postgres):
        with psycopg.connect(postgres.owner_url, autocommit=True) as owner:
            owner.execute("create table kept as select 42 as answer")
        first = postmaster_pid(data_directory)
        os.kill(first, signal.SIGKILL)

        assert until_back(postgres, "select answer from kept") == [(42,)]
        assert postmaster_pid(data_directory) != first


def test_it_is_started_again_after_a_start_that_failed_as_nobody_foresaw(
    data_directory: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "PAUSE_AFTER_FAILURE_SECONDS", 0.1)
    postgres = EmbeddedPostgres(data_directory, durable=False)
    with postgres, supervision(postgres):
        version = data_directory / "postgres" / "PG_VERSION"
        stated = version.read_bytes()
        # No text at all, as a disk may return.
        version.write_bytes(b"\xff\xff\n")
        os.kill(postmaster_pid(data_directory), signal.SIGKILL)
        deadline = time.monotonic() + DEADLINE_SECONDS
        while not any(each.exc_info for each in caplog.records):
            assert time.monotonic() < deadline, "it did not try to start"
        version.write_bytes(stated)
        assert until_back(postgres, "select 42") == [(42,)]


def until_back(postgres: EmbeddedPostgres, statement: LiteralString) -> list[tuple[int]]:
    """The rows of a statement, as soon as Postgres answers."""
    deadline = time.monotonic() + DEADLINE_SECONDS
    while True:
        try:
            with psycopg.connect(postgres.owner_url, autocommit=True) as owner:
                return owner.execute(statement).fetchall()
        except psycopg.OperationalError:
            assert time.monotonic() < deadline, "Postgres did not come back"
