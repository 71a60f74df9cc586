"""mirror: the slots of an agent as files, against a running server."""

import json
import os
import signal
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

from tests.cli.conftest import Camillo, read_line

KEY = "/user/calendar/2026-02-23_10-00_牙科复诊"
REMINDER = '{"type": "reminder", "text": "明天10点牙科复诊", "n": 1.0}'
SAID = ("--source", "Ada said so")


def contents(directory: Path) -> dict[str, str]:
    """Texts that a reader finds below `index`, by path without the hashes of names."""
    found = (path for path in (directory / "index").rglob("*") if path.is_file())
    return {str(path.relative_to(directory / "index")).rpartition("@")[0]: path.read_text("utf-8") for path in found}


def test_slots_are_found_with_ls_grep_and_a_reader_of_json(camillo: Camillo, tmp_path: Path) -> None:
    camillo("set", KEY, REMINDER, *SAID)
    camillo("set", "/user/style", '"short"', *SAID)
    directory = tmp_path / "memory"
    said = camillo("mirror", str(directory))
    assert said == f"2 slots in {directory}, 2 changes since the last time\n"
    assert contents(directory) == {
        "user/calendar/2026-02-23_10-00_牙科复诊": f"{REMINDER}\n",
        "user/style": '"short"\n',
    }
    grep = ["grep", "-rl", "牙科复诊", "log.jsonl", "index"]
    found = subprocess.run(grep, cwd=directory, capture_output=True, text=True, check=True)
    assert len(found.stdout.splitlines()) == 2
    camillo("set", KEY, "null", *SAID)
    assert camillo.json("mirror", str(directory)) == {"slots": 1, "changes": 1, "repairs": []}
    assert [*contents(directory)] == ["user/style"]
    lines = [json.loads(line) for line in (directory / "log.jsonl").read_text("utf-8").splitlines()]
    assert [(line["key"], line["valid"], line["content"]) for line in lines] == [
        (KEY, True, json.loads(REMINDER)),
        ("/user/style", True, "short"),
        (KEY, False, None),
    ]
    assert {line["source"] for line in lines} == {"Ada said so"}


def test_a_part_of_the_slots_and_its_newest_state(camillo: Camillo, tmp_path: Path) -> None:
    for key in ("/user/a", "/user/b", "/agent/c"):
        camillo("set", key, "1", *SAID)
    camillo("mirror", str(tmp_path), "--prefix", "/user", "--compact")
    assert contents(tmp_path) == {"user/a": "1\n", "user/b": "1\n"}
    assert len((tmp_path / "state.jsonl").read_text().splitlines()) == 2
    code, line = camillo.refused("mirror", str(tmp_path))
    assert code == 1
    assert "/user" in line
    camillo("mirror", str(tmp_path / "other"))
    assert len(contents(tmp_path / "other")) == 3


def test_what_is_dropped_into_the_inbox_is_set_and_moved_away(camillo: Camillo, tmp_path: Path) -> None:
    dropped = tmp_path / "inbox" / "kb" / "茶.json"
    dropped.parent.mkdir(parents=True)
    dropped.write_text('{"text": "green", "n": 1.0}')
    (tmp_path / "inbox" / "bad.json").write_text("not JSON")
    (tmp_path / "inbox" / ".half.json").write_text("being written")
    done = camillo.run("mirror", str(tmp_path))
    assert done.returncode == 0
    assert done.stderr.startswith("refused /bad: ")
    slot = camillo.json("get-slot", "/kb/茶")
    assert slot["json_content"] == '{"text": "green", "n": 1.0}'
    assert slot["source"]["provenance"]["locator"] == {"path": "inbox/kb/茶.json"}
    assert contents(tmp_path) == {"kb/茶": '{"text": "green", "n": 1.0}\n'}
    left = {str(path.relative_to(tmp_path / "inbox")) for path in tmp_path.glob("inbox/**/*") if path.is_file()}
    assert left == {
        ".half.json",
        ".done/kb/茶.json",
        ".refused/bad.json",
        ".refused/bad.json.reason",
    }


def test_what_is_forgotten_leaves_every_file(camillo: Camillo, tmp_path: Path) -> None:
    slot = camillo.json("set", "/user/address", '"Tulpenweg 12, Hamburg"', *SAID)
    camillo("set", "/user/style", '"short"', *SAID)
    camillo("mirror", str(tmp_path), "--compact")
    assert "Tulpenweg" in (tmp_path / "state.jsonl").read_text()
    camillo("lifecycle", "forget", "--slot", slot["slot_id"], "--yes")
    camillo("mirror", str(tmp_path))
    texts = {path: path.read_text("utf-8") for path in tmp_path.rglob("*") if path.is_file()}
    assert not [path for path, text in texts.items() if "Tulpenweg" in text]
    assert contents(tmp_path) == {"user/style": '"short"\n'}


def test_a_mirror_that_follows_writes_changes_as_they_come_and_ends_in_order(
    camillo: Camillo,
    tmp_path: Path,
    start: Callable[..., subprocess.Popen[bytes]],
) -> None:
    camillo("set", "/user/a", "1", *SAID)
    process = start("mirror", str(tmp_path), "--follow", "--json")
    assert json.loads(read_line(process)) == {"slots": 1, "changes": 1, "repairs": []}
    camillo("set", "/user/a", "2", *SAID)
    assert json.loads(read_line(process)) == {"change": "set", "key": "/user/a", "version": 2}
    assert contents(tmp_path) == {"user/a": "2\n"}
    code, line = camillo.refused("mirror", str(tmp_path))
    assert (code, "another process has this mirror" in line) == (1, True)
    process.send_signal(signal.SIGINT)
    assert process.wait() == 130
    assert camillo.json("mirror", str(tmp_path)) == {"slots": 1, "changes": 0, "repairs": []}
    os.truncate(tmp_path / "log.jsonl", 10)
    [repaired] = camillo.json("mirror", str(tmp_path))["repairs"][-1:]
    assert repaired.startswith("read everything anew: ")
    assert contents(tmp_path) == {"user/a": "2\n"}


def test_the_inbox_outlives_a_file_that_cannot_be_moved_away(
    camillo: Camillo,
    tmp_path: Path,
    start: Callable[..., subprocess.Popen[bytes]],
) -> None:
    process = start("mirror", str(tmp_path), "--follow", "--json")
    assert json.loads(read_line(process))["slots"] == 0
    # The name of the file with the reason would be longer than names can be.
    drop(tmp_path / "inbox", "x" * 250, "not JSON")
    assert process.stderr is not None
    assert process.stderr.readline().startswith(b"refused /xxx")
    assert b"the inbox waits" in process.stderr.readline()
    drop(tmp_path / "inbox", "b.json", "1")
    assert json.loads(read_line(process)) == {"change": "set", "key": "/b", "version": 1}


def drop(inbox: Path, name: str, content: str) -> None:
    (inbox / ".dropped").write_text(content)
    (inbox / ".dropped").rename(inbox / name)


def test_a_mirror_that_follows_waits_for_a_server_that_is_not_there_yet(
    camillo: Camillo,
    tmp_path: Path,
    start: Callable[..., subprocess.Popen[bytes]],
) -> None:
    camillo("set", "/user/a", "1", *SAID)
    camillo("mirror", str(tmp_path))
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        away = f"127.0.0.1:{nobody.getsockname()[1]}"
        _, line = camillo.refused("mirror", str(tmp_path), "--address", away)
        assert away in line
        process = start("mirror", str(tmp_path), "--follow", "--address", away)
        assert process.stderr is not None
        said = process.stderr.readline().decode()
        assert said == "the server is away; the files stay as they are\n"
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
    assert json.loads((tmp_path / "mirror.json").read_text())["away_since"]
    assert contents(tmp_path) == {"user/a": "1\n"}
