"""artifact and offload, against a running server."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Camillo, read_line, run_process
from tests.patience import PATIENCE_SECONDS
from tests.secret_samples import samples

Start = Callable[..., subprocess.Popen[bytes]]

LINES = [f"{n} " + ("שלום e\u0301" if n % 100 else "ошибка 错误 🍵") for n in range(1, 1001)]
LOG = "\n".join(LINES) + "\n"
DOCUMENT = '{"users": [{"name": "Ada", "n": 1.0}, {"name": "お茶", "n": 1e400}, {"name": "שלום"}]}'
NOWHERE = "localhost:1"


def put(camillo: Camillo, content: str | bytes = LOG, *arguments: str) -> str:
    """The id of a new artifact."""
    done = camillo.run("artifact", "put", "-", "--json", *arguments, stdin=content)
    assert done.returncode == 0, done.stderr
    artifact_id: str = json.loads(done.stdout)["artifact_id"]
    return artifact_id


def ids(camillo: Camillo, *options: str) -> list[str]:
    return [artifact["artifact_id"] for artifact in camillo.lines("artifact", "list", *options)]


def test_a_file_comes_back_byte_for_byte(camillo: Camillo, tmp_path: Path) -> None:
    file, copy = tmp_path / "сборка.log", tmp_path / "copy"
    file.write_bytes(bytes(range(256)) * 5000)
    done = camillo.run("artifact", "put", str(file))
    ref = done.stdout.rstrip("\n")
    assert ref.startswith("[MemoryRef: ")
    assert done.stderr.startswith("stored ")
    done = camillo.run("artifact", "cat", ref, "-o", str(copy))
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"wrote 1.2 MB to {copy}\n"
    assert copy.read_bytes() == file.read_bytes()


def test_parts_are_printed(camillo: Camillo) -> None:
    artifact_id = put(camillo)

    def part(*arguments: str) -> list[str]:
        return camillo("artifact", *arguments).splitlines()

    assert camillo("artifact", "cat", artifact_id) == LOG
    assert part("cat", artifact_id, "--lines", "5:7") == LINES[4:7]
    assert part("cat", artifact_id, "--lines", "999:") == LINES[998:]
    assert part("cat", artifact_id, "--around", "500", "-C", "1") == LINES[498:501]
    assert part("head", artifact_id, "-n", "3") == LINES[:3]
    assert part("head", artifact_id) == LINES[:10]
    assert part("tail", artifact_id, "-n", "2") == LINES[-2:]
    start = len("\n".join(LINES[:2]).encode()) + 1
    end = str(start + len(LINES[2].encode()))
    assert part("cat", artifact_id, "--start", str(start), "--end", end) == [LINES[2]]
    # A character belongs to the range in which it begins.
    assert part("cat", artifact_id, "--start", "-5") == ["🍵"]
    assert part("cat", artifact_id, "--start", "-4") == [""]


def test_values_of_a_document_are_printed_as_they_stand(camillo: Camillo) -> None:
    artifact_id = put(camillo, DOCUMENT, "--name", "users.json")

    def value(*arguments: str) -> str:
        return camillo("artifact", "cat", artifact_id, *arguments)

    assert value("--pointer", "/users/1/name") == '"お茶"'
    assert value("--pointer", "/users/1/n") == "1e400"
    assert json.loads(value("--pointer", "/users", "--slice", "2:")) == [{"name": "שלום"}]


def test_matching_lines_are_found(camillo: Camillo) -> None:
    artifact_id = put(camillo)
    done = camillo.run("artifact", "grep", "错误 🍵$", artifact_id, "-m", "2")
    assert done.stdout.splitlines() == [f"100:{LINES[99]}", f"200:{LINES[199]}"]
    assert done.stderr == ("note: ended after 2: continue with --from-line 201, or allow more with -m\n")
    around = camillo("artifact", "grep", "-F", "1000 ", artifact_id, "-C", "1").splitlines()
    assert around == [f"999-{LINES[998]}", f"1000:{LINES[999]}"]
    [match] = camillo.lines("artifact", "grep", "ОШИБКА", artifact_id, "-i", "--from-line", "950")
    assert match["line"]["number"] == "1000"
    assert camillo("artifact", "grep", "--ranked", "错误", artifact_id, "-m", "1").startswith("--- lines ")
    done = camillo.run("artifact", "grep", "not there", artifact_id)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "nothing found\n")


def test_a_list_is_filtered(camillo: Camillo) -> None:
    log = put(camillo, LOG, "--tool", "shell", "--tag", "a", "--tag", "b", "--session", "s1")
    document = put(camillo, DOCUMENT, "--tag", "a", "--sensitivity", "public")
    assert ids(camillo) == [document, log]
    assert ids(camillo, "--tool", "shell") == [log]
    assert ids(camillo, "--tag", "a", "--tag", "b") == [log]
    assert ids(camillo, "--any-tag", "a") == [document, log]
    assert ids(camillo, "--session", "s1") == [log]
    assert ids(camillo, "--kind", "json") == [document]
    assert ids(camillo, "--min-size", "1k") == [log]
    assert ids(camillo, "--max-size", "1k") == [document]
    assert ids(camillo, "--since", "1d") == [document, log]
    assert ids(camillo, "--before", "1d") == []
    assert ids(camillo, "--channel", "public") == [document]
    assert ids(camillo, "--limit", "1") == [document]
    rows = camillo.rows("artifact", "list")
    assert [row[0] for row in rows] == [document, log]
    assert rows[1][2:6] == ["16.6 KB", "1,000", "log", "shell"]


def test_what_is_known_is_shown(camillo: Camillo) -> None:
    said = ("--command", "make all", "--exit-code", "2", "--meta", "n=5", "--meta", "ok=true")
    artifact_id = put(camillo, LOG, *said)
    shown = camillo("artifact", "show", artifact_id)
    for line in ("command      make all", "exit code    2", "metadata     n=5, ok=true", LINES[0], LINES[-1]):
        assert line in shown.splitlines()
    known = camillo.json("artifact", "show", artifact_id)
    assert known["artifact"]["line_count"] == "1000"
    assert known["preview"]["tail"].endswith(LINES[-1])
    assert artifact_id.startswith("make_all_")


def test_what_is_said_is_changed(camillo: Camillo) -> None:
    artifact_id = put(camillo, LOG, "--tag", "a", "--tag", "b", "--meta", "x=1", "--meta", "y=2")
    changed = camillo.json(
        "artifact", "update", artifact_id, "--add-tag", "c", "--remove-tag", "a", "--pin",
        "--meta", "x=", "--meta", "z=3", "--description", "журнал", "--expires", "2100-01-01T00:00Z",
    )  # fmt: skip
    assert (changed["version"], changed["pinned"]) == ("2", True)
    assert changed["tags"] == ["b", "c"]
    assert changed["metadata"] == {"y": 2, "z": 3}
    assert changed["memory_ref"] == f"[MemoryRef: {artifact_id} - журнал]"
    done = camillo("artifact", "update", artifact_id, "--expires", "never", "--unpin")
    assert done == f"updated {artifact_id} to version 3\n"
    known = camillo.json("artifact", "show", artifact_id)["artifact"]
    assert "expires_at" not in known
    code, line = camillo.refused("artifact", "update", artifact_id, "--name", "x", "--expected-version", "1")
    assert (code, line) == (4, "the artifact has version 3, not 1")
    code, line = camillo.refused("artifact", "update", artifact_id)
    assert (code, line) == (2, "nothing to change: name at least one field")


def test_what_is_removed_is_gone(camillo: Camillo) -> None:
    first, second, third = (put(camillo, f"{n} {LOG}") for n in range(3))
    assert camillo("artifact", "rm", first, second, "--yes") == f"removed {first}\nremoved {second}\n"
    assert ids(camillo) == [third]
    receipt = camillo.json("artifact", "rm", third, "--yes")
    assert receipt["bytes_deleted"] is True
    for command in (["show"], ["cat"], ["rm", "--yes"], ["cites"]):
        code, line = camillo.refused("artifact", *command, third)
        assert (code, line) == (3, f"artifact not found: {third} (see 'camillo artifact list')")


def test_equal_bytes_stay_while_another_has_them(camillo: Camillo) -> None:
    content = f"of {camillo.agent} alone\n"
    first, second = put(camillo, content), put(camillo, content)
    assert camillo.json("artifact", "rm", first, "--yes")["bytes_deleted"] is False
    assert camillo("artifact", "cat", second) == content
    assert camillo.json("artifact", "rm", second, "--yes")["bytes_deleted"] is True


def test_memories_that_cite_are_listed(camillo: Camillo) -> None:
    artifact_id = put(camillo)
    assert camillo.run("artifact", "cites", artifact_id).stderr == "nothing cites it\n"
    camillo("remember", "something else")
    in_text = camillo.json("remember", f"вот [MemoryRef: {artifact_id} - журнал]")["memory_id"]
    as_source = camillo.json("remember", "お茶", "--source", artifact_id)["memory_id"]
    rows = camillo.rows("artifact", "cites", artifact_id)
    assert sorted(rows) == sorted(["memory", camillo.agent, memory_id] for memory_id in (in_text, as_source))
    put(camillo, "another")
    assert ids(camillo, "--cited-by", in_text) == [artifact_id]


def test_a_shared_artifact_is_for_all_agents(camillo: Camillo) -> None:
    other = camillo.as_agent(f"{camillo.agent}-other")
    shared, own = put(camillo, LOG, "--shared"), put(camillo, DOCUMENT)
    assert other("artifact", "tail", shared, "-n", "1") == LINES[-1] + "\n"
    assert ids(other) == []
    assert shared in ids(other, "--shared")
    assert other.refused("artifact", "cat", own)[0] == 3
    code, line = camillo.refused("artifact", "put", "-", "--shared", "--sensitivity", "restricted", stdin="x")
    assert (code, "must not be RESTRICTED" in line) == (2, True)


def test_a_channel_decides_what_is_found(camillo: Camillo) -> None:
    artifact_id = put(camillo, LOG, "--sensitivity", "restricted")
    assert camillo("artifact", "head", artifact_id, "-n", "1") == LINES[0] + "\n"
    assert camillo.refused("artifact", "head", artifact_id, "--channel", "team")[0] == 3
    assert camillo.refused("artifact", "grep", "x", artifact_id, "--channel", "agent")[0] == 3


def test_a_secret_leaves_a_mark_of_its_length_and_a_note(camillo: Camillo) -> None:
    secret = samples(5)["github-pat"]
    content = f"первая\nключ {secret} お茶\nпоследняя\n"
    done = camillo.run("artifact", "put", "-", stdin=content)
    note = "note: a secret was taken out of the content before it was stored: github-pat"
    assert done.stderr.splitlines()[0] == note
    kept = camillo("artifact", "cat", done.stdout.rstrip("\n"))
    mark = "[redacted: github-pat]".ljust(len(secret), "*")
    assert kept == content.replace(secret, mark)
    done = camillo.run("offload", stdin=content)
    assert done.stdout == kept
    assert done.stderr == note + "\n"


def test_a_short_output_is_printed_as_it_is(camillo: Camillo) -> None:
    done = camillo.run("offload", stdin="お茶 🍵\nשלום\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, "お茶 🍵\nשלום\n", "")
    assert camillo("offload", stdin="") == ""
    assert ids(camillo) == []


def test_of_a_long_output_a_ref_is_printed(camillo: Camillo) -> None:
    done = camillo.run("offload", "--tool", "shell", "--session", "s1", stdin=LOG)
    first = done.stdout.splitlines()[0]
    [artifact] = camillo.lines("artifact", "list", "--session", "s1")
    assert first == artifact["memory_ref"]
    assert LINES[-1] in done.stdout.splitlines()
    assert done.stderr == f"kept {artifact['artifact_id']} (16.6 KB, 1,000 lines)\n"
    assert camillo("artifact", "cat", first) == LOG
    told = camillo.json("offload", stdin=LOG)
    assert int(told["output_tokens"]) > 500 > int(told["text_tokens"])
    assert camillo("offload", "--threshold", "100000", stdin=LOG) == LOG


def test_a_command_is_run_and_its_end_passed_on(camillo: Camillo) -> None:
    script = "import sys; print('お茶 ' * 3000); sys.stderr.write('broken'); sys.exit(7)"
    done = camillo.run("offload", "--", sys.executable, "-c", script)
    assert done.returncode == 7
    [artifact] = camillo.lines("artifact", "list")
    assert done.stdout.startswith(artifact["memory_ref"])
    assert artifact["exit_code"] == 7
    assert artifact["tool"] == Path(sys.executable).name
    assert camillo("artifact", "cat", artifact["artifact_id"]).endswith("broken")
    assert camillo("offload", "--", sys.executable, "-c", "print('short')") == "short\n"


def test_a_command_that_is_not_there_is_wrong_usage(camillo: Camillo) -> None:
    code, line = camillo.refused("offload", "--", "no-such-command-at-all")
    assert (code, line) == (2, "no-such-command-at-all: there is no such command")


def test_without_a_server_the_output_is_not_lost(camillo: Camillo) -> None:
    done = camillo.run("offload", "--address", NOWHERE, "--key", "cam_x", stdin=LOG)
    assert (done.returncode, done.stdout) == (6, LOG)
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith("(the output is printed as it is)\n")


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["cat", "ID", "--lines", "2000:"], 2, "there are 1000 lines"),
        (["cat", "ID", "--lines", "0:5"], 2, "must be 1 or more"),
        (["cat", "ID", "--lines", "5:2"], 2, "must not be before first"),
        (["cat", "ID", "--lines", "some"], 2, "--lines takes two numbers such as 5:20"),
        (["cat", "ID", "--pointer", ""], 1, "not one JSON document"),
        (["cat", "ID", "--pointer", "/a"], 3, "the JSON pointer names nothing"),
        (["cat", "ID", "--pointer", "a"], 2, "range.json.pointer"),
        (["cat", "ID", "--lines", "1:2", "--start", "5"], 2, "not by bytes and lines"),
        (["grep", "(", "ID"], 2, "not an expression that RE2 takes"),
        (["cat", "nobody_here"], 3, "artifact not found: nobody_here"),
        (["put", "/no/such/file"], 2, "cannot read /no/such/file: No such file or directory"),
        (["put", "-"], 2, "at least 1 byte"),
    ],
)
def test_a_failure_is_one_line(camillo: Camillo, arguments: list[str], code: int, told: str) -> None:
    artifact_id = put(camillo)
    given = [artifact_id if word == "ID" else word for word in arguments]
    failed, line = camillo.refused("artifact", *given)
    assert failed == code
    assert told in line


def test_bytes_have_no_lines(camillo: Camillo) -> None:
    artifact_id = put(camillo, b"\x00\xff\x00\xfe")
    for given in (["head", artifact_id], ["grep", "x", artifact_id]):
        code, line = camillo.refused("artifact", *given)
        assert code == 1
        assert line.startswith("the artifact is not text that has lines")
    [message] = camillo.lines("artifact", "cat", artifact_id, "--start", "2")
    assert message["data"] == "AP4="


def test_a_reader_that_leaves_early_is_no_failure_worth_a_line(camillo: Camillo, start: Start) -> None:
    artifact_id = put(camillo, LOG * 50)
    for arguments in (["cat", artifact_id], ["grep", "e", artifact_id, "-m", "10000"]):
        process = start("artifact", *arguments)
        assert LINES[0] in read_line(process)
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.wait(PATIENCE_SECONDS) == 141
        assert process.stderr.read() == b""


def test_a_process_of_its_own_takes_bytes_from_a_pipe(camillo: Camillo) -> None:
    content = bytes(range(256)) * 8000
    done = run_process("artifact", "put", "-", environ=camillo.environ, stdin=content)
    assert done.returncode == 0
    [artifact] = camillo.lines("artifact", "list")
    assert artifact["size_bytes"] == str(len(content))
    assert artifact["memory_ref"] == done.stdout.rstrip("\n")
