"""Memories of one generated scope: texts of varied lengths, and vectors that lie as those of real texts do.

Vectors are drawn from a mixture: topics of unequal frequency, each a cloud of few directions, all of them in one
space of low dimension, and a little noise in every direction. The same numbers give the same memories, block by
block, so that what would not fit in memory can be generated again.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from uuid import UUID

import numpy as np
from camillo_server.kernel.ids import AgentId, MemoryId
from camillo_server.kernel.kinds import MemoryKind, Sensitivity
from camillo_server.models.embedding.embedder import Vector
from camillo_server.rows.row import NewRow, Row
from numpy.typing import NDArray

from bench.material.texts import Texts

BLOCK_ROWS = 10_000
# Held by one memory in a hundred.
RARE_TAG = "rare"
RARE_SHARE = 0.01
COMMON_TAGS = 20
SESSION_ROWS = 40
FIRST_MOMENT = datetime(2026, 1, 1, tzinfo=UTC)
# Shape of the vectors: how many directions texts differ in, how far a topic spreads around its centre, and how much of
# a vector is noise in all directions.
LATENT_DIMENSIONS = 48
TOPICS = 200
SPREAD = 0.7
NOISE = 0.25
# Separate streams of random numbers of one seed.
SPACE, ROWS, QUERIES = range(3)

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Block:
    """Rows `first` and following: vectors of shape (rows, dimensions), a text and a mark for each."""

    first: int
    vectors: Vectors
    texts: list[str]
    is_rare: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Corpus:
    """A number of generated memories, the same for the same seed."""

    rows: int
    dimensions: int = 384
    seed: int = 1
    block_rows: int = BLOCK_ROWS
    known_words: tuple[str, ...] = field(default=(), repr=False)
    _space: "Space" = field(init=False, repr=False)
    _texts: Texts = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_space", _space(self.dimensions, self.seed))
        object.__setattr__(self, "_texts", Texts(self.seed, known=self.known_words))

    def blocks(self) -> Iterator[Block]:
        """All of it, in order; what a block holds does not depend on how many rows there are in all."""
        for first in range(0, self.rows, self.block_rows):
            yield self._block(first, min(self.block_rows, self.rows - first))

    def queries(self, count: int) -> Vectors:
        """Unit vectors drawn like those of the memories, none of which is among them: shape (count, dimensions)."""
        return self._space.vectors(count, np.random.default_rng([self.seed, QUERIES]))

    def _block(self, first: int, rows: int) -> Block:
        numbers = np.random.default_rng([self.seed, ROWS, first])
        # Whole blocks are drawn, so that the last one begins as it would if there were more.
        vectors = self._space.vectors(self.block_rows, numbers)[:rows]
        is_rare = (numbers.random(self.block_rows) < RARE_SHARE)[:rows]
        texts = self._texts.varied(self.block_rows, numbers)[:rows]
        return Block(first, vectors, texts, is_rare)


@dataclass(frozen=True, slots=True)
class Space:
    """Where vectors lie."""

    centres: NDArray[np.float32]
    scales: NDArray[np.float32]
    axes: NDArray[np.float32]
    shares: NDArray[np.float64]

    @classmethod
    def drawn(cls, dimensions: int, seed: int) -> "Space":
        numbers = np.random.default_rng([seed, SPACE])
        # Some directions tell much, most tell little, as the spectrum of real embeddings falls.
        scales = np.arange(1, LATENT_DIMENSIONS + 1, dtype=np.float32) ** -0.5
        centres = numbers.standard_normal((TOPICS, LATENT_DIMENSIONS), np.float32) * scales
        axes = numbers.standard_normal((LATENT_DIMENSIONS, dimensions), np.float32)
        axes /= np.linalg.norm(axes, axis=1, keepdims=True)
        shares = 1.0 / np.arange(1, TOPICS + 1) ** 0.7
        return cls(centres, scales, axes, shares / shares.sum())

    def vectors(self, count: int, numbers: np.random.Generator) -> Vectors:
        """Unit vectors: shape (count, dimensions)."""
        topics = numbers.choice(len(self.centres), count, p=self.shares)
        latent = numbers.standard_normal((count, len(self.scales)), np.float32)
        points = (self.centres[topics] + SPREAD * latent * self.scales) @ self.axes
        points /= np.linalg.norm(points, axis=1, keepdims=True)
        noise = numbers.standard_normal(points.shape, np.float32)
        points += noise * np.float32(NOISE / np.sqrt(points.shape[1]))
        points /= np.linalg.norm(points, axis=1, keepdims=True)
        return points


@cache
def _space(dimensions: int, seed: int) -> Space:
    return Space.drawn(dimensions, seed)


def new_rows(block: Block, agent_id: str, model_id: str) -> Iterator[NewRow]:
    """The block's memories as the server would store them, each naming this model."""
    for place, text in enumerate(block.texts):
        memory = _memory(block.first + place, text, bool(block.is_rare[place]), agent_id, model_id)
        yield NewRow(memory, Vector(model_id, block.vectors[place]))


def memory_id(row: int) -> MemoryId:
    """The id of a row: a UUID of version 7 whose time and last bits count up."""
    milliseconds = int(FIRST_MOMENT.timestamp() * 1000) + row
    return MemoryId(UUID(int=milliseconds << 80 | 0x7 << 76 | 0b10 << 62 | row))


def row_of(memory_id: str) -> int:
    """The row that has this id."""
    return UUID(memory_id).int & (2**62 - 1)


def _memory(row: int, text: str, is_rare: bool, agent_id: str, model_id: str) -> Row:
    moment = FIRST_MOMENT + timedelta(seconds=row)
    return Row(
        memory_id=memory_id(row),
        agent_id=AgentId(agent_id),
        content=text,
        kind=MemoryKind.CONVERSATION if row % 3 else MemoryKind.FACT,
        session_id=f"session-{row // SESSION_ROWS}",
        occurred_at=moment,
        tags=[f"tag-{row * 7 % COMMON_TAGS}", *([RARE_TAG] if is_rare else [])],
        sensitivity=Sensitivity.INTERNAL,
        importance=row * 13 % 10 / 10,
        metadata={},
        expires_at=None,
        pinned=False,
        archived=False,
        version=1,
        source_refs=(),
        created_at=moment,
        updated_at=moment,
        vector_model_id=model_id,
    )
