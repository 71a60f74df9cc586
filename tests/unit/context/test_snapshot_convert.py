"""Bundles as the contract has them: everything told, and no more of a long list than the contract says."""

from dataclasses import replace
from datetime import UTC
from typing import Any

import pytest
from camillo.v1 import context_pb2 as pb
from camillo.v1 import memory_pb2
from camillo.v1.actor_pb2 import TrustLevel
from camillo.v1.channel_pb2 import CHANNEL_TEAM
from camillo_server.across.context.bundle import (
    Bundle,
    Candidate,
    Degraded,
    Item,
    ItemType,
    Omission,
    OmissionReason,
    Packed,
    PackingEntry,
    PackingOutcome,
    Provenance,
    Section,
    SectionBudget,
)
from camillo_server.across.context.messages import bundle_message
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.search.scoring import PROFILES

from tests.unit.rpc.records import ADA, HAPPENED, RECORDED, REVISIONS

CANDIDATE = Candidate(
    type=ItemType.CHUNK,
    text="第一行\nwhole",
    refs=("r1", "r2"),
    score=0.5,
    occurred_at=HAPPENED,
    sensitivity=Sensitivity.CONFIDENTIAL,
    is_derived=True,
)
ITEM = Item(CANDIDATE, "第一行", 9, "e1", is_trimmed=True)
SECTION = Section("retrieved_evidence", "Evidence", (ITEM,), 30, 100, is_stable=False)
KEPT = PackingEntry("retrieved_evidence", "r1", PackingOutcome.KEPT, None, 9, 0.5)
OMISSION = Omission(OmissionReason.BUDGET, "retrieved_evidence", ("r3",), 12, "tool_1")
PACKED = Packed(
    prompt="## Evidence 🎉",
    tokens=40,
    sections=(SECTION,),
    omissions=(OMISSION,),
    budgets=(SectionBudget("retrieved_evidence", 6, 80, 20, 30, 2, 1),),
    entries=(KEPT, PackingEntry("retrieved_evidence", "r3", PackingOutcome.DROPPED, OmissionReason.BUDGET, 12, 0.25)),
)
PROVENANCE = Provenance(
    intent="план",
    query_terms=("база", "postgres"),
    candidate_pool_size=150,
    scored=100,
    sensitivities_allowed=frozenset({Sensitivity.INTERNAL, Sensitivity.PUBLIC}),  # type: ignore[arg-type]
    channel=Channel.TEAM,
    weights=PROFILES["evidence"],
    recipe_digest="ab12",
    model_id="m",
    as_of=RECORDED,
    token_counter="estimate",  # noqa: S106
)
BUNDLE = Bundle(
    bundle_id="b1",
    recipe="active_context",
    budget=4096,
    packed=PACKED,
    provenance=PROVENANCE,
    revision=7,
    degraded=(Degraded.STORAGE_UNAVAILABLE, Degraded.VECTORS_PENDING),
    is_explained=True,
)


def told(bundle: Bundle = BUNDLE) -> pb.Bundle:
    return bundle_message(bundle, ADA, REVISIONS)


def packed(**values: Any) -> Bundle:
    return replace(BUNDLE, packed=replace(PACKED, **values))


def test_a_bundle_is_told_whole() -> None:
    message = told()
    assert (message.bundle_id, message.recipe, message.budget_tokens) == ("b1", "active_context", 4096)
    assert (message.tokens, message.prompt) == (40, "## Evidence 🎉")
    assert REVISIONS.read_revision(ADA, message.revision.token, "r") == 7
    assert list(message.degraded) == [
        memory_pb2.DEGRADED_REASON_STORAGE_UNAVAILABLE,
        memory_pb2.DEGRADED_REASON_VECTORS_PENDING,
    ]


def test_a_section_is_told_with_its_items() -> None:
    (section,) = told().sections
    assert (section.name, section.title, section.tokens, section.budget_tokens) == (
        "retrieved_evidence",
        "Evidence",
        30,
        100,
    )
    assert not section.is_stable
    (item,) = section.items
    assert item.occurred_at.ToDatetime(tzinfo=UTC) == HAPPENED
    item.ClearField("occurred_at")
    assert item == pb.BundleItem(
        type=pb.BUNDLE_ITEM_TYPE_CHUNK,
        text="第一行",
        label="e1",
        refs=["r1", "r2"],
        tokens=9,
        is_derived=True,
        is_trimmed=True,
        score=0.5,
        sensitivity=memory_pb2.SENSITIVITY_CONFIDENTIAL,
        trust_level=TrustLevel.TRUST_LEVEL_AGENT,
    )


def test_an_item_of_no_time_has_none() -> None:
    item = ITEM._replace(candidate=CANDIDATE._replace(occurred_at=None))
    section = replace(SECTION, items=(item,))
    assert not told(packed(sections=(section,))).sections[0].items[0].HasField("occurred_at")


def test_a_section_without_an_item_is_left_out() -> None:
    empty = replace(SECTION, name="rules", items=())
    message = told(packed(sections=(empty, SECTION)))
    assert [section.name for section in message.sections] == ["retrieved_evidence"]


def test_what_was_left_out_and_how_the_budget_was_spent_is_told() -> None:
    message = told()
    assert list(message.omissions) == [
        pb.Omission(
            reason=pb.OMISSION_REASON_BUDGET, section="retrieved_evidence", refs=["r3"], artifact_id="tool_1", tokens=12
        )
    ]
    assert list(message.report.budgets) == [
        pb.SectionBudget(
            section="retrieved_evidence",
            priority=6,
            share_tokens=80,
            received_tokens=20,
            used_tokens=30,
            candidates=2,
            kept=1,
        )
    ]
    kept, dropped = message.report.entries
    assert (kept.outcome, kept.reason) == (pb.PACKING_OUTCOME_KEPT, 0)
    assert dropped == pb.PackingEntry(
        section="retrieved_evidence",
        ref="r3",
        outcome=pb.PACKING_OUTCOME_DROPPED,
        reason=pb.OMISSION_REASON_BUDGET,
        tokens=12,
        score=0.25,
    )


def test_every_candidate_is_told_only_where_that_was_asked() -> None:
    assert len(told().report.entries) == 2
    quiet = told(replace(BUNDLE, is_explained=False))
    assert (len(quiet.report.entries), len(quiet.report.budgets)) == (0, 1)


def test_how_the_items_were_found_is_told() -> None:
    found = told().provenance
    assert found.as_of.ToDatetime(tzinfo=UTC) == RECORDED
    found.ClearField("as_of")
    assert found == pb.Provenance(
        intent="план",
        query_terms=["база", "postgres"],
        candidate_pool_size=150,
        scored=100,
        sensitivities_allowed=[memory_pb2.SENSITIVITY_PUBLIC, memory_pb2.SENSITIVITY_INTERNAL],
        channel=CHANNEL_TEAM,
        weights=memory_pb2.ScoringWeights(similarity=0.6, recency=0.3, importance=0.1),
        recipe_digest="ab12",
        model_id="m",
        token_counter="estimate",  # noqa: S106
    )


def test_a_half_life_of_the_weights_is_told() -> None:
    weights = replace(PROFILES["evidence"], half_life_hours=24.0)
    found = told(replace(BUNDLE, provenance=replace(PROVENANCE, weights=weights)))
    assert found.provenance.weights.half_life_hours == 24.0


def test_no_more_of_a_long_list_is_told_than_the_contract_says() -> None:
    refs = tuple(map(str, range(201)))
    section = replace(SECTION, items=(ITEM._replace(candidate=CANDIDATE._replace(refs=refs)),))
    message = told(packed(sections=(section,), omissions=(replace(OMISSION, refs=refs),) * 501, entries=(KEPT,) * 1001))
    assert len(message.omissions) == 500
    assert len(message.omissions[0].refs) == 200
    assert len(message.sections[0].items[0].refs) == 200
    assert len(message.report.entries) == 1000


# Sections of bundles are not reranked.
OF_RECALLS_ALONE = {"DEGRADED_REASON_RERANK_TIMEOUT", "DEGRADED_REASON_RERANK_UNAVAILABLE"}


@pytest.mark.parametrize(
    ("kinds", "prefix", "contract"),
    [
        (ItemType, "BUNDLE_ITEM_TYPE", pb.BundleItemType),
        (OmissionReason, "OMISSION_REASON", pb.OmissionReason),
        (PackingOutcome, "PACKING_OUTCOME", pb.PackingOutcome),
        (Degraded, "DEGRADED_REASON", memory_pb2.DegradedReason),
    ],
)
def test_the_numbers_are_those_of_the_contract(kinds: Any, prefix: str, contract: Any) -> None:
    named = {f"{prefix}_{kind.name}": kind.value for kind in kinds}
    assert {**named, f"{prefix}_UNSPECIFIED": 0} == {
        name: number for name, number in contract.items() if name not in OF_RECALLS_ALONE
    }
