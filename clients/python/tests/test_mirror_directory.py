"""A mirror's directory: what a reader finds in it, and what is left after it was killed."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from clients.python.tests import mirror_changes
from clients.python.tests.mirror_changes import SUBJECT, apply_all, batches

from camillo_client.mirror.directory import Forgotten, Hidden, MirrorDirectory, MirrorError
from camillo_client.mirror.envelope import Envelope, read_line
from camillo_client.mirror.paths import path_of
from camillo_client.mirror.position import Subject

# More where somebody waits for it: the server's own figure is 200.
KILLS = int(os.environ.get("CAMILLO_TEST_KILLS", "8"))


def envelope(key: str, content: str = '{"a":1.0}', *, version: int = 1, slot_id: str = "") -> Envelope:
    return Envelope(
        key,
        "2026-02-22T10:00:00Z",
        version,
        slot_id or f"id of {key}",
        content != "null",
        '{"kind": "user", "name": "chat"}',
        content,
    )


def files(directory: Path) -> dict[str, bytes]:
    """Everything that a reader sees, but for the position."""
    found = (path for path in directory.rglob("*") if path.is_file())
    return {
        str(path.relative_to(directory)): path.read_bytes()
        for path in found
        if path.name not in ("mirror.json", ".lock")
    }


def index(directory: Path) -> dict[str, bytes]:
    return {name: content for name, content in files(directory).items() if name.startswith("index/")}


def file_of(key: str) -> str:
    return "/".join(("index", *path_of(key)))


def test_a_reader_finds_the_newest_content_by_name_and_every_version_in_the_log(tmp_path: Path) -> None:
    calendar, style = "/user/calendar/2026-02-23_10-00_牙科复诊", "/user/preference/style"
    with MirrorDirectory(tmp_path, SUBJECT) as mirror:
        mirror.apply([envelope(calendar), envelope(style, '{"b": 2,\n "a": 1.0}')], "1")
        mirror.apply([envelope(calendar, "null", version=2)], "2")
        assert mirror.slots == 1
    assert index(tmp_path) == {file_of(style): b'{"b": 2,  "a": 1.0}\n'}
    assert os.listdir(tmp_path / "index" / "user") == ["preference"]
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text("utf-8").splitlines()]
    assert [(line["key"], line["version"], line["valid"]) for line in lines] == [
        (calendar, 1, True),
        (style, 1, True),
        (calendar, 2, False),
    ]
    assert lines[0] == {
        "key": calendar,
        "ts": "2026-02-22T10:00:00Z",
        "version": 1,
        "slot_id": f"id of {calendar}",
        "valid": True,
        "source": {"kind": "user", "name": "chat"},
        "content": {"a": 1.0},
    }


def test_what_is_forgotten_is_in_no_file(tmp_path: Path) -> None:
    with MirrorDirectory(tmp_path, SUBJECT, rotated_lines=3) as mirror:
        for number in range(4):
            secret = envelope("/user/secret", f'"geheim {number}"', version=number + 1)
            mirror.apply([secret, envelope(f"/user/{number}")], str(number))
        assert [path.name for path in (tmp_path / "archive").iterdir()]
        found = [name for name, content in files(tmp_path).items() if b"geheim" in content]
        assert len(found) >= 3  # archive, state, log or tree
        mirror.apply([Forgotten("id of /user/secret")], "4")
        mirror.apply([envelope("/user/secret", '"new"', slot_id="another")], "5")
    assert not [name for name, content in files(tmp_path).items() if b"geheim" in content]
    assert index(tmp_path)[file_of("/user/secret")] == b'"new"\n'
    assert len(index(tmp_path)) == 5


def test_what_may_not_be_loaded_any_more_leaves_the_tree(tmp_path: Path) -> None:
    with MirrorDirectory(tmp_path, SUBJECT) as mirror:
        mirror.apply([envelope("/user/a"), envelope("/user/b")], "1")
        mirror.apply([Hidden("id of /user/a")], "2")
        assert [*index(tmp_path)] == [file_of("/user/b")]
    with MirrorDirectory(tmp_path, SUBJECT) as mirror:
        assert mirror.slots == 1
        mirror.apply([envelope("/user/a", version=3)], "3")
    assert len(index(tmp_path)) == 2


def test_state_has_the_newest_version_of_what_has_content(tmp_path: Path) -> None:
    with MirrorDirectory(tmp_path, SUBJECT) as mirror:
        mirror.apply([envelope("/a"), envelope("/b"), envelope("/a", "2", version=2)], "1")
        mirror.apply([envelope("/b", "null", version=2), envelope("/c")], "2")
        assert mirror.compact() == 2
    state = (tmp_path / "state.jsonl").read_bytes().splitlines(keepends=True)
    assert [read_line(line).key for line in state] == ["/a", "/c"]


def test_a_second_process_is_kept_out(tmp_path: Path) -> None:
    with MirrorDirectory(tmp_path, SUBJECT), pytest.raises(MirrorError, match="another process has this mirror"):
        MirrorDirectory(tmp_path, SUBJECT)
    with MirrorDirectory(tmp_path, SUBJECT) as mirror:
        assert not mirror.resume_token


def test_a_directory_keeps_to_what_it_is_a_mirror_of(tmp_path: Path) -> None:
    with MirrorDirectory(tmp_path, SUBJECT):
        pass
    with pytest.raises(MirrorError, match="alice"):
        MirrorDirectory(tmp_path, Subject("bob"))
    other = tmp_path / "other"
    other.mkdir()
    (other / "log.jsonl").write_text("somebody's own\n")
    with pytest.raises(MirrorError, match="not a mirror"):
        MirrorDirectory(other, SUBJECT)
    assert (other / "log.jsonl").read_text() == "somebody's own\n"


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept.txt").write_text("as it was")
    mirrored = tmp_path / "mirror"
    (mirrored / "index").mkdir(parents=True)
    (mirrored / "index" / "user").symlink_to(outside)
    (mirrored / "log.jsonl").symlink_to(outside / "kept.txt")
    with pytest.raises(OSError):  # noqa: PT011, SIM117 -- the system's own words
        with MirrorDirectory(mirrored, SUBJECT):
            pass
    (mirrored / "log.jsonl").unlink()
    with MirrorDirectory(mirrored, SUBJECT) as mirror:
        mirror.apply([envelope("/user/a")], "1")
        (mirrored / file_of("/user/a")).unlink()
        (mirrored / file_of("/user/a")).symlink_to(outside / "kept.txt")
        mirror.apply([envelope("/user/a", '"again"', version=2)], "2")
    assert {path.name: path.read_text() for path in outside.iterdir()} == {"kept.txt": "as it was"}
    assert (mirrored / file_of("/user/a")).read_bytes() == b'"again"\n'


def test_a_start_tells_what_it_repairs(tmp_path: Path) -> None:
    with MirrorDirectory(tmp_path, SUBJECT) as mirror:
        mirror.apply([envelope("/a"), envelope("/b/c")], "1")
    as_it_was = files(tmp_path)
    with MirrorDirectory(tmp_path, SUBJECT) as mirror:
        assert (mirror.repairs.lines_dropped, mirror.repairs.files_written) == (0, 0)
    position = tmp_path / "mirror.json"
    position.write_text(position.read_text().replace('"is_closed": true', '"is_closed": false'))
    with (tmp_path / "log.jsonl").open("a") as log:
        log.write('{"key": "/torn')
    (tmp_path / file_of("/a")).write_text("changed by hand")
    (tmp_path / file_of("/b/c")).unlink()
    (tmp_path / "index" / "stray").mkdir()
    (tmp_path / "index" / "stray" / "file").touch()
    with MirrorDirectory(tmp_path, SUBJECT) as mirror:
        repairs = mirror.repairs
        assert (repairs.lines_dropped, repairs.files_written, repairs.files_removed) == (1, 2, 1)
    assert files(tmp_path) == as_it_was


def test_a_log_that_lost_lines_is_filled_anew(tmp_path: Path) -> None:
    with MirrorDirectory(tmp_path, SUBJECT) as mirror:
        mirror.apply([envelope("/a"), envelope("/b")], "1")
    os.truncate(tmp_path / "log.jsonl", 20)
    with MirrorDirectory(tmp_path, SUBJECT) as mirror:
        assert "the log cannot be read" in mirror.repairs.started_anew
        assert not mirror.resume_token
        assert not index(tmp_path)
        mirror.apply([envelope("/a")], "1")
    assert [*index(tmp_path)] == [file_of("/a")]


def test_a_log_that_was_long_enough_is_rotated_by_the_next_start(tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    first, second = ([envelope(f"/{name}") for name in names] for names in ("abc", "de"))
    with MirrorDirectory(whole, SUBJECT, rotated_lines=3) as mirror:
        mirror.apply(first, "1")
        mirror.apply(second, "2")
    # The state that a kill between a step and the rotation leaves.
    with MirrorDirectory(killed, SUBJECT) as mirror:
        mirror.apply(first, "1")
    with MirrorDirectory(killed, SUBJECT, rotated_lines=3) as mirror:
        mirror.apply(second, "2")
    assert files(killed) == files(whole)
    assert "archive/log_20260222.jsonl" in files(whole)


def test_what_is_forgotten_leaves_an_archive_that_alone_has_it(tmp_path: Path) -> None:
    with MirrorDirectory(tmp_path, SUBJECT, rotated_lines=2) as mirror:
        mirror.apply([envelope("/a", '"geheim"'), envelope("/a", "null", version=2)], "1")
        assert b"geheim" in files(tmp_path)["archive/log_20260222.jsonl"]
        mirror.apply([Forgotten("id of /a")], "2")
    assert not [name for name, content in files(tmp_path).items() if b"geheim" in content]


def test_what_a_step_had_begun_is_not_taken_for_the_rotation_before_it(tmp_path: Path) -> None:
    running, killed = tmp_path / "running", tmp_path / "killed"
    with MirrorDirectory(running, SUBJECT, rotated_lines=2) as mirror:
        mirror.apply([envelope("/a", '"geheim"'), envelope("/b")], "1")
        shutil.copytree(running, killed)
        # The next step takes the slot out of the archive, too, and is killed before that.
        (killed / "state.jsonl.new").write_bytes(envelope("/b").line)
        as_it_was = files(running)
        mirror.apply([Forgotten("id of /a")], "2")
    with MirrorDirectory(killed, SUBJECT, rotated_lines=2) as mirror:
        assert files(killed) == as_it_was
        mirror.apply([Forgotten("id of /a")], "2")
    assert files(killed) == files(running)
    assert not [name for name, content in files(killed).items() if b"geheim" in content]


def test_an_archive_that_was_being_written_is_taken_for_none(tmp_path: Path) -> None:
    with MirrorDirectory(tmp_path, SUBJECT, rotated_lines=2) as mirror:
        mirror.apply([envelope("/a", '"geheim"'), envelope("/b")], "1")
    torn = envelope("/a", '"geheim"').line[:-20]
    (tmp_path / "archive" / "@new").write_bytes(torn)
    with MirrorDirectory(tmp_path, SUBJECT, rotated_lines=2) as mirror:
        assert [*files(tmp_path / "archive")] == ["log_20260222.jsonl"]
        # A disk that is full leaves one behind while the mirror is open.
        (tmp_path / "archive" / "@new").write_bytes(torn)
        mirror.apply([Forgotten("id of /a")], "2")
    assert [*files(tmp_path / "archive")] == ["log_20260222.jsonl"]
    assert not [name for name, content in files(tmp_path).items() if b"geheim" in content]


@pytest.mark.parametrize("rotated_lines", [0, 40])
def test_killed_at_any_moment_it_goes_on_to_the_same_files(tmp_path: Path, rotated_lines: int) -> None:
    seed, count = 7, 400
    whole = tmp_path / "whole"
    with apply_all(whole, batches(seed, count), rotated_lines):
        pass
    killed, kills = tmp_path / "killed", 0
    draw = random.Random(seed)  # noqa: S311
    argv = [sys.executable, mirror_changes.__file__, str(killed), str(seed), str(count)]
    for _ in range(KILLS):
        process = subprocess.Popen([*argv, str(rotated_lines)], stdout=subprocess.PIPE)  # noqa: S603
        try:
            process.communicate(timeout=draw.uniform(0.1, 0.4))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            kills += 1
    assert kills
    with apply_all(killed, batches(seed, count), rotated_lines):
        pass
    left, right = files(killed), files(whole)
    assert left.keys() == right.keys()
    assert left == right
    for name, content in left.items():
        if name.endswith(".jsonl"):
            assert all(map(read_line, content.splitlines(keepends=True)))
