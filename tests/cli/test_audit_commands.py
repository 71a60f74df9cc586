"""audit list, watch and verify, as they are typed."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from camillo_cli import audit_export

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
    assert told.rstrip().endswith(f"{camillo.agent}  MemoryService/Remember  {key}  memory_ids {memory_id}")
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


def test_a_policy_is_shown_and_changed_in_part(camillo: Camillo) -> None:
    for arguments, days, reads in (
        (("--retention-days", "400"), 400, False),
        (("--reads",), 400, True),
        ((), 400, True),
        (("--retention-days", "0", "--no-reads"), 0, False),
    ):
        found = camillo.json("audit", "policy", *arguments)
        assert (found["retention_days"], found["audit_reads"]) == (days, reads)
    assert camillo("audit", "policy") == "entries are kept for ever; reads are not entered\n"
    assert "31" in camillo.refused("audit", "policy", "--retention-days", "7")[1]


def lines(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_an_exported_trail_is_checked_without_a_server(camillo: Camillo, tmp_path: Path) -> None:
    for number in range(6):
        camillo("remember", f"{TEXT} {number}")
    camillo("audit", "record", "order.approved", f"approved by {camillo.agent}, 茶 🧾")
    trail, heads = tmp_path / "trail.jsonl", tmp_path / "heads.json"
    camillo("audit", "verify", "--heads", str(heads))
    camillo("audit", "export", str(trail))
    assert not [*tmp_path.glob("*.part*")]
    away = replace(camillo, address="localhost:1")
    away("audit", "verify", "--file", str(trail), "--heads", str(heads))
    own = [each for each in lines(trail) if each.get("agent_id") == camillo.agent]
    assert [int(each["position"]) for each in own] == [1, 2, 3, 4, 5, 6]
    whole = trail.read_text("utf-8").splitlines(keepends=True)
    places = [at for at, each in enumerate(lines(trail)) if each.get("agent_id") == camillo.agent]
    changed = whole.copy()
    changed[places[2]] = changed[places[2]].replace("Remember", "Recall")
    swapped = whole.copy()
    swapped[places[2]], swapped[places[3]] = whole[places[3]], whole[places[2]]
    for tampered, expected in (
        (changed, ["entry 3 is not as it was written"]),
        (whole[: places[3]] + whole[places[3] + 1 :], ["entry 4 is missing"]),
        (swapped, ["entry 3 is missing", "entry 3 was added"]),
        (whole[: places[5]] + whole[places[5] + 1 :], ["entry 6 is missing"]),
        ([*whole[: places[1]], whole[places[0]], *whole[places[1] :]], ["entry 1 was added"]),
    ):
        trail.write_text("".join(tampered), "utf-8")
        found = away.run("audit", "verify", "--file", str(trail), "--heads", str(heads))
        assert found.returncode == 1
        told = [each.removeprefix(f"{camillo.agent}: ") for each in found.stdout.splitlines()]
        assert told == expected
    actions = [at for at, line in enumerate(whole) if json.loads(line).get("action_id")]
    assert actions
    bad = {**json.loads(whole[actions[0]]), "facts": "no JSON"}
    for line in ("[]", "no JSON", '{"tenant_id": "acme"', json.dumps(bad), '"\\ud800"'):
        trail.write_text(f"{whole[0]}{line}\n", "utf-8")
        code, text = away.refused("audit", "verify", "--file", str(trail))
        assert (code, "line 2" in text) == (2, True)
    assert away.refused("audit", "verify", "--file", str(tmp_path / "none"))[0] == 2


def test_an_export_of_a_period_and_of_a_scope(camillo: Camillo, tmp_path: Path) -> None:
    camillo("remember", TEXT)
    trail = tmp_path / "trail.jsonl"
    camillo("audit", "export", str(trail), "--scope", camillo.agent, "--since", "1h")
    assert [each["agent_id"] for each in lines(trail)] == [camillo.agent]
    camillo("audit", "export", str(trail), "--scope", camillo.agent, "--until", "1h")
    assert lines(trail) == []


def test_an_interrupted_export_goes_on(camillo: Camillo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(7):
        camillo("remember", f"{TEXT} {number}")
    whole, trail = tmp_path / "whole.jsonl", tmp_path / "trail.jsonl"
    scope = ("--scope", camillo.agent)
    camillo("audit", "export", str(whole), *scope)
    assert camillo.refused("audit", "export", str(trail), *scope, "--resume")[0] == 2
    monkeypatch.setattr(audit_export, "ENTRIES_A_STEP", 2)
    written = []

    def fails_at_the_sixth(tenant_id: str, entry: object) -> bytes:
        written.append(entry)
        if len(written) == 6:
            raise KeyboardInterrupt
        return line(tenant_id, entry)  # type: ignore[arg-type]

    line = audit_export._line
    monkeypatch.setattr(audit_export, "_line", fails_at_the_sixth)
    assert camillo.run("audit", "export", str(trail), *scope).returncode == 130
    assert not trail.exists()
    monkeypatch.setattr(audit_export, "_line", line)
    camillo("audit", "export", str(trail), *scope, "--resume")
    assert trail.read_bytes() == whole.read_bytes()
    camillo("audit", "verify", "--file", str(trail))
    assert not [*tmp_path.glob("*.part*")]
