"""Tools of one person at several projects: a memory is kept where its kind belongs, and the answer says where."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1.admin_pb2 import ROLE_READER, ROLE_WRITER
from mcp.client import Client

from tests.patience import PATIENCE_SECONDS
from tests.rpc.gateway.conftest import Web
from tests.rpc.gateway.mcp.conftest import Connect, answered, failed
from tests.rpc.gateway.mcp.test_scopes import post
from tests.rpc.gateway.mcp.test_stdio import program

PERSON = "users/ana"
SHOP = "projects/github.com/acme/shop"
BLOG = "projects/github.com/acme/blog"
WISH, FACT = "Answers are wanted in Finnish 🐈", "The storefront listens on 8443, 端口"
At = Callable[..., AbstractAsyncContextManager[Client]]


@pytest.fixture(params=["standard input", "http"])
def at(request: pytest.FixtureRequest, web: Web, connect: Connect, tmp_path: Path) -> At:
    """Connects to the tools as a person at a project, with a key, by default one for any agent."""

    @asynccontextmanager
    async def by_http(space: str, person: str = PERSON, key: str = "") -> AsyncIterator[Client]:
        async with connect(key or web.server.keys.admin, f"/mcp/{space}?person={person}&profile=chatgpt") as client:
            yield client

    @asynccontextmanager
    async def by_standard_input(space: str, person: str = PERSON, key: str = "") -> AsyncIterator[Client]:
        directory = tmp_path / space
        (directory / ".git").mkdir(parents=True, exist_ok=True)
        (directory / ".git" / "HEAD").touch()
        url = f"https://token@{space.removeprefix('projects/')}.git"
        (directory / ".git" / "config").write_text(f'[remote "origin"]\n\turl = {url}\n')
        options = ("--address", web.server.address, "--space", "auto", "--profile", "chatgpt")
        started = program(*options, key=key or web.server.keys.admin)
        started.env = {**(started.env or {}), "CAMILLO_PERSON": person}
        started.cwd = directory
        async with Client(started, read_timeout_seconds=PATIENCE_SECONDS) as client:
            yield client

    return by_http if request.param == "http" else by_standard_input


async def kept(client: Client, content: str, kind: str) -> Any:
    answer = await client.call_tool("remember", {"content": content, "kind": kind})
    assert not answer.is_error, answer.content
    return answer.structured_content


async def contents(web: Web, space: str) -> set[str]:
    headers = web.with_key(web.server.keys.admin)
    answer = await web.alice.get("/v1/memories", params={"agent_id": space}, headers=headers)
    return {each["content"] for each in answer.json().get("memories", [])}


async def test_what_a_person_wants_crosses_projects_and_what_a_project_knows_does_not(web: Web, at: At) -> None:
    async with at(SHOP) as shop:
        wish, fact = await kept(shop, WISH, "preference"), await kept(shop, FACT, "fact")
        assert (wish["space"], fact["space"]) == (PERSON, SHOP)
        said = await answered(shop, "remember", content="Sign commits", kind="instruction")
        assert said.endswith(f", kept in {PERSON}")
        await answered(shop, "record_event", content="8443 is in use", kind="decision")
        for text in (WISH, FACT):
            assert text in await answered(shop, "recall", query=text)
    async with at(BLOG) as blog:
        assert WISH in await answered(blog, "recall", query=WISH)
        assert WISH in await answered(blog, "read", ref=wish["id"])
        assert wish["id"] in await answered(blog, "search", query=WISH)
        assert WISH in await answered(blog, "context", query="In which language are answers wanted?")
        for tool, arguments in (
            *((each, {"query": "the storefront listens on 8443"}) for each in ("recall", "context", "search")),
            ("decisions", {"query": "8443"}),
        ):
            found = await answered(blog, tool, **arguments)
            # Not its digits alone, which ids have by chance.
            assert not {text for text in ("on 8443", "8443 is") if text in found}, tool
        assert "NOT_FOUND" in await failed(blog, "read", ref=fact["id"])
        assert "erased 1" in await answered(blog, "forget", ids=[wish["id"], fact["id"]], dry_run=False)
    assert await contents(web, PERSON) == {"Sign commits"}
    assert await contents(web, SHOP) == {FACT}
    assert await contents(web, BLOG) == set()


async def test_another_person_at_the_project_knows_what_it_knows_alone(at: At) -> None:
    async with at(SHOP) as ana:
        for content, kind in ((WISH, "preference"), (FACT, "fact")):
            await kept(ana, content, kind)
    async with at(SHOP, "users/bob") as bob:
        assert FACT in await answered(bob, "recall", query=FACT)
        assert WISH not in await answered(bob, "recall", query=WISH)


async def test_a_key_of_one_agent_needs_a_grant_for_both_spaces(web: Web, at: At) -> None:
    async def key(*grants: str) -> str:
        role = ROLE_WRITER if grants else ROLE_READER
        granting = admin.CreateKeyRequest(agent_id="alice", role=role, spaces=grants)
        secret: str = (await web.server.admin(granting)).secret
        return secret

    async with at(SHOP, key=await key(f"{PERSON}:read", "projects/github.com/acme/*:write")) as alice:
        assert (await kept(alice, FACT, "fact"))["space"] == SHOP
        assert FACT in await answered(alice, "recall", query=FACT)
        # A grant to read the person's space keeps nothing there.
        assert "SCOPE_FORBIDDEN" in await failed(alice, "remember", content=WISH, kind="preference")
    assert await contents(web, PERSON) == set()


@pytest.mark.parametrize(
    ("person", "status"),
    [("users/ana", 200), ("@shared", 200), ("users/bob", 403), ("ana", 400), ("projects/x", 400), ("users/%0a", 400)],
)
async def test_a_person_in_the_address_is_checked_at_the_door(web: Web, person: str, status: int) -> None:
    granting = admin.CreateKeyRequest(agent_id="alice", role=ROLE_WRITER, spaces=[f"{PERSON}:write"])
    granted = (await web.server.admin(granting)).secret
    answer = await post(web, f"/mcp?person={person}", granted)
    assert answer.status_code == status, answer.text
