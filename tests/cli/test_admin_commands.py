"""whoami, keys, agents and tenants, against a running server."""

from pathlib import Path

import pytest

from tests.cli.conftest import Camillo


def test_whoami_tells_the_key_and_the_server(camillo: Camillo) -> None:
    caller = camillo.json("whoami")
    assert (caller["tenant_id"], caller["any_agent"], caller["role"]) == ("default", True, "ROLE_ROOT")
    assert f"server       {camillo.address}" in camillo("whoami")


def test_a_new_key_is_shown_once_and_acts_for_its_agent(camillo: Camillo) -> None:
    done = camillo.run("keys", "create", "--for-agent", camillo.agent, "--lifetime", "1h")
    secret = done.stdout.strip()
    assert secret.startswith("cam_")
    assert "keep the secret now" in done.stderr
    [key] = [k for k in camillo.lines("keys", "list") if k["agent_id"] == camillo.agent]
    assert key["role"] == "ROLE_WRITER"
    assert secret not in camillo("keys", "list")

    camillo("remember", "mine", "--key", secret)
    assert [m["content"] for m in camillo.lines("list")] == ["mine"]
    code, line = camillo.refused("list", "--key", secret, "--agent", "somebody")
    assert (code, line) == (5, "the credential acts for another agent")
    assert camillo.refused("keys", "list", "--key", secret)[0] == 5

    camillo("keys", "revoke", key["key_id"])
    assert camillo.refused("list", "--key", secret)[0] == 5


def test_a_key_that_reads_some_documents_says_so(camillo: Camillo) -> None:
    made = ("keys", "create", "--for-agent", camillo.agent, "--category")
    secret = camillo(*made, "policy", "--category", "pricing").strip()
    [key] = [k for k in camillo.lines("keys", "list") if k["agent_id"] == camillo.agent]
    assert key["document_categories"] == ["policy", "pricing"]
    assert "documents:policy,pricing" in camillo("keys", "list")
    assert "documents    policy,pricing" in camillo("whoami", "--key", secret)
    assert "documents" not in camillo("whoami")
    assert camillo.refused(*made, "HR")[0] == 2


def test_a_key_of_an_agent_reaches_the_space_of_a_person(camillo: Camillo) -> None:
    made = ("keys", "create", "--for-agent", camillo.agent, "--grant")
    secret = camillo(*made, "users/42:write").strip()
    [key] = [k for k in camillo.lines("keys", "list") if k["agent_id"] == camillo.agent]
    assert key["spaces"] == ["users/42:write"]
    assert "users/42:write" in camillo("keys", "list")
    assert "spaces       users/42:write" in camillo("whoami", "--key", secret)
    camillo("remember", "安娜 prefers tea 🍵", "--key", secret, "--agent", "users/42")
    assert [m["agent_id"] for m in camillo.lines("list", "--key", secret, "--agent", "users/42")] == ["users/42"]
    code, line = camillo.refused("list", "--key", secret, "--agent", "users/43")
    assert (code, line) == (5, "the credential has no grant for this")
    assert camillo.refused(*made, "users/42")[0] == 2


def test_a_key_is_revoked_with_those_that_it_created(camillo: Camillo) -> None:
    maker = camillo("keys", "create", "--any-agent", "--role", "tenant_admin").strip()
    made = camillo("keys", "create", "--for-agent", camillo.agent, "--role", "reader", "--key", maker).strip()
    [key] = [k for k in camillo.lines("keys", "list") if k["agent_id"] == camillo.agent]
    camillo("list", "--key", made)
    camillo("keys", "revoke", key["created_by_key_id"], "--with-created")
    assert camillo.refused("list", "--key", made)[0] == 5


def test_a_key_of_one_agent_needs_no_agent_named(server: Camillo) -> None:
    secret = server("keys", "create", "--for-agent", "lonely").strip()
    nameless = server.as_agent("")
    nameless("remember", "mine", "--key", secret)
    assert [m["agent_id"] for m in server.as_agent("lonely").lines("list")] == ["lonely"]


def test_a_key_needs_a_reach(camillo: Camillo) -> None:
    assert camillo.refused("keys", "create")[0] == 2
    assert camillo.refused("keys", "create", "--any-agent", "--for-agent", "x")[0] == 2
    assert camillo.refused("keys", "revoke", "0198c0de-0000-7000-8000-000000000001")[0] == 3


def test_agents_come_and_go(camillo: Camillo) -> None:
    camillo("agents", "create", camillo.agent, "--name", "Research")
    assert camillo.refused("agents", "create", camillo.agent)[0] == 4
    [agent] = [a for a in camillo.lines("agents", "list") if a["agent_id"] == camillo.agent]
    assert agent["display_name"] == "Research"
    camillo("remember", "soon gone")
    code, line = camillo.refused("agents", "delete", camillo.agent)
    assert (code, line) == (2, f"this is permanent: repeat the id with --confirm {camillo.agent}")
    assert camillo.refused("agents", "delete", camillo.agent, "--confirm", "other")[0] == 2
    done = camillo("agents", "delete", camillo.agent, "--confirm", camillo.agent)
    assert done.startswith(f"deleted agent {camillo.agent}: memories 1, ")


def test_an_agent_is_erased_with_counts_and_what_it_said_blocked(camillo: Camillo) -> None:
    address = "Ada 住在汉堡港口路 12 号 🏠"
    camillo("remember", address)
    camillo("set", "/ada/pet", '"Mieze the cat"', "--source", "chat")
    planned = camillo("agents", "delete", camillo.agent, "--dry-run", "--block")
    assert planned.startswith(f"would delete agent {camillo.agent}: ")
    assert all(each in planned for each in ("memories 1", "slots 1", "slot_versions 1"))
    assert len(camillo.lines("list")) == 1
    receipt = camillo.json("agents", "delete", camillo.agent, "--block", "--yes")
    assert (receipt["cause"], receipt["blocked_values"]) == ("delete_agent", "2")
    assert camillo.refused("agents", "delete", camillo.agent, "--yes")[0] != 0
    assert "forgotten" in camillo.refused("remember", address)[1]
    [listed] = camillo.lines("lifecycle", "receipts")
    assert listed["receipt_id"] == receipt["receipt_id"]


def test_tenants_come_and_go(camillo: Camillo) -> None:
    tenant = f"tenant-{camillo.agent}"
    camillo("tenants", "create", tenant, "--name", "Acme")
    secret = camillo("keys", "create", "--any-agent", "--tenant", tenant).strip()
    camillo("remember", "theirs", "--key", secret)
    assert camillo.lines("list") == []
    assert len(camillo.lines("list", "--key", secret)) == 1
    assert tenant in camillo("tenants", "list")
    deleted = camillo.json("tenants", "delete", tenant, "--confirm", tenant)
    assert deleted == {"tenant_id": tenant, "forgotten_memories": 1}
    assert camillo.refused("tenants", "delete", tenant, "--confirm", tenant)[0] == 3


@pytest.mark.parametrize("command", [["whoami"], ["list"]])
def test_a_key_that_would_leave_the_machine_unencrypted_is_told_in_a_note(camillo: Camillo, command: list[str]) -> None:
    away = ("--address", "camillo.invalid:1", "--key", "cam_secret", "--timeout", "2")
    done = camillo.run(*command, *away)
    assert done.returncode == 6
    first, *_ = done.stderr.splitlines()
    assert first == "note: the key goes to camillo.invalid:1 unencrypted: connect with tls"
    assert "cam_secret" not in done.stderr


def test_quotas_of_a_tenant_are_shown_and_changed(camillo: Camillo) -> None:
    camillo("tenants", "create", "bounded")
    shown = {each["name"]: each for each in camillo.lines("tenants", "quotas")}
    assert int(shown["memories"]["limit"]) == 10_000_000
    code, line = camillo.refused("tenants", "quotas", "memories=5")
    assert (code, line.startswith("name the tenant first")) == (2, True)
    assert "names of quotas: memories, events" in camillo.refused("tenants", "quotas", "bounded", "tea=5")[1]
    camillo("tenants", "quotas", "bounded", "memories=5", "weight=2")
    assert "memories\t0\t5\tthe tenant" in camillo("tenants", "quotas", "bounded")
    camillo("tenants", "quotas", "bounded", "memories=default")
    assert "memories\t0\t10,000,000\tall tenants" in camillo("tenants", "quotas", "bounded")
    for wrong in ("memories", "memories=many", "mice=5"):
        assert camillo.refused("tenants", "quotas", "bounded", wrong)[0] == 2
    camillo("tenants", "delete", "bounded", "--confirm", "bounded")


def test_a_profile_of_the_server_is_written_to_a_file(camillo: Camillo, tmp_path: Path) -> None:
    graph, stacks = tmp_path / "graph.svg", tmp_path / "stacks.txt"
    done = camillo.run("profile", "--seconds", "1", "--output", str(graph))
    if "not allowed" in done.stderr:
        pytest.skip("no process may trace another one here")
    shown = done.stdout
    assert f"to {graph}" in shown
    assert "<svg" in graph.read_text("utf-8")
    told = camillo.json("profile", "--seconds", "1", "--format", "raw", "-o", str(stacks))
    assert told["output"] == str(stacks)
    assert told["bytes"] == stacks.stat().st_size
    assert camillo.refused("profile", "--seconds", "61")[0] == 2
