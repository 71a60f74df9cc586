import datetime

from camillo.v1 import audit_pb2 as _audit_pb2
from camillo.v1 import consistency_pb2 as _consistency_pb2
from camillo.v1 import memory_pb2 as _memory_pb2
from camillo.v1 import options_pb2 as _options_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AuditFilter(_message.Message):
    __slots__ = ("scope_agent_id", "method", "credential", "id", "at_from", "at_before")
    SCOPE_AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    CREDENTIAL_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    AT_FROM_FIELD_NUMBER: _ClassVar[int]
    AT_BEFORE_FIELD_NUMBER: _ClassVar[int]
    scope_agent_id: str
    method: str
    credential: str
    id: str
    at_from: _timestamp_pb2.Timestamp
    at_before: _timestamp_pb2.Timestamp
    def __init__(self, scope_agent_id: _Optional[str] = ..., method: _Optional[str] = ..., credential: _Optional[str] = ..., id: _Optional[str] = ..., at_from: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., at_before: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListAuditEntriesRequest(_message.Message):
    __slots__ = ("filter", "page_size", "page_token")
    FILTER_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    filter: AuditFilter
    page_size: int
    page_token: str
    def __init__(self, filter: _Optional[_Union[AuditFilter, _Mapping]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListAuditEntriesResponse(_message.Message):
    __slots__ = ("entries", "next_page_token")
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[_audit_pb2.AuditEntry]
    next_page_token: str
    def __init__(self, entries: _Optional[_Iterable[_Union[_audit_pb2.AuditEntry, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class WatchAuditRequest(_message.Message):
    __slots__ = ("filter", "resume_token")
    FILTER_FIELD_NUMBER: _ClassVar[int]
    RESUME_TOKEN_FIELD_NUMBER: _ClassVar[int]
    filter: AuditFilter
    resume_token: str
    def __init__(self, filter: _Optional[_Union[AuditFilter, _Mapping]] = ..., resume_token: _Optional[str] = ...) -> None: ...

class WatchAuditResponse(_message.Message):
    __slots__ = ("change",)
    CHANGE_FIELD_NUMBER: _ClassVar[int]
    change: _audit_pb2.AuditChange
    def __init__(self, change: _Optional[_Union[_audit_pb2.AuditChange, _Mapping]] = ...) -> None: ...

class RecordAuditEntryRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "action")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    action: _audit_pb2.NewAuditAction
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., action: _Optional[_Union[_audit_pb2.NewAuditAction, _Mapping]] = ...) -> None: ...

class RecordAuditEntryResponse(_message.Message):
    __slots__ = ("action_id", "action", "shared_revision", "redactions")
    ACTION_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    SHARED_REVISION_FIELD_NUMBER: _ClassVar[int]
    REDACTIONS_FIELD_NUMBER: _ClassVar[int]
    action_id: str
    action: _audit_pb2.NewAuditAction
    shared_revision: _consistency_pb2.Revision
    redactions: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Redaction]
    def __init__(self, action_id: _Optional[str] = ..., action: _Optional[_Union[_audit_pb2.NewAuditAction, _Mapping]] = ..., shared_revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., redactions: _Optional[_Iterable[_Union[_memory_pb2.Redaction, _Mapping]]] = ...) -> None: ...

class VerifyAuditRequest(_message.Message):
    __slots__ = ("known_heads",)
    KNOWN_HEADS_FIELD_NUMBER: _ClassVar[int]
    known_heads: _containers.RepeatedCompositeFieldContainer[_audit_pb2.AuditHead]
    def __init__(self, known_heads: _Optional[_Iterable[_Union[_audit_pb2.AuditHead, _Mapping]]] = ...) -> None: ...

class VerifyAuditResponse(_message.Message):
    __slots__ = ("head", "entries", "pruned_position", "problems")
    HEAD_FIELD_NUMBER: _ClassVar[int]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    PRUNED_POSITION_FIELD_NUMBER: _ClassVar[int]
    PROBLEMS_FIELD_NUMBER: _ClassVar[int]
    head: _audit_pb2.AuditHead
    entries: int
    pruned_position: int
    problems: _containers.RepeatedCompositeFieldContainer[_audit_pb2.AuditProblem]
    def __init__(self, head: _Optional[_Union[_audit_pb2.AuditHead, _Mapping]] = ..., entries: _Optional[int] = ..., pruned_position: _Optional[int] = ..., problems: _Optional[_Iterable[_Union[_audit_pb2.AuditProblem, _Mapping]]] = ...) -> None: ...

class GetAuditPolicyRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetAuditPolicyResponse(_message.Message):
    __slots__ = ("policy",)
    POLICY_FIELD_NUMBER: _ClassVar[int]
    policy: _audit_pb2.AuditPolicy
    def __init__(self, policy: _Optional[_Union[_audit_pb2.AuditPolicy, _Mapping]] = ...) -> None: ...

class SetAuditPolicyRequest(_message.Message):
    __slots__ = ("request_id", "policy")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    POLICY_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    policy: _audit_pb2.AuditPolicy
    def __init__(self, request_id: _Optional[str] = ..., policy: _Optional[_Union[_audit_pb2.AuditPolicy, _Mapping]] = ...) -> None: ...

class SetAuditPolicyResponse(_message.Message):
    __slots__ = ("policy",)
    POLICY_FIELD_NUMBER: _ClassVar[int]
    policy: _audit_pb2.AuditPolicy
    def __init__(self, policy: _Optional[_Union[_audit_pb2.AuditPolicy, _Mapping]] = ...) -> None: ...
