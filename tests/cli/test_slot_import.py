"""slots import: a log of slots is written again, each line once, in its order."""

import json
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Camillo
from tests.patience import PATIENCE_SECONDS
from tests.secret_samples import samples

KEY = "/user/calendar/2026-02-23_10-00_牙科复诊"
CHAT = {
    "kind": "user",
    "name": "chat",
    "retrieved_at": "2026-02-22T10:00:00Z",
    "locator": {"conversation_id": "c1", "message_id": "m10"},
}
MORNING = "2026-02-22T10:00:00Z"
Start = Callable[..., subprocess.Popen[bytes]]


def line(key: str, content: str, ts: str = MORNING, source: object = "chat") -> str:
    """A line as the design writes it, without versions; the content stays as it is spelled."""
    valid, told = json.dumps(content != "null"), json.dumps(source, ensure_ascii=False)
    name = json.dumps(key, ensure_ascii=False)
    return f'{{"key":{name},"ts":"{ts}","valid":{valid},"source":{told},"content":{content}}}\n'


def versions(camillo: Camillo, key: str) -> list[tuple[str, str]]:
    """The first first: content, and when it was first written."""
    found = camillo.lines("slots", "history", key)[::-1]
    return [(each["json_content"], each["occurred_at"]) for each in found]


def test_a_log_is_written_once_in_its_order(camillo: Camillo, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    reminder = '{"type": "reminder", "text": "明天10点牙科复诊", "n": 1.0, "b": 1e400}'
    lines = [
        line(KEY, reminder, source=CHAT),
        line("/a", '"A"'),
        line("/a", '"B"'),
        line("/a", '"A"'),
        line("/a", '"A"', "2026-02-22T18:00:00+08:00"),
        line(KEY, "null", "2026-02-23T10:02:00.5-08:00"),
    ]
    log.write_text("\ufeff" + "".join(lines) + "\n", "utf-8")
    done = camillo("slots", "import", str(log))
    assert done == "written 6, already there 0, left out 0\n"
    assert versions(camillo, "/a") == [(f'"{each}"', MORNING) for each in "ABAA"]
    assert versions(camillo, KEY) == [(reminder, MORNING), ("null", "2026-02-23T18:02:00.500Z")]
    first = camillo.lines("slots", "history", KEY)[-1]
    assert first["source"]["provenance"]["locator"] == CHAT["locator"]
    done = camillo("slots", "import", str(log))
    assert done == "written 0, already there 6, left out 0\n"
    grown = "".join([*lines, line("/a", '"C"')])
    told = camillo.run("slots", "import", "-", "--json", stdin=grown)
    assert json.loads(told.stdout) == {"written": 1, "known": 6, "bad": 0}
    assert [content for content, _ in versions(camillo, "/a")] == ['"A"', '"B"', '"A"', '"A"', '"C"']


def test_the_log_of_a_mirror_comes_back_as_another_agents(camillo: Camillo, tmp_path: Path) -> None:
    camillo("set", KEY, '{"text": "牙科",\n "n": 1.0}', "--source", "Ada said so")
    page = ("--kind", "web", "--name", "茶", "--retrieved-at", MORNING, "--locator", '{"n": 1.5}')
    for number in range(5):
        camillo("set", f"/kb/{4 - number}", str(number), *page)
        camillo("set", "/user/last", f'"{number}"', "--source", "chat")
    camillo("set", "/kb/3", "null", "--source", "gone")
    camillo("set", "/thread", '"羊"', "--source", "chat", "--no-index")
    camillo("mirror", str(tmp_path / "one"))
    log = tmp_path / "one/log.jsonl"
    other = camillo.as_agent(f"{camillo.agent}-copy")
    assert other("slots", "import", str(log)) == "written 13, already there 0, left out 0\n"
    other("mirror", str(tmp_path / "two"))

    def told(path: Path) -> list[object]:
        read = map(json.loads, (path / "log.jsonl").read_text("utf-8").splitlines())
        return [(each["key"], *list(each.values())[4:], each["version"]) for each in read]

    assert len(told(tmp_path / "one")) == 13
    assert [other.json("get-slot", key).get("unindexed", False) for key in ("/thread", "/kb/2")] == [True, False]
    assert told(tmp_path / "two") == told(tmp_path / "one")
    # Its own log is there already.
    assert camillo("slots", "import", str(log)) == "written 0, already there 13, left out 0\n"
    assert camillo.as_agent(f"{camillo.agent}-none").run("slots", "list").stdout == ""


def test_an_import_that_was_killed_goes_on(camillo: Camillo, start: Start, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text("".join(line(f"/k/{n % 7}", f'"{n}"') for n in range(600)), "utf-8")
    running = start("slots", "import", str(log))
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not camillo.run("slots", "list", "--limit", "1").stdout:
        assert time.monotonic() < deadline
    running.send_signal(signal.SIGKILL)
    running.wait(PATIENCE_SECONDS)
    done = camillo.json("slots", "import", str(log))
    assert done["written"] + done["known"] == 600
    assert done["known"] > 0
    for name in range(7):
        found = [content for content, _ in versions(camillo, f"/k/{name}")]
        assert found == [f'"{n}"' for n in range(name, 600, 7)]


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (b"{", "is not JSON"),
        (b"[1]", "is not a JSON object"),
        (b"null", "is not a JSON object"),
        (b"\xff{}", "is not UTF-8"),
        (b"[" * 100_000, "is not a JSON object"),
        (b'{"key":' + b"[" * 100_000, "is nested too deeply"),
        (b'"' + b"x" * 200_000 + b'"', "is too long for a slot"),
        (line("/a", "1").encode().replace(b'"ts"', b'"at"'), "has no ts"),
        (line("/a", "1").encode().strip()[:-1] + b',"x":1}', "has an unknown field 'x'"),
        (line("/a", "1").encode().strip()[:-1] + b',"key":"/b"}', "has a field twice"),
        (line("/a", "1").encode().strip() + b"{}", "has something behind its JSON object"),
        (line("a", "1").encode(), "key must begin with /"),
        (line("/a/../b", "1").encode(), "key must not contain a name that is . or .."),
        (line("/a", "NaN").encode(), "content must be JSON"),
        (line("/a", '{"a":1,"a":2}').encode(), "content must not have a key twice"),
        (line("/a", "1", "tomorrow").encode(), "ts must be a time"),
        (line("/a", "1", source={"kind": "oracle"}).encode(), "source.kind must be one of user"),
        (line("/a", "1", source={"kind": "user", "x": 1}).encode(), "source has an unknown field"),
        (line("/a", "1", source=7).encode(), "source must be a text or an object"),
        (line("/a", "1").encode().replace(b"true", b"false"), "valid must be false where"),
        (line("/a", "1").encode().replace(b"chat", b"\\ud800"), "is not UTF-8"),
    ],
)
def test_a_bad_line_is_named_and_nothing_is_written(camillo: Camillo, tmp_path: Path, bad: bytes, reason: str) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(line("/fine", "1").encode() + b"\n" + bad + b"\n")
    code, told = camillo.refused("slots", "import", str(log))
    assert code == 2
    assert told.startswith("line 3: ")
    assert reason in told
    assert camillo.run("slots", "list").stdout == ""
    done = camillo.run("slots", "import", str(log), "--skip-bad")
    assert done.stdout == "written 1, already there 0, left out 1\n"
    assert done.stderr.startswith("skipped line 3: ")


def test_a_line_that_the_server_refuses_is_named(camillo: Camillo, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text("".join(line(key, "1") for key in ("/first", "/kb/x", "/last")))
    done = camillo.run("slots", "import", str(log))
    assert (done.returncode, done.stdout) == (2, "")
    assert "camillo: line 2: content from there has to tell its source" in done.stderr
    assert "1 lines are written" in done.stderr
    done = camillo.run("slots", "import", str(log), "--skip-bad")
    assert done.stdout == "written 1, already there 1, left out 1\n"
    assert [row[0] for row in camillo.rows("slots", "list")] == ["/first", "/last"]
    missing = camillo.refused("slots", "import", "missing.jsonl")
    assert missing == (2, "cannot read missing.jsonl: No such file or directory")


def test_a_secret_is_taken_out_and_its_line_is_known_all_the_same(camillo: Camillo, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    secret = samples(13)["github-pat"]
    log.write_text(line("/a", f'"{secret}"') + line("/a", '"plain"'))
    assert camillo.run("slots", "import", str(log)).stdout.startswith("written 2,")
    assert secret not in str(versions(camillo, "/a"))
    assert camillo("slots", "import", str(log)).startswith("written 0, already there 2,")
