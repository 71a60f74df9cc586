"""doctor --deep: rows of the database that cannot be as they are."""

import json

import psycopg
from camillo_server.across.admin.store.invariants import ENTER_TENANT, INVARIANTS
from camillo_server.cli.doctor.database import REMEDIES, REPORT, check_invariants
from camillo_server.cli.server import running_embedded_url
from camillo_server.lib.crypto.keyring import Keyring

from tests.cli.conftest import Camillo

MISCOUNT = "update camillo.scopes set memory_count = memory_count + %s where agent_id = %s"


def found_by_doctor(camillo: Camillo, *arguments: str) -> list[dict[str, str]]:
    """The doctor's findings about invariants."""
    told = json.loads(camillo.run("doctor", "--json", *arguments).stdout)
    return [finding for finding in told["findings"] if finding["subject"] == "invariants"]


def miscount(camillo: Camillo, by: int) -> None:
    """Makes the agent's scope tell more memories, or fewer, than it has."""
    url = running_embedded_url(camillo.data_dir)
    assert url
    with psycopg.connect(url) as connection:
        connection.execute(ENTER_TENANT, ("default",))
        assert connection.execute(MISCOUNT, (by, camillo.agent)).rowcount == 1


def test_the_doctor_counts_what_holds_when_it_looks_deep(camillo: Camillo) -> None:
    camillo("remember", "北京烤鸭 🦆")
    assert found_by_doctor(camillo) == []
    [finding] = found_by_doctor(camillo, "--deep")
    assert (finding["status"], finding["what"]) == ("ok", f"{len(INVARIANTS)} invariants hold")


def test_the_doctor_names_the_row_and_the_way_out_when_one_does_not_hold(camillo: Camillo) -> None:
    camillo("remember", "שלום")
    miscount(camillo, 1)
    [finding] = found_by_doctor(camillo, "--deep")
    assert finding["status"] == "fail"
    assert finding["what"].startswith(f"scope_counts does not hold in default: {camillo.agent}: 2 rows, 0 chunks")
    assert finding["remedy"] == REMEDIES["scope_counts"]
    assert camillo.run("doctor", "--deep").returncode == 1
    camillo("event", "rebuild")
    assert [each["status"] for each in found_by_doctor(camillo, "--deep")] == ["ok"]


def test_a_database_that_cannot_be_asked_is_a_warning() -> None:
    [finding] = check_invariants("postgresql://nobody@localhost:1/none?connect_timeout=1", Keyring.empty())
    assert (finding.status, finding.subject) == ("warn", "invariants")
    assert finding.what.startswith("not checked: ")


def test_every_remedy_is_of_an_invariant() -> None:
    assert set(REMEDIES) <= set(INVARIANTS)
    assert REPORT
