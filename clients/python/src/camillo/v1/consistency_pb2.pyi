from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Revision(_message.Message):
    __slots__ = ("token",)
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    token: str
    def __init__(self, token: _Optional[str] = ...) -> None: ...

class Freshness(_message.Message):
    __slots__ = ("minimize_latency", "at_least_as_fresh", "fully_consistent")
    MINIMIZE_LATENCY_FIELD_NUMBER: _ClassVar[int]
    AT_LEAST_AS_FRESH_FIELD_NUMBER: _ClassVar[int]
    FULLY_CONSISTENT_FIELD_NUMBER: _ClassVar[int]
    minimize_latency: bool
    at_least_as_fresh: Revision
    fully_consistent: bool
    def __init__(self, minimize_latency: _Optional[bool] = ..., at_least_as_fresh: _Optional[_Union[Revision, _Mapping]] = ..., fully_consistent: _Optional[bool] = ...) -> None: ...
