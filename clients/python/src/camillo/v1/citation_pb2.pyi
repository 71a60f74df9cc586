from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class DocumentCitation(_message.Message):
    __slots__ = ("document_id", "name", "version", "title", "heading", "byte_from", "byte_until", "source_url")
    DOCUMENT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    HEADING_FIELD_NUMBER: _ClassVar[int]
    BYTE_FROM_FIELD_NUMBER: _ClassVar[int]
    BYTE_UNTIL_FIELD_NUMBER: _ClassVar[int]
    SOURCE_URL_FIELD_NUMBER: _ClassVar[int]
    document_id: str
    name: str
    version: int
    title: str
    heading: str
    byte_from: int
    byte_until: int
    source_url: str
    def __init__(self, document_id: _Optional[str] = ..., name: _Optional[str] = ..., version: _Optional[int] = ..., title: _Optional[str] = ..., heading: _Optional[str] = ..., byte_from: _Optional[int] = ..., byte_until: _Optional[int] = ..., source_url: _Optional[str] = ...) -> None: ...
