"""export, import and watch, against a running server."""

import json
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from camillo_cli.imports import command as importing
from camillo_cli.imports import parts

from tests.cli.conftest import Camillo, command, read_line
from tests.patience import PATIENCE_SECONDS

Start = Callable[..., subprocess.Popen[bytes]]


def export_without_agent(camillo: Camillo) -> list[dict[str, object]]:
    lines = camillo("export", "--vectors", "--archived", "include").splitlines()
    return [{k: v for k, v in json.loads(line).items() if k != "agent_id"} for line in lines]


def test_an_export_comes_back_whole(camillo: Camillo, tmp_path: Path) -> None:
    for text in ("plain", "お茶 🍵\nzwei Zeilen", "שלום"):
        camillo("remember", text, "--meta", "n=1.5", "--meta", "x=null", "--tag", "t", "--pin")
    [*_, oldest] = camillo.lines("list")
    camillo("update", oldest["memory_id"], "--content", "changed", "--archive")
    file = tmp_path / "memories.jsonl"
    exported = camillo("export", str(file), "--vectors", "--archived", "include")
    assert exported == f"exported 3 memories to {file}\n"

    other = camillo.as_agent(f"{camillo.agent}-copy")
    assert other("import", str(file)) == "imported 3, skipped 0, failed 0\n"
    copied = export_without_agent(other)
    assert copied == export_without_agent(camillo)
    assert all("vector" in memory for memory in copied)
    assert other("import", str(file)) == "imported 0, skipped 3, failed 0\n"


def test_an_export_as_markdown_is_to_be_read(camillo: Camillo) -> None:
    camillo("remember", "zwei\nZeilen 🍵", "--tag", "a\u200eb", "--kind", "preference")
    done = camillo.run("export", "--format", "md")
    first, second, about = done.stdout.splitlines()
    assert (first, second) == ("- zwei", "  Zeilen 🍵")
    assert about.startswith("  *preference · 20")
    assert "camillo backup takes all of it" in done.stderr
    assert camillo.refused("export", "--format", "md", "--vectors")[0] == 2


def test_replacing_puts_the_imported_in_place(camillo: Camillo, tmp_path: Path) -> None:
    memory = camillo.json("remember", "old")
    line = json.dumps({"memory_id": memory["memory_id"], "content": "new"})
    assert camillo("import", "-", stdin=line) == "imported 0, skipped 1, failed 0\n"
    camillo("import", "-", "--on-conflict", "replace", stdin=line)
    assert camillo.json("get", memory["memory_id"])["content"] == "new"


def test_a_folder_is_imported_once(camillo: Camillo, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/tea.md").write_text("# Tea\n\nAda prefers green tea.\n\n## Pots\nTwo.")
    (tmp_path / "notes.txt").write_text("Der Kessel ist groß.")
    (tmp_path / "image.md").write_bytes(b"\x89PNG\0")
    done = camillo.run("import", str(tmp_path))
    assert done.stdout == "imported 3, skipped 0, failed 0\n"
    assert done.stderr == f"note: skipped {tmp_path}/image.md: it contains no text\n"
    assert camillo("import", str(tmp_path)) == "imported 0, skipped 3, failed 0\n"
    [memory] = camillo.lines("list", "--meta", "heading=Tea > Pots")
    assert memory["content"] == "Tea > Pots\n\nTwo."
    assert memory["tags"] == ["file:docs/tea.md"]
    assert memory["metadata"]["heading"] == "Tea > Pots"
    assert memory["metadata"]["path"] == "docs/tea.md"


@pytest.mark.parametrize(
    ("arguments", "stdin", "line"),
    [
        (["-"], "{", "line 1 is not JSON"),
        (["-"], '{"content": "a"}\n{"contents": "b"}', "line 2 is not a memory"),
        (["missing.jsonl"], "", "cannot read missing.jsonl: No such file or directory"),
        (["missing"], "", "cannot read missing: No such file or directory"),
    ],
)
def test_an_import_of_something_else_is_refused(camillo: Camillo, arguments: list[str], stdin: str, line: str) -> None:
    code, found = camillo.refused("import", *arguments, stdin=stdin)
    assert code == 2
    assert found.startswith(line)


def test_every_bad_line_is_listed_and_nothing_is_stored_unless_they_are_skipped(
    camillo: Camillo, tmp_path: Path
) -> None:
    # More good lines before the first bad one than are sent at once.
    good = "".join(json.dumps({"content": f"number {n}"}) + "\n" for n in range(1_200))
    file = tmp_path / "memories.jsonl"
    file.write_text(good + '{\n{"content": "last"}\n{"contents": "b"}\n')
    done = camillo.run("import", str(file))
    assert (done.returncode, done.stdout) == (2, "")
    first, second, last = done.stderr.splitlines()
    assert first.startswith("line 1201 is not JSON")
    assert second.startswith("line 1203 is not a memory")
    assert last == (
        "camillo: 2 lines are bad: nothing was stored (correct this, or store the other 1,201 memories with --skip-bad)"
    )
    assert camillo.lines("list") == []
    skipping = camillo.run("import", str(file), "--skip-bad")
    assert skipping.returncode == 0
    assert skipping.stdout == "imported 1,201, skipped 0, failed 0\n"
    assert skipping.stderr.splitlines() == [f"note: skipped {line}" for line in (first, second)]


def test_of_very_many_bad_lines_the_first_are_listed(camillo: Camillo) -> None:
    done = camillo.run("import", "-", stdin="{\n" * 150)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 102
    assert "... and 50 more" in done.stderr.splitlines()


def test_what_is_piped_in_is_checked_as_a_whole(camillo: Camillo, start: Start) -> None:
    process = start("import", "-", stdin=subprocess.PIPE)
    out, errors = process.communicate(b'{"content": "a"}\n{\n', PATIENCE_SECONDS)
    assert (process.returncode, out) == (2, b"")
    assert b"nothing was stored" in errors
    assert camillo.lines("list") == []
    process = start("import", "-", "--skip-bad", stdin=subprocess.PIPE)
    out, _ = process.communicate(b'{"content": "a"}\n{\n', PATIENCE_SECONDS)
    assert out == b"imported 1, skipped 0, failed 0\n"


def test_the_bar_of_an_import_counts_what_is_stored(
    camillo: Camillo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # One file, in which a bar by bytes read would be at its end with the first memory.
    texts = [f"# Part {number}\n\nIt has the number {number}.\n" for number in range(25)]
    (tmp_path / "one.md").write_text("\n".join(texts))
    reports: list[tuple[float, int, int]] = []

    @contextmanager
    def bar(title: str, total: float) -> Iterator[Callable[[float, int], None]]:
        def report(done: float, count: int) -> None:
            reports.append((done / total, count, len(camillo.lines("list", "--limit", "1000"))))

        yield report

    monkeypatch.setattr(importing, "progress_bar", bar)
    monkeypatch.setattr(parts, "MAX_PART_MEMORIES", 10)
    assert camillo("import", str(tmp_path)) == "imported 25, skipped 0, failed 0\n"
    assert [(count, stored) for _, count, stored in reports] == [(10, 10), (20, 20), (25, 25)]
    assert [share for share, _, _ in reports] == pytest.approx([0.4, 0.8, 1.0], abs=0.01)


def test_failures_in_several_parts_are_numbered_through(camillo: Camillo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "MAX_PART_MEMORIES", 2)
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    texts = ["a", "", "c", secret, "", secret + "."]
    done = camillo.run("import", "-", stdin="".join(json.dumps({"content": t}) + "\n" for t in texts))
    assert done.stdout == "imported 3, merged 1, skipped 0, failed 2\n" or (
        done.stdout == "imported 4, skipped 0, failed 2\n"
    )
    assert "note: 2 x github-pat taken out before it was stored" in done.stderr
    assert [line[:33] for line in done.stderr.splitlines() if "number" in line] == ["not stored: 2 x, number 2, 5: mem"]


def test_what_breaks_a_limit_is_named_and_the_rest_is_stored(camillo: Camillo) -> None:
    done = camillo.run("import", "-", stdin='{"content": "a"}\n{"content": ""}\n')
    assert done.returncode == 1
    assert done.stdout == "imported 1, skipped 0, failed 1\n"
    assert done.stderr.splitlines() == [
        "not stored: number 2: memory.content: must have 1 to 2000 characters, has 0",
        "camillo: 1 not stored",
    ]


def test_nothing_to_import_is_no_failure(camillo: Camillo) -> None:
    assert camillo("import", "-", stdin="") == "imported 0, skipped 0, failed 0\n"


def test_an_export_that_fails_leaves_the_file_as_it_was(camillo: Camillo, tmp_path: Path) -> None:
    file = tmp_path / "memories.jsonl"
    file.write_text("before")
    code, _ = camillo.refused("export", str(file), "--address", "localhost:1")
    assert code == 6
    assert file.read_text() == "before"
    assert list(tmp_path.iterdir()) == [file]


def test_an_export_says_what_it_leaves_out(camillo: Camillo, tmp_path: Path) -> None:
    record = ("event", "record", "Where is the tea?", "--session", "s1")
    camillo(*record)
    archived = camillo.json("remember", "old")["memory_id"]
    camillo("update", archived, "--archive")
    camillo("remember", "new")
    for more, contents in (((), ["new"]), (("--archived", "include"), ["old", "new"])):
        done = camillo.run("export", *more)
        assert [json.loads(line)["content"] for line in done.stdout.splitlines()] == contents
        [line] = done.stderr.splitlines()
        assert line.startswith("note: left out: ")
        assert ("archived memories" in line) == (not more)
        for kind in ("events", "artifacts", "decisions", "tasks", "runs", "views", "handoffs"):
            assert kind in line
        assert "camillo backup" in line
    help = " ".join(camillo("export", "--help").split())
    assert "It is no backup" in help


def test_a_full_disk_is_told(camillo: Camillo) -> None:
    camillo("remember", "a")
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            command("export"),
            stdout=full,
            stderr=subprocess.PIPE,
            env=camillo.environ,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == b"camillo: No space left on device\n"


def test_a_reader_that_leaves_early_is_no_failure_worth_a_line(camillo: Camillo, start: Start) -> None:
    content = "".join(json.dumps({"content": f"{n} {'x' * 1500}"}) + "\n" for n in range(200))
    camillo("import", "-", stdin=content)
    process = start("export")
    read_line(process)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.wait(PATIENCE_SECONDS) == 141
    assert process.stderr.read() == b""


def test_a_watch_shows_changes_and_goes_on_from_a_token(camillo: Camillo, start: Start) -> None:
    first = camillo.json("remember", "before")
    watch = start("watch", "--from-beginning", "--json")
    change = json.loads(read_line(watch))
    assert change["changed"]["content"] == "before"
    camillo("forget", first["memory_id"], "--yes")
    while "forgotten_memory_id" not in (change := json.loads(read_line(watch))):
        assert "checkpoint" in change
    assert change["forgotten_memory_id"] == first["memory_id"]
    watch.send_signal(signal.SIGINT)
    assert watch.wait(PATIENCE_SECONDS) == 130
    assert watch.stderr is not None
    assert watch.stderr.read() == b""

    second = camillo.json("remember", "after")
    [line] = camillo("watch", "--resume", change["resume_token"], "--limit", "1").splitlines()
    assert line == f"remembered  {second['memory_id']}  after"


def test_a_watch_without_a_start_begins_now(camillo: Camillo, start: Start) -> None:
    camillo("remember", "before")
    watch = start("watch", "--json")
    assert "checkpoint" in json.loads(read_line(watch))
    camillo("remember", "after")
    while "changed" not in (change := json.loads(read_line(watch))):
        pass
    assert change["changed"]["content"] == "after"
