"""workflow record and show, as they are typed."""

import re

from tests.cli.conftest import Camillo

OUTPUT = "выполнено 👩‍👩‍👧\nالسطر الثاني e\u0301"


def test_steps_are_recorded_and_shown_as_a_timeline(camillo: Camillo) -> None:
    camillo("workflow", "record", "nightly", "fetch", OUTPUT, "--run", "7")
    told = camillo.run(
        *("workflow", "record", "nightly", "load", "-", "--run", "7", "--status", "failed"), stdin="line 导入\n" * 9_000
    )
    artifact = re.search(r"the artifact (\w+)", told.stderr)
    assert artifact
    camillo("workflow", "record", "nightly", "load", "--run", "8")
    rows = camillo.rows("workflow", "show", "nightly")
    assert [row[1:4] for row in rows] == [
        ["7", "fetch", "succeeded"],
        ["7", "load", "failed"],
        ["8", "load", "succeeded"],
    ]
    assert [row[5:] for row in rows] == [["", "выполнено 👩‍👩‍👧"], [artifact[1], "line 导入"], ["", ""]]
    assert [bool(re.fullmatch(r"\+[\d.]+ s", row[4])) for row in rows] == [False, True, True]
    assert len(camillo.rows("workflow", "show", "nightly", "--run", "7")) == 2
    assert len(camillo.rows("workflow", "show", "nightly", "--status", "failed")) == 1
    first, *_ = camillo.lines("workflow", "show", "nightly")
    assert first["stated"]["workflow_step"]["output"] == OUTPUT
    assert camillo("workflow", "show", "weekly") == ""


def test_steps_are_events(camillo: Camillo) -> None:
    camillo("workflow", "record", "weekly", "fetch", OUTPUT, "--run", "7", "--session", "s1")
    (row,) = camillo.rows("event", "list", "--workflow", "weekly", "--step", "fetch")
    assert row[-1].startswith("weekly / fetch: succeeded")
    assert camillo("event", "list", "--workflow", "weekly", "--status", "failed") == ""
    shown = camillo("event", "show", row[0]).splitlines()
    assert "run          7" in shown
    assert "session      s1" in shown
    assert OUTPUT.splitlines()[0] in shown
