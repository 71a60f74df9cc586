"""Released clients go on working against the server as it is now: each is run as it was, from its zip."""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import grpc
import pytest

from tests.patience import PATIENCE_SECONDS
from tests.secret_samples import samples
from tests.server_fixtures import Server, StartServer

HERE = Path(__file__).parent
PLAYER = HERE / "playing.py"
DEPENDENCIES = Path(grpc.__file__).parents[1]
NEWEST = HERE.parents[1] / "clients" / "python" / "src"


def released(name: str) -> Path:
    return HERE / "released" / f"camillo-client-{name}.zip"


async def played(story: str, client: Path, server: Server) -> dict[str, Any]:
    """Plays a story with a released client in a process of its own, and returns what the story reports."""
    keys = server.keys
    told = {
        "story": str(HERE / f"{story}.py"),
        "address": server.address,
        "secret": samples(7)["github-pat"],
        "keys": {name: getattr(keys, name) for name in ("root", "admin", "alice", "reader", "rival")},
    }
    process = await asyncio.create_subprocess_exec(
        # Without what `site` would put into the path: the client of this tree.
        *(sys.executable, "-S", "-P", str(PLAYER)),
        env=environment(client),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(PATIENCE_SECONDS):
        printed, errors = await process.communicate(json.dumps(told).encode())
    assert process.returncode == 0, errors.decode()[-4000:]
    answer: dict[str, Any] = json.loads(printed)
    return answer


def environment(client: Path) -> dict[str, str]:
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("CAMILLO_", "PYTHON"))}
    return {**inherited, "PYTHONPATH": os.pathsep.join([str(client), str(DEPENDENCIES)])}


# The earlier methods have stories of their own, told by the client that first had them.
OF_0_1_0 = ("camillo.v1.MemoryService/", "camillo.v1.AdminService/")
# A story, the release that it is played with, and whose methods are tried elsewhere. The last one lists the scopes in
# memory.
STORIES = {
    "facade_of_0_1_0": ("0.1.0", ()),
    "stubs_of_0_1_0": ("0.1.0", ()),
    "context_of_0_1_0": ("0.1.0-context", OF_0_1_0),
}
MARKED = {"context_of_0_1_0": pytest.mark.caches}


def stories(*names: str) -> list[Any]:
    return [pytest.param(name, marks=MARKED.get(name, ())) for name in names]


@pytest.fixture
async def server(start_server: StartServer) -> Server:
    """A server that ranks by words, with an event that no client of 0.1.0 could record."""
    running = await start_server(memory={"embedding_model": "lexical", "embedding_dimensions": None})
    async with running.client(running.keys.alice) as newest:
        await newest.events.record("the kettle whistles", session_id="k", actor="human:ada")
    return running


@pytest.mark.parametrize("story", stories(*STORIES))
async def test_a_released_client_does_all_that_it_did(server: Server, story: str) -> None:
    release, elsewhere = STORIES[story]
    client = released(release)
    done = await played(story, client, server)
    assert Path(done["client"]).is_relative_to(client)
    assert Path(done["contract"]).is_relative_to(client)
    assert [name for name in done["not_called"] if not name.startswith(elsewhere)] == []


@pytest.mark.parametrize("story", stories("facade_of_0_1_0", "context_of_0_1_0"))
async def test_a_program_written_for_a_release_runs_with_the_newest_client(server: Server, story: str) -> None:
    done = await played(story, NEWEST, server)
    assert Path(done["client"]).is_relative_to(NEWEST)


def test_every_release_that_is_kept_has_a_story() -> None:
    kept = {path.name for path in (HERE / "released").glob("*.zip")}
    assert kept == {released(release).name for release, _ in STORIES.values()}
    listed = (HERE / "released" / "README.md").read_text("utf-8")
    assert [name for name in kept if f"`{name}`" not in listed] == []


async def test_a_story_of_another_release_is_noticed(server: Server) -> None:
    """Modules that a release lacks are not taken from this tree."""
    with pytest.raises(AssertionError, match="No module named"):
        await played("context_of_0_1_0", released("0.1.0"), server)
