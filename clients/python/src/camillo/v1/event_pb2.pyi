import datetime

from camillo.v1 import actor_pb2 as _actor_pb2
from camillo.v1 import channel_pb2 as _channel_pb2
from camillo.v1 import consistency_pb2 as _consistency_pb2
from camillo.v1 import memory_pb2 as _memory_pb2
from camillo.v1 import options_pb2 as _options_pb2
from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ToolCall(_message.Message):
    __slots__ = ("tool", "call_id", "arguments")
    TOOL_FIELD_NUMBER: _ClassVar[int]
    CALL_ID_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_FIELD_NUMBER: _ClassVar[int]
    tool: str
    call_id: str
    arguments: _struct_pb2.Struct
    def __init__(self, tool: _Optional[str] = ..., call_id: _Optional[str] = ..., arguments: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ...) -> None: ...

class LinesHeld(_message.Message):
    __slots__ = ("first", "last")
    FIRST_FIELD_NUMBER: _ClassVar[int]
    LAST_FIELD_NUMBER: _ClassVar[int]
    first: int
    last: int
    def __init__(self, first: _Optional[int] = ..., last: _Optional[int] = ...) -> None: ...

class ToolResult(_message.Message):
    __slots__ = ("tool", "call_id", "path", "excerpt_text", "line_range", "truncated", "artifact_id", "is_error", "exit_code")
    TOOL_FIELD_NUMBER: _ClassVar[int]
    CALL_ID_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    EXCERPT_TEXT_FIELD_NUMBER: _ClassVar[int]
    LINE_RANGE_FIELD_NUMBER: _ClassVar[int]
    TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    ARTIFACT_ID_FIELD_NUMBER: _ClassVar[int]
    IS_ERROR_FIELD_NUMBER: _ClassVar[int]
    EXIT_CODE_FIELD_NUMBER: _ClassVar[int]
    tool: str
    call_id: str
    path: str
    excerpt_text: str
    line_range: LinesHeld
    truncated: bool
    artifact_id: str
    is_error: bool
    exit_code: int
    def __init__(self, tool: _Optional[str] = ..., call_id: _Optional[str] = ..., path: _Optional[str] = ..., excerpt_text: _Optional[str] = ..., line_range: _Optional[_Union[LinesHeld, _Mapping]] = ..., truncated: _Optional[bool] = ..., artifact_id: _Optional[str] = ..., is_error: _Optional[bool] = ..., exit_code: _Optional[int] = ...) -> None: ...

class WorkflowStep(_message.Message):
    __slots__ = ("workflow", "run", "step", "status", "output", "truncated", "artifact_id")
    WORKFLOW_FIELD_NUMBER: _ClassVar[int]
    RUN_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_FIELD_NUMBER: _ClassVar[int]
    TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    ARTIFACT_ID_FIELD_NUMBER: _ClassVar[int]
    workflow: str
    run: str
    step: str
    status: _actor_pb2.WorkflowStatus
    output: str
    truncated: bool
    artifact_id: str
    def __init__(self, workflow: _Optional[str] = ..., run: _Optional[str] = ..., step: _Optional[str] = ..., status: _Optional[_Union[_actor_pb2.WorkflowStatus, str]] = ..., output: _Optional[str] = ..., truncated: _Optional[bool] = ..., artifact_id: _Optional[str] = ...) -> None: ...

class NewEvent(_message.Message):
    __slots__ = ("session_id", "channel", "actor", "kind", "sensitivity", "tags", "occurred_at", "refs", "text", "json", "tool_call", "tool_result", "workflow_step", "importance")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    SENSITIVITY_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    OCCURRED_AT_FIELD_NUMBER: _ClassVar[int]
    REFS_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    JSON_FIELD_NUMBER: _ClassVar[int]
    TOOL_CALL_FIELD_NUMBER: _ClassVar[int]
    TOOL_RESULT_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_STEP_FIELD_NUMBER: _ClassVar[int]
    IMPORTANCE_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    channel: _channel_pb2.Channel
    actor: _actor_pb2.Actor
    kind: _actor_pb2.EventKind
    sensitivity: _memory_pb2.Sensitivity
    tags: _containers.RepeatedScalarFieldContainer[str]
    occurred_at: _timestamp_pb2.Timestamp
    refs: _containers.RepeatedScalarFieldContainer[str]
    text: str
    json: _struct_pb2.Struct
    tool_call: ToolCall
    tool_result: ToolResult
    workflow_step: WorkflowStep
    importance: float
    def __init__(self, session_id: _Optional[str] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ..., actor: _Optional[_Union[_actor_pb2.Actor, _Mapping]] = ..., kind: _Optional[_Union[_actor_pb2.EventKind, str]] = ..., sensitivity: _Optional[_Union[_memory_pb2.Sensitivity, str]] = ..., tags: _Optional[_Iterable[str]] = ..., occurred_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., refs: _Optional[_Iterable[str]] = ..., text: _Optional[str] = ..., json: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., tool_call: _Optional[_Union[ToolCall, _Mapping]] = ..., tool_result: _Optional[_Union[ToolResult, _Mapping]] = ..., workflow_step: _Optional[_Union[WorkflowStep, _Mapping]] = ..., importance: _Optional[float] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ("event_id", "agent_id", "stated", "recorded_at", "revision", "trust", "credential")
    EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    STATED_FIELD_NUMBER: _ClassVar[int]
    RECORDED_AT_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    TRUST_FIELD_NUMBER: _ClassVar[int]
    CREDENTIAL_FIELD_NUMBER: _ClassVar[int]
    event_id: str
    agent_id: str
    stated: NewEvent
    recorded_at: _timestamp_pb2.Timestamp
    revision: _consistency_pb2.Revision
    trust: _actor_pb2.Trust
    credential: str
    def __init__(self, event_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., stated: _Optional[_Union[NewEvent, _Mapping]] = ..., recorded_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., trust: _Optional[_Union[_actor_pb2.Trust, str]] = ..., credential: _Optional[str] = ...) -> None: ...

class EventFilter(_message.Message):
    __slots__ = ("session_id", "kinds", "actor_types", "tags_any", "tags_all", "occurred_from", "occurred_before", "max_sensitivity", "ref", "workflow", "workflow_run", "workflow_step", "workflow_status")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    ACTOR_TYPES_FIELD_NUMBER: _ClassVar[int]
    TAGS_ANY_FIELD_NUMBER: _ClassVar[int]
    TAGS_ALL_FIELD_NUMBER: _ClassVar[int]
    OCCURRED_FROM_FIELD_NUMBER: _ClassVar[int]
    OCCURRED_BEFORE_FIELD_NUMBER: _ClassVar[int]
    MAX_SENSITIVITY_FIELD_NUMBER: _ClassVar[int]
    REF_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_RUN_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_STEP_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_STATUS_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    kinds: _containers.RepeatedScalarFieldContainer[_actor_pb2.EventKind]
    actor_types: _containers.RepeatedScalarFieldContainer[_actor_pb2.ActorType]
    tags_any: _containers.RepeatedScalarFieldContainer[str]
    tags_all: _containers.RepeatedScalarFieldContainer[str]
    occurred_from: _timestamp_pb2.Timestamp
    occurred_before: _timestamp_pb2.Timestamp
    max_sensitivity: _memory_pb2.Sensitivity
    ref: str
    workflow: str
    workflow_run: str
    workflow_step: str
    workflow_status: _actor_pb2.WorkflowStatus
    def __init__(self, session_id: _Optional[str] = ..., kinds: _Optional[_Iterable[_Union[_actor_pb2.EventKind, str]]] = ..., actor_types: _Optional[_Iterable[_Union[_actor_pb2.ActorType, str]]] = ..., tags_any: _Optional[_Iterable[str]] = ..., tags_all: _Optional[_Iterable[str]] = ..., occurred_from: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., occurred_before: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., max_sensitivity: _Optional[_Union[_memory_pb2.Sensitivity, str]] = ..., ref: _Optional[str] = ..., workflow: _Optional[str] = ..., workflow_run: _Optional[str] = ..., workflow_step: _Optional[str] = ..., workflow_status: _Optional[_Union[_actor_pb2.WorkflowStatus, str]] = ...) -> None: ...

class EventChange(_message.Message):
    __slots__ = ("resume_token", "revision", "recorded", "forgotten_event_id", "checkpoint")
    RESUME_TOKEN_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    RECORDED_FIELD_NUMBER: _ClassVar[int]
    FORGOTTEN_EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    CHECKPOINT_FIELD_NUMBER: _ClassVar[int]
    resume_token: str
    revision: _consistency_pb2.Revision
    recorded: Event
    forgotten_event_id: str
    checkpoint: _memory_pb2.Checkpoint
    def __init__(self, resume_token: _Optional[str] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., recorded: _Optional[_Union[Event, _Mapping]] = ..., forgotten_event_id: _Optional[str] = ..., checkpoint: _Optional[_Union[_memory_pb2.Checkpoint, _Mapping]] = ...) -> None: ...

class EventReceipt(_message.Message):
    __slots__ = ("receipt_id", "event_ids", "stores", "invalidated_memory_ids", "forgotten_at", "found_nothing")
    RECEIPT_ID_FIELD_NUMBER: _ClassVar[int]
    EVENT_IDS_FIELD_NUMBER: _ClassVar[int]
    STORES_FIELD_NUMBER: _ClassVar[int]
    INVALIDATED_MEMORY_IDS_FIELD_NUMBER: _ClassVar[int]
    FORGOTTEN_AT_FIELD_NUMBER: _ClassVar[int]
    FOUND_NOTHING_FIELD_NUMBER: _ClassVar[int]
    receipt_id: str
    event_ids: _containers.RepeatedScalarFieldContainer[str]
    stores: _containers.RepeatedCompositeFieldContainer[_memory_pb2.StoreCount]
    invalidated_memory_ids: _containers.RepeatedScalarFieldContainer[str]
    forgotten_at: _timestamp_pb2.Timestamp
    found_nothing: bool
    def __init__(self, receipt_id: _Optional[str] = ..., event_ids: _Optional[_Iterable[str]] = ..., stores: _Optional[_Iterable[_Union[_memory_pb2.StoreCount, _Mapping]]] = ..., invalidated_memory_ids: _Optional[_Iterable[str]] = ..., forgotten_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., found_nothing: _Optional[bool] = ...) -> None: ...
