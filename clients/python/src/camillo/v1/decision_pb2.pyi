import datetime

from camillo.v1 import channel_pb2 as _channel_pb2
from camillo.v1 import memory_pb2 as _memory_pb2
from camillo.v1 import options_pb2 as _options_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DecisionStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DECISION_STATUS_UNSPECIFIED: _ClassVar[DecisionStatus]
    DECISION_STATUS_ACTIVE: _ClassVar[DecisionStatus]
    DECISION_STATUS_SUPERSEDED: _ClassVar[DecisionStatus]

class DecisionReach(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DECISION_REACH_UNSPECIFIED: _ClassVar[DecisionReach]
    DECISION_REACH_PROJECT: _ClassVar[DecisionReach]
    DECISION_REACH_USER: _ClassVar[DecisionReach]
    DECISION_REACH_GLOBAL: _ClassVar[DecisionReach]
DECISION_STATUS_UNSPECIFIED: DecisionStatus
DECISION_STATUS_ACTIVE: DecisionStatus
DECISION_STATUS_SUPERSEDED: DecisionStatus
DECISION_REACH_UNSPECIFIED: DecisionReach
DECISION_REACH_PROJECT: DecisionReach
DECISION_REACH_USER: DecisionReach
DECISION_REACH_GLOBAL: DecisionReach

class NewDecision(_message.Message):
    __slots__ = ("decision", "reach", "rationale", "constraints", "alternatives", "consequences", "refs", "session_id", "channel", "sensitivity", "tags", "decided_at")
    DECISION_FIELD_NUMBER: _ClassVar[int]
    REACH_FIELD_NUMBER: _ClassVar[int]
    RATIONALE_FIELD_NUMBER: _ClassVar[int]
    CONSTRAINTS_FIELD_NUMBER: _ClassVar[int]
    ALTERNATIVES_FIELD_NUMBER: _ClassVar[int]
    CONSEQUENCES_FIELD_NUMBER: _ClassVar[int]
    REFS_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    SENSITIVITY_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    DECIDED_AT_FIELD_NUMBER: _ClassVar[int]
    decision: str
    reach: DecisionReach
    rationale: _containers.RepeatedScalarFieldContainer[str]
    constraints: _containers.RepeatedScalarFieldContainer[str]
    alternatives: _containers.RepeatedScalarFieldContainer[str]
    consequences: _containers.RepeatedScalarFieldContainer[str]
    refs: _containers.RepeatedScalarFieldContainer[str]
    session_id: str
    channel: _channel_pb2.Channel
    sensitivity: _memory_pb2.Sensitivity
    tags: _containers.RepeatedScalarFieldContainer[str]
    decided_at: _timestamp_pb2.Timestamp
    def __init__(self, decision: _Optional[str] = ..., reach: _Optional[_Union[DecisionReach, str]] = ..., rationale: _Optional[_Iterable[str]] = ..., constraints: _Optional[_Iterable[str]] = ..., alternatives: _Optional[_Iterable[str]] = ..., consequences: _Optional[_Iterable[str]] = ..., refs: _Optional[_Iterable[str]] = ..., session_id: _Optional[str] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ..., sensitivity: _Optional[_Union[_memory_pb2.Sensitivity, str]] = ..., tags: _Optional[_Iterable[str]] = ..., decided_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Decision(_message.Message):
    __slots__ = ("decision_id", "agent_id", "stated", "status", "supersedes", "superseded_by", "version", "created_at", "superseded_at")
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    STATED_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    SUPERSEDES_FIELD_NUMBER: _ClassVar[int]
    SUPERSEDED_BY_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    SUPERSEDED_AT_FIELD_NUMBER: _ClassVar[int]
    decision_id: str
    agent_id: str
    stated: NewDecision
    status: DecisionStatus
    supersedes: _containers.RepeatedScalarFieldContainer[str]
    superseded_by: str
    version: int
    created_at: _timestamp_pb2.Timestamp
    superseded_at: _timestamp_pb2.Timestamp
    def __init__(self, decision_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., stated: _Optional[_Union[NewDecision, _Mapping]] = ..., status: _Optional[_Union[DecisionStatus, str]] = ..., supersedes: _Optional[_Iterable[str]] = ..., superseded_by: _Optional[str] = ..., version: _Optional[int] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., superseded_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
