from camillo.v1 import channel_pb2 as _channel_pb2
from camillo.v1 import consistency_pb2 as _consistency_pb2
from camillo.v1 import forgetting_pb2 as _forgetting_pb2
from camillo.v1 import knowledge_pb2 as _knowledge_pb2
from camillo.v1 import memory_pb2 as _memory_pb2
from camillo.v1 import options_pb2 as _options_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PublishDocumentRequest(_message.Message):
    __slots__ = ("header", "data", "finish")
    HEADER_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    FINISH_FIELD_NUMBER: _ClassVar[int]
    header: PublishDocumentHeader
    data: bytes
    finish: PublishDocumentFinish
    def __init__(self, header: _Optional[_Union[PublishDocumentHeader, _Mapping]] = ..., data: _Optional[bytes] = ..., finish: _Optional[_Union[PublishDocumentFinish, _Mapping]] = ...) -> None: ...

class PublishDocumentHeader(_message.Message):
    __slots__ = ("request_id", "document", "expected_version", "omit_forgotten")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    OMIT_FORGOTTEN_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    document: _knowledge_pb2.NewDocument
    expected_version: int
    omit_forgotten: bool
    def __init__(self, request_id: _Optional[str] = ..., document: _Optional[_Union[_knowledge_pb2.NewDocument, _Mapping]] = ..., expected_version: _Optional[int] = ..., omit_forgotten: _Optional[bool] = ...) -> None: ...

class PublishDocumentFinish(_message.Message):
    __slots__ = ("sha256",)
    SHA256_FIELD_NUMBER: _ClassVar[int]
    sha256: bytes
    def __init__(self, sha256: _Optional[bytes] = ...) -> None: ...

class PublishDocumentResponse(_message.Message):
    __slots__ = ("document", "shared_revision", "unchanged", "passages_kept", "redactions", "omitted")
    DOCUMENT_FIELD_NUMBER: _ClassVar[int]
    SHARED_REVISION_FIELD_NUMBER: _ClassVar[int]
    UNCHANGED_FIELD_NUMBER: _ClassVar[int]
    PASSAGES_KEPT_FIELD_NUMBER: _ClassVar[int]
    REDACTIONS_FIELD_NUMBER: _ClassVar[int]
    OMITTED_FIELD_NUMBER: _ClassVar[int]
    document: _knowledge_pb2.Document
    shared_revision: _consistency_pb2.Revision
    unchanged: bool
    passages_kept: int
    redactions: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Redaction]
    omitted: _containers.RepeatedCompositeFieldContainer[_forgetting_pb2.OmittedText]
    def __init__(self, document: _Optional[_Union[_knowledge_pb2.Document, _Mapping]] = ..., shared_revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., unchanged: _Optional[bool] = ..., passages_kept: _Optional[int] = ..., redactions: _Optional[_Iterable[_Union[_memory_pb2.Redaction, _Mapping]]] = ..., omitted: _Optional[_Iterable[_Union[_forgetting_pb2.OmittedText, _Mapping]]] = ...) -> None: ...

class GetDocumentRequest(_message.Message):
    __slots__ = ("agent_id", "document_id", "name", "version", "channel", "omit_text", "byte_from", "byte_until")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    OMIT_TEXT_FIELD_NUMBER: _ClassVar[int]
    BYTE_FROM_FIELD_NUMBER: _ClassVar[int]
    BYTE_UNTIL_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    document_id: str
    name: str
    version: int
    channel: _channel_pb2.Channel
    omit_text: bool
    byte_from: int
    byte_until: int
    def __init__(self, agent_id: _Optional[str] = ..., document_id: _Optional[str] = ..., name: _Optional[str] = ..., version: _Optional[int] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ..., omit_text: _Optional[bool] = ..., byte_from: _Optional[int] = ..., byte_until: _Optional[int] = ...) -> None: ...

class GetDocumentResponse(_message.Message):
    __slots__ = ("document", "text", "byte_from", "byte_until")
    DOCUMENT_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    BYTE_FROM_FIELD_NUMBER: _ClassVar[int]
    BYTE_UNTIL_FIELD_NUMBER: _ClassVar[int]
    document: _knowledge_pb2.Document
    text: str
    byte_from: int
    byte_until: int
    def __init__(self, document: _Optional[_Union[_knowledge_pb2.Document, _Mapping]] = ..., text: _Optional[str] = ..., byte_from: _Optional[int] = ..., byte_until: _Optional[int] = ...) -> None: ...

class ListDocumentsRequest(_message.Message):
    __slots__ = ("agent_id", "filter", "page_size", "page_token", "channel")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    filter: _knowledge_pb2.DocumentFilter
    page_size: int
    page_token: str
    channel: _channel_pb2.Channel
    def __init__(self, agent_id: _Optional[str] = ..., filter: _Optional[_Union[_knowledge_pb2.DocumentFilter, _Mapping]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ...) -> None: ...

class ListDocumentsResponse(_message.Message):
    __slots__ = ("documents", "next_page_token")
    DOCUMENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    documents: _containers.RepeatedCompositeFieldContainer[_knowledge_pb2.Document]
    next_page_token: str
    def __init__(self, documents: _Optional[_Iterable[_Union[_knowledge_pb2.Document, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class UpdateDocumentRequest(_message.Message):
    __slots__ = ("request_id", "document_id", "expected_version", "update_mask", "document")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    document_id: str
    expected_version: int
    update_mask: _field_mask_pb2.FieldMask
    document: _knowledge_pb2.NewDocument
    def __init__(self, request_id: _Optional[str] = ..., document_id: _Optional[str] = ..., expected_version: _Optional[int] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ..., document: _Optional[_Union[_knowledge_pb2.NewDocument, _Mapping]] = ...) -> None: ...

class UpdateDocumentResponse(_message.Message):
    __slots__ = ("document", "shared_revision", "redactions")
    DOCUMENT_FIELD_NUMBER: _ClassVar[int]
    SHARED_REVISION_FIELD_NUMBER: _ClassVar[int]
    REDACTIONS_FIELD_NUMBER: _ClassVar[int]
    document: _knowledge_pb2.Document
    shared_revision: _consistency_pb2.Revision
    redactions: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Redaction]
    def __init__(self, document: _Optional[_Union[_knowledge_pb2.Document, _Mapping]] = ..., shared_revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., redactions: _Optional[_Iterable[_Union[_memory_pb2.Redaction, _Mapping]]] = ...) -> None: ...

class ArchiveDocumentRequest(_message.Message):
    __slots__ = ("request_id", "document_id", "restore")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    RESTORE_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    document_id: str
    restore: bool
    def __init__(self, request_id: _Optional[str] = ..., document_id: _Optional[str] = ..., restore: _Optional[bool] = ...) -> None: ...

class ArchiveDocumentResponse(_message.Message):
    __slots__ = ("document", "shared_revision")
    DOCUMENT_FIELD_NUMBER: _ClassVar[int]
    SHARED_REVISION_FIELD_NUMBER: _ClassVar[int]
    document: _knowledge_pb2.Document
    shared_revision: _consistency_pb2.Revision
    def __init__(self, document: _Optional[_Union[_knowledge_pb2.Document, _Mapping]] = ..., shared_revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...

class DeleteDocumentRequest(_message.Message):
    __slots__ = ("request_id", "document_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    document_id: str
    def __init__(self, request_id: _Optional[str] = ..., document_id: _Optional[str] = ...) -> None: ...

class DeleteDocumentResponse(_message.Message):
    __slots__ = ("shared_revision", "versions", "passages")
    SHARED_REVISION_FIELD_NUMBER: _ClassVar[int]
    VERSIONS_FIELD_NUMBER: _ClassVar[int]
    PASSAGES_FIELD_NUMBER: _ClassVar[int]
    shared_revision: _consistency_pb2.Revision
    versions: int
    passages: int
    def __init__(self, shared_revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., versions: _Optional[int] = ..., passages: _Optional[int] = ...) -> None: ...

class ListDocumentVersionsRequest(_message.Message):
    __slots__ = ("agent_id", "document_id", "page_size", "page_token", "channel")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    document_id: str
    page_size: int
    page_token: str
    channel: _channel_pb2.Channel
    def __init__(self, agent_id: _Optional[str] = ..., document_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ...) -> None: ...

class ListDocumentVersionsResponse(_message.Message):
    __slots__ = ("versions", "next_page_token")
    VERSIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    versions: _containers.RepeatedCompositeFieldContainer[_knowledge_pb2.Document]
    next_page_token: str
    def __init__(self, versions: _Optional[_Iterable[_Union[_knowledge_pb2.Document, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class PutSkillRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "level", "text", "name", "description", "expected_version")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    level: _knowledge_pb2.SkillLevel
    text: str
    name: str
    description: str
    expected_version: int
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., level: _Optional[_Union[_knowledge_pb2.SkillLevel, str]] = ..., text: _Optional[str] = ..., name: _Optional[str] = ..., description: _Optional[str] = ..., expected_version: _Optional[int] = ...) -> None: ...

class PutSkillResponse(_message.Message):
    __slots__ = ("skill", "unchanged", "revision")
    SKILL_FIELD_NUMBER: _ClassVar[int]
    UNCHANGED_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    skill: _knowledge_pb2.Skill
    unchanged: bool
    revision: _consistency_pb2.Revision
    def __init__(self, skill: _Optional[_Union[_knowledge_pb2.Skill, _Mapping]] = ..., unchanged: _Optional[bool] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...

class GetSkillRequest(_message.Message):
    __slots__ = ("agent_id", "name", "level", "version")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    name: str
    level: _knowledge_pb2.SkillLevel
    version: int
    def __init__(self, agent_id: _Optional[str] = ..., name: _Optional[str] = ..., level: _Optional[_Union[_knowledge_pb2.SkillLevel, str]] = ..., version: _Optional[int] = ...) -> None: ...

class GetSkillResponse(_message.Message):
    __slots__ = ("skill",)
    SKILL_FIELD_NUMBER: _ClassVar[int]
    skill: _knowledge_pb2.Skill
    def __init__(self, skill: _Optional[_Union[_knowledge_pb2.Skill, _Mapping]] = ...) -> None: ...

class ListSkillsRequest(_message.Message):
    __slots__ = ("agent_id", "level", "page_size", "page_token")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    level: _knowledge_pb2.SkillLevel
    page_size: int
    page_token: str
    def __init__(self, agent_id: _Optional[str] = ..., level: _Optional[_Union[_knowledge_pb2.SkillLevel, str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListSkillsResponse(_message.Message):
    __slots__ = ("skills", "next_page_token")
    SKILLS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    skills: _containers.RepeatedCompositeFieldContainer[_knowledge_pb2.Skill]
    next_page_token: str
    def __init__(self, skills: _Optional[_Iterable[_Union[_knowledge_pb2.Skill, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class DeleteSkillRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "name", "level")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    name: str
    level: _knowledge_pb2.SkillLevel
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., name: _Optional[str] = ..., level: _Optional[_Union[_knowledge_pb2.SkillLevel, str]] = ...) -> None: ...

class DeleteSkillResponse(_message.Message):
    __slots__ = ("revision",)
    REVISION_FIELD_NUMBER: _ClassVar[int]
    revision: _consistency_pb2.Revision
    def __init__(self, revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...
