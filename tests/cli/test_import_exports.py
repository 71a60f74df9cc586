"""import: exports of other memories, and of chats."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Camillo

FACT = "0199b6b2-0000-7000-8000-00000000000"


def write(path: Path, *values: object) -> str:
    """A file of one value, or of JSON lines."""
    path.write_text("\n".join(each if isinstance(each, str) else json.dumps(each) for each in values))
    return str(path)


def stored(camillo: Camillo, *options: str) -> dict[str, Any]:
    return {each["content"]: each for each in camillo.lines("list", *options)}


def memories_of_mem0(*users: str) -> list[dict[str, object]]:
    return [
        {"id": f"{FACT}{number}", "memory": f"{user} prefers 绿茶 {number}", "user_id": user, "score": 0.5}
        for number, user in enumerate(users)
    ]


def test_users_of_an_export_are_spaces_unless_one_is_named(camillo: Camillo, tmp_path: Path) -> None:
    users = [f"{camillo.agent}-ana", f"{camillo.agent}-בן"]
    file = write(tmp_path / "a.json", {"results": memories_of_mem0(users[0], users[0])})
    done = camillo.run("import", file)
    assert done.stdout == "imported 2, skipped 0, failed 0\n"
    assert "note: read as an export of mem0" in done.stderr
    assert "note: left out 2 scores of a search" in done.stderr
    assert set(stored(camillo, "--user", users[0])) == {f"{users[0]} prefers 绿茶 {n}" for n in range(2)}
    assert stored(camillo) == {}
    # An id that can be no part of a path is refused, and kept as metadata where all go into one space.
    odd = write(tmp_path / "b.json", memories_of_mem0(*users))
    code, told = camillo.refused("import", odd)
    assert code == 2
    assert "[1] has the user_id" in told
    assert camillo("import", odd, "--agent", camillo.agent).startswith("imported 2,")
    assert {each["metadata"]["user_id"] for each in stored(camillo).values()} == set(users)


def test_a_dry_run_counts_what_would_come_and_what_has_no_place(camillo: Camillo, tmp_path: Path) -> None:
    records = [*memories_of_mem0("ana", "ana", "kim"), {"id": "x", "memory": " "}]
    records.append({"id": "y", "memory": "old", "expiration_date": "2020-01-01"})
    file = write(tmp_path / "a.json", {"results": records})
    plan = camillo.json("import", file, "--dry-run")
    assert (plan["import"], plan["form"], plan["kinds"]) == (3, "mem0", {"fact": 3})
    assert plan["spaces"] == {"users/ana": 2, "users/kim": 1}
    assert plan["left_out"] == {"scores of a search": 3, "records without a text": 1, "memories that have expired": 1}
    assert stored(camillo, "--user", "kim") == {}
    assert "would import 3" in camillo("import", file, "--dry-run")


def test_records_that_are_not_understood_are_named_and_nothing_is_stored(camillo: Camillo, tmp_path: Path) -> None:
    lines = [
        {"type": "entity", "name": "Kim", "entityType": "person", "observations": ["Owns a shop"]},
        '{"type": "entity", "name": "Ana"',
        {"type": "relation", "from": "Kim", "to": "Shop"},
        '{"type": "entity", "name": "A", "name": "B", "observations": ["x"]}',
        # Two writers at once left two in one line.
        '{"type":"entity","name":"Ben","observations":["מדבר עברית"]}'
        '{"type":"entity","name":"Cy","observations":["x"]}',
        ["no", "object"],
    ]
    file = write(tmp_path / "memory.jsonl", *lines)
    done = camillo.run("import", file)
    assert done.returncode == 2
    assert stored(camillo) == {}
    for told in ("line 2 is not JSON", "line 4 has the name 'name' twice", "line 6 is no object", "4 records are bad"):
        assert told in done.stderr, told
    done = camillo.run("import", file, "--skip-bad")
    assert "note: skipped line 3 is neither an entity nor a relation" in done.stderr
    assert set(stored(camillo)) == {"Kim: Owns a shop", "Ben: מדבר עברית", "Cy: x"}
    assert camillo.run("import", file, "--skip-bad").stdout.startswith("imported 0,")


def test_a_file_that_is_cut_stores_nothing(camillo: Camillo, tmp_path: Path) -> None:
    whole = json.dumps({"results": memories_of_mem0("ana", "ana")})
    code, told = camillo.refused("import", write(tmp_path / "a.json", whole[:-40]), "--space", "users/cut")
    assert code == 2
    assert "results[1] is not JSON" in told
    assert "nothing was stored" in told
    assert stored(camillo, "--space", "users/cut") == {}
    assert camillo("import", write(tmp_path / "a.json", whole), "--space", "users/cut").startswith("imported 2,")


def test_values_that_no_memory_can_hold_are_kept_as_texts(camillo: Camillo, tmp_path: Path) -> None:
    about = (
        '"nan": NaN, "huge": 1e999, "long": %s, "id": 12345678901234567890, "deep": {"a": ["\\ud800"]},'
        ' "nul": "a\\u0000b", "": 1' % ("9" * 5000)
    )
    record = '[{"memory": "say \\ud83d twice", "categories": ["a\\u202eb", "x\\ny"], "metadata": {' + about + "}}]"
    assert camillo("import", write(tmp_path / "a.json", record)).startswith("imported 1,")
    [memory] = stored(camillo).values()
    assert memory["content"] == "say � twice"
    assert memory["tags"] == ["ab", "x y"]
    kept = memory["metadata"]
    assert (kept["nan"], kept["huge"], kept["id"]) == ("NaN", "inf", "12345678901234567890")
    assert (kept["long"], kept["nul"]) == ("9" * 5000, "a�b")
    assert json.loads(kept["deep"]) == {"a": ["�"]}


def test_tags_that_are_too_many_or_too_long_are_kept_beside_those_that_fit(camillo: Camillo, tmp_path: Path) -> None:
    tags = [f"tag {number}" for number in range(70)]
    records = [{"memory": "many", "categories": tags}, {"memory": "long", "categories": ["标" * 200]}]
    assert camillo("import", write(tmp_path / "a.json", records)).startswith("imported 2,")
    found = stored(camillo)
    assert (found["many"]["tags"], found["many"]["metadata"]["tags"]) == (tags[:64], ", ".join(tags))
    assert (found["long"]["tags"], found["long"]["metadata"]["tags"]) == (["标" * 128], "标" * 200)


def test_a_text_that_is_too_long_becomes_several_memories(camillo: Camillo, tmp_path: Path) -> None:
    text = " ".join(f"Satz {number} über Grüntee." for number in range(200))
    file = write(tmp_path / "a.json", [{"memory": text, "id": f"{FACT}9"}])
    done = camillo.run("import", file)
    assert "1 text was too long for one memory" in done.stderr
    memories = stored(camillo)
    assert len(memories) > 1
    assert {each["metadata"]["part"] for each in memories.values()} == {
        f"{number}/{len(memories)}" for number in range(1, len(memories) + 1)
    }
    assert camillo("import", file).startswith("imported 0,")


def test_an_import_goes_on_where_it_was_cut_off(camillo: Camillo, tmp_path: Path) -> None:
    records: list[dict[str, object]] = [
        {"memory": f"Order {number} came late", "id": number} for number in range(2_500)
    ]
    camillo("import", write(tmp_path / "part.json", records[:2_000]))
    done = camillo.run("import", write(tmp_path / "a.json", records))
    assert done.stdout.startswith("imported 500,")
    assert "the first 2,000 were there already: went on behind them" in done.stderr


def test_standard_input_is_read_in_any_form(camillo: Camillo) -> None:
    export = json.dumps(memories_of_mem0("ana"))
    assert camillo("import", "-", "--space", "projects/stdin", stdin=export).startswith("imported 1,")
    assert len(stored(camillo, "--space", "projects/stdin")) == 1


@pytest.mark.parametrize("form", ["mem0", "langgraph", "letta", "zep", "server-memory", "mif", "chatgpt", "claude"])
def test_a_file_of_another_form_than_it_is_said_to_be_is_refused(camillo: Camillo, tmp_path: Path, form: str) -> None:
    file = write(tmp_path / "a.json", [{"content": "Ana prefers tea"}])
    done = camillo.run("import", file, "--from", form)
    assert done.returncode != 0
    assert f"the format {form}" in done.stderr or f"no export of {form}: looked for" in done.stderr
    assert stored(camillo) == {}
    assert camillo("import", file).startswith("imported 1,")


def test_chats_are_recorded_as_events_of_their_sessions(camillo: Camillo, tmp_path: Path) -> None:
    said = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": ["茶はありますか？"]}}
    nodes = {"r": {"message": None, "children": ["m"]}, "m": {"parent": "r", "message": {**said, "create_time": 1.7e9}}}
    chat = {"conversation_id": "c-1", "mapping": nodes, "current_node": "m", "title": "Tea"}
    message = {"uuid": "m1", "sender": "human", "text": "Where is my order?", "created_at": "2025-05-01T10:00:00Z"}
    claude = {"uuid": "c-2", "name": "Order", "chat_messages": [message]}
    for number, export in enumerate(([chat, {"odd": 1}], [claude])):
        file = write(tmp_path / f"{number}.json", export)
        done = camillo.run("import", file)
        assert "recorded as events, as camillo ingest does" in done.stderr
        assert done.returncode == (number == 0)
        camillo.run("import", file)
    events = camillo.lines("event", "list")
    assert {(each["stated"]["session_id"], each["stated"]["text"]) for each in events} == {
        ("c-1", "茶はありますか？"),
        ("c-2", "Where is my order?"),
    }
    assert len(events) == 2
    assert stored(camillo) == {}


FORMS: dict[str, tuple[object, dict[str, dict[str, object]], dict[str, int]]] = {
    "langgraph": (
        [
            {
                "namespace": ["users", "42", "memories"],
                "key": "k1",
                "value": {"text": "Ana prefers 绿茶", "stars": 5},
                "created_at": "2025-05-01T10:00:00+00:00",
                "score": 0.5,
            },
            {"prefix": "shop.de", "key": "k2", "value": {"hours": {"mon": "9-17"}}},
        ],
        {
            "Ana prefers 绿茶": {"tags": ["users/42/memories"], "occurred_at": "2025-05-01T10:00:00Z"},
            "hours.mon: 9-17": {"tags": ["shop/de"]},
        },
        {"values of score": 1},
    ),
    "letta": (
        {
            "agents": [{"id": "agent-0", "llm_config": {}, "messages": [{"role": "user"}, {"role": "assistant"}]}],
            "blocks": [
                {"id": "block-0", "label": "human", "value": "Name: Ana 🍵", "limit": 5000},
                {"id": "block-1", "label": "persona", "value": "I am Sam.", "read_only": True},
            ],
            "tools": [{"id": "tool-0", "name": "search"}],
            "metadata": {"revision_id": "1"},
        },
        {
            "Name: Ana 🍵": {"pinned": True, "tags": ["human"], "kind": "MEMORY_KIND_FACT"},
            "I am Sam.": {"kind": "MEMORY_KIND_INSTRUCTION"},
        },
        {"messages of agents": 2, "agents' settings and prompts": 1, "entries of tools": 1, "entries of metadata": 1},
    ),
    "zep": (
        {
            "user_id": "42",
            "episodes": [
                {"uuid": FACT + "1", "content": "Where is my tea?", "source": "message", "thread_id": "t1"},
            ],
            "edges": [
                {
                    "uuid": FACT + "2",
                    "name": "LIVES_IN",
                    "fact": "أنا lives in Bilbao",
                    "fact_embedding": [0.5],
                    "valid_at": "2024-01-01T00:00:00Z",
                    "invalid_at": "2025-01-01T00:00:00Z",
                    "episodes": [FACT + "1"],
                }
            ],
            "nodes": [{"uuid": FACT + "3", "name": "Ana", "summary": "A customer", "labels": ["Entity"]}],
        },
        {
            "Where is my tea?": {"session_id": "t1", "kind": "MEMORY_KIND_CONVERSATION"},
            "أنا lives in Bilbao": {
                "valid_from": "2024-01-01T00:00:00Z",
                "valid_until": "2025-01-01T00:00:00Z",
                "source_refs": [FACT + "1"],
            },
            "Ana: A customer": {"kind": "MEMORY_KIND_SUMMARY", "tags": ["Entity"]},
        },
        {"embeddings": 1},
    ),
    "mif": (
        {
            "mif_version": "2.0",
            "generator": {"name": "shodh", "version": "1"},
            "export_meta": {"user_id": "42"},
            "memories": [
                {
                    "id": FACT + "4",
                    "content": "Use tabs",
                    "memory_type": "decision",
                    "created_at": "2025-05-01T10:00:00Z",
                    "tags": ["code"],
                    "embeddings": {"model": "m", "dimensions": 1, "vector": [1]},
                    "source": {"source_type": "chat", "session_id": "s9"},
                }
            ],
            "knowledge_graph": {"entities": [{"id": "1", "name": "Ana"}], "relationships": []},
        },
        {"Use tabs": {"memory_id": FACT + "4", "kind": "MEMORY_KIND_DECISION", "session_id": "s9", "tags": ["code"]}},
        {"embeddings": 1, "entries of knowledge_graph": 2},
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_form_keeps_its_fields_and_counts_the_others(camillo: Camillo, tmp_path: Path, form: str) -> None:
    export, expected, lost = FORMS[form]
    file = write(tmp_path / "export.json", export)
    plan = camillo.json("import", file, "--dry-run")
    assert (plan["form"], plan["import"], plan["bad"]) == (form, len(expected), 0)
    assert plan["left_out"] == lost
    if form != "letta":
        assert "users/42" in plan["spaces"]
    assert camillo("import", file, "--space", f"projects/{form}", "--from", form).startswith(
        f"imported {len(expected)},"
    )
    found = stored(camillo, "--space", f"projects/{form}")
    assert set(found) == set(expected)
    for content, fields in expected.items():
        assert {name: found[content][name] for name in fields} == fields
    assert camillo("import", file, "--space", f"projects/{form}").startswith("imported 0,")
