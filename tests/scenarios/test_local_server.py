"""Programs of one user share a server that nobody has started: found, started, killed, started anew, left alone."""

import asyncio
import fcntl
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from camillo_client import AsyncCamillo, Camillo, LocalServerError, LocalServerVersion, local
from camillo_client.local_server import running_server
from camillo_server.assembly.processes import local_server
from camillo_server.assembly.processes.local_server import Announcement

from tests.patience import PATIENCE_SECONDS
from tests.ports import free_port

PROGRAM = """
import sys, camillo_client
with camillo_client.local(start_seconds=float(sys.argv[1]), timeout_seconds=float(sys.argv[1])) as camillo:
    camillo.for_user("ana").remember(sys.argv[2])
    print(camillo.who_am_i().role)
"""
TEXTS = ("Ana trinkt Tee", "安娜住在里斯本", "آنا تحب الشاي")
IS_ROOT = os.geteuid() == 0


@pytest.fixture(scope="module")
def home(postgres_directory: Path) -> Iterator[Path]:
    """The home of a user, with a name that is hard to quote, and what is left of a server there ends with the tests."""
    home = postgres_directory / 'Ünï ço\'dé "$HOME" 家, %41'
    home.mkdir(mode=0o711)
    yield home
    end_server(data_of(home))


@pytest.fixture
def environ(home: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The environment of the user's programs, this one included."""
    for name in [name for name in os.environ if name.startswith(("CAMILLO_", "XDG_DATA"))]:
        if name != "CAMILLO_TEST_PATIENCE":
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    # Whoever runs these tests may have a server at the ports that are taken by default.
    monkeypatch.setenv("CAMILLO_SERVER_PORT", str(free_port()))
    monkeypatch.setenv("CAMILLO_SERVER_HTTP_PORT", "0")
    # They name another server, and must not count.
    monkeypatch.setenv("CAMILLO_ADDRESS", "memory.example:7070")
    monkeypatch.setenv("CAMILLO_KEY", "of-another-server")
    return dict(os.environ)


def data_of(home: Path) -> Path:
    return home / ".local" / "share" / "camillo"


def holder(directory: Path) -> int:
    """The process that has the data directory."""
    return int((directory / "lock").read_text())


def wait_until_left(directory: Path) -> None:
    """Returns when no process has the data directory; the test's time limit bounds it."""
    with (directory / "lock").open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)


def end_server(directory: Path) -> None:
    if not (directory / "lock").exists():
        # No server was ever here.
        return
    if running_server(directory) is not None:
        os.kill(holder(directory), signal.SIGTERM)
    wait_until_left(directory)


def a_local() -> Camillo:
    return local(start_seconds=PATIENCE_SECONDS, timeout_seconds=PATIENCE_SECONDS)


def test_programs_that_ask_at_once_start_one_server(home: Path, environ: dict[str, str]) -> None:
    command = [sys.executable, "-W", "error", "-c", PROGRAM, str(PATIENCE_SECONDS)]
    programs = [
        subprocess.Popen([*command, text], env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for text in TEXTS
    ]
    ended = [program.communicate(timeout=PATIENCE_SECONDS) for program in programs]
    assert [program.returncode for program in programs] == [0, 0, 0], ended
    # It goes on without them, and has what each of them stored.
    with a_local() as camillo:
        stored = {memory.content for memory in camillo.for_user("ana").list_memories()}
        assert stored >= set(TEXTS)
    data = data_of(home)
    told = json.loads((data / "server.json").read_text())
    assert told["pid"] == holder(data)
    private = ["server.json", "server.log", "callers", "starting", "root.key"]
    assert {name: (data / name).stat().st_mode & 0o777 for name in private} == dict.fromkeys(private, 0o600)
    assert data.stat().st_mode & 0o066 == 0


async def test_clients_go_on_when_their_server_was_killed(home: Path, environ: dict[str, str]) -> None:
    one = await asyncio.to_thread(a_local)
    other = await AsyncCamillo.local(start_seconds=PATIENCE_SECONDS, timeout_seconds=PATIENCE_SECONDS)
    with one:
        async with other:
            await other.remember("a crash takes nothing along")
            killed = holder(data_of(home))
            os.kill(killed, signal.SIGKILL)
            answers = await asyncio.gather(
                other.recall("crash"), asyncio.to_thread(one.recall, "crash"), other.for_user("ana").recall("crash")
            )
            assert [len(answer.hits) > 0 for answer in answers[:2]] == [True, True]
            assert holder(data_of(home)) != killed


def test_a_server_ends_when_its_last_client_has_left(
    home: Path, environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with a_local():
        end_server(data_of(home))
    monkeypatch.setenv("CAMILLO_SERVER_IDLE_EXIT_SECONDS", "0.1")
    one = a_local()
    with a_local() as other:
        one.close()
        other.remember("still needed")
        # This time nobody has told it to end.
        pid = holder(data_of(home))
    wait_until_left(data_of(home))
    assert running_server(data_of(home)) is None
    with a_local() as camillo:
        assert camillo.recall("needed").hits
        assert holder(data_of(home)) != pid


def test_a_server_that_has_died_is_not_taken_for_one_that_lives(tmp_path: Path) -> None:
    announcement = Announcement(tmp_path)
    announcement.publish("127.0.0.1:1", "", has_tls=False)
    found = running_server(tmp_path)
    assert found is not None
    assert found.address == "127.0.0.1:1"
    content = (tmp_path / "server.json").read_bytes()
    announcement.withdraw()
    # As a killed one leaves it: whoever listens at that port now is somebody else.
    (tmp_path / "server.json").write_bytes(content)
    (tmp_path / "server.json").chmod(0o600)
    assert running_server(tmp_path) is None


@pytest.mark.parametrize(("version", "remedy"), [("0.0.9", "end it"), ("99.1", "upgrade camillo-client")])
def test_a_server_of_another_version_is_named(
    version: str, remedy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_server, "version", lambda _: version)
    announcement = Announcement(tmp_path)
    announcement.publish("127.0.0.1:1", "", has_tls=False)
    with pytest.warns(LocalServerVersion, match=remedy) as warned:
        local(data_dir=tmp_path).close()
    assert f"Camillo {version}" in str(warned[0].message)
    assert warned[0].filename == __file__
    announcement.withdraw()


def test_whoever_could_name_an_address_of_his_own_is_not_believed(tmp_path: Path) -> None:
    announcement = Announcement(tmp_path)
    announcement.publish("127.0.0.1:1", "", has_tls=True)
    refused(tmp_path, "speaks TLS")
    (tmp_path / "server.json").chmod(0o666)
    refused(tmp_path, "can be written by other users")
    (tmp_path / "server.json").rename(tmp_path / "elsewhere")
    (tmp_path / "server.json").symlink_to(tmp_path / "elsewhere")
    refused(tmp_path, "cannot be read")
    announcement.withdraw()
    if IS_ROOT:
        os.chown(tmp_path, 1, 1)
        refused(tmp_path, "belongs to another user")
        os.chown(tmp_path, 0, 0)


def test_where_no_server_can_be_the_error_says_what_to_do(
    home: Path, environ: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nobody may write there, root included.
    refused(Path("/proc/camillo"), "/proc/camillo cannot be written to .*: set CAMILLO_DATA_DIR")
    (tmp_path / "file").touch()
    monkeypatch.setenv("HOME", str(tmp_path / "file"))
    refused(None, "cannot be written to .Not a directory.: set CAMILLO_DATA_DIR")
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "camillo_server", None)
        refused(tmp_path / "new", "pip install camillo-server")
    with monkeypatch.context() as patch:
        patch.setenv("CAMILLO_DATABASE_URL", "postgresql://db/camillo")
        refused(tmp_path / "new", "database.url is set")
    (tmp_path / "old" / "postgres").mkdir(parents=True)
    (tmp_path / "old" / "postgres" / "PG_VERSION").write_text("12\n")
    refused(tmp_path / "old", "holds data of Postgres 12")


def refused(directory: Path | None, match: str) -> None:
    with pytest.raises(LocalServerError, match=match):
        local(data_dir=directory, start_seconds=PATIENCE_SECONDS).close()
