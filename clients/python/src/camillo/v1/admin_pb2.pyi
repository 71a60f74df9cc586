import datetime

from camillo.v1 import channel_pb2 as _channel_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Role(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ROLE_UNSPECIFIED: _ClassVar[Role]
    ROLE_READER: _ClassVar[Role]
    ROLE_WRITER: _ClassVar[Role]
    ROLE_TENANT_ADMIN: _ClassVar[Role]
    ROLE_ROOT: _ClassVar[Role]

class Agreement(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    AGREEMENT_UNSPECIFIED: _ClassVar[Agreement]
    AGREEMENT_NOT_COMPARED: _ClassVar[Agreement]
    AGREEMENT_AGREES: _ClassVar[Agreement]
    AGREEMENT_DIFFERS: _ClassVar[Agreement]
    AGREEMENT_NEVER_STILL: _ClassVar[Agreement]
ROLE_UNSPECIFIED: Role
ROLE_READER: Role
ROLE_WRITER: Role
ROLE_TENANT_ADMIN: Role
ROLE_ROOT: Role
AGREEMENT_UNSPECIFIED: Agreement
AGREEMENT_NOT_COMPARED: Agreement
AGREEMENT_AGREES: Agreement
AGREEMENT_DIFFERS: Agreement
AGREEMENT_NEVER_STILL: Agreement

class Tenant(_message.Message):
    __slots__ = ("tenant_id", "display_name", "created_at")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    display_name: str
    created_at: _timestamp_pb2.Timestamp
    def __init__(self, tenant_id: _Optional[str] = ..., display_name: _Optional[str] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Quota(_message.Message):
    __slots__ = ("name", "used", "limit", "is_own")
    NAME_FIELD_NUMBER: _ClassVar[int]
    USED_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    IS_OWN_FIELD_NUMBER: _ClassVar[int]
    name: str
    used: int
    limit: int
    is_own: bool
    def __init__(self, name: _Optional[str] = ..., used: _Optional[int] = ..., limit: _Optional[int] = ..., is_own: _Optional[bool] = ...) -> None: ...

class Agent(_message.Message):
    __slots__ = ("agent_id", "display_name", "created_at")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    display_name: str
    created_at: _timestamp_pb2.Timestamp
    def __init__(self, agent_id: _Optional[str] = ..., display_name: _Optional[str] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ApiKey(_message.Message):
    __slots__ = ("key_id", "tenant_id", "agent_id", "any_agent", "role", "description", "created_at", "expires_at", "revoked_at", "created_by_key_id", "channel", "max_sensitivity", "actors", "document_categories", "spaces")
    KEY_ID_FIELD_NUMBER: _ClassVar[int]
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    ANY_AGENT_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    REVOKED_AT_FIELD_NUMBER: _ClassVar[int]
    CREATED_BY_KEY_ID_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    MAX_SENSITIVITY_FIELD_NUMBER: _ClassVar[int]
    ACTORS_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_CATEGORIES_FIELD_NUMBER: _ClassVar[int]
    SPACES_FIELD_NUMBER: _ClassVar[int]
    key_id: str
    tenant_id: str
    agent_id: str
    any_agent: bool
    role: Role
    description: str
    created_at: _timestamp_pb2.Timestamp
    expires_at: _timestamp_pb2.Timestamp
    revoked_at: _timestamp_pb2.Timestamp
    created_by_key_id: str
    channel: _channel_pb2.Channel
    max_sensitivity: str
    actors: _containers.RepeatedScalarFieldContainer[str]
    document_categories: _containers.RepeatedScalarFieldContainer[str]
    spaces: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, key_id: _Optional[str] = ..., tenant_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., any_agent: _Optional[bool] = ..., role: _Optional[_Union[Role, str]] = ..., description: _Optional[str] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., revoked_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., created_by_key_id: _Optional[str] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ..., max_sensitivity: _Optional[str] = ..., actors: _Optional[_Iterable[str]] = ..., document_categories: _Optional[_Iterable[str]] = ..., spaces: _Optional[_Iterable[str]] = ...) -> None: ...

class HeldIndex(_message.Message):
    __slots__ = ("agent_id", "memories", "bytes", "agreement", "difference")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    MEMORIES_FIELD_NUMBER: _ClassVar[int]
    BYTES_FIELD_NUMBER: _ClassVar[int]
    AGREEMENT_FIELD_NUMBER: _ClassVar[int]
    DIFFERENCE_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    memories: int
    bytes: int
    agreement: Agreement
    difference: str
    def __init__(self, agent_id: _Optional[str] = ..., memories: _Optional[int] = ..., bytes: _Optional[int] = ..., agreement: _Optional[_Union[Agreement, str]] = ..., difference: _Optional[str] = ...) -> None: ...
