"""skills put, list, show, delete and sync, as they are typed."""

import json
import signal
import threading
from pathlib import Path

import pytest
from camillo_client import Skills

from tests.cli.conftest import Camillo
from tests.rpc.knowledge.skill_calls import skill_text

PUT = "camillo.v1.KnowledgeService/PutSkill"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One skill in each layout."""
    write(tmp_path, ".claude/skills/review/SKILL.md", skill_text("review", body="审核 🚀"))
    write(tmp_path, "skills/deploy/SKILL.md", skill_text("deploy"))
    write(tmp_path, "tidy/SKILL.md", "---\ndescription: Ordnung halten\n---\nAufräumen.\n")
    write(tmp_path, "AGENTS.md", "# Regeln des Hauses\n\nكن لطيفا\n")
    write(tmp_path, "CLAUDE.md", "Be kind.\n")
    write(tmp_path, ".hidden/SKILL.md", skill_text("hidden"))
    write(tmp_path, "notes/README.md", "no skill")
    return tmp_path


EVERY = ["agents-md", "claude-md", "deploy", "review", "tidy"]


def write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def stored(camillo: Camillo, *options: str) -> list[str]:
    return [each["name"] for each in camillo.lines("skills", "list", *options)]


def sync(camillo: Camillo, folder: Path, *options: str) -> dict[str, object]:
    done: dict[str, object] = camillo.json("skills", "sync", str(folder), *options)
    return done


def puts(camillo: Camillo) -> int:
    """How often a skill was put into the scope of the agent."""
    entries = camillo("audit", "list", "--scope", camillo.agent, "--method", PUT[11:], "--json")
    return len(entries.splitlines())


def test_a_skill_is_put_shown_listed_and_deleted(camillo: Camillo, folder: Path) -> None:
    text = (folder / ".claude/skills/review/SKILL.md").read_text("utf-8")
    path = str(folder / ".claude/skills/review/SKILL.md")
    assert camillo("skills", "put", path) == "stored review, version 1\n"
    assert camillo("skills", "put", path) == "unchanged review, version 1\n"
    assert camillo("skills", "show", "review") == text
    (row,) = camillo.rows("skills", "list")
    assert (row[0], row[1], row[2], row[5]) == ("review", "agent", "1", "How to review.")
    code, line = camillo.refused("skills", "put", path, "--expected-version", "0")
    assert (code, "VERSION" in line or "version" in line) == (4, True)
    camillo("skills", "put", "-", "--name", "review", "--description", "d", stdin="changed\n")
    assert camillo("skills", "show", "review", "--version", "1") == text
    camillo("skills", "delete", "review", "--yes")
    assert camillo.refused("skills", "show", "review")[0] == 3


def test_every_layout_is_published_and_unchanged_ones_are_not_sent(camillo: Camillo, folder: Path) -> None:
    done = sync(camillo, folder)
    assert (done["published"], done["deleted"], done["unchanged"]) == (EVERY, [], 0)
    assert stored(camillo) == EVERY
    found = {each["name"]: each["description"] for each in camillo.lines("skills", "list")}
    assert found["agents-md"] == "AGENTS.md: Regeln des Hauses"
    assert (found["claude-md"], found["tidy"]) == ("CLAUDE.md", "Ordnung halten")
    assert puts(camillo) == 5
    again = camillo("skills", "sync", str(folder))
    assert again == "published 0, deleted 0; 5 unchanged\n"
    assert puts(camillo) == 5


def test_changes_renames_and_deletions_follow(camillo: Camillo, folder: Path) -> None:
    sync(camillo, folder)
    write(folder, "skills/deploy/SKILL.md", skill_text("deploy", body="changed"))
    (folder / "tidy").rename(folder / "clean")
    planned = sync(camillo, folder, "--dry-run")
    assert (planned["publish"], planned["delete"]) == (["clean", "deploy"], ["tidy"])
    assert stored(camillo) == EVERY
    done = sync(camillo, folder)
    assert (done["published"], done["deleted"]) == (["clean", "deploy"], ["tidy"])
    assert "changed" in camillo("skills", "show", "deploy")
    (folder / "clean" / "SKILL.md").unlink()
    assert sync(camillo, folder, "--keep")["deleted"] == []
    assert "clean" in stored(camillo)
    assert sync(camillo, folder)["deleted"] == ["clean"]
    assert "clean" not in stored(camillo)


def test_what_others_published_or_changed_stays(camillo: Camillo, folder: Path) -> None:
    camillo("skills", "put", "-", stdin=skill_text("foreign"))
    sync(camillo, folder)
    camillo("skills", "put", "-", stdin=skill_text("review", body="changed by somebody"))
    (folder / ".claude/skills/review/SKILL.md").unlink()
    (folder / "tidy/SKILL.md").unlink()
    done = sync(camillo, folder)
    assert (done["deleted"], done["left"]) == (["tidy"], ["review"])
    assert stored(camillo) == ["agents-md", "claude-md", "deploy", "foreign", "review"]
    # Another agent's is another owner: the file of the folder says nothing of it.
    other = camillo.as_agent(f"{camillo.agent}-2")
    other("skills", "put", "-", stdin=skill_text("tidy"))
    assert sync(other, folder)["deleted"] == []
    assert "tidy" in stored(other)


def test_more_than_half_goes_only_when_it_is_confirmed(camillo: Camillo, folder: Path) -> None:
    sync(camillo, folder)
    for name in ("skills/deploy/SKILL.md", "tidy/SKILL.md", "CLAUDE.md"):
        (folder / name).unlink()
    code, line = camillo.refused("skills", "sync", str(folder))
    assert (code, "delete 3 of 5" in line) == (2, True)
    assert stored(camillo) == EVERY
    assert sync(camillo, folder, "--yes")["deleted"] == ["claude-md", "deploy", "tidy"]


def test_a_file_that_is_no_skill_is_told_and_nothing_is_deleted(camillo: Camillo, folder: Path) -> None:
    sync(camillo, folder)
    write(folder, "tidy/SKILL.md", "---\nname: &a tidy\n---\n")
    write(folder, "long/SKILL.md", "x" * 262_145)
    write(folder, "skills/review/SKILL.md", skill_text("review", body="another"))
    outside = folder.parent / f"{folder.name}-outside"
    write(outside, "SKILL.md", skill_text("outside"))
    (folder / "linked").symlink_to(outside)
    done = camillo.run("skills", "sync", str(folder), "--json")
    result = json.loads(done.stdout)
    assert done.returncode == 1
    assert (result["published"], result["deleted"]) == ([], [])
    assert sorted(result["failed"]) == ["linked/SKILL.md", "long/SKILL.md", "skills/review/SKILL.md", "tidy/SKILL.md"]
    assert "262,144" in result["failed"]["long/SKILL.md"]
    assert stored(camillo) == EVERY


def test_a_refusal_of_the_server_stops_no_other_file(camillo: Camillo, folder: Path) -> None:
    secret = "ghp_" + "k3Tq9XwZ7vLm2Rj8Nc5Hs1Yb4Fd6Gp0aQeUi"
    write(folder, "tidy/SKILL.md", skill_text("tidy", body=f"Use {secret}"))
    done = camillo.run("skills", "sync", str(folder))
    assert done.returncode == 1
    assert done.stdout == "published 4, deleted 0; 0 unchanged\n"
    assert ("secret" in done.stderr, secret in done.stderr) == (True, False)


def test_what_was_done_before_an_interruption_is_known_to_the_next_run(
    camillo: Camillo, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put, first = Skills.put, threading.Event()

    def interrupting(self: Skills, text: str, **options: object) -> object:
        if first.is_set():
            signal.raise_signal(signal.SIGINT)
        answer = put(self, text, **options)  # type: ignore[arg-type]
        first.set()
        return answer

    with monkeypatch.context() as patch:
        patch.setattr("camillo_cli.folder_sync.AT_ONCE", 1)
        patch.setattr(Skills, "put", interrupting)
        assert camillo.run("skills", "sync", str(folder)).returncode == 130
    before = stored(camillo)
    assert 1 <= len(before) <= 5
    done = sync(camillo, folder)
    assert (done["published"], done["unchanged"]) == (sorted({*EVERY} - {*before}), len(before))
    (folder / "AGENTS.md").unlink()
    assert sync(camillo, folder)["deleted"] == ["agents-md"]


def test_a_damaged_state_is_told(camillo: Camillo, folder: Path) -> None:
    write(folder, ".camillo-skills.json", '{"a": [1]}')
    assert camillo.refused("skills", "sync", str(folder))[0] == 2
    assert camillo.refused("skills", "sync", str(folder / "CLAUDE.md"))[0] == 2


def test_skills_of_the_tenant_and_of_the_operator_are_published(camillo: Camillo, folder: Path) -> None:
    for level in ("tenant", "global"):
        sync(camillo, folder, "--level", level)
        assert stored(camillo, "--level", level) == EVERY
    assert {each["level"] for each in camillo.lines("skills", "list")} == {"SKILL_LEVEL_TENANT"}
    for level in ("tenant", "global"):
        for name in EVERY:
            camillo("skills", "delete", name, "--level", level, "--yes")
    assert stored(camillo) == []
