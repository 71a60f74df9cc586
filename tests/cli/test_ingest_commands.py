"""ingest: chat logs and trajectories become events, text files memories."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Camillo

HEADINGS = "format\tsessions\tevents\tmemories\tchunks\tknown\tfailed\tfile"


def message(text: str, **fields: Any) -> dict[str, Any]:
    return {"role": "user", "content": text, "timestamp": "2024-03-15T12:00:00Z", **fields}


def written(path: Path, *records: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def recorded(camillo: Camillo) -> list[dict[str, Any]]:
    """The stated part of each event, in the order of recording."""
    return [event["stated"] for event in camillo.lines("event", "list", "--limit", "1000")]


def test_a_log_is_recorded_once_however_often_it_is_ingested(camillo: Camillo, tmp_path: Path) -> None:
    texts = ["Ada trinkt Tee. 🍵", "שלום", "three"]
    log = written(tmp_path / "chat.jsonl", *map(message, texts))
    first = camillo.json("ingest", str(log))
    assert {name: first[name] for name in ("sessions", "events", "failed")} == {"sessions": 1, "events": 3, "failed": 0}
    assert first["chunks"] >= 3
    again = camillo("ingest", str(log)).splitlines()
    assert again == [HEADINGS, "jsonl\t0\t0\t0\t0\t3\t0\tchat.jsonl", "recorded nothing new: 3 were recorded before"]
    events = recorded(camillo)
    assert sorted(event["text"] for event in events) == sorted(texts)
    assert {event["session_id"] for event in events} == {"chat"}
    assert {tuple(event["tags"]) for event in events} == {("file:chat.jsonl",)}


def test_what_is_ingested_is_recalled(camillo: Camillo, tmp_path: Path) -> None:
    log = written(tmp_path / "chat.jsonl", message("The kettle is in the blue cupboard."))
    camillo("ingest", str(log))
    [hit, *_] = camillo.lines("recall", "Where is the kettle?", "--source", "event")
    assert "blue cupboard" in json.dumps(hit)


def test_broken_lines_are_named_and_the_others_are_recorded(camillo: Camillo, tmp_path: Path) -> None:
    log = written(tmp_path / "chat.jsonl", message("a"), message("b"))
    log.write_text(log.read_text() + "{broken\n" + json.dumps({"content": "of nobody"}) + "\n")
    done = camillo.run("ingest", str(log))
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        HEADINGS,
        "jsonl\t1\t2\t0\t2\t0\t2\tchat.jsonl",
        "recorded 2 events in 1 session",
    ]
    assert done.stderr.splitlines() == [
        "not recorded: chat.jsonl, line 3: is not JSON (Expecting property name enclosed in double quotes)",
        "not recorded: chat.jsonl, line 4: names nobody who said it",
        "camillo: 2 not recorded",
    ]


def test_once_a_line_is_mended_it_alone_is_recorded(camillo: Camillo, tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    output = "".join(f"line {number}\n" for number in range(20_000))
    log = written(
        tmp_path / "chat.jsonl",
        message("before"),
        message("ok"),
        "to be mended",
        message("ok"),
        message(f"the token is {secret}", metadata={"n": 1.5}),
        {"role": "tool", "tool_call_id": "7", "name": "run", "content": output},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "7", "function": {"name": "run", "arguments": '{"n": 3, "x": [0.1, null, true]}'}}],
        },
        {"role": "user", "content": "without a time"},
    )
    assert camillo.run("ingest", str(log)).returncode == 1
    before = camillo.lines("event", "list", "--limit", "1000")
    assert len(before) == 7
    log.write_text(log.read_text().replace('"to be mended"', json.dumps(message("ok, mended"))))
    told = camillo.json("ingest", str(log))
    assert (told["events"], told["known"], told["failed"]) == (1, 7, 0)
    after = camillo.lines("event", "list", "--limit", "1000")
    old = {event["event_id"] for event in before}
    assert [each["stated"]["text"] for each in after if each["event_id"] not in old] == ["ok, mended"]
    # A forgotten event may be recorded again.
    camillo("event", "forget", "--session", "chat", "--yes")
    assert camillo.json("ingest", str(log))["events"] == 8


def test_a_folder_is_ingested_with_its_documents(camillo: Camillo, tmp_path: Path) -> None:
    written(tmp_path / "runs/a.jsonl", message("hi"))
    history = [{"role": "user", "content": "Mend it.", "agent": "main"}]
    (tmp_path / "runs/b.traj").write_text(json.dumps({"history": history}))
    (tmp_path / "package.json").write_text('{"name": "x"}')
    (tmp_path / "notes.md").write_text("# Tea\n\nAda prefers green tea.")
    done = camillo.run("ingest", str(tmp_path))
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        HEADINGS,
        "jsonl\t1\t1\t0\t1\t0\t0\truns/a.jsonl",
        "swe-agent\t1\t1\t0\t1\t0\t0\truns/b.traj",
        f"documents\t0\t0\t1\t0\t0\t0\t{tmp_path}",
        "recorded 2 events in 2 sessions and 1 memory",
    ]
    assert done.stderr.splitlines() == [
        "note: skipped package.json: holds no conversation in a known format (name it with --format)",
        "note: 1 events have no time that could be read, and are recorded with the present time",
    ]
    [memory] = camillo.lines("list")
    assert memory["tags"] == ["file:notes.md"]


def test_a_dry_run_needs_no_server_and_tells_the_same(camillo: Camillo, tmp_path: Path) -> None:
    log = written(tmp_path / "chat.jsonl", message("a"), message("b", session_id="other"))
    nobody = ("--address", "localhost:1", "--dry-run")
    told = camillo.json("ingest", str(log), *nobody)
    assert told["dry_run"]
    assert (told["events"], told["sessions"]) == (2, 2)
    assert camillo("ingest", str(log), *nobody).endswith("would record 2 events in 2 sessions\n")
    assert recorded(camillo) == []
    camillo("ingest", str(log))
    assert len(recorded(camillo)) == 2


def test_one_session_can_stand_for_all(camillo: Camillo, tmp_path: Path) -> None:
    log = written(tmp_path / "chat.jsonl", message("a"), message("b", session_id="other"))
    camillo("ingest", str(log), "--session", "mine")
    assert {event["session_id"] for event in recorded(camillo)} == {"mine"}


def test_secrets_are_counted_and_not_recorded(camillo: Camillo, tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    log = written(tmp_path / "chat.jsonl", message(f"the token is {secret}"), message("tea"))
    done = camillo.run("ingest", str(log))
    assert done.returncode == 0
    assert "1 x " in done.stderr
    assert "taken out before it was stored" in done.stderr
    stored = json.dumps(recorded(camillo))
    assert secret not in stored
    assert "the token is" in stored


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('{"name": "x"}', "holds no conversation in a known format (name it with --format)"),
        ('{"messages": [', "is not JSON (line 1: Expecting value)"),
    ],
)
def test_a_named_file_that_is_no_conversation_is_a_failure(
    camillo: Camillo, tmp_path: Path, content: str, reason: str
) -> None:
    (tmp_path / "x.json").write_text(content)
    good = written(tmp_path / "good.jsonl", message("a"))
    done = camillo.run("ingest", str(tmp_path / "x.json"), str(good))
    assert done.returncode == 1
    assert f"not recorded: x.json, the file: {reason}" in done.stderr.splitlines()
    assert [event["text"] for event in recorded(camillo)] == ["a"]


def test_what_is_not_there_is_refused(camillo: Camillo, tmp_path: Path) -> None:
    code, line = camillo.refused("ingest", str(tmp_path / "missing.jsonl"))
    assert code == 2
    assert "No such file" in line
    code, line = camillo.refused("ingest", str(tmp_path))
    assert (code, line) == (2, f"there is nothing to ingest in {tmp_path}")


def test_a_server_that_is_not_there_is_told(camillo: Camillo, tmp_path: Path) -> None:
    log = written(tmp_path / "chat.jsonl", message("a"))
    code, line = camillo.refused("ingest", str(log), "--address", "localhost:1")
    assert code == 6
    assert "no server answers" in line
