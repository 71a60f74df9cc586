"""The commands about artifacts, against a fake service."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from clients.python.tests.fake_server import FakeServer, running_in_thread
from clients.python.tests.fake_service import UNAVAILABLE
from tests.cli.conftest import Camillo

LINES = [f"строка {n} {'错误' if n % 10 == 0 else 'ok'}" for n in range(1, 101)]
LOG = "\n".join(LINES) + "\n"


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with running_in_thread() as fake:
        yield fake


@pytest.fixture
def camillo(server: FakeServer, tmp_path: Path) -> Camillo:
    return Camillo(server.address, tmp_path, "ada")


def test_a_file_is_stored_and_printed_again(camillo: Camillo, server: FakeServer, tmp_path: Path) -> None:
    file = tmp_path / "сборка.log"
    file.write_text(LOG, "utf-8")
    done = camillo.run("artifact", "put", str(file), "--tag", "a", "--exit-code", "0")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "[MemoryRef: artifact_0]\n"
    assert done.stderr == "stored artifact_0 (1.9 KB)\n"
    header = server.desk.of("PutArtifact")[0]
    assert (header.artifact.name, list(header.artifact.tags)) == ("сборка.log", ["a"])
    assert header.artifact.HasField("exit_code")
    assert camillo("artifact", "cat", "[MemoryRef: artifact_0]") == LOG
    camillo("artifact", "cat", "artifact_0", "-o", str(tmp_path / "copy"))
    assert (tmp_path / "copy").read_text("utf-8") == LOG
    assert list(tmp_path.glob("*.unfinished")) == []


def test_standard_input_is_stored(camillo: Camillo, server: FakeServer) -> None:
    assert camillo("artifact", "put", "-", stdin=b"\xff\x00") == "[MemoryRef: artifact_0]\n"
    assert server.artifacts.contents["artifact_0"] == b"\xff\x00"


def test_parts_are_printed(camillo: Camillo, server: FakeServer) -> None:
    server.artifacts.keep(LOG.encode())

    def part(*arguments: str) -> list[str]:
        return camillo("artifact", *arguments).splitlines()

    assert part("cat", "artifact_0", "--lines", "5:7") == LINES[4:7]
    assert part("cat", "artifact_0", "--lines", "5") == LINES[4:5]
    assert part("cat", "artifact_0", "--around", "50", "-C", "1") == LINES[48:51]
    assert part("head", "artifact_0", "-n", "3") == LINES[:3]
    assert part("tail", "artifact_0") == LINES[-10:]
    assert camillo("artifact", "cat", "artifact_0", "--start", "0", "--end", "2") == "с"
    camillo("artifact", "cat", "artifact_0", "--start", "-3")
    assert server.desk.of("ReadArtifact")[-1].range.bytes.start == -3
    server.artifacts.keep(b'{"a": [1]}')
    camillo("artifact", "cat", "artifact_1", "--pointer", "/a", "--slice", "0:", "--channel", "team")
    request = server.desk.of("ReadArtifact")[-1]
    assert (request.range.json.pointer, request.range.json.start) == ("/a", 0)
    assert not request.range.json.HasField("end")


def test_lines_are_found(camillo: Camillo, server: FakeServer) -> None:
    server.artifacts.keep(LOG.encode())
    assert camillo("artifact", "grep", "错误$", "artifact_0", "-m", "2").splitlines() == [
        f"10:{LINES[9]}",
        f"20:{LINES[19]}",
    ]
    assert camillo("artifact", "grep", "-F", "строка 7 ", "artifact_0") == f"7:{LINES[6]}\n"
    done = camillo.run("artifact", "grep", "错误", "artifact_0", "-m", "2")
    assert done.stderr == "note: ended after 2: continue with --from-line 30, or allow more with -m\n"
    camillo("artifact", "grep", "错", "artifact_0", "-C", "3", "-A", "1", "-i", "--from-line", "5")
    request = server.desk.of("SearchArtifact")[-1]
    assert (request.before, request.after, request.start_line) == (3, 1, 5)
    assert request.ignore_case


def test_nothing_found_ends_as_grep_does(camillo: Camillo, server: FakeServer) -> None:
    server.artifacts.keep(LOG.encode())
    done = camillo.run("artifact", "grep", "чай", "artifact_0")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "nothing found\n")
    assert camillo.run("artifact", "grep", "错误", "artifact_0").returncode == 0


def test_passages_are_ranked(camillo: Camillo, server: FakeServer) -> None:
    server.artifacts.keep(LOG.encode())
    found = camillo("artifact", "grep", "--ranked", "错误", "artifact_0", "-m", "1")
    assert found.splitlines()[1:] == [LINES[9]]


def test_artifacts_are_listed_shown_changed_and_removed(camillo: Camillo, server: FakeServer) -> None:
    camillo("artifact", "put", "-", "--name", "茶", "--tool", "shell", stdin=LOG)
    server.artifacts.keep(b"other")
    rows = camillo.rows("artifact", "list", "--kind", "log", "--min-size", "1k", "--since", "7d")
    assert [row[0] for row in rows] == ["artifact_1", "artifact_0"]
    (request,) = server.desk.of("ListArtifacts")
    assert request.filter.min_size_bytes == 1024
    assert [row["tool"] for row in camillo.lines("artifact", "list")] == ["", "shell"]
    assert "--- summary\na summary\n" in camillo("artifact", "show", "artifact_0")
    assert camillo.json("artifact", "show", "artifact_0")["artifact"]["name"] == "茶"
    changed = camillo("artifact", "update", "artifact_0", "--name", "お茶", "--add-tag", "b")
    assert changed == "updated artifact_0 to version 2\n"
    assert list(server.desk.of("UpdateArtifact")[0].update_mask.paths) == ["name", "tags"]
    cites = camillo.rows("artifact", "cites", "artifact_0")
    assert [row[-1] for row in cites] == ["memory", "memory2"]
    removed = camillo("artifact", "rm", "artifact_0", "[MemoryRef: artifact_1]", "--yes")
    assert removed == "removed artifact_0\nremoved artifact_1\n"
    assert not server.artifacts.artifacts


def test_a_short_output_is_printed_as_it_is(camillo: Camillo) -> None:
    assert camillo("offload", stdin="alles gut 🍵\n") == "alles gut 🍵\n"
    assert camillo("offload", stdin="") == ""


def test_a_long_output_is_kept(camillo: Camillo, server: FakeServer) -> None:
    done = camillo.run("offload", "--tool", "shell", "--session", "s-1", stdin=LOG)
    assert done.stdout == "[MemoryRef: artifact_0]\na summary\n"
    assert done.stderr.startswith("kept artifact_0")
    assert server.artifacts.contents["artifact_0"] == LOG.encode()
    assert camillo("offload", "--threshold", "99999", stdin=LOG) == LOG


def test_an_output_is_not_lost_with_the_server(camillo: Camillo, server: FakeServer) -> None:
    server.desk.refuse("OffloadOutput", *[UNAVAILABLE] * 9)
    done = camillo.run("offload", stdin=LOG)
    assert (done.returncode, done.stdout) == (6, LOG)
    assert done.stderr.count("\n") == 1
    assert "(the output is printed as it is)" in done.stderr


def test_a_command_is_run_and_its_end_passed_on(camillo: Camillo, server: FakeServer) -> None:
    script = "import sys; print('out'); sys.stdout.flush(); print('err', file=sys.stderr); exit(3)"
    done = camillo.run("offload", "--", sys.executable, "-c", script)
    assert (done.returncode, done.stdout, done.stderr) == (3, "out\nerr\n", "")
    stated = server.desk.of("OffloadOutput")[0].artifact
    assert (stated.tool, stated.exit_code) == (Path(sys.executable).name, 3)
    assert "print" in stated.command


@pytest.mark.parametrize(
    ("arguments", "code", "line"),
    [
        (["artifact", "put", "missing.log"], 2, "cannot read missing.log: No such file"),
        (["artifact", "cat", "missing"], 3, "(see 'camillo artifact list')"),
        (["artifact", "cat", "abc", "--lines", "x"], 2, "--lines takes two numbers"),
        (["artifact", "cat", "abc", "--lines", "1:2", "--start", "1"], 2, "not by bytes and lines"),
        (["artifact", "cat", "abc", "--end", "0"], 2, "1 or more"),
        (["artifact", "list", "--min-size", "much"], 2, "is not a size"),
        (["artifact", "update", "abc"], 2, "nothing to change"),
        (["artifact", "rm", "missing", "--yes"], 3, "(see 'camillo artifact list')"),
        (["offload", "--", "no-such-command"], 2, "no-such-command: there is no such command"),
    ],
)
def test_a_failure_is_one_line_with_what_to_do(camillo: Camillo, arguments: list[str], code: int, line: str) -> None:
    found, told = camillo.refused(*arguments)
    assert found == code
    assert line in told


def test_a_download_that_fails_leaves_no_file(camillo: Camillo, tmp_path: Path) -> None:
    camillo.refused("artifact", "cat", "missing", "-o", str(tmp_path / "copy"))
    assert list(tmp_path.iterdir()) == []
