import datetime

from camillo.v1 import forgetting_pb2 as _forgetting_pb2
from camillo.v1 import lifecycle_pb2 as _lifecycle_pb2
from camillo.v1 import memory_pb2 as _memory_pb2
from camillo.v1 import options_pb2 as _options_pb2
from camillo.v1 import space_pb2 as _space_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class OtherSpaces(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OTHER_SPACES_UNSPECIFIED: _ClassVar[OtherSpaces]
    OTHER_SPACES_KEEP: _ClassVar[OtherSpaces]
    OTHER_SPACES_REDACT_SPANS: _ClassVar[OtherSpaces]
    OTHER_SPACES_DELETE_RECORDS: _ClassVar[OtherSpaces]
OTHER_SPACES_UNSPECIFIED: OtherSpaces
OTHER_SPACES_KEEP: OtherSpaces
OTHER_SPACES_REDACT_SPANS: OtherSpaces
OTHER_SPACES_DELETE_RECORDS: OtherSpaces

class ListSpacesRequest(_message.Message):
    __slots__ = ("prefix", "page_size", "page_token")
    PREFIX_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    prefix: str
    page_size: int
    page_token: str
    def __init__(self, prefix: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListSpacesResponse(_message.Message):
    __slots__ = ("spaces", "next_page_token")
    SPACES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    spaces: _containers.RepeatedCompositeFieldContainer[_space_pb2.Space]
    next_page_token: str
    def __init__(self, spaces: _Optional[_Iterable[_Union[_space_pb2.Space, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetSpaceRequest(_message.Message):
    __slots__ = ("agent_id",)
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    def __init__(self, agent_id: _Optional[str] = ...) -> None: ...

class GetSpaceResponse(_message.Message):
    __slots__ = ("space", "kinds", "sessions", "oldest_at", "newest_at", "hidden_memories_stay", "artifacts_stay", "readers", "more_readers")
    SPACE_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    SESSIONS_FIELD_NUMBER: _ClassVar[int]
    OLDEST_AT_FIELD_NUMBER: _ClassVar[int]
    NEWEST_AT_FIELD_NUMBER: _ClassVar[int]
    HIDDEN_MEMORIES_STAY_FIELD_NUMBER: _ClassVar[int]
    ARTIFACTS_STAY_FIELD_NUMBER: _ClassVar[int]
    READERS_FIELD_NUMBER: _ClassVar[int]
    MORE_READERS_FIELD_NUMBER: _ClassVar[int]
    space: _space_pb2.Space
    kinds: _containers.RepeatedCompositeFieldContainer[_space_pb2.KindUsage]
    sessions: int
    oldest_at: _timestamp_pb2.Timestamp
    newest_at: _timestamp_pb2.Timestamp
    hidden_memories_stay: _duration_pb2.Duration
    artifacts_stay: _duration_pb2.Duration
    readers: _containers.RepeatedCompositeFieldContainer[_space_pb2.SpaceReader]
    more_readers: int
    def __init__(self, space: _Optional[_Union[_space_pb2.Space, _Mapping]] = ..., kinds: _Optional[_Iterable[_Union[_space_pb2.KindUsage, _Mapping]]] = ..., sessions: _Optional[int] = ..., oldest_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., newest_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., hidden_memories_stay: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., artifacts_stay: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., readers: _Optional[_Iterable[_Union[_space_pb2.SpaceReader, _Mapping]]] = ..., more_readers: _Optional[int] = ...) -> None: ...

class ListTokenUsageRequest(_message.Message):
    __slots__ = ("agent_id", "all_scopes", "since", "until", "group_by", "operation", "model_id", "page_size", "page_token")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    ALL_SCOPES_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    GROUP_BY_FIELD_NUMBER: _ClassVar[int]
    OPERATION_FIELD_NUMBER: _ClassVar[int]
    MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    all_scopes: bool
    since: _timestamp_pb2.Timestamp
    until: _timestamp_pb2.Timestamp
    group_by: _containers.RepeatedScalarFieldContainer[_space_pb2.UsageDimension]
    operation: str
    model_id: str
    page_size: int
    page_token: str
    def __init__(self, agent_id: _Optional[str] = ..., all_scopes: _Optional[bool] = ..., since: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., until: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., group_by: _Optional[_Iterable[_Union[_space_pb2.UsageDimension, str]]] = ..., operation: _Optional[str] = ..., model_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListTokenUsageResponse(_message.Message):
    __slots__ = ("usages", "next_page_token", "budget")
    USAGES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    BUDGET_FIELD_NUMBER: _ClassVar[int]
    usages: _containers.RepeatedCompositeFieldContainer[_space_pb2.TokenUsage]
    next_page_token: str
    budget: _space_pb2.ModelBudget
    def __init__(self, usages: _Optional[_Iterable[_Union[_space_pb2.TokenUsage, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., budget: _Optional[_Union[_space_pb2.ModelBudget, _Mapping]] = ...) -> None: ...

class ForgetSpaceRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "confirm_agent_id", "dry_run", "plan_token", "block_values", "also_named", "other_spaces", "keep", "excerpts")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    CONFIRM_AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    PLAN_TOKEN_FIELD_NUMBER: _ClassVar[int]
    BLOCK_VALUES_FIELD_NUMBER: _ClassVar[int]
    ALSO_NAMED_FIELD_NUMBER: _ClassVar[int]
    OTHER_SPACES_FIELD_NUMBER: _ClassVar[int]
    KEEP_FIELD_NUMBER: _ClassVar[int]
    EXCERPTS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    confirm_agent_id: str
    dry_run: bool
    plan_token: str
    block_values: bool
    also_named: _containers.RepeatedScalarFieldContainer[str]
    other_spaces: OtherSpaces
    keep: _forgetting_pb2.RecordIds
    excerpts: _forgetting_pb2.ExcerptOptions
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., confirm_agent_id: _Optional[str] = ..., dry_run: _Optional[bool] = ..., plan_token: _Optional[str] = ..., block_values: _Optional[bool] = ..., also_named: _Optional[_Iterable[str]] = ..., other_spaces: _Optional[_Union[OtherSpaces, str]] = ..., keep: _Optional[_Union[_forgetting_pb2.RecordIds, _Mapping]] = ..., excerpts: _Optional[_Union[_forgetting_pb2.ExcerptOptions, _Mapping]] = ...) -> None: ...

class ForgetSpaceResponse(_message.Message):
    __slots__ = ("receipt", "other_spaces", "plan_token")
    RECEIPT_FIELD_NUMBER: _ClassVar[int]
    OTHER_SPACES_FIELD_NUMBER: _ClassVar[int]
    PLAN_TOKEN_FIELD_NUMBER: _ClassVar[int]
    receipt: _lifecycle_pb2.Receipt
    other_spaces: _memory_pb2.ForgetReceipt
    plan_token: str
    def __init__(self, receipt: _Optional[_Union[_lifecycle_pb2.Receipt, _Mapping]] = ..., other_spaces: _Optional[_Union[_memory_pb2.ForgetReceipt, _Mapping]] = ..., plan_token: _Optional[str] = ...) -> None: ...
