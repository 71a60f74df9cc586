"""One person at two projects, with the real clients: what holds everywhere crosses, and nothing else does."""

import json
import subprocess
from pathlib import Path

import pytest
from camillo_client.testing.streams import Call, Say

from tests.agents.agent_clients import CLIENTS, PROGRAMS_BY_NAME, AgentClient, texts_of
from tests.agents.conftest import Desk
from tests.agents.memory_server import MemoryServer
from tests.agents.scripted_model import ScriptedModel

NAME = "claude-code"
RULE = "From now on, answer in a single sentence, 请用一句话."
FACT = "The shop listens on port 8443."
# Not its digits alone, which ids have by chance.
TOLD = "port 8443"
QUESTION = "Which port does it listen on?"


def sit_down_at(desk: Desk, name: str) -> Desk:
    """A desk of the same person, home and server at another project."""
    project = desk.client.home / "work" / name
    project.mkdir(parents=True, exist_ok=True)
    return Desk(desk.client, desk.server, name, project)


@pytest.mark.parametrize("client", [NAME])
def test_a_rule_of_a_person_reaches_the_other_project_and_nothing_else_does(
    client: str, memory_server: MemoryServer, model: ScriptedModel, tmp_path: Path
) -> None:
    at_home = AgentClient(PROGRAMS_BY_NAME[client], tmp_path, model)
    variables = memory_server.environ("") | {"CAMILLO_PERSON": "@shared", "CAMILLO_HOOK_RULES": "remember"}
    del variables["CAMILLO_AGENT"]
    at_home.prepare(variables)
    shop = sit_down_at(Desk(at_home, memory_server, "", tmp_path), "atelier")
    blog = sit_down_at(shop, "blog")
    for each in (shop, blog):
        each.install("--scope", "project", "--agent", each.agent)
    shop.says(f"{FACT} {RULE}", Say("It does so now."))
    again = texts_of(shop.says(QUESTION, Say("On 8443, in the shop.")).asked[0])
    assert (RULE in again, FACT in again) == (True, True)
    elsewhere = texts_of(blog.says(QUESTION, Say("Nobody has told me yet.")).asked[0])
    assert (RULE in elsewhere, TOLD in elsewhere) == (True, False)
    assert memory_server.memories("blog") == []
    status = _json_of(shop, "hook", "status", "--json")
    assert client in json.dumps(status)


WISH = "Answers are wanted in Finnish"
PERSON = "users/ana"


@pytest.mark.parametrize("client", CLIENTS)
def test_a_repository_and_a_person_have_a_space_each(
    client: str, memory_server: MemoryServer, model: ScriptedModel, tmp_path: Path
) -> None:
    at_home = AgentClient(PROGRAMS_BY_NAME[client], tmp_path, model)
    person = f"{PERSON}-{client}"
    variables = memory_server.environ("") | {"CAMILLO_PERSON": person}
    del variables["CAMILLO_AGENT"]
    at_home.prepare(variables)
    desk = Desk(at_home, memory_server, "", tmp_path)
    shop, blog = (repository(desk, name, f"projects/github.com/{client}/{name}") for name in ("shop", "blog"))
    shop.install()
    noted = Call("remember", {"content": WISH, "kind": "preference"}), Call("remember", {"content": FACT})
    shop.says("Answer in Finnish. The shop listens on port 8443.", *noted, Say("It is noted."))
    kept = {space: memory_server.memories(space) for space in (person, shop.agent, blog.agent)}
    assert kept == {person: [WISH], shop.agent: [FACT], blog.agent: []}
    again = texts_of(shop.says(QUESTION, Say("On 8443.")).asked[0])
    assert (FACT in again, WISH in again) == (True, True)
    elsewhere = texts_of(blog.says(QUESTION, Call("recall", {"query": WISH}), Say("Nobody knows.")).asked)
    assert (WISH in elsewhere, TOLD in elsewhere) == (True, False)
    assert memory_server.events("default") == []


def repository(desk: Desk, name: str, space: str) -> Desk:
    """A desk at a repository that has a remote, by the space that the remote names."""
    project = desk.client.home / "work" / name
    project.mkdir(parents=True)
    remote = f"git@{space.removeprefix('projects/').replace('/', ':', 1)}.git"
    for words in (["init"], ["remote", "add", "origin", remote]):
        subprocess.run(["git", *words], cwd=project, check=True, capture_output=True)
    return Desk(desk.client, desk.server, space, project)


def _json_of(desk: Desk, *words: str) -> object:
    done = subprocess.run(
        ["camillo", *words], cwd=desk.project, env=desk.client.environ, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)
