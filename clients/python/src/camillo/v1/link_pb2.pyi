import datetime

from camillo.v1 import memory_pb2 as _memory_pb2
from camillo.v1 import options_pb2 as _options_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class LinkType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LINK_TYPE_UNSPECIFIED: _ClassVar[LinkType]
    LINK_TYPE_ABOUT: _ClassVar[LinkType]
    LINK_TYPE_DERIVED_FROM: _ClassVar[LinkType]
    LINK_TYPE_CONTRADICTS: _ClassVar[LinkType]
    LINK_TYPE_FOLLOWS: _ClassVar[LinkType]

class EntityType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ENTITY_TYPE_UNSPECIFIED: _ClassVar[EntityType]
    ENTITY_TYPE_NAME: _ClassVar[EntityType]
    ENTITY_TYPE_EMAIL: _ClassVar[EntityType]
    ENTITY_TYPE_PATH: _ClassVar[EntityType]
    ENTITY_TYPE_TICKET: _ClassVar[EntityType]
    ENTITY_TYPE_IDENTIFIER: _ClassVar[EntityType]
LINK_TYPE_UNSPECIFIED: LinkType
LINK_TYPE_ABOUT: LinkType
LINK_TYPE_DERIVED_FROM: LinkType
LINK_TYPE_CONTRADICTS: LinkType
LINK_TYPE_FOLLOWS: LinkType
ENTITY_TYPE_UNSPECIFIED: EntityType
ENTITY_TYPE_NAME: EntityType
ENTITY_TYPE_EMAIL: EntityType
ENTITY_TYPE_PATH: EntityType
ENTITY_TYPE_TICKET: EntityType
ENTITY_TYPE_IDENTIFIER: EntityType

class LinkEnd(_message.Message):
    __slots__ = ("source", "id")
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    source: _memory_pb2.Source
    id: str
    def __init__(self, source: _Optional[_Union[_memory_pb2.Source, str]] = ..., id: _Optional[str] = ...) -> None: ...

class NewLink(_message.Message):
    __slots__ = ("type", "to")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    FROM_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    type: LinkType
    to: LinkEnd
    def __init__(self, type: _Optional[_Union[LinkType, str]] = ..., to: _Optional[_Union[LinkEnd, _Mapping]] = ..., **kwargs) -> None: ...

class Link(_message.Message):
    __slots__ = ("type", "to", "created_at", "credential")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    FROM_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    CREDENTIAL_FIELD_NUMBER: _ClassVar[int]
    type: LinkType
    to: LinkEnd
    created_at: _timestamp_pb2.Timestamp
    credential: str
    def __init__(self, type: _Optional[_Union[LinkType, str]] = ..., to: _Optional[_Union[LinkEnd, _Mapping]] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., credential: _Optional[str] = ..., **kwargs) -> None: ...

class Entity(_message.Message):
    __slots__ = ("type", "name")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    type: EntityType
    name: str
    def __init__(self, type: _Optional[_Union[EntityType, str]] = ..., name: _Optional[str] = ...) -> None: ...

class Related(_message.Message):
    __slots__ = ("item", "link", "shared", "text", "occurred_at")
    ITEM_FIELD_NUMBER: _ClassVar[int]
    LINK_FIELD_NUMBER: _ClassVar[int]
    SHARED_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    OCCURRED_AT_FIELD_NUMBER: _ClassVar[int]
    item: LinkEnd
    link: Link
    shared: _containers.RepeatedCompositeFieldContainer[Entity]
    text: str
    occurred_at: _timestamp_pb2.Timestamp
    def __init__(self, item: _Optional[_Union[LinkEnd, _Mapping]] = ..., link: _Optional[_Union[Link, _Mapping]] = ..., shared: _Optional[_Iterable[_Union[Entity, _Mapping]]] = ..., text: _Optional[str] = ..., occurred_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class SourceCount(_message.Message):
    __slots__ = ("source", "records")
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    RECORDS_FIELD_NUMBER: _ClassVar[int]
    source: _memory_pb2.Source
    records: int
    def __init__(self, source: _Optional[_Union[_memory_pb2.Source, str]] = ..., records: _Optional[int] = ...) -> None: ...

class KnownEntity(_message.Message):
    __slots__ = ("entity", "aliases", "mentions", "last_seen_at")
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    ALIASES_FIELD_NUMBER: _ClassVar[int]
    MENTIONS_FIELD_NUMBER: _ClassVar[int]
    LAST_SEEN_AT_FIELD_NUMBER: _ClassVar[int]
    entity: Entity
    aliases: _containers.RepeatedCompositeFieldContainer[Entity]
    mentions: _containers.RepeatedCompositeFieldContainer[SourceCount]
    last_seen_at: _timestamp_pb2.Timestamp
    def __init__(self, entity: _Optional[_Union[Entity, _Mapping]] = ..., aliases: _Optional[_Iterable[_Union[Entity, _Mapping]]] = ..., mentions: _Optional[_Iterable[_Union[SourceCount, _Mapping]]] = ..., last_seen_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class EntityChange(_message.Message):
    __slots__ = ("change_id", "into", "names", "changed_at", "credential", "reverted_at")
    CHANGE_ID_FIELD_NUMBER: _ClassVar[int]
    INTO_FIELD_NUMBER: _ClassVar[int]
    NAMES_FIELD_NUMBER: _ClassVar[int]
    CHANGED_AT_FIELD_NUMBER: _ClassVar[int]
    CREDENTIAL_FIELD_NUMBER: _ClassVar[int]
    REVERTED_AT_FIELD_NUMBER: _ClassVar[int]
    change_id: str
    into: Entity
    names: _containers.RepeatedCompositeFieldContainer[Entity]
    changed_at: _timestamp_pb2.Timestamp
    credential: str
    reverted_at: _timestamp_pb2.Timestamp
    def __init__(self, change_id: _Optional[str] = ..., into: _Optional[_Union[Entity, _Mapping]] = ..., names: _Optional[_Iterable[_Union[Entity, _Mapping]]] = ..., changed_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., credential: _Optional[str] = ..., reverted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
