import datetime

from camillo.v1 import memory_pb2 as _memory_pb2
from camillo.v1 import options_pb2 as _options_pb2
from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AuditProblemKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    AUDIT_PROBLEM_KIND_UNSPECIFIED: _ClassVar[AuditProblemKind]
    AUDIT_PROBLEM_KIND_CHANGED: _ClassVar[AuditProblemKind]
    AUDIT_PROBLEM_KIND_MISSING: _ClassVar[AuditProblemKind]
    AUDIT_PROBLEM_KIND_ADDED: _ClassVar[AuditProblemKind]
AUDIT_PROBLEM_KIND_UNSPECIFIED: AuditProblemKind
AUDIT_PROBLEM_KIND_CHANGED: AuditProblemKind
AUDIT_PROBLEM_KIND_MISSING: AuditProblemKind
AUDIT_PROBLEM_KIND_ADDED: AuditProblemKind

class AuditEntry(_message.Message):
    __slots__ = ("agent_id", "position", "at", "method", "credential", "revision", "facts", "hash", "action_id", "action")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    CREDENTIAL_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    FACTS_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    ACTION_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    position: int
    at: _timestamp_pb2.Timestamp
    method: str
    credential: str
    revision: int
    facts: str
    hash: bytes
    action_id: str
    action: NewAuditAction
    def __init__(self, agent_id: _Optional[str] = ..., position: _Optional[int] = ..., at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., method: _Optional[str] = ..., credential: _Optional[str] = ..., revision: _Optional[int] = ..., facts: _Optional[str] = ..., hash: _Optional[bytes] = ..., action_id: _Optional[str] = ..., action: _Optional[_Union[NewAuditAction, _Mapping]] = ...) -> None: ...

class NewAuditAction(_message.Message):
    __slots__ = ("action", "message", "meta", "session_id", "sensitivity", "occurred_at")
    ACTION_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    META_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    SENSITIVITY_FIELD_NUMBER: _ClassVar[int]
    OCCURRED_AT_FIELD_NUMBER: _ClassVar[int]
    action: str
    message: str
    meta: _struct_pb2.Struct
    session_id: str
    sensitivity: _memory_pb2.Sensitivity
    occurred_at: _timestamp_pb2.Timestamp
    def __init__(self, action: _Optional[str] = ..., message: _Optional[str] = ..., meta: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., session_id: _Optional[str] = ..., sensitivity: _Optional[_Union[_memory_pb2.Sensitivity, str]] = ..., occurred_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class AuditChange(_message.Message):
    __slots__ = ("entry", "resume_token")
    ENTRY_FIELD_NUMBER: _ClassVar[int]
    RESUME_TOKEN_FIELD_NUMBER: _ClassVar[int]
    entry: AuditEntry
    resume_token: str
    def __init__(self, entry: _Optional[_Union[AuditEntry, _Mapping]] = ..., resume_token: _Optional[str] = ...) -> None: ...

class AuditHead(_message.Message):
    __slots__ = ("agent_id", "position", "hash")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    position: int
    hash: bytes
    def __init__(self, agent_id: _Optional[str] = ..., position: _Optional[int] = ..., hash: _Optional[bytes] = ...) -> None: ...

class AuditProblem(_message.Message):
    __slots__ = ("position", "kind")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    position: int
    kind: AuditProblemKind
    def __init__(self, position: _Optional[int] = ..., kind: _Optional[_Union[AuditProblemKind, str]] = ...) -> None: ...

class AuditPolicy(_message.Message):
    __slots__ = ("retention_days", "audit_reads")
    RETENTION_DAYS_FIELD_NUMBER: _ClassVar[int]
    AUDIT_READS_FIELD_NUMBER: _ClassVar[int]
    retention_days: int
    audit_reads: bool
    def __init__(self, retention_days: _Optional[int] = ..., audit_reads: _Optional[bool] = ...) -> None: ...
