import datetime

from camillo.v1 import channel_pb2 as _channel_pb2
from camillo.v1 import consistency_pb2 as _consistency_pb2
from camillo.v1 import forgetting_pb2 as _forgetting_pb2
from camillo.v1 import memory_pb2 as _memory_pb2
from camillo.v1 import options_pb2 as _options_pb2
from camillo.v1 import recall_pb2 as _recall_pb2
from camillo.v1 import supersession_pb2 as _supersession_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.rpc import status_pb2 as _status_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ConflictPolicy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CONFLICT_POLICY_UNSPECIFIED: _ClassVar[ConflictPolicy]
    CONFLICT_POLICY_SKIP: _ClassVar[ConflictPolicy]
    CONFLICT_POLICY_REPLACE: _ClassVar[ConflictPolicy]
CONFLICT_POLICY_UNSPECIFIED: ConflictPolicy
CONFLICT_POLICY_SKIP: ConflictPolicy
CONFLICT_POLICY_REPLACE: ConflictPolicy

class RememberRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "memory", "omit_forgotten")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    OMIT_FORGOTTEN_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    memory: _memory_pb2.NewMemory
    omit_forgotten: bool
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., memory: _Optional[_Union[_memory_pb2.NewMemory, _Mapping]] = ..., omit_forgotten: _Optional[bool] = ...) -> None: ...

class RememberResponse(_message.Message):
    __slots__ = ("memory", "revision", "redactions", "omitted", "durability", "spool_id")
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    REDACTIONS_FIELD_NUMBER: _ClassVar[int]
    OMITTED_FIELD_NUMBER: _ClassVar[int]
    DURABILITY_FIELD_NUMBER: _ClassVar[int]
    SPOOL_ID_FIELD_NUMBER: _ClassVar[int]
    memory: _memory_pb2.Memory
    revision: _consistency_pb2.Revision
    redactions: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Redaction]
    omitted: _containers.RepeatedCompositeFieldContainer[_forgetting_pb2.OmittedText]
    durability: _consistency_pb2.Durability
    spool_id: str
    def __init__(self, memory: _Optional[_Union[_memory_pb2.Memory, _Mapping]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., redactions: _Optional[_Iterable[_Union[_memory_pb2.Redaction, _Mapping]]] = ..., omitted: _Optional[_Iterable[_Union[_forgetting_pb2.OmittedText, _Mapping]]] = ..., durability: _Optional[_Union[_consistency_pb2.Durability, str]] = ..., spool_id: _Optional[str] = ...) -> None: ...

class BatchRememberRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "memories", "omit_forgotten")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    MEMORIES_FIELD_NUMBER: _ClassVar[int]
    OMIT_FORGOTTEN_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    memories: _containers.RepeatedCompositeFieldContainer[_memory_pb2.NewMemory]
    omit_forgotten: bool
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., memories: _Optional[_Iterable[_Union[_memory_pb2.NewMemory, _Mapping]]] = ..., omit_forgotten: _Optional[bool] = ...) -> None: ...

class BatchRememberResponse(_message.Message):
    __slots__ = ("results", "revision")
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[BatchRememberResult]
    revision: _consistency_pb2.Revision
    def __init__(self, results: _Optional[_Iterable[_Union[BatchRememberResult, _Mapping]]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...

class BatchRememberResult(_message.Message):
    __slots__ = ("memory", "error", "redactions", "omitted")
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    REDACTIONS_FIELD_NUMBER: _ClassVar[int]
    OMITTED_FIELD_NUMBER: _ClassVar[int]
    memory: _memory_pb2.Memory
    error: _status_pb2.Status
    redactions: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Redaction]
    omitted: _containers.RepeatedCompositeFieldContainer[_forgetting_pb2.OmittedText]
    def __init__(self, memory: _Optional[_Union[_memory_pb2.Memory, _Mapping]] = ..., error: _Optional[_Union[_status_pb2.Status, _Mapping]] = ..., redactions: _Optional[_Iterable[_Union[_memory_pb2.Redaction, _Mapping]]] = ..., omitted: _Optional[_Iterable[_Union[_forgetting_pb2.OmittedText, _Mapping]]] = ...) -> None: ...

class ImportMemoriesRequest(_message.Message):
    __slots__ = ("agent_id", "on_conflict", "memories")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    ON_CONFLICT_FIELD_NUMBER: _ClassVar[int]
    MEMORIES_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    on_conflict: ConflictPolicy
    memories: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Memory]
    def __init__(self, agent_id: _Optional[str] = ..., on_conflict: _Optional[_Union[ConflictPolicy, str]] = ..., memories: _Optional[_Iterable[_Union[_memory_pb2.Memory, _Mapping]]] = ...) -> None: ...

class ImportMemoriesResponse(_message.Message):
    __slots__ = ("imported", "skipped", "failed", "failures", "revision", "redactions", "merged")
    class RedactionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: int
        def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
    IMPORTED_FIELD_NUMBER: _ClassVar[int]
    SKIPPED_FIELD_NUMBER: _ClassVar[int]
    FAILED_FIELD_NUMBER: _ClassVar[int]
    FAILURES_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    REDACTIONS_FIELD_NUMBER: _ClassVar[int]
    MERGED_FIELD_NUMBER: _ClassVar[int]
    imported: int
    skipped: int
    failed: int
    failures: _containers.RepeatedCompositeFieldContainer[ImportFailure]
    revision: _consistency_pb2.Revision
    redactions: _containers.ScalarMap[str, int]
    merged: int
    def __init__(self, imported: _Optional[int] = ..., skipped: _Optional[int] = ..., failed: _Optional[int] = ..., failures: _Optional[_Iterable[_Union[ImportFailure, _Mapping]]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., redactions: _Optional[_Mapping[str, int]] = ..., merged: _Optional[int] = ...) -> None: ...

class ImportFailure(_message.Message):
    __slots__ = ("index", "error")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    index: int
    error: _status_pb2.Status
    def __init__(self, index: _Optional[int] = ..., error: _Optional[_Union[_status_pb2.Status, _Mapping]] = ...) -> None: ...

class RecallRequest(_message.Message):
    __slots__ = ("agent_id", "text", "vector", "sources", "filter", "limit", "profile", "min_score", "max_tokens", "freshness", "explain", "channel", "masked", "include_shared", "shared_freshness", "as_of", "query_time", "time_mode", "link_mode", "rerank", "mode", "context", "speech_mode", "known_at", "time_zone", "spaces")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    VECTOR_FIELD_NUMBER: _ClassVar[int]
    SOURCES_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    MIN_SCORE_FIELD_NUMBER: _ClassVar[int]
    MAX_TOKENS_FIELD_NUMBER: _ClassVar[int]
    FRESHNESS_FIELD_NUMBER: _ClassVar[int]
    EXPLAIN_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    MASKED_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_SHARED_FIELD_NUMBER: _ClassVar[int]
    SHARED_FRESHNESS_FIELD_NUMBER: _ClassVar[int]
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    QUERY_TIME_FIELD_NUMBER: _ClassVar[int]
    TIME_MODE_FIELD_NUMBER: _ClassVar[int]
    LINK_MODE_FIELD_NUMBER: _ClassVar[int]
    RERANK_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_FIELD_NUMBER: _ClassVar[int]
    SPEECH_MODE_FIELD_NUMBER: _ClassVar[int]
    KNOWN_AT_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    SPACES_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    text: str
    vector: _memory_pb2.Vector
    sources: _containers.RepeatedScalarFieldContainer[_memory_pb2.Source]
    filter: _memory_pb2.MemoryFilter
    limit: int
    profile: _memory_pb2.ScoringProfile
    min_score: float
    max_tokens: int
    freshness: _consistency_pb2.Freshness
    explain: bool
    channel: _channel_pb2.Channel
    masked: bool
    include_shared: bool
    shared_freshness: _consistency_pb2.Freshness
    as_of: _timestamp_pb2.Timestamp
    query_time: _timestamp_pb2.Timestamp
    time_mode: _recall_pb2.TimeMode
    link_mode: _recall_pb2.LinkMode
    rerank: _recall_pb2.Rerank
    mode: _recall_pb2.RecallMode
    context: _recall_pb2.RecallContext
    speech_mode: _recall_pb2.SpeechMode
    known_at: _timestamp_pb2.Timestamp
    time_zone: str
    spaces: _containers.RepeatedCompositeFieldContainer[_consistency_pb2.SpaceRead]
    def __init__(self, agent_id: _Optional[str] = ..., text: _Optional[str] = ..., vector: _Optional[_Union[_memory_pb2.Vector, _Mapping]] = ..., sources: _Optional[_Iterable[_Union[_memory_pb2.Source, str]]] = ..., filter: _Optional[_Union[_memory_pb2.MemoryFilter, _Mapping]] = ..., limit: _Optional[int] = ..., profile: _Optional[_Union[_memory_pb2.ScoringProfile, _Mapping]] = ..., min_score: _Optional[float] = ..., max_tokens: _Optional[int] = ..., freshness: _Optional[_Union[_consistency_pb2.Freshness, _Mapping]] = ..., explain: _Optional[bool] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ..., masked: _Optional[bool] = ..., include_shared: _Optional[bool] = ..., shared_freshness: _Optional[_Union[_consistency_pb2.Freshness, _Mapping]] = ..., as_of: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., query_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., time_mode: _Optional[_Union[_recall_pb2.TimeMode, str]] = ..., link_mode: _Optional[_Union[_recall_pb2.LinkMode, str]] = ..., rerank: _Optional[_Union[_recall_pb2.Rerank, _Mapping]] = ..., mode: _Optional[_Union[_recall_pb2.RecallMode, str]] = ..., context: _Optional[_Union[_recall_pb2.RecallContext, _Mapping]] = ..., speech_mode: _Optional[_Union[_recall_pb2.SpeechMode, str]] = ..., known_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., time_zone: _Optional[str] = ..., spaces: _Optional[_Iterable[_Union[_consistency_pb2.SpaceRead, _Mapping]]] = ...) -> None: ...

class RecallResponse(_message.Message):
    __slots__ = ("hits", "revision", "degraded", "answered_by", "model_id", "tokens", "no_match", "left_out", "shared_revision", "source_bests", "time_window", "beside_the_point", "spaces")
    HITS_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    DEGRADED_FIELD_NUMBER: _ClassVar[int]
    ANSWERED_BY_FIELD_NUMBER: _ClassVar[int]
    MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    NO_MATCH_FIELD_NUMBER: _ClassVar[int]
    LEFT_OUT_FIELD_NUMBER: _ClassVar[int]
    SHARED_REVISION_FIELD_NUMBER: _ClassVar[int]
    SOURCE_BESTS_FIELD_NUMBER: _ClassVar[int]
    TIME_WINDOW_FIELD_NUMBER: _ClassVar[int]
    BESIDE_THE_POINT_FIELD_NUMBER: _ClassVar[int]
    SPACES_FIELD_NUMBER: _ClassVar[int]
    hits: _containers.RepeatedCompositeFieldContainer[_memory_pb2.RecallHit]
    revision: _consistency_pb2.Revision
    degraded: _containers.RepeatedScalarFieldContainer[_memory_pb2.DegradedReason]
    answered_by: _memory_pb2.AnsweredBy
    model_id: str
    tokens: int
    no_match: bool
    left_out: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Memory]
    shared_revision: _consistency_pb2.Revision
    source_bests: _containers.RepeatedCompositeFieldContainer[_memory_pb2.RecallHit]
    time_window: _recall_pb2.TimeWindow
    beside_the_point: int
    spaces: _containers.RepeatedCompositeFieldContainer[_consistency_pb2.SpaceRevision]
    def __init__(self, hits: _Optional[_Iterable[_Union[_memory_pb2.RecallHit, _Mapping]]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., degraded: _Optional[_Iterable[_Union[_memory_pb2.DegradedReason, str]]] = ..., answered_by: _Optional[_Union[_memory_pb2.AnsweredBy, str]] = ..., model_id: _Optional[str] = ..., tokens: _Optional[int] = ..., no_match: _Optional[bool] = ..., left_out: _Optional[_Iterable[_Union[_memory_pb2.Memory, _Mapping]]] = ..., shared_revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., source_bests: _Optional[_Iterable[_Union[_memory_pb2.RecallHit, _Mapping]]] = ..., time_window: _Optional[_Union[_recall_pb2.TimeWindow, _Mapping]] = ..., beside_the_point: _Optional[int] = ..., spaces: _Optional[_Iterable[_Union[_consistency_pb2.SpaceRevision, _Mapping]]] = ...) -> None: ...

class BatchRecallRequest(_message.Message):
    __slots__ = ("requests",)
    REQUESTS_FIELD_NUMBER: _ClassVar[int]
    requests: _containers.RepeatedCompositeFieldContainer[RecallRequest]
    def __init__(self, requests: _Optional[_Iterable[_Union[RecallRequest, _Mapping]]] = ...) -> None: ...

class BatchRecallResponse(_message.Message):
    __slots__ = ("results",)
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[BatchRecallResult]
    def __init__(self, results: _Optional[_Iterable[_Union[BatchRecallResult, _Mapping]]] = ...) -> None: ...

class BatchRecallResult(_message.Message):
    __slots__ = ("response", "error")
    RESPONSE_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    response: RecallResponse
    error: _status_pb2.Status
    def __init__(self, response: _Optional[_Union[RecallResponse, _Mapping]] = ..., error: _Optional[_Union[_status_pb2.Status, _Mapping]] = ...) -> None: ...

class GetMemoryRequest(_message.Message):
    __slots__ = ("agent_id", "memory_id", "freshness", "include_vector")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    MEMORY_ID_FIELD_NUMBER: _ClassVar[int]
    FRESHNESS_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_VECTOR_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    memory_id: str
    freshness: _consistency_pb2.Freshness
    include_vector: bool
    def __init__(self, agent_id: _Optional[str] = ..., memory_id: _Optional[str] = ..., freshness: _Optional[_Union[_consistency_pb2.Freshness, _Mapping]] = ..., include_vector: _Optional[bool] = ...) -> None: ...

class GetMemoryResponse(_message.Message):
    __slots__ = ("memory", "revision")
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    memory: _memory_pb2.Memory
    revision: _consistency_pb2.Revision
    def __init__(self, memory: _Optional[_Union[_memory_pb2.Memory, _Mapping]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...

class ListMemoriesRequest(_message.Message):
    __slots__ = ("agent_id", "filter", "page_size", "page_token", "freshness", "spaces")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    FRESHNESS_FIELD_NUMBER: _ClassVar[int]
    SPACES_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    filter: _memory_pb2.MemoryFilter
    page_size: int
    page_token: str
    freshness: _consistency_pb2.Freshness
    spaces: _containers.RepeatedCompositeFieldContainer[_consistency_pb2.SpaceRead]
    def __init__(self, agent_id: _Optional[str] = ..., filter: _Optional[_Union[_memory_pb2.MemoryFilter, _Mapping]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., freshness: _Optional[_Union[_consistency_pb2.Freshness, _Mapping]] = ..., spaces: _Optional[_Iterable[_Union[_consistency_pb2.SpaceRead, _Mapping]]] = ...) -> None: ...

class ListMemoriesResponse(_message.Message):
    __slots__ = ("memories", "next_page_token", "revision", "spaces")
    MEMORIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    SPACES_FIELD_NUMBER: _ClassVar[int]
    memories: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Memory]
    next_page_token: str
    revision: _consistency_pb2.Revision
    spaces: _containers.RepeatedCompositeFieldContainer[_consistency_pb2.SpaceRevision]
    def __init__(self, memories: _Optional[_Iterable[_Union[_memory_pb2.Memory, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., spaces: _Optional[_Iterable[_Union[_consistency_pb2.SpaceRevision, _Mapping]]] = ...) -> None: ...

class UpdateMemoryRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "memory_id", "expected_version", "update_mask", "memory", "omit_forgotten")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    MEMORY_ID_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    OMIT_FORGOTTEN_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    memory_id: str
    expected_version: int
    update_mask: _field_mask_pb2.FieldMask
    memory: _memory_pb2.Memory
    omit_forgotten: bool
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., memory_id: _Optional[str] = ..., expected_version: _Optional[int] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ..., memory: _Optional[_Union[_memory_pb2.Memory, _Mapping]] = ..., omit_forgotten: _Optional[bool] = ...) -> None: ...

class UpdateMemoryResponse(_message.Message):
    __slots__ = ("memory", "revision", "redactions", "omitted")
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    REDACTIONS_FIELD_NUMBER: _ClassVar[int]
    OMITTED_FIELD_NUMBER: _ClassVar[int]
    memory: _memory_pb2.Memory
    revision: _consistency_pb2.Revision
    redactions: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Redaction]
    omitted: _containers.RepeatedCompositeFieldContainer[_forgetting_pb2.OmittedText]
    def __init__(self, memory: _Optional[_Union[_memory_pb2.Memory, _Mapping]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., redactions: _Optional[_Iterable[_Union[_memory_pb2.Redaction, _Mapping]]] = ..., omitted: _Optional[_Iterable[_Union[_forgetting_pb2.OmittedText, _Mapping]]] = ...) -> None: ...

class MemoryIds(_message.Message):
    __slots__ = ("ids",)
    IDS_FIELD_NUMBER: _ClassVar[int]
    ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, ids: _Optional[_Iterable[str]] = ...) -> None: ...

class ForgetMemoriesRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "memory_ids", "filter", "dry_run", "allow_restating", "include_events", "plan_token")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    MEMORY_IDS_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    ALLOW_RESTATING_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_EVENTS_FIELD_NUMBER: _ClassVar[int]
    PLAN_TOKEN_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    memory_ids: MemoryIds
    filter: _memory_pb2.MemoryFilter
    dry_run: bool
    allow_restating: bool
    include_events: bool
    plan_token: str
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., memory_ids: _Optional[_Union[MemoryIds, _Mapping]] = ..., filter: _Optional[_Union[_memory_pb2.MemoryFilter, _Mapping]] = ..., dry_run: _Optional[bool] = ..., allow_restating: _Optional[bool] = ..., include_events: _Optional[bool] = ..., plan_token: _Optional[str] = ...) -> None: ...

class ForgetMemoriesResponse(_message.Message):
    __slots__ = ("forgotten", "receipt", "revision", "plan_token")
    FORGOTTEN_FIELD_NUMBER: _ClassVar[int]
    RECEIPT_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    PLAN_TOKEN_FIELD_NUMBER: _ClassVar[int]
    forgotten: int
    receipt: _memory_pb2.ForgetReceipt
    revision: _consistency_pb2.Revision
    plan_token: str
    def __init__(self, forgotten: _Optional[int] = ..., receipt: _Optional[_Union[_memory_pb2.ForgetReceipt, _Mapping]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., plan_token: _Optional[str] = ...) -> None: ...

class RestoreMemoriesRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "memory_ids")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    MEMORY_IDS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    memory_ids: MemoryIds
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., memory_ids: _Optional[_Union[MemoryIds, _Mapping]] = ...) -> None: ...

class RestoreMemoriesResponse(_message.Message):
    __slots__ = ("restored", "revision")
    RESTORED_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    restored: int
    revision: _consistency_pb2.Revision
    def __init__(self, restored: _Optional[int] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...

class ListMemoryRevisionsRequest(_message.Message):
    __slots__ = ("agent_id", "memory_id", "page_size", "page_token")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    MEMORY_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    memory_id: str
    page_size: int
    page_token: str
    def __init__(self, agent_id: _Optional[str] = ..., memory_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListMemoryRevisionsResponse(_message.Message):
    __slots__ = ("revisions", "next_page_token")
    REVISIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    revisions: _containers.RepeatedCompositeFieldContainer[_memory_pb2.MemoryRevision]
    next_page_token: str
    def __init__(self, revisions: _Optional[_Iterable[_Union[_memory_pb2.MemoryRevision, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class WatchMemoriesRequest(_message.Message):
    __slots__ = ("agent_id", "resume_token", "after_revision", "from_beginning", "spaces")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    RESUME_TOKEN_FIELD_NUMBER: _ClassVar[int]
    AFTER_REVISION_FIELD_NUMBER: _ClassVar[int]
    FROM_BEGINNING_FIELD_NUMBER: _ClassVar[int]
    SPACES_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    resume_token: str
    after_revision: _consistency_pb2.Revision
    from_beginning: bool
    spaces: _containers.RepeatedCompositeFieldContainer[_consistency_pb2.SpaceRevision]
    def __init__(self, agent_id: _Optional[str] = ..., resume_token: _Optional[str] = ..., after_revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., from_beginning: _Optional[bool] = ..., spaces: _Optional[_Iterable[_Union[_consistency_pb2.SpaceRevision, _Mapping]]] = ...) -> None: ...

class WatchMemoriesResponse(_message.Message):
    __slots__ = ("change",)
    CHANGE_FIELD_NUMBER: _ClassVar[int]
    change: _memory_pb2.MemoryChange
    def __init__(self, change: _Optional[_Union[_memory_pb2.MemoryChange, _Mapping]] = ...) -> None: ...

class ExportMemoriesRequest(_message.Message):
    __slots__ = ("agent_id", "filter", "include_vectors", "page_token")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_VECTORS_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    filter: _memory_pb2.MemoryFilter
    include_vectors: bool
    page_token: str
    def __init__(self, agent_id: _Optional[str] = ..., filter: _Optional[_Union[_memory_pb2.MemoryFilter, _Mapping]] = ..., include_vectors: _Optional[bool] = ..., page_token: _Optional[str] = ...) -> None: ...

class ExportMemoriesResponse(_message.Message):
    __slots__ = ("memories", "revision", "next_page_token")
    MEMORIES_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    memories: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Memory]
    revision: _consistency_pb2.Revision
    next_page_token: str
    def __init__(self, memories: _Optional[_Iterable[_Union[_memory_pb2.Memory, _Mapping]]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., next_page_token: _Optional[str] = ...) -> None: ...
