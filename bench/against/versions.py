"""The two versions: this checkout and another one, and a server of each."""

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack, ExitStack, contextmanager
from pathlib import Path

import psycopg

from bench.measure.client import Client, connected
from bench.measure.servers import (
    NO_SETTINGS,
    ROOT,
    AppServer,
    Embedding,
    app_server,
    temporary_directory,
)

HERE, THERE = "here", "there"
ENTRY = Path("bench") / "app_server.py"

Trees = Mapping[str, Path]
Pair = Mapping[str, AppServer]


@contextmanager
def trees_with(other: str) -> Iterator[Trees]:
    """This checkout and the other: a directory, or a commit of this repository, which is unpacked for as long as it
    takes. Raises ValueError where it is neither."""
    if (Path(other) / ENTRY).is_file():
        yield {HERE: ROOT, THERE: Path(other).resolve()}
        return
    with temporary_directory() as directory:
        # Unlike a worktree, an archive leaves nothing in the repository when the benchmark is killed.
        archive = subprocess.run(["git", "-C", str(ROOT), "archive", other], capture_output=True)
        if archive.returncode:
            raise ValueError(f"{other!r} is neither a checkout with {ENTRY} nor a commit")
        subprocess.run(["tar", "-x", "-C", str(directory)], input=archive.stdout, check=True)
        yield {HERE: ROOT, THERE: directory}


@contextmanager
def both_servers(
    trees: Trees, embedding: Embedding, settings: Mapping[str, object] = NO_SETTINGS
) -> Iterator[Pair]:
    """A server of each version, each with a database of its own."""
    with ExitStack() as stack:
        directory = stack.enter_context(temporary_directory())
        yield {
            version: stack.enter_context(
                app_server(embedding, directory / version, settings=settings, tree=tree)
            )
            for version, tree in trees.items()
        }


def vacuum(pair: Pair) -> None:
    """Gives both databases the statistics that one in use has."""
    for app in pair.values():
        with psycopg.connect(app.url("superuser"), autocommit=True) as superuser:
            superuser.execute("vacuum analyze")


async def clients_of(pair: Pair, stack: AsyncExitStack) -> dict[str, Client]:
    """A connection to each, open as long as the stack is."""
    return {
        version: await stack.enter_async_context(connected(app.port, app.secret))
        for version, app in pair.items()
    }
