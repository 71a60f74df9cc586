import datetime

from camillo.v1 import actor_pb2 as _actor_pb2
from camillo.v1 import memory_pb2 as _memory_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ProposalOperation(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PROPOSAL_OPERATION_UNSPECIFIED: _ClassVar[ProposalOperation]
    PROPOSAL_OPERATION_ADD: _ClassVar[ProposalOperation]
    PROPOSAL_OPERATION_SUPERSEDE: _ClassVar[ProposalOperation]
    PROPOSAL_OPERATION_CONFIRM: _ClassVar[ProposalOperation]

class ProposedRecord(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PROPOSED_RECORD_UNSPECIFIED: _ClassVar[ProposedRecord]
    PROPOSED_RECORD_MEMORY: _ClassVar[ProposedRecord]
    PROPOSED_RECORD_DECISION: _ClassVar[ProposedRecord]
    PROPOSED_RECORD_TASK: _ClassVar[ProposedRecord]

class ProposalState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PROPOSAL_STATE_UNSPECIFIED: _ClassVar[ProposalState]
    PROPOSAL_STATE_PENDING: _ClassVar[ProposalState]
    PROPOSAL_STATE_ACCEPTED: _ClassVar[ProposalState]
    PROPOSAL_STATE_REJECTED: _ClassVar[ProposalState]
    PROPOSAL_STATE_STALE: _ClassVar[ProposalState]
    PROPOSAL_STATE_REFUSED: _ClassVar[ProposalState]
    PROPOSAL_STATE_REVERTED: _ClassVar[ProposalState]

class DropReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DROP_REASON_UNSPECIFIED: _ClassVar[DropReason]
    DROP_REASON_MALFORMED: _ClassVar[DropReason]
    DROP_REASON_UNKNOWN_EVENT: _ClassVar[DropReason]
    DROP_REASON_QUOTE_NOT_FOUND: _ClassVar[DropReason]
    DROP_REASON_WRONG_SPEAKER: _ClassVar[DropReason]
    DROP_REASON_NOT_IN_QUOTES: _ClassVar[DropReason]
    DROP_REASON_UNKNOWN_MEMORY: _ClassVar[DropReason]
    DROP_REASON_CANARY: _ClassVar[DropReason]
    DROP_REASON_UNTRUSTED_INSTRUCTION: _ClassVar[DropReason]
    DROP_REASON_VALUE_REJECTED: _ClassVar[DropReason]
    DROP_REASON_ALREADY_KNOWN: _ClassVar[DropReason]
    DROP_REASON_TOO_MANY: _ClassVar[DropReason]

class DistillationTrigger(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DISTILLATION_TRIGGER_UNSPECIFIED: _ClassVar[DistillationTrigger]
    DISTILLATION_TRIGGER_REQUEST: _ClassVar[DistillationTrigger]
    DISTILLATION_TRIGGER_IDLE: _ClassVar[DistillationTrigger]
    DISTILLATION_TRIGGER_TURNS: _ClassVar[DistillationTrigger]

class DistillationState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DISTILLATION_STATE_UNSPECIFIED: _ClassVar[DistillationState]
    DISTILLATION_STATE_DONE: _ClassVar[DistillationState]
    DISTILLATION_STATE_REVERTED: _ClassVar[DistillationState]
PROPOSAL_OPERATION_UNSPECIFIED: ProposalOperation
PROPOSAL_OPERATION_ADD: ProposalOperation
PROPOSAL_OPERATION_SUPERSEDE: ProposalOperation
PROPOSAL_OPERATION_CONFIRM: ProposalOperation
PROPOSED_RECORD_UNSPECIFIED: ProposedRecord
PROPOSED_RECORD_MEMORY: ProposedRecord
PROPOSED_RECORD_DECISION: ProposedRecord
PROPOSED_RECORD_TASK: ProposedRecord
PROPOSAL_STATE_UNSPECIFIED: ProposalState
PROPOSAL_STATE_PENDING: ProposalState
PROPOSAL_STATE_ACCEPTED: ProposalState
PROPOSAL_STATE_REJECTED: ProposalState
PROPOSAL_STATE_STALE: ProposalState
PROPOSAL_STATE_REFUSED: ProposalState
PROPOSAL_STATE_REVERTED: ProposalState
DROP_REASON_UNSPECIFIED: DropReason
DROP_REASON_MALFORMED: DropReason
DROP_REASON_UNKNOWN_EVENT: DropReason
DROP_REASON_QUOTE_NOT_FOUND: DropReason
DROP_REASON_WRONG_SPEAKER: DropReason
DROP_REASON_NOT_IN_QUOTES: DropReason
DROP_REASON_UNKNOWN_MEMORY: DropReason
DROP_REASON_CANARY: DropReason
DROP_REASON_UNTRUSTED_INSTRUCTION: DropReason
DROP_REASON_VALUE_REJECTED: DropReason
DROP_REASON_ALREADY_KNOWN: DropReason
DROP_REASON_TOO_MANY: DropReason
DISTILLATION_TRIGGER_UNSPECIFIED: DistillationTrigger
DISTILLATION_TRIGGER_REQUEST: DistillationTrigger
DISTILLATION_TRIGGER_IDLE: DistillationTrigger
DISTILLATION_TRIGGER_TURNS: DistillationTrigger
DISTILLATION_STATE_UNSPECIFIED: DistillationState
DISTILLATION_STATE_DONE: DistillationState
DISTILLATION_STATE_REVERTED: DistillationState

class EventQuote(_message.Message):
    __slots__ = ("event_id", "text")
    EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    event_id: str
    text: str
    def __init__(self, event_id: _Optional[str] = ..., text: _Optional[str] = ...) -> None: ...

class Proposal(_message.Message):
    __slots__ = ("proposal_id", "distillation_id", "state", "operation", "record", "content", "kind", "subject", "names", "quotes", "confidence", "sensitivity", "trust_level", "occurred_at", "valid_from", "valid_until", "memory_id", "memory_version", "result_id", "edited", "reviewer", "created_at", "reviewed_at")
    PROPOSAL_ID_FIELD_NUMBER: _ClassVar[int]
    DISTILLATION_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    OPERATION_FIELD_NUMBER: _ClassVar[int]
    RECORD_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    NAMES_FIELD_NUMBER: _ClassVar[int]
    QUOTES_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    SENSITIVITY_FIELD_NUMBER: _ClassVar[int]
    TRUST_LEVEL_FIELD_NUMBER: _ClassVar[int]
    OCCURRED_AT_FIELD_NUMBER: _ClassVar[int]
    VALID_FROM_FIELD_NUMBER: _ClassVar[int]
    VALID_UNTIL_FIELD_NUMBER: _ClassVar[int]
    MEMORY_ID_FIELD_NUMBER: _ClassVar[int]
    MEMORY_VERSION_FIELD_NUMBER: _ClassVar[int]
    RESULT_ID_FIELD_NUMBER: _ClassVar[int]
    EDITED_FIELD_NUMBER: _ClassVar[int]
    REVIEWER_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    REVIEWED_AT_FIELD_NUMBER: _ClassVar[int]
    proposal_id: str
    distillation_id: str
    state: ProposalState
    operation: ProposalOperation
    record: ProposedRecord
    content: str
    kind: _memory_pb2.MemoryKind
    subject: str
    names: _containers.RepeatedScalarFieldContainer[str]
    quotes: _containers.RepeatedCompositeFieldContainer[EventQuote]
    confidence: float
    sensitivity: _memory_pb2.Sensitivity
    trust_level: _actor_pb2.TrustLevel
    occurred_at: _timestamp_pb2.Timestamp
    valid_from: _timestamp_pb2.Timestamp
    valid_until: _timestamp_pb2.Timestamp
    memory_id: str
    memory_version: int
    result_id: str
    edited: bool
    reviewer: str
    created_at: _timestamp_pb2.Timestamp
    reviewed_at: _timestamp_pb2.Timestamp
    def __init__(self, proposal_id: _Optional[str] = ..., distillation_id: _Optional[str] = ..., state: _Optional[_Union[ProposalState, str]] = ..., operation: _Optional[_Union[ProposalOperation, str]] = ..., record: _Optional[_Union[ProposedRecord, str]] = ..., content: _Optional[str] = ..., kind: _Optional[_Union[_memory_pb2.MemoryKind, str]] = ..., subject: _Optional[str] = ..., names: _Optional[_Iterable[str]] = ..., quotes: _Optional[_Iterable[_Union[EventQuote, _Mapping]]] = ..., confidence: _Optional[float] = ..., sensitivity: _Optional[_Union[_memory_pb2.Sensitivity, str]] = ..., trust_level: _Optional[_Union[_actor_pb2.TrustLevel, str]] = ..., occurred_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., valid_from: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., valid_until: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., memory_id: _Optional[str] = ..., memory_version: _Optional[int] = ..., result_id: _Optional[str] = ..., edited: _Optional[bool] = ..., reviewer: _Optional[str] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., reviewed_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class DropCount(_message.Message):
    __slots__ = ("reason", "statements")
    REASON_FIELD_NUMBER: _ClassVar[int]
    STATEMENTS_FIELD_NUMBER: _ClassVar[int]
    reason: DropReason
    statements: int
    def __init__(self, reason: _Optional[_Union[DropReason, str]] = ..., statements: _Optional[int] = ...) -> None: ...

class LeftOutCount(_message.Message):
    __slots__ = ("reason", "turns")
    REASON_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    reason: str
    turns: int
    def __init__(self, reason: _Optional[str] = ..., turns: _Optional[int] = ...) -> None: ...

class Distillation(_message.Message):
    __slots__ = ("distillation_id", "state", "trigger", "session_id", "model_id", "prompt_digest", "turns", "turns_sent", "said_tokens", "sent_tokens", "input_tokens", "output_tokens", "nano_usd", "requests", "first_event_id", "last_event_id", "proposals", "accepted", "dropped", "left_out", "created_at", "reverted_at")
    DISTILLATION_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    TRIGGER_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    PROMPT_DIGEST_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    TURNS_SENT_FIELD_NUMBER: _ClassVar[int]
    SAID_TOKENS_FIELD_NUMBER: _ClassVar[int]
    SENT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    INPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    NANO_USD_FIELD_NUMBER: _ClassVar[int]
    REQUESTS_FIELD_NUMBER: _ClassVar[int]
    FIRST_EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    LAST_EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    PROPOSALS_FIELD_NUMBER: _ClassVar[int]
    ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    DROPPED_FIELD_NUMBER: _ClassVar[int]
    LEFT_OUT_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    REVERTED_AT_FIELD_NUMBER: _ClassVar[int]
    distillation_id: str
    state: DistillationState
    trigger: DistillationTrigger
    session_id: str
    model_id: str
    prompt_digest: str
    turns: int
    turns_sent: int
    said_tokens: int
    sent_tokens: int
    input_tokens: int
    output_tokens: int
    nano_usd: int
    requests: int
    first_event_id: str
    last_event_id: str
    proposals: int
    accepted: int
    dropped: _containers.RepeatedCompositeFieldContainer[DropCount]
    left_out: _containers.RepeatedCompositeFieldContainer[LeftOutCount]
    created_at: _timestamp_pb2.Timestamp
    reverted_at: _timestamp_pb2.Timestamp
    def __init__(self, distillation_id: _Optional[str] = ..., state: _Optional[_Union[DistillationState, str]] = ..., trigger: _Optional[_Union[DistillationTrigger, str]] = ..., session_id: _Optional[str] = ..., model_id: _Optional[str] = ..., prompt_digest: _Optional[str] = ..., turns: _Optional[int] = ..., turns_sent: _Optional[int] = ..., said_tokens: _Optional[int] = ..., sent_tokens: _Optional[int] = ..., input_tokens: _Optional[int] = ..., output_tokens: _Optional[int] = ..., nano_usd: _Optional[int] = ..., requests: _Optional[int] = ..., first_event_id: _Optional[str] = ..., last_event_id: _Optional[str] = ..., proposals: _Optional[int] = ..., accepted: _Optional[int] = ..., dropped: _Optional[_Iterable[_Union[DropCount, _Mapping]]] = ..., left_out: _Optional[_Iterable[_Union[LeftOutCount, _Mapping]]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., reverted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
