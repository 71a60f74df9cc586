"""Measures what each part of the fusion is worth: `python -m bench.decisions.fusion --data DIR [--model DIR]
[--as events]` (docs/adr/retrieval-fusion.md, 0101, 0105).

Without a server: the candidates of every question are found exactly as the engine finds them, and fused with each
part taken away in turn.
"""

import argparse
import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any
from uuid import UUID

import numpy as np
from camillo_server.features.events.chunks import chunk_rows
from camillo_server.features.events.event import Actor, Event, EventId, TextContent
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import ActorType, EventKind, Sensitivity
from camillo_server.lib.text.index_terms import index_terms
from camillo_server.lib.text.speech import ASKS, speakers_in, speech_terms
from camillo_server.models.embedding.embedder import Embedder
from camillo_server.models.embedding.providers import choose_embedder
from camillo_server.rows.row import NewRow
from camillo_server.search import fusion
from camillo_server.search.fusion import ArmScores, QueryFacts, fuse
from camillo_server.search.query_text import query_terms
from camillo_server.search.signals import brevity, speech
from camillo_server.search.signals.brevity import BREVITY
from camillo_server.search.signals.speech import SPEECH, speech_flags
from camillo_server.settings.settings import MemorySettings
from numpy.typing import NDArray

from bench.material.chats import ASSISTANTS, Chat, ChatMessage, read_chats
from bench.quality.asked import recall_at

SATURATION, LENGTH_NORMALIZATION = 0.6, 0.4
CANDIDATES_PER_ARM = 200
STEPS = (-1, 1, -2, 2)
VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "fused": {},
    "no neighbours": {"DENSE_NEAR": (), "LEXICAL_NEAR": ()},
    "neighbours of one step": {"DENSE_NEAR": (0, 0.3), "LEXICAL_NEAR": (0.4, 0.4)},
    "meaning of what went before": {"DENSE_NEAR": (0.3, 0.3, 0.15, 0.15)},
    "no best of session": {"SESSION_NEAR": 0.0},
    "no brevity": {"BREVITY_WEIGHT": 0.0},
    "rarity ignored": {"RARITY_RANGE": (1.0, 1.0)},
    "arms alike": {"DENSE_SHARE": 0.5},
    "dense share 0.6": {"DENSE_SHARE": 0.6},
    "no speech": {
        "NAMED_WEIGHT": 0.0,
        "TELLS_WEIGHT": 0.0,
        "REPLY_DENSE": 0.0,
        "REPLY_LEXICAL": 0.0,
    },
    "who says it ignored": {"NAMED_WEIGHT": 0.0},
    "who says it 2.5": {"NAMED_WEIGHT": 2.5},
    "questions like statements": {"TELLS_WEIGHT": 0.0},
    "statements 1": {"TELLS_WEIGHT": 1.0},
    "replies like others": {"REPLY_DENSE": 0.0, "REPLY_LEXICAL": 0.0},
}

Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Case:
    """One question with its candidates: the message of each, and the raw scores."""

    messages: NDArray[np.str_]
    arms: ArmScores
    query: QueryFacts
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True)
class Row:
    """A memory or a chunk: its message, its text as it is searched, what it is as something said, and the number of
    terms that it counts for; 0: those of the text."""

    message_id: str
    session_id: str
    text: str
    said: frozenset[str]
    length: int = 0


def memories_of(chat: Chat) -> list[Row]:
    return [
        Row(kept.message_id, kept.session_id, kept.content, frozenset(speech_terms(kept.content)))
        for kept in chat.memories
    ]


def chunks_of(chat: Chat) -> list[Row]:
    return [
        Row(
            message.message_id,
            message.session_id,
            row.text(),
            _terms_of_speech(row),
            row.terms().total,
        )
        for message in chat.messages
        for row in chunk_rows(_event(message))
    ]


def plain_chunks_of(chat: Chat) -> list[Row]:
    """Chunks that count for what they are."""
    return [replace(row, length=0) for row in chunks_of(chat)]


def _terms_of_speech(row: NewRow) -> frozenset[str]:
    return frozenset(speech_terms(row.memory.content, row.memory.actor))


KEPT_AS = {"memories": memories_of, "events": chunks_of, "events-by-own-length": plain_chunks_of}


def _event(message: ChatMessage) -> Event:
    return Event(
        event_id=EventId(UUID(int=0)),
        agent_id=AgentId("chat"),
        session_id=message.session_id,
        channel=Channel.PRIVATE,
        actor=Actor(
            ActorType.AGENT if message.speaker.lower() in ASSISTANTS else ActorType.HUMAN,
            message.speaker,
        ),
        kind=EventKind.MESSAGE,
        sensitivity=Sensitivity.INTERNAL,
        tags=(),
        occurred_at=message.occurred_at,
        refs=(),
        content=TextContent(message.text),
        importance=None,
        recorded_at=message.occurred_at,
    )


class Postings:
    """BM25 over the rows of one chat."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._counts = [Counter(index_terms(row.text)) for row in rows]
        counted = zip(rows, self._counts, strict=True)
        self.lengths = np.array([row.length or counts.total() for row, counts in counted])
        relative = self.lengths / self.lengths.mean()
        self._per_length = SATURATION * (1 - LENGTH_NORMALIZATION + LENGTH_NORMALIZATION * relative)

    def scores(self, terms: Sequence[str]) -> tuple[Scores, list[float]]:
        """The score of every memory, and the rarity of every term."""
        total = np.zeros(len(self.lengths))
        rarities = []
        for term in terms:
            counts = np.array([each.get(term, 0) for each in self._counts], np.float64)
            found = np.count_nonzero(counts)
            rarity = float(np.log(1 + (len(counts) - found + 0.5) / (found + 0.5)))
            rarities.append(rarity)
            total += rarity * counts * (SATURATION + 1) / (counts + self._per_length)
        return total.astype(np.float32), rarities


async def cases_of(chat: Chat, kept: Sequence[Row], embedder: Embedder) -> list[Case]:
    """All questions of a chat."""
    vectors = await embedder.embed([row.text for row in kept])
    # One by one, as a server does: beside others in a batch, a quantised model gives slightly other vectors.
    asked = [(await embedder.embed([question.text]))[0] for question in chat.questions]
    postings = Postings(kept)
    sessions = np.unique([row.session_id for row in kept], return_inverse=True)[1] + 1
    messages = np.array([row.message_id for row in kept])
    beside = _neighbours(sessions)
    asks = np.array([ASKS in row.said for row in kept] + [False])
    cases = []
    for question, vector in zip(chat.questions, asked, strict=True):
        dense = vectors @ vector
        lexical, rarities = postings.scores(query_terms(question.text))
        rows = _candidates(dense, lexical, beside)
        speakers = frozenset(speakers_in(question.text, query_terms(question.text)))
        named = np.array([not speakers.isdisjoint(kept[row].said) for row in rows])
        arms = ArmScores(
            dense=dense[rows],
            lexical=lexical[rows],
            dense_near=np.append(dense, np.float32(np.nan))[beside[rows]],
            lexical_near=np.append(lexical, np.float32(0))[beside[rows]],
            sessions=sessions[rows],
            signals={
                BREVITY: postings.lengths[rows],
                SPEECH: speech_flags(asks[rows], asks[beside[rows, 0]], named),
            },
        )
        facts = QueryFacts(rarities, len(kept))
        cases.append(Case(messages[rows], arms, facts, question.evidence))
    return cases


def _neighbours(sessions: NDArray[np.intp]) -> NDArray[np.intp]:
    """The rows that stand one and two steps before and after each row, -1 for none: shape (rows, 4)."""
    rows = np.arange(len(sessions))
    columns = []
    for step in STEPS:
        place = np.clip(rows + step, 0, len(rows) - 1)
        inside = (place == rows + step) & (sessions[place] == sessions)
        columns.append(np.where(inside, place, -1))
    return np.column_stack(columns)


def _candidates(dense: Scores, lexical: Scores, beside: NDArray[np.intp]) -> NDArray[np.intp]:
    nearest = np.argsort(-dense, kind="stable")[:CANDIDATES_PER_ARM]
    matched = np.argsort(-lexical, kind="stable")[:CANDIDATES_PER_ARM]
    found = np.union1d(nearest, matched[lexical[matched] > 0])
    rows = np.union1d(found, beside[found, :2].ravel())
    return rows[rows >= 0]


def recalls(cases: Sequence[Case], scores: Sequence[Scores]) -> NDArray[np.float64]:
    """Mean recall at each depth of `bench.quality`."""
    shares = [
        recall_at(case.messages[np.argsort(-of_one, kind="stable")].tolist(), case.evidence)
        for case, of_one in zip(cases, scores, strict=True)
    ]
    mean: NDArray[np.float64] = np.array(shares).mean(axis=0)
    return mean


@contextmanager
def _constants(changed: Mapping[str, Any]) -> Iterator[None]:
    """The fusion with other constants for a while."""
    kept = {name: getattr(_module_of(name), name) for name in changed}
    for name, value in changed.items():
        setattr(_module_of(name), name, value)
    try:
        yield
    finally:
        for name, value in kept.items():
            setattr(_module_of(name), name, value)


def _module_of(name: str) -> ModuleType:
    """The module that reads a constant."""
    return next(module for module in (fusion, brevity, speech) if hasattr(module, name))


async def _all_cases(data: Path, model: Path | None, kept_as: str) -> list[Case]:
    embedder = choose_embedder(MemorySettings(embedding_model="onnx" if model else "lexical", model_dir=model)).embedder
    rows_of = KEPT_AS[kept_as]
    cases = [case for chat in read_chats(data) for case in await cases_of(chat, rows_of(chat), embedder)]
    await embedder.close()
    return cases


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.decisions.fusion", description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--as", dest="kept_as", choices=KEPT_AS, default="memories", help="kept as")
    given = parser.parse_args()
    cases = asyncio.run(_all_cases(given.data, given.model, given.kept_as))
    rows = {
        "dense alone": recalls(cases, [case.arms.dense for case in cases]),
        "lexical alone": recalls(cases, [case.arms.lexical for case in cases]),
    }
    for name, changed in VARIANTS.items():
        with _constants(changed):
            rows[name] = recalls(cases, [fuse(case.arms, case.query).similarity for case in cases])
    print(f"{len(cases)} questions: recall at 5, 10, 25, 50")
    for name, row in rows.items():
        print(f"{name:28}", *(f"{share:.3f}" for share in row))


if __name__ == "__main__":
    main()
