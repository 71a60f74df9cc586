from camillo.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class EventKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EVENT_KIND_UNSPECIFIED: _ClassVar[EventKind]
    EVENT_KIND_MESSAGE: _ClassVar[EventKind]
    EVENT_KIND_TOOL_CALL: _ClassVar[EventKind]
    EVENT_KIND_TOOL_RESULT: _ClassVar[EventKind]
    EVENT_KIND_DECISION: _ClassVar[EventKind]
    EVENT_KIND_TASK_UPDATE: _ClassVar[EventKind]
    EVENT_KIND_WORKFLOW_STEP: _ClassVar[EventKind]
    EVENT_KIND_ARTIFACT: _ClassVar[EventKind]

class WorkflowStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    WORKFLOW_STATUS_UNSPECIFIED: _ClassVar[WorkflowStatus]
    WORKFLOW_STATUS_STARTED: _ClassVar[WorkflowStatus]
    WORKFLOW_STATUS_SUCCEEDED: _ClassVar[WorkflowStatus]
    WORKFLOW_STATUS_FAILED: _ClassVar[WorkflowStatus]
    WORKFLOW_STATUS_SKIPPED: _ClassVar[WorkflowStatus]

class ActorType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ACTOR_TYPE_UNSPECIFIED: _ClassVar[ActorType]
    ACTOR_TYPE_HUMAN: _ClassVar[ActorType]
    ACTOR_TYPE_AGENT: _ClassVar[ActorType]
    ACTOR_TYPE_TOOL: _ClassVar[ActorType]
    ACTOR_TYPE_SYSTEM: _ClassVar[ActorType]

class Trust(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TRUST_UNSPECIFIED: _ClassVar[Trust]
    TRUST_REPORTED: _ClassVar[Trust]
    TRUST_VERIFIED: _ClassVar[Trust]

class TrustLevel(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TRUST_LEVEL_UNSPECIFIED: _ClassVar[TrustLevel]
    TRUST_LEVEL_WEB: _ClassVar[TrustLevel]
    TRUST_LEVEL_TOOL: _ClassVar[TrustLevel]
    TRUST_LEVEL_AGENT: _ClassVar[TrustLevel]
    TRUST_LEVEL_USER: _ClassVar[TrustLevel]
EVENT_KIND_UNSPECIFIED: EventKind
EVENT_KIND_MESSAGE: EventKind
EVENT_KIND_TOOL_CALL: EventKind
EVENT_KIND_TOOL_RESULT: EventKind
EVENT_KIND_DECISION: EventKind
EVENT_KIND_TASK_UPDATE: EventKind
EVENT_KIND_WORKFLOW_STEP: EventKind
EVENT_KIND_ARTIFACT: EventKind
WORKFLOW_STATUS_UNSPECIFIED: WorkflowStatus
WORKFLOW_STATUS_STARTED: WorkflowStatus
WORKFLOW_STATUS_SUCCEEDED: WorkflowStatus
WORKFLOW_STATUS_FAILED: WorkflowStatus
WORKFLOW_STATUS_SKIPPED: WorkflowStatus
ACTOR_TYPE_UNSPECIFIED: ActorType
ACTOR_TYPE_HUMAN: ActorType
ACTOR_TYPE_AGENT: ActorType
ACTOR_TYPE_TOOL: ActorType
ACTOR_TYPE_SYSTEM: ActorType
TRUST_UNSPECIFIED: Trust
TRUST_REPORTED: Trust
TRUST_VERIFIED: Trust
TRUST_LEVEL_UNSPECIFIED: TrustLevel
TRUST_LEVEL_WEB: TrustLevel
TRUST_LEVEL_TOOL: TrustLevel
TRUST_LEVEL_AGENT: TrustLevel
TRUST_LEVEL_USER: TrustLevel

class Actor(_message.Message):
    __slots__ = ("type", "id")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    type: ActorType
    id: str
    def __init__(self, type: _Optional[_Union[ActorType, str]] = ..., id: _Optional[str] = ...) -> None: ...
