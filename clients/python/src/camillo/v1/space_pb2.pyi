import datetime

from camillo.v1 import admin_pb2 as _admin_pb2
from camillo.v1 import lifecycle_pb2 as _lifecycle_pb2
from camillo.v1 import memory_pb2 as _memory_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class UsageDimension(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    USAGE_DIMENSION_UNSPECIFIED: _ClassVar[UsageDimension]
    USAGE_DIMENSION_DAY: _ClassVar[UsageDimension]
    USAGE_DIMENSION_SPACE: _ClassVar[UsageDimension]
    USAGE_DIMENSION_OPERATION: _ClassVar[UsageDimension]
    USAGE_DIMENSION_MODEL: _ClassVar[UsageDimension]
    USAGE_DIMENSION_DOOR: _ClassVar[UsageDimension]
USAGE_DIMENSION_UNSPECIFIED: UsageDimension
USAGE_DIMENSION_DAY: UsageDimension
USAGE_DIMENSION_SPACE: UsageDimension
USAGE_DIMENSION_OPERATION: UsageDimension
USAGE_DIMENSION_MODEL: UsageDimension
USAGE_DIMENSION_DOOR: UsageDimension

class Space(_message.Message):
    __slots__ = ("space", "display_name", "created_at", "usage", "bytes", "last_written_at", "last_read_at")
    SPACE_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    USAGE_FIELD_NUMBER: _ClassVar[int]
    BYTES_FIELD_NUMBER: _ClassVar[int]
    LAST_WRITTEN_AT_FIELD_NUMBER: _ClassVar[int]
    LAST_READ_AT_FIELD_NUMBER: _ClassVar[int]
    space: str
    display_name: str
    created_at: _timestamp_pb2.Timestamp
    usage: _lifecycle_pb2.ScopeUsage
    bytes: int
    last_written_at: _timestamp_pb2.Timestamp
    last_read_at: _timestamp_pb2.Timestamp
    def __init__(self, space: _Optional[str] = ..., display_name: _Optional[str] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., usage: _Optional[_Union[_lifecycle_pb2.ScopeUsage, _Mapping]] = ..., bytes: _Optional[int] = ..., last_written_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., last_read_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class KindUsage(_message.Message):
    __slots__ = ("kind", "memories", "lifetime")
    KIND_FIELD_NUMBER: _ClassVar[int]
    MEMORIES_FIELD_NUMBER: _ClassVar[int]
    LIFETIME_FIELD_NUMBER: _ClassVar[int]
    kind: _memory_pb2.MemoryKind
    memories: int
    lifetime: _duration_pb2.Duration
    def __init__(self, kind: _Optional[_Union[_memory_pb2.MemoryKind, str]] = ..., memories: _Optional[int] = ..., lifetime: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class SpaceReader(_message.Message):
    __slots__ = ("key_id", "description", "role", "grant")
    KEY_ID_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    GRANT_FIELD_NUMBER: _ClassVar[int]
    key_id: str
    description: str
    role: _admin_pb2.Role
    grant: str
    def __init__(self, key_id: _Optional[str] = ..., description: _Optional[str] = ..., role: _Optional[_Union[_admin_pb2.Role, str]] = ..., grant: _Optional[str] = ...) -> None: ...

class TokenUsage(_message.Message):
    __slots__ = ("day", "agent_id", "operation", "model_id", "door", "requests", "input_tokens", "output_tokens", "nano_usd")
    DAY_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    OPERATION_FIELD_NUMBER: _ClassVar[int]
    MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    DOOR_FIELD_NUMBER: _ClassVar[int]
    REQUESTS_FIELD_NUMBER: _ClassVar[int]
    INPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    NANO_USD_FIELD_NUMBER: _ClassVar[int]
    day: _timestamp_pb2.Timestamp
    agent_id: str
    operation: str
    model_id: str
    door: str
    requests: int
    input_tokens: int
    output_tokens: int
    nano_usd: int
    def __init__(self, day: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., agent_id: _Optional[str] = ..., operation: _Optional[str] = ..., model_id: _Optional[str] = ..., door: _Optional[str] = ..., requests: _Optional[int] = ..., input_tokens: _Optional[int] = ..., output_tokens: _Optional[int] = ..., nano_usd: _Optional[int] = ...) -> None: ...

class ModelBudget(_message.Message):
    __slots__ = ("is_monthly", "max_nano_usd", "max_tokens", "nano_usd", "tokens")
    IS_MONTHLY_FIELD_NUMBER: _ClassVar[int]
    MAX_NANO_USD_FIELD_NUMBER: _ClassVar[int]
    MAX_TOKENS_FIELD_NUMBER: _ClassVar[int]
    NANO_USD_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    is_monthly: bool
    max_nano_usd: int
    max_tokens: int
    nano_usd: int
    tokens: int
    def __init__(self, is_monthly: _Optional[bool] = ..., max_nano_usd: _Optional[int] = ..., max_tokens: _Optional[int] = ..., nano_usd: _Optional[int] = ..., tokens: _Optional[int] = ...) -> None: ...
