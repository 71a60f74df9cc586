"""Bundles, views, recipes and handoffs as the contract has them, and requests for them as values."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID

from camillo.v1 import context_pb2 as pb
from camillo.v1 import recall_pb2
from camillo.v1 import snapshot_service_pb2 as service
from camillo.v1.memory_pb2 import ScoringWeights

from camillo_server.across.context.bundle import (
    MAX_REFS,
    WORKING_MEMORY_RECIPE,
    Bundle,
    BundleRequest,
    Item,
    Omission,
    PackingEntry,
    Provenance,
    Section,
    SectionBudget,
    Turn,
)
from camillo_server.across.context.recipe import Recipe
from camillo_server.across.context.view import Handoff, HandoffPacket, View
from camillo_server.doors.rpc import fields
from camillo_server.doors.rpc.call import Call, demanded_freshness, spaces_beside
from camillo_server.doors.rpc.field_limits import rule
from camillo_server.doors.rpc.fields import (
    channel_of,
    distinct,
    sensitivity_of,
    tags_of,
    time_of,
    zone_of,
)
from camillo_server.doors.rpc.tokens import RevisionTokens
from camillo_server.doors.rpc.validate import Checks
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.off_loop import yield_turn
from camillo_server.kernel.scope import SHARED, Role, Scope
from camillo_server.search.scoring import ScoringProfile
from camillo_server.search.signals.temporal import TimeMode

# A bundle lists at most this many of each.
MAX_OMISSIONS = 500
MAX_PACKING_ENTRIES = 1_000
SNAPSHOT_RECIPE = "run_snapshot"
BUNDLE_RECIPE = "active_context"
DIGEST_RECIPE = "digest"


def bundle_message(bundle: Bundle, scope: Scope, revisions: RevisionTokens) -> pb.Bundle:
    """A bundle as the contract has it."""
    packed = bundle.packed
    message = pb.Bundle(
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
    if bundle.spaces:
        _fill_spaces(message, bundle, revisions)
    return message


def _fill_spaces(message: pb.Bundle, bundle: Bundle, revisions: RevisionTokens) -> None:
    """The spaces that were read beside the own one, and of each item and entry whose it is."""
    for scope, revision in bundle.spaces.items():
        read = message.spaces.add(space=scope.agent_id)
        if revision is not None:
            read.revision.CopyFrom(revisions.revision(scope, revision))
    shown = [item for section in bundle.packed.sections for item in section.items]
    for item, told in zip(shown, (each for section in message.sections for each in section.items), strict=True):
        told.agent_id = item.candidate.agent_id or ""
    for entry, told_entry in zip(bundle.packed.entries, message.report.entries, strict=False):
        told_entry.agent_id = entry.agent_id or ""


def _section(section: Section) -> pb.BundleSection:
    message = pb.BundleSection(
        name=section.name,
        title=section.title,
        tokens=section.tokens,
        budget_tokens=section.budget_tokens,
        is_stable=section.is_stable,
    )
    add = message.items.add
    for item in section.items:
        own = add()
        own.MergeFromString(_kept_bytes(item))
        own.label = item.label
        own.tokens = item.tokens
        own.score = item.candidate.score
    return message


def _kept_bytes(item: Item) -> bytes:
    """The item without its label, its tokens and its score, which differ from bundle to bundle."""
    candidate, prepared = item.candidate, item.prepared
    if prepared is None:
        return _item(item).SerializeToString()
    shown = (
        *(candidate.refs, candidate.occurred_at, candidate.type),
        *(candidate.sensitivity, candidate.trust_level, candidate.is_spooled),
    )
    known = prepared.encoded
    if known is None or known[0] != shown:
        known = prepared.encoded = (shown, _item(item).SerializeToString())
    return known[1]


def _item(item: Item) -> pb.BundleItem:
    candidate = item.candidate
    message = pb.BundleItem(
        type=int(candidate.type),  # type: ignore[arg-type]
        text=item.text,
        refs=item.refs[:MAX_REFS],
        is_derived=candidate.is_derived,
        is_trimmed=item.is_trimmed,
        sensitivity=int(candidate.sensitivity),  # type: ignore[arg-type]
        trust_level=int(candidate.trust_level),  # type: ignore[arg-type]
        is_spooled=candidate.is_spooled,
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
        space_weights=_space_weights(found.weights),
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


def _space_weights(profile: ScoringProfile) -> recall_pb2.SpaceWeights | None:
    weights = profile.space_weights
    return None if weights is None else recall_pb2.SpaceWeights(**asdict(weights))


def snapshot_request(request: service.BuildSnapshotRequest, call: Call) -> BundleRequest:
    """Looks for what started the run, and for what it should look at. Raises InvalidField, RevisionUnknown."""
    trigger, focus = request.trigger_event, request.focus
    return BundleRequest(
        recipe=SNAPSHOT_RECIPE,
        query=f"{trigger}\n{focus}" if focus else trigger,
        session_id=request.session_id,
        **_modes(request),
        **_shared(request, call),
    )


def bundle_request(request: service.BuildBundleRequest, call: Call) -> BundleRequest:
    """Raises InvalidField, RevisionUnknown."""
    return BundleRequest(
        recipe=request.recipe or BUNDLE_RECIPE,
        session_id=request.session_id,
        intent=request.intent,
        query=request.query_text,
        skills=distinct(request.skills),
        **_modes(request),
        **_shared(request, call),
    )


def working_memory_request(request: service.BuildWorkingMemoryRequest, call: Call) -> BundleRequest:
    """Raises InvalidField, RevisionUnknown."""
    return BundleRequest(
        recipe=WORKING_MEMORY_RECIPE,
        query=request.query_text,
        given_text=request.system_prompt,
        given_turns=tuple(map(_turn, request.turns)),
        skills=distinct(request.skills),
        **_modes(request),
        **_shared(request, call),
    )


def digest_request(request: service.BuildDigestRequest, call: Call) -> BundleRequest:
    """Raises InvalidField, RevisionUnknown."""
    return BundleRequest(
        recipe=DIGEST_RECIPE,
        scope=call.scope,
        channel=channel_of(request.channel),
        max_tokens=request.token_limit if request.HasField("token_limit") else None,
        freshness=demanded_freshness(request.freshness, call),
        as_of=time_of(request, "current_time"),
        explain=request.explain,
        tags=tags_of(request.tags),
        document_categories=call.principal.document_categories,
        **(_spaces(request, call) if request.spaces else {}),
    )


def _shared(request: Any, call: Call) -> dict[str, Any]:
    """The arguments that every request for a bundle has."""
    return {
        "scope": call.scope,
        "channel": channel_of(request.channel),
        # None: the recipe's budget applies; 0 is no budget at all.
        "max_tokens": request.max_tokens if request.HasField("max_tokens") else None,
        "freshness": demanded_freshness(request.freshness, call),
        "as_of": time_of(request, "as_of"),
        "document_categories": call.principal.document_categories,
        "explain": request.explain,
        **(_spaces(request, call) if request.spaces else {}),
    }


def _spaces(request: Any, call: Call) -> dict[str, Any]:
    """The spaces that a request names, and the actors for whom its caller speaks."""
    principal = call.principal
    own = {f"agent:{principal.agent_id}"} if principal.agent_id else set[str]()
    return {"beside": spaces_beside(request.spaces, call), "actors": frozenset(own | (principal.actors or set()))}


def _modes(request: Any) -> dict[str, Any]:
    """How a request has its sections search."""
    return {
        "time_mode": TimeMode(request.time_mode) if request.time_mode else TimeMode.PREFER,
        "time_zone": zone_of(request),
        "follows_links": request.link_mode != recall_pb2.LINK_MODE_IGNORE,
        "weighs_speech": request.speech_mode != recall_pb2.SPEECH_MODE_IGNORE,
    }


def _turn(message: pb.Turn) -> Turn:
    yield_turn()
    return message.speaker, message.text, distinct(message.refs)


def view_of(message: pb.View, scope: Scope, writer: Role, now: datetime) -> View:
    """The text that is to be shown, not yet stored in any version."""
    return View(
        name=message.name,
        agent_id=scope.agent_id,
        text=message.text,
        sensitivity=sensitivity_of(message.sensitivity),
        version=0,
        updated_at=now,
        is_data=writer < Role.TENANT_ADMIN,
    )


def view_message(view: View) -> pb.View:
    message = pb.View(
        name=view.name,
        agent_id=view.agent_id,
        text=view.text,
        sensitivity=int(view.sensitivity),  # type: ignore[arg-type]
        version=view.version,
        is_data=view.is_data,
    )
    fields.fill_timestamp(message.updated_at, view.updated_at)
    return message


def recipe_message(recipe: Recipe) -> pb.Recipe:
    return pb.Recipe(
        name=recipe.name,
        description=recipe.description,
        yaml=recipe.text,
        is_built_in=recipe.is_built_in,
        budget_tokens=recipe.budget,
        sections=[section.name for section in recipe.sections],
        digest=recipe.digest,
    )


def handoff_of(
    request: service.HandOffRequest,
) -> tuple[AgentId, str, HandoffPacket, datetime | None]:
    """The receiver, the conversation, the packet and its expiry; None for the usual time."""
    expires_at = time_of(request, "expires_at")
    return AgentId(request.to_agent_id), request.session_id, packet_of(request.packet), expires_at


def packet_of(message: pb.HandoffPacket) -> HandoffPacket:
    """The packet of a message."""
    return HandoffPacket(
        goal=message.goal,
        plan_step=message.plan_step,
        note=message.note,
        task_ids=tuple(UUID(value) for value in dict.fromkeys(message.task_ids)),
        decision_ids=tuple(UUID(value) for value in dict.fromkeys(message.decision_ids)),
        constraints=tuple(message.constraints),
    )


@rule(service.AcceptHandoffsRequest)
def check_senders(request: service.AcceptHandoffsRequest, path: str, checks: Checks) -> None:
    """Nobody accepts everything by leaving something out."""
    if request.any_agent and request.from_agent_ids:
        checks.fail("from_agent_ids", "must be empty with any_agent")


def handoff_senders(request: service.AcceptHandoffsRequest) -> list[AgentId] | None:
    """The agents from which an agent accepts handoffs; None: from any."""
    if request.any_agent:
        return None
    return [AgentId("" if each == SHARED else each) for each in distinct(request.from_agent_ids)]


def handoff_message(handoff: Handoff) -> pb.Handoff:
    packet = handoff.packet
    message = pb.Handoff(
        handoff_id=str(handoff.handoff_id),
        from_agent_id=handoff.from_agent_id,
        to_agent_id=handoff.to_agent_id,
        session_id=handoff.session_id,
        packet=pb.HandoffPacket(
            goal=packet.goal,
            plan_step=packet.plan_step,
            note=packet.note,
            task_ids=[str(each) for each in packet.task_ids],
            decision_ids=[str(each) for each in packet.decision_ids],
            constraints=packet.constraints,
        ),
        text=handoff.text,
        tokens=handoff.tokens,
        trust_level=int(handoff.trust_level),  # type: ignore[arg-type]
        credential=handoff.credential,
    )
    fields.fill_timestamp(message.created_at, handoff.created_at)
    fields.fill_timestamp(message.expires_at, handoff.expires_at)
    return message
