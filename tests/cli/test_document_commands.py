"""docs publish, list, show, versions, archive, restore and delete, as they are typed."""

import json
from pathlib import Path

from tests.cli.conftest import Camillo

TEXT = "# Travel 🧳\n\n预订酒店需要经理批准。\n\n## Flights\n\nThe office books them.\n"


def test_a_document_is_published_found_and_removed(camillo: Camillo, tmp_path: Path) -> None:
    name = f"{camillo.agent}/travel.md"
    file = tmp_path / "travel.md"
    # A section of its own, since equal passages of other documents would be found as well.
    text = f"{TEXT}\n## {camillo.agent}\n\nA section of its own.\n"
    file.write_text(text, "utf-8")
    publish = ("docs", "publish", str(file), "--name", name, "--category", "policy", "--tag", "hr")
    done = camillo.run(*publish, "--meta", "by=Ada")
    document_id = done.stdout.strip()
    assert f"published {name}, version 1 (" in done.stderr
    assert "is there already, in version 1" in camillo.run(*publish, "--meta", "by=Ada").stderr
    (row,) = camillo.rows("docs", "list", "--prefix", f"{camillo.agent}/")
    assert row[1:4] == [name, "1", f"{len(text.encode())} B"]
    assert row[-1] == "Travel 🧳"
    shown = camillo("docs", "show", name)
    assert shown.startswith(name)
    assert shown.endswith(f"\n\n{text}")
    assert f"id {document_id}" in " ".join(shown.split())
    assert "provenance by=Ada" in " ".join(shown.split())
    assert camillo("docs", "show", document_id, "--bytes", "2:14") == "Travel 🧳\n"
    found = camillo.json(
        "recall", f"{camillo.agent} 预订酒店需要经理批准", "--source", "document", "--agent", "@shared"
    )
    assert found["hits"][0]["chunk"]["citation"]["name"] == name


def test_versions_are_listed_and_a_document_comes_and_goes(camillo: Camillo) -> None:
    name = f"{camillo.agent}/茶.md"
    for text in (TEXT, f"{TEXT}More.\n"):
        camillo.run("docs", "publish", "-", "--name", name, stdin=text)
    rows = camillo.rows("docs", "versions", name)
    assert [row[1] for row in rows] == ["2", "1"]
    assert "More." not in camillo("docs", "show", name, "--version", "1")
    assert camillo("docs", "archive", name) == f"archived {name}\n"
    assert camillo("docs", "list", "--prefix", name, "--json") == ""
    assert camillo.json("docs", "list", "--prefix", name, "--archived", "only")["archived"]
    assert camillo("docs", "restore", name) == f"restored {name}\n"
    code, told = camillo.refused("docs", "delete", name)
    assert "confirm it with --yes" in told
    assert camillo("docs", "delete", name, "--yes").startswith(f"deleted {name} (2 versions, ")
    code, told = camillo.refused("docs", "show", name)
    assert "document not found" in told
    assert code


def test_documents_are_exported_whole(camillo: Camillo, tmp_path: Path) -> None:
    prefix = f"{camillo.agent}/"
    # More than an answer holds, and no byte border is one of characters.
    long = "茶 is served at four. " * 160_000
    for name, text in (("a.md", TEXT), ("long.txt", long)):
        fields = ("--name", f"{prefix}{name}", "--category", "policy")
        camillo.run("docs", "publish", "-", *fields, stdin=text)
    target = tmp_path / "documents.jsonl"
    said = camillo("docs", "export", str(target), "--prefix", prefix)
    assert said == f"exported 2 documents to {target}\n"
    lines = [json.loads(line) for line in target.read_text("utf-8").splitlines()]
    assert [each["name"] for each in lines] == [f"{prefix}a.md", f"{prefix}long.txt"]
    assert [each["text"] for each in lines] == [TEXT, long]
    assert (lines[0]["title"], lines[0]["categories"]) == ("Travel 🧳", ["policy"])
    assert (lines[0]["version"], lines[0]["archived"]) == (1, False)
    assert camillo("docs", "export", "--prefix", f"{prefix}none") == ""
    # Thousands of passages would be in the way of other tests.
    camillo("docs", "delete", f"{prefix}long.txt", "--yes")


def test_what_is_no_document_is_refused_with_a_reason(camillo: Camillo, tmp_path: Path) -> None:
    noise = tmp_path / "noise.md"
    noise.write_bytes(bytes(range(256)) * 9)
    _, told = camillo.refused("docs", "publish", str(noise))
    assert "the document is" in told
    _, told = camillo.refused("docs", "publish", str(tmp_path / "missing.md"))
    assert "missing.md" in told
    _, told = camillo.refused("docs", "publish", "-", "--name", "../x")
    assert "name" in told


def test_an_agent_finds_a_document_among_its_own_memories(camillo: Camillo) -> None:
    name = f"{camillo.agent}/hotels.md"
    # Equal passages of two documents would be one hit.
    camillo.run("docs", "publish", "-", "--name", name, stdin=f"{TEXT}\nOf {name}.\n")
    camillo("remember", "the manager likes hotels 酒店")
    rows = camillo.rows("recall", "预订酒店需要经理批准", "--everywhere", "--limit", "50")
    cited = f"{name} > Travel 🧳 @1"
    assert cited in {cell for row in rows for cell in row}
    assert {row[-3] for row in rows} >= {"document", "memory"}
    # A recall of the agent's own scope alone finds only the memory.
    (row,) = camillo.rows("recall", "酒店")
    assert row[-1] == "the manager likes hotels 酒店"
