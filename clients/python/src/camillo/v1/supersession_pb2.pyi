import datetime

from camillo.v1 import consistency_pb2 as _consistency_pb2
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

class Difference(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DIFFERENCE_UNSPECIFIED: _ClassVar[Difference]
    DIFFERENCE_NUMBER: _ClassVar[Difference]
    DIFFERENCE_DATE: _ClassVar[Difference]
    DIFFERENCE_NEGATION: _ClassVar[Difference]
    DIFFERENCE_NAME: _ClassVar[Difference]

class Verdict(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VERDICT_UNSPECIFIED: _ClassVar[Verdict]
    VERDICT_SUPERSEDES: _ClassVar[Verdict]
    VERDICT_CONTRADICTS: _ClassVar[Verdict]
    VERDICT_COMPATIBLE: _ClassVar[Verdict]
    VERDICT_UNJUDGED: _ClassVar[Verdict]

class UnjudgedReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    UNJUDGED_REASON_UNSPECIFIED: _ClassVar[UnjudgedReason]
    UNJUDGED_REASON_NO_MODEL: _ClassVar[UnjudgedReason]
    UNJUDGED_REASON_UNAVAILABLE: _ClassVar[UnjudgedReason]
    UNJUDGED_REASON_TIMEOUT: _ClassVar[UnjudgedReason]
    UNJUDGED_REASON_BUDGET: _ClassVar[UnjudgedReason]
    UNJUDGED_REASON_INVALID_ANSWER: _ClassVar[UnjudgedReason]
    UNJUDGED_REASON_SENSITIVITY: _ClassVar[UnjudgedReason]
DIFFERENCE_UNSPECIFIED: Difference
DIFFERENCE_NUMBER: Difference
DIFFERENCE_DATE: Difference
DIFFERENCE_NEGATION: Difference
DIFFERENCE_NAME: Difference
VERDICT_UNSPECIFIED: Verdict
VERDICT_SUPERSEDES: Verdict
VERDICT_CONTRADICTS: Verdict
VERDICT_COMPATIBLE: Verdict
VERDICT_UNJUDGED: Verdict
UNJUDGED_REASON_UNSPECIFIED: UnjudgedReason
UNJUDGED_REASON_NO_MODEL: UnjudgedReason
UNJUDGED_REASON_UNAVAILABLE: UnjudgedReason
UNJUDGED_REASON_TIMEOUT: UnjudgedReason
UNJUDGED_REASON_BUDGET: UnjudgedReason
UNJUDGED_REASON_INVALID_ANSWER: UnjudgedReason
UNJUDGED_REASON_SENSITIVITY: UnjudgedReason

class SupersedeMemoryRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "memory_id", "expected_version", "successor_id", "since")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    MEMORY_ID_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    SUCCESSOR_ID_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    memory_id: str
    expected_version: int
    successor_id: str
    since: _timestamp_pb2.Timestamp
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., memory_id: _Optional[str] = ..., expected_version: _Optional[int] = ..., successor_id: _Optional[str] = ..., since: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class SupersedeMemoryResponse(_message.Message):
    __slots__ = ("memory", "superseded", "revision")
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    SUPERSEDED_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    memory: _memory_pb2.Memory
    superseded: _memory_pb2.Memory
    revision: _consistency_pb2.Revision
    def __init__(self, memory: _Optional[_Union[_memory_pb2.Memory, _Mapping]] = ..., superseded: _Optional[_Union[_memory_pb2.Memory, _Mapping]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...

class Judgement(_message.Message):
    __slots__ = ("verdict", "current_id", "reason", "unjudged_reason")
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    CURRENT_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    UNJUDGED_REASON_FIELD_NUMBER: _ClassVar[int]
    verdict: Verdict
    current_id: str
    reason: str
    unjudged_reason: UnjudgedReason
    def __init__(self, verdict: _Optional[_Union[Verdict, str]] = ..., current_id: _Optional[str] = ..., reason: _Optional[str] = ..., unjudged_reason: _Optional[_Union[UnjudgedReason, str]] = ...) -> None: ...

class Contradiction(_message.Message):
    __slots__ = ("newer", "older", "differences", "similarity", "judgement")
    NEWER_FIELD_NUMBER: _ClassVar[int]
    OLDER_FIELD_NUMBER: _ClassVar[int]
    DIFFERENCES_FIELD_NUMBER: _ClassVar[int]
    SIMILARITY_FIELD_NUMBER: _ClassVar[int]
    JUDGEMENT_FIELD_NUMBER: _ClassVar[int]
    newer: _memory_pb2.Memory
    older: _memory_pb2.Memory
    differences: _containers.RepeatedScalarFieldContainer[Difference]
    similarity: float
    judgement: Judgement
    def __init__(self, newer: _Optional[_Union[_memory_pb2.Memory, _Mapping]] = ..., older: _Optional[_Union[_memory_pb2.Memory, _Mapping]] = ..., differences: _Optional[_Iterable[_Union[Difference, str]]] = ..., similarity: _Optional[float] = ..., judgement: _Optional[_Union[Judgement, _Mapping]] = ...) -> None: ...

class ListContradictionsRequest(_message.Message):
    __slots__ = ("agent_id", "filter", "page_size", "page_token", "freshness", "judge")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    FRESHNESS_FIELD_NUMBER: _ClassVar[int]
    JUDGE_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    filter: _memory_pb2.MemoryFilter
    page_size: int
    page_token: str
    freshness: _consistency_pb2.Freshness
    judge: bool
    def __init__(self, agent_id: _Optional[str] = ..., filter: _Optional[_Union[_memory_pb2.MemoryFilter, _Mapping]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., freshness: _Optional[_Union[_consistency_pb2.Freshness, _Mapping]] = ..., judge: _Optional[bool] = ...) -> None: ...

class ListContradictionsResponse(_message.Message):
    __slots__ = ("contradictions", "next_page_token", "revision", "degraded")
    CONTRADICTIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    DEGRADED_FIELD_NUMBER: _ClassVar[int]
    contradictions: _containers.RepeatedCompositeFieldContainer[Contradiction]
    next_page_token: str
    revision: _consistency_pb2.Revision
    degraded: _containers.RepeatedScalarFieldContainer[UnjudgedReason]
    def __init__(self, contradictions: _Optional[_Iterable[_Union[Contradiction, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., degraded: _Optional[_Iterable[_Union[UnjudgedReason, str]]] = ...) -> None: ...
