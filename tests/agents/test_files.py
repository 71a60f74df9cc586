"""`camillo install` and its removal, among files that the client itself has written."""

from pathlib import Path

import pytest
from camillo_client.testing.streams import Say

from tests.agents.agent_clients import CLIENTS
from tests.agents.conftest import sit_down
from tests.agents.memory_server import MemoryServer
from tests.agents.scripted_model import ScriptedModel


@pytest.mark.parametrize("scope", ["user", "project"])
@pytest.mark.parametrize("name", CLIENTS)
def test_what_is_installed_is_removed_to_the_byte(
    name: str, scope: str, memory_server: MemoryServer, model: ScriptedModel, tmp_path: Path
) -> None:
    desk = sit_down(name, f"bytes-{name}", memory_server, model, tmp_path)
    model.will(Say("Hello"))
    desk.client.run(desk.project, "Say hello")
    before = desk.client.files()
    desk.install("--scope", scope)
    assert desk.client.files() != before
    desk.install("--scope", scope, "--uninstall")
    assert desk.client.files() == before
