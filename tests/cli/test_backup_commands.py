"""backup and restore, as an operator types them: what is kept, what is told, and what is refused."""

import json
import signal
import stat
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Camillo, Finished, clean_environ, command, read_line, run_here
from tests.patience import PATIENCE_SECONDS

TEXTS = ("Ada prefers tea", "茶 🍵 記憶", "שלום קפה", "قهوة")


def run(*arguments: str) -> Finished:
    """A command that knows no server."""
    return run_here(*arguments)


@pytest.fixture
def source(camillo: Camillo) -> Camillo:
    """An agent with memories, one of them encrypted."""
    for text in TEXTS:
        camillo("remember", text)
    camillo("remember", "the secret plan", "--sensitivity", "confidential")
    return camillo


@pytest.fixture
def new(postgres_directory: Path, tmp_path: Path) -> Path:
    """A data directory that is not there yet."""
    return postgres_directory / f"restored-{tmp_path.name}"


def test_a_backup_of_a_running_server_becomes_another_server(source: Camillo, new: Path, tmp_path: Path) -> None:
    root, keys = tmp_path / "backup", tmp_path / "keys"
    told = source.json("backup", str(root), "--keys", str(keys))
    assert told["tenants"] == 1
    assert told["rows"] > len(TEXTS)
    assert told["key_ids"]
    assert stat.S_IMODE(keys.stat().st_mode) == 0o600
    source("remember", "later than the backup")
    # The keys are not in it, nor any text that is encrypted.
    data = b"".join(path.read_bytes() for path in root.rglob("*") if path.is_file())
    [key] = [line for line in keys.read_text().splitlines() if not line.startswith("#")]
    assert key.partition(":")[2].encode() not in data
    done = run("restore", str(root), "--data-dir", str(new), "--keys", str(keys), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["violations"] == []
    with_server = subprocess.Popen(
        command("serve", "--json", "--port", "0", "--data-dir", str(new)),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=clean_environ(),
    )
    try:
        address = json.loads(read_line(with_server))["address"]
        restored = Camillo(address, new, source.agent)
        contents = {each["content"] for each in restored.lines("list")}
        assert contents == {*TEXTS, "the secret plan"}
        restored("audit", "verify")
        exported = restored.json("audit", "export", str(tmp_path / "trail.jsonl"))["exported"]
        assert exported == len((tmp_path / "trail.jsonl").read_text().splitlines()) >= len(TEXTS)
        restored("doctor", "--deep")
        with_server.send_signal(signal.SIGINT)
        assert with_server.wait(PATIENCE_SECONDS) == 0
    finally:
        with_server.kill()
        with_server.wait()


def test_the_ids_of_the_keys_are_told(source: Camillo, tmp_path: Path) -> None:
    assert "these encryption keys are needed: " in source("backup", str(tmp_path / "backup"))


def test_a_backup_is_checked_without_a_database(source: Camillo, tmp_path: Path) -> None:
    root = tmp_path / "backup"
    rows = source.json("backup", str(root))["rows"]
    told = run("restore", str(root), "--verify", "--json")
    assert json.loads(told.stdout)["rows"] == rows
    damaged = next((root / "tables").iterdir())
    damaged.write_bytes(b"damaged")
    refused = run("restore", str(root), "--verify")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert str(damaged) in refused.stderr


def test_tenants_are_replaced_only_where_that_is_confirmed(source: Camillo, tmp_path: Path) -> None:
    root = str(tmp_path / "backup")
    source("backup", root)
    code, message = source.refused("restore", root)
    assert code == 1
    assert "--replace" in message
    assert "default" in message
    code, message = source.refused("restore", root, "--replace")
    assert code == 2
    assert "--yes" in message
    assert len(source.lines("list")) == len(TEXTS) + 1


def test_what_would_not_be_readable_is_not_restored(source: Camillo, new: Path, tmp_path: Path) -> None:
    root = tmp_path / "backup"
    [key_id] = source.json("backup", str(root))["key_ids"]
    refused = run("restore", str(root), "--data-dir", str(new))
    assert refused.returncode == 1
    assert key_id in refused.stderr
    assert not new.exists()


def test_keys_do_not_go_into_the_backup(source: Camillo, tmp_path: Path) -> None:
    root = tmp_path / "backup"
    code, message = source.refused("backup", str(root), "--keys", str(root / "keys"))
    assert code == 2
    assert "elsewhere" in message
    assert not root.exists()


def test_a_directory_that_is_none_is_told(tmp_path: Path) -> None:
    refused = run("restore", str(tmp_path))
    assert refused.returncode == 1
    assert "is no backup" in refused.stderr
