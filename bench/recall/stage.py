"""What the measurements of `bench.recall` share: a server with its database, and whether it answers from memory."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import admin_service_pb2_grpc as stubs

from bench.material.corpus import Corpus
from bench.material.fill import Filled, fill_scope
from bench.measure.client import authorization
from bench.measure.servers import AppServer, app_server, replica, temporary_directory
from bench.recall.calls import Recaller, by_vectors, connected
from bench.recall.options import RecallOptions

# A few memories, to see who answers; and a scope beside the one that is measured.
PROBE, PROBE_CORPUS = "probe", Corpus(20, seed=2, block_rows=20)
BESIDE, BESIDE_CORPUS = "beside", Corpus(1_000, seed=3)
PROBE_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Stage:
    """A server that runs; `model_id` is what its vectors are called, `has_cache` that it answers from memory."""

    app: AppServer
    options: RecallOptions
    directory: Path
    model_id: str
    has_cache: bool

    @property
    def warm_seconds(self) -> float:
        """How long to wait for a scope to be answered from memory."""
        return self.options.load_seconds if self.has_cache else 0.0

    def fill(self, agent_id: str, corpus: Corpus) -> Filled:
        return fill_scope(self.app.url("superuser"), agent_id, corpus, self.model_id)

    @contextmanager
    def other_server(self) -> Iterator[AppServer]:
        """One on the same database whose cache holds nothing."""
        with replica(self.app, self.options.embedding, self.directory / "other") as other:
            yield other


@contextmanager
def stage(options: RecallOptions) -> Iterator[Stage]:
    """A server with two small scopes, `probe` and `beside`."""
    with (
        temporary_directory() as directory,
        app_server(options.embedding, directory / "data") as app,
    ):
        model_id = asyncio.run(_model_id(app))
        superuser_url = app.url("superuser")
        fill_scope(superuser_url, PROBE, PROBE_CORPUS, model_id)
        fill_scope(superuser_url, BESIDE, BESIDE_CORPUS, model_id)
        has_cache = asyncio.run(_has_cache(app))
        yield Stage(app, options, directory, model_id, has_cache)


async def _model_id(app: AppServer) -> str:
    async with connected(app.port) as channel:
        stub = cast("Any", stubs.AdminServiceStub(channel))
        metadata = authorization(app.secret)
        answer = await stub.WhoAmI(admin.WhoAmIRequest(), metadata=metadata, timeout=30)
        return str(answer.model_id)


async def _has_cache(app: AppServer) -> bool:
    async with connected(app.port) as channel:
        recaller = Recaller(channel, app.secret, PROBE)
        request = by_vectors(PROBE, PROBE_CORPUS.queries(1))[0]
        return await recaller.until_warm(request, PROBE_SECONDS) is not None
