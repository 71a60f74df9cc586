import datetime

from camillo.v1 import actor_pb2 as _actor_pb2
from camillo.v1 import consistency_pb2 as _consistency_pb2
from camillo.v1 import memory_pb2 as _memory_pb2
from camillo.v1 import options_pb2 as _options_pb2
from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ProvenanceKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PROVENANCE_KIND_UNSPECIFIED: _ClassVar[ProvenanceKind]
    PROVENANCE_KIND_USER: _ClassVar[ProvenanceKind]
    PROVENANCE_KIND_AGENT: _ClassVar[ProvenanceKind]
    PROVENANCE_KIND_TOOL: _ClassVar[ProvenanceKind]
    PROVENANCE_KIND_FILE: _ClassVar[ProvenanceKind]
    PROVENANCE_KIND_WEB: _ClassVar[ProvenanceKind]
    PROVENANCE_KIND_SYSTEM: _ClassVar[ProvenanceKind]
PROVENANCE_KIND_UNSPECIFIED: ProvenanceKind
PROVENANCE_KIND_USER: ProvenanceKind
PROVENANCE_KIND_AGENT: ProvenanceKind
PROVENANCE_KIND_TOOL: ProvenanceKind
PROVENANCE_KIND_FILE: ProvenanceKind
PROVENANCE_KIND_WEB: ProvenanceKind
PROVENANCE_KIND_SYSTEM: ProvenanceKind

class SlotProvenance(_message.Message):
    __slots__ = ("kind", "name", "retrieved_at", "locator")
    KIND_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    RETRIEVED_AT_FIELD_NUMBER: _ClassVar[int]
    LOCATOR_FIELD_NUMBER: _ClassVar[int]
    kind: ProvenanceKind
    name: str
    retrieved_at: _timestamp_pb2.Timestamp
    locator: _struct_pb2.Struct
    def __init__(self, kind: _Optional[_Union[ProvenanceKind, str]] = ..., name: _Optional[str] = ..., retrieved_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., locator: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ...) -> None: ...

class SlotSource(_message.Message):
    __slots__ = ("text", "provenance")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    PROVENANCE_FIELD_NUMBER: _ClassVar[int]
    text: str
    provenance: SlotProvenance
    def __init__(self, text: _Optional[str] = ..., provenance: _Optional[_Union[SlotProvenance, _Mapping]] = ...) -> None: ...

class NewSlot(_message.Message):
    __slots__ = ("key", "json_content", "source", "sensitivity", "if_version", "occurred_at", "unindexed")
    KEY_FIELD_NUMBER: _ClassVar[int]
    JSON_CONTENT_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    SENSITIVITY_FIELD_NUMBER: _ClassVar[int]
    IF_VERSION_FIELD_NUMBER: _ClassVar[int]
    OCCURRED_AT_FIELD_NUMBER: _ClassVar[int]
    UNINDEXED_FIELD_NUMBER: _ClassVar[int]
    key: str
    json_content: str
    source: SlotSource
    sensitivity: _memory_pb2.Sensitivity
    if_version: int
    occurred_at: _timestamp_pb2.Timestamp
    unindexed: bool
    def __init__(self, key: _Optional[str] = ..., json_content: _Optional[str] = ..., source: _Optional[_Union[SlotSource, _Mapping]] = ..., sensitivity: _Optional[_Union[_memory_pb2.Sensitivity, str]] = ..., if_version: _Optional[int] = ..., occurred_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., unindexed: _Optional[bool] = ...) -> None: ...

class Slot(_message.Message):
    __slots__ = ("slot_id", "agent_id", "key", "version", "valid", "json_content", "source", "sensitivity", "trust_level", "updated_at", "type", "tags", "importance", "summary", "expired_at", "trigger_at", "credential", "occurred_at", "unindexed")
    SLOT_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    VALID_FIELD_NUMBER: _ClassVar[int]
    JSON_CONTENT_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    SENSITIVITY_FIELD_NUMBER: _ClassVar[int]
    TRUST_LEVEL_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    IMPORTANCE_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    EXPIRED_AT_FIELD_NUMBER: _ClassVar[int]
    TRIGGER_AT_FIELD_NUMBER: _ClassVar[int]
    CREDENTIAL_FIELD_NUMBER: _ClassVar[int]
    OCCURRED_AT_FIELD_NUMBER: _ClassVar[int]
    UNINDEXED_FIELD_NUMBER: _ClassVar[int]
    slot_id: str
    agent_id: str
    key: str
    version: int
    valid: bool
    json_content: str
    source: SlotSource
    sensitivity: _memory_pb2.Sensitivity
    trust_level: _actor_pb2.TrustLevel
    updated_at: _timestamp_pb2.Timestamp
    type: str
    tags: _containers.RepeatedScalarFieldContainer[str]
    importance: float
    summary: str
    expired_at: _timestamp_pb2.Timestamp
    trigger_at: _timestamp_pb2.Timestamp
    credential: str
    occurred_at: _timestamp_pb2.Timestamp
    unindexed: bool
    def __init__(self, slot_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., key: _Optional[str] = ..., version: _Optional[int] = ..., valid: _Optional[bool] = ..., json_content: _Optional[str] = ..., source: _Optional[_Union[SlotSource, _Mapping]] = ..., sensitivity: _Optional[_Union[_memory_pb2.Sensitivity, str]] = ..., trust_level: _Optional[_Union[_actor_pb2.TrustLevel, str]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., type: _Optional[str] = ..., tags: _Optional[_Iterable[str]] = ..., importance: _Optional[float] = ..., summary: _Optional[str] = ..., expired_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., trigger_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., credential: _Optional[str] = ..., occurred_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., unindexed: _Optional[bool] = ...) -> None: ...

class SlotChange(_message.Message):
    __slots__ = ("resume_token", "revision", "written", "forgotten_slot_id", "hidden_slot_id", "triggered", "checkpoint")
    RESUME_TOKEN_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    WRITTEN_FIELD_NUMBER: _ClassVar[int]
    FORGOTTEN_SLOT_ID_FIELD_NUMBER: _ClassVar[int]
    HIDDEN_SLOT_ID_FIELD_NUMBER: _ClassVar[int]
    TRIGGERED_FIELD_NUMBER: _ClassVar[int]
    CHECKPOINT_FIELD_NUMBER: _ClassVar[int]
    resume_token: str
    revision: _consistency_pb2.Revision
    written: Slot
    forgotten_slot_id: str
    hidden_slot_id: str
    triggered: Slot
    checkpoint: _memory_pb2.Checkpoint
    def __init__(self, resume_token: _Optional[str] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., written: _Optional[_Union[Slot, _Mapping]] = ..., forgotten_slot_id: _Optional[str] = ..., hidden_slot_id: _Optional[str] = ..., triggered: _Optional[_Union[Slot, _Mapping]] = ..., checkpoint: _Optional[_Union[_memory_pb2.Checkpoint, _Mapping]] = ...) -> None: ...
