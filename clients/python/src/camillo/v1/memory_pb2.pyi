import datetime

from camillo.v1 import actor_pb2 as _actor_pb2
from camillo.v1 import channel_pb2 as _channel_pb2
from camillo.v1 import citation_pb2 as _citation_pb2
from camillo.v1 import consistency_pb2 as _consistency_pb2
from camillo.v1 import forgetting_pb2 as _forgetting_pb2
from camillo.v1 import metadata_condition_pb2 as _metadata_condition_pb2
from camillo.v1 import occurrence_pb2 as _occurrence_pb2
from camillo.v1 import options_pb2 as _options_pb2
from camillo.v1 import recall_pb2 as _recall_pb2
from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MemoryKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MEMORY_KIND_UNSPECIFIED: _ClassVar[MemoryKind]
    MEMORY_KIND_FACT: _ClassVar[MemoryKind]
    MEMORY_KIND_PREFERENCE: _ClassVar[MemoryKind]
    MEMORY_KIND_CONVERSATION: _ClassVar[MemoryKind]
    MEMORY_KIND_TASK_OUTCOME: _ClassVar[MemoryKind]
    MEMORY_KIND_DECISION: _ClassVar[MemoryKind]
    MEMORY_KIND_ERROR: _ClassVar[MemoryKind]
    MEMORY_KIND_INSTRUCTION: _ClassVar[MemoryKind]
    MEMORY_KIND_SUMMARY: _ClassVar[MemoryKind]

class Sensitivity(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SENSITIVITY_UNSPECIFIED: _ClassVar[Sensitivity]
    SENSITIVITY_PUBLIC: _ClassVar[Sensitivity]
    SENSITIVITY_INTERNAL: _ClassVar[Sensitivity]
    SENSITIVITY_CONFIDENTIAL: _ClassVar[Sensitivity]
    SENSITIVITY_RESTRICTED: _ClassVar[Sensitivity]

class ArchivedFilter(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ARCHIVED_FILTER_UNSPECIFIED: _ClassVar[ArchivedFilter]
    ARCHIVED_FILTER_EXCLUDE: _ClassVar[ArchivedFilter]
    ARCHIVED_FILTER_INCLUDE: _ClassVar[ArchivedFilter]
    ARCHIVED_FILTER_ONLY: _ClassVar[ArchivedFilter]

class Source(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SOURCE_UNSPECIFIED: _ClassVar[Source]
    SOURCE_MEMORY: _ClassVar[Source]
    SOURCE_EVENT: _ClassVar[Source]
    SOURCE_DOCUMENT: _ClassVar[Source]
    SOURCE_SLOT: _ClassVar[Source]
    SOURCE_DECISION: _ClassVar[Source]
    SOURCE_AUDIT: _ClassVar[Source]
    SOURCE_WORKFLOW_STEP: _ClassVar[Source]
    SOURCE_ARTIFACT: _ClassVar[Source]

class DegradedReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DEGRADED_REASON_UNSPECIFIED: _ClassVar[DegradedReason]
    DEGRADED_REASON_EMBEDDING_UNAVAILABLE: _ClassVar[DegradedReason]
    DEGRADED_REASON_VECTORS_PENDING: _ClassVar[DegradedReason]
    DEGRADED_REASON_SEALED_NOT_SEARCHED: _ClassVar[DegradedReason]
    DEGRADED_REASON_STORAGE_UNAVAILABLE: _ClassVar[DegradedReason]
    DEGRADED_REASON_VECTOR_SEARCH_UNAVAILABLE: _ClassVar[DegradedReason]
    DEGRADED_REASON_RERANK_TIMEOUT: _ClassVar[DegradedReason]
    DEGRADED_REASON_RERANK_UNAVAILABLE: _ClassVar[DegradedReason]

class AnsweredBy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ANSWERED_BY_UNSPECIFIED: _ClassVar[AnsweredBy]
    ANSWERED_BY_CACHE: _ClassVar[AnsweredBy]
    ANSWERED_BY_POSTGRES: _ClassVar[AnsweredBy]
MEMORY_KIND_UNSPECIFIED: MemoryKind
MEMORY_KIND_FACT: MemoryKind
MEMORY_KIND_PREFERENCE: MemoryKind
MEMORY_KIND_CONVERSATION: MemoryKind
MEMORY_KIND_TASK_OUTCOME: MemoryKind
MEMORY_KIND_DECISION: MemoryKind
MEMORY_KIND_ERROR: MemoryKind
MEMORY_KIND_INSTRUCTION: MemoryKind
MEMORY_KIND_SUMMARY: MemoryKind
SENSITIVITY_UNSPECIFIED: Sensitivity
SENSITIVITY_PUBLIC: Sensitivity
SENSITIVITY_INTERNAL: Sensitivity
SENSITIVITY_CONFIDENTIAL: Sensitivity
SENSITIVITY_RESTRICTED: Sensitivity
ARCHIVED_FILTER_UNSPECIFIED: ArchivedFilter
ARCHIVED_FILTER_EXCLUDE: ArchivedFilter
ARCHIVED_FILTER_INCLUDE: ArchivedFilter
ARCHIVED_FILTER_ONLY: ArchivedFilter
SOURCE_UNSPECIFIED: Source
SOURCE_MEMORY: Source
SOURCE_EVENT: Source
SOURCE_DOCUMENT: Source
SOURCE_SLOT: Source
SOURCE_DECISION: Source
SOURCE_AUDIT: Source
SOURCE_WORKFLOW_STEP: Source
SOURCE_ARTIFACT: Source
DEGRADED_REASON_UNSPECIFIED: DegradedReason
DEGRADED_REASON_EMBEDDING_UNAVAILABLE: DegradedReason
DEGRADED_REASON_VECTORS_PENDING: DegradedReason
DEGRADED_REASON_SEALED_NOT_SEARCHED: DegradedReason
DEGRADED_REASON_STORAGE_UNAVAILABLE: DegradedReason
DEGRADED_REASON_VECTOR_SEARCH_UNAVAILABLE: DegradedReason
DEGRADED_REASON_RERANK_TIMEOUT: DegradedReason
DEGRADED_REASON_RERANK_UNAVAILABLE: DegradedReason
ANSWERED_BY_UNSPECIFIED: AnsweredBy
ANSWERED_BY_CACHE: AnsweredBy
ANSWERED_BY_POSTGRES: AnsweredBy

class Vector(_message.Message):
    __slots__ = ("model_id", "values")
    MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    model_id: str
    values: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, model_id: _Optional[str] = ..., values: _Optional[_Iterable[float]] = ...) -> None: ...

class NewMemory(_message.Message):
    __slots__ = ("memory_id", "content", "kind", "session_id", "occurred_at", "tags", "sensitivity", "importance", "metadata", "expires_at", "pinned", "source_refs", "vector", "never_expires", "actor", "trust_level", "valid_from", "valid_until", "supersedes")
    MEMORY_ID_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    OCCURRED_AT_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    SENSITIVITY_FIELD_NUMBER: _ClassVar[int]
    IMPORTANCE_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    PINNED_FIELD_NUMBER: _ClassVar[int]
    SOURCE_REFS_FIELD_NUMBER: _ClassVar[int]
    VECTOR_FIELD_NUMBER: _ClassVar[int]
    NEVER_EXPIRES_FIELD_NUMBER: _ClassVar[int]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    TRUST_LEVEL_FIELD_NUMBER: _ClassVar[int]
    VALID_FROM_FIELD_NUMBER: _ClassVar[int]
    VALID_UNTIL_FIELD_NUMBER: _ClassVar[int]
    SUPERSEDES_FIELD_NUMBER: _ClassVar[int]
    memory_id: str
    content: str
    kind: MemoryKind
    session_id: str
    occurred_at: _timestamp_pb2.Timestamp
    tags: _containers.RepeatedScalarFieldContainer[str]
    sensitivity: Sensitivity
    importance: float
    metadata: _struct_pb2.Struct
    expires_at: _timestamp_pb2.Timestamp
    pinned: bool
    source_refs: _containers.RepeatedScalarFieldContainer[str]
    vector: Vector
    never_expires: bool
    actor: _actor_pb2.Actor
    trust_level: _actor_pb2.TrustLevel
    valid_from: _timestamp_pb2.Timestamp
    valid_until: _timestamp_pb2.Timestamp
    supersedes: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, memory_id: _Optional[str] = ..., content: _Optional[str] = ..., kind: _Optional[_Union[MemoryKind, str]] = ..., session_id: _Optional[str] = ..., occurred_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., tags: _Optional[_Iterable[str]] = ..., sensitivity: _Optional[_Union[Sensitivity, str]] = ..., importance: _Optional[float] = ..., metadata: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., pinned: _Optional[bool] = ..., source_refs: _Optional[_Iterable[str]] = ..., vector: _Optional[_Union[Vector, _Mapping]] = ..., never_expires: _Optional[bool] = ..., actor: _Optional[_Union[_actor_pb2.Actor, _Mapping]] = ..., trust_level: _Optional[_Union[_actor_pb2.TrustLevel, str]] = ..., valid_from: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., valid_until: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., supersedes: _Optional[_Iterable[str]] = ...) -> None: ...

class Memory(_message.Message):
    __slots__ = ("memory_id", "agent_id", "content", "kind", "session_id", "occurred_at", "tags", "sensitivity", "importance", "metadata", "expires_at", "pinned", "archived", "version", "source_refs", "created_at", "updated_at", "accessed_at", "access_count", "vector_model_id", "vector", "stated_count", "stale", "trust_level", "actor", "credential", "valid_from", "valid_until", "supersedes", "superseded_by", "occurrences", "omitted_occurrences")
    MEMORY_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    OCCURRED_AT_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    SENSITIVITY_FIELD_NUMBER: _ClassVar[int]
    IMPORTANCE_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    PINNED_FIELD_NUMBER: _ClassVar[int]
    ARCHIVED_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    SOURCE_REFS_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    ACCESSED_AT_FIELD_NUMBER: _ClassVar[int]
    ACCESS_COUNT_FIELD_NUMBER: _ClassVar[int]
    VECTOR_MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    VECTOR_FIELD_NUMBER: _ClassVar[int]
    STATED_COUNT_FIELD_NUMBER: _ClassVar[int]
    STALE_FIELD_NUMBER: _ClassVar[int]
    TRUST_LEVEL_FIELD_NUMBER: _ClassVar[int]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    CREDENTIAL_FIELD_NUMBER: _ClassVar[int]
    VALID_FROM_FIELD_NUMBER: _ClassVar[int]
    VALID_UNTIL_FIELD_NUMBER: _ClassVar[int]
    SUPERSEDES_FIELD_NUMBER: _ClassVar[int]
    SUPERSEDED_BY_FIELD_NUMBER: _ClassVar[int]
    OCCURRENCES_FIELD_NUMBER: _ClassVar[int]
    OMITTED_OCCURRENCES_FIELD_NUMBER: _ClassVar[int]
    memory_id: str
    agent_id: str
    content: str
    kind: MemoryKind
    session_id: str
    occurred_at: _timestamp_pb2.Timestamp
    tags: _containers.RepeatedScalarFieldContainer[str]
    sensitivity: Sensitivity
    importance: float
    metadata: _struct_pb2.Struct
    expires_at: _timestamp_pb2.Timestamp
    pinned: bool
    archived: bool
    version: int
    source_refs: _containers.RepeatedScalarFieldContainer[str]
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    accessed_at: _timestamp_pb2.Timestamp
    access_count: int
    vector_model_id: str
    vector: Vector
    stated_count: int
    stale: Staleness
    trust_level: _actor_pb2.TrustLevel
    actor: _actor_pb2.Actor
    credential: str
    valid_from: _timestamp_pb2.Timestamp
    valid_until: _timestamp_pb2.Timestamp
    supersedes: _containers.RepeatedScalarFieldContainer[str]
    superseded_by: str
    occurrences: _containers.RepeatedCompositeFieldContainer[_occurrence_pb2.Occurrence]
    omitted_occurrences: int
    def __init__(self, memory_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., content: _Optional[str] = ..., kind: _Optional[_Union[MemoryKind, str]] = ..., session_id: _Optional[str] = ..., occurred_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., tags: _Optional[_Iterable[str]] = ..., sensitivity: _Optional[_Union[Sensitivity, str]] = ..., importance: _Optional[float] = ..., metadata: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., pinned: _Optional[bool] = ..., archived: _Optional[bool] = ..., version: _Optional[int] = ..., source_refs: _Optional[_Iterable[str]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., accessed_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., access_count: _Optional[int] = ..., vector_model_id: _Optional[str] = ..., vector: _Optional[_Union[Vector, _Mapping]] = ..., stated_count: _Optional[int] = ..., stale: _Optional[_Union[Staleness, _Mapping]] = ..., trust_level: _Optional[_Union[_actor_pb2.TrustLevel, str]] = ..., actor: _Optional[_Union[_actor_pb2.Actor, _Mapping]] = ..., credential: _Optional[str] = ..., valid_from: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., valid_until: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., supersedes: _Optional[_Iterable[str]] = ..., superseded_by: _Optional[str] = ..., occurrences: _Optional[_Iterable[_Union[_occurrence_pb2.Occurrence, _Mapping]]] = ..., omitted_occurrences: _Optional[int] = ...) -> None: ...

class Staleness(_message.Message):
    __slots__ = ("source_ref", "since")
    SOURCE_REF_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    source_ref: str
    since: _timestamp_pb2.Timestamp
    def __init__(self, source_ref: _Optional[str] = ..., since: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class MemoryRevision(_message.Message):
    __slots__ = ("memory", "replaced_at")
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    REPLACED_AT_FIELD_NUMBER: _ClassVar[int]
    memory: Memory
    replaced_at: _timestamp_pb2.Timestamp
    def __init__(self, memory: _Optional[_Union[Memory, _Mapping]] = ..., replaced_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class MemoryFilter(_message.Message):
    __slots__ = ("tags_any", "tags_all", "kinds", "session_id", "occurred_from", "occurred_before", "min_importance", "max_sensitivity", "archived", "metadata", "min_trust", "document_categories", "workflow", "workflow_step", "workflow_status", "tool", "validity", "metadata_conditions")
    TAGS_ANY_FIELD_NUMBER: _ClassVar[int]
    TAGS_ALL_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    OCCURRED_FROM_FIELD_NUMBER: _ClassVar[int]
    OCCURRED_BEFORE_FIELD_NUMBER: _ClassVar[int]
    MIN_IMPORTANCE_FIELD_NUMBER: _ClassVar[int]
    MAX_SENSITIVITY_FIELD_NUMBER: _ClassVar[int]
    ARCHIVED_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    MIN_TRUST_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_CATEGORIES_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_STEP_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_STATUS_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    VALIDITY_FIELD_NUMBER: _ClassVar[int]
    METADATA_CONDITIONS_FIELD_NUMBER: _ClassVar[int]
    tags_any: _containers.RepeatedScalarFieldContainer[str]
    tags_all: _containers.RepeatedScalarFieldContainer[str]
    kinds: _containers.RepeatedScalarFieldContainer[MemoryKind]
    session_id: str
    occurred_from: _timestamp_pb2.Timestamp
    occurred_before: _timestamp_pb2.Timestamp
    min_importance: float
    max_sensitivity: Sensitivity
    archived: ArchivedFilter
    metadata: _struct_pb2.Struct
    min_trust: _actor_pb2.TrustLevel
    document_categories: _containers.RepeatedScalarFieldContainer[str]
    workflow: str
    workflow_step: str
    workflow_status: _actor_pb2.WorkflowStatus
    tool: str
    validity: _recall_pb2.ValidityFilter
    metadata_conditions: _containers.RepeatedCompositeFieldContainer[_metadata_condition_pb2.MetadataCondition]
    def __init__(self, tags_any: _Optional[_Iterable[str]] = ..., tags_all: _Optional[_Iterable[str]] = ..., kinds: _Optional[_Iterable[_Union[MemoryKind, str]]] = ..., session_id: _Optional[str] = ..., occurred_from: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., occurred_before: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., min_importance: _Optional[float] = ..., max_sensitivity: _Optional[_Union[Sensitivity, str]] = ..., archived: _Optional[_Union[ArchivedFilter, str]] = ..., metadata: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., min_trust: _Optional[_Union[_actor_pb2.TrustLevel, str]] = ..., document_categories: _Optional[_Iterable[str]] = ..., workflow: _Optional[str] = ..., workflow_step: _Optional[str] = ..., workflow_status: _Optional[_Union[_actor_pb2.WorkflowStatus, str]] = ..., tool: _Optional[str] = ..., validity: _Optional[_Union[_recall_pb2.ValidityFilter, str]] = ..., metadata_conditions: _Optional[_Iterable[_Union[_metadata_condition_pb2.MetadataCondition, _Mapping]]] = ...) -> None: ...

class ScoringProfile(_message.Message):
    __slots__ = ("name", "weights", "diversity", "space_weights")
    NAME_FIELD_NUMBER: _ClassVar[int]
    WEIGHTS_FIELD_NUMBER: _ClassVar[int]
    DIVERSITY_FIELD_NUMBER: _ClassVar[int]
    SPACE_WEIGHTS_FIELD_NUMBER: _ClassVar[int]
    name: str
    weights: ScoringWeights
    diversity: float
    space_weights: _recall_pb2.SpaceWeights
    def __init__(self, name: _Optional[str] = ..., weights: _Optional[_Union[ScoringWeights, _Mapping]] = ..., diversity: _Optional[float] = ..., space_weights: _Optional[_Union[_recall_pb2.SpaceWeights, _Mapping]] = ...) -> None: ...

class ScoringWeights(_message.Message):
    __slots__ = ("similarity", "recency", "importance", "source_priority", "half_life_hours")
    SIMILARITY_FIELD_NUMBER: _ClassVar[int]
    RECENCY_FIELD_NUMBER: _ClassVar[int]
    IMPORTANCE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_PRIORITY_FIELD_NUMBER: _ClassVar[int]
    HALF_LIFE_HOURS_FIELD_NUMBER: _ClassVar[int]
    similarity: float
    recency: float
    importance: float
    source_priority: float
    half_life_hours: float
    def __init__(self, similarity: _Optional[float] = ..., recency: _Optional[float] = ..., importance: _Optional[float] = ..., source_priority: _Optional[float] = ..., half_life_hours: _Optional[float] = ...) -> None: ...

class ArmScore(_message.Message):
    __slots__ = ("rank", "raw", "normalized")
    RANK_FIELD_NUMBER: _ClassVar[int]
    RAW_FIELD_NUMBER: _ClassVar[int]
    NORMALIZED_FIELD_NUMBER: _ClassVar[int]
    rank: int
    raw: float
    normalized: float
    def __init__(self, rank: _Optional[int] = ..., raw: _Optional[float] = ..., normalized: _Optional[float] = ...) -> None: ...

class ScoreBreakdown(_message.Message):
    __slots__ = ("dense", "lexical", "similarity", "recency", "importance", "source_priority", "age_hours", "neighbourhood", "dense_weight", "lexical_weight", "neighbour_weight", "boost", "brevity", "brevity_weight", "order_score", "coverage", "temporal", "temporal_weight", "linked", "linked_weight", "linked_from", "rerank", "rerank_weight", "context_boost", "speech", "typed", "typed_weight", "reading", "space_weight")
    DENSE_FIELD_NUMBER: _ClassVar[int]
    LEXICAL_FIELD_NUMBER: _ClassVar[int]
    SIMILARITY_FIELD_NUMBER: _ClassVar[int]
    RECENCY_FIELD_NUMBER: _ClassVar[int]
    IMPORTANCE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_PRIORITY_FIELD_NUMBER: _ClassVar[int]
    AGE_HOURS_FIELD_NUMBER: _ClassVar[int]
    NEIGHBOURHOOD_FIELD_NUMBER: _ClassVar[int]
    DENSE_WEIGHT_FIELD_NUMBER: _ClassVar[int]
    LEXICAL_WEIGHT_FIELD_NUMBER: _ClassVar[int]
    NEIGHBOUR_WEIGHT_FIELD_NUMBER: _ClassVar[int]
    BOOST_FIELD_NUMBER: _ClassVar[int]
    BREVITY_FIELD_NUMBER: _ClassVar[int]
    BREVITY_WEIGHT_FIELD_NUMBER: _ClassVar[int]
    ORDER_SCORE_FIELD_NUMBER: _ClassVar[int]
    COVERAGE_FIELD_NUMBER: _ClassVar[int]
    TEMPORAL_FIELD_NUMBER: _ClassVar[int]
    TEMPORAL_WEIGHT_FIELD_NUMBER: _ClassVar[int]
    LINKED_FIELD_NUMBER: _ClassVar[int]
    LINKED_WEIGHT_FIELD_NUMBER: _ClassVar[int]
    LINKED_FROM_FIELD_NUMBER: _ClassVar[int]
    RERANK_FIELD_NUMBER: _ClassVar[int]
    RERANK_WEIGHT_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_BOOST_FIELD_NUMBER: _ClassVar[int]
    SPEECH_FIELD_NUMBER: _ClassVar[int]
    TYPED_FIELD_NUMBER: _ClassVar[int]
    TYPED_WEIGHT_FIELD_NUMBER: _ClassVar[int]
    READING_FIELD_NUMBER: _ClassVar[int]
    SPACE_WEIGHT_FIELD_NUMBER: _ClassVar[int]
    dense: ArmScore
    lexical: ArmScore
    similarity: float
    recency: float
    importance: float
    source_priority: float
    age_hours: float
    neighbourhood: float
    dense_weight: float
    lexical_weight: float
    neighbour_weight: float
    boost: float
    brevity: float
    brevity_weight: float
    order_score: float
    coverage: float
    temporal: float
    temporal_weight: float
    linked: float
    linked_weight: float
    linked_from: str
    rerank: float
    rerank_weight: float
    context_boost: float
    speech: _recall_pb2.SpeechScore
    typed: float
    typed_weight: float
    reading: str
    space_weight: float
    def __init__(self, dense: _Optional[_Union[ArmScore, _Mapping]] = ..., lexical: _Optional[_Union[ArmScore, _Mapping]] = ..., similarity: _Optional[float] = ..., recency: _Optional[float] = ..., importance: _Optional[float] = ..., source_priority: _Optional[float] = ..., age_hours: _Optional[float] = ..., neighbourhood: _Optional[float] = ..., dense_weight: _Optional[float] = ..., lexical_weight: _Optional[float] = ..., neighbour_weight: _Optional[float] = ..., boost: _Optional[float] = ..., brevity: _Optional[float] = ..., brevity_weight: _Optional[float] = ..., order_score: _Optional[float] = ..., coverage: _Optional[float] = ..., temporal: _Optional[float] = ..., temporal_weight: _Optional[float] = ..., linked: _Optional[float] = ..., linked_weight: _Optional[float] = ..., linked_from: _Optional[str] = ..., rerank: _Optional[float] = ..., rerank_weight: _Optional[float] = ..., context_boost: _Optional[float] = ..., speech: _Optional[_Union[_recall_pb2.SpeechScore, _Mapping]] = ..., typed: _Optional[float] = ..., typed_weight: _Optional[float] = ..., reading: _Optional[str] = ..., space_weight: _Optional[float] = ...) -> None: ...

class Chunk(_message.Message):
    __slots__ = ("chunk_id", "agent_id", "source", "origin_id", "place", "text", "session_id", "occurred_at", "event_kind", "actor", "channel", "tags", "sensitivity", "importance", "source_refs", "vector_model_id", "citation", "trust_level")
    CHUNK_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    ORIGIN_ID_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    OCCURRED_AT_FIELD_NUMBER: _ClassVar[int]
    EVENT_KIND_FIELD_NUMBER: _ClassVar[int]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    SENSITIVITY_FIELD_NUMBER: _ClassVar[int]
    IMPORTANCE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_REFS_FIELD_NUMBER: _ClassVar[int]
    VECTOR_MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    CITATION_FIELD_NUMBER: _ClassVar[int]
    TRUST_LEVEL_FIELD_NUMBER: _ClassVar[int]
    chunk_id: str
    agent_id: str
    source: Source
    origin_id: str
    place: int
    text: str
    session_id: str
    occurred_at: _timestamp_pb2.Timestamp
    event_kind: _actor_pb2.EventKind
    actor: _actor_pb2.Actor
    channel: _channel_pb2.Channel
    tags: _containers.RepeatedScalarFieldContainer[str]
    sensitivity: Sensitivity
    importance: float
    source_refs: _containers.RepeatedScalarFieldContainer[str]
    vector_model_id: str
    citation: _citation_pb2.DocumentCitation
    trust_level: _actor_pb2.TrustLevel
    def __init__(self, chunk_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., source: _Optional[_Union[Source, str]] = ..., origin_id: _Optional[str] = ..., place: _Optional[int] = ..., text: _Optional[str] = ..., session_id: _Optional[str] = ..., occurred_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., event_kind: _Optional[_Union[_actor_pb2.EventKind, str]] = ..., actor: _Optional[_Union[_actor_pb2.Actor, _Mapping]] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ..., tags: _Optional[_Iterable[str]] = ..., sensitivity: _Optional[_Union[Sensitivity, str]] = ..., importance: _Optional[float] = ..., source_refs: _Optional[_Iterable[str]] = ..., vector_model_id: _Optional[str] = ..., citation: _Optional[_Union[_citation_pb2.DocumentCitation, _Mapping]] = ..., trust_level: _Optional[_Union[_actor_pb2.TrustLevel, str]] = ...) -> None: ...

class RecallHit(_message.Message):
    __slots__ = ("memory", "chunk", "source", "score", "breakdown", "equal_refs", "is_spooled", "history")
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    BREAKDOWN_FIELD_NUMBER: _ClassVar[int]
    EQUAL_REFS_FIELD_NUMBER: _ClassVar[int]
    IS_SPOOLED_FIELD_NUMBER: _ClassVar[int]
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    memory: Memory
    chunk: Chunk
    source: Source
    score: float
    breakdown: ScoreBreakdown
    equal_refs: _containers.RepeatedScalarFieldContainer[str]
    is_spooled: bool
    history: _containers.RepeatedCompositeFieldContainer[Memory]
    def __init__(self, memory: _Optional[_Union[Memory, _Mapping]] = ..., chunk: _Optional[_Union[Chunk, _Mapping]] = ..., source: _Optional[_Union[Source, str]] = ..., score: _Optional[float] = ..., breakdown: _Optional[_Union[ScoreBreakdown, _Mapping]] = ..., equal_refs: _Optional[_Iterable[str]] = ..., is_spooled: _Optional[bool] = ..., history: _Optional[_Iterable[_Union[Memory, _Mapping]]] = ...) -> None: ...

class Redaction(_message.Message):
    __slots__ = ("field", "kind", "offset")
    FIELD_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    field: str
    kind: str
    offset: int
    def __init__(self, field: _Optional[str] = ..., kind: _Optional[str] = ..., offset: _Optional[int] = ...) -> None: ...

class ForgetReceipt(_message.Message):
    __slots__ = ("receipt_id", "memory_ids", "stores", "forgotten_at", "blocked_values", "records", "scopes", "remains", "plan_token", "unblocked_values", "found_nothing", "excerpts", "matches")
    RECEIPT_ID_FIELD_NUMBER: _ClassVar[int]
    MEMORY_IDS_FIELD_NUMBER: _ClassVar[int]
    STORES_FIELD_NUMBER: _ClassVar[int]
    FORGOTTEN_AT_FIELD_NUMBER: _ClassVar[int]
    BLOCKED_VALUES_FIELD_NUMBER: _ClassVar[int]
    RECORDS_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    REMAINS_FIELD_NUMBER: _ClassVar[int]
    PLAN_TOKEN_FIELD_NUMBER: _ClassVar[int]
    UNBLOCKED_VALUES_FIELD_NUMBER: _ClassVar[int]
    FOUND_NOTHING_FIELD_NUMBER: _ClassVar[int]
    EXCERPTS_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    receipt_id: str
    memory_ids: _containers.RepeatedScalarFieldContainer[str]
    stores: _containers.RepeatedCompositeFieldContainer[StoreCount]
    forgotten_at: _timestamp_pb2.Timestamp
    blocked_values: int
    records: _forgetting_pb2.RecordIds
    scopes: int
    remains: _containers.RepeatedCompositeFieldContainer[_forgetting_pb2.Remainder]
    plan_token: str
    unblocked_values: int
    found_nothing: bool
    excerpts: _containers.RepeatedCompositeFieldContainer[_forgetting_pb2.StoreExcerpts]
    matches: _containers.RepeatedCompositeFieldContainer[_forgetting_pb2.ValueMatch]
    def __init__(self, receipt_id: _Optional[str] = ..., memory_ids: _Optional[_Iterable[str]] = ..., stores: _Optional[_Iterable[_Union[StoreCount, _Mapping]]] = ..., forgotten_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., blocked_values: _Optional[int] = ..., records: _Optional[_Union[_forgetting_pb2.RecordIds, _Mapping]] = ..., scopes: _Optional[int] = ..., remains: _Optional[_Iterable[_Union[_forgetting_pb2.Remainder, _Mapping]]] = ..., plan_token: _Optional[str] = ..., unblocked_values: _Optional[int] = ..., found_nothing: _Optional[bool] = ..., excerpts: _Optional[_Iterable[_Union[_forgetting_pb2.StoreExcerpts, _Mapping]]] = ..., matches: _Optional[_Iterable[_Union[_forgetting_pb2.ValueMatch, _Mapping]]] = ...) -> None: ...

class StoreCount(_message.Message):
    __slots__ = ("store", "rows")
    STORE_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    store: str
    rows: int
    def __init__(self, store: _Optional[str] = ..., rows: _Optional[int] = ...) -> None: ...

class MemoryChange(_message.Message):
    __slots__ = ("resume_token", "revision", "changed", "forgotten_memory_id", "checkpoint", "agent_id")
    RESUME_TOKEN_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    CHANGED_FIELD_NUMBER: _ClassVar[int]
    FORGOTTEN_MEMORY_ID_FIELD_NUMBER: _ClassVar[int]
    CHECKPOINT_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    resume_token: str
    revision: _consistency_pb2.Revision
    changed: Memory
    forgotten_memory_id: str
    checkpoint: Checkpoint
    agent_id: str
    def __init__(self, resume_token: _Optional[str] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., changed: _Optional[_Union[Memory, _Mapping]] = ..., forgotten_memory_id: _Optional[str] = ..., checkpoint: _Optional[_Union[Checkpoint, _Mapping]] = ..., agent_id: _Optional[str] = ...) -> None: ...

class Checkpoint(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
