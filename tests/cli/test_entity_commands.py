"""entities list, merge, split, revert and changes, as they are typed."""

from tests.cli.conftest import Camillo


def test_names_are_merged_listed_and_as_they_were(camillo: Camillo) -> None:
    for text in ("then Ana Lima came", "我昨天见到安娜了 🦊", "write to ana@example.com", "then Bob Stone came"):
        camillo("remember", text)
    told = camillo("entities", "merge", "Ana Lima", "安娜", "email:Ana@Example.com")
    assert told.strip() == "安娜, email:ana@example.com = ana lima"
    (row,) = camillo.rows("entities", "list", "ANA")
    assert row[:3] == ["ana lima", "安娜, email:ana@example.com", "memory 3"]
    assert len(camillo.rows("related", "--entity", "name:安娜")) == 3
    assert camillo("entities", "merge", "Ana Lima", "安娜").strip() == "nothing to change"
    assert camillo("entities", "split", "安娜").strip() == "安娜 stand alone"
    assert len(camillo.rows("related", "--entity", "name:Ana Lima")) == 2
    split, merged = camillo.lines("entities", "changes")
    assert [each["name"] for each in merged["names"]] == ["安娜", "ana@example.com"]
    assert camillo.json("entities", "revert", split["change_id"], "--json") == {"reverted": 1}
    assert "no such change" in camillo("entities", "revert", split["change_id"])
    assert [row[-2] for row in camillo.rows("entities", "changes")] == ["reverted", "in force"]
    (known,) = camillo.lines("entities", "list", "--type", "email")
    assert known["entity"]["name"] == "ana lima"


def test_a_subject_is_forgotten_by_its_merged_names(camillo: Camillo) -> None:
    for text in ("then Eva Maria Braun came", "Ева пришла 🌧"):
        camillo("remember", text)
    camillo("entities", "merge", "Eva Maria Braun", "Ева")
    options = ("lifecycle", "forget", "--value", "Eva Maria Braun", "--include-merged")
    planned = camillo(*options, "--dry-run")
    assert "would forget 1 merged name, 2 memories" in planned
    assert camillo(*options, "--yes").startswith("forgot 1 merged name, 2 memories")
    assert camillo.rows("entities", "list", "eva") == []
