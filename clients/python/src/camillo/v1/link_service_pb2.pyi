from camillo.v1 import channel_pb2 as _channel_pb2
from camillo.v1 import consistency_pb2 as _consistency_pb2
from camillo.v1 import link_pb2 as _link_pb2
from camillo.v1 import options_pb2 as _options_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AddLinksRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "links")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    LINKS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    links: _containers.RepeatedCompositeFieldContainer[_link_pb2.NewLink]
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., links: _Optional[_Iterable[_Union[_link_pb2.NewLink, _Mapping]]] = ...) -> None: ...

class AddLinksResponse(_message.Message):
    __slots__ = ("links", "revision")
    LINKS_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    links: _containers.RepeatedCompositeFieldContainer[_link_pb2.Link]
    revision: _consistency_pb2.Revision
    def __init__(self, links: _Optional[_Iterable[_Union[_link_pb2.Link, _Mapping]]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...

class RemoveLinksRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "links")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    LINKS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    links: _containers.RepeatedCompositeFieldContainer[_link_pb2.NewLink]
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., links: _Optional[_Iterable[_Union[_link_pb2.NewLink, _Mapping]]] = ...) -> None: ...

class RemoveLinksResponse(_message.Message):
    __slots__ = ("removed", "revision")
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    removed: int
    revision: _consistency_pb2.Revision
    def __init__(self, removed: _Optional[int] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...

class ListRelatedRequest(_message.Message):
    __slots__ = ("agent_id", "item", "entity", "types", "page_size", "page_token", "freshness", "channel")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    ITEM_FIELD_NUMBER: _ClassVar[int]
    ENTITY_FIELD_NUMBER: _ClassVar[int]
    TYPES_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    FRESHNESS_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    item: _link_pb2.LinkEnd
    entity: _link_pb2.Entity
    types: _containers.RepeatedScalarFieldContainer[_link_pb2.LinkType]
    page_size: int
    page_token: str
    freshness: _consistency_pb2.Freshness
    channel: _channel_pb2.Channel
    def __init__(self, agent_id: _Optional[str] = ..., item: _Optional[_Union[_link_pb2.LinkEnd, _Mapping]] = ..., entity: _Optional[_Union[_link_pb2.Entity, _Mapping]] = ..., types: _Optional[_Iterable[_Union[_link_pb2.LinkType, str]]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., freshness: _Optional[_Union[_consistency_pb2.Freshness, _Mapping]] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ...) -> None: ...

class ListRelatedResponse(_message.Message):
    __slots__ = ("related", "entities", "next_page_token", "revision")
    RELATED_FIELD_NUMBER: _ClassVar[int]
    ENTITIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    related: _containers.RepeatedCompositeFieldContainer[_link_pb2.Related]
    entities: _containers.RepeatedCompositeFieldContainer[_link_pb2.Entity]
    next_page_token: str
    revision: _consistency_pb2.Revision
    def __init__(self, related: _Optional[_Iterable[_Union[_link_pb2.Related, _Mapping]]] = ..., entities: _Optional[_Iterable[_Union[_link_pb2.Entity, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...
