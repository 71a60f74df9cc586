"""Scores of both arms over the rows of a chat, found without a server as the engine finds them, and what each arm alone
recalls."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
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
from camillo_server.models.embedding.providers import prefixes_of
from camillo_server.rows.row import NewRow
from camillo_server.search.fusion import ArmScores, QueryFacts
from camillo_server.search.query_text import query_terms
from camillo_server.search.signals.brevity import BREVITY
from camillo_server.search.signals.speech import SPEECH, speech_flags
from numpy.typing import NDArray

from bench.material.chats import ASSISTANTS, Chat, ChatMessage, KeptMemory, Question
from bench.quality.asked import distinct, recall_at
from bench.quality.suites.collection import Collection

SATURATION, LENGTH_NORMALIZATION = 0.6, 0.4
CANDIDATES_PER_ARM = 200
STEPS = (-1, 1, -2, 2)
COSINE, BM25 = "cosine", "bm25"
# The whole may fall behind the better of its arms by so much.
MAX_BEHIND = 0.005

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
    before = prefixes_of(embedder)
    vectors = await embedder.embed([before.document + row.text for row in kept])
    # One by one, as a server does: beside others in a batch, a quantised model gives slightly other vectors.
    asked = [(await embedder.embed([before.query + question.text]))[0] for question in chat.questions]
    postings = Postings(kept)
    named = np.array([row.session_id for row in kept])
    sessions = np.where(named == "", 0, np.unique(named, return_inverse=True)[1] + 1)
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
        facts = QueryFacts(rarities, len(kept), embedder.model_id)
        cases.append(Case(messages[rows], arms, facts, question.evidence))
    return cases


def _neighbours(sessions: NDArray[np.intp]) -> NDArray[np.intp]:
    """The rows that stand one and two steps before and after each row in its session (0: in none), -1 for none: shape
    (rows, 4)."""
    rows = np.arange(len(sessions))
    columns = []
    for step in STEPS:
        place = np.clip(rows + step, 0, len(rows) - 1)
        inside = (place == rows + step) & (sessions[place] == sessions) & (sessions > 0)
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


def chat_of(collection: Collection) -> Chat:
    """The statements of a collection as memories of one chat, with its questions."""
    kept = tuple(KeptMemory(each.key, each.session_id, each.occurred_at, each.text) for each in collection.statements)
    asked = tuple(Question(each.category, each.text, each.right) for each in collection.questions)
    return Chat(collection.name, (), kept, asked)


def found_alone(case: Case) -> dict[str, tuple[str, ...]]:
    """The messages that each arm finds by itself, best first; BM25 finds nothing that has no term of the question."""
    has_terms = case.arms.lexical > 0
    return {
        COSINE: _ranked(case.messages, case.arms.dense),
        BM25: _ranked(case.messages[has_terms], case.arms.lexical[has_terms]),
    }


def _ranked(messages: NDArray[np.str_], scores: Scores) -> tuple[str, ...]:
    return distinct(messages[np.argsort(-scores, kind="stable")].tolist())
