"""Options of the measurements of `bench.recall`, and a server with its database."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from camillo.v1 import admin_service_pb2 as admin

from bench.material.corpus import Corpus
from bench.material.fill import Filled, fill_scope
from bench.material.texts import known_words
from bench.measure.client import connected
from bench.measure.servers import (
    DIMENSIONS,
    AppServer,
    Embedding,
    app_server,
    embedding_by,
    replica,
    temporary_directory,
)
from bench.measure.timing import FULL, QUICK, Repeats
from bench.recall.calls import Recaller, by_vectors

# A few memories, to see who answers; and a scope beside the one that is measured.
PROBE, PROBE_CORPUS = "probe", Corpus(20, seed=2, block_rows=20)
BESIDE, BESIDE_CORPUS = "beside", Corpus(1_000, seed=3)
PROBE_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class RecallOptions:
    """A full run; `quick()` is one that only shows that everything works. `round_seconds` ends a round early."""

    repeats: Repeats = FULL
    round_seconds: float = 4.0
    exact_queries: int = 500
    exact_seconds: float = 120.0
    # Loads of a scope of up to 10,000 memories; larger ones are loaded once, after a longer look at what was before.
    cold_starts: int = 5
    calm_seconds: float = 5.0
    large_calm_seconds: float = 30.0
    load_seconds: float = 300.0
    own_writes: int = 200
    replica_writes: int = 200
    # How often new servers are started where versions are compared.
    starts: int = 3
    model: Path | None = None

    @classmethod
    def quick(cls) -> "RecallOptions":
        return cls(
            repeats=QUICK,
            round_seconds=1.0,
            exact_queries=20,
            exact_seconds=5.0,
            cold_starts=1,
            calm_seconds=0.5,
            large_calm_seconds=2.0,
            load_seconds=60.0,
            own_writes=5,
            replica_writes=5,
            starts=1,
        )

    @property
    def known_words(self) -> tuple[str, ...]:
        """The frequent words of texts that a model embeds."""
        return known_words(self.model)

    @property
    def embedding(self) -> Embedding:
        """The embedder of texts; vectors that the benchmark brings count as the same model's."""
        return embedding_by(self.model, DIMENSIONS)


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
        yield Stage(app, options, directory, model_id, asyncio.run(_has_cache(app)))


async def _model_id(app: AppServer) -> str:
    async with connected(app.port, app.secret) as client:
        return str((await client(admin.WhoAmIRequest())).model_id)


async def _has_cache(app: AppServer) -> bool:
    async with connected(app.port, app.secret) as client:
        request = by_vectors(PROBE, PROBE_CORPUS.queries(1))[0]
        return await Recaller(client, PROBE).until_warm(request, PROBE_SECONDS) is not None
