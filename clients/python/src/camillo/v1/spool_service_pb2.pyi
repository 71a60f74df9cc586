from camillo.v1 import memory_pb2 as _memory_pb2
from camillo.v1 import options_pb2 as _options_pb2
from camillo.v1 import spool_pb2 as _spool_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListSpooledRequest(_message.Message):
    __slots__ = ("state", "page_size", "page_token")
    STATE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    state: _spool_pb2.SpoolState
    page_size: int
    page_token: str
    def __init__(self, state: _Optional[_Union[_spool_pb2.SpoolState, str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListSpooledResponse(_message.Message):
    __slots__ = ("writes", "next_page_token", "degraded")
    WRITES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    DEGRADED_FIELD_NUMBER: _ClassVar[int]
    writes: _containers.RepeatedCompositeFieldContainer[_spool_pb2.SpooledWrite]
    next_page_token: str
    degraded: _containers.RepeatedScalarFieldContainer[_memory_pb2.DegradedReason]
    def __init__(self, writes: _Optional[_Iterable[_Union[_spool_pb2.SpooledWrite, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., degraded: _Optional[_Iterable[_Union[_memory_pb2.DegradedReason, str]]] = ...) -> None: ...

class RetrySpooledRequest(_message.Message):
    __slots__ = ("request_id", "spool_ids")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SPOOL_IDS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    spool_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, request_id: _Optional[str] = ..., spool_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class RetrySpooledResponse(_message.Message):
    __slots__ = ("stored", "failed")
    STORED_FIELD_NUMBER: _ClassVar[int]
    FAILED_FIELD_NUMBER: _ClassVar[int]
    stored: int
    failed: _containers.RepeatedCompositeFieldContainer[_spool_pb2.SpooledWrite]
    def __init__(self, stored: _Optional[int] = ..., failed: _Optional[_Iterable[_Union[_spool_pb2.SpooledWrite, _Mapping]]] = ...) -> None: ...

class DiscardSpooledRequest(_message.Message):
    __slots__ = ("request_id", "spool_ids")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SPOOL_IDS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    spool_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, request_id: _Optional[str] = ..., spool_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class DiscardSpooledResponse(_message.Message):
    __slots__ = ("discarded",)
    DISCARDED_FIELD_NUMBER: _ClassVar[int]
    discarded: int
    def __init__(self, discarded: _Optional[int] = ...) -> None: ...

class GetSpoolPolicyRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetSpoolPolicyResponse(_message.Message):
    __slots__ = ("policy",)
    POLICY_FIELD_NUMBER: _ClassVar[int]
    policy: _spool_pb2.SpoolPolicy
    def __init__(self, policy: _Optional[_Union[_spool_pb2.SpoolPolicy, str]] = ...) -> None: ...

class SetSpoolPolicyRequest(_message.Message):
    __slots__ = ("request_id", "policy")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    POLICY_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    policy: _spool_pb2.SpoolPolicy
    def __init__(self, request_id: _Optional[str] = ..., policy: _Optional[_Union[_spool_pb2.SpoolPolicy, str]] = ...) -> None: ...

class SetSpoolPolicyResponse(_message.Message):
    __slots__ = ("policy",)
    POLICY_FIELD_NUMBER: _ClassVar[int]
    policy: _spool_pb2.SpoolPolicy
    def __init__(self, policy: _Optional[_Union[_spool_pb2.SpoolPolicy, str]] = ...) -> None: ...
