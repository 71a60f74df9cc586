from camillo.v1 import artifact_pb2 as _artifact_pb2
from camillo.v1 import channel_pb2 as _channel_pb2
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

class PutArtifactRequest(_message.Message):
    __slots__ = ("header", "bytes", "finish")
    HEADER_FIELD_NUMBER: _ClassVar[int]
    BYTES_FIELD_NUMBER: _ClassVar[int]
    FINISH_FIELD_NUMBER: _ClassVar[int]
    header: PutArtifactHeader
    bytes: ArtifactBytes
    finish: PutArtifactFinish
    def __init__(self, header: _Optional[_Union[PutArtifactHeader, _Mapping]] = ..., bytes: _Optional[_Union[ArtifactBytes, _Mapping]] = ..., finish: _Optional[_Union[PutArtifactFinish, _Mapping]] = ...) -> None: ...

class PutArtifactHeader(_message.Message):
    __slots__ = ("request_id", "agent_id", "artifact", "upload_id", "size_bytes", "offset", "prefix_sha256")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    ARTIFACT_FIELD_NUMBER: _ClassVar[int]
    UPLOAD_ID_FIELD_NUMBER: _ClassVar[int]
    SIZE_BYTES_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    PREFIX_SHA256_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    artifact: _artifact_pb2.NewArtifact
    upload_id: str
    size_bytes: int
    offset: int
    prefix_sha256: bytes
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., artifact: _Optional[_Union[_artifact_pb2.NewArtifact, _Mapping]] = ..., upload_id: _Optional[str] = ..., size_bytes: _Optional[int] = ..., offset: _Optional[int] = ..., prefix_sha256: _Optional[bytes] = ...) -> None: ...

class ArtifactBytes(_message.Message):
    __slots__ = ("offset", "data")
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    offset: int
    data: bytes
    def __init__(self, offset: _Optional[int] = ..., data: _Optional[bytes] = ...) -> None: ...

class PutArtifactFinish(_message.Message):
    __slots__ = ("sha256",)
    SHA256_FIELD_NUMBER: _ClassVar[int]
    sha256: bytes
    def __init__(self, sha256: _Optional[bytes] = ...) -> None: ...

class PutArtifactResponse(_message.Message):
    __slots__ = ("artifact", "preview", "redactions", "field_redactions")
    ARTIFACT_FIELD_NUMBER: _ClassVar[int]
    PREVIEW_FIELD_NUMBER: _ClassVar[int]
    REDACTIONS_FIELD_NUMBER: _ClassVar[int]
    FIELD_REDACTIONS_FIELD_NUMBER: _ClassVar[int]
    artifact: _artifact_pb2.Artifact
    preview: _artifact_pb2.ArtifactPreview
    redactions: _containers.RepeatedCompositeFieldContainer[_artifact_pb2.ArtifactRedaction]
    field_redactions: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Redaction]
    def __init__(self, artifact: _Optional[_Union[_artifact_pb2.Artifact, _Mapping]] = ..., preview: _Optional[_Union[_artifact_pb2.ArtifactPreview, _Mapping]] = ..., redactions: _Optional[_Iterable[_Union[_artifact_pb2.ArtifactRedaction, _Mapping]]] = ..., field_redactions: _Optional[_Iterable[_Union[_memory_pb2.Redaction, _Mapping]]] = ...) -> None: ...

class GetUploadRequest(_message.Message):
    __slots__ = ("agent_id", "upload_id")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    UPLOAD_ID_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    upload_id: str
    def __init__(self, agent_id: _Optional[str] = ..., upload_id: _Optional[str] = ...) -> None: ...

class GetUploadResponse(_message.Message):
    __slots__ = ("held_bytes", "artifact_id")
    HELD_BYTES_FIELD_NUMBER: _ClassVar[int]
    ARTIFACT_ID_FIELD_NUMBER: _ClassVar[int]
    held_bytes: int
    artifact_id: str
    def __init__(self, held_bytes: _Optional[int] = ..., artifact_id: _Optional[str] = ...) -> None: ...

class OffloadOutputRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "output", "artifact", "threshold_tokens")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_FIELD_NUMBER: _ClassVar[int]
    ARTIFACT_FIELD_NUMBER: _ClassVar[int]
    THRESHOLD_TOKENS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    output: bytes
    artifact: _artifact_pb2.NewArtifact
    threshold_tokens: int
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., output: _Optional[bytes] = ..., artifact: _Optional[_Union[_artifact_pb2.NewArtifact, _Mapping]] = ..., threshold_tokens: _Optional[int] = ...) -> None: ...

class OffloadOutputResponse(_message.Message):
    __slots__ = ("inline", "artifact", "text", "preview", "output_tokens", "text_tokens", "redactions", "field_redactions")
    INLINE_FIELD_NUMBER: _ClassVar[int]
    ARTIFACT_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    PREVIEW_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    TEXT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    REDACTIONS_FIELD_NUMBER: _ClassVar[int]
    FIELD_REDACTIONS_FIELD_NUMBER: _ClassVar[int]
    inline: str
    artifact: _artifact_pb2.Artifact
    text: str
    preview: _artifact_pb2.ArtifactPreview
    output_tokens: int
    text_tokens: int
    redactions: _containers.RepeatedCompositeFieldContainer[_artifact_pb2.ArtifactRedaction]
    field_redactions: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Redaction]
    def __init__(self, inline: _Optional[str] = ..., artifact: _Optional[_Union[_artifact_pb2.Artifact, _Mapping]] = ..., text: _Optional[str] = ..., preview: _Optional[_Union[_artifact_pb2.ArtifactPreview, _Mapping]] = ..., output_tokens: _Optional[int] = ..., text_tokens: _Optional[int] = ..., redactions: _Optional[_Iterable[_Union[_artifact_pb2.ArtifactRedaction, _Mapping]]] = ..., field_redactions: _Optional[_Iterable[_Union[_memory_pb2.Redaction, _Mapping]]] = ...) -> None: ...

class GetArtifactRequest(_message.Message):
    __slots__ = ("agent_id", "artifact_id", "channel")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    ARTIFACT_ID_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    artifact_id: str
    channel: _channel_pb2.Channel
    def __init__(self, agent_id: _Optional[str] = ..., artifact_id: _Optional[str] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ...) -> None: ...

class GetArtifactResponse(_message.Message):
    __slots__ = ("artifact", "preview", "redactions")
    ARTIFACT_FIELD_NUMBER: _ClassVar[int]
    PREVIEW_FIELD_NUMBER: _ClassVar[int]
    REDACTIONS_FIELD_NUMBER: _ClassVar[int]
    artifact: _artifact_pb2.Artifact
    preview: _artifact_pb2.ArtifactPreview
    redactions: _containers.RepeatedCompositeFieldContainer[_artifact_pb2.ArtifactRedaction]
    def __init__(self, artifact: _Optional[_Union[_artifact_pb2.Artifact, _Mapping]] = ..., preview: _Optional[_Union[_artifact_pb2.ArtifactPreview, _Mapping]] = ..., redactions: _Optional[_Iterable[_Union[_artifact_pb2.ArtifactRedaction, _Mapping]]] = ...) -> None: ...

class ReadArtifactRequest(_message.Message):
    __slots__ = ("agent_id", "artifact_id", "channel", "range", "resume_after_bytes", "resume_crc32c", "accept_encodings")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    ARTIFACT_ID_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    RANGE_FIELD_NUMBER: _ClassVar[int]
    RESUME_AFTER_BYTES_FIELD_NUMBER: _ClassVar[int]
    RESUME_CRC32C_FIELD_NUMBER: _ClassVar[int]
    ACCEPT_ENCODINGS_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    artifact_id: str
    channel: _channel_pb2.Channel
    range: _artifact_pb2.ArtifactRange
    resume_after_bytes: int
    resume_crc32c: int
    accept_encodings: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, agent_id: _Optional[str] = ..., artifact_id: _Optional[str] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ..., range: _Optional[_Union[_artifact_pb2.ArtifactRange, _Mapping]] = ..., resume_after_bytes: _Optional[int] = ..., resume_crc32c: _Optional[int] = ..., accept_encodings: _Optional[_Iterable[str]] = ...) -> None: ...

class ReadArtifactResponse(_message.Message):
    __slots__ = ("data", "offset", "line", "crc32c", "range_bytes", "content_encoding", "decoded_bytes")
    DATA_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    CRC32C_FIELD_NUMBER: _ClassVar[int]
    RANGE_BYTES_FIELD_NUMBER: _ClassVar[int]
    CONTENT_ENCODING_FIELD_NUMBER: _ClassVar[int]
    DECODED_BYTES_FIELD_NUMBER: _ClassVar[int]
    data: bytes
    offset: int
    line: int
    crc32c: int
    range_bytes: int
    content_encoding: str
    decoded_bytes: int
    def __init__(self, data: _Optional[bytes] = ..., offset: _Optional[int] = ..., line: _Optional[int] = ..., crc32c: _Optional[int] = ..., range_bytes: _Optional[int] = ..., content_encoding: _Optional[str] = ..., decoded_bytes: _Optional[int] = ...) -> None: ...

class ReadArtifactPageRequest(_message.Message):
    __slots__ = ("agent_id", "artifact_id", "channel", "range", "max_tokens", "page_token")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    ARTIFACT_ID_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    RANGE_FIELD_NUMBER: _ClassVar[int]
    MAX_TOKENS_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    artifact_id: str
    channel: _channel_pb2.Channel
    range: _artifact_pb2.ArtifactRange
    max_tokens: int
    page_token: str
    def __init__(self, agent_id: _Optional[str] = ..., artifact_id: _Optional[str] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ..., range: _Optional[_Union[_artifact_pb2.ArtifactRange, _Mapping]] = ..., max_tokens: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ReadArtifactPageResponse(_message.Message):
    __slots__ = ("text", "offset", "first_line", "last_line", "tokens", "next_page_token")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    FIRST_LINE_FIELD_NUMBER: _ClassVar[int]
    LAST_LINE_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    text: str
    offset: int
    first_line: int
    last_line: int
    tokens: int
    next_page_token: str
    def __init__(self, text: _Optional[str] = ..., offset: _Optional[int] = ..., first_line: _Optional[int] = ..., last_line: _Optional[int] = ..., tokens: _Optional[int] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class SearchArtifactRequest(_message.Message):
    __slots__ = ("agent_id", "artifact_id", "channel", "literal", "regex", "ranked", "ignore_case", "before", "after", "limit", "start_line")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    ARTIFACT_ID_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    LITERAL_FIELD_NUMBER: _ClassVar[int]
    REGEX_FIELD_NUMBER: _ClassVar[int]
    RANKED_FIELD_NUMBER: _ClassVar[int]
    IGNORE_CASE_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    START_LINE_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    artifact_id: str
    channel: _channel_pb2.Channel
    literal: str
    regex: str
    ranked: str
    ignore_case: bool
    before: int
    after: int
    limit: int
    start_line: int
    def __init__(self, agent_id: _Optional[str] = ..., artifact_id: _Optional[str] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ..., literal: _Optional[str] = ..., regex: _Optional[str] = ..., ranked: _Optional[str] = ..., ignore_case: _Optional[bool] = ..., before: _Optional[int] = ..., after: _Optional[int] = ..., limit: _Optional[int] = ..., start_line: _Optional[int] = ...) -> None: ...

class SearchArtifactResponse(_message.Message):
    __slots__ = ("matches", "passages", "scanned_bytes", "total_bytes", "next_line", "limit_reached")
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    PASSAGES_FIELD_NUMBER: _ClassVar[int]
    SCANNED_BYTES_FIELD_NUMBER: _ClassVar[int]
    TOTAL_BYTES_FIELD_NUMBER: _ClassVar[int]
    NEXT_LINE_FIELD_NUMBER: _ClassVar[int]
    LIMIT_REACHED_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[_artifact_pb2.ArtifactMatch]
    passages: _containers.RepeatedCompositeFieldContainer[_artifact_pb2.ArtifactPassage]
    scanned_bytes: int
    total_bytes: int
    next_line: int
    limit_reached: bool
    def __init__(self, matches: _Optional[_Iterable[_Union[_artifact_pb2.ArtifactMatch, _Mapping]]] = ..., passages: _Optional[_Iterable[_Union[_artifact_pb2.ArtifactPassage, _Mapping]]] = ..., scanned_bytes: _Optional[int] = ..., total_bytes: _Optional[int] = ..., next_line: _Optional[int] = ..., limit_reached: _Optional[bool] = ...) -> None: ...

class ListArtifactsRequest(_message.Message):
    __slots__ = ("agent_id", "filter", "channel", "include_shared", "page_size", "page_token")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_SHARED_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    filter: _artifact_pb2.ArtifactFilter
    channel: _channel_pb2.Channel
    include_shared: bool
    page_size: int
    page_token: str
    def __init__(self, agent_id: _Optional[str] = ..., filter: _Optional[_Union[_artifact_pb2.ArtifactFilter, _Mapping]] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ..., include_shared: _Optional[bool] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListArtifactsResponse(_message.Message):
    __slots__ = ("artifacts", "next_page_token")
    ARTIFACTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    artifacts: _containers.RepeatedCompositeFieldContainer[_artifact_pb2.Artifact]
    next_page_token: str
    def __init__(self, artifacts: _Optional[_Iterable[_Union[_artifact_pb2.Artifact, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class UpdateArtifactRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "artifact_id", "expected_version", "update_mask", "artifact")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    ARTIFACT_ID_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    ARTIFACT_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    artifact_id: str
    expected_version: int
    update_mask: _field_mask_pb2.FieldMask
    artifact: _artifact_pb2.NewArtifact
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., artifact_id: _Optional[str] = ..., expected_version: _Optional[int] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ..., artifact: _Optional[_Union[_artifact_pb2.NewArtifact, _Mapping]] = ...) -> None: ...

class UpdateArtifactResponse(_message.Message):
    __slots__ = ("artifact", "field_redactions")
    ARTIFACT_FIELD_NUMBER: _ClassVar[int]
    FIELD_REDACTIONS_FIELD_NUMBER: _ClassVar[int]
    artifact: _artifact_pb2.Artifact
    field_redactions: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Redaction]
    def __init__(self, artifact: _Optional[_Union[_artifact_pb2.Artifact, _Mapping]] = ..., field_redactions: _Optional[_Iterable[_Union[_memory_pb2.Redaction, _Mapping]]] = ...) -> None: ...

class DeleteArtifactRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "artifact_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    ARTIFACT_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    artifact_id: str
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., artifact_id: _Optional[str] = ...) -> None: ...

class DeleteArtifactResponse(_message.Message):
    __slots__ = ("receipt",)
    RECEIPT_FIELD_NUMBER: _ClassVar[int]
    receipt: _artifact_pb2.ArtifactReceipt
    def __init__(self, receipt: _Optional[_Union[_artifact_pb2.ArtifactReceipt, _Mapping]] = ...) -> None: ...

class ListCitationsRequest(_message.Message):
    __slots__ = ("agent_id", "artifact_id", "page_size", "page_token")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    ARTIFACT_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    artifact_id: str
    page_size: int
    page_token: str
    def __init__(self, agent_id: _Optional[str] = ..., artifact_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListCitationsResponse(_message.Message):
    __slots__ = ("citations", "next_page_token")
    CITATIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    citations: _containers.RepeatedCompositeFieldContainer[_artifact_pb2.Citation]
    next_page_token: str
    def __init__(self, citations: _Optional[_Iterable[_Union[_artifact_pb2.Citation, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...
