import datetime

from camillo.v1 import channel_pb2 as _channel_pb2
from camillo.v1 import options_pb2 as _options_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ForgetMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FORGET_MODE_UNSPECIFIED: _ClassVar[ForgetMode]
    FORGET_MODE_DELETE_RECORDS: _ClassVar[ForgetMode]
    FORGET_MODE_REDACT_SPANS: _ClassVar[ForgetMode]
FORGET_MODE_UNSPECIFIED: ForgetMode
FORGET_MODE_DELETE_RECORDS: ForgetMode
FORGET_MODE_REDACT_SPANS: ForgetMode

class RecordIds(_message.Message):
    __slots__ = ("memory_ids", "event_ids", "decision_ids", "task_ids", "handoff_ids", "view_names", "run_ids", "artifact_ids", "slot_ids", "action_ids", "document_ids", "skill_names", "alias_ids", "proposal_ids", "distillation_answer_ids")
    MEMORY_IDS_FIELD_NUMBER: _ClassVar[int]
    EVENT_IDS_FIELD_NUMBER: _ClassVar[int]
    DECISION_IDS_FIELD_NUMBER: _ClassVar[int]
    TASK_IDS_FIELD_NUMBER: _ClassVar[int]
    HANDOFF_IDS_FIELD_NUMBER: _ClassVar[int]
    VIEW_NAMES_FIELD_NUMBER: _ClassVar[int]
    RUN_IDS_FIELD_NUMBER: _ClassVar[int]
    ARTIFACT_IDS_FIELD_NUMBER: _ClassVar[int]
    SLOT_IDS_FIELD_NUMBER: _ClassVar[int]
    ACTION_IDS_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_IDS_FIELD_NUMBER: _ClassVar[int]
    SKILL_NAMES_FIELD_NUMBER: _ClassVar[int]
    ALIAS_IDS_FIELD_NUMBER: _ClassVar[int]
    PROPOSAL_IDS_FIELD_NUMBER: _ClassVar[int]
    DISTILLATION_ANSWER_IDS_FIELD_NUMBER: _ClassVar[int]
    memory_ids: _containers.RepeatedScalarFieldContainer[str]
    event_ids: _containers.RepeatedScalarFieldContainer[str]
    decision_ids: _containers.RepeatedScalarFieldContainer[str]
    task_ids: _containers.RepeatedScalarFieldContainer[str]
    handoff_ids: _containers.RepeatedScalarFieldContainer[str]
    view_names: _containers.RepeatedScalarFieldContainer[str]
    run_ids: _containers.RepeatedScalarFieldContainer[str]
    artifact_ids: _containers.RepeatedScalarFieldContainer[str]
    slot_ids: _containers.RepeatedScalarFieldContainer[str]
    action_ids: _containers.RepeatedScalarFieldContainer[str]
    document_ids: _containers.RepeatedScalarFieldContainer[str]
    skill_names: _containers.RepeatedScalarFieldContainer[str]
    alias_ids: _containers.RepeatedScalarFieldContainer[str]
    proposal_ids: _containers.RepeatedScalarFieldContainer[str]
    distillation_answer_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, memory_ids: _Optional[_Iterable[str]] = ..., event_ids: _Optional[_Iterable[str]] = ..., decision_ids: _Optional[_Iterable[str]] = ..., task_ids: _Optional[_Iterable[str]] = ..., handoff_ids: _Optional[_Iterable[str]] = ..., view_names: _Optional[_Iterable[str]] = ..., run_ids: _Optional[_Iterable[str]] = ..., artifact_ids: _Optional[_Iterable[str]] = ..., slot_ids: _Optional[_Iterable[str]] = ..., action_ids: _Optional[_Iterable[str]] = ..., document_ids: _Optional[_Iterable[str]] = ..., skill_names: _Optional[_Iterable[str]] = ..., alias_ids: _Optional[_Iterable[str]] = ..., proposal_ids: _Optional[_Iterable[str]] = ..., distillation_answer_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class Remainder(_message.Message):
    __slots__ = ("place", "until", "ids")
    PLACE_FIELD_NUMBER: _ClassVar[int]
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    IDS_FIELD_NUMBER: _ClassVar[int]
    place: str
    until: str
    ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, place: _Optional[str] = ..., until: _Optional[str] = ..., ids: _Optional[_Iterable[str]] = ...) -> None: ...

class ExcerptOptions(_message.Message):
    __slots__ = ("per_store", "channel")
    PER_STORE_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    per_store: int
    channel: _channel_pb2.Channel
    def __init__(self, per_store: _Optional[int] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ...) -> None: ...

class StoreExcerpts(_message.Message):
    __slots__ = ("store", "excerpts", "not_shown", "withheld")
    STORE_FIELD_NUMBER: _ClassVar[int]
    EXCERPTS_FIELD_NUMBER: _ClassVar[int]
    NOT_SHOWN_FIELD_NUMBER: _ClassVar[int]
    WITHHELD_FIELD_NUMBER: _ClassVar[int]
    store: str
    excerpts: _containers.RepeatedCompositeFieldContainer[Excerpt]
    not_shown: int
    withheld: int
    def __init__(self, store: _Optional[str] = ..., excerpts: _Optional[_Iterable[_Union[Excerpt, _Mapping]]] = ..., not_shown: _Optional[int] = ..., withheld: _Optional[int] = ...) -> None: ...

class Excerpt(_message.Message):
    __slots__ = ("id", "agent_id", "texts", "places")
    ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    TEXTS_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    id: str
    agent_id: str
    texts: _containers.RepeatedScalarFieldContainer[str]
    places: int
    def __init__(self, id: _Optional[str] = ..., agent_id: _Optional[str] = ..., texts: _Optional[_Iterable[str]] = ..., places: _Optional[int] = ...) -> None: ...

class ValueMatch(_message.Message):
    __slots__ = ("records", "in_small_letters", "too_common", "merged_name")
    RECORDS_FIELD_NUMBER: _ClassVar[int]
    IN_SMALL_LETTERS_FIELD_NUMBER: _ClassVar[int]
    TOO_COMMON_FIELD_NUMBER: _ClassVar[int]
    MERGED_NAME_FIELD_NUMBER: _ClassVar[int]
    records: int
    in_small_letters: int
    too_common: bool
    merged_name: str
    def __init__(self, records: _Optional[int] = ..., in_small_letters: _Optional[int] = ..., too_common: _Optional[bool] = ..., merged_name: _Optional[str] = ...) -> None: ...

class ValueRefusal(_message.Message):
    __slots__ = ("refusal_id", "at", "method", "field", "receipt_id")
    REFUSAL_ID_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    FIELD_FIELD_NUMBER: _ClassVar[int]
    RECEIPT_ID_FIELD_NUMBER: _ClassVar[int]
    refusal_id: str
    at: _timestamp_pb2.Timestamp
    method: str
    field: str
    receipt_id: str
    def __init__(self, refusal_id: _Optional[str] = ..., at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., method: _Optional[str] = ..., field: _Optional[str] = ..., receipt_id: _Optional[str] = ...) -> None: ...

class ListValueRefusalsRequest(_message.Message):
    __slots__ = ("agent_id", "page_size", "page_token")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    page_size: int
    page_token: str
    def __init__(self, agent_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListValueRefusalsResponse(_message.Message):
    __slots__ = ("refusals", "next_page_token")
    REFUSALS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    refusals: _containers.RepeatedCompositeFieldContainer[ValueRefusal]
    next_page_token: str
    def __init__(self, refusals: _Optional[_Iterable[_Union[ValueRefusal, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class OmittedText(_message.Message):
    __slots__ = ("field", "offset")
    FIELD_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    field: str
    offset: int
    def __init__(self, field: _Optional[str] = ..., offset: _Optional[int] = ...) -> None: ...
