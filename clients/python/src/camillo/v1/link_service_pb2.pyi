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

class ListEntitiesRequest(_message.Message):
    __slots__ = ("agent_id", "prefix", "type", "page_size", "page_token", "freshness", "channel")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    PREFIX_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    FRESHNESS_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    prefix: str
    type: _link_pb2.EntityType
    page_size: int
    page_token: str
    freshness: _consistency_pb2.Freshness
    channel: _channel_pb2.Channel
    def __init__(self, agent_id: _Optional[str] = ..., prefix: _Optional[str] = ..., type: _Optional[_Union[_link_pb2.EntityType, str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., freshness: _Optional[_Union[_consistency_pb2.Freshness, _Mapping]] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ...) -> None: ...

class ListEntitiesResponse(_message.Message):
    __slots__ = ("entities", "next_page_token", "older_unread", "revision")
    ENTITIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    OLDER_UNREAD_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    entities: _containers.RepeatedCompositeFieldContainer[_link_pb2.KnownEntity]
    next_page_token: str
    older_unread: bool
    revision: _consistency_pb2.Revision
    def __init__(self, entities: _Optional[_Iterable[_Union[_link_pb2.KnownEntity, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., older_unread: _Optional[bool] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...

class MergeEntitiesRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "into", "names")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    INTO_FIELD_NUMBER: _ClassVar[int]
    NAMES_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    into: _link_pb2.Entity
    names: _containers.RepeatedCompositeFieldContainer[_link_pb2.Entity]
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., into: _Optional[_Union[_link_pb2.Entity, _Mapping]] = ..., names: _Optional[_Iterable[_Union[_link_pb2.Entity, _Mapping]]] = ...) -> None: ...

class MergeEntitiesResponse(_message.Message):
    __slots__ = ("change", "revision")
    CHANGE_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    change: _link_pb2.EntityChange
    revision: _consistency_pb2.Revision
    def __init__(self, change: _Optional[_Union[_link_pb2.EntityChange, _Mapping]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...

class SplitEntityRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "names")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    NAMES_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    names: _containers.RepeatedCompositeFieldContainer[_link_pb2.Entity]
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., names: _Optional[_Iterable[_Union[_link_pb2.Entity, _Mapping]]] = ...) -> None: ...

class SplitEntityResponse(_message.Message):
    __slots__ = ("change", "revision")
    CHANGE_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    change: _link_pb2.EntityChange
    revision: _consistency_pb2.Revision
    def __init__(self, change: _Optional[_Union[_link_pb2.EntityChange, _Mapping]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...

class RevertEntityChangeRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "change_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    CHANGE_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    change_id: str
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., change_id: _Optional[str] = ...) -> None: ...

class RevertEntityChangeResponse(_message.Message):
    __slots__ = ("reverted", "revision")
    REVERTED_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    reverted: int
    revision: _consistency_pb2.Revision
    def __init__(self, reverted: _Optional[int] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...

class ListEntityChangesRequest(_message.Message):
    __slots__ = ("agent_id", "page_size", "page_token", "channel")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    page_size: int
    page_token: str
    channel: _channel_pb2.Channel
    def __init__(self, agent_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ...) -> None: ...

class ListEntityChangesResponse(_message.Message):
    __slots__ = ("changes", "next_page_token")
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    changes: _containers.RepeatedCompositeFieldContainer[_link_pb2.EntityChange]
    next_page_token: str
    def __init__(self, changes: _Optional[_Iterable[_Union[_link_pb2.EntityChange, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...
