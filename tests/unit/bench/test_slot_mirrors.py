"""Counts by the kills of mirrors: torn lines, lost writes, files that differ."""

import json
from pathlib import Path

import pytest

from bench.slots.kills import KEY, differing, lost_writes, torn_lines


def mirror(directory: Path, *contents: str, key: str = KEY) -> Path:
    (directory / "index").mkdir(parents=True)
    lines = [json.dumps({"key": key, "content": json.loads(each)}) for each in contents]
    (directory / "log.jsonl").write_text("".join(f"{line}\n" for line in lines))
    (directory / "index" / "牙科@1.json").write_text(contents[-1])
    return directory


def test_a_whole_mirror_of_every_write_counts_nothing(tmp_path: Path) -> None:
    killed, anew = (mirror(tmp_path / name, '{"n": 1}', '{"n": 2}') for name in ("a", "b"))
    assert torn_lines(killed) == torn_lines(tmp_path / "never begun") == 0
    assert lost_writes(killed, [(KEY, '{"n": 1}'), (KEY, '{"n": 2}')]) == 0
    assert differing(killed, anew, ['{"n": 2}', '{"n": 1}']) == 0


@pytest.mark.parametrize("end", ['{"key": "/a"', '{"key": "/a"}', '{"key": "/a"}}\n'])
def test_a_line_without_its_end_is_torn(tmp_path: Path, end: str) -> None:
    killed = mirror(tmp_path / "a", "1")
    with (killed / "log.jsonl").open("a") as log:
        log.write(end)
    assert torn_lines(killed) == 1


def test_a_write_that_the_log_has_not_once_is_lost(tmp_path: Path) -> None:
    killed = mirror(tmp_path / "a", "1", "2", "2")
    assert lost_writes(killed, [(KEY, "1"), (KEY, "2"), (KEY, "3"), ("/other", "1")]) == 3


def test_each_file_that_differs_counts_and_so_does_another_history(tmp_path: Path) -> None:
    killed, anew = mirror(tmp_path / "a", "1", "2"), mirror(tmp_path / "b", "1", "2")
    (anew / "index" / "牙科@1.json").write_text("3")
    (killed / "index" / "more.json").write_text("4")
    assert differing(killed, anew, ["2", "1"]) == 2
    assert differing(killed, anew, ["1", "2"]) == 3
