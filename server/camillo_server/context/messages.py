"""Bundles as the contract has them."""

from collections.abc import Sequence
from typing import Any

from camillo.v1 import context_pb2 as pb
from camillo.v1 import snapshot_service_pb2 as service
from camillo.v1.memory_pb2 import ScoringWeights

from camillo_server.context.build_bundle import BundleAsked, Turn
from camillo_server.context.bundle import (
    Bundle,
    Item,
    Omission,
    PackingEntry,
    Provenance,
    Section,
    SectionBudget,
)
from camillo_server.kernel.scope import Scope
from camillo_server.rpc import fields
from camillo_server.rpc.call import Call, demanded_freshness
from camillo_server.rpc.fields import channel_of, distinct, time_of
from camillo_server.rpc.tokens import RevisionTokens
from camillo_server.search.scoring import ScoringProfile

# A bundle lists at most this many of each, an item or an omission this many refs.
MAX_OMISSIONS = 500
MAX_PACKING_ENTRIES = 1_000
MAX_REFS = 200
SNAPSHOT_RECIPE = "run_snapshot"
BUNDLE_RECIPE = "active_context"
WORKING_MEMORY_RECIPE = "working_memory"


def bundle_message(bundle: Bundle, scope: Scope, revisions: RevisionTokens) -> pb.Bundle:
    """A bundle as the contract has it."""
    packed = bundle.packed
    return pb.Bundle(
        bundle_id=bundle.bundle_id,
        recipe=bundle.recipe,
        budget_tokens=bundle.budget,
        tokens=packed.tokens,
        sections=[_section(section) for section in packed.sections if section.items],
        prompt=packed.prompt,
        omissions=[_omission(each) for each in packed.omissions[:MAX_OMISSIONS]],
        report=pb.PackingReport(
            budgets=[_budget(budget) for budget in packed.budgets],
            entries=_entries(packed.entries) if bundle.is_explained else (),
        ),
        provenance=_provenance(bundle.provenance),
        revision=revisions.revision(scope, bundle.revision),
        degraded=[int(reason) for reason in bundle.degraded],  # type: ignore[misc]
    )


def _section(section: Section) -> pb.BundleSection:
    return pb.BundleSection(
        name=section.name,
        title=section.title,
        items=[_item(item) for item in section.items],
        tokens=section.tokens,
        budget_tokens=section.budget_tokens,
        is_stable=section.is_stable,
    )


def _item(item: Item) -> pb.BundleItem:
    candidate = item.candidate
    message = pb.BundleItem(
        type=int(candidate.type),  # type: ignore[arg-type]
        text=item.text,
        label=item.label,
        refs=item.refs[:MAX_REFS],
        tokens=item.tokens,
        is_derived=candidate.is_derived,
        is_trimmed=item.is_trimmed,
        score=candidate.score,
        sensitivity=int(candidate.sensitivity),  # type: ignore[arg-type]
    )
    if candidate.occurred_at is not None:
        fields.fill_timestamp(message.occurred_at, candidate.occurred_at)
    return message


def _omission(omission: Omission) -> pb.Omission:
    return pb.Omission(
        reason=int(omission.reason),  # type: ignore[arg-type]
        section=omission.section,
        refs=omission.refs[:MAX_REFS],
        artifact_id=omission.artifact_id,
        tokens=omission.tokens,
    )


def _budget(budget: SectionBudget) -> pb.SectionBudget:
    return pb.SectionBudget(
        section=budget.section,
        priority=budget.priority,
        share_tokens=budget.share,
        received_tokens=budget.received,
        used_tokens=budget.used,
        candidates=budget.candidates,
        kept=budget.kept,
    )


def _entries(entries: Sequence[PackingEntry]) -> list[pb.PackingEntry]:
    return [
        pb.PackingEntry(
            section=entry.section,
            ref=entry.ref,
            outcome=int(entry.outcome),  # type: ignore[arg-type]
            reason=int(entry.reason or 0),  # type: ignore[arg-type]
            tokens=entry.tokens,
            score=entry.score,
        )
        for entry in entries[:MAX_PACKING_ENTRIES]
    ]


def _provenance(found: Provenance) -> pb.Provenance:
    message = pb.Provenance(
        intent=found.intent,
        query_terms=found.query_terms,
        candidate_pool_size=found.candidate_pool_size,
        scored=found.scored,
        sensitivities_allowed=sorted(map(int, found.sensitivities_allowed)),  # type: ignore[arg-type]
        channel=int(found.channel),  # type: ignore[arg-type]
        weights=_weights(found.weights),
        recipe_digest=found.recipe_digest,
        model_id=found.model_id,
        token_counter=found.token_counter,
    )
    fields.fill_timestamp(message.as_of, found.as_of)
    return message


def _weights(profile: ScoringProfile) -> ScoringWeights:
    return ScoringWeights(
        similarity=profile.similarity,
        recency=profile.recency,
        importance=profile.importance,
        source_priority=profile.source_priority,
        half_life_hours=profile.half_life_hours or 0.0,
    )


def snapshot_asked(request: service.BuildSnapshotRequest, call: Call) -> BundleAsked:
    """Looks for what started the run, and for what it should look at. Raises InvalidField, RevisionUnknown."""
    trigger, focus = request.trigger_event, request.focus
    return BundleAsked(
        recipe=SNAPSHOT_RECIPE,
        query=f"{trigger}\n{focus}" if focus else trigger,
        session_id=request.session_id,
        **_shared(request, call),
    )


def bundle_asked(request: service.BuildBundleRequest, call: Call) -> BundleAsked:
    """Raises InvalidField, RevisionUnknown."""
    return BundleAsked(
        recipe=request.recipe or BUNDLE_RECIPE,
        session_id=request.session_id,
        intent=request.intent,
        query=request.query_text,
        **_shared(request, call),
    )


def working_memory_asked(request: service.BuildWorkingMemoryRequest, call: Call) -> BundleAsked:
    """Raises InvalidField, RevisionUnknown."""
    return BundleAsked(
        recipe=WORKING_MEMORY_RECIPE,
        query=request.query_text,
        given_text=request.system_prompt,
        given_turns=tuple(map(_turn, request.turns)),
        **_shared(request, call),
    )


def _shared(request: Any, call: Call) -> dict[str, Any]:
    """What every request for a bundle has."""
    return {
        "scope": call.scope,
        "channel": channel_of(request.channel),
        # None where the recipe says it; 0 is no budget at all.
        "max_tokens": request.max_tokens if request.HasField("max_tokens") else None,
        "freshness": demanded_freshness(request.freshness, call),
        "as_of": time_of(request, "as_of"),
        "explain": request.explain,
    }


def _turn(message: pb.Turn) -> Turn:
    return Turn(speaker=message.speaker, text=message.text, refs=distinct(message.refs))
