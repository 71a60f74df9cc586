"""Judges what a score is worth: `python -m bench.quality.calibration --data DIR [--data DIR]` (see bench/README.md).

Every question is asked of the chat that answers it and of two chats of the same collection that do not. The weights of
`search/fusion.py` are fitted anew to the best hits (logistic regression, both kinds of question weighing the same),
and the scores that the server gives are judged: how well the best score of an answer tells one kind from the other
(AUROC), and how often questions whose best score is in a tenth have an answer (reliability). Questions without
evidence, asked of their own chat, are told apart beside them."""

import argparse
import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo_server.models.embedding.providers import choose_embedder
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from bench.material.chats import Chat, read_chats
from bench.measure.client import connected
from bench.measure.command import add_model, parse, print_json, say
from bench.measure.servers import (
    AppServer,
    Embedding,
    app_server,
    embedding_by,
    temporary_directory,
)
from bench.quality.chat_questions import WARM_SECONDS, import_memories
from bench.quality.measures import auroc
from bench.recall.calls import Recaller

LIMIT = 10
# Which hit is the best one follows from the weights, and these from the best hits: they settle within a few rounds.
FIT_ROUNDS = 10
FOREIGN = (1, 3)
TENTHS = 10
# Features by kind of query, as in `search/fusion.py`.
KINDS = {"both": ("cosine", "coverage"), "dense": ("cosine",), "terms": ("coverage",)}
Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Answer:
    """The hits of one question in one chat: their scores and features, best first."""

    collection: str
    has_answer: bool
    is_own: bool
    scores: tuple[float, ...]
    features: tuple[tuple[float, float], ...]

    @property
    def best(self) -> float:
        return max(self.scores, default=0.0)


def ask_all(directory: Path, embedding: Embedding) -> list[Answer]:
    """Every question of a collection, asked of its own chat and of foreign ones."""
    chats = read_chats(directory)
    with temporary_directory() as data, app_server(embedding, data / "data") as app:
        return asyncio.run(_ask_all(directory, chats, embedding, app))


async def _ask_all(directory: Path, chats: Sequence[Chat], embedding: Embedding, app: AppServer) -> list[Answer]:
    embedder = choose_embedder(embedding.settings()).embedder
    answers: list[Answer] = []
    async with connected(app.port, app.secret) as client:
        recallers = [Recaller(client, f"chat-{chat.name}") for chat in chats]
        for chat, recaller in zip(chats, recallers, strict=True):
            say(f"{directory.name} {chat.name}")
            await import_memories(client, chat.memories, recaller.agent_id, embedder)
            await recaller.until_warm(_request(recaller, chat.name), WARM_SECONDS)
        for index, chat in enumerate(chats):
            say(f"{directory.name} {chat.name}: questions")
            for shift in (0, *FOREIGN):
                recaller = recallers[(index + shift) % len(chats)]
                for question in chat.questions:
                    hits = await _hits(recaller, question.text)
                    answers.append(_answer(directory.name, not shift, not shift, hits))
            for question in chat.unanswerable:
                hits = await _hits(recallers[index], question.text)
                answers.append(_answer(directory.name, False, True, hits))
    await embedder.close()
    return answers


async def _hits(recaller: Recaller, text: str) -> Sequence[pb.RecallHit]:
    return (await recaller.recall(_request(recaller, text))).hits


def _request(recaller: Recaller, text: str) -> service.RecallRequest:
    return service.RecallRequest(agent_id=recaller.agent_id, text=text, limit=LIMIT, explain=True)


def _answer(collection: str, has_answer: bool, is_own: bool, hits: Sequence[pb.RecallHit]) -> Answer:
    return Answer(
        collection,
        has_answer,
        is_own,
        tuple(hit.score for hit in hits),
        tuple((hit.breakdown.dense.raw, hit.breakdown.coverage) for hit in hits),
    )


def fit(features: Matrix, labels: Matrix) -> Matrix:
    """Bias and weights of a logistic regression (Newton's method), both labels weighing the same."""
    design = np.column_stack([np.ones(len(features)), features])
    share = labels.mean()
    importance = np.where(labels > 0, 0.5 / share, 0.5 / (1 - share))
    weights = np.zeros(design.shape[1])
    for _ in range(50):
        expected = 1 / (1 + np.exp(-design @ weights))
        gradient = design.T @ (importance * (expected - labels)) / len(labels)
        curvature = importance * expected * (1 - expected)
        hessian = (design.T * curvature) @ design / len(labels) + 1e-6 * np.eye(len(weights))
        weights -= np.linalg.solve(hessian, gradient)
    return weights


def reliability(answers: Sequence[Answer]) -> list[tuple[float, float, int]]:
    """Each tenth of the best score: its mean, the share with an answer at even odds, how many there are."""
    own = sum(each.has_answer for each in answers)
    importance = {True: 0.5 / own, False: 0.5 / (len(answers) - own)}
    rows = []
    for tenth in range(TENTHS):
        inside = [each for each in answers if min(int(each.best * TENTHS), TENTHS - 1) == tenth]
        if inside:
            total = sum(importance[each.has_answer] for each in inside)
            share = sum(importance[True] for each in inside if each.has_answer) / total
            mean = sum(importance[each.has_answer] * each.best for each in inside) / total
            rows.append((mean, share, len(inside)))
    return rows


def fitted(answers: Sequence[Answer]) -> dict[str, list[float]]:
    """The weights for each kind of query, the bias first: of the best hit of every answer, by these weights."""
    labels = np.array([each.has_answer for each in answers if each.features], np.float64)
    names = KINDS["both"]
    found = {}
    for kind, used in KINDS.items():
        columns = [names.index(name) for name in used]
        hits = [np.array(each.features)[:, columns] for each in answers if each.features]
        weights = np.ones(1 + len(columns))
        for _ in range(FIT_ROUNDS):
            best = np.array([own[np.argmax(own @ weights[1:])] for own in hits])
            weights = fit(best, labels)
        found[kind] = [round(float(weight), 3) for weight in weights]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.quality.calibration", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, action="append", help="a collection")
    add_model(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object on the last line")
    given = parse(parser)
    embedding = embedding_by(given.model)
    answers = [each for directory in given.data for each in ask_all(directory, embedding)]
    asked = [each for each in answers if each.has_answer or not each.is_own]
    console = Console(width=110)
    table = Table(title=given.model.name if given.model else "lexical", title_justify="left")
    for heading in ("questions", "answerable", "foreign", "AUROC", "no evidence", "AUROC of those"):
        table.add_column(heading, justify="right")
    figures: dict[str, float] = {}
    for name in (*(directory.name for directory in given.data), "all"):
        some = [each for each in answers if name in (each.collection, "all")]
        good = [each.best for each in some if each.has_answer]
        foreign = [each.best for each in some if not each.is_own]
        bare = [each.best for each in some if each.is_own and not each.has_answer]
        figures[f"{name}.auroc"] = round(auroc(good, foreign), 4)
        figures[f"{name}.auroc_no_evidence"] = round(auroc(good, bare), 4)
        row = (len(good), len(foreign), f"{auroc(good, foreign):.3f}", len(bare))
        table.add_row(name, *map(str, row), f"{auroc(good, bare):.3f}")
    console.print(table)
    plot = Table(title="reliability, at even odds", title_justify="left")
    for heading in ("best score", "has an answer", "questions"):
        plot.add_column(heading, justify="right")
    for mean, share, count in reliability(asked):
        plot.add_row(f"{mean:.2f}", f"{share:.2f} {'#' * round(40 * share)}", str(count))
    console.print(plot)
    hits = [score for each in answers if each.has_answer for score in each.scores[:1]]
    figures["first_hit_median"] = round(float(np.median(hits)), 3)
    weights = fitted(asked)
    console.print({"fitted": weights, **figures})
    if given.json:
        print_json({**figures, "fitted": weights})


if __name__ == "__main__":
    main()
