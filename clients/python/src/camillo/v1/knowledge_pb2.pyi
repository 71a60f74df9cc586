import datetime

from camillo.v1 import memory_pb2 as _memory_pb2
from camillo.v1 import options_pb2 as _options_pb2
from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SkillLevel(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SKILL_LEVEL_UNSPECIFIED: _ClassVar[SkillLevel]
    SKILL_LEVEL_GLOBAL: _ClassVar[SkillLevel]
    SKILL_LEVEL_TENANT: _ClassVar[SkillLevel]
    SKILL_LEVEL_AGENT: _ClassVar[SkillLevel]
SKILL_LEVEL_UNSPECIFIED: SkillLevel
SKILL_LEVEL_GLOBAL: SkillLevel
SKILL_LEVEL_TENANT: SkillLevel
SKILL_LEVEL_AGENT: SkillLevel

class NewDocument(_message.Message):
    __slots__ = ("name", "title", "media_type", "categories", "tags", "sensitivity", "source_url", "provenance", "effective_from", "effective_until")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    CATEGORIES_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    SENSITIVITY_FIELD_NUMBER: _ClassVar[int]
    SOURCE_URL_FIELD_NUMBER: _ClassVar[int]
    PROVENANCE_FIELD_NUMBER: _ClassVar[int]
    EFFECTIVE_FROM_FIELD_NUMBER: _ClassVar[int]
    EFFECTIVE_UNTIL_FIELD_NUMBER: _ClassVar[int]
    name: str
    title: str
    media_type: str
    categories: _containers.RepeatedScalarFieldContainer[str]
    tags: _containers.RepeatedScalarFieldContainer[str]
    sensitivity: _memory_pb2.Sensitivity
    source_url: str
    provenance: _struct_pb2.Struct
    effective_from: _timestamp_pb2.Timestamp
    effective_until: _timestamp_pb2.Timestamp
    def __init__(self, name: _Optional[str] = ..., title: _Optional[str] = ..., media_type: _Optional[str] = ..., categories: _Optional[_Iterable[str]] = ..., tags: _Optional[_Iterable[str]] = ..., sensitivity: _Optional[_Union[_memory_pb2.Sensitivity, str]] = ..., source_url: _Optional[str] = ..., provenance: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., effective_from: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., effective_until: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Document(_message.Message):
    __slots__ = ("document_id", "stated", "version", "sha256", "text_bytes", "passages", "archived", "created_at", "updated_at", "credential")
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    STATED_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    TEXT_BYTES_FIELD_NUMBER: _ClassVar[int]
    PASSAGES_FIELD_NUMBER: _ClassVar[int]
    ARCHIVED_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    CREDENTIAL_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    stated: NewDocument
    version: int
    sha256: bytes
    text_bytes: int
    passages: int
    archived: bool
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    credential: str
    def __init__(self, document_id: _Optional[str] = ..., stated: _Optional[_Union[NewDocument, _Mapping]] = ..., version: _Optional[int] = ..., sha256: _Optional[bytes] = ..., text_bytes: _Optional[int] = ..., passages: _Optional[int] = ..., archived: _Optional[bool] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., credential: _Optional[str] = ...) -> None: ...

class DocumentFilter(_message.Message):
    __slots__ = ("name_prefix", "categories_any", "tags_any", "archived")
    NAME_PREFIX_FIELD_NUMBER: _ClassVar[int]
    CATEGORIES_ANY_FIELD_NUMBER: _ClassVar[int]
    TAGS_ANY_FIELD_NUMBER: _ClassVar[int]
    ARCHIVED_FIELD_NUMBER: _ClassVar[int]
    name_prefix: str
    categories_any: _containers.RepeatedScalarFieldContainer[str]
    tags_any: _containers.RepeatedScalarFieldContainer[str]
    archived: _memory_pb2.ArchivedFilter
    def __init__(self, name_prefix: _Optional[str] = ..., categories_any: _Optional[_Iterable[str]] = ..., tags_any: _Optional[_Iterable[str]] = ..., archived: _Optional[_Union[_memory_pb2.ArchivedFilter, str]] = ...) -> None: ...

class Skill(_message.Message):
    __slots__ = ("name", "level", "description", "text", "allowed_tools", "front_matter", "version", "tokens", "sha256", "updated_at", "is_data", "agent_id")
    NAME_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    ALLOWED_TOOLS_FIELD_NUMBER: _ClassVar[int]
    FRONT_MATTER_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    IS_DATA_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    name: str
    level: SkillLevel
    description: str
    text: str
    allowed_tools: _containers.RepeatedScalarFieldContainer[str]
    front_matter: _struct_pb2.Struct
    version: int
    tokens: int
    sha256: bytes
    updated_at: _timestamp_pb2.Timestamp
    is_data: bool
    agent_id: str
    def __init__(self, name: _Optional[str] = ..., level: _Optional[_Union[SkillLevel, str]] = ..., description: _Optional[str] = ..., text: _Optional[str] = ..., allowed_tools: _Optional[_Iterable[str]] = ..., front_matter: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., version: _Optional[int] = ..., tokens: _Optional[int] = ..., sha256: _Optional[bytes] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., is_data: _Optional[bool] = ..., agent_id: _Optional[str] = ...) -> None: ...
