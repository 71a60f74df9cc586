"""supersede, contradictions, and recall as of a moment, as they are typed."""

from tests.cli.conftest import Camillo, cells

BERLIN, PARIS = "Ana lives in Berlin 🏙️", "Ana lives in Paris 🗼"


def remember(camillo: Camillo, *arguments: str) -> str:
    memory_id: str = camillo.json("remember", *arguments)["memory_id"]
    return memory_id


def contents(camillo: Camillo, *arguments: str) -> list[str]:
    hits = camillo.json("recall", "where does Ana live", *arguments).get("hits", [])
    return [hit["memory"]["content"] for hit in hits]


def test_a_memory_takes_anothers_place_when_it_is_remembered(camillo: Camillo) -> None:
    old = remember(camillo, BERLIN, "--valid-from", "2020-03-01")
    new = remember(camillo, PARIS, "--valid-from", "2024-05-01", "--supersedes", old)
    assert contents(camillo) == [PARIS]
    assert contents(camillo, "--as-of", "2022-01-01") == [BERLIN]
    assert contents(camillo, "--validity", "not_true") == [BERLIN]
    assert set(contents(camillo, "--validity", "any")) == {BERLIN, PARIS}
    shown = camillo.run("get", old).stdout
    assert "2024-05-01" in shown
    assert new in shown
    told = camillo.run("recall", "where does Ana live", "--explain").stderr
    assert f"before {new}: {BERLIN}" in told


def test_a_memory_takes_anothers_place_afterwards_and_once(camillo: Camillo) -> None:
    old, new = remember(camillo, BERLIN), remember(camillo, PARIS)
    assert set(contents(camillo)) == {BERLIN, PARIS}
    done = camillo.run("supersede", old, new, "--since", "2024-05-01")
    assert done.stdout.strip() == f"{old} is superseded by {new}"
    assert contents(camillo) == [PARIS]
    assert camillo.json("get", new)["valid_from"] == "2024-05-01T00:00:00Z"
    assert camillo.refused("supersede", old, new)[0] == 4
    assert camillo.refused("supersede", new, new)[0] == 1
    listed = camillo.lines("list", "--validity", "true")
    assert len(listed) == 1


def test_likely_contradictions_are_listed_and_nothing_is_changed(camillo: Camillo) -> None:
    assert "no contradictions" in camillo.run("contradictions").stderr
    old = remember(camillo, "The harbour fee for Ana is 40 francs")
    new = remember(camillo, "The harbour fee for Ana is 70 francs")
    [row] = cells(camillo.run("contradictions").stdout)
    assert {old, new} == set(row[:2])
    assert row[2] == "number"
    [found] = camillo.lines("contradictions")
    assert found["differences"] == ["DIFFERENCE_NUMBER"]
    assert len(camillo.lines("list")) == 2


def test_an_update_changes_when_it_is_true(camillo: Camillo) -> None:
    kept = remember(camillo, BERLIN)
    camillo("update", kept, "--valid-until", "2025-01-01")
    assert contents(camillo) == []
    assert contents(camillo, "--validity", "any") == [BERLIN]
