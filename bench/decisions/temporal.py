"""Measures what the arm for times is worth: `python -m bench.decisions.temporal --data DIR [--model DIR]`
(docs/adr/time.md, 0102).

First the labelled questions of `tests/unit/text/time_expressions.tsv`: how many are read rightly, and how long one
takes. Then the chats: recall of the questions that name a time, by a date and by an event, without the arm and with it
at several weights. They count from half a day after the last message of their chat."""

import argparse
import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median

import numpy as np
from camillo_server.kernel.clock import microseconds
from camillo_server.lib.text.time_expressions.anchors import Anchor, anchor_of, window_at
from camillo_server.lib.text.time_expressions.grammar import window_of
from camillo_server.models.embedding.embedder import Embedder
from camillo_server.models.embedding.providers import choose_embedder
from camillo_server.search.fusion import ArmScores, QueryFacts, fuse, relevance
from camillo_server.search.query_text import certain_event, query_terms, time_of_event
from camillo_server.search.signals import temporal
from camillo_server.search.signals.brevity import BREVITY
from camillo_server.search.signals.temporal import (
    MAX_TEXT_CHARACTERS,
    TEMPORAL,
    KnownTimes,
    TimeWindow,
    fit_of_moments,
    fit_of_texts,
    time_window,
)
from camillo_server.settings.settings import MemorySettings
from numpy.typing import NDArray

from bench.material.chats import Chat, Question, read_chats
from bench.quality.arms import STEPS, Postings, Scores, memories_of
from bench.quality.asked import recall_at

LABELLED = Path("tests/unit/text/time_expressions.tsv")
LABELLED_NOW = datetime(2024, 6, 12, 15, 30, tzinfo=UTC)
PER_ARM = 50
TEXTS = 200
WEIGHTS = (0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0)
Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class TimedCase:
    """A question that names a time, with its candidates, of which the first search found `is_found`."""

    messages: NDArray[np.str_]
    arms: ArmScores
    query: QueryFacts
    evidence: frozenset[str]
    is_found: NDArray[np.bool_]


def read_labelled() -> None:
    lines = [line.split("\t") for line in LABELLED.read_text("utf-8").splitlines()]
    labelled = [line for line in lines if not line[0].startswith("#")]
    window_of("today", LABELLED_NOW)
    began = time.perf_counter()
    named = [window_of(text, LABELLED_NOW) for _, text, _, _ in labelled]
    each = (time.perf_counter() - began) / len(labelled)
    right = 0
    for (_, _, begin, end), window in zip(labelled, named, strict=True):
        told = ("", "") if window is None else (_day(window.span.begin), _day(window.span.end))
        right += told == (begin, end)
    print(f"{right} of {len(labelled)} questions read rightly, {each * 1e6:.0f} microseconds each")


def _day(moment: datetime | None) -> str:
    return "-" if moment is None else moment.date().isoformat()


async def timed_cases(chat: Chat, embedder: Embedder, *, by_event: bool) -> tuple[list[TimedCase], int]:
    """The questions of a chat that name a time, by a date or by an event, and how many name an event of which it is not
    certain when it was."""
    now = max(kept.occurred_at for kept in chat.memories) + timedelta(hours=12)
    texts = [kept.content for kept in chat.memories]
    vectors, postings = await embedder.embed(texts), Postings(memories_of(chat))
    uncertain = 0
    timed: list[tuple[Question, TimeWindow]] = []
    for question in chat.questions:
        window = await time_window(question.text, now)
        if by_event:
            anchor = anchor_of(question.text) if window is None else None
            if anchor is None:
                continue
            near = vectors @ (await embedder.embed([anchor.text]))[0]
            event = relevance_of(near, *postings.scores(query_terms(anchor.text)), embedder)
            window = _anchored(question.text, anchor, event, chat, now)
            uncertain += window is None
        if window is not None:
            timed.append((question, window))
    sessions = np.unique([kept.session_id for kept in chat.memories], return_inverse=True)[1] + 1
    messages = np.array([kept.message_id for kept in chat.memories])
    said_at = np.array([microseconds(kept.occurred_at) for kept in chat.memories])
    beside = _beside(sessions)
    cases = []
    for question, window in timed:
        dense = vectors @ (await embedder.embed([question.text]))[0]
        lexical, rarities = postings.scores(query_terms(question.text))
        moments = fit_of_moments(window, said_at)
        anywhere = _found(dense, lexical, beside, np.ones(len(texts), np.bool_))
        rows = np.union1d(anywhere, _found(dense, lexical, beside, moments >= 1))
        arms = ArmScores(
            dense=dense[rows],
            lexical=lexical[rows],
            dense_near=np.append(dense, np.float32(np.nan))[beside[rows]],
            lexical_near=np.append(lexical, np.float32(0))[beside[rows]],
            sessions=sessions[rows],
            signals={
                BREVITY: postings.lengths[rows],
                TEMPORAL: _fit(window, moments[rows], [texts[row] for row in rows], said_at[rows]),
            },
        )
        facts, is_found = QueryFacts(rarities, len(texts), embedder.model_id), np.isin(rows, anywhere)
        cases.append(TimedCase(messages[rows], arms, facts, question.evidence, is_found))
    return cases, uncertain


def relevance_of(dense: Scores, lexical: Scores, rarities: Sequence[float], embedder: Embedder) -> Scores:
    """The relevance of each memory by itself."""
    nothing = np.zeros((len(dense), 0), np.float32)
    arms = ArmScores(dense, lexical, nothing, nothing)
    return relevance(arms, QueryFacts(rarities, len(dense), embedder.model_id))


def _anchored(text: str, anchor: Anchor, event: Scores, chat: Chat, now: datetime) -> TimeWindow | None:
    """The window of a question by an event, where it is certain when that was."""
    said_at = np.array([microseconds(kept.occurred_at) for kept in chat.memories])
    ids = np.column_stack([np.zeros(len(event), np.uint64), np.arange(len(event), dtype=np.uint64)])
    best = certain_event(event, said_at, ids)
    if best is None:
        return None
    told = chat.memories[best]
    span = time_of_event(told.content[:MAX_TEXT_CHARACTERS], told.occurred_at)
    named = window_at(text, anchor, span, now)
    return named and TimeWindow(named.span.begin, named.span.end, named.text)


def _fit(window: TimeWindow, moments: Scores, texts: Sequence[str], said_at: NDArray[np.int64]) -> Scores:
    fit: Scores = np.maximum(moments, fit_of_texts(window, texts, said_at, {}))
    return fit


def _beside(sessions: Rows) -> Rows:
    rows = np.arange(len(sessions))
    places = [np.clip(rows + step, 0, len(rows) - 1) for step in STEPS]
    inside = [(place == rows + step) & (sessions[place] == sessions) for place, step in zip(places, STEPS, strict=True)]
    return np.where(np.column_stack(inside), np.column_stack(places), -1)


def _found(dense: Scores, lexical: Scores, beside: Rows, passes: NDArray[np.bool_]) -> Rows:
    """The best of both arms among the rows that pass, and what stands beside them."""
    nearest = np.argsort(-np.where(passes, dense, -np.inf), kind="stable")[:PER_ARM]
    matched = np.argsort(-np.where(passes, lexical, 0), kind="stable")[:PER_ARM]
    found = np.union1d(nearest[passes[nearest]], matched[passes[matched] & (lexical[matched] > 0)])
    rows = np.union1d(found, beside[found, :2].ravel())
    rows = rows[rows >= 0]
    return rows[passes[rows]]


def recalls(cases: Sequence[TimedCase], weight: float) -> NDArray[np.float64]:
    """Mean recall at each depth of `bench.quality`; without the arm, of what was found without it."""
    temporal.TEMPORAL_WEIGHT = weight
    shares = []
    for case in cases:
        messages, arms = case.messages, case.arms
        if not weight:
            messages, arms = messages[case.is_found], _untimed(arms, case.is_found)
        order = np.argsort(-fuse(arms, case.query).similarity, kind="stable")
        shares.append(recall_at(messages[order].tolist(), case.evidence))
    mean: NDArray[np.float64] = np.array(shares).mean(axis=0)
    return mean


def _untimed(arms: ArmScores, rows: NDArray[np.bool_]) -> ArmScores:
    """The arms of these candidates alone, without the one for times."""
    sessions = arms.sessions
    assert sessions is not None
    return ArmScores(
        arms.dense[rows],
        arms.lexical[rows],
        arms.dense_near[rows],
        arms.lexical_near[rows],
        sessions[rows],
        {BREVITY: arms.signals[BREVITY][rows]},
    )


def print_costs(chats: Sequence[Chat]) -> None:
    """Prints the time to read the times of memories, and to look them up when they are known."""
    taken: dict[str, list[float]] = {"read": [], "known": []}
    for chat in chats:
        texts = [memory.content for memory in chat.memories[:TEXTS]]
        said_at = np.array([microseconds(memory.occurred_at) for memory in chat.memories[:TEXTS]])
        known: KnownTimes = {}
        for name in taken:
            began = time.perf_counter()
            fit_of_texts(TimeWindow(None, LABELLED_NOW, ""), texts, said_at, known)
            taken[name].append((time.perf_counter() - began) / len(texts) * 1e6)
    for name, each in taken.items():
        print(f"a text of {name:5} {median(each):6.1f} us")


async def _all_cases(data: Path, model: Path | None, *, by_event: bool) -> tuple[list[TimedCase], int]:
    embedder = choose_embedder(MemorySettings(embedding_model="onnx" if model else "lexical", model_dir=model)).embedder
    cases, uncertain = list[TimedCase](), 0
    for chat in read_chats(data):
        found, without = await timed_cases(chat, embedder, by_event=by_event)
        cases += found
        uncertain += without
    await embedder.close()
    return cases, uncertain


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.decisions.temporal", description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--model", type=Path)
    given = parser.parse_args()
    read_labelled()
    if given.data is None:
        return
    print_costs(read_chats(given.data))
    for name, by_event in (("a date", False), ("an event", True)):
        cases, uncertain = asyncio.run(_all_cases(given.data, given.model, by_event=by_event))
        print(f"{len(cases)} questions name a time by {name}: recall at 5, 10, 25, 50")
        for weight in WEIGHTS if cases else ():
            label = f"weight {weight}" if weight else "no arm"
            print(f"{label:12}", *(f"{share:.3f}" for share in recalls(cases, weight)))
    print(f"{uncertain} more name an event of which it is not certain when it was")


if __name__ == "__main__":
    main()
