"""Material for every contender: the same memories, questions and vectors, and the right answers."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from bench.material.texts import Texts

DIMENSIONS = 384
# Vectors of texts fill few of their dimensions, and neighbours stand out: with these two a question's nearest memory
# of 10,000 lies at a cosine of about 0.7 and its tenth at 0.6. In vectors without such structure hardly any is nearer
# than another, and a graph index, which peers use, finds few of the nearest.
LATENT_DIMENSIONS = 24
NOISE = 0.2

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Item:
    """A memory, or a question: its text and its unit vector."""

    item_id: str
    text: str
    vector: list[float]


@dataclass(frozen=True)
class Material:
    """Texts, all different from each other, with a vector for each: shape (number of texts, 384). Without slots,
    for what is computed once."""

    memories: int
    queries: int
    texts: Sequence[str]
    vectors: Vectors

    @classmethod
    def generate(cls, memories: int, queries: int, more: int, seed: int = 1) -> "Material":
        """Memories first, then questions, then `more` memories to be put while others are there."""
        texts = Texts(seed)
        kinds = ((texts.sentences, memories), (texts.queries, queries), (texts.sentences, more))
        drawn: dict[str, None] = {}
        for draw, count in kinds:
            wanted = len(drawn) + count
            while len(drawn) < wanted:
                drawn |= dict.fromkeys(draw(wanted - len(drawn)))
        return cls(memories, queries, list(drawn), _vectors(len(drawn), seed))

    def save(self, directory: Path) -> None:
        """Saves the material into a directory that is created for it."""
        directory.mkdir()
        np.save(directory / "vectors.npy", self.vectors)
        saved = {"memories": self.memories, "queries": self.queries, "texts": self.texts}
        (directory / "texts.json").write_text(json.dumps(saved), "utf-8")

    @classmethod
    def load(cls, directory: Path) -> "Material":
        """Loads the material that `save` wrote."""
        saved = json.loads((directory / "texts.json").read_text("utf-8"))
        return cls(**saved, vectors=np.load(directory / "vectors.npy"))

    def stored(self) -> Iterator[Item]:
        """The memories that are there from the beginning."""
        return (self._item(number) for number in range(self.memories))

    @cached_property
    def asked(self) -> list[Item]:
        """The questions."""
        return [self._item(self.memories + number) for number in range(self.queries)]

    def more(self) -> Iterator[Item]:
        """The memories to be put one by one."""
        return (self._item(number) for number in range(self.memories + self.queries, len(self.texts)))

    def vector_of(self, text: str) -> list[float]:
        """Stands in for an embedding model. Raises KeyError for a text that is not of the material."""
        vector: list[float] = self.vectors[self._indexes[text]].tolist()
        return vector

    def recall(self, found: Sequence[Sequence[str]], hits: int) -> float:
        """The share of the exactly nearest memories among those found, for the first questions; 1 is all of them."""
        asked = self.vectors[self.memories : self.memories + len(found)]
        nearest = np.argsort(-(asked @ self.vectors[: self.memories].T), axis=1)[:, :hits]
        right = [
            len({item_id(number) for number in numbers} & set(ids))
            for numbers, ids in zip(nearest.tolist(), found, strict=True)
        ]
        return sum(right) / (hits * len(found))

    @cached_property
    def _indexes(self) -> dict[str, int]:
        return {text: index for index, text in enumerate(self.texts)}

    def _item(self, number: int) -> Item:
        return Item(item_id(number), self.texts[number], self.vectors[number].tolist())


def item_id(number: int) -> str:
    """A UUID, which is what every contender takes for an id."""
    return str(UUID(int=number + 1))


def _vectors(count: int, seed: int) -> Vectors:
    numbers = np.random.default_rng(seed)
    shape = (LATENT_DIMENSIONS, DIMENSIONS)
    spread = numbers.standard_normal(shape, dtype=np.float32) / np.sqrt(LATENT_DIMENSIONS)
    meanings = numbers.standard_normal((count, LATENT_DIMENSIONS), dtype=np.float32)
    noise = numbers.standard_normal((count, DIMENSIONS), dtype=np.float32)
    vectors: Vectors = (meanings @ spread + NOISE * noise).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors
