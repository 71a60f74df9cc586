import datetime

from camillo.v1 import channel_pb2 as _channel_pb2
from camillo.v1 import consistency_pb2 as _consistency_pb2
from camillo.v1 import memory_pb2 as _memory_pb2
from camillo.v1 import options_pb2 as _options_pb2
from camillo.v1 import slot_pb2 as _slot_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SetMemoryRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "key", "json_content", "source", "sensitivity", "if_version", "occurred_at", "unindexed")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    JSON_CONTENT_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    SENSITIVITY_FIELD_NUMBER: _ClassVar[int]
    IF_VERSION_FIELD_NUMBER: _ClassVar[int]
    OCCURRED_AT_FIELD_NUMBER: _ClassVar[int]
    UNINDEXED_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    key: str
    json_content: str
    source: _slot_pb2.SlotSource
    sensitivity: _memory_pb2.Sensitivity
    if_version: int
    occurred_at: _timestamp_pb2.Timestamp
    unindexed: bool
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., key: _Optional[str] = ..., json_content: _Optional[str] = ..., source: _Optional[_Union[_slot_pb2.SlotSource, _Mapping]] = ..., sensitivity: _Optional[_Union[_memory_pb2.Sensitivity, str]] = ..., if_version: _Optional[int] = ..., occurred_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., unindexed: _Optional[bool] = ...) -> None: ...

class SetMemoryResponse(_message.Message):
    __slots__ = ("slot", "revision", "redactions", "durability", "spool_id")
    SLOT_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    REDACTIONS_FIELD_NUMBER: _ClassVar[int]
    DURABILITY_FIELD_NUMBER: _ClassVar[int]
    SPOOL_ID_FIELD_NUMBER: _ClassVar[int]
    slot: _slot_pb2.Slot
    revision: _consistency_pb2.Revision
    redactions: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Redaction]
    durability: _consistency_pb2.Durability
    spool_id: str
    def __init__(self, slot: _Optional[_Union[_slot_pb2.Slot, _Mapping]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., redactions: _Optional[_Iterable[_Union[_memory_pb2.Redaction, _Mapping]]] = ..., durability: _Optional[_Union[_consistency_pb2.Durability, str]] = ..., spool_id: _Optional[str] = ...) -> None: ...

class BatchSetMemoryRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "slots")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    SLOTS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    slots: _containers.RepeatedCompositeFieldContainer[_slot_pb2.NewSlot]
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., slots: _Optional[_Iterable[_Union[_slot_pb2.NewSlot, _Mapping]]] = ...) -> None: ...

class BatchSetMemoryResponse(_message.Message):
    __slots__ = ("results", "revision")
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[BatchSetMemoryResult]
    revision: _consistency_pb2.Revision
    def __init__(self, results: _Optional[_Iterable[_Union[BatchSetMemoryResult, _Mapping]]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...

class BatchSetMemoryResult(_message.Message):
    __slots__ = ("slot", "redactions")
    SLOT_FIELD_NUMBER: _ClassVar[int]
    REDACTIONS_FIELD_NUMBER: _ClassVar[int]
    slot: _slot_pb2.Slot
    redactions: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Redaction]
    def __init__(self, slot: _Optional[_Union[_slot_pb2.Slot, _Mapping]] = ..., redactions: _Optional[_Iterable[_Union[_memory_pb2.Redaction, _Mapping]]] = ...) -> None: ...

class GetSlotRequest(_message.Message):
    __slots__ = ("agent_id", "key", "channel", "shared")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    SHARED_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    key: str
    channel: _channel_pb2.Channel
    shared: bool
    def __init__(self, agent_id: _Optional[str] = ..., key: _Optional[str] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ..., shared: _Optional[bool] = ...) -> None: ...

class GetSlotResponse(_message.Message):
    __slots__ = ("slot",)
    SLOT_FIELD_NUMBER: _ClassVar[int]
    slot: _slot_pb2.Slot
    def __init__(self, slot: _Optional[_Union[_slot_pb2.Slot, _Mapping]] = ...) -> None: ...

class ListSlotsRequest(_message.Message):
    __slots__ = ("agent_id", "prefix", "one_level", "types", "tags_any", "updated_since", "trigger_before", "channel", "shared", "page_size", "page_token")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    PREFIX_FIELD_NUMBER: _ClassVar[int]
    ONE_LEVEL_FIELD_NUMBER: _ClassVar[int]
    TYPES_FIELD_NUMBER: _ClassVar[int]
    TAGS_ANY_FIELD_NUMBER: _ClassVar[int]
    UPDATED_SINCE_FIELD_NUMBER: _ClassVar[int]
    TRIGGER_BEFORE_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    SHARED_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    prefix: str
    one_level: bool
    types: _containers.RepeatedScalarFieldContainer[str]
    tags_any: _containers.RepeatedScalarFieldContainer[str]
    updated_since: _timestamp_pb2.Timestamp
    trigger_before: _timestamp_pb2.Timestamp
    channel: _channel_pb2.Channel
    shared: bool
    page_size: int
    page_token: str
    def __init__(self, agent_id: _Optional[str] = ..., prefix: _Optional[str] = ..., one_level: _Optional[bool] = ..., types: _Optional[_Iterable[str]] = ..., tags_any: _Optional[_Iterable[str]] = ..., updated_since: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., trigger_before: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ..., shared: _Optional[bool] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class SlotEntry(_message.Message):
    __slots__ = ("key", "slot", "is_directory")
    KEY_FIELD_NUMBER: _ClassVar[int]
    SLOT_FIELD_NUMBER: _ClassVar[int]
    IS_DIRECTORY_FIELD_NUMBER: _ClassVar[int]
    key: str
    slot: _slot_pb2.Slot
    is_directory: bool
    def __init__(self, key: _Optional[str] = ..., slot: _Optional[_Union[_slot_pb2.Slot, _Mapping]] = ..., is_directory: _Optional[bool] = ...) -> None: ...

class ListSlotsResponse(_message.Message):
    __slots__ = ("entries", "next_page_token")
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[SlotEntry]
    next_page_token: str
    def __init__(self, entries: _Optional[_Iterable[_Union[SlotEntry, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListSlotHistoryRequest(_message.Message):
    __slots__ = ("agent_id", "key", "channel", "shared", "page_size", "page_token")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    SHARED_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    key: str
    channel: _channel_pb2.Channel
    shared: bool
    page_size: int
    page_token: str
    def __init__(self, agent_id: _Optional[str] = ..., key: _Optional[str] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ..., shared: _Optional[bool] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListSlotHistoryResponse(_message.Message):
    __slots__ = ("versions", "next_page_token")
    VERSIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    versions: _containers.RepeatedCompositeFieldContainer[_slot_pb2.Slot]
    next_page_token: str
    def __init__(self, versions: _Optional[_Iterable[_Union[_slot_pb2.Slot, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class WatchSlotsRequest(_message.Message):
    __slots__ = ("agent_id", "resume_token", "after_revision", "from_beginning", "prefix", "channel", "shared", "triggers_after")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    RESUME_TOKEN_FIELD_NUMBER: _ClassVar[int]
    AFTER_REVISION_FIELD_NUMBER: _ClassVar[int]
    FROM_BEGINNING_FIELD_NUMBER: _ClassVar[int]
    PREFIX_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    SHARED_FIELD_NUMBER: _ClassVar[int]
    TRIGGERS_AFTER_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    resume_token: str
    after_revision: _consistency_pb2.Revision
    from_beginning: bool
    prefix: str
    channel: _channel_pb2.Channel
    shared: bool
    triggers_after: _timestamp_pb2.Timestamp
    def __init__(self, agent_id: _Optional[str] = ..., resume_token: _Optional[str] = ..., after_revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., from_beginning: _Optional[bool] = ..., prefix: _Optional[str] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ..., shared: _Optional[bool] = ..., triggers_after: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class WatchSlotsResponse(_message.Message):
    __slots__ = ("change",)
    CHANGE_FIELD_NUMBER: _ClassVar[int]
    change: _slot_pb2.SlotChange
    def __init__(self, change: _Optional[_Union[_slot_pb2.SlotChange, _Mapping]] = ...) -> None: ...

class ExportSlotsRequest(_message.Message):
    __slots__ = ("agent_id", "prefix", "newest_only", "channel", "shared", "page_token")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    PREFIX_FIELD_NUMBER: _ClassVar[int]
    NEWEST_ONLY_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    SHARED_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    prefix: str
    newest_only: bool
    channel: _channel_pb2.Channel
    shared: bool
    page_token: str
    def __init__(self, agent_id: _Optional[str] = ..., prefix: _Optional[str] = ..., newest_only: _Optional[bool] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ..., shared: _Optional[bool] = ..., page_token: _Optional[str] = ...) -> None: ...

class ExportSlotsResponse(_message.Message):
    __slots__ = ("versions", "revision", "next_page_token")
    VERSIONS_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    versions: _containers.RepeatedCompositeFieldContainer[_slot_pb2.Slot]
    revision: _consistency_pb2.Revision
    next_page_token: str
    def __init__(self, versions: _Optional[_Iterable[_Union[_slot_pb2.Slot, _Mapping]]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class RestoreSlotRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "key", "version", "if_version", "channel")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    IF_VERSION_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    key: str
    version: int
    if_version: int
    channel: _channel_pb2.Channel
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., key: _Optional[str] = ..., version: _Optional[int] = ..., if_version: _Optional[int] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ...) -> None: ...

class RestoreSlotResponse(_message.Message):
    __slots__ = ("slot", "revision")
    SLOT_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    slot: _slot_pb2.Slot
    revision: _consistency_pb2.Revision
    def __init__(self, slot: _Optional[_Union[_slot_pb2.Slot, _Mapping]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...
