"""audit list, watch and verify, as they are typed."""

import json
from pathlib import Path

from tests.cli.conftest import Camillo

TEXT = "喜欢龙井茶 🍵"


def test_changes_are_listed_with_who_made_them_and_no_text(camillo: Camillo) -> None:
    memory_id = camillo.json("remember", TEXT)["memory_id"]
    (row,) = camillo.rows("audit", "list", "--scope", camillo.agent, "--id", memory_id)
    assert row[1:4] == [camillo.agent, "1", "MemoryService/Remember"]
    assert row[-1] == f"memory_ids {memory_id}"
    key = row[4]
    assert camillo.rows("audit", "list", "--credential", key, "--id", memory_id) == [row]
    told = camillo("audit", "watch", "--scope", camillo.agent, "--limit", "1")
    assert told.rstrip().endswith(
        f"{camillo.agent}  MemoryService/Remember  {key}  memory_ids {memory_id}"
    )
    change = camillo.json("audit", "watch", "--scope", camillo.agent, "--limit", "1")
    assert change["entry"]["position"] == "1"
    assert change["resume_token"]
    assert TEXT not in camillo("audit", "list", "--json")
    assert camillo("audit", "list", "--id", "nothing", "--json") == ""


def test_a_whole_trail_is_told_and_its_ends_are_kept(camillo: Camillo, tmp_path: Path) -> None:
    camillo("remember", TEXT)
    heads = tmp_path / "heads.json"
    camillo("audit", "verify", "--heads", str(heads))
    kept = {each["agent"]: each["position"] for each in json.loads(heads.read_text())}
    assert kept[camillo.agent] == 1
    camillo("remember", f"{TEXT} again")
    camillo("audit", "verify", "--heads", str(heads))
    written = json.loads(heads.read_text())
    assert {each["agent"]: each["position"] for each in written}[camillo.agent] == 2
    heads.write_text(json.dumps([{"agent": camillo.agent, "position": 9, "hash": "00"}]))
    before = heads.read_text()
    found = camillo.run("audit", "verify", "--heads", str(heads))
    assert (found.returncode, found.stdout) == (1, f"{camillo.agent}: entry 9 is missing\n")
    assert "chains were tampered with" in found.stderr
    assert heads.read_text() == before
    heads.write_text("not one")
    assert camillo.refused("audit", "verify", "--heads", str(heads))[0] == 2


def test_an_action_is_recorded_and_found_by_every_agent(camillo: Camillo) -> None:
    said = f"approved the order of {camillo.agent}, 茶 🧾"
    told = camillo("audit", "record", "order.approved", said, "--meta", "order=4711")
    action_id = told.removeprefix("recorded ").strip()
    (row,) = camillo.rows("audit", "list", "--id", action_id)
    assert row[1] == "@shared"
    (listed,) = camillo.lines("audit", "list", "--id", action_id, "--json")
    assert listed["action"]["message"] == said
    assert listed["action"]["meta"] == {"order": 4711}
    shared = camillo.as_agent("@shared")
    assert action_id in shared("recall", said, "--source", "audit", "--json")
