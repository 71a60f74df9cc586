"""docs sync, as it is typed: a folder that is kept published."""

import json
import os
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Camillo

TEXTS = {
    "travel.md": "# Travel 🧳\n\n预订酒店需要经理批准。\n",
    "legal/عقود.txt": "مراجعة العقود قبل التوقيع.\n",
    "page.html": "<html><body><h1>Page</h1><p>Text</p></body></html>",
    "tool.py": "def main():\n    pass\n",
    ".hidden.md": "hidden",
    "node_modules/x.md": "not ours",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in TEXTS.items():
        write(tmp_path, name, text)
    return tmp_path


def write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def sync(camillo: Camillo, folder: Path, *more: str) -> dict[str, object]:
    prefix = f"{camillo.agent}/"
    done: dict[str, object] = camillo.json("docs", "sync", str(folder), "--prefix", prefix, *more)
    return done


def stored(camillo: Camillo) -> dict[str, int]:
    """The versions of documents by their paths in the folder."""
    prefix = f"{camillo.agent}/"
    listed = camillo.lines("docs", "list", "--prefix", prefix)
    return {each["stated"]["name"].removeprefix(prefix): int(each["version"]) for each in listed}


def publications(camillo: Camillo) -> int:
    entries = camillo("audit", "list", "--method", "KnowledgeService/PublishDocument", "--json")
    return len(entries.splitlines())


def test_a_folder_is_published_and_what_is_unchanged_is_not_sent(camillo: Camillo, folder: Path) -> None:
    (folder / "page.html").unlink()
    assert sync(camillo, folder)["unchanged"] == 0
    assert stored(camillo) == {"legal/عقود.txt": 1, "travel.md": 1}
    before = publications(camillo)
    again = sync(camillo, folder)
    assert (again["published"], again["deleted"], again["unchanged"]) == ([], [], 2)
    assert publications(camillo) == before
    write(folder, "travel.md", "# Travel\n\nChanged.\n")
    assert sync(camillo, folder, "--code")["published"] == [f"{camillo.agent}/tool.py", f"{camillo.agent}/travel.md"]
    assert stored(camillo) == {"legal/عقود.txt": 1, "tool.py": 1, "travel.md": 2}
    # Category, tags and the like are part of a document, so that other ones publish it again.
    said = sync(camillo, folder, "--code", "--category", "policy", "--tag", "hr")
    assert len(said["published"]) == 3  # type: ignore[arg-type]


def test_renames_and_deletions_follow_and_foreign_documents_stay(camillo: Camillo, folder: Path) -> None:
    (folder / "page.html").unlink()
    foreign = f"{camillo.agent}/foreign.md"
    camillo.run("docs", "publish", "-", "--name", foreign, stdin="# Not of the folder\n")
    sync(camillo, folder, "--code")
    (folder / "travel.md").rename(folder / "journeys.md")
    planned = sync(camillo, folder, "--code", "--dry-run")
    assert (planned["publish"], planned["delete"]) == ([f"{camillo.agent}/journeys.md"], [f"{camillo.agent}/travel.md"])
    assert "travel.md" in stored(camillo)
    assert sync(camillo, folder, "--code", "--keep")["deleted"] == []
    assert sync(camillo, folder, "--code")["deleted"] == [f"{camillo.agent}/travel.md"]
    assert set(stored(camillo)) == {"foreign.md", "journeys.md", "legal/عقود.txt", "tool.py"}
    for name in ("journeys.md", "legal/عقود.txt"):
        (folder / name).unlink()
    refused = camillo.run("docs", "sync", str(folder), "--code", "--prefix", f"{camillo.agent}/")
    assert (refused.returncode, "delete 2 of 3" in refused.stderr) == (2, True)
    assert len(sync(camillo, folder, "--code", "--yes")["deleted"]) == 2  # type: ignore[arg-type]
    assert set(stored(camillo)) == {"foreign.md", "tool.py"}


def test_what_is_no_document_is_told_and_stops_no_other(camillo: Camillo, folder: Path) -> None:
    (folder / "page.html").unlink()
    (folder / "noise.md").write_bytes(bytes(range(256)) * 9)
    outside = folder.parent / f"{folder.name}-outside.md"
    outside.write_text("# Outside\n", "utf-8")
    (folder / "linked.md").symlink_to(outside)
    done = camillo.run("docs", "sync", str(folder), "--prefix", f"{camillo.agent}/", "--json")
    result = json.loads(done.stdout)
    assert (done.returncode, list(result["failed"])) == (1, [f"{camillo.agent}/noise.md"])
    assert "linked.md" in done.stderr
    assert set(stored(camillo)) == {"legal/عقود.txt", "travel.md"}


def test_names_are_published_in_one_normal_form(camillo: Camillo, tmp_path: Path) -> None:
    name = "Prüfung.md"
    write(tmp_path, unicodedata.normalize("NFD", name), "# Prüfung\n")
    sync(camillo, tmp_path)
    assert set(stored(camillo)) == {name}
    assert sync(camillo, tmp_path)["unchanged"] == 1


def test_changes_are_followed_until_it_is_interrupted(
    camillo: Camillo, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "page.html").unlink()
    new = folder / "new.md"
    changes: list[Callable[[], object]] = [
        lambda: new.write_text("# New\n", "utf-8"),
        lambda: os.utime(new),
        new.unlink,
    ]
    steps = iter(changes)

    def step(seconds: float) -> None:
        change = next(steps, None)
        if change is None:
            raise KeyboardInterrupt
        change()

    with monkeypatch.context() as patch:
        patch.setattr(time, "sleep", step)
        watched = camillo.run("docs", "sync", str(folder), "--watch", "--prefix", f"{camillo.agent}/")
    assert watched.returncode == 130
    assert watched.stdout.splitlines() == [
        "published 2, deleted 0; 0 unchanged",
        "published 1, deleted 0; 2 unchanged",
        "published 0, deleted 1; 2 unchanged",
    ]
    assert set(stored(camillo)) == {"legal/عقود.txt", "travel.md"}
