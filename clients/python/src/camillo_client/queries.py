"""Keyword arguments for recalls and filters of memories."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias, TypedDict, Unpack

from google.protobuf.timestamp_pb2 import Timestamp

from camillo.v1.actor_pb2 import TrustLevel
from camillo.v1.memory_pb2 import (
    ArchivedFilter,
    MemoryFilter,
    MemoryKind,
    ScoringProfile,
    ScoringWeights,
    Sensitivity,
    Source,
)
from camillo.v1.memory_service_pb2 import RecallRequest
from camillo.v1.metadata_condition_pb2 import MetadataCondition
from camillo.v1.recall_pb2 import (
    LinkMode,
    RecallContext,
    RecallMode,
    Rerank,
    SpaceWeights,
    SpeechMode,
    TimeMode,
    ValidityFilter,
)
from camillo_client.artifact_fields import ChannelLike, to_channel
from camillo_client.convert import (
    Archived,
    Kind,
    MetadataValue,
    SensitivityLevel,
    SourceName,
    TimeModeName,
    TrustLevelName,
    ValidityName,
    VectorLike,
    reject_unknown,
    to_enum,
    to_strings,
    to_struct,
    to_timestamp,
    to_vector,
)
from camillo_client.freshness import FreshnessLike, SpaceLike, to_freshness, to_spaces
from camillo_client.named_arguments import names_arguments
from camillo_client.spaces import Beside
from camillo_client.time_zone import local_time_zone

LinkModeName: TypeAlias = Literal["follow", "ignore"]
SpeechModeName: TypeAlias = Literal["prefer", "ignore"]
# Found in the tenant's shared scope, whichever agent asks.
TENANT_SOURCES = frozenset({Source.SOURCE_DOCUMENT, Source.SOURCE_AUDIT})


RecallModeName = Literal["complete", "precise"]


class RecallOptions(TypedDict, total=False):
    """Options of a recall."""

    # Searched by meaning alone, instead of a text.
    vector: VectorLike | None
    # Default: memories. A hit of another source has a `chunk` in place of a `memory`; `hit.text` is the text of either.
    sources: Iterable[SourceName | Source]
    filter: MemoryFilter | None
    # 1 to 200; default 5.
    limit: int
    # `relevance` (default), `recency_weighted`, `evidence`, `blended`, `similarity`, `precise`, `reranked`, or weights
    # of one's own.
    profile: str | ScoringWeights | None
    # How much a hit counts, 0 to 1, by its kind of space: agents, users, projects, teams, shared; default: 1.
    space_weights: Mapping[str, float] | None
    # Leave out hits that score less.
    min_score: float
    # Most tokens of content in all hits; default: no bound.
    max_tokens: int
    # Default: at least as fresh as this client's own writes.
    freshness: FreshnessLike | None
    # Say how each score came about.
    explain: bool
    # Where the hits will be shown; default: private.
    channel: ChannelLike | None
    # For a tool's answer or a trace: texts are masked by their sensitivity, as the tenant's masking says.
    masked: bool
    # Whether items linked with the best candidates are candidates, too; default: `follow`.
    link_mode: LinkModeName | LinkMode
    # How the speaker counts, and whether a text asks or tells; default: `prefer`.
    speech_mode: SpeechModeName | SpeechMode
    # Look in the tenant's shared scope for the other sources, too; documents and audit entries are found there anyway.
    include_shared: bool
    # Default: at least as fresh as what this client has written to the shared scope.
    shared_freshness: FreshnessLike | None
    # Other spaces to search as one collection with the client's own, such as "projects/shop": up to 7, each at least as
    # fresh as this client's own writes.
    spaces: Iterable[SpaceLike]
    # `complete`: up to the limit; `precise`: the answer ends where the scores fall off; default: as the profile says.
    mode: RecallModeName | RecallMode | None
    # The current conversation: hits of its session, with its tags or resembling its turns are preferred.
    context: RecallContext | None
    # Search the memories that were true at this moment, as far as is known now; default: now.
    as_of: datetime.datetime | None
    # Search the memories that were stored by this moment, in their version of then; default: now.
    known_at: datetime.datetime | None
    # The moment from which "yesterday" in the query counts; default: the server's clock.
    query_time: datetime.datetime | None
    # Time zone in which its days begin and end, such as "Europe/Madrid"; default: the machine's.
    time_zone: str | None
    # How a time that the query names counts; default: `prefer` what happened then, or names it.
    time_mode: TimeModeName | TimeMode | None
    # Read the best candidates again with the server's reranker; Rerank says how many, and for how long.
    rerank: bool | Rerank


class FourSources(TypedDict):
    """The options of `search_my_memories`."""

    sources: tuple[SourceName, ...]
    profile: str


FOUR_SOURCES: FourSources = {
    "sources": ("memory", "audit", "workflow_step", "document"),
    "profile": "blended",
}
"""An agent's memories and workflow steps, and its tenant's audit entries and documents, by similarity, recency, importance and
how far a source is relied on."""  # noqa: E501


@names_arguments
def recall_request(query: str | None = None, *, agent_id: str = "", **options: Unpack[RecallOptions]) -> RecallRequest:
    """A recall by text or by vector, as `recall_many` takes them."""
    reject_unknown(options, RecallOptions.__optional_keys__, "a recall")
    vector = options.get("vector")
    query_time, time_mode = options.get("query_time"), options.get("time_mode")
    time_zone = options.get("time_zone")
    if (query is None) == (vector is None):
        raise ValueError("a recall takes either a query text or a vector")
    return RecallRequest(
        agent_id=agent_id,
        text=query,
        vector=None if vector is None else to_vector(vector),
        sources=[to_enum(Source, source) for source in options.get("sources", ())],
        filter=options.get("filter"),
        limit=options.get("limit"),
        profile=_profile(options.get("profile"), options.get("space_weights")),
        min_score=options.get("min_score"),
        max_tokens=options.get("max_tokens"),
        freshness=to_freshness(options.get("freshness")),
        explain=options.get("explain"),
        channel=to_channel(options.get("channel")),
        masked=options.get("masked"),
        link_mode=to_enum(LinkMode, options.get("link_mode", 0)),
        speech_mode=to_enum(SpeechMode, options.get("speech_mode", 0)),
        include_shared=options.get("include_shared"),
        shared_freshness=to_freshness(options.get("shared_freshness")),
        spaces=to_spaces(options.get("spaces", ())),
        mode=to_enum(RecallMode, options.get("mode") or 0),
        context=options.get("context"),
        as_of=_moment(options.get("as_of"), "as_of"),
        known_at=_moment(options.get("known_at"), "known_at"),
        query_time=None if query_time is None else to_timestamp(query_time, "query_time"),
        time_zone=local_time_zone() if time_zone is None else time_zone,
        time_mode=None if time_mode is None else to_enum(TimeMode, time_mode),
        rerank=_rerank(options.get("rerank", False)),
    )


def reads_shared(request: RecallRequest) -> bool:
    """Whether the recall looks into the tenant's shared scope beside the agent's own."""
    return request.include_shared or not TENANT_SOURCES.isdisjoint(request.sources)


@names_arguments
def memory_filter(
    *,
    tags_any: Iterable[str] = (),
    tags_all: Iterable[str] = (),
    kinds: Iterable[Kind | MemoryKind] = (),
    session_id: str = "",
    occurred_from: datetime.datetime | None = None,
    occurred_before: datetime.datetime | None = None,
    min_importance: float = 0.0,
    max_sensitivity: SensitivityLevel | Sensitivity | None = None,
    archived: Archived | ArchivedFilter | None = None,
    metadata: Mapping[str, MetadataValue] | None = None,
    metadata_conditions: Mapping[str, Mapping[str, Any]] | None = None,
    min_trust: TrustLevelName | TrustLevel | None = None,
    validity: ValidityName | ValidityFilter | None = None,
) -> MemoryFilter:
    """Conditions that all have to hold; the limits are those of `MemoryFilter`. `metadata_conditions` are comparisons
    by key, as `MetadataCondition` has them: `{"order": {"gte": 10, "lt": 20}, "shop": {"exists": False}}`."""
    compared = (metadata_conditions or {}).items()
    return MemoryFilter(
        tags_any=to_strings(tags_any, "tags_any"),
        tags_all=to_strings(tags_all, "tags_all"),
        kinds=[to_enum(MemoryKind, kind) for kind in kinds],
        session_id=session_id,
        occurred_from=occurred_from and to_timestamp(occurred_from, "occurred_from"),
        occurred_before=occurred_before and to_timestamp(occurred_before, "occurred_before"),
        min_importance=min_importance,
        max_sensitivity=None if max_sensitivity is None else to_enum(Sensitivity, max_sensitivity),
        archived=None if archived is None else to_enum(ArchivedFilter, archived),
        metadata=None if metadata is None else to_struct(metadata),
        metadata_conditions=[MetadataCondition(key=key, value=to_struct(value)) for key, value in compared],
        min_trust=None if min_trust is None else to_enum(TrustLevel, min_trust),
        validity=None if validity is None else to_enum(ValidityFilter, validity),
    )


def _moment(moment: datetime.datetime | None, name: str) -> Timestamp | None:
    return None if moment is None else to_timestamp(moment, name)


def _rerank(rerank: bool | Rerank) -> Rerank | None:
    if isinstance(rerank, bool):
        return Rerank(enabled=True) if rerank else None
    return rerank


def _profile(profile: str | ScoringWeights | None, space_weights: Mapping[str, float] | None) -> ScoringProfile | None:
    if profile is None and not space_weights:
        return None
    of_spaces = SpaceWeights(**space_weights) if space_weights else None
    if profile is None or isinstance(profile, str):
        return ScoringProfile(name=profile, space_weights=of_spaces)
    return ScoringProfile(weights=profile, space_weights=of_spaces)


def own_request(query: str | RecallRequest, agent_id: str, beside: Beside) -> RecallRequest:
    """The request of a query, or a copy of the caller's, for its agent, or for this one with what is read beside it."""
    if isinstance(query, str):
        request = recall_request(query)
    else:
        # A copy: what is filled in is not the caller's.
        request = RecallRequest()
        request.CopyFrom(query)
    if not request.agent_id:
        request.agent_id = agent_id
        beside.fill(request)
    return request
