from camillo.v1 import channel_pb2 as _channel_pb2
from camillo.v1 import consistency_pb2 as _consistency_pb2
from camillo.v1 import decision_pb2 as _decision_pb2
from camillo.v1 import memory_pb2 as _memory_pb2
from camillo.v1 import options_pb2 as _options_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RecordDecisionRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "decision")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    decision: _decision_pb2.NewDecision
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., decision: _Optional[_Union[_decision_pb2.NewDecision, _Mapping]] = ...) -> None: ...

class RecordDecisionResponse(_message.Message):
    __slots__ = ("decision", "revision", "redactions")
    DECISION_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    REDACTIONS_FIELD_NUMBER: _ClassVar[int]
    decision: _decision_pb2.Decision
    revision: _consistency_pb2.Revision
    redactions: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Redaction]
    def __init__(self, decision: _Optional[_Union[_decision_pb2.Decision, _Mapping]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., redactions: _Optional[_Iterable[_Union[_memory_pb2.Redaction, _Mapping]]] = ...) -> None: ...

class SupersedeDecisionRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "decision_id", "expected_version", "decision", "successor_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    SUCCESSOR_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    decision_id: str
    expected_version: int
    decision: _decision_pb2.NewDecision
    successor_id: str
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., decision_id: _Optional[str] = ..., expected_version: _Optional[int] = ..., decision: _Optional[_Union[_decision_pb2.NewDecision, _Mapping]] = ..., successor_id: _Optional[str] = ...) -> None: ...

class SupersedeDecisionResponse(_message.Message):
    __slots__ = ("decision", "superseded", "revision", "redactions")
    DECISION_FIELD_NUMBER: _ClassVar[int]
    SUPERSEDED_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    REDACTIONS_FIELD_NUMBER: _ClassVar[int]
    decision: _decision_pb2.Decision
    superseded: _decision_pb2.Decision
    revision: _consistency_pb2.Revision
    redactions: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Redaction]
    def __init__(self, decision: _Optional[_Union[_decision_pb2.Decision, _Mapping]] = ..., superseded: _Optional[_Union[_decision_pb2.Decision, _Mapping]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., redactions: _Optional[_Iterable[_Union[_memory_pb2.Redaction, _Mapping]]] = ...) -> None: ...

class GetDecisionRequest(_message.Message):
    __slots__ = ("agent_id", "decision_id", "channel")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    decision_id: str
    channel: _channel_pb2.Channel
    def __init__(self, agent_id: _Optional[str] = ..., decision_id: _Optional[str] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ...) -> None: ...

class GetDecisionResponse(_message.Message):
    __slots__ = ("decision",)
    DECISION_FIELD_NUMBER: _ClassVar[int]
    decision: _decision_pb2.Decision
    def __init__(self, decision: _Optional[_Union[_decision_pb2.Decision, _Mapping]] = ...) -> None: ...

class DecisionFilter(_message.Message):
    __slots__ = ("statuses", "reaches", "session_id", "tags_any", "ref")
    STATUSES_FIELD_NUMBER: _ClassVar[int]
    REACHES_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TAGS_ANY_FIELD_NUMBER: _ClassVar[int]
    REF_FIELD_NUMBER: _ClassVar[int]
    statuses: _containers.RepeatedScalarFieldContainer[_decision_pb2.DecisionStatus]
    reaches: _containers.RepeatedScalarFieldContainer[_decision_pb2.DecisionReach]
    session_id: str
    tags_any: _containers.RepeatedScalarFieldContainer[str]
    ref: str
    def __init__(self, statuses: _Optional[_Iterable[_Union[_decision_pb2.DecisionStatus, str]]] = ..., reaches: _Optional[_Iterable[_Union[_decision_pb2.DecisionReach, str]]] = ..., session_id: _Optional[str] = ..., tags_any: _Optional[_Iterable[str]] = ..., ref: _Optional[str] = ...) -> None: ...

class QueryDecisionsRequest(_message.Message):
    __slots__ = ("agent_id", "text", "filter", "channel", "page_size", "page_token")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    text: str
    filter: DecisionFilter
    channel: _channel_pb2.Channel
    page_size: int
    page_token: str
    def __init__(self, agent_id: _Optional[str] = ..., text: _Optional[str] = ..., filter: _Optional[_Union[DecisionFilter, _Mapping]] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class FoundDecision(_message.Message):
    __slots__ = ("decision", "score")
    DECISION_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    decision: _decision_pb2.Decision
    score: float
    def __init__(self, decision: _Optional[_Union[_decision_pb2.Decision, _Mapping]] = ..., score: _Optional[float] = ...) -> None: ...

class QueryDecisionsResponse(_message.Message):
    __slots__ = ("decisions", "next_page_token", "degraded")
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    DEGRADED_FIELD_NUMBER: _ClassVar[int]
    decisions: _containers.RepeatedCompositeFieldContainer[FoundDecision]
    next_page_token: str
    degraded: _containers.RepeatedScalarFieldContainer[_memory_pb2.DegradedReason]
    def __init__(self, decisions: _Optional[_Iterable[_Union[FoundDecision, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., degraded: _Optional[_Iterable[_Union[_memory_pb2.DegradedReason, str]]] = ...) -> None: ...
