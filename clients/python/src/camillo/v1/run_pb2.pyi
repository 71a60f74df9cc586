import datetime

from camillo.v1 import memory_pb2 as _memory_pb2
from camillo.v1 import options_pb2 as _options_pb2
from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Trigger(_message.Message):
    __slots__ = ("type", "payload")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    type: str
    payload: _struct_pb2.Struct
    def __init__(self, type: _Optional[str] = ..., payload: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ...) -> None: ...

class FunctionCall(_message.Message):
    __slots__ = ("name", "arguments", "result", "is_error")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    IS_ERROR_FIELD_NUMBER: _ClassVar[int]
    name: str
    arguments: _struct_pb2.Struct
    result: str
    is_error: bool
    def __init__(self, name: _Optional[str] = ..., arguments: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., result: _Optional[str] = ..., is_error: _Optional[bool] = ...) -> None: ...

class RunStep(_message.Message):
    __slots__ = ("function_call", "llm_response", "occurred_at")
    FUNCTION_CALL_FIELD_NUMBER: _ClassVar[int]
    LLM_RESPONSE_FIELD_NUMBER: _ClassVar[int]
    OCCURRED_AT_FIELD_NUMBER: _ClassVar[int]
    function_call: FunctionCall
    llm_response: str
    occurred_at: _timestamp_pb2.Timestamp
    def __init__(self, function_call: _Optional[_Union[FunctionCall, _Mapping]] = ..., llm_response: _Optional[str] = ..., occurred_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Run(_message.Message):
    __slots__ = ("run_id", "agent_id", "session_id", "trigger", "focus", "sensitivity", "max_tokens", "idle_seconds", "rounds", "instructions", "started_at", "active_at")
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TRIGGER_FIELD_NUMBER: _ClassVar[int]
    FOCUS_FIELD_NUMBER: _ClassVar[int]
    SENSITIVITY_FIELD_NUMBER: _ClassVar[int]
    MAX_TOKENS_FIELD_NUMBER: _ClassVar[int]
    IDLE_SECONDS_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    INSTRUCTIONS_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    ACTIVE_AT_FIELD_NUMBER: _ClassVar[int]
    run_id: str
    agent_id: str
    session_id: str
    trigger: Trigger
    focus: str
    sensitivity: _memory_pb2.Sensitivity
    max_tokens: int
    idle_seconds: int
    rounds: int
    instructions: int
    started_at: _timestamp_pb2.Timestamp
    active_at: _timestamp_pb2.Timestamp
    def __init__(self, run_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., session_id: _Optional[str] = ..., trigger: _Optional[_Union[Trigger, _Mapping]] = ..., focus: _Optional[str] = ..., sensitivity: _Optional[_Union[_memory_pb2.Sensitivity, str]] = ..., max_tokens: _Optional[int] = ..., idle_seconds: _Optional[int] = ..., rounds: _Optional[int] = ..., instructions: _Optional[int] = ..., started_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., active_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class RunSection(_message.Message):
    __slots__ = ("name", "tokens", "items", "cut")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    CUT_FIELD_NUMBER: _ClassVar[int]
    name: str
    tokens: int
    items: int
    cut: int
    def __init__(self, name: _Optional[str] = ..., tokens: _Optional[int] = ..., items: _Optional[int] = ..., cut: _Optional[int] = ...) -> None: ...
