"""Chroma's server in a process of its own, asked through its asynchronous HTTP client."""

import asyncio
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import chromadb

from bench.peers.material import Item, Material
from bench.peers.store import HITS, Circumstances, packed

PACKAGES = ("chromadb",)
NAME = "memories"
BATCH = 500
HOST = "127.0.0.1"
START_SECONDS = 60.0
POLL_SECONDS = 0.2


class ChromaCollection:
    """One collection with the HNSW index that it comes with."""

    def __init__(self, collection: Any) -> None:
        self._collection = collection

    async def fill(self, items: Iterable[Item]) -> None:
        remaining = list(items)
        for start in range(0, len(remaining), BATCH):
            await self._add(remaining[start : start + BATCH])

    async def search(self, query: Item) -> list[str]:
        return [str(found) for found in (await self._query(query))["ids"][0]]

    async def bundle(self, query: Item) -> str:
        return packed((await self._query(query))["documents"][0])

    async def _query(self, query: Item) -> Any:
        return await self._collection.query(query_embeddings=[query.vector], n_results=HITS)

    async def put(self, item: Item) -> None:
        await self._add([item])

    async def _add(self, items: list[Item]) -> None:
        await self._collection.add(
            ids=[item.item_id for item in items],
            embeddings=[item.vector for item in items],
            documents=[item.text for item in items],
        )


@asynccontextmanager
async def opened(given: Circumstances, _material: Material) -> AsyncIterator[ChromaCollection]:
    """The first process starts the server and stops it; the others ask it, too."""
    told = given.own_directory.with_suffix(".port")
    if not given.is_first:
        client = await chromadb.AsyncHttpClient(host=HOST, port=int(told.read_text()))
        yield ChromaCollection(await client.get_collection(NAME, embedding_function=None))
        return
    port = _free_port()
    program = Path(sys.executable).parent / "chroma"
    where = ["--path", given.directory, "--host", HOST, "--port", str(port)]
    with subprocess.Popen([program, "run", *where], stdout=sys.stderr) as server:  # noqa: ASYNC220
        try:
            client = await _client(server, port)
            collection = await client.create_collection(
                NAME, embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
            )
            told.write_text(str(port))
            yield ChromaCollection(collection)
        finally:
            server.terminate()


async def _client(server: "subprocess.Popen[bytes]", port: int) -> Any:
    """Connects as soon as the server answers."""
    deadline = time.monotonic() + START_SECONDS
    while not _listens(port):
        if server.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError("Chroma's server did not start")
        await asyncio.sleep(POLL_SECONDS)
    return await chromadb.AsyncHttpClient(host=HOST, port=port)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) == 0


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port
