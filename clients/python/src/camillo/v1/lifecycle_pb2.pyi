import datetime

from camillo.v1 import memory_pb2 as _memory_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class LifecycleAction(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LIFECYCLE_ACTION_UNSPECIFIED: _ClassVar[LifecycleAction]
    LIFECYCLE_ACTION_ARCHIVE: _ClassVar[LifecycleAction]
    LIFECYCLE_ACTION_REMOVE: _ClassVar[LifecycleAction]

class LifecycleReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LIFECYCLE_REASON_UNSPECIFIED: _ClassVar[LifecycleReason]
    LIFECYCLE_REASON_DECAYED: _ClassVar[LifecycleReason]
    LIFECYCLE_REASON_UNIMPORTANT: _ClassVar[LifecycleReason]
    LIFECYCLE_REASON_OVER_QUOTA: _ClassVar[LifecycleReason]
    LIFECYCLE_REASON_RETENTION: _ClassVar[LifecycleReason]
    LIFECYCLE_REASON_REQUESTED: _ClassVar[LifecycleReason]

class CompactionState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    COMPACTION_STATE_UNSPECIFIED: _ClassVar[CompactionState]
    COMPACTION_STATE_PROPOSED: _ClassVar[CompactionState]
    COMPACTION_STATE_COMMITTED: _ClassVar[CompactionState]
    COMPACTION_STATE_REVERTED: _ClassVar[CompactionState]
    COMPACTION_STATE_REFUSED: _ClassVar[CompactionState]

class CompactionReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    COMPACTION_REASON_UNSPECIFIED: _ClassVar[CompactionReason]
    COMPACTION_REASON_TAG: _ClassVar[CompactionReason]
    COMPACTION_REASON_NEAR_DUPLICATE: _ClassVar[CompactionReason]

class CompactionRefusal(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    COMPACTION_REFUSAL_UNSPECIFIED: _ClassVar[CompactionRefusal]
    COMPACTION_REFUSAL_LOSES_FACTS: _ClassVar[CompactionRefusal]
    COMPACTION_REFUSAL_BAD_SUMMARY: _ClassVar[CompactionRefusal]
    COMPACTION_REFUSAL_SOURCE_CHANGED: _ClassVar[CompactionRefusal]
    COMPACTION_REFUSAL_VALUE_REJECTED: _ClassVar[CompactionRefusal]

class JobState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    JOB_STATE_UNSPECIFIED: _ClassVar[JobState]
    JOB_STATE_WAITING: _ClassVar[JobState]
    JOB_STATE_RUNNING: _ClassVar[JobState]
    JOB_STATE_DEAD: _ClassVar[JobState]
LIFECYCLE_ACTION_UNSPECIFIED: LifecycleAction
LIFECYCLE_ACTION_ARCHIVE: LifecycleAction
LIFECYCLE_ACTION_REMOVE: LifecycleAction
LIFECYCLE_REASON_UNSPECIFIED: LifecycleReason
LIFECYCLE_REASON_DECAYED: LifecycleReason
LIFECYCLE_REASON_UNIMPORTANT: LifecycleReason
LIFECYCLE_REASON_OVER_QUOTA: LifecycleReason
LIFECYCLE_REASON_RETENTION: LifecycleReason
LIFECYCLE_REASON_REQUESTED: LifecycleReason
COMPACTION_STATE_UNSPECIFIED: CompactionState
COMPACTION_STATE_PROPOSED: CompactionState
COMPACTION_STATE_COMMITTED: CompactionState
COMPACTION_STATE_REVERTED: CompactionState
COMPACTION_STATE_REFUSED: CompactionState
COMPACTION_REASON_UNSPECIFIED: CompactionReason
COMPACTION_REASON_TAG: CompactionReason
COMPACTION_REASON_NEAR_DUPLICATE: CompactionReason
COMPACTION_REFUSAL_UNSPECIFIED: CompactionRefusal
COMPACTION_REFUSAL_LOSES_FACTS: CompactionRefusal
COMPACTION_REFUSAL_BAD_SUMMARY: CompactionRefusal
COMPACTION_REFUSAL_SOURCE_CHANGED: CompactionRefusal
COMPACTION_REFUSAL_VALUE_REJECTED: CompactionRefusal
JOB_STATE_UNSPECIFIED: JobState
JOB_STATE_WAITING: JobState
JOB_STATE_RUNNING: JobState
JOB_STATE_DEAD: JobState

class LifecycleItem(_message.Message):
    __slots__ = ("memory_id", "action", "reason", "decayed_importance", "last_used_at", "kind")
    MEMORY_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    DECAYED_IMPORTANCE_FIELD_NUMBER: _ClassVar[int]
    LAST_USED_AT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    memory_id: str
    action: LifecycleAction
    reason: LifecycleReason
    decayed_importance: float
    last_used_at: _timestamp_pb2.Timestamp
    kind: _memory_pb2.MemoryKind
    def __init__(self, memory_id: _Optional[str] = ..., action: _Optional[_Union[LifecycleAction, str]] = ..., reason: _Optional[_Union[LifecycleReason, str]] = ..., decayed_importance: _Optional[float] = ..., last_used_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., kind: _Optional[_Union[_memory_pb2.MemoryKind, str]] = ...) -> None: ...

class LifecycleCount(_message.Message):
    __slots__ = ("action", "reason", "memories")
    ACTION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    MEMORIES_FIELD_NUMBER: _ClassVar[int]
    action: LifecycleAction
    reason: LifecycleReason
    memories: int
    def __init__(self, action: _Optional[_Union[LifecycleAction, str]] = ..., reason: _Optional[_Union[LifecycleReason, str]] = ..., memories: _Optional[int] = ...) -> None: ...

class LifecyclePass(_message.Message):
    __slots__ = ("receipt_id", "plan_token", "items", "counts", "stores", "at")
    RECEIPT_ID_FIELD_NUMBER: _ClassVar[int]
    PLAN_TOKEN_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    STORES_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    receipt_id: str
    plan_token: str
    items: _containers.RepeatedCompositeFieldContainer[LifecycleItem]
    counts: _containers.RepeatedCompositeFieldContainer[LifecycleCount]
    stores: _containers.RepeatedCompositeFieldContainer[_memory_pb2.StoreCount]
    at: _timestamp_pb2.Timestamp
    def __init__(self, receipt_id: _Optional[str] = ..., plan_token: _Optional[str] = ..., items: _Optional[_Iterable[_Union[LifecycleItem, _Mapping]]] = ..., counts: _Optional[_Iterable[_Union[LifecycleCount, _Mapping]]] = ..., stores: _Optional[_Iterable[_Union[_memory_pb2.StoreCount, _Mapping]]] = ..., at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Compaction(_message.Message):
    __slots__ = ("compaction_id", "state", "reason", "tag", "source_ids", "content", "memory_id", "refusal", "lost", "summary_model_id", "created_at", "committed_at", "reverted_at")
    COMPACTION_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    TAG_FIELD_NUMBER: _ClassVar[int]
    SOURCE_IDS_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    MEMORY_ID_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    LOST_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    COMMITTED_AT_FIELD_NUMBER: _ClassVar[int]
    REVERTED_AT_FIELD_NUMBER: _ClassVar[int]
    compaction_id: str
    state: CompactionState
    reason: CompactionReason
    tag: str
    source_ids: _containers.RepeatedScalarFieldContainer[str]
    content: str
    memory_id: str
    refusal: CompactionRefusal
    lost: _containers.RepeatedScalarFieldContainer[str]
    summary_model_id: str
    created_at: _timestamp_pb2.Timestamp
    committed_at: _timestamp_pb2.Timestamp
    reverted_at: _timestamp_pb2.Timestamp
    def __init__(self, compaction_id: _Optional[str] = ..., state: _Optional[_Union[CompactionState, str]] = ..., reason: _Optional[_Union[CompactionReason, str]] = ..., tag: _Optional[str] = ..., source_ids: _Optional[_Iterable[str]] = ..., content: _Optional[str] = ..., memory_id: _Optional[str] = ..., refusal: _Optional[_Union[CompactionRefusal, str]] = ..., lost: _Optional[_Iterable[str]] = ..., summary_model_id: _Optional[str] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., committed_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., reverted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class StoreUsage(_message.Message):
    __slots__ = ("store", "rows", "bytes")
    STORE_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    BYTES_FIELD_NUMBER: _ClassVar[int]
    store: str
    rows: int
    bytes: int
    def __init__(self, store: _Optional[str] = ..., rows: _Optional[int] = ..., bytes: _Optional[int] = ...) -> None: ...

class ScopeUsage(_message.Message):
    __slots__ = ("agent_id", "stores", "active_memories", "archived_memories", "expired_memories", "pinned_memories", "memory_quota", "oldest_at", "newest_at", "is_in_memory", "memory_bytes")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    STORES_FIELD_NUMBER: _ClassVar[int]
    ACTIVE_MEMORIES_FIELD_NUMBER: _ClassVar[int]
    ARCHIVED_MEMORIES_FIELD_NUMBER: _ClassVar[int]
    EXPIRED_MEMORIES_FIELD_NUMBER: _ClassVar[int]
    PINNED_MEMORIES_FIELD_NUMBER: _ClassVar[int]
    MEMORY_QUOTA_FIELD_NUMBER: _ClassVar[int]
    OLDEST_AT_FIELD_NUMBER: _ClassVar[int]
    NEWEST_AT_FIELD_NUMBER: _ClassVar[int]
    IS_IN_MEMORY_FIELD_NUMBER: _ClassVar[int]
    MEMORY_BYTES_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    stores: _containers.RepeatedCompositeFieldContainer[StoreUsage]
    active_memories: int
    archived_memories: int
    expired_memories: int
    pinned_memories: int
    memory_quota: int
    oldest_at: _timestamp_pb2.Timestamp
    newest_at: _timestamp_pb2.Timestamp
    is_in_memory: bool
    memory_bytes: int
    def __init__(self, agent_id: _Optional[str] = ..., stores: _Optional[_Iterable[_Union[StoreUsage, _Mapping]]] = ..., active_memories: _Optional[int] = ..., archived_memories: _Optional[int] = ..., expired_memories: _Optional[int] = ..., pinned_memories: _Optional[int] = ..., memory_quota: _Optional[int] = ..., oldest_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., newest_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., is_in_memory: _Optional[bool] = ..., memory_bytes: _Optional[int] = ...) -> None: ...

class Job(_message.Message):
    __slots__ = ("job_id", "task", "agent_id", "state", "attempts", "due_at", "changed_at", "is_stuck")
    JOB_ID_FIELD_NUMBER: _ClassVar[int]
    TASK_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    DUE_AT_FIELD_NUMBER: _ClassVar[int]
    CHANGED_AT_FIELD_NUMBER: _ClassVar[int]
    IS_STUCK_FIELD_NUMBER: _ClassVar[int]
    job_id: str
    task: str
    agent_id: str
    state: JobState
    attempts: int
    due_at: _timestamp_pb2.Timestamp
    changed_at: _timestamp_pb2.Timestamp
    is_stuck: bool
    def __init__(self, job_id: _Optional[str] = ..., task: _Optional[str] = ..., agent_id: _Optional[str] = ..., state: _Optional[_Union[JobState, str]] = ..., attempts: _Optional[int] = ..., due_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., changed_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., is_stuck: _Optional[bool] = ...) -> None: ...

class Reembedding(_message.Message):
    __slots__ = ("agent_id", "model_id", "serving_model_id", "embedded", "rows", "is_complete", "started_at")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    SERVING_MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    EMBEDDED_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    IS_COMPLETE_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    model_id: str
    serving_model_id: str
    embedded: int
    rows: int
    is_complete: bool
    started_at: _timestamp_pb2.Timestamp
    def __init__(self, agent_id: _Optional[str] = ..., model_id: _Optional[str] = ..., serving_model_id: _Optional[str] = ..., embedded: _Optional[int] = ..., rows: _Optional[int] = ..., is_complete: _Optional[bool] = ..., started_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Receipt(_message.Message):
    __slots__ = ("receipt_id", "cause", "stores", "blocked_values", "at")
    RECEIPT_ID_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    STORES_FIELD_NUMBER: _ClassVar[int]
    BLOCKED_VALUES_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    receipt_id: str
    cause: str
    stores: _containers.RepeatedCompositeFieldContainer[_memory_pb2.StoreCount]
    blocked_values: int
    at: _timestamp_pb2.Timestamp
    def __init__(self, receipt_id: _Optional[str] = ..., cause: _Optional[str] = ..., stores: _Optional[_Iterable[_Union[_memory_pb2.StoreCount, _Mapping]]] = ..., blocked_values: _Optional[int] = ..., at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
