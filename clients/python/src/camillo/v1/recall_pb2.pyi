import datetime

from camillo.v1 import options_pb2 as _options_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ValidityFilter(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VALIDITY_FILTER_UNSPECIFIED: _ClassVar[ValidityFilter]
    VALIDITY_FILTER_TRUE: _ClassVar[ValidityFilter]
    VALIDITY_FILTER_ANY: _ClassVar[ValidityFilter]
    VALIDITY_FILTER_NOT_TRUE: _ClassVar[ValidityFilter]

class TimeMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TIME_MODE_UNSPECIFIED: _ClassVar[TimeMode]
    TIME_MODE_PREFER: _ClassVar[TimeMode]
    TIME_MODE_IGNORE: _ClassVar[TimeMode]
    TIME_MODE_ONLY: _ClassVar[TimeMode]

class LinkMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LINK_MODE_UNSPECIFIED: _ClassVar[LinkMode]
    LINK_MODE_FOLLOW: _ClassVar[LinkMode]
    LINK_MODE_IGNORE: _ClassVar[LinkMode]

class SpeechMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SPEECH_MODE_UNSPECIFIED: _ClassVar[SpeechMode]
    SPEECH_MODE_PREFER: _ClassVar[SpeechMode]
    SPEECH_MODE_IGNORE: _ClassVar[SpeechMode]

class RecallMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RECALL_MODE_UNSPECIFIED: _ClassVar[RecallMode]
    RECALL_MODE_COMPLETE: _ClassVar[RecallMode]
    RECALL_MODE_PRECISE: _ClassVar[RecallMode]
VALIDITY_FILTER_UNSPECIFIED: ValidityFilter
VALIDITY_FILTER_TRUE: ValidityFilter
VALIDITY_FILTER_ANY: ValidityFilter
VALIDITY_FILTER_NOT_TRUE: ValidityFilter
TIME_MODE_UNSPECIFIED: TimeMode
TIME_MODE_PREFER: TimeMode
TIME_MODE_IGNORE: TimeMode
TIME_MODE_ONLY: TimeMode
LINK_MODE_UNSPECIFIED: LinkMode
LINK_MODE_FOLLOW: LinkMode
LINK_MODE_IGNORE: LinkMode
SPEECH_MODE_UNSPECIFIED: SpeechMode
SPEECH_MODE_PREFER: SpeechMode
SPEECH_MODE_IGNORE: SpeechMode
RECALL_MODE_UNSPECIFIED: RecallMode
RECALL_MODE_COMPLETE: RecallMode
RECALL_MODE_PRECISE: RecallMode

class SpeechScore(_message.Message):
    __slots__ = ("score", "weight", "asks", "replies", "is_named")
    SCORE_FIELD_NUMBER: _ClassVar[int]
    WEIGHT_FIELD_NUMBER: _ClassVar[int]
    ASKS_FIELD_NUMBER: _ClassVar[int]
    REPLIES_FIELD_NUMBER: _ClassVar[int]
    IS_NAMED_FIELD_NUMBER: _ClassVar[int]
    score: float
    weight: float
    asks: bool
    replies: bool
    is_named: bool
    def __init__(self, score: _Optional[float] = ..., weight: _Optional[float] = ..., asks: _Optional[bool] = ..., replies: _Optional[bool] = ..., is_named: _Optional[bool] = ...) -> None: ...

class Rerank(_message.Message):
    __slots__ = ("enabled", "candidates", "budget_ms")
    ENABLED_FIELD_NUMBER: _ClassVar[int]
    CANDIDATES_FIELD_NUMBER: _ClassVar[int]
    BUDGET_MS_FIELD_NUMBER: _ClassVar[int]
    enabled: bool
    candidates: int
    budget_ms: int
    def __init__(self, enabled: _Optional[bool] = ..., candidates: _Optional[int] = ..., budget_ms: _Optional[int] = ...) -> None: ...

class RecallContext(_message.Message):
    __slots__ = ("session_id", "tags", "turns")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    tags: _containers.RepeatedScalarFieldContainer[str]
    turns: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, session_id: _Optional[str] = ..., tags: _Optional[_Iterable[str]] = ..., turns: _Optional[_Iterable[str]] = ...) -> None: ...

class SpaceWeights(_message.Message):
    __slots__ = ("agents", "users", "projects", "teams", "shared")
    AGENTS_FIELD_NUMBER: _ClassVar[int]
    USERS_FIELD_NUMBER: _ClassVar[int]
    PROJECTS_FIELD_NUMBER: _ClassVar[int]
    TEAMS_FIELD_NUMBER: _ClassVar[int]
    SHARED_FIELD_NUMBER: _ClassVar[int]
    agents: float
    users: float
    projects: float
    teams: float
    shared: float
    def __init__(self, agents: _Optional[float] = ..., users: _Optional[float] = ..., projects: _Optional[float] = ..., teams: _Optional[float] = ..., shared: _Optional[float] = ...) -> None: ...

class TimeWindow(_message.Message):
    __slots__ = ("until", "text", "anchor")
    FROM_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    ANCHOR_FIELD_NUMBER: _ClassVar[int]
    until: _timestamp_pb2.Timestamp
    text: str
    anchor: TimeAnchor
    def __init__(self, until: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., text: _Optional[str] = ..., anchor: _Optional[_Union[TimeAnchor, _Mapping]] = ..., **kwargs) -> None: ...

class TimeAnchor(_message.Message):
    __slots__ = ("text", "id", "score")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    text: str
    id: str
    score: float
    def __init__(self, text: _Optional[str] = ..., id: _Optional[str] = ..., score: _Optional[float] = ...) -> None: ...
