"""A story that each coding agent goes through once, which tests then look at: three sessions, and a server that comes
back between them."""

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from camillo_client.testing.streams import Call, Say, Step

from tests.agents.agent_clients import CLIENTS, INSTALLED, PROGRAMS_BY_NAME, AgentClient
from tests.agents.memory_server import MemoryServer, wait_until
from tests.agents.scripted_model import ScriptedModel, scripted_model

HERE = Path(__file__).parent
MISSING = "the coding agents are not installed here: make agents-clients"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of one client run in one worker, so that its story is told once."""
    for item in items:
        if item.path.is_relative_to(HERE):
            name = next((each for each in CLIENTS if f"[{each}" in item.name), "agents")
            item.add_marker(pytest.mark.xdist_group(f"agents-{name}"))
            # The first test of a client waits for its whole story.
            item.add_marker(pytest.mark.timeout(600))
            if not INSTALLED:
                item.add_marker(pytest.mark.skip(reason=MISSING))


@dataclass
class Session:
    """One prompt, what the model was asked for it, and what the client printed."""

    prompt: str
    asked: list[dict[str, Any]]
    printed: str
    is_script_done: bool


@dataclass
class Desk:
    """A person at a project with one client, and the server that remembers."""

    client: AgentClient
    server: MemoryServer
    agent: str
    project: Path
    sessions: list[Session] = field(default_factory=list)

    def install(self, *options: str) -> str:
        """Runs `camillo install` and returns its messages."""
        words = ["camillo", "install", self.client.program.name, *options]
        done = subprocess.run(
            words, cwd=self.project, env=self.client.environ, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        self.client.has_tools = "--uninstall" not in options
        return done.stderr

    def says(self, prompt: str, *script: Step) -> Session:
        """A session of one prompt, until the last answer in it is recorded."""
        self.client.model.will(*script)
        printed = self.client.run(self.project, prompt)
        model = self.client.model
        session = Session(prompt, model.asked, printed, model.is_done())
        self.sessions.append(session)
        last = script[-1]
        assert isinstance(last, Say)
        wait_until(lambda: last.text in self.texts(), self.texts)
        return session

    def texts(self) -> list[str]:
        """The messages that are recorded, the oldest first."""
        return [event.get("text", "") for event in self.server.events(self.agent)]


@pytest.fixture(scope="session")
def memory_server(postgres_directory: Path) -> Iterator[MemoryServer]:
    server = MemoryServer(postgres_directory / "agents")
    server.directory.mkdir()
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def model() -> Iterator[ScriptedModel]:
    with scripted_model() as running:
        yield running


def sit_down(name: str, agent: str, server: MemoryServer, model: ScriptedModel, home: Path) -> Desk:
    """A desk with a new home."""
    client = AgentClient(PROGRAMS_BY_NAME[name], home, model)
    project = home / "work" / "shop"
    project.mkdir(parents=True)
    client.prepare(server.environ(agent))
    return Desk(client, server, agent, project)


@pytest.fixture(scope="session", params=CLIENTS)
def story(
    request: pytest.FixtureRequest,
    memory_server: MemoryServer,
    model: ScriptedModel,
    tmp_path_factory: pytest.TempPathFactory,
) -> Desk:
    """The desk after three sessions: of the cat, of the shop, and a question about the shop."""
    name: str = request.param
    home = tmp_path_factory.mktemp(name)
    desk = sit_down(name, f"agent-{name}", memory_server, model, home)
    desk.install()
    desk.says(CAT, Say("A lovely cat."))
    desk.says(
        SHOP,
        Call("remember", {"content": REMEMBERED}),
        desk.client.program.shell("echo three tests passed"),
        Say("It is noted."),
    )
    memory_server.stop()
    memory_server.start()
    desk.says(QUESTION, Call("recall", {"query": "deployment of the shop"}), Say(ANSWER))
    return desk


CAT = "The office cat is called Minka & likes <b>milk</b>, 猫 🐈. Say something nice."
RULE = "From now on, answer in a single sentence."
SHOP = f"We deploy the shop on Tuesdays at noon. {RULE} Run the tests."
REMEMBERED = "Deployments of the shop happen on Tuesdays at noon"
QUESTION = "When are deployments of the shop?"
ANSWER = "On Tuesdays at noon."
