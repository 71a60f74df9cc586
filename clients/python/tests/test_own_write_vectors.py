"""The cases of own writes that the clients of all languages share."""

import json
from pathlib import Path
from typing import Any

import pytest

from camillo.v1.consistency_pb2 import Freshness, Revision
from camillo_client.freshness import at_least_as_fresh, fully_consistent
from camillo_client.revisions import Ticket, WrittenRevisions

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parents[2] / "own_writes.json").read_text("utf-8"))["cases"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_reads_demand_what_every_client_demands(case: dict[str, Any]) -> None:
    written, tickets = WrittenRevisions(), dict[str, Ticket]()
    demands = 0
    for step in case["steps"]:
        name, revision = step["ticket"], Revision(token=step.get("revision", ""))
        if step["do"] == "begin":
            tickets[name] = written.begin(step["agent_id"])
        elif step["do"] == "wrote":
            written.wrote(tickets[name], revision, repeatable=step.get("repeatable", False))
        elif step["do"] == "read":
            written.read(tickets[name], revision)
        elif step["do"] == "drop":
            written.drop(tickets[name])
        else:
            assert step["do"] == "demand"
            assert written.demand(tickets[name]) == _freshness(step["expected"])
            demands += 1
    assert demands


def _freshness(expected: Any) -> Freshness | None:
    if expected is None:
        return None
    if expected == "fully_consistent":
        return fully_consistent()
    return at_least_as_fresh(Revision(token=expected["at_least_as_fresh"]))
