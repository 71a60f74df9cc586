"""links add, links remove and related, as they are typed."""

from tests.cli.conftest import Camillo


def test_things_are_linked_shown_and_taken_apart(camillo: Camillo) -> None:
    one = camillo.json("remember", "灯塔 of Ada Lovelace", "--json")["memory_id"]
    other = camillo.json("remember", "الفنار قديم 🗼", "--json")["memory_id"]
    third = camillo.json("remember", "then Ada Lovelace came", "--json")["memory_id"]
    assert camillo("links", "add", one, "about", other).strip() == f"{one} about {other}"
    rows = camillo.rows("related", one)
    assert [[row[0], row[1], row[3]] for row in rows] == [
        [f"memory:{other}", "-> about", "الفنار قديم 🗼"],
        [f"memory:{third}", "ada lovelace", "then Ada Lovelace came"],
    ]
    (back,) = camillo.rows("related", f"memory:{other}", "--type", "about")
    assert back[:2] == [f"memory:{one}", "<- about"]
    (line,) = camillo.lines("related", one, "--type", "about")
    assert line["link"]["to"]["id"] == other
    assert camillo.json("links", "remove", one, "about", other, "--json") == {"removed": 1}
    assert "no such link" in camillo("links", "remove", one, "about", other)
    assert camillo("related", other) == ""


def test_what_mentions_an_entity_is_listed(camillo: Camillo) -> None:
    camillo("remember", "ticket QRS-4711 is open")
    (row,) = camillo.rows("related", "--entity", "ticket:qrs-4711")
    assert row[1:2] + row[3:] == ["QRS-4711", "ticket QRS-4711 is open"]
    assert camillo("related", "--entity", "ticket:QRS-4712") == ""


def test_a_recall_follows_links_unless_told_otherwise(camillo: Camillo) -> None:
    found = camillo.json("remember", "the lighthouse keeper is ill", "--json")["memory_id"]
    linked = camillo.json("remember", "李雷", "--json")["memory_id"]
    camillo("links", "add", linked, "follows", found)
    query = ("recall", "the lighthouse keeper is ill", "--explain", "--json")
    hits = camillo.json(*query)["hits"]
    by_link = {hit["memory"]["memory_id"]: hit["breakdown"].get("linked_from") for hit in hits}
    assert by_link[linked] == found
    hits = camillo.json(*query, "--link-mode", "ignore")["hits"]
    assert not any(hit["breakdown"].get("linked_from") for hit in hits)


def test_mistakes_are_told_in_one_line(camillo: Camillo) -> None:
    code, told = camillo.refused("links", "add", "tag:x", "about", "/a")
    assert (code, "memory, event, document, decision" in told) == (2, True)
    code, told = camillo.refused("related")
    assert (code, "--entity" in told) == (2, True)
    code, told = camillo.refused("related", "--entity", "colour:red")
    assert (code, "is none of" in told) == (2, True)
