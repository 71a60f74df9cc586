"""slots watch, slots export, digest: slots as they are written, all of them, and in brief."""

import json
import signal
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.cli.conftest import Camillo, read_line

KEY = "/user/calendar/2026-02-23_10-00_牙科复诊"
TEA = "/user/🍵 שלום"
SAID = ("--source", "Ada said so")


def test_slots_are_printed_as_they_are_written(camillo: Camillo, start: Callable[..., subprocess.Popen[bytes]]) -> None:
    camillo("set", KEY, '{"text": "明天10点"}', *SAID)
    camillo("set", "/agent/state", "1", *SAID)
    watching = start("slots", "watch", "/user", "--from-beginning", "--triggers")
    assert read_line(watching).split() == ["set", KEY, "1", '{"text":', '"明天10点"}']
    soon = datetime.now(UTC) + timedelta(seconds=1)
    due = {"text": "tea", "trigger_at": soon.isoformat()}
    slot = camillo.json("set", TEA, json.dumps(due), *SAID)
    assert read_line(watching).startswith(f"set        {TEA}  1  ")
    assert read_line(watching) == f"due        {TEA}  tea\n"
    camillo("set", KEY, "null", *SAID)
    assert read_line(watching) == f"removed    {KEY}  2\n"
    camillo("lifecycle", "forget", "--slot", slot["slot_id"], "--yes")
    assert read_line(watching) == f"forgotten  {slot['slot_id']}\n"
    watching.send_signal(signal.SIGINT)
    assert watching.wait() == 130


def test_a_watch_goes_on_behind_a_token(camillo: Camillo) -> None:
    for number in range(3):
        camillo("set", KEY, str(number), *SAID)
    first = camillo("slots", "watch", "--from-beginning", "--limit", "1", "--json")
    token = json.loads(first)["resume_token"]
    rest = camillo("slots", "watch", "--resume", token, "--limit", "2")
    assert [line.split()[-1] for line in rest.splitlines()] == ["1", "2"]


def test_every_version_is_exported_as_a_line_of_a_mirrors_log(camillo: Camillo, tmp_path: Path) -> None:
    for key, content in ((KEY, '{"n": 1.0}'), (TEA, "2"), (KEY, "null"), ("/agent/a", "3")):
        camillo("set", key, content, *SAID)
    camillo("mirror", str(tmp_path / "mirror"))
    log = (tmp_path / "mirror" / "log.jsonl").read_text("utf-8")
    assert camillo("slots", "export") == log
    file = tmp_path / "slots.jsonl"
    said = camillo("slots", "export", str(file), "--prefix", "/user")
    assert said == f"exported 3 versions to {file}\n"
    told = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert [(line["key"], line["valid"]) for line in told] == [(KEY, True), (TEA, True), (KEY, False)]
    newest = camillo("slots", "export", "--newest").splitlines()
    assert [json.loads(line)["key"] for line in newest] == ["/agent/a", TEA]


def test_a_digest_is_printed_as_a_model_is_shown_it(camillo: Camillo) -> None:
    for key, content in (
        (KEY, {"type": "reminder", "summary": "明天10点牙科复诊"}),
        ("/user/old", {"summary": "past", "expired_at": "2026-01-01T00:00:00Z"}),
        (TEA, {"summary": "likes tea"}),
    ):
        camillo("set", key, json.dumps(content), *SAID)
    printed = camillo("digest")
    # Other tests write to the scope that all agents share.
    lines = [line for line in printed.splitlines() if line[:2] == "- " and "(shared" not in line]
    assert lines == [
        f"- {TEA[1:]} (trust: unknown) likes tea",
        f"- {KEY[1:]} reminder (trust: unknown) 明天10点牙科复诊",
    ]
    earlier = camillo("digest", "--current-time", "2025-12-31T00:00Z")
    assert "- user/old" in earlier
    assert "- user/old" not in printed
    rows = camillo.rows("digest", "--explain")
    assert len([row for row in rows if "kept" in row]) >= 2
    built = camillo.json("digest", "--tag", "health")
    assert lines[0] in built["prompt"].splitlines()
    assert "- " not in camillo("digest", "--token-limit", "5")
