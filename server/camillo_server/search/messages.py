"""Messages of recall: requests read into values, answers built from them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import recall_pb2, supersession_pb2

from camillo_server.doors.rpc import fields
from camillo_server.doors.rpc.call import Call, demanded_freshness, spaces_beside
from camillo_server.doors.rpc.field_limits import limit_of, replaces, rule, stated_or_default
from camillo_server.doors.rpc.fields import channel_of, time_of, zone_of
from camillo_server.doors.rpc.validate import Checks
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.errors import invalid_field
from camillo_server.kernel.ids import AgentId, MemoryId
from camillo_server.kernel.kinds import KINDS_OF_A_SOURCE, ActorType, ChunkKind, EventKind, Source, is_chunk, source_of
from camillo_server.kernel.scope import shared_scope
from camillo_server.kernel.writes import MINIMIZE_LATENCY
from camillo_server.rows import messages as memories_messages
from camillo_server.rows.filter_messages import memory_filter
from camillo_server.rows.row import Row
from camillo_server.rows.row_filter import CATEGORY_PREFIX, NO_FILTER, MemoryFilter
from camillo_server.search.contradiction import Contradiction, Judgement
from camillo_server.search.history import Histories, HitId
from camillo_server.search.recall import RecallAnswer, SearchedScope
from camillo_server.search.recall_query import TENANT_SOURCES, RecallQuery, as_known, over_both_scopes, over_spaces
from camillo_server.search.reordering import RecallContext, RerankFailure, RerankQuery
from camillo_server.search.scoring import (
    PROFILES,
    TEXT_PROFILE,
    VECTOR_PROFILE,
    ArmScore,
    Breakdown,
    ScoringProfile,
)
from camillo_server.search.signals.temporal import TimeMode, TimeWindow
from camillo_server.search.space_weights import SpaceWeights

CHANNELS: Mapping[str, int] = {channel.name.lower(): channel for channel in Channel}
ACTOR_TYPES: Mapping[str, int] = {type_.name.lower(): type_ for type_ in ActorType}
# A profile of recalls alone: bundles have no reranker.
RERANKED = "reranked"
RERANK_DEGRADED: Mapping[RerankFailure, pb.DegradedReason] = {
    RerankFailure.TIMEOUT: pb.DEGRADED_REASON_RERANK_TIMEOUT,
    RerankFailure.UNAVAILABLE: pb.DEGRADED_REASON_RERANK_UNAVAILABLE,
}
MAX_SOURCES = limit_of(service.RecallRequest, "sources").items.max_sent
SEARCHED = (
    *(Source.MEMORY, Source.EVENT, Source.DOCUMENT, Source.SLOT),
    *(Source.DECISION, Source.AUDIT, Source.WORKFLOW_STEP, Source.ARTIFACT),
)


def fill_chunk(message: pb.Chunk, row: Row) -> None:
    """Fills an empty message; place, channel and actor come from the chunk's metadata."""
    metadata = row.metadata
    message.chunk_id = str(row.memory_id)
    message.agent_id = row.agent_id
    message.source = int(source_of(row.kind))  # type: ignore[assignment]
    message.origin_id = row.source_refs[0] if row.source_refs else ""
    message.place = int(metadata.get("place") or 0)
    message.text = row.content
    message.session_id = row.session_id
    fields.fill_timestamp(message.occurred_at, row.occurred_at)
    message.event_kind = event_kind(row.kind)  # type: ignore[assignment]
    if metadata.get("actor_type"):
        message.actor.type = ACTOR_TYPES.get(str(metadata["actor_type"]), 0)  # type: ignore[assignment]
        message.actor.id = str(metadata.get("actor") or "")
    message.channel = CHANNELS.get(str(metadata.get("channel")), 0)  # type: ignore[assignment]
    message.tags.extend(row.tags)
    if row.kind == ChunkKind.PASSAGE:
        _fill_citation(message, row)
    message.sensitivity = int(row.sensitivity)  # type: ignore[assignment]
    message.importance = row.importance
    message.source_refs.extend(row.source_refs)
    message.vector_model_id = row.vector_model_id
    message.trust_level = int(row.trust_level)  # type: ignore[assignment]


def _fill_citation(message: pb.Chunk, row: Row) -> None:
    """Fills in where a passage is in its document. Drops tags that name categories: they are not the caller's."""
    tags = [each for each in row.tags if not each.startswith(CATEGORY_PREFIX)]
    message.ClearField("tags")
    message.tags.extend(tags)
    told = row.metadata
    message.citation.document_id = message.origin_id
    message.citation.name = str(told.get("document") or "")
    message.citation.version = row.version
    message.citation.title = str(told.get("title") or "")
    message.citation.heading = str(told.get("heading") or "")
    message.citation.byte_from = int(told.get("byte_from") or 0)
    message.citation.byte_until = int(told.get("byte_until") or 0)
    message.citation.source_url = str(told.get("source_url") or "")


def event_kind(kind: int) -> int:
    """The number of the event's kind; 0 for a chunk of anything but an event."""
    if kind == ChunkKind.WORKFLOW_STEP:
        return EventKind.WORKFLOW_STEP
    return kind % KINDS_OF_A_SOURCE if source_of(kind) is Source.EVENT else 0


@replaces(service.RecallRequest, "sources")
def check_sources(request: service.RecallRequest, path: str, checks: Checks) -> None:
    """Refuses the sources of the contract that this server does not search."""
    if len(request.sources) > MAX_SOURCES:
        checks.fail("sources", f"must have at most {MAX_SOURCES} values, has {len(request.sources)}")
    elif not set(request.sources) <= set(SEARCHED):
        names = ", ".join(source.name.lower() for source in SEARCHED)
        checks.fail("sources", f"must be one of {names}")


@rule(pb.ScoringProfile)
def check_profile_name(message: pb.ScoringProfile, path: str, checks: Checks) -> None:
    if message.name and message.name not in PROFILES and message.name != RERANKED:
        checks.fail(f"{path}name", f"must be one of {', '.join((*PROFILES, RERANKED))}")


def recall_query(request: service.RecallRequest, call: Call) -> RecallQuery:
    """The query of a request. Raises InvalidField, RevisionUnknown."""
    # Most fields of most requests are not set: each is read only where it is.
    vector, default = None, TEXT_PROFILE
    if request.WhichOneof("query") == "vector":
        vector, default = memories_messages.vector(request.vector, call.read.get("vector.")), VECTOR_PROFILE
    is_profiled, granted = request.mode or request.HasField("profile"), call.principal.document_categories
    query = RecallQuery(
        scope=call.scope,
        text=request.text,
        vector=vector,
        filter=_filter(request, granted),
        limit=request.limit or stated_or_default(request, "limit"),
        profile=_profile(request, default) if is_profiled else PROFILES[default],
        min_score=request.min_score,
        max_tokens=request.max_tokens,
        freshness=demanded_freshness(request.freshness, call) if request.HasField("freshness") else MINIMIZE_LATENCY,
        explain=request.explain,
        channel=channel_of(request.channel) if request.channel else Channel.PRIVATE,
        masked=request.masked,
        context=_context(request.context) if request.HasField("context") else None,
        follows_links=request.link_mode != recall_pb2.LINK_MODE_IGNORE,
        weighs_speech=request.speech_mode != recall_pb2.SPEECH_MODE_IGNORE,
        query_time=time_of(request, "query_time") if request.HasField("query_time") else None,
        time_zone=zone_of(request) if request.time_zone else None,
        time_mode=TimeMode(request.time_mode) if request.time_mode else TimeMode.PREFER,
        rerank=_rerank(request) if request.rerank.enabled or request.profile.name == RERANKED else None,
    )
    if known_at := request.HasField("known_at") and time_of(request, "known_at"):
        query = as_known(query, known_at)
    if request.spaces:
        query = over_spaces(query, spaces_beside(request.spaces, call))
    asked = request.include_shared or not TENANT_SOURCES.isdisjoint(query.filter.sources)
    if not asked or not call.scope.agent_id:
        return query
    shared = shared_scope(call.scope)
    freshness = demanded_freshness(request.shared_freshness, call, shared, "shared_freshness")
    return over_both_scopes(query, freshness, include_shared=request.include_shared)


def _profile(request: service.RecallRequest, default: str) -> ScoringProfile:
    profile = scoring_profile(request.profile, default)
    if not request.mode:
        return profile
    return replace(profile, is_precise=request.mode == recall_pb2.RECALL_MODE_PRECISE)


def _context(told: recall_pb2.RecallContext) -> RecallContext | None:
    """The context of the recall; None where the message names none."""
    context = RecallContext(told.session_id, frozenset(told.tags), tuple(told.turns))
    return None if context.is_empty else context


def _rerank(request: service.RecallRequest) -> RerankQuery:
    """Raises InvalidField for a recall without a text, as there is nothing to read beside the candidates."""
    if request.WhichOneof("query") == "vector":
        field = "rerank.enabled" if request.rerank.enabled else "profile.name"
        raise invalid_field(field, "reads a text: must not be set beside a vector")
    stated = request.rerank
    budget_seconds = stated.budget_ms / 1000 if stated.budget_ms else None
    return RerankQuery(stated.candidates or None, budget_seconds)


def _filter(request: service.RecallRequest, granted: frozenset[str] | None) -> MemoryFilter:
    filter_ = memory_filter(request.filter) if request.HasField("filter") else NO_FILTER
    if request.HasField("as_of"):
        filter_ = replace(filter_, as_of=fields.time_of(request, "as_of"))
    if request.sources and (sources := searched_sources(request.sources)) != filter_.sources:
        filter_ = replace(filter_, sources=sources)
    return filter_ if granted is None else filter_.narrowed_to(granted)


def searched_sources(values: Sequence[int]) -> tuple[Source, ...]:
    """The sources, each once and in order; memories if none is given."""
    if not values:
        return (Source.MEMORY,)
    return tuple(source for source in SEARCHED if source in values) or (Source.MEMORY,)


def scoring_profile(message: pb.ScoringProfile, default: str) -> ScoringProfile:
    """A named profile, explicit weights, or the default; with the requested diversity and weights of spaces."""
    profile = (
        _weights(message.weights)
        if message.WhichOneof("profile") == "weights"
        else PROFILES[TEXT_PROFILE if message.name == RERANKED else message.name or default]
    )
    if message.HasField("space_weights"):
        profile = replace(profile, space_weights=_space_weights(message.space_weights))
    return replace(profile, diversity=message.diversity) if message.diversity else profile


def _weights(weights: pb.ScoringWeights) -> ScoringProfile:
    return ScoringProfile(
        weights.similarity,
        weights.recency,
        weights.importance,
        weights.source_priority,
        weights.half_life_hours or None,
    )


def _space_weights(message: recall_pb2.SpaceWeights) -> SpaceWeights:
    return SpaceWeights(**{field.name: value for field, value in message.ListFields()})


def recall_response(answer: RecallAnswer, call: Call, *, is_away: bool) -> service.RecallResponse:
    """The response. `is_away`: Postgres was away when last tried, so scopes in memory may be out of date."""
    pool, degraded = answer.pool, []
    if answer.embedding_failed:
        degraded.append(pb.DEGRADED_REASON_EMBEDDING_UNAVAILABLE)
    if pool.vectors_pending:
        degraded.append(pb.DEGRADED_REASON_VECTORS_PENDING)
    if pool.encrypted_not_searched:
        degraded.append(pb.DEGRADED_REASON_SEALED_NOT_SEARCHED)
    if is_away:
        degraded.append(pb.DEGRADED_REASON_STORAGE_UNAVAILABLE)
    if pool.vector_search_failed:
        degraded.append(pb.DEGRADED_REASON_VECTOR_SEARCH_UNAVAILABLE)
    if answer.rerank_failure is not None:
        degraded.append(RERANK_DEGRADED[answer.rerank_failure])
    response = service.RecallResponse(
        revision=None if answer.scopes else call.revision(pool.revision),
        degraded=degraded,
        answered_by=int(pool.answered_by),  # type: ignore[arg-type]
        model_id=answer.model_id,
        tokens=answer.tokens,
        no_match=answer.has_no_match,
        beside_the_point=answer.beside_the_point,
    )
    for each in answer.scopes:
        _fill_revision(response, each, call)
    if answer.time_window is not None:
        _fill_window(response.time_window, answer.time_window)
    for hit, encoded in zip(answer.hits, _encoded_hits(answer), strict=True):
        message = response.hits.add()
        message.MergeFromString(encoded)
        message.score = hit.relevance
        if hit.equal_refs:
            message.equal_refs.extend(hit.equal_refs)
        if hit.breakdown is not None:
            message.breakdown.CopyFrom(_breakdown(hit.breakdown))
    for best in answer.source_bests:
        message = response.source_bests.add()
        message.MergeFromString(_encode_hit(best.memory))
        message.score = best.hit.relevance
        if best.hit.breakdown is not None:
            message.breakdown.CopyFrom(_breakdown(best.hit.breakdown))
    for memory in answer.left_out:
        memories_messages.fill_memory(response.left_out.add(), memory)
    return response


def superseding_hits(response: service.RecallResponse) -> dict[int, HitId]:
    """The hits that took others' places, by index."""
    return {
        index: (AgentId(hit.memory.agent_id), MemoryId(UUID(hit.memory.memory_id)))
        for index, hit in enumerate(response.hits)
        if hit.memory.supersedes
    }


def fill_histories(response: service.RecallResponse, histories: Histories, hits: Mapping[int, HitId]) -> None:
    """Adds to each of these hits the memories that it replaced."""
    for index, hit_id in hits.items():
        for memory in histories.get(hit_id, ()):
            memories_messages.fill_memory(response.hits[index].history.add(), memory)


def _fill_revision(response: service.RecallResponse, searched: SearchedScope, call: Call) -> None:
    """The revision of a scope that was read."""
    scope, revision = searched.scope, call.revisions.revision(*searched)
    if scope == call.scope:
        response.revision.CopyFrom(revision)
    elif not scope.agent_id:
        response.shared_revision.CopyFrom(revision)
    else:
        response.spaces.add(space=scope.agent_id, revision=revision)


def contradiction_message(found: Contradiction) -> supersession_pb2.Contradiction:
    message = supersession_pb2.Contradiction(
        differences=[int(each) for each in found.comparison.differences],  # type: ignore[misc]
        similarity=found.comparison.similarity,
    )
    memories_messages.fill_memory(message.newer, found.newer)
    memories_messages.fill_memory(message.older, found.older)
    if found.judgement is not None:
        _fill_judgement(message.judgement, found.judgement)
    return message


def _fill_judgement(message: supersession_pb2.Judgement, judgement: Judgement) -> None:
    message.verdict = int(judgement.verdict)  # type: ignore[assignment]
    message.current_id = str(judgement.current_id or "")
    message.reason = judgement.reason
    message.unjudged_reason = int(judgement.unjudged_reason or 0)  # type: ignore[assignment]


def _fill_window(message: recall_pb2.TimeWindow, window: TimeWindow) -> None:
    if window.begin is not None:
        # The name of the field is a word of Python.
        fields.fill_timestamp(getattr(message, "from"), window.begin)
    if window.end is not None:
        fields.fill_timestamp(message.until, window.end)
    message.text = window.text
    if (anchor := window.anchor) is not None:
        message.anchor.text = anchor.text
        message.anchor.id = anchor.id
        message.anchor.score = anchor.relevance


def _encoded_hits(answer: RecallAnswer) -> Sequence[bytes]:
    if answer.altered is None:
        return answer.pool.encoded(answer.candidates, _encode_hit)
    return [*map(_encode_hit, answer.altered)]


def _encode_hit(row: Row) -> bytes:
    """The message of a hit without its scores: the same in every answer that shows the row as it is stored."""
    source = int(source_of(row.kind))
    message = pb.RecallHit(source=source, is_spooled=row.is_spooled)  # type: ignore[arg-type]
    if is_chunk(row.kind):
        fill_chunk(message.chunk, row)
    else:
        memories_messages.fill_memory(message.memory, row)
    return message.SerializeToString()


def _breakdown(fields: Breakdown) -> pb.ScoreBreakdown:
    arms = {"dense": _arm(fields["dense"]), "lexical": _arm(fields["lexical"])}
    return pb.ScoreBreakdown(**{**fields, **arms})


def _arm(score: ArmScore | None) -> pb.ArmScore | None:
    if score is None:
        return None
    return pb.ArmScore(rank=score.rank, raw=score.raw, normalized=score.normalized)
