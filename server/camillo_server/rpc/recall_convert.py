"""Recall's messages into domain values, and back."""

from collections.abc import Sequence
from dataclasses import replace

from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.consistency_pb2 import Freshness as FreshnessMessage

from camillo_server.domain import revision as freshness
from camillo_server.domain.memory import MemoryFilter
from camillo_server.domain.recall import RecallAnswer, RecallQuery
from camillo_server.domain.scope import Scope
from camillo_server.domain.scoring import (
    PROFILES,
    TEXT_PROFILE,
    VECTOR_PROFILE,
    ArmScore,
    Breakdown,
    ScoredMemory,
    ScoringProfile,
)
from camillo_server.domain.source import Source, is_chunk, source_of
from camillo_server.rpc import convert, limits
from camillo_server.rpc.artifact_requests import channel_of
from camillo_server.rpc.chunk_convert import fill_chunk
from camillo_server.rpc.tokens import RevisionTokens
from camillo_server.rpc.validate import Checks

LONGEST_HALF_LIFE_HOURS = 1e6
SEARCHED = (Source.MEMORY, Source.EVENT, Source.DECISION, Source.WORKFLOW_STEP)


def recall_query(
    request: service.RecallRequest, scope: Scope, tokens: RevisionTokens, checks: Checks
) -> RecallQuery:
    """What is looked for. Adds to the checks what is wrong with it."""
    by_vector = request.WhichOneof("query") == "vector"
    if not by_vector:
        checks.text("text", request.text, 1, limits.QUERY_CHARACTERS)
    if request.max_tokens < 0:
        checks.fail("max_tokens", "must not be negative")
    return RecallQuery(
        scope=scope,
        text=request.text,
        vector=convert.vector(request.vector, checks, "vector") if by_vector else None,
        filter=_filter(request, checks),
        limit=checks.size("limit", request.limit, limits.RECALL_LIMIT, limits.RECALL_LIMIT_DEFAULT),
        profile=scoring_profile(
            request.profile, checks, VECTOR_PROFILE if by_vector else TEXT_PROFILE
        ),
        min_score=checks.number("min_score", request.min_score, 0, 10),
        max_tokens=request.max_tokens,
        freshness=demanded_freshness(request.freshness, scope, tokens),
        explain=request.explain,
        channel=channel_of(request.channel, checks, "channel"),
        masked=request.masked,
    )


def _filter(request: service.RecallRequest, checks: Checks) -> MemoryFilter:
    """The conditions, and where to look."""
    wanted = convert.memory_filter(request.filter, checks, "filter")
    sources = searched_sources(request.sources, checks)
    return wanted if sources == wanted.sources else replace(wanted, sources=sources)


def searched_sources(values: Sequence[int], checks: Checks) -> tuple[Source, ...]:
    """Each once and in order; none at all means memories."""
    if checks.are_too_many("sources", values, limits.ENUM_VALUES):
        return (Source.MEMORY,)
    if not set(values) <= set(SEARCHED):
        names = ", ".join(f"SOURCE_{source.name}" for source in SEARCHED)
        checks.fail("sources", f"this server searches {names}")
    return tuple(source for source in SEARCHED if source in values) or (Source.MEMORY,)


def scoring_profile(message: pb.ScoringProfile, checks: Checks, default: str) -> ScoringProfile:
    """A named profile, explicit weights, or the default; with the diversity asked for."""
    diversity = checks.number("profile.diversity", message.diversity, 0, 1)
    profile = _weights(message, checks, default)
    return replace(profile, diversity=diversity) if diversity else profile


def _weights(message: pb.ScoringProfile, checks: Checks, default: str) -> ScoringProfile:
    if message.WhichOneof("profile") != "weights":
        name = message.name or default
        if name not in PROFILES:
            checks.fail("profile.name", f"must be one of {', '.join(PROFILES)}")
        return PROFILES.get(name, PROFILES[default])
    weights = message.weights
    for name in ("similarity", "recency", "importance", "source_priority"):
        checks.number(f"profile.weights.{name}", getattr(weights, name), 0, 1)
    half_life = weights.half_life_hours or None
    if half_life is not None:
        field = "profile.weights.half_life_hours"
        checks.number(field, half_life, 1e-3, LONGEST_HALF_LIFE_HOURS)
    return ScoringProfile(
        weights.similarity,
        weights.recency,
        weights.importance,
        weights.source_priority,
        half_life,
    )


def demanded_freshness(
    message: FreshnessMessage, scope: Scope, tokens: RevisionTokens
) -> freshness.Freshness:
    """Raises InvalidField, RevisionUnknown."""
    demand = message.WhichOneof("requirement")
    if demand == "at_least_as_fresh":
        field = "freshness.at_least_as_fresh.token"
        token = message.at_least_as_fresh.token
        return freshness.AtLeastAsFresh(tokens.read_revision(scope, token, field))
    if demand == "fully_consistent":
        return freshness.FULLY_CONSISTENT
    return freshness.MINIMIZE_LATENCY


def recall_response(
    answer: RecallAnswer, scope: Scope, tokens: RevisionTokens
) -> service.RecallResponse:
    """The answer as the contract has it."""
    degraded = []
    if answer.embedding_failed:
        degraded.append(pb.DEGRADED_REASON_EMBEDDING_UNAVAILABLE)
    if answer.vectors_pending:
        degraded.append(pb.DEGRADED_REASON_VECTORS_PENDING)
    if answer.sealed_not_searched:
        degraded.append(pb.DEGRADED_REASON_SEALED_NOT_SEARCHED)
    response = service.RecallResponse(
        revision=tokens.revision(scope, answer.revision),
        degraded=degraded,
        answered_by=int(answer.answered_by),  # type: ignore[arg-type]
        model_id=answer.model_id,
        tokens=answer.tokens,
    )
    for hit in answer.hits:
        _fill_hit(response.hits.add(), hit)
    return response


def _fill_hit(message: pb.RecallHit, hit: ScoredMemory) -> None:
    if is_chunk(hit.memory.kind):
        fill_chunk(message.chunk, hit.memory)
    else:
        convert.fill_memory(message.memory, hit.memory)
    message.source = int(source_of(hit.memory.kind))  # type: ignore[assignment]
    message.score = hit.score
    if hit.breakdown is not None:
        message.breakdown.CopyFrom(_breakdown(hit.breakdown))


def _breakdown(terms: Breakdown) -> pb.ScoreBreakdown:
    return pb.ScoreBreakdown(
        dense=_arm(terms.dense),
        lexical=_arm(terms.lexical),
        similarity=terms.similarity,
        recency=terms.recency,
        importance=terms.importance,
        source_priority=terms.source_priority,
        age_hours=terms.age_hours,
        neighbourhood=terms.neighbourhood,
        dense_weight=terms.dense_weight,
        lexical_weight=terms.lexical_weight,
        neighbour_weight=terms.neighbour_weight,
        boost=terms.boost,
        brevity=terms.brevity,
        brevity_weight=terms.brevity_weight,
    )


def _arm(score: ArmScore | None) -> pb.ArmScore | None:
    if score is None:
        return None
    return pb.ArmScore(rank=score.rank, raw=score.raw, normalized=score.normalized)
