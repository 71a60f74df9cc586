import datetime

from camillo.v1 import consistency_pb2 as _consistency_pb2
from camillo.v1 import forgetting_pb2 as _forgetting_pb2
from camillo.v1 import lifecycle_pb2 as _lifecycle_pb2
from camillo.v1 import memory_pb2 as _memory_pb2
from camillo.v1 import options_pb2 as _options_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RunMaintenanceRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "dry_run", "plan_token")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    PLAN_TOKEN_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    dry_run: bool
    plan_token: str
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., dry_run: _Optional[bool] = ..., plan_token: _Optional[str] = ...) -> None: ...

class RunMaintenanceResponse(_message.Message):
    __slots__ = ("revision",)
    PASS_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    revision: _consistency_pb2.Revision
    def __init__(self, revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., **kwargs) -> None: ...

class LifecycleSelector(_message.Message):
    __slots__ = ("memory_ids", "unused_since", "created_before", "tags_any", "tags_all", "kinds", "max_access_count", "importance_below", "archived")
    MEMORY_IDS_FIELD_NUMBER: _ClassVar[int]
    UNUSED_SINCE_FIELD_NUMBER: _ClassVar[int]
    CREATED_BEFORE_FIELD_NUMBER: _ClassVar[int]
    TAGS_ANY_FIELD_NUMBER: _ClassVar[int]
    TAGS_ALL_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    MAX_ACCESS_COUNT_FIELD_NUMBER: _ClassVar[int]
    IMPORTANCE_BELOW_FIELD_NUMBER: _ClassVar[int]
    ARCHIVED_FIELD_NUMBER: _ClassVar[int]
    memory_ids: _containers.RepeatedScalarFieldContainer[str]
    unused_since: _timestamp_pb2.Timestamp
    created_before: _timestamp_pb2.Timestamp
    tags_any: _containers.RepeatedScalarFieldContainer[str]
    tags_all: _containers.RepeatedScalarFieldContainer[str]
    kinds: _containers.RepeatedScalarFieldContainer[_memory_pb2.MemoryKind]
    max_access_count: int
    importance_below: float
    archived: _memory_pb2.ArchivedFilter
    def __init__(self, memory_ids: _Optional[_Iterable[str]] = ..., unused_since: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., created_before: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., tags_any: _Optional[_Iterable[str]] = ..., tags_all: _Optional[_Iterable[str]] = ..., kinds: _Optional[_Iterable[_Union[_memory_pb2.MemoryKind, str]]] = ..., max_access_count: _Optional[int] = ..., importance_below: _Optional[float] = ..., archived: _Optional[_Union[_memory_pb2.ArchivedFilter, str]] = ...) -> None: ...

class PruneRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "selector", "dry_run", "plan_token")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    SELECTOR_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    PLAN_TOKEN_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    selector: LifecycleSelector
    dry_run: bool
    plan_token: str
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., selector: _Optional[_Union[LifecycleSelector, _Mapping]] = ..., dry_run: _Optional[bool] = ..., plan_token: _Optional[str] = ...) -> None: ...

class PruneResponse(_message.Message):
    __slots__ = ("revision",)
    PASS_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    revision: _consistency_pb2.Revision
    def __init__(self, revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., **kwargs) -> None: ...

class ArchiveRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "selector", "dry_run", "plan_token")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    SELECTOR_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    PLAN_TOKEN_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    selector: LifecycleSelector
    dry_run: bool
    plan_token: str
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., selector: _Optional[_Union[LifecycleSelector, _Mapping]] = ..., dry_run: _Optional[bool] = ..., plan_token: _Optional[str] = ...) -> None: ...

class ArchiveResponse(_message.Message):
    __slots__ = ("revision",)
    PASS_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    revision: _consistency_pb2.Revision
    def __init__(self, revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., **kwargs) -> None: ...

class ResetRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "confirm", "dry_run")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    CONFIRM_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    confirm: str
    dry_run: bool
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., confirm: _Optional[str] = ..., dry_run: _Optional[bool] = ...) -> None: ...

class ResetResponse(_message.Message):
    __slots__ = ("receipt", "revision")
    RECEIPT_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    receipt: _lifecycle_pb2.Receipt
    revision: _consistency_pb2.Revision
    def __init__(self, receipt: _Optional[_Union[_lifecycle_pb2.Receipt, _Mapping]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...

class ForgetRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "records", "value", "dry_run", "allow_restating", "include_events", "all_scopes", "plan_token", "excerpts", "aliases", "include_linked", "mode", "include_merged")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    RECORDS_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    ALLOW_RESTATING_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_EVENTS_FIELD_NUMBER: _ClassVar[int]
    ALL_SCOPES_FIELD_NUMBER: _ClassVar[int]
    PLAN_TOKEN_FIELD_NUMBER: _ClassVar[int]
    EXCERPTS_FIELD_NUMBER: _ClassVar[int]
    ALIASES_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_LINKED_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_MERGED_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    records: _forgetting_pb2.RecordIds
    value: str
    dry_run: bool
    allow_restating: bool
    include_events: bool
    all_scopes: bool
    plan_token: str
    excerpts: _forgetting_pb2.ExcerptOptions
    aliases: _containers.RepeatedScalarFieldContainer[str]
    include_linked: bool
    mode: _forgetting_pb2.ForgetMode
    include_merged: bool
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., records: _Optional[_Union[_forgetting_pb2.RecordIds, _Mapping]] = ..., value: _Optional[str] = ..., dry_run: _Optional[bool] = ..., allow_restating: _Optional[bool] = ..., include_events: _Optional[bool] = ..., all_scopes: _Optional[bool] = ..., plan_token: _Optional[str] = ..., excerpts: _Optional[_Union[_forgetting_pb2.ExcerptOptions, _Mapping]] = ..., aliases: _Optional[_Iterable[str]] = ..., include_linked: _Optional[bool] = ..., mode: _Optional[_Union[_forgetting_pb2.ForgetMode, str]] = ..., include_merged: _Optional[bool] = ...) -> None: ...

class ForgetResponse(_message.Message):
    __slots__ = ("receipt", "revision")
    RECEIPT_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    receipt: _memory_pb2.ForgetReceipt
    revision: _consistency_pb2.Revision
    def __init__(self, receipt: _Optional[_Union[_memory_pb2.ForgetReceipt, _Mapping]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...

class CompactionCriteria(_message.Message):
    __slots__ = ("tags", "tag_threshold", "skip_near_duplicates", "skip_tags", "likeness")
    TAGS_FIELD_NUMBER: _ClassVar[int]
    TAG_THRESHOLD_FIELD_NUMBER: _ClassVar[int]
    SKIP_NEAR_DUPLICATES_FIELD_NUMBER: _ClassVar[int]
    SKIP_TAGS_FIELD_NUMBER: _ClassVar[int]
    LIKENESS_FIELD_NUMBER: _ClassVar[int]
    tags: _containers.RepeatedScalarFieldContainer[str]
    tag_threshold: int
    skip_near_duplicates: bool
    skip_tags: bool
    likeness: float
    def __init__(self, tags: _Optional[_Iterable[str]] = ..., tag_threshold: _Optional[int] = ..., skip_near_duplicates: _Optional[bool] = ..., skip_tags: _Optional[bool] = ..., likeness: _Optional[float] = ...) -> None: ...

class CompactRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "criteria", "proposals", "dry_run")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    CRITERIA_FIELD_NUMBER: _ClassVar[int]
    PROPOSALS_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    criteria: CompactionCriteria
    proposals: CompactionIds
    dry_run: bool
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., criteria: _Optional[_Union[CompactionCriteria, _Mapping]] = ..., proposals: _Optional[_Union[CompactionIds, _Mapping]] = ..., dry_run: _Optional[bool] = ...) -> None: ...

class CompactionIds(_message.Message):
    __slots__ = ("ids",)
    IDS_FIELD_NUMBER: _ClassVar[int]
    ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, ids: _Optional[_Iterable[str]] = ...) -> None: ...

class CompactResponse(_message.Message):
    __slots__ = ("compactions", "more", "revision")
    COMPACTIONS_FIELD_NUMBER: _ClassVar[int]
    MORE_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    compactions: _containers.RepeatedCompositeFieldContainer[_lifecycle_pb2.Compaction]
    more: bool
    revision: _consistency_pb2.Revision
    def __init__(self, compactions: _Optional[_Iterable[_Union[_lifecycle_pb2.Compaction, _Mapping]]] = ..., more: _Optional[bool] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...

class RevertCompactionRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "compaction_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    COMPACTION_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    compaction_id: str
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., compaction_id: _Optional[str] = ...) -> None: ...

class RevertCompactionResponse(_message.Message):
    __slots__ = ("compaction", "restored", "revision")
    COMPACTION_FIELD_NUMBER: _ClassVar[int]
    RESTORED_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    compaction: _lifecycle_pb2.Compaction
    restored: int
    revision: _consistency_pb2.Revision
    def __init__(self, compaction: _Optional[_Union[_lifecycle_pb2.Compaction, _Mapping]] = ..., restored: _Optional[int] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...

class ListCompactionsRequest(_message.Message):
    __slots__ = ("agent_id", "state", "page_size", "page_token")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    state: _lifecycle_pb2.CompactionState
    page_size: int
    page_token: str
    def __init__(self, agent_id: _Optional[str] = ..., state: _Optional[_Union[_lifecycle_pb2.CompactionState, str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListCompactionsResponse(_message.Message):
    __slots__ = ("compactions", "next_page_token")
    COMPACTIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    compactions: _containers.RepeatedCompositeFieldContainer[_lifecycle_pb2.Compaction]
    next_page_token: str
    def __init__(self, compactions: _Optional[_Iterable[_Union[_lifecycle_pb2.Compaction, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetUsageRequest(_message.Message):
    __slots__ = ("agent_id", "all_scopes", "page_size", "page_token")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    ALL_SCOPES_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    all_scopes: bool
    page_size: int
    page_token: str
    def __init__(self, agent_id: _Optional[str] = ..., all_scopes: _Optional[bool] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class GetUsageResponse(_message.Message):
    __slots__ = ("scopes", "next_page_token")
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    scopes: _containers.RepeatedCompositeFieldContainer[_lifecycle_pb2.ScopeUsage]
    next_page_token: str
    def __init__(self, scopes: _Optional[_Iterable[_Union[_lifecycle_pb2.ScopeUsage, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListJobsRequest(_message.Message):
    __slots__ = ("state", "page_size", "page_token")
    STATE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    state: _lifecycle_pb2.JobState
    page_size: int
    page_token: str
    def __init__(self, state: _Optional[_Union[_lifecycle_pb2.JobState, str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListJobsResponse(_message.Message):
    __slots__ = ("jobs", "next_page_token")
    JOBS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    jobs: _containers.RepeatedCompositeFieldContainer[_lifecycle_pb2.Job]
    next_page_token: str
    def __init__(self, jobs: _Optional[_Iterable[_Union[_lifecycle_pb2.Job, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class RetryJobRequest(_message.Message):
    __slots__ = ("job_id",)
    JOB_ID_FIELD_NUMBER: _ClassVar[int]
    job_id: str
    def __init__(self, job_id: _Optional[str] = ...) -> None: ...

class RetryJobResponse(_message.Message):
    __slots__ = ("job",)
    JOB_FIELD_NUMBER: _ClassVar[int]
    job: _lifecycle_pb2.Job
    def __init__(self, job: _Optional[_Union[_lifecycle_pb2.Job, _Mapping]] = ...) -> None: ...

class StartReembeddingRequest(_message.Message):
    __slots__ = ("agent_id", "all_scopes")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    ALL_SCOPES_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    all_scopes: bool
    def __init__(self, agent_id: _Optional[str] = ..., all_scopes: _Optional[bool] = ...) -> None: ...

class StartReembeddingResponse(_message.Message):
    __slots__ = ("reembeddings",)
    REEMBEDDINGS_FIELD_NUMBER: _ClassVar[int]
    reembeddings: _containers.RepeatedCompositeFieldContainer[_lifecycle_pb2.Reembedding]
    def __init__(self, reembeddings: _Optional[_Iterable[_Union[_lifecycle_pb2.Reembedding, _Mapping]]] = ...) -> None: ...

class GetReembeddingRequest(_message.Message):
    __slots__ = ("agent_id", "all_scopes")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    ALL_SCOPES_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    all_scopes: bool
    def __init__(self, agent_id: _Optional[str] = ..., all_scopes: _Optional[bool] = ...) -> None: ...

class GetReembeddingResponse(_message.Message):
    __slots__ = ("reembeddings",)
    REEMBEDDINGS_FIELD_NUMBER: _ClassVar[int]
    reembeddings: _containers.RepeatedCompositeFieldContainer[_lifecycle_pb2.Reembedding]
    def __init__(self, reembeddings: _Optional[_Iterable[_Union[_lifecycle_pb2.Reembedding, _Mapping]]] = ...) -> None: ...

class ReindexRequest(_message.Message):
    __slots__ = ("agent_id",)
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    def __init__(self, agent_id: _Optional[str] = ...) -> None: ...

class ReindexResponse(_message.Message):
    __slots__ = ("rows", "changed", "unreadable", "revision")
    ROWS_FIELD_NUMBER: _ClassVar[int]
    CHANGED_FIELD_NUMBER: _ClassVar[int]
    UNREADABLE_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    rows: int
    changed: int
    unreadable: int
    revision: _consistency_pb2.Revision
    def __init__(self, rows: _Optional[int] = ..., changed: _Optional[int] = ..., unreadable: _Optional[int] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...

class ListReceiptsRequest(_message.Message):
    __slots__ = ("agent_id", "page_size", "page_token")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    page_size: int
    page_token: str
    def __init__(self, agent_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListReceiptsResponse(_message.Message):
    __slots__ = ("receipts", "next_page_token")
    RECEIPTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    receipts: _containers.RepeatedCompositeFieldContainer[_lifecycle_pb2.Receipt]
    next_page_token: str
    def __init__(self, receipts: _Optional[_Iterable[_Union[_lifecycle_pb2.Receipt, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class LiftValueBlocksRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "content", "receipt_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    RECEIPT_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    content: str
    receipt_id: str
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., content: _Optional[str] = ..., receipt_id: _Optional[str] = ...) -> None: ...

class LiftValueBlocksResponse(_message.Message):
    __slots__ = ("lifted",)
    LIFTED_FIELD_NUMBER: _ClassVar[int]
    lifted: int
    def __init__(self, lifted: _Optional[int] = ...) -> None: ...
