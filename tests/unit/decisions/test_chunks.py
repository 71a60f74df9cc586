"""The chunk by which a decision is found."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from camillo_server.features.decisions.decision import (
    Decision,
    DecisionDraft,
    DecisionId,
    DecisionReach,
    DecisionStatus,
    decision_row,
)
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.kinds import MAX_CHUNK_CHARACTERS, ChunkKind

from tests.unit.events.samples import MOMENT, SCOPE

ORIGIN = UUID("01890a5d-ac96-774b-bcce-b302099a8057")


def decided(**said: object) -> Decision:
    stated = DecisionDraft(
        decision="We drink green tea 🍵",
        refs=("01890a5d-ac96-774b-bcce-b302099a8058",),
        reach=DecisionReach.USER,
        rationale=("it is lighter", "it keeps us awake"),
        alternatives=("coffee",),
        channel=Channel.TEAM,
        decided_at=MOMENT - timedelta(days=1),
    )
    decision = Decision(DecisionId(ORIGIN), SCOPE.agent_id, stated, DecisionStatus.ACTIVE, (), None, 1, MOMENT)
    return replace(decision, **said)  # type: ignore[arg-type]


def test_a_decision_is_found_by_what_was_said_about_it() -> None:
    row = decision_row(decided()).memory
    assert row.content == ("We drink green tea 🍵\nRationale: it is lighter; it keeps us awake\nAlternatives: coffee")
    assert row.kind is ChunkKind.DECISION
    assert row.importance == 0.9
    assert row.occurred_at == MOMENT - timedelta(days=1)
    assert row.metadata == {"channel": "team", "reach": "user", "place": 0}
    assert row.source_refs == (str(ORIGIN), "01890a5d-ac96-774b-bcce-b302099a8058")
    assert not row.archived
    assert decision_row(decided(status=DecisionStatus.SUPERSEDED)).memory.archived


def test_a_decision_that_says_much_is_cut_between_characters() -> None:
    long = replace(decided().stated, rationale=("e\u0301" * 900, "👩‍👩‍👧‍👦" * 200))
    row = decision_row(decided(stated=long)).memory
    assert MAX_CHUNK_CHARACTERS - 16 <= len(row.content) <= MAX_CHUNK_CHARACTERS
    assert row.content.endswith(("👩‍👩‍👧‍👦", "e\u0301", ";"))
