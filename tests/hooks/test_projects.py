"""One person at several projects: what holds for the person is known in each, and nothing of a project in another."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1.admin_pb2 import ROLE_WRITER
from camillo_formats.repository_space import project_space

from tests.hooks.conftest import CLIENTS, Agent

PERSON = "users/ana"
SHOP = "projects/github.com/acme/shop"
RULE = "From now on always answer in Finnish, 请用芬兰语 🐈."
FACT = "The storefront listens on port 8443."
# Not its digits alone, which ids have by chance.
TOLD = "port 8443"
QUESTION = "Which port does the storefront listen on?"
AUTO = ("--space", "auto")


@pytest.fixture
def ana(agent: Agent) -> Agent:
    """A person with a key for any agent, whose rules are kept."""
    key = agent.web.server.keys.admin
    agent.environ |= {"CAMILLO_KEY": key, "CAMILLO_PERSON": PERSON, "CAMILLO_HOOK_RULES": "remember"}
    return agent


def repository(agent: Agent, name: str, remote: str = "") -> Path:
    directory = agent.directory.parent / name
    directory.mkdir(parents=True)
    for words in (["init"], *([["remote", "add", "origin", remote]] if remote else [])):
        subprocess.run(["git", *words], cwd=directory, check=True, capture_output=True)
    return directory


async def session(agent: Agent, directory: Path, prompt: str, options: Sequence[str] = AUTO) -> str:
    """Records a session of one prompt. Returns what the hook complained of."""
    agent.session_id = f"{directory.name}-{len(prompt)}"
    agent.write_transcript(PROMPT=prompt)
    done = await agent.hook("stop", "--wait", *options, cwd=str(directory), workspace_roots=[str(directory)])
    assert (done.returncode, done.stdout) == (0, "")
    return done.stderr


async def shown(agent: Agent, directory: Path, event: str = "prompt", prompt: str = QUESTION) -> str:
    """The context that a new session in a directory begins with, or a prompt in it brings."""
    agent.session_id = f"{directory.name}-new"
    done = await agent.hook(event, *AUTO, cwd=str(directory), workspace_roots=[str(directory)], prompt=prompt)
    assert (done.returncode, done.stderr) == (0, "")
    return json.dumps(json.loads(done.stdout or "{}"), ensure_ascii=False)


async def stored(agent: Agent, what: str, space: str) -> list[dict[str, Any]]:
    headers = agent.web.with_key(agent.web.server.keys.admin)
    answer = await agent.web.alice.get(f"/v1/{what}", params={"agent_id": space}, headers=headers)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json().get(what, [])
    return found


@pytest.mark.parametrize("client", CLIENTS)
async def test_the_next_project_knows_the_person_and_nothing_of_the_one_before(ana: Agent) -> None:
    shop = repository(ana, "shop", "git@github.com:acme/shop.git")
    twin = repository(ana, "elsewhere/shop", "https://github.com/elsewhere/shop")
    await session(ana, shop, f"{FACT} {RULE}")
    # In a repository by its remote, and in a directory below it.
    (shop / "src").mkdir()
    for directory in (shop, shop / "src"):
        assert TOLD in await shown(ana, directory)
        assert RULE in await shown(ana, directory, "session-start")
    assert RULE in await shown(ana, twin, "session-start")
    for event in ("prompt", "session-start"):
        assert TOLD not in await shown(ana, twin, event)
    assert [each["content"] for each in await stored(ana, "memories", PERSON)] == [RULE]
    assert await stored(ana, "memories", SHOP) == []
    assert await stored(ana, "events", PERSON) == []
    assert FACT in str(await stored(ana, "events", SHOP))
    assert await stored(ana, "events", "default") == []


async def test_two_directories_of_one_name_are_two_projects(ana: Agent) -> None:
    here, there = ana.directory.parent / "a" / "商店", ana.directory.parent / "b" / "商店"
    for directory in (here, there):
        directory.mkdir(parents=True)
    await session(ana, here, FACT)
    assert TOLD in await shown(ana, here)
    assert TOLD not in await shown(ana, there)
    assert FACT in str(await stored(ana, "events", project_space(str(here), PERSON)))


async def test_two_persons_at_one_project_share_it_and_not_what_each_prefers(ana: Agent) -> None:
    shop = repository(ana, "shop", "git@github.com:acme/shop.git")
    await session(ana, shop, FACT)
    wish = {"content": "Answers are wanted in Finnish", "kind": "MEMORY_KIND_PREFERENCE"}
    headers = ana.web.with_key(ana.web.server.keys.admin)
    await ana.web.alice.post("/v1/memories", json={"memory": wish, "agentId": PERSON}, headers=headers)
    assert "Finnish" in await shown(ana, shop, "session-start")
    assert TOLD in await shown(ana, shop)
    ana.environ["CAMILLO_PERSON"] = "users/bob"
    assert "Finnish" not in await shown(ana, shop, "session-start")
    assert TOLD in await shown(ana, shop)


async def test_a_key_without_a_grant_is_refused_and_does_not_act_for_its_own_agent(ana: Agent) -> None:
    shop = repository(ana, "shop", "git@github.com:acme/shop.git")
    ana.environ["CAMILLO_KEY"] = ana.web.server.keys.alice
    assert "no grant" in await session(ana, shop, FACT)
    assert await ana.events() == []
    granting = admin.CreateKeyRequest(
        agent_id="alice", role=ROLE_WRITER, spaces=[f"{PERSON}:write", "projects/*:write"]
    )
    ana.environ["CAMILLO_KEY"] = (await ana.web.server.admin(granting)).secret
    assert await session(ana, shop, f"{FACT} {RULE}") == ""
    assert TOLD in await shown(ana, shop)
    assert FACT in str(await stored(ana, "events", SHOP))
    assert await ana.events() == []


async def test_installations_for_an_agent_work_as_before(ana: Agent) -> None:
    shop = repository(ana, "shop", "git@github.com:acme/shop.git")
    await session(ana, shop, FACT, ())
    assert FACT in str(await stored(ana, "events", "default"))
    await session(ana, shop, f"{FACT} Really.", ("--agent", "storefront"))
    assert "Really" in str(await stored(ana, "events", "storefront"))
    assert await stored(ana, "events", SHOP) == []


async def test_a_person_or_a_choice_that_is_none_is_one_line(ana: Agent) -> None:
    for changed, options, said in (
        ({"CAMILLO_PERSON": "ana"}, AUTO, "CAMILLO_PERSON can be"),
        ({}, ("--space", "projects/shop"), "--space can be auto"),
    ):
        environ = ana.environ
        ana.environ = {**environ, **changed}
        for event in ("prompt", "session-start"):
            done = await ana.hook(event, *options)
            assert (done.returncode, done.stdout, done.stderr.count("\n")) == (0, "", 1)
            assert said in done.stderr
        ana.environ = environ
