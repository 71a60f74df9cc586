"""serve, demo, doctor, migrate and the key for a database of one's own."""

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from camillo_server.storage.migrate import latest_version
from camillo_server.storage.parts.object_parts import MARKER_NAME

from tests.cli.conftest import Camillo, Finished, clean_environ, command, read_line, run_here, run_process
from tests.patience import PATIENCE_SECONDS
from tests.ports import free_port
from tests.postgres_fixtures import TestDatabase
from tests.storage.lifecycle.job_rows import connected, let_pass
from tests.tiny_models import write_reranker

Start = Callable[..., subprocess.Popen[bytes]]


def run(*arguments: str, **environ: str) -> Finished:
    """A command that knows no server."""
    return run_here(*arguments, environ=clean_environ() | environ)


def findings(*arguments: str, **environ: str) -> dict[str, tuple[str, str]]:
    """The doctor's findings: the status and the text, by subject."""
    # Recent hooks of whoever runs the tests do not concern this server.
    done = run("doctor", "--json", *arguments, **{"XDG_STATE_HOME": os.devnull, **environ})
    found = json.loads(done.stdout)["findings"]
    assert done.returncode == any(finding["status"] == "fail" for finding in found)
    return {finding["subject"]: (finding["status"], finding["what"]) for finding in found}


def test_the_version_is_told() -> None:
    assert run_process("--version").stdout == "camillo 0.1.0\n"


def test_help_starts_without_what_only_servers_need() -> None:
    code = (
        "import sys; from camillo_server.cli import main; sys.argv = ['camillo', '--help']; main();"
        "heavy = {'grpc', 'google.protobuf', 'sklearn', 'onnxruntime', 'numpy', 'psycopg', 'pydantic'};"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([command()[0], "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"


def test_a_data_directory_in_use_is_told_in_one_line(server: Camillo) -> None:
    done = run_process("serve", "--data-dir", str(server.data_dir), "--port", "0")
    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert line.startswith(f"camillo: data directory {server.data_dir} is in use by process ")


def test_settings_that_are_wrong_are_named(tmp_path: Path) -> None:
    done = run("serve", "--port", "99999", "--embedding-model", "x", CAMILLO_SERVER_HOSTT="a")
    assert done.returncode == 2
    [line] = done.stderr.splitlines()
    for part in ("server.port", "memory.embedding_model", "CAMILLO_SERVER_HOSTT"):
        assert part in line


def test_the_doctor_finds_a_running_server_well(server: Camillo) -> None:
    found = findings("--data-dir", str(server.data_dir), "--address", server.address)
    assert {status for status, _ in found.values()} == {"ok"}
    assert "in use by process" in found["data directory"][1]
    assert found["server"] == ("ok", f"serving at {server.address}")
    assert {"database", "pgvector", "schema", "role", "full text", "durability", "jobs", "clock"} <= found.keys()


def test_the_doctor_makes_no_data_directory(tmp_path: Path) -> None:
    found = findings("--data-dir", str(tmp_path / "new"), "--address", "localhost:1")
    assert found["database"] == ("ok", "embedded, created by the first 'camillo serve'")
    assert found["server"][0] == "warn"
    assert not (tmp_path / "new").exists()


def test_the_doctor_tells_which_reranker_is_used_and_that_one_is_missing(tmp_path: Path) -> None:
    asked = ("--data-dir", str(tmp_path), "--address", "localhost:1")
    assert findings(*asked)["reranking"] == ("ok", "none (reranking.provider)")
    chosen = {"CAMILLO_RERANKING_PROVIDER": "onnx"}
    status, what = findings(*asked, **chosen)["reranking"]
    assert (status, "camillo models pull" in what) == ("fail", True)
    write_reranker(tmp_path / "rerankers" / "tiny")
    status, what = findings(*asked, **chosen)["reranking"]
    assert (status, what.startswith("tiny-")) == ("ok", True)


def test_the_doctor_sees_a_key_that_others_can_read(tmp_path: Path) -> None:
    key = tmp_path / "root.key"
    key.write_text("cam_x")
    key.chmod(0o644)
    status, what = findings("--data-dir", str(tmp_path), "--address", "localhost:1")["root key"]
    assert status == "fail"
    assert "mode 0644" in what


def put_jobs(database: TestDatabase, *states: str) -> None:
    with connected(database) as connection:
        for state in states:
            row = connection.execute(
                "insert into procrastinate_jobs (queue_name, task_name) values ('try', 'try') returning id"
            ).fetchone()
            assert row is not None
            if state != "todo":
                connection.execute("update procrastinate_jobs set status = %s where id = %s", (state, row[0]))


def test_the_doctor_sees_what_is_wrong_with_a_database(database: TestDatabase, tmp_path: Path) -> None:
    shared = ("--data-dir", str(tmp_path), "--address", "localhost:1", "--database-url")
    crowded = findings(*shared, database.server_url, CAMILLO_DATABASE_POOL_MAX="500")
    assert crowded["connections"][0] == "warn"
    assert crowded["connections"][1].endswith("too few for the 506 of this server")
    well = findings(*shared, database.server_url)
    assert well["connections"][0] == "ok"
    assert well["role"][0] == "ok"
    assert well["durability"][0] == "fail"  # the test's Postgres does not sync
    assert well["jobs"] == ("ok", "none failed, none stuck")
    put_jobs(database, "failed", "todo")
    dead = findings(*shared, database.server_url)
    assert dead["jobs"] == ("warn", "1 failed for good (try)")
    put_jobs(database, "doing")
    let_pass(database, 1000.0)
    stuck = findings(*shared, database.server_url)
    assert stuck["jobs"] == ("warn", "2 stuck (try), 1 failed for good (try)")
    ill = findings(*shared, database.superuser_url)
    assert ill["role"] == ("fail", "postgres is superuser: the database would not keep tenants apart")
    gone = findings(*shared, "postgresql://nobody@localhost:1/none")
    assert gone["database"][0] == "fail"


def test_the_doctor_names_a_setting_that_is_wrong() -> None:
    [(status, what)] = findings(CAMILLO_SERVER_PORT="x").values()
    assert status == "fail"
    assert what.startswith("server.port")


def test_migrating_tells_the_version(database: TestDatabase, tmp_path: Path) -> None:
    done = run("migrate", "--json", "--database-url", database.owner_url)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["schema_version"] == latest_version()


def test_a_database_that_cannot_be_reached_is_told(tmp_path: Path) -> None:
    done = run("migrate", "--database-url", "postgresql://nobody:secret@localhost:1/none")
    assert done.returncode in (1, 6)
    assert done.stderr.count("\n") == 1
    assert "secret" not in done.stderr


def test_a_database_of_ones_own_gets_a_key_and_is_served(database: TestDatabase, start: Start, tmp_path: Path) -> None:
    urls = {"CAMILLO_DATABASE_URL": database.server_url, "CAMILLO_DATABASE_OWNER_URL": database.owner_url}
    secret = run("keys", "bootstrap", **urls).stdout.strip()
    assert secret.startswith("cam_")
    environ = clean_environ() | urls
    process = start("serve", "--json", "--port", "0", "--data-dir", str(tmp_path), env=environ)
    address = json.loads(read_line(process))["address"]
    done = run("whoami", "--json", "--address", address, "--key", secret)
    assert json.loads(done.stdout)["role"] == "ROLE_ROOT"
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE_SECONDS) == 0


def test_a_store_of_artifacts_is_adopted_by_another_database(database: TestDatabase, tmp_path: Path) -> None:
    store = tmp_path / "store"
    urls = {"CAMILLO_DATABASE_URL": database.server_url, "CAMILLO_DATABASE_OWNER_URL": database.owner_url}
    assert "artifacts.store_url is not set" in run("artifact", "adopt-store", **urls).stderr
    urls["CAMILLO_ARTIFACTS_STORE_URL"] = store.as_uri()
    assert store.as_uri() in run("artifact", "adopt-store", **urls).stdout
    marker = store / MARKER_NAME
    marker.write_text(json.dumps({"database": str(uuid4()), "folder": "_of_another"}))
    assert run("artifact", "adopt-store", **urls).returncode == 0
    with psycopg.connect(database.superuser_url) as connection:
        row = connection.execute("select database_id from camillo.database_identity").fetchone()
    assert row is not None
    said = {"database": str(row[0]), "folder": "_of_another", "collected": False}
    assert json.loads(marker.read_text()) == said


def test_what_older_keys_have_encrypted_is_encrypted_with_the_first(database: TestDatabase, tmp_path: Path) -> None:
    """The rows themselves: tests/rpc/admin/test_reencryption.py."""
    urls = {"CAMILLO_DATABASE_URL": database.server_url, "CAMILLO_DATABASE_OWNER_URL": database.owner_url}
    insert = "insert into camillo.tenants (tenant_id, display_name, created_at) values ('acme', '', now())"
    with psycopg.connect(database.superuser_url) as connection:
        connection.execute(insert)
    done = run("reencrypt", "--json", **urls, CAMILLO_ENCRYPTION_KEYS=f"new:{'A' * 43}=")
    assert (done.stdout, done.returncode) == ('{"reencrypted": 0}\n', 0), done.stderr
    with psycopg.connect(database.superuser_url) as connection:
        connection.execute(
            "insert into camillo.contents (tenant_id, content_id, fingerprint, size, stored_bytes, part_count,"
            " is_sealed, place, state, created_at, changed_at)"
            " values ('acme', %(id)s, 'f', 1, 1, 1, true, 1, 2, now(), now())",
            {"id": uuid4()},
        )
        connection.execute(
            "insert into camillo.content_parts (tenant_id, content_id, number, first_line, size, stored_size, codec,"
            " key_id, bytes) select 'acme', content_id, 0, 1, 1, 1, 0, 'old', 'x' from camillo.contents"
        )
    left = run("reencrypt", **urls, CAMILLO_ENCRYPTION_KEYS=f"new:{'A' * 43}=")
    assert (left.returncode, "1 still need other keys" in left.stderr) == (1, True)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/kettle.md").write_text(
        "# The kettle manual\n\nFill it first.\n\n## How to descale\n\nUse citric acid, two spoons.\n"
    )
    return tmp_path / "notes"


def test_the_demo_remembers_answers_and_serves_until_interrupted(
    data_directory: Path, notes: Path, start: Start
) -> None:
    arguments = ("demo", str(notes), "--port", "0", "--data-dir", str(data_directory))
    process = start(*arguments, f"--http-port={free_port()}", env=clean_environ())
    lines = []
    while not (line := read_line(process)).startswith("Serving at "):
        lines.append(line)
    text = "".join(lines)
    [by_http] = re.findall(r"^  HTTP +\$ (curl .*)$", text, re.MULTILINE)
    answer = subprocess.run(by_http, shell=True, capture_output=True, check=True)  # noqa: S602
    assert len(json.loads(answer.stdout)["memories"]) == 2
    assert re.search(r"^  MCP +\$ claude mcp add camillo -- .* mcp ", text, re.MULTILINE)
    assert f"remembered 2 new, 0 known already, from {notes}" in text
    assert "? How to descale" in text
    assert re.search(r"^id +.*content *$", text, re.MULTILINE)
    assert "score  dense" not in text
    assert "  recorded   4 new events" in text
    assert "section             tokens" in text
    assert "<data-" in text
    assert "--session demo --render" in text
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE_SECONDS) == 0
    assert not (data_directory / "postgres/postmaster.pid").exists()

    again = start(*arguments, "--once", "--json", env=clean_environ())
    steps = [json.loads(line) for line in again.communicate(timeout=PATIENCE_SECONDS)[0].splitlines()]
    assert again.returncode == 0
    assert steps[1] == {"remembered": 0, "known_already": 2, "failed": 0}
    answers, [bundled] = steps[2:-1], steps[-1:]
    assert answers
    assert all(step["answer"]["hits"] for step in answers)
    assert bundled["recorded"] == 0  # the first run's conversation is still there
    assert "Remember: answer in one sentence" in bundled["bundle"]["prompt"]
    assert bundled["bundle"]["tokens"] <= bundled["bundle"]["budget_tokens"] == 2_000


def test_more_memories_than_the_quota_are_told_before_they_are_archived(
    data_directory: Path, notes: Path, start: Start
) -> None:
    environ = clean_environ() | {"CAMILLO_LIFECYCLE_MEMORY_QUOTA": "1"}
    process = start("serve", "--json", "--port", "0", "--data-dir", str(data_directory), env=environ)
    address = json.loads(read_line(process))["address"]
    server = ("--address", address, "--data-dir", str(data_directory))
    warning = (
        "holds 2 active memories, 1 more than its quota of 1; "
        "from a day after they were stored, maintenance archives the least important"
    )
    done = run("import", str(notes), "--agent", "ada", *server)
    assert done.stdout == "imported 2, skipped 0, failed 0\n"
    assert done.stderr.startswith(f"note: the space ada {warning}: raise lifecycle.memory_quota")
    assert run("import", str(notes), "--agent", "ada", *server).stderr == ""
    host, _, port = address.rpartition(":")
    arguments = ("--host", host, "--port", port, "--data-dir", str(data_directory))
    told = run("demo", str(notes), *arguments, CAMILLO_AGENT="eve")
    assert f"note: the space eve {warning}" in told.stderr
    status, what = findings(*server, CAMILLO_LIFECYCLE_MEMORY_QUOTA="1")["quota"]
    assert status == "warn"
    assert what.endswith(f"ada {warning}; 1 more are above it")
    assert findings(*server)["quota"] == ("ok", "no space holds more than 1,000,000 active memories")


def test_the_demo_ends_its_server_when_it_is_terminated(data_directory: Path, notes: Path, start: Start) -> None:
    arguments = ("demo", str(notes), "--port", "0", "--data-dir", str(data_directory))
    process = start(*arguments, env=clean_environ())
    while not read_line(process).startswith("Serving at "):
        pass
    holder = int((data_directory / "lock").read_text())
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE_SECONDS) == 0
    deadline = time.monotonic() + PATIENCE_SECONDS
    while _runs(holder):
        assert time.monotonic() < deadline


def test_the_demo_uses_a_server_that_runs_already(server: Camillo, notes: Path) -> None:
    host, _, port = server.address.rpartition(":")
    done = run(
        "demo", str(notes), "--host", host, "--port", port, "--data-dir", str(server.data_dir), CAMILLO_AGENT="demo"
    )
    assert done.returncode == 0, done.stderr
    assert f"runs at {server.address} already" in done.stdout
    assert "remembered 2 new" in done.stdout


@pytest.mark.parametrize("source", ["missing", "missing.jsonl"])
def test_the_demo_refuses_a_wrong_input_before_it_starts_anything(source: str, data_directory: Path) -> None:
    done = run("demo", source, "--data-dir", str(data_directory))
    assert done.returncode == 2
    assert done.stderr.startswith(f"camillo: cannot read {source}")
    assert not data_directory.exists()


def test_a_server_that_does_not_start_ends_the_demo(server: Camillo, notes: Path) -> None:
    done = run_process("demo", str(notes), "--port", "0", "--data-dir", str(server.data_dir))
    assert done.returncode == 1
    assert "is in use by process" in done.stderr


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
