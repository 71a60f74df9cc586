"""import: files of other tools, tables, and folders that are kept in step."""

import base64
import json
import textwrap
from pathlib import Path

import pytest

from tests.cli.conftest import Camillo

GRAPH = [
    {"type": "entity", "name": "Kim", "entityType": "person", "observations": ["Owns a shop", "讲巴斯克语"]},
    {"type": "relation", "from": "Kim", "to": "Shop", "relationType": "owns"},
]
MEM0 = {
    "results": [
        {
            "id": "0199b6b2-0000-7000-8000-000000000001",
            "memory": "Prefers aisle seats",
            "hash": "abc",
            "metadata": {"topic": "travel"},
            "categories": ["travel"],
            "created_at": "2025-05-01T10:00:00-07:00",
            "updated_at": None,
            "user_id": "ana",
            "run_id": "r1",
        }
    ]
}


def write(path: Path, value: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def contents(camillo: Camillo) -> set[str]:
    return {each["content"] for each in camillo.lines("list")}


def test_a_graph_of_entities_becomes_statements(camillo: Camillo, tmp_path: Path) -> None:
    lines = "\n".join(json.dumps(each) for each in GRAPH)
    assert camillo("import", str(write(tmp_path / "memory.json", lines))).startswith("imported 3,")
    known = {"Kim: Owns a shop", "Kim: 讲巴斯克语", "Kim owns Shop"}
    assert contents(camillo) == known
    whole = {"entities": [GRAPH[0]], "relations": [GRAPH[1]]}
    for again in (write(tmp_path / "memory.jsonl", lines), write(tmp_path / "graph.json", whole)):
        assert camillo("import", str(again)).startswith("imported 0,")


def test_an_export_of_mem0_keeps_what_it_says(camillo: Camillo, tmp_path: Path) -> None:
    assert camillo("import", str(write(tmp_path / "mem0.json", MEM0))).startswith("imported 1,")
    [memory] = camillo.lines("list", "--user", "ana")
    assert memory["content"] == "Prefers aisle seats"
    assert memory["tags"] == ["travel"]
    assert memory["session_id"] == "r1"
    assert memory["occurred_at"] == "2025-05-01T17:00:00Z"
    assert memory["metadata"] == {"topic": "travel", "hash": "abc", "user_id": "ana"}


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", {"a": 1, "b": 2}, "no memories in a known form (names: a, b)"),
        ("a.json", [1, 2], "no memories in a known form"),
        ("a.txt", {"a": 1}, "no memories in a known form"),
        ("a.md", '[{"x": 1}]', "no memories in a known form"),
        ("a", {"a": 1}, "no memories in a known form"),
        ("a.json", [{"role": "user", "content": "hi"}], "camillo ingest"),
        ("a.jsonl", {"type": "user", "message": {"role": "user", "content": "hi"}}, "ingest"),
        ("a.json", {"score": 1, "query": "tea", "results": [{"text_id": 4}]}, "mem0: objects with memory"),
        ("a.html", "<p>x</p>", "camillo docs"),
        ("a.yaml", "a: 1", "data of another form"),
        ("a.csv", "name,thing\nAna,tea\n", "no column is the content (columns: name, thing)"),
        ("a.bin", "\x00\x01", "no text"),
        ("a.json", '{"broken":', "is not JSON"),
        ("a.json", "null\n", "no memories in a known form"),
        ("a.json", "Ana prefers tea", "is not JSON"),
    ],
)
def test_a_file_in_no_known_form_is_refused(
    camillo: Camillo, tmp_path: Path, name: str, content: object, message: str
) -> None:
    code, told = camillo.refused("import", str(write(tmp_path / name, content)))
    assert code == 2
    assert message in told
    assert contents(camillo) == set()


def test_prose_that_begins_with_a_bracket_is_text(camillo: Camillo, tmp_path: Path) -> None:
    note = write(tmp_path / "a.md", "[Ana](x) prefers tea.")
    assert camillo("import", str(note)).startswith("imported 1,")


def test_text_of_windows_is_read(camillo: Camillo, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("Ana mag Grüntee 🍵".encode("utf-16"))
    (tmp_path / "b.json").write_bytes(json.dumps([{"content": "שלום"}]).encode("utf-16"))
    for name in ("a.txt", "b.json"):
        assert camillo("import", str(tmp_path / name)).startswith("imported 1,")
    assert contents(camillo) == {"Ana mag Grüntee 🍵", "שלום"}


def test_columns_are_mapped_and_filled_in(camillo: Camillo, tmp_path: Path) -> None:
    table = write(tmp_path / "likes.csv", 'who,what,topic,kind\nAna,"tea, green",drinks;tea,preference\nKim,云,,fact\n')
    camillo("import", str(table), "--template", "{who} likes {what}", "--map", "topic=tags")
    found = {each["content"]: each for each in camillo.lines("list")}
    assert set(found) == {"Ana likes tea, green", "Kim likes 云"}
    ana = found["Ana likes tea, green"]
    assert ana["tags"] == ["drinks", "tea"]
    assert ana["kind"] == "MEMORY_KIND_PREFERENCE"
    assert ana["metadata"] == {"who": "Ana", "what": "tea, green"}


def test_each_row_and_each_file_may_have_an_agent(camillo: Camillo, tmp_path: Path) -> None:
    table = write(tmp_path / "a.csv", "user,text\nana-1,likes tea\nkim-1,likes coffee\n")
    camillo("import", str(table), "--agent-from", "user", "--map", "text=content")
    assert contents(camillo.as_agent("ana-1")) == {"likes tea"}
    assert contents(camillo.as_agent("kim-1")) == {"likes coffee"}
    write(tmp_path / "notes/ana-2/a.md", "Ana's note")
    write(tmp_path / "notes/kim-2/b.md", "Kim's note")
    camillo("import", str(tmp_path / "notes"), "--agent-from", "folder")
    assert contents(camillo.as_agent("ana-2")) == {"Ana's note"}
    assert contents(camillo.as_agent("kim-2")) == {"Kim's note"}
    code, told = camillo.refused("import", str(table), "--agent-from", "nobody")
    assert (code, "'nobody'" in told) == (2, True)


def test_rows_that_cannot_be_stored_are_told_by_their_numbers_whoever_they_belong_to(
    camillo: Camillo, tmp_path: Path
) -> None:
    rows = ["Ana,mag Grüntee", "Kim,", "Ana,", "Kim,喜欢咖啡", "Ana,mag Tee"]
    table = write(tmp_path / "a.csv", "\n".join(["user,text", *rows]))
    words = ("import", str(table), "--agent-from", "user", "--map", "text=content")
    plan = camillo.run(*words, "--dry-run")
    assert (plan.returncode, plan.stdout[:14]) == (1, "would import 3")
    assert "2 have no content" in plan.stderr
    done = camillo.run(*words)
    assert (done.returncode, done.stdout[:10]) == (1, "imported 3")
    assert "2 x, number 2, 3:" in done.stderr
    assert contents(camillo.as_agent("Kim")) == {"喜欢咖啡"}


def test_kinds_are_those_of_the_command_line(camillo: Camillo, tmp_path: Path) -> None:
    lines = '{"content": "a", "kind": "preference"}\n{"content": "b", "kind": "MEMORY_KIND_ERROR"}\n'
    assert camillo("import", "-", stdin=lines).startswith("imported 2,")
    assert {each["kind"] for each in camillo.lines("list")} == {"MEMORY_KIND_PREFERENCE", "MEMORY_KIND_ERROR"}


def test_a_note_keeps_what_stands_above_it(camillo: Camillo, tmp_path: Path) -> None:
    note = write(
        tmp_path / "kim.md",
        "---\naliases: [Kimberly]\ntags: [people]\ncreated: 2025-03-01\n---\n# Kim\n\nLikes tandems.\n\n"
        "![](data:image/png;base64," + "iVBORw0K" * 2_000 + ")\n",
    )
    done = camillo.run("import", str(note))
    assert "left out 1 image" in done.stderr
    [memory] = camillo.lines("list")
    assert memory["content"] == "Kim\n\nLikes tandems."
    assert memory["tags"] == ["file:kim.md", "people"]
    assert memory["occurred_at"] == "2025-03-01T00:00:00Z"
    assert memory["metadata"]["aliases"] == "Kimberly"


def test_a_file_that_was_edited_replaces_what_it_said(camillo: Camillo, tmp_path: Path) -> None:
    note = write(tmp_path / "kim.md", "# Kim\n\nLikes tandems.\n")
    other = write(tmp_path / "other/kim.md", "# Kim\n\nLives in Bilbao.\n")
    for each in (note, other):
        camillo("import", str(each))
    write(note, "# Kim\n\nLikes recumbents.\n")
    assert camillo("import", str(note)) == "imported 1, removed 1, skipped 0, failed 0\n"
    assert contents(camillo) == {"Kim\n\nLikes recumbents.", "Kim\n\nLives in Bilbao."}
    # A text of an earlier version may come back.
    write(note, "# Kim\n\nLikes tandems.\n")
    camillo("import", str(note))
    assert contents(camillo) == {"Kim\n\nLikes tandems.", "Kim\n\nLives in Bilbao."}


def test_a_folder_is_kept_in_step(camillo: Camillo, tmp_path: Path) -> None:
    for name in ("a", "b", "deep/c"):
        write(tmp_path / f"notes/{name}.md", f"Note {name}")
    write(tmp_path / "notes/plan.png", "x")
    first = camillo.run("import", str(tmp_path / "notes"))
    assert first.stdout == "imported 3, skipped 0, failed 0\n"
    assert "left out 1 file of other kinds: .png 1" in first.stderr
    camillo("remember", "said by hand")
    (tmp_path / "notes/b.md").unlink()
    write(tmp_path / "notes/a.md", "Note a, edited")

    planned = camillo.run("import", str(tmp_path / "notes"), "--dry-run")
    assert planned.stdout == "would import 1, remove 2; 1 unchanged\n"
    assert ": Note b" in planned.stderr
    assert len(contents(camillo)) == 4
    kept = camillo.as_agent(f"{camillo.agent}-kept")
    assert kept("import", str(tmp_path / "notes"), "--keep").startswith("imported 2,")
    assert camillo("import", str(tmp_path / "notes")).startswith("imported 1, removed 2,")
    assert contents(camillo) == {"Note a, edited", "Note deep/c", "said by hand"}


def test_a_text_that_moves_to_another_file_stays(camillo: Camillo, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    for name, text in (("a", "Twice"), ("b", "Twice"), ("c", "Moved"), ("d", "Gone")):
        write(notes / f"{name}.md", text)
    camillo("import", str(notes))
    for name in ("a", "d"):
        (notes / f"{name}.md").unlink()
    (notes / "c.md").rename(notes / "z.md")
    assert ", removed 3," in camillo("import", str(notes))
    assert contents(camillo) == {"Twice", "Moved"}
    assert camillo("import", str(notes)) == "imported 0, skipped 2, failed 0\n"


def test_a_file_that_cannot_be_read_any_more_keeps_its_memories(camillo: Camillo, tmp_path: Path) -> None:
    for name in "ab":
        write(tmp_path / f"notes/{name}.md", f"Note {name}")
    camillo("import", str(tmp_path / "notes"))
    (tmp_path / "notes/b.md").write_bytes("Café".encode("latin-1"))
    done = camillo.run("import", str(tmp_path / "notes"))
    assert "it is not UTF-8 text" in done.stderr
    assert contents(camillo) == {"Note a", "Note b"}
    code, told = camillo.refused("import", str(tmp_path / "notes/b.md"))
    assert (code, "it is not UTF-8 text" in told) == (2, True)


@pytest.mark.parametrize(
    "data",
    [
        "![x](data:image/png;base64,\n{wrapped})",
        "[scan](data:application/pdf;base64,{long})",
        '```css\nsrc: url("data:font/woff2;base64,{long}")\n```',
        "```compressed-json\n{wrapped}\n```",
    ],
)
def test_data_in_a_note_is_no_text(camillo: Camillo, tmp_path: Path, data: str) -> None:
    long = base64.b64encode(bytes(range(256)) * 40).decode()
    wrapped = "\n".join(textwrap.wrap(long, 76))
    text = f"The receipt\n\n{data.format(long=long, wrapped=wrapped)}\n\nis of May.\n"
    done = camillo.run("import", str(write(tmp_path / "a.md", text)))
    assert "left out 1 image" in done.stderr
    [stored] = contents(camillo)
    assert "receipt" in stored
    assert stored.endswith("is of May.")
    assert long[400:420] not in stored


def test_names_and_tags_that_no_tag_can_have_are_taken_in_one_line(camillo: Camillo, tmp_path: Path) -> None:
    note = write(tmp_path / "a\nb.md", '---\ntags: ["x\\ny", "of\\u202ewards"]\n---\nAna prefers tea')
    camillo("import", str(note))
    [memory] = camillo.lines("list")
    assert memory["tags"] == ["file:a b.md", "x y", "ofwards"]
    camillo("import", str(write(tmp_path / "c.md", "---\n---\nKim prefers tea")))
    assert contents(camillo) == {"Ana prefers tea", "Kim prefers tea"}


def test_a_folder_that_lost_most_of_its_files_is_asked_about(camillo: Camillo, tmp_path: Path) -> None:
    for number in range(25):
        write(tmp_path / f"notes/{number}.md", f"Note {number} about bicycles")
    camillo("import", str(tmp_path / "notes"))
    for number in range(24):
        (tmp_path / f"notes/{number}.md").unlink()
    code, told = camillo.refused("import", str(tmp_path / "notes"))
    assert (code, "24 of 25" in told) == (2, True)
    assert len(contents(camillo)) == 25
    assert camillo("import", str(tmp_path / "notes"), "--yes").startswith("imported 0, removed 24")


def test_a_kind_that_is_none_is_refused_with_those_there_are(camillo: Camillo, tmp_path: Path) -> None:
    for name, text in (
        ("a.json", '[{"content": "x", "kind": "idea"}]'),
        ("a.jsonl", '{"content": "x", "kind": "idea"}'),
        ("a.csv", "content,kind\nx,idea"),
    ):
        _, line = camillo.refused("import", str(write(tmp_path / name, text)))
        assert "kind: must be one of fact, preference, conversation," in line, line
    assert camillo.lines("list") == []
    path = write(tmp_path / "b.csv", "content,kind,sensitivity\nx,Task Outcome,public")
    assert camillo("import", str(path)).startswith("imported 1,")
    assert camillo.lines("list")[0]["kind"] == "MEMORY_KIND_TASK_OUTCOME"
