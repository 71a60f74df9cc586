"""distill, with a server that asks a scripted model; and what usage says of it."""

import json
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.chat_server import ChatServer, chat_server
from tests.cli.conftest import Camillo, cells, clean_environ, read_line, run_here
from tests.distilling_model import repeated, states
from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase

SAID = "The standup moved  to 9:30 in room Ostsee."


@pytest.fixture
def provider() -> Iterator[ChatServer]:
    with chat_server() as running:
        running.always = states(repeated)
        yield running


@pytest.fixture
def distilling(
    provider: ChatServer, database: TestDatabase, start: Callable[..., subprocess.Popen[bytes]], tmp_path: Path
) -> Iterator[Camillo]:
    """A server that may send every space to the model."""
    urls = {"CAMILLO_DATABASE_URL": database.server_url, "CAMILLO_DATABASE_OWNER_URL": database.owner_url}
    model = {
        "CAMILLO_DISTILLATION_LITELLM_MODEL": "openai/test",
        "CAMILLO_DISTILLATION_LITELLM_API_BASE": provider.url,
        "CAMILLO_DISTILLATION_LITELLM_API_KEY": "sk-test",
        "CAMILLO_DISTILLATION_SPACES": '{"default": ["*"]}',
        "CAMILLO_MEMORY_EMBEDDING_MODEL": "lexical",
        "CAMILLO_MEMORY_EMBEDDING_BUDGET_USD": "1",
    }
    keys = run_here("keys", "bootstrap", environ=clean_environ() | urls)
    (tmp_path / "root.key").write_text(keys.stdout, "ascii")
    (tmp_path / "root.key").chmod(0o600)
    environ = clean_environ() | urls | model
    process = start("serve", "--json", "--port", "0", "--data-dir", str(tmp_path), env=environ)
    yield Camillo(json.loads(read_line(process))["address"], tmp_path, "ana")
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE_SECONDS) == 0


def test_a_proposal_is_shown_edited_accepted_and_reverted(distilling: Camillo, provider: ChatServer) -> None:
    camillo = distilling
    assert camillo.run("distill", "run").stderr == "nothing was said since\n"
    empty = camillo.run("usage")
    assert (empty.returncode, empty.stdout) == (0, "")
    assert "no model was asked" in empty.stderr

    event = camillo.json("event", "record", SAID, "--session", "s1", "--actor", "human:ana")["event_id"]
    planned = camillo.run("distill", "run", "--dry-run")
    assert planned.stdout.startswith("1 of 1 turn, ")
    assert not provider.bodies
    token = planned.stderr.split()[-1]
    done = camillo("distill", "run", "--plan", token, "--timeout", "60")
    assert len(provider.bodies) == 1
    assert "1 proposal, dropped: none, $0.0001" in done

    [proposal] = camillo.lines("distill", "list", "--state", "pending")
    [distillation] = camillo.lines("distill", "runs")
    shown = camillo("distill", "show", proposal["proposal_id"]).splitlines()
    assert f"said in      {event}: {' '.join(SAID.split())}" in shown
    assert f"distillation {distillation['distillation_id']}" in shown
    assert camillo.refused("distill", "show", event)[0] == 3

    assert camillo("distill", "edit", proposal["proposal_id"], "Standup: 9:30") == f"edited {proposal['proposal_id']}\n"
    [row] = cells(camillo("distill", "accept", proposal["proposal_id"]))
    assert row[:2] == [proposal["proposal_id"], "accepted"]
    assert [each["content"] for each in camillo.lines("list")] == ["Standup: 9:30"]
    assert camillo.rows("usage") == [["distillation", "litellm-openai/test", "", "1", "99", "1", "0.000100"]]

    of = distillation["distillation_id"]
    assert camillo("distill", "replay", of) == "the same comes of the answers\n"
    assert camillo("distill", "revert", of) == f"reverted {of}: 1 proposal undone\n"
    assert camillo.lines("list") == []
    code, line = camillo.refused("distill", "revert", of)
    assert (code, "see 'camillo distill runs'" in line) == (1, True)
