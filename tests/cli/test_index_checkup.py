"""doctor --deep: what a running server holds in memory, compared with its database."""

import json
import time
from collections.abc import Iterator

import psycopg
import pytest
from camillo_server.across.admin.store.invariants import ENTER_TENANT
from camillo_server.cli.server import running_embedded_url

from tests.cli.conftest import Camillo, Finished, run_here
from tests.patience import PATIENCE_SECONDS

pytestmark = pytest.mark.caches

Findings = list[tuple[str, str]]


def found_by_doctor(camillo: Camillo, *arguments: str) -> Findings:
    return index_findings(camillo.run("doctor", "--json", *arguments))


def found_with_key(camillo: Camillo, key: str) -> Findings:
    environ = camillo.environ | {"CAMILLO_KEY": key}
    return index_findings(run_here("doctor", "--json", "--deep", environ=environ))


def index_findings(done: Finished) -> Findings:
    """The status and the text of what was found of indexes."""
    told = json.loads(done.stdout)
    fails = any(finding["status"] == "fail" for finding in told["findings"])
    assert (done.returncode, told["status"]) == ((1, "fail") if fails else (0, "ok"))
    return [(f["status"], f["what"]) for f in told["findings"] if f["subject"] == "indexes"]


def warm(camillo: Camillo, *contents: str, key: str = "") -> None:
    """Memories of an agent, when they are in the server's memory."""
    as_whom = ("--key", key) if key else ()
    for content in contents:
        camillo("remember", content, *as_whom)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while camillo.json("recall", contents[0], *as_whom)["answered_by"] != "ANSWERED_BY_CACHE":
        assert time.monotonic() < deadline, "the scope was not loaded in time"


@pytest.fixture
def tenant(camillo: Camillo) -> Iterator[str]:
    """A tenant of the test's own."""
    name = f"tenant-{camillo.agent}"
    camillo("tenants", "create", name)
    yield name
    camillo("tenants", "delete", name, "--confirm", name)


def new_key(camillo: Camillo, tenant: str, role: str) -> str:
    return camillo("keys", "create", "--any-agent", "--tenant", tenant, "--role", role).strip()


def test_the_doctor_compares_indexes_when_it_looks_deep(camillo: Camillo) -> None:
    warm(camillo, "tea in the morning", "北京烤鸭 🦆", "שלום")
    assert found_by_doctor(camillo) == []
    [(status, what)] = found_by_doctor(camillo, "--deep")
    assert status == "ok"
    count, words, memories = what.split()[0], what.split()[1:6], what.split("(")[1].split()[0]
    assert words == ["in", "memory", "agree", "with", "the"]
    assert int(count) >= 1
    assert int(memories.replace(",", "")) >= 3
    assert what.endswith(" MB)")
    rows = camillo.rows("doctor", "--deep")
    [(status, _, again)] = [row for row in rows if row[1] == "indexes"]
    # How large they are changes while the server tidies up.
    assert (status, again.rpartition(",")[0]) == ("ok", what.rpartition(",")[0])


def test_the_doctor_names_an_index_that_differs_once(camillo: Camillo) -> None:
    warm(camillo, "tea in the morning", "coffee at noon")
    assert [status for status, _ in found_by_doctor(camillo, "--deep")] == ["ok"]
    url = running_embedded_url(camillo.data_dir)
    assert url
    with psycopg.connect(url) as connection:
        connection.execute(ENTER_TENANT, ("default",))
        changed = connection.execute(
            "update camillo.memories set importance = 0.9 where agent_id = %s and content = 'coffee at noon'",
            (camillo.agent,),
        )
        assert changed.rowcount == 1
    line = f"default/{camillo.agent} differs from the database: column importance"
    [(well, _), told] = found_by_doctor(camillo, "--deep")
    assert (well, told) == ("ok", ("fail", line))
    assert [status for status, _ in found_by_doctor(camillo, "--deep")] == ["ok"]
    warm(camillo, "tea in the morning")
    assert [status for status, _ in found_by_doctor(camillo, "--deep")] == ["ok"]


def test_a_server_that_cannot_be_asked_is_a_warning(camillo: Camillo) -> None:
    warm(camillo, "tea in the morning")
    [(status, what)] = found_by_doctor(camillo, "--deep", "--address", "localhost:1")
    assert status == "warn"
    assert what.startswith("not compared: ")
    assert "localhost:1" in what
    assert [status for status, _ in found_by_doctor(camillo, "--deep")] == ["ok"]


def test_with_a_tenants_key_the_indexes_of_that_tenant_are_compared(camillo: Camillo, tenant: str) -> None:
    warm(camillo, "not theirs")
    warm(camillo, "theirs", "theirs as well", key=new_key(camillo, tenant, "writer"))
    [(status, what)] = found_with_key(camillo, new_key(camillo, tenant, "tenant_admin"))
    assert status == "ok"
    assert what.startswith("1 in memory agree with the database (2 memories, ")
    [(status, what)] = found_by_doctor(camillo, "--deep")
    assert status == "ok"
    assert int(what.split()[0]) >= 2
    for role in ("writer", "reader"):
        [(status, what)] = found_with_key(camillo, new_key(camillo, tenant, role))
        assert status == "warn"
        assert what.startswith("not compared: ")
