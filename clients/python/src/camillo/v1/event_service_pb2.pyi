import datetime

from camillo.v1 import actor_pb2 as _actor_pb2
from camillo.v1 import channel_pb2 as _channel_pb2
from camillo.v1 import consistency_pb2 as _consistency_pb2
from camillo.v1 import event_pb2 as _event_pb2
from camillo.v1 import forgetting_pb2 as _forgetting_pb2
from camillo.v1 import memory_pb2 as _memory_pb2
from camillo.v1 import options_pb2 as _options_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.rpc import status_pb2 as _status_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RecordEventRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "event", "omit_forgotten")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    OMIT_FORGOTTEN_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    event: _event_pb2.NewEvent
    omit_forgotten: bool
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., event: _Optional[_Union[_event_pb2.NewEvent, _Mapping]] = ..., omit_forgotten: _Optional[bool] = ...) -> None: ...

class RecordEventResponse(_message.Message):
    __slots__ = ("recorded", "revision", "durability", "spool_id")
    RECORDED_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    DURABILITY_FIELD_NUMBER: _ClassVar[int]
    SPOOL_ID_FIELD_NUMBER: _ClassVar[int]
    recorded: RecordedEvent
    revision: _consistency_pb2.Revision
    durability: _consistency_pb2.Durability
    spool_id: str
    def __init__(self, recorded: _Optional[_Union[RecordedEvent, _Mapping]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., durability: _Optional[_Union[_consistency_pb2.Durability, str]] = ..., spool_id: _Optional[str] = ...) -> None: ...

class RecordedEvent(_message.Message):
    __slots__ = ("event_id", "chunk_ids", "artifact_id", "recorded_at", "redactions", "omitted")
    EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    CHUNK_IDS_FIELD_NUMBER: _ClassVar[int]
    ARTIFACT_ID_FIELD_NUMBER: _ClassVar[int]
    RECORDED_AT_FIELD_NUMBER: _ClassVar[int]
    REDACTIONS_FIELD_NUMBER: _ClassVar[int]
    OMITTED_FIELD_NUMBER: _ClassVar[int]
    event_id: str
    chunk_ids: _containers.RepeatedScalarFieldContainer[str]
    artifact_id: str
    recorded_at: _timestamp_pb2.Timestamp
    redactions: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Redaction]
    omitted: _containers.RepeatedCompositeFieldContainer[_forgetting_pb2.OmittedText]
    def __init__(self, event_id: _Optional[str] = ..., chunk_ids: _Optional[_Iterable[str]] = ..., artifact_id: _Optional[str] = ..., recorded_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., redactions: _Optional[_Iterable[_Union[_memory_pb2.Redaction, _Mapping]]] = ..., omitted: _Optional[_Iterable[_Union[_forgetting_pb2.OmittedText, _Mapping]]] = ...) -> None: ...

class BatchRecordEventsRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "events", "omit_forgotten")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    OMIT_FORGOTTEN_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    events: _containers.RepeatedCompositeFieldContainer[_event_pb2.NewEvent]
    omit_forgotten: bool
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., events: _Optional[_Iterable[_Union[_event_pb2.NewEvent, _Mapping]]] = ..., omit_forgotten: _Optional[bool] = ...) -> None: ...

class BatchRecordEventsResponse(_message.Message):
    __slots__ = ("results", "revision")
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[RecordedEventResult]
    revision: _consistency_pb2.Revision
    def __init__(self, results: _Optional[_Iterable[_Union[RecordedEventResult, _Mapping]]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...

class RecordedEventResult(_message.Message):
    __slots__ = ("recorded", "error")
    RECORDED_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    recorded: RecordedEvent
    error: _status_pb2.Status
    def __init__(self, recorded: _Optional[_Union[RecordedEvent, _Mapping]] = ..., error: _Optional[_Union[_status_pb2.Status, _Mapping]] = ...) -> None: ...

class GetEventRequest(_message.Message):
    __slots__ = ("agent_id", "event_id", "channel")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    event_id: str
    channel: _channel_pb2.Channel
    def __init__(self, agent_id: _Optional[str] = ..., event_id: _Optional[str] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ...) -> None: ...

class GetEventResponse(_message.Message):
    __slots__ = ("event", "chunk_ids")
    EVENT_FIELD_NUMBER: _ClassVar[int]
    CHUNK_IDS_FIELD_NUMBER: _ClassVar[int]
    event: _event_pb2.Event
    chunk_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, event: _Optional[_Union[_event_pb2.Event, _Mapping]] = ..., chunk_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class ListEventsRequest(_message.Message):
    __slots__ = ("agent_id", "filter", "channel", "newest_first", "page_size", "page_token")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    NEWEST_FIRST_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    filter: _event_pb2.EventFilter
    channel: _channel_pb2.Channel
    newest_first: bool
    page_size: int
    page_token: str
    def __init__(self, agent_id: _Optional[str] = ..., filter: _Optional[_Union[_event_pb2.EventFilter, _Mapping]] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ..., newest_first: _Optional[bool] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListEventsResponse(_message.Message):
    __slots__ = ("events", "next_page_token", "revision")
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[_event_pb2.Event]
    next_page_token: str
    revision: _consistency_pb2.Revision
    def __init__(self, events: _Optional[_Iterable[_Union[_event_pb2.Event, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...

class WatchEventsRequest(_message.Message):
    __slots__ = ("agent_id", "resume_token", "after_revision", "from_beginning", "filter", "channel")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    RESUME_TOKEN_FIELD_NUMBER: _ClassVar[int]
    AFTER_REVISION_FIELD_NUMBER: _ClassVar[int]
    FROM_BEGINNING_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    resume_token: str
    after_revision: _consistency_pb2.Revision
    from_beginning: bool
    filter: _event_pb2.EventFilter
    channel: _channel_pb2.Channel
    def __init__(self, agent_id: _Optional[str] = ..., resume_token: _Optional[str] = ..., after_revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., from_beginning: _Optional[bool] = ..., filter: _Optional[_Union[_event_pb2.EventFilter, _Mapping]] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ...) -> None: ...

class WatchEventsResponse(_message.Message):
    __slots__ = ("change",)
    CHANGE_FIELD_NUMBER: _ClassVar[int]
    change: _event_pb2.EventChange
    def __init__(self, change: _Optional[_Union[_event_pb2.EventChange, _Mapping]] = ...) -> None: ...

class EventIds(_message.Message):
    __slots__ = ("ids",)
    IDS_FIELD_NUMBER: _ClassVar[int]
    ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, ids: _Optional[_Iterable[str]] = ...) -> None: ...

class ForgetEventsRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "event_ids", "session_id", "dry_run", "plan_token")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    EVENT_IDS_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    PLAN_TOKEN_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    event_ids: EventIds
    session_id: str
    dry_run: bool
    plan_token: str
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., event_ids: _Optional[_Union[EventIds, _Mapping]] = ..., session_id: _Optional[str] = ..., dry_run: _Optional[bool] = ..., plan_token: _Optional[str] = ...) -> None: ...

class ForgetEventsResponse(_message.Message):
    __slots__ = ("forgotten", "receipt", "revision", "plan_token")
    FORGOTTEN_FIELD_NUMBER: _ClassVar[int]
    RECEIPT_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    PLAN_TOKEN_FIELD_NUMBER: _ClassVar[int]
    forgotten: int
    receipt: _event_pb2.EventReceipt
    revision: _consistency_pb2.Revision
    plan_token: str
    def __init__(self, forgotten: _Optional[int] = ..., receipt: _Optional[_Union[_event_pb2.EventReceipt, _Mapping]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., plan_token: _Optional[str] = ...) -> None: ...

class RebuildChunksRequest(_message.Message):
    __slots__ = ("agent_id",)
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    def __init__(self, agent_id: _Optional[str] = ...) -> None: ...

class RebuildChunksResponse(_message.Message):
    __slots__ = ("dropped", "made", "revision")
    DROPPED_FIELD_NUMBER: _ClassVar[int]
    MADE_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    dropped: int
    made: int
    revision: _consistency_pb2.Revision
    def __init__(self, dropped: _Optional[int] = ..., made: _Optional[int] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...

class ListWorkflowRequest(_message.Message):
    __slots__ = ("agent_id", "workflow", "run", "statuses", "channel", "page_size", "page_token")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_FIELD_NUMBER: _ClassVar[int]
    RUN_FIELD_NUMBER: _ClassVar[int]
    STATUSES_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    workflow: str
    run: str
    statuses: _containers.RepeatedScalarFieldContainer[_actor_pb2.WorkflowStatus]
    channel: _channel_pb2.Channel
    page_size: int
    page_token: str
    def __init__(self, agent_id: _Optional[str] = ..., workflow: _Optional[str] = ..., run: _Optional[str] = ..., statuses: _Optional[_Iterable[_Union[_actor_pb2.WorkflowStatus, str]]] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListWorkflowResponse(_message.Message):
    __slots__ = ("steps", "next_page_token")
    STEPS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    steps: _containers.RepeatedCompositeFieldContainer[_event_pb2.Event]
    next_page_token: str
    def __init__(self, steps: _Optional[_Iterable[_Union[_event_pb2.Event, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...
