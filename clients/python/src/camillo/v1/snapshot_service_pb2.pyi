import datetime

from camillo.v1 import channel_pb2 as _channel_pb2
from camillo.v1 import consistency_pb2 as _consistency_pb2
from camillo.v1 import context_pb2 as _context_pb2
from camillo.v1 import memory_pb2 as _memory_pb2
from camillo.v1 import options_pb2 as _options_pb2
from camillo.v1 import recall_pb2 as _recall_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class BuildSnapshotRequest(_message.Message):
    __slots__ = ("agent_id", "trigger_event", "focus", "session_id", "channel", "max_tokens", "freshness", "as_of", "explain", "time_mode", "link_mode", "speech_mode", "time_zone", "spaces")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    TRIGGER_EVENT_FIELD_NUMBER: _ClassVar[int]
    FOCUS_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    MAX_TOKENS_FIELD_NUMBER: _ClassVar[int]
    FRESHNESS_FIELD_NUMBER: _ClassVar[int]
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    EXPLAIN_FIELD_NUMBER: _ClassVar[int]
    TIME_MODE_FIELD_NUMBER: _ClassVar[int]
    LINK_MODE_FIELD_NUMBER: _ClassVar[int]
    SPEECH_MODE_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    SPACES_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    trigger_event: str
    focus: str
    session_id: str
    channel: _channel_pb2.Channel
    max_tokens: int
    freshness: _consistency_pb2.Freshness
    as_of: _timestamp_pb2.Timestamp
    explain: bool
    time_mode: _recall_pb2.TimeMode
    link_mode: _recall_pb2.LinkMode
    speech_mode: _recall_pb2.SpeechMode
    time_zone: str
    spaces: _containers.RepeatedCompositeFieldContainer[_consistency_pb2.SpaceRead]
    def __init__(self, agent_id: _Optional[str] = ..., trigger_event: _Optional[str] = ..., focus: _Optional[str] = ..., session_id: _Optional[str] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ..., max_tokens: _Optional[int] = ..., freshness: _Optional[_Union[_consistency_pb2.Freshness, _Mapping]] = ..., as_of: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., explain: _Optional[bool] = ..., time_mode: _Optional[_Union[_recall_pb2.TimeMode, str]] = ..., link_mode: _Optional[_Union[_recall_pb2.LinkMode, str]] = ..., speech_mode: _Optional[_Union[_recall_pb2.SpeechMode, str]] = ..., time_zone: _Optional[str] = ..., spaces: _Optional[_Iterable[_Union[_consistency_pb2.SpaceRead, _Mapping]]] = ...) -> None: ...

class BuildSnapshotResponse(_message.Message):
    __slots__ = ("bundle",)
    BUNDLE_FIELD_NUMBER: _ClassVar[int]
    bundle: _context_pb2.Bundle
    def __init__(self, bundle: _Optional[_Union[_context_pb2.Bundle, _Mapping]] = ...) -> None: ...

class BuildBundleRequest(_message.Message):
    __slots__ = ("agent_id", "session_id", "channel", "intent", "query_text", "recipe", "max_tokens", "freshness", "as_of", "explain", "skills", "time_mode", "link_mode", "speech_mode", "time_zone", "spaces")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    INTENT_FIELD_NUMBER: _ClassVar[int]
    QUERY_TEXT_FIELD_NUMBER: _ClassVar[int]
    RECIPE_FIELD_NUMBER: _ClassVar[int]
    MAX_TOKENS_FIELD_NUMBER: _ClassVar[int]
    FRESHNESS_FIELD_NUMBER: _ClassVar[int]
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    EXPLAIN_FIELD_NUMBER: _ClassVar[int]
    SKILLS_FIELD_NUMBER: _ClassVar[int]
    TIME_MODE_FIELD_NUMBER: _ClassVar[int]
    LINK_MODE_FIELD_NUMBER: _ClassVar[int]
    SPEECH_MODE_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    SPACES_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    session_id: str
    channel: _channel_pb2.Channel
    intent: str
    query_text: str
    recipe: str
    max_tokens: int
    freshness: _consistency_pb2.Freshness
    as_of: _timestamp_pb2.Timestamp
    explain: bool
    skills: _containers.RepeatedScalarFieldContainer[str]
    time_mode: _recall_pb2.TimeMode
    link_mode: _recall_pb2.LinkMode
    speech_mode: _recall_pb2.SpeechMode
    time_zone: str
    spaces: _containers.RepeatedCompositeFieldContainer[_consistency_pb2.SpaceRead]
    def __init__(self, agent_id: _Optional[str] = ..., session_id: _Optional[str] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ..., intent: _Optional[str] = ..., query_text: _Optional[str] = ..., recipe: _Optional[str] = ..., max_tokens: _Optional[int] = ..., freshness: _Optional[_Union[_consistency_pb2.Freshness, _Mapping]] = ..., as_of: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., explain: _Optional[bool] = ..., skills: _Optional[_Iterable[str]] = ..., time_mode: _Optional[_Union[_recall_pb2.TimeMode, str]] = ..., link_mode: _Optional[_Union[_recall_pb2.LinkMode, str]] = ..., speech_mode: _Optional[_Union[_recall_pb2.SpeechMode, str]] = ..., time_zone: _Optional[str] = ..., spaces: _Optional[_Iterable[_Union[_consistency_pb2.SpaceRead, _Mapping]]] = ...) -> None: ...

class BuildBundleResponse(_message.Message):
    __slots__ = ("bundle",)
    BUNDLE_FIELD_NUMBER: _ClassVar[int]
    bundle: _context_pb2.Bundle
    def __init__(self, bundle: _Optional[_Union[_context_pb2.Bundle, _Mapping]] = ...) -> None: ...

class BuildWorkingMemoryRequest(_message.Message):
    __slots__ = ("agent_id", "system_prompt", "turns", "query_text", "channel", "max_tokens", "freshness", "as_of", "explain", "skills", "time_mode", "link_mode", "speech_mode", "time_zone", "spaces")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    SYSTEM_PROMPT_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    QUERY_TEXT_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    MAX_TOKENS_FIELD_NUMBER: _ClassVar[int]
    FRESHNESS_FIELD_NUMBER: _ClassVar[int]
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    EXPLAIN_FIELD_NUMBER: _ClassVar[int]
    SKILLS_FIELD_NUMBER: _ClassVar[int]
    TIME_MODE_FIELD_NUMBER: _ClassVar[int]
    LINK_MODE_FIELD_NUMBER: _ClassVar[int]
    SPEECH_MODE_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    SPACES_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    system_prompt: str
    turns: _containers.RepeatedCompositeFieldContainer[_context_pb2.Turn]
    query_text: str
    channel: _channel_pb2.Channel
    max_tokens: int
    freshness: _consistency_pb2.Freshness
    as_of: _timestamp_pb2.Timestamp
    explain: bool
    skills: _containers.RepeatedScalarFieldContainer[str]
    time_mode: _recall_pb2.TimeMode
    link_mode: _recall_pb2.LinkMode
    speech_mode: _recall_pb2.SpeechMode
    time_zone: str
    spaces: _containers.RepeatedCompositeFieldContainer[_consistency_pb2.SpaceRead]
    def __init__(self, agent_id: _Optional[str] = ..., system_prompt: _Optional[str] = ..., turns: _Optional[_Iterable[_Union[_context_pb2.Turn, _Mapping]]] = ..., query_text: _Optional[str] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ..., max_tokens: _Optional[int] = ..., freshness: _Optional[_Union[_consistency_pb2.Freshness, _Mapping]] = ..., as_of: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., explain: _Optional[bool] = ..., skills: _Optional[_Iterable[str]] = ..., time_mode: _Optional[_Union[_recall_pb2.TimeMode, str]] = ..., link_mode: _Optional[_Union[_recall_pb2.LinkMode, str]] = ..., speech_mode: _Optional[_Union[_recall_pb2.SpeechMode, str]] = ..., time_zone: _Optional[str] = ..., spaces: _Optional[_Iterable[_Union[_consistency_pb2.SpaceRead, _Mapping]]] = ...) -> None: ...

class BuildWorkingMemoryResponse(_message.Message):
    __slots__ = ("bundle",)
    BUNDLE_FIELD_NUMBER: _ClassVar[int]
    bundle: _context_pb2.Bundle
    def __init__(self, bundle: _Optional[_Union[_context_pb2.Bundle, _Mapping]] = ...) -> None: ...

class BuildDigestRequest(_message.Message):
    __slots__ = ("agent_id", "token_limit", "tags", "current_time", "channel", "freshness", "explain", "spaces")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_LIMIT_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    CURRENT_TIME_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    FRESHNESS_FIELD_NUMBER: _ClassVar[int]
    EXPLAIN_FIELD_NUMBER: _ClassVar[int]
    SPACES_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    token_limit: int
    tags: _containers.RepeatedScalarFieldContainer[str]
    current_time: _timestamp_pb2.Timestamp
    channel: _channel_pb2.Channel
    freshness: _consistency_pb2.Freshness
    explain: bool
    spaces: _containers.RepeatedCompositeFieldContainer[_consistency_pb2.SpaceRead]
    def __init__(self, agent_id: _Optional[str] = ..., token_limit: _Optional[int] = ..., tags: _Optional[_Iterable[str]] = ..., current_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ..., freshness: _Optional[_Union[_consistency_pb2.Freshness, _Mapping]] = ..., explain: _Optional[bool] = ..., spaces: _Optional[_Iterable[_Union[_consistency_pb2.SpaceRead, _Mapping]]] = ...) -> None: ...

class BuildDigestResponse(_message.Message):
    __slots__ = ("bundle",)
    BUNDLE_FIELD_NUMBER: _ClassVar[int]
    bundle: _context_pb2.Bundle
    def __init__(self, bundle: _Optional[_Union[_context_pb2.Bundle, _Mapping]] = ...) -> None: ...

class ListRecipesRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListRecipesResponse(_message.Message):
    __slots__ = ("recipes",)
    RECIPES_FIELD_NUMBER: _ClassVar[int]
    recipes: _containers.RepeatedCompositeFieldContainer[_context_pb2.Recipe]
    def __init__(self, recipes: _Optional[_Iterable[_Union[_context_pb2.Recipe, _Mapping]]] = ...) -> None: ...

class PutRecipeRequest(_message.Message):
    __slots__ = ("request_id", "yaml")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    YAML_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    yaml: str
    def __init__(self, request_id: _Optional[str] = ..., yaml: _Optional[str] = ...) -> None: ...

class PutRecipeResponse(_message.Message):
    __slots__ = ("recipe",)
    RECIPE_FIELD_NUMBER: _ClassVar[int]
    recipe: _context_pb2.Recipe
    def __init__(self, recipe: _Optional[_Union[_context_pb2.Recipe, _Mapping]] = ...) -> None: ...

class DeleteRecipeRequest(_message.Message):
    __slots__ = ("request_id", "name")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    name: str
    def __init__(self, request_id: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...

class DeleteRecipeResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class PutViewRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "view", "expected_version")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    view: _context_pb2.View
    expected_version: int
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., view: _Optional[_Union[_context_pb2.View, _Mapping]] = ..., expected_version: _Optional[int] = ...) -> None: ...

class PutViewResponse(_message.Message):
    __slots__ = ("view", "revision", "redactions")
    VIEW_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    REDACTIONS_FIELD_NUMBER: _ClassVar[int]
    view: _context_pb2.View
    revision: _consistency_pb2.Revision
    redactions: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Redaction]
    def __init__(self, view: _Optional[_Union[_context_pb2.View, _Mapping]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., redactions: _Optional[_Iterable[_Union[_memory_pb2.Redaction, _Mapping]]] = ...) -> None: ...

class GetViewRequest(_message.Message):
    __slots__ = ("agent_id", "name")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    name: str
    def __init__(self, agent_id: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...

class GetViewResponse(_message.Message):
    __slots__ = ("view",)
    VIEW_FIELD_NUMBER: _ClassVar[int]
    view: _context_pb2.View
    def __init__(self, view: _Optional[_Union[_context_pb2.View, _Mapping]] = ...) -> None: ...

class ListViewsRequest(_message.Message):
    __slots__ = ("agent_id",)
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    def __init__(self, agent_id: _Optional[str] = ...) -> None: ...

class ListViewsResponse(_message.Message):
    __slots__ = ("views",)
    VIEWS_FIELD_NUMBER: _ClassVar[int]
    views: _containers.RepeatedCompositeFieldContainer[_context_pb2.View]
    def __init__(self, views: _Optional[_Iterable[_Union[_context_pb2.View, _Mapping]]] = ...) -> None: ...

class DeleteViewRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "name")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    name: str
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...

class DeleteViewResponse(_message.Message):
    __slots__ = ("revision",)
    REVISION_FIELD_NUMBER: _ClassVar[int]
    revision: _consistency_pb2.Revision
    def __init__(self, revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...

class HandOffRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "to_agent_id", "session_id", "packet", "expires_at")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    TO_AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    PACKET_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    to_agent_id: str
    session_id: str
    packet: _context_pb2.HandoffPacket
    expires_at: _timestamp_pb2.Timestamp
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., to_agent_id: _Optional[str] = ..., session_id: _Optional[str] = ..., packet: _Optional[_Union[_context_pb2.HandoffPacket, _Mapping]] = ..., expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class HandOffResponse(_message.Message):
    __slots__ = ("handoff", "redactions")
    HANDOFF_FIELD_NUMBER: _ClassVar[int]
    REDACTIONS_FIELD_NUMBER: _ClassVar[int]
    handoff: _context_pb2.Handoff
    redactions: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Redaction]
    def __init__(self, handoff: _Optional[_Union[_context_pb2.Handoff, _Mapping]] = ..., redactions: _Optional[_Iterable[_Union[_memory_pb2.Redaction, _Mapping]]] = ...) -> None: ...

class ListHandoffsRequest(_message.Message):
    __slots__ = ("agent_id",)
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    def __init__(self, agent_id: _Optional[str] = ...) -> None: ...

class ListHandoffsResponse(_message.Message):
    __slots__ = ("handoffs",)
    HANDOFFS_FIELD_NUMBER: _ClassVar[int]
    handoffs: _containers.RepeatedCompositeFieldContainer[_context_pb2.Handoff]
    def __init__(self, handoffs: _Optional[_Iterable[_Union[_context_pb2.Handoff, _Mapping]]] = ...) -> None: ...

class AcceptHandoffsRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "any_agent", "from_agent_ids")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    ANY_AGENT_FIELD_NUMBER: _ClassVar[int]
    FROM_AGENT_IDS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    any_agent: bool
    from_agent_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., any_agent: _Optional[bool] = ..., from_agent_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class AcceptHandoffsResponse(_message.Message):
    __slots__ = ("any_agent", "from_agent_ids")
    ANY_AGENT_FIELD_NUMBER: _ClassVar[int]
    FROM_AGENT_IDS_FIELD_NUMBER: _ClassVar[int]
    any_agent: bool
    from_agent_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, any_agent: _Optional[bool] = ..., from_agent_ids: _Optional[_Iterable[str]] = ...) -> None: ...
