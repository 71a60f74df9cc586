"""Finding decisions: by a text in the index, else the latest first; superseded ones and those made elsewhere too."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np
import pytest
from camillo_server.decisions.decision import (
    Decision,
    DecisionDraft,
    DecisionFilter,
    DecisionReach,
    DecisionStatus,
)
from camillo_server.decisions.decisions import RecordDecision, SupersedeDecision
from camillo_server.decisions.query_decisions import DecisionsAsked, QueryDecisions
from camillo_server.embedding.embedder import NOBODY, EmbeddingUnavailable
from camillo_server.embedding.text_embedding import TextEmbedding
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.kinds import Sensitivity, source_of
from camillo_server.kernel.revision import Freshness
from camillo_server.memories.memory import Memory
from camillo_server.memories.memory_filter import Archived, MemoryFilter
from camillo_server.memories.store.access import AccessStatistics
from camillo_server.redaction.redactor import SecretRedactor
from camillo_server.search.candidates import AnsweredBy, CandidatePool, CandidateQuery
from camillo_server.search.fusion import ArmScores, QueryFacts
from camillo_server.search.recall import Recall
from camillo_server.settings import DatabaseSettings
from camillo_server.storage.database import Database
from camillo_server.text.index_terms import index_terms
from numpy.typing import NDArray

from tests.unit.decisions.decisions_in_memory import DecisionsInMemory
from tests.unit.events.events_in_memory import KnownRefs
from tests.unit.events.samples import MOMENT, SCOPE

POLICY = ChannelPolicy()
TEA = DecisionDraft(decision="We drink green tea 茶", refs=("known",))
PLAIN = DecisionFilter()
EVERY = DecisionFilter(statuses=tuple(DecisionStatus))


class NoEmbedder:
    """An `Embedder` whose provider is away."""

    model_id, dimensions = "away", 2

    async def embed(
        self, texts: Sequence[str], tenant_id: TenantId = NOBODY
    ) -> NDArray[np.float32]:
        raise EmbeddingUnavailable("away")

    async def close(self) -> None: ...


class SearchInMemory:
    """`MemorySearch` by the number of words in common, and a clock."""

    def __init__(self, store: DecisionsInMemory) -> None:
        self.store = store
        self.at = MOMENT

    def now(self) -> datetime:
        self.at += timedelta(minutes=1)
        return self.at

    async def candidates(self, spec: CandidateQuery, freshness: Freshness) -> CandidatePool:
        rows = [row.memory for row in self.store.rows.values()]
        found = [
            row
            for row in map(self._as_stored, rows)
            if row.agent_id == spec.scope.agent_id and _passes(row, spec.filter)
        ]
        common = [len(set(index_terms(row.content)) & set(spec.terms)) for row in found]
        none = np.zeros((len(found), 0), np.float32)
        return CandidatePool(
            arms=ArmScores(
                np.full(len(found), np.nan, np.float32), np.array(common, np.float32), none, none
            ),
            query=QueryFacts([1.0] * len(spec.terms), len(found)),
            kinds=np.array([row.kind for row in found], np.int16),
            memory_ids=np.arange(2 * len(found), dtype=np.uint64).reshape(-1, 2),
            occurred_at=np.zeros(len(found), np.int64),
            importance=np.full(len(found), 0.9, np.float32),
            pinned=np.zeros(len(found), np.bool_),
            memories=lambda places: [found[place] for place in places],
            vectors=lambda places: np.zeros((len(places), 2), np.float32),
            revision=self.store.revision,
            vectors_pending=True,
            answered_by=AnsweredBy.CACHE,
        )

    def _as_stored(self, row: Memory) -> Memory:
        """Superseding archives the chunk."""
        decisions = self.store.decisions.values()
        gone = {
            str(each.decision_id) for each in decisions if each.status is DecisionStatus.SUPERSEDED
        }
        return row._replace(archived=row.source_refs[0] in gone)


def _passes(row: Memory, wanted: MemoryFilter) -> bool:
    is_archived_wanted = wanted.archived is Archived.INCLUDE or row.archived == (
        wanted.archived is Archived.ONLY
    )
    return (
        is_archived_wanted
        and source_of(row.kind) in wanted.sources
        and row.kind not in wanted.hidden_kinds
        and (not wanted.sensitivities or row.sensitivity in wanted.sensitivities)
        and (not wanted.tags_any or bool(set(wanted.tags_any) & set(row.tags)))
        and all(row.metadata.get(key) == value for key, value in wanted.metadata.items())
    )


class Deciding:
    """Decisions that are recorded and asked for."""

    def __init__(self) -> None:
        self.store = DecisionsInMemory()
        search = SearchInMemory(self.store)
        parts = (self.store, KnownRefs({"known", "other"}), SecretRedactor(), search)
        self.record, self.supersede = RecordDecision(*parts), SupersedeDecision(*parts)
        embedding = TextEmbedding(NoEmbedder(), 1.0, lambda kind: None)
        access = AccessStatistics(Database("postgresql://nobody.invalid", DatabaseSettings()))
        self.query = QueryDecisions(self.store, Recall(search, embedding, access, search), POLICY)

    async def decide(self, decision: str, **said: object) -> Decision:
        draft = replace(TEA, decision=decision, **said)  # type: ignore[arg-type]
        recorded, _, _ = await self.record(SCOPE, draft, None)
        return recorded

    async def found(
        self,
        text: str,
        wanted: DecisionFilter = PLAIN,
        channel: Channel = Channel.PRIVATE,
        size: int = 10,
    ) -> list[str]:
        asked = DecisionsAsked(SCOPE, text, wanted, channel)
        answer = await self.query(asked, None, size)
        return [decision.stated.decision for decision, _ in answer.decisions]


async def test_the_decision_that_answers_best_comes_first() -> None:
    deciding = Deciding()
    await deciding.decide("The pot stands on the shelf")
    await deciding.decide("We drink green tea from the pot 茶")
    assert (await deciding.found("green tea pot"))[0] == "We drink green tea from the pot 茶"
    asked = DecisionsAsked(SCOPE, "green tea pot", PLAIN, Channel.PRIVATE)
    answer = await deciding.query(asked, None, 1)
    assert len(answer.decisions) == 1
    assert answer.decisions[0][1] > 0
    assert answer.embedding_failed
    assert answer.vectors_pending
    assert answer.next_cursor is None


async def test_superseded_decisions_are_found_by_who_asks_for_them() -> None:
    deciding = Deciding()
    old = await deciding.decide("green tea")
    new = replace(TEA, decision="black tea")
    await deciding.supersede(SCOPE, old.decision_id, 1, new, None)
    gone = replace(PLAIN, statuses=(DecisionStatus.SUPERSEDED,))
    for text in ("tea", ""):
        assert await deciding.found(text) == ["black tea"]
        assert await deciding.found(text, gone) == ["green tea"]
        assert set(await deciding.found(text, EVERY)) == {"green tea", "black tea"}


async def test_reach_and_refs_are_looked_at_in_the_record() -> None:
    deciding = Deciding()
    for number in range(6):
        await deciding.decide(f"green tea {number}")
    await deciding.decide("tea for all", reach=DecisionReach.GLOBAL, refs=("known", "other"))
    assert await deciding.found("green tea", replace(PLAIN, ref="OTHER"), size=2) == ["tea for all"]
    reach = replace(PLAIN, reaches=(DecisionReach.GLOBAL, DecisionReach.USER))
    assert await deciding.found("green tea", reach, size=2) == ["tea for all"]
    assert len(await deciding.found("green tea", size=2)) == 2


@pytest.mark.parametrize(
    ("channel", "expected"),
    [
        (Channel.PRIVATE, {"made in public", "made in private", "secret", "told in public"}),
        (Channel.TEAM, {"made in public", "made in private", "told in public"}),
        (Channel.PUBLIC, {"made in public"}),
    ],
)
async def test_what_a_channel_may_not_load_is_not_found(
    channel: Channel, expected: set[str]
) -> None:
    deciding = Deciding()
    public, restricted = Sensitivity.PUBLIC, Sensitivity.RESTRICTED
    await deciding.decide("made in public", channel=Channel.PUBLIC, sensitivity=public)
    await deciding.decide("made in private", sensitivity=public)
    await deciding.decide("secret", sensitivity=restricted)
    await deciding.decide("told in public", channel=Channel.PUBLIC)
    assert set(await deciding.found("made secret told public", channel=channel)) == expected


async def test_without_a_text_the_latest_come_first_in_pages() -> None:
    deciding = Deciding()
    made = [(await deciding.decide(f"tea {number}")).stated.decision for number in range(5)]
    asked = DecisionsAsked(SCOPE, " ", PLAIN, Channel.PRIVATE)
    first = await deciding.query(asked, None, 3)
    second = await deciding.query(asked, first.next_cursor, 3)
    told = [each.stated.decision for each, _ in (*first.decisions, *second.decisions)]
    assert told == made[::-1]
    assert first.next_cursor is not None
    assert second.next_cursor is None
