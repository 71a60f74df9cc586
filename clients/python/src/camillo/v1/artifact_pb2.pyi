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

class ContentKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CONTENT_KIND_UNSPECIFIED: _ClassVar[ContentKind]
    CONTENT_KIND_TEXT: _ClassVar[ContentKind]
    CONTENT_KIND_LOG: _ClassVar[ContentKind]
    CONTENT_KIND_JSON: _ClassVar[ContentKind]
    CONTENT_KIND_TABLE: _ClassVar[ContentKind]
    CONTENT_KIND_CODE: _ClassVar[ContentKind]
    CONTENT_KIND_BINARY: _ClassVar[ContentKind]
CONTENT_KIND_UNSPECIFIED: ContentKind
CONTENT_KIND_TEXT: ContentKind
CONTENT_KIND_LOG: ContentKind
CONTENT_KIND_JSON: ContentKind
CONTENT_KIND_TABLE: ContentKind
CONTENT_KIND_CODE: ContentKind
CONTENT_KIND_BINARY: ContentKind

class NewArtifact(_message.Message):
    __slots__ = ("name", "description", "media_type", "tool", "command", "exit_code", "session_id", "tags", "sensitivity", "metadata", "expires_at", "pinned", "source_refs", "is_shared")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    COMMAND_FIELD_NUMBER: _ClassVar[int]
    EXIT_CODE_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    SENSITIVITY_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    PINNED_FIELD_NUMBER: _ClassVar[int]
    SOURCE_REFS_FIELD_NUMBER: _ClassVar[int]
    IS_SHARED_FIELD_NUMBER: _ClassVar[int]
    name: str
    description: str
    media_type: str
    tool: str
    command: str
    exit_code: int
    session_id: str
    tags: _containers.RepeatedScalarFieldContainer[str]
    sensitivity: _memory_pb2.Sensitivity
    metadata: _struct_pb2.Struct
    expires_at: _timestamp_pb2.Timestamp
    pinned: bool
    source_refs: _containers.RepeatedScalarFieldContainer[str]
    is_shared: bool
    def __init__(self, name: _Optional[str] = ..., description: _Optional[str] = ..., media_type: _Optional[str] = ..., tool: _Optional[str] = ..., command: _Optional[str] = ..., exit_code: _Optional[int] = ..., session_id: _Optional[str] = ..., tags: _Optional[_Iterable[str]] = ..., sensitivity: _Optional[_Union[_memory_pb2.Sensitivity, str]] = ..., metadata: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., pinned: _Optional[bool] = ..., source_refs: _Optional[_Iterable[str]] = ..., is_shared: _Optional[bool] = ...) -> None: ...

class Artifact(_message.Message):
    __slots__ = ("artifact_id", "agent_id", "memory_ref", "name", "description", "kind", "media_type", "tool", "command", "exit_code", "session_id", "tags", "sensitivity", "metadata", "expires_at", "pinned", "source_refs", "created_by_agent_id", "created_at", "updated_at", "version", "size_bytes", "sha256", "encoding", "line_count", "summary", "summary_model_id", "redaction_counts")
    ARTIFACT_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    MEMORY_REF_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    COMMAND_FIELD_NUMBER: _ClassVar[int]
    EXIT_CODE_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    SENSITIVITY_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    PINNED_FIELD_NUMBER: _ClassVar[int]
    SOURCE_REFS_FIELD_NUMBER: _ClassVar[int]
    CREATED_BY_AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    SIZE_BYTES_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    ENCODING_FIELD_NUMBER: _ClassVar[int]
    LINE_COUNT_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    REDACTION_COUNTS_FIELD_NUMBER: _ClassVar[int]
    artifact_id: str
    agent_id: str
    memory_ref: str
    name: str
    description: str
    kind: ContentKind
    media_type: str
    tool: str
    command: str
    exit_code: int
    session_id: str
    tags: _containers.RepeatedScalarFieldContainer[str]
    sensitivity: _memory_pb2.Sensitivity
    metadata: _struct_pb2.Struct
    expires_at: _timestamp_pb2.Timestamp
    pinned: bool
    source_refs: _containers.RepeatedScalarFieldContainer[str]
    created_by_agent_id: str
    created_at: _timestamp_pb2.Timestamp
    updated_at: _timestamp_pb2.Timestamp
    version: int
    size_bytes: int
    sha256: bytes
    encoding: str
    line_count: int
    summary: str
    summary_model_id: str
    redaction_counts: _containers.RepeatedCompositeFieldContainer[RedactionCount]
    def __init__(self, artifact_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., memory_ref: _Optional[str] = ..., name: _Optional[str] = ..., description: _Optional[str] = ..., kind: _Optional[_Union[ContentKind, str]] = ..., media_type: _Optional[str] = ..., tool: _Optional[str] = ..., command: _Optional[str] = ..., exit_code: _Optional[int] = ..., session_id: _Optional[str] = ..., tags: _Optional[_Iterable[str]] = ..., sensitivity: _Optional[_Union[_memory_pb2.Sensitivity, str]] = ..., metadata: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., pinned: _Optional[bool] = ..., source_refs: _Optional[_Iterable[str]] = ..., created_by_agent_id: _Optional[str] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., version: _Optional[int] = ..., size_bytes: _Optional[int] = ..., sha256: _Optional[bytes] = ..., encoding: _Optional[str] = ..., line_count: _Optional[int] = ..., summary: _Optional[str] = ..., summary_model_id: _Optional[str] = ..., redaction_counts: _Optional[_Iterable[_Union[RedactionCount, _Mapping]]] = ...) -> None: ...

class RedactionCount(_message.Message):
    __slots__ = ("kind", "count")
    KIND_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    kind: str
    count: int
    def __init__(self, kind: _Optional[str] = ..., count: _Optional[int] = ...) -> None: ...

class ArtifactRedaction(_message.Message):
    __slots__ = ("kind", "offset")
    KIND_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    kind: str
    offset: int
    def __init__(self, kind: _Optional[str] = ..., offset: _Optional[int] = ...) -> None: ...

class ArtifactPreview(_message.Message):
    __slots__ = ("head", "tail")
    HEAD_FIELD_NUMBER: _ClassVar[int]
    TAIL_FIELD_NUMBER: _ClassVar[int]
    head: str
    tail: str
    def __init__(self, head: _Optional[str] = ..., tail: _Optional[str] = ...) -> None: ...

class ByteRange(_message.Message):
    __slots__ = ("start", "end")
    START_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    start: int
    end: int
    def __init__(self, start: _Optional[int] = ..., end: _Optional[int] = ...) -> None: ...

class LineRange(_message.Message):
    __slots__ = ("first", "last")
    FIRST_FIELD_NUMBER: _ClassVar[int]
    LAST_FIELD_NUMBER: _ClassVar[int]
    first: int
    last: int
    def __init__(self, first: _Optional[int] = ..., last: _Optional[int] = ...) -> None: ...

class LinesAround(_message.Message):
    __slots__ = ("line", "context")
    LINE_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_FIELD_NUMBER: _ClassVar[int]
    line: int
    context: int
    def __init__(self, line: _Optional[int] = ..., context: _Optional[int] = ...) -> None: ...

class JsonValue(_message.Message):
    __slots__ = ("pointer", "start", "end")
    POINTER_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    pointer: str
    start: int
    end: int
    def __init__(self, pointer: _Optional[str] = ..., start: _Optional[int] = ..., end: _Optional[int] = ...) -> None: ...

class ArtifactRange(_message.Message):
    __slots__ = ("bytes", "lines", "head_lines", "tail_lines", "around", "json")
    BYTES_FIELD_NUMBER: _ClassVar[int]
    LINES_FIELD_NUMBER: _ClassVar[int]
    HEAD_LINES_FIELD_NUMBER: _ClassVar[int]
    TAIL_LINES_FIELD_NUMBER: _ClassVar[int]
    AROUND_FIELD_NUMBER: _ClassVar[int]
    JSON_FIELD_NUMBER: _ClassVar[int]
    bytes: ByteRange
    lines: LineRange
    head_lines: int
    tail_lines: int
    around: LinesAround
    json: JsonValue
    def __init__(self, bytes: _Optional[_Union[ByteRange, _Mapping]] = ..., lines: _Optional[_Union[LineRange, _Mapping]] = ..., head_lines: _Optional[int] = ..., tail_lines: _Optional[int] = ..., around: _Optional[_Union[LinesAround, _Mapping]] = ..., json: _Optional[_Union[JsonValue, _Mapping]] = ...) -> None: ...

class ArtifactLine(_message.Message):
    __slots__ = ("number", "offset", "text", "is_cut")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    IS_CUT_FIELD_NUMBER: _ClassVar[int]
    number: int
    offset: int
    text: str
    is_cut: bool
    def __init__(self, number: _Optional[int] = ..., offset: _Optional[int] = ..., text: _Optional[str] = ..., is_cut: _Optional[bool] = ...) -> None: ...

class ArtifactMatch(_message.Message):
    __slots__ = ("line", "spans", "before", "after")
    LINE_FIELD_NUMBER: _ClassVar[int]
    SPANS_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    line: ArtifactLine
    spans: _containers.RepeatedCompositeFieldContainer[CharacterSpan]
    before: _containers.RepeatedCompositeFieldContainer[ArtifactLine]
    after: _containers.RepeatedCompositeFieldContainer[ArtifactLine]
    def __init__(self, line: _Optional[_Union[ArtifactLine, _Mapping]] = ..., spans: _Optional[_Iterable[_Union[CharacterSpan, _Mapping]]] = ..., before: _Optional[_Iterable[_Union[ArtifactLine, _Mapping]]] = ..., after: _Optional[_Iterable[_Union[ArtifactLine, _Mapping]]] = ...) -> None: ...

class CharacterSpan(_message.Message):
    __slots__ = ("start", "end")
    START_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    start: int
    end: int
    def __init__(self, start: _Optional[int] = ..., end: _Optional[int] = ...) -> None: ...

class ArtifactPassage(_message.Message):
    __slots__ = ("first_line", "last_line", "offset", "score", "text")
    FIRST_LINE_FIELD_NUMBER: _ClassVar[int]
    LAST_LINE_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    first_line: int
    last_line: int
    offset: int
    score: float
    text: str
    def __init__(self, first_line: _Optional[int] = ..., last_line: _Optional[int] = ..., offset: _Optional[int] = ..., score: _Optional[float] = ..., text: _Optional[str] = ...) -> None: ...

class ArtifactFilter(_message.Message):
    __slots__ = ("session_id", "tool", "kinds", "created_from", "created_before", "min_size_bytes", "max_size_bytes", "tags_any", "tags_all", "max_sensitivity", "cited_by_memory_id")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    CREATED_FROM_FIELD_NUMBER: _ClassVar[int]
    CREATED_BEFORE_FIELD_NUMBER: _ClassVar[int]
    MIN_SIZE_BYTES_FIELD_NUMBER: _ClassVar[int]
    MAX_SIZE_BYTES_FIELD_NUMBER: _ClassVar[int]
    TAGS_ANY_FIELD_NUMBER: _ClassVar[int]
    TAGS_ALL_FIELD_NUMBER: _ClassVar[int]
    MAX_SENSITIVITY_FIELD_NUMBER: _ClassVar[int]
    CITED_BY_MEMORY_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    tool: str
    kinds: _containers.RepeatedScalarFieldContainer[ContentKind]
    created_from: _timestamp_pb2.Timestamp
    created_before: _timestamp_pb2.Timestamp
    min_size_bytes: int
    max_size_bytes: int
    tags_any: _containers.RepeatedScalarFieldContainer[str]
    tags_all: _containers.RepeatedScalarFieldContainer[str]
    max_sensitivity: _memory_pb2.Sensitivity
    cited_by_memory_id: str
    def __init__(self, session_id: _Optional[str] = ..., tool: _Optional[str] = ..., kinds: _Optional[_Iterable[_Union[ContentKind, str]]] = ..., created_from: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., created_before: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., min_size_bytes: _Optional[int] = ..., max_size_bytes: _Optional[int] = ..., tags_any: _Optional[_Iterable[str]] = ..., tags_all: _Optional[_Iterable[str]] = ..., max_sensitivity: _Optional[_Union[_memory_pb2.Sensitivity, str]] = ..., cited_by_memory_id: _Optional[str] = ...) -> None: ...

class Citation(_message.Message):
    __slots__ = ("source", "cited_by_id", "agent_id")
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    CITED_BY_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    source: _memory_pb2.Source
    cited_by_id: str
    agent_id: str
    def __init__(self, source: _Optional[_Union[_memory_pb2.Source, str]] = ..., cited_by_id: _Optional[str] = ..., agent_id: _Optional[str] = ...) -> None: ...

class ArtifactReceipt(_message.Message):
    __slots__ = ("receipt_id", "artifact_id", "bytes_deleted", "size_bytes", "stores", "deleted_at")
    RECEIPT_ID_FIELD_NUMBER: _ClassVar[int]
    ARTIFACT_ID_FIELD_NUMBER: _ClassVar[int]
    BYTES_DELETED_FIELD_NUMBER: _ClassVar[int]
    SIZE_BYTES_FIELD_NUMBER: _ClassVar[int]
    STORES_FIELD_NUMBER: _ClassVar[int]
    DELETED_AT_FIELD_NUMBER: _ClassVar[int]
    receipt_id: str
    artifact_id: str
    bytes_deleted: bool
    size_bytes: int
    stores: _containers.RepeatedCompositeFieldContainer[_memory_pb2.StoreCount]
    deleted_at: _timestamp_pb2.Timestamp
    def __init__(self, receipt_id: _Optional[str] = ..., artifact_id: _Optional[str] = ..., bytes_deleted: _Optional[bool] = ..., size_bytes: _Optional[int] = ..., stores: _Optional[_Iterable[_Union[_memory_pb2.StoreCount, _Mapping]]] = ..., deleted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
