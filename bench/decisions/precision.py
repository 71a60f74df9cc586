"""Measures what tells relevant hits from others: `python -m bench.decisions.precision [--model DIR] [--data DIR ...]`
(docs/adr/precision-and-reranking.md).

The questions of the suite `precise` are asked for 20 hits each. The weights of `search/precision.py` are fitted
(logistic regression) on every other ten questions, and judged on those between, and on the questions of chats, of
which the fit sees nothing: how much of what is returned is right, how much of what is right among the 20 hits is
returned, and how many hits that is.
"""

import argparse
import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from camillo.v1 import memory_service_pb2 as service
from camillo_server.models.embedding.embedder import Embedder
from camillo_server.models.embedding.providers import choose_embedder, prefixes_of
from camillo_server.search.precision import shares_of_own_words
from camillo_server.search.query_text import query_terms
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from bench.material.chats import read_chats
from bench.measure.client import Client, connected
from bench.measure.command import add_model, parse, say
from bench.measure.servers import AppServer, app_server, embedding_by, temporary_directory
from bench.quality.chat_questions import MESSAGE_KEY, import_memories
from bench.quality.suites import precise
from bench.quality.suites.asking import Asker

HITS = 20
# Figures are told of cases of another seed.
SEED = 2
ENGLISH = "english"
CHATS_OF_A_COLLECTION = 5
FACTS = ("relevance", "rank", "likeness", "words")
RULES = {
    "relevance": ("relevance",),
    "relevance, place": ("relevance", "rank"),
    "relevance, place, likeness": ("relevance", "rank", "likeness"),
    "relevance, place, likeness, words": FACTS,
}
CHANCES = (0.0, 0.1, 0.15, 0.2, 0.22, 0.24, 0.26, 0.28, 0.3, 0.35, 0.4)
STEPS, RIDGE = 50, 1e-4
Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Ranked:
    """The hits of one question, best first: the facts of each by name, and whether it is right."""

    facts: dict[str, Matrix]
    is_right: NDArray[np.bool_]

    def matrix(self, names: Sequence[str]) -> Matrix:
        return np.column_stack([np.ones(len(self.is_right)), *(self.facts[name] for name in names)])


async def ranked(
    client: Client, request: service.RecallRequest, right: frozenset[str], embedder: Embedder
) -> Ranked | None:
    """The hits of a question; `right` are ids of memories, or of their messages. None without any."""
    hits = (await client(request)).hits
    if not hits:
        return None
    before = prefixes_of(embedder).document
    texts = [hit.memory.content for hit in hits]
    vectors = await embedder.embed([before + text for text in texts])
    scores = np.array([hit.score for hit in hits]).clip(1e-6, 1 - 1e-6)
    logits = np.log(scores / (1 - scores))
    named = [{hit.memory.memory_id, _message(hit.memory.metadata)} for hit in hits]
    return Ranked(
        {
            "relevance": logits - logits.max(),
            "rank": np.log1p(np.arange(len(hits))),
            "likeness": np.asarray(vectors @ vectors[0], np.float64),
            "words": np.asarray(await shares_of_own_words(texts, query_terms(request.text)), np.float64),
        },
        np.array([not right.isdisjoint(each) for each in named]),
    )


def _message(metadata: object) -> str:
    return str(metadata[MESSAGE_KEY]) if MESSAGE_KEY in metadata else ""  # type: ignore[operator, index]


async def of_suite(app: AppServer, embedder: Embedder) -> list[Ranked]:
    """The questions of the suite, in its order."""
    found: list[Ranked | None] = []
    async with connected(app.port, app.secret) as client:
        for collection in precise.collections(precise.CASES_A_LANGUAGE, SEED, [ENGLISH]):
            say(collection.name)
            await Asker(client, collection, embedder).store()
            for question in collection.questions:
                request = service.RecallRequest(agent_id=f"suite-{collection.name}", text=question.text, limit=HITS)
                right = frozenset(str(collection.memory_id(key)) for key in question.right)
                found.append(await ranked(client, request, right, embedder))
    return [each for each in found if each is not None]


async def of_chats(app: AppServer, folder: Path, embedder: Embedder) -> list[Ranked]:
    """The questions of the first chats that have evidence."""
    found: list[Ranked | None] = []
    async with connected(app.port, app.secret) as client:
        for chat in islice(read_chats(folder), CHATS_OF_A_COLLECTION):
            say(chat.name)
            agent_id = f"{folder.name}-{chat.name}"
            await import_memories(client, chat.memories, agent_id, embedder)
            for question in chat.questions:
                request = service.RecallRequest(agent_id=agent_id, text=question.text, limit=HITS)
                found.append(await ranked(client, request, question.evidence, embedder))
    return [each for each in found if each is not None]


def fitted(questions: Sequence[Ranked], names: Sequence[str]) -> Matrix:
    """Bias and weights by Newton's method, with a ridge that keeps it stable."""
    rows = np.vstack([each.matrix(names) for each in questions])
    right = np.concatenate([each.is_right for each in questions]).astype(np.float64)
    weights = np.zeros(rows.shape[1])
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-rows @ weights))
        slopes = (rows * (chances * (1 - chances))[:, None]).T @ rows
        slopes += RIDGE * len(rows) * np.eye(len(weights))
        weights -= np.linalg.solve(slopes, rows.T @ (chances - right) + RIDGE * len(rows) * weights)
    return weights


def judged(
    questions: Sequence[Ranked], names: Sequence[str], weights: Matrix, least: float
) -> tuple[float, float, float]:
    """The share of what is returned that is right, of what is right that is returned, and the mean number of hits."""
    chances = [1 / (1 + np.exp(-each.matrix(names) @ weights)) for each in questions]
    pairs = list(zip(questions, chances, strict=True))
    returned = sum(int((own >= least).sum()) for _, own in pairs)
    good = sum(int(each.is_right[own >= least].sum()) for each, own in pairs)
    right = sum(int(each.is_right.sum()) for each in questions)
    return good / max(returned, 1), good / max(right, 1), returned / max(len(questions), 1)


def halves(questions: Sequence[Ranked]) -> tuple[list[Ranked], list[Ranked]]:
    """Every other ten questions, which are those of one collection of the suite, and the others."""
    parts: tuple[list[Ranked], list[Ranked]] = ([], [])
    for place, each in enumerate(questions):
        parts[place // precise.CASES_A_COLLECTION % 2].append(each)
    return parts


def lines(fit: Sequence[Ranked], judging: dict[str, list[Ranked]]) -> Iterator[list[str]]:
    """The weights of each rule, then its figures by least chance."""
    for rule, names in RULES.items():
        weights = fitted(fit, names)
        told = zip(("bias", *names), weights, strict=True)
        yield [rule, ", ".join(f"{name} {weight:.2f}" for name, weight in told)]
        for least in CHANCES:
            figures = (judged(each, names, weights, least) for each in judging.values())
            yield [f"  {least}", *(f"{p:.2f} / {r:.2f} / {n:.1f}" for p, r, n in figures)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m bench.decisions.precision")
    add_model(parser)
    parser.add_argument("--data", type=Path, action="append", default=[], help="chats; repeatable")
    arguments = parse(parser)
    embedding = embedding_by(arguments.model)
    embedder = choose_embedder(embedding.settings()).embedder
    with temporary_directory() as directory, app_server(embedding, directory / "data") as app:
        fit, others = halves(asyncio.run(of_suite(app, embedder)))
        judging = {"suite": others}
        for folder in arguments.data:
            judging[folder.name] = asyncio.run(of_chats(app, folder, embedder))
    table = Table("rule, least chance", *judging, title="right of returned / returned of right / hits")
    for line in lines(fit, judging):
        table.add_row(*line[: 1 + len(judging)])
    Console(width=160).print(table)


if __name__ == "__main__":
    main()
