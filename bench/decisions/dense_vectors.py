"""Vectors to measure an index with: like those of texts, in topics, and without any structure."""

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from camillo_server.embedding.onnx import OnnxEmbedder
from numpy.typing import NDArray

Single = NDArray[np.float32]
Half = NDArray[np.float16]

DIMENSIONS = 384
BLOCK = 50_000
PASSAGES = 8_000
PASSAGE_CHARACTERS = (25, 400)
TOPICS, INTRINSIC, KINDS_OF_SPREAD = 5_000, 24, 64


def unit(vectors: Single) -> Single:
    units: Single = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return units


def embedded_passages(folder: Path, model: Path) -> Single:
    """Paragraphs of the chats in a folder, shuffled, as the local model sees them."""
    texts = [
        text for text in dict.fromkeys(_paragraphs(folder)) if len(text) >= PASSAGE_CHARACTERS[0]
    ]
    chosen = np.random.default_rng(0).permutation(len(texts))[:PASSAGES]
    embedder = OnnxEmbedder(model)
    return asyncio.run(embedder.embed([texts[place] for place in chosen]))


def like(real: Single, count: int, seed: int = 0) -> Half:
    """Each between a real vector and one of its ten nearest, with noise of the same covariance."""
    random = np.random.default_rng(seed)
    near = np.argpartition(-(real @ real.T), 10, axis=1)[:, :11]
    values, axes = np.linalg.eigh(np.cov(real.T))
    root = (axes * np.sqrt(np.maximum(values, 0))).T.astype(np.float32)
    made = np.empty((count, real.shape[1]), np.float16)
    for start in range(0, count, BLOCK):
        size = min(BLOCK, count - start)
        one = random.integers(len(real), size=size)
        other = near[one, random.integers(11, size=size)]
        share = random.uniform(0.3, 1, size=(size, 1)).astype(np.float32)
        noise = 0.5 * (random.standard_normal((size, real.shape[1]), np.float32) @ root)
        made[start : start + size] = unit(share * real[one] + (1 - share) * real[other] + noise)
    return made


def in_topics(count: int, seed: int = 1) -> Half:
    """Topics of unequal size, within each a spread along few directions, and a little noise."""
    random = np.random.default_rng(seed)
    falling = (1 / np.sqrt(1 + np.arange(DIMENSIONS) / 20)).astype(np.float32)
    centres = unit(random.standard_normal((TOPICS, DIMENSIONS), np.float32) * falling)
    shape = (KINDS_OF_SPREAD, INTRINSIC, DIMENSIONS)
    spreads = random.standard_normal(shape, np.float32) * np.float32(
        3.1 / np.sqrt(shape[1] * shape[2])
    )
    sizes = np.arange(1, TOPICS + 1) ** -0.6
    made = np.empty((count, DIMENSIONS), np.float16)
    for start in range(0, count, BLOCK):
        size = min(BLOCK, count - start)
        topic = random.choice(TOPICS, size=size, p=sizes / sizes.sum())
        vectors = centres[topic]
        for kind in range(KINDS_OF_SPREAD):
            members = np.flatnonzero(topic % KINDS_OF_SPREAD == kind)
            inner = random.standard_normal((len(members), INTRINSIC), np.float32)
            vectors[members] += inner @ spreads[kind]
        noise = random.standard_normal((size, DIMENSIONS), np.float32)
        made[start : start + size] = unit(vectors + noise * np.float32(0.4 / np.sqrt(DIMENSIONS)))
    return made


def without_structure(count: int, seed: int = 3) -> Half:
    random = np.random.default_rng(seed)
    made = np.empty((count, DIMENSIONS), np.float16)
    for start in range(0, count, BLOCK):
        size = min(BLOCK, count - start)
        made[start : start + size] = unit(random.standard_normal((size, DIMENSIONS), np.float32))
    return made


def _paragraphs(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*.json")):
        chat = json.loads(path.read_bytes())
        for message in chat.get("messages", []) if isinstance(chat, dict) else []:
            for paragraph in re.split(r"\n\s*\n", message.get("text", "")):
                yield paragraph.strip()[: PASSAGE_CHARACTERS[1]]
