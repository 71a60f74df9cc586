import datetime

from camillo.v1 import options_pb2 as _options_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SpoolPolicy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SPOOL_POLICY_UNSPECIFIED: _ClassVar[SpoolPolicy]
    SPOOL_POLICY_SPOOL: _ClassVar[SpoolPolicy]
    SPOOL_POLICY_REFUSE: _ClassVar[SpoolPolicy]
    SPOOL_POLICY_DROP: _ClassVar[SpoolPolicy]

class SpoolState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SPOOL_STATE_UNSPECIFIED: _ClassVar[SpoolState]
    SPOOL_STATE_WAITING: _ClassVar[SpoolState]
    SPOOL_STATE_FAILED: _ClassVar[SpoolState]
SPOOL_POLICY_UNSPECIFIED: SpoolPolicy
SPOOL_POLICY_SPOOL: SpoolPolicy
SPOOL_POLICY_REFUSE: SpoolPolicy
SPOOL_POLICY_DROP: SpoolPolicy
SPOOL_STATE_UNSPECIFIED: SpoolState
SPOOL_STATE_WAITING: SpoolState
SPOOL_STATE_FAILED: SpoolState

class SpooledWrite(_message.Message):
    __slots__ = ("spool_id", "agent_id", "method", "request_id", "accepted_at", "byte_count", "state", "reason", "message", "failed_at", "may_be_retried")
    SPOOL_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    ACCEPTED_AT_FIELD_NUMBER: _ClassVar[int]
    BYTE_COUNT_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    FAILED_AT_FIELD_NUMBER: _ClassVar[int]
    MAY_BE_RETRIED_FIELD_NUMBER: _ClassVar[int]
    spool_id: str
    agent_id: str
    method: str
    request_id: str
    accepted_at: _timestamp_pb2.Timestamp
    byte_count: int
    state: SpoolState
    reason: str
    message: str
    failed_at: _timestamp_pb2.Timestamp
    may_be_retried: bool
    def __init__(self, spool_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., method: _Optional[str] = ..., request_id: _Optional[str] = ..., accepted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., byte_count: _Optional[int] = ..., state: _Optional[_Union[SpoolState, str]] = ..., reason: _Optional[str] = ..., message: _Optional[str] = ..., failed_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., may_be_retried: _Optional[bool] = ...) -> None: ...
