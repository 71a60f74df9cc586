from camillo.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Durability(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DURABILITY_UNSPECIFIED: _ClassVar[Durability]
    DURABILITY_COMMITTED: _ClassVar[Durability]
    DURABILITY_SPOOLED: _ClassVar[Durability]
    DURABILITY_DROPPED: _ClassVar[Durability]
DURABILITY_UNSPECIFIED: Durability
DURABILITY_COMMITTED: Durability
DURABILITY_SPOOLED: Durability
DURABILITY_DROPPED: Durability

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

class SpaceRead(_message.Message):
    __slots__ = ("space", "freshness")
    SPACE_FIELD_NUMBER: _ClassVar[int]
    FRESHNESS_FIELD_NUMBER: _ClassVar[int]
    space: str
    freshness: Freshness
    def __init__(self, space: _Optional[str] = ..., freshness: _Optional[_Union[Freshness, _Mapping]] = ...) -> None: ...

class SpaceRevision(_message.Message):
    __slots__ = ("space", "revision")
    SPACE_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    space: str
    revision: Revision
    def __init__(self, space: _Optional[str] = ..., revision: _Optional[_Union[Revision, _Mapping]] = ...) -> None: ...
