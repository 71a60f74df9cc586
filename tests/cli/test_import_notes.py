"""import: folders of notes that other tools keep; export in the forms of others."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Camillo

BASIC = """---
title: Coffee 咖啡
type: note
permalink: coffee
tags: [drinks]
---
# Coffee

Some prose with a [[Tea]] link.

## Observations
- [decision] Beans from 云南 #sourcing (since May)
- [method] Pour over
- [ ] a task, which is none

## Relations
- relates_to [[Tea Methods]] (since May)
"""
MEMORY = (
    "---\nname: tests\ndescription: How tests run\nmetadata:\n  type: feedback\n---\nAlways run `make check` first.\n"
)
GEMINI = (
    "# Rules\n\nSpeak English.\n\n"
    "## Gemini Added Memories\n- I like tea\n- أحب القهوة\n  very much\n\n## More\n\nUse tabs.\n"
)
FOLDERS: dict[str, tuple[dict[str, str], dict[str, dict[str, object]]]] = {
    "basic-memory": (
        {"coffee.md": BASIC},
        {
            "Coffee 咖啡: Beans from 云南 #sourcing (since May)": {
                "kind": "MEMORY_KIND_DECISION",
                "tags": ["file:coffee.md", "drinks", "sourcing"],
            },
            "Coffee 咖啡: Pour over": {"kind": "MEMORY_KIND_FACT"},
            "Coffee 咖啡 relates to Tea Methods": {"kind": "MEMORY_KIND_FACT"},
            "Coffee\n\nSome prose with a [[Tea]] link.": {},
            "Coffee > Observations\n\n- [ ] a task, which is none": {},
        },
    ),
    "claude-code": (
        {
            "memory/MEMORY.md": "# Index\n\n- [Tests](tests.md) - how they run\n",
            "memory/tests.md": MEMORY,
            "CLAUDE.md": "Be brief.\n",
        },
        {
            "Always run `make check` first.": {"kind": "MEMORY_KIND_INSTRUCTION"},
            "Be brief.": {"kind": "MEMORY_KIND_INSTRUCTION"},
        },
    ),
    "codex": (
        {
            "memory_summary.md": "v1\n\nAna builds shops.\n",
            "raw_memories.md": "Raw.\n",
            "rollout_summaries/a.md": "Fixed the till.\n",
            "AGENTS.md": "Use uv.\n",
        },
        {
            "v1\n\nAna builds shops.": {"kind": "MEMORY_KIND_SUMMARY"},
            "Fixed the till.": {"kind": "MEMORY_KIND_SUMMARY"},
            "Use uv.": {"kind": "MEMORY_KIND_INSTRUCTION"},
        },
    ),
    "gemini": (
        {"GEMINI.md": GEMINI},
        {
            "I like tea": {"kind": "MEMORY_KIND_INSTRUCTION"},
            "أحب القهوة very much": {},
            "Rules\n\nSpeak English.": {},
            "Rules > More\n\nUse tabs.": {},
        },
    ),
    "obsidian": (
        {"Kim.md": "Kim rides a #tandem/red with [[Ana|her sister]].\n\n```\n#no tag\n```\n", ".obsidian/a.md": "no"},
        {
            "Kim rides a #tandem/red with [[Ana|her sister]].\n\n```\n#no tag\n```": {
                "tags": ["file:Kim.md", "tandem/red"],
            },
        },
    ),
}


def write(folder: Path, files: dict[str, str]) -> str:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return str(folder)


def stored(camillo: Camillo) -> dict[str, Any]:
    return {each["content"]: each for each in camillo.lines("list")}


@pytest.mark.parametrize("form", FOLDERS)
def test_notes_become_memories_by_their_form(camillo: Camillo, tmp_path: Path, form: str) -> None:
    files, expected = FOLDERS[form]
    folder = write(tmp_path / "notes", files)
    assert camillo("import", folder, "--from", form).startswith(f"imported {len(expected)},")
    found = stored(camillo)
    assert set(found) == set(expected)
    for content, fields in expected.items():
        assert {name: found[content][name] for name in fields} == fields
    assert camillo("import", folder, "--from", form).startswith("imported 0,")
    if form == "obsidian":
        assert next(iter(found.values()))["metadata"]["links"] == "Ana"
    if form in ("basic-memory", "gemini"):
        # The content of a note tells its form.
        assert camillo("import", folder).startswith("imported 0,")


def test_a_folder_of_another_form_is_refused_and_a_link_out_of_it_not_followed(
    camillo: Camillo, tmp_path: Path
) -> None:
    folder = write(tmp_path / "notes", {"a.md": "Ana prefers tea.\n"})
    (tmp_path / "secret.md").write_text("A secret")
    (tmp_path / "notes/b.md").symlink_to(tmp_path / "secret.md")
    code, told = camillo.refused("import", folder, "--from", "basic-memory")
    assert (code, "no export of basic-memory: looked for notes with a permalink" in told) == (2, True)
    code, told = camillo.refused("import", folder, "--from", "mem0")
    assert (code, "an export of mem0 is a file" in told) == (2, True)
    done = camillo.run("import", folder, "--from", "obsidian")
    assert "it is a link to a file outside" in done.stderr
    assert set(stored(camillo)) == {"Ana prefers tea."}


def test_transcripts_in_a_folder_of_a_coding_agent_are_recorded(camillo: Camillo, tmp_path: Path) -> None:
    line = {
        "type": "user",
        "sessionId": "s-1",
        "uuid": "u1",
        "timestamp": "2026-01-31T12:00:00Z",
        "message": {"role": "user", "content": "茶在哪里？"},
    }
    files = {"memory/tests.md": MEMORY, "s-1.jsonl": json.dumps(line) + "\n"}
    folder = write(tmp_path / "project", files)
    assert "imported 1," in camillo("import", folder, "--from", "claude-code")
    assert [each["stated"]["text"] for each in camillo.lines("event", "list")] == ["茶在哪里？"]
    camillo("import", str(tmp_path / "project/s-1.jsonl"), "--from", "claude-code")
    assert len(camillo.lines("event", "list")) == 1


def without_agent(camillo: Camillo) -> list[dict[str, object]]:
    """Exported memories, without their agent and the model of vectors, which are computed later."""
    lines = camillo("export", "--archived", "include").splitlines()
    others = ("agent_id", "vector_model_id")
    return [{name: value for name, value in json.loads(line).items() if name not in others} for line in lines]


def test_an_export_as_mif_comes_back_whole(camillo: Camillo, tmp_path: Path) -> None:
    options = ("--kind", "preference", "--tag", "t", "--meta", "n=1.5", "--session", "s1", "--source", "e-1", "--pin")
    for text in ("plain", "お茶 🍵\nzwei Zeilen", "שלום"):
        camillo("remember", text, *options, "--valid-from", "2024-01-01", "--importance", "0.25")
    [*_, oldest] = camillo.lines("list")
    camillo("update", oldest["memory_id"], "--content", "changed", "--archive")
    file = tmp_path / "memories.mif.json"
    done = camillo.run("export", str(file), "--to", "mif", "--archived", "include")
    assert "mif has no place for vectors" in done.stderr
    assert json.loads(file.read_text())["mif_version"] == "2.0"
    other = camillo.as_agent(f"{camillo.agent}-copy")
    assert other("import", str(file)) == "imported 3, skipped 0, failed 0\n"
    assert without_agent(other) == without_agent(camillo)


def test_an_export_for_letta_has_blocks_and_passages(camillo: Camillo, tmp_path: Path) -> None:
    camillo("remember", "Name: Ana 🍵", "--pin", "--tag", "human")
    camillo("remember", "Prefers 绿茶", "--meta", "n=1")
    file = tmp_path / "memories.af"
    camillo("export", str(file), "--to", "letta")
    written = json.loads(file.read_text())
    assert [(each["label"], each["value"]) for each in written["blocks"]] == [("human", "Name: Ana 🍵")]
    assert [(each["text"], each["metadata"]) for each in written["passages"]] == [("Prefers 绿茶", {"n": 1.0})]
    other = camillo.as_agent(f"{camillo.agent}-copy")
    assert other("import", str(file)).startswith("imported 2,")
    assert set(stored(other)) == set(stored(camillo))
    empty = camillo.as_agent(f"{camillo.agent}-empty")
    for form in ("mif", "letta"):
        assert json.loads(empty("export", "--to", form))
    assert empty("export", "--to", "markdown") == empty("export", "--format", "md") == ""
