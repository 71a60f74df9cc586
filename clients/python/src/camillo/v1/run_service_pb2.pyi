from camillo.v1 import consistency_pb2 as _consistency_pb2
from camillo.v1 import context_pb2 as _context_pb2
from camillo.v1 import forgetting_pb2 as _forgetting_pb2
from camillo.v1 import memory_pb2 as _memory_pb2
from camillo.v1 import options_pb2 as _options_pb2
from camillo.v1 import run_pb2 as _run_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class StartRunRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "trigger", "focus", "session_id", "sensitivity", "max_tokens", "idle_seconds", "snapshot_max_tokens", "skip_snapshot")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    TRIGGER_FIELD_NUMBER: _ClassVar[int]
    FOCUS_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    SENSITIVITY_FIELD_NUMBER: _ClassVar[int]
    MAX_TOKENS_FIELD_NUMBER: _ClassVar[int]
    IDLE_SECONDS_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_MAX_TOKENS_FIELD_NUMBER: _ClassVar[int]
    SKIP_SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    trigger: _run_pb2.Trigger
    focus: str
    session_id: str
    sensitivity: _memory_pb2.Sensitivity
    max_tokens: int
    idle_seconds: int
    snapshot_max_tokens: int
    skip_snapshot: bool
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., trigger: _Optional[_Union[_run_pb2.Trigger, _Mapping]] = ..., focus: _Optional[str] = ..., session_id: _Optional[str] = ..., sensitivity: _Optional[_Union[_memory_pb2.Sensitivity, str]] = ..., max_tokens: _Optional[int] = ..., idle_seconds: _Optional[int] = ..., snapshot_max_tokens: _Optional[int] = ..., skip_snapshot: _Optional[bool] = ...) -> None: ...

class StartRunResponse(_message.Message):
    __slots__ = ("run", "snapshot", "revision")
    RUN_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    run: _run_pb2.Run
    snapshot: _context_pb2.Bundle
    revision: _consistency_pb2.Revision
    def __init__(self, run: _Optional[_Union[_run_pb2.Run, _Mapping]] = ..., snapshot: _Optional[_Union[_context_pb2.Bundle, _Mapping]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...

class AppendRunRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "run_id", "steps", "omit_forgotten")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    OMIT_FORGOTTEN_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    run_id: str
    steps: _containers.RepeatedCompositeFieldContainer[_run_pb2.RunStep]
    omit_forgotten: bool
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., run_id: _Optional[str] = ..., steps: _Optional[_Iterable[_Union[_run_pb2.RunStep, _Mapping]]] = ..., omit_forgotten: _Optional[bool] = ...) -> None: ...

class AppendRunResponse(_message.Message):
    __slots__ = ("run", "redactions", "revision", "omitted", "durability", "spool_id")
    RUN_FIELD_NUMBER: _ClassVar[int]
    REDACTIONS_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    OMITTED_FIELD_NUMBER: _ClassVar[int]
    DURABILITY_FIELD_NUMBER: _ClassVar[int]
    SPOOL_ID_FIELD_NUMBER: _ClassVar[int]
    run: _run_pb2.Run
    redactions: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Redaction]
    revision: _consistency_pb2.Revision
    omitted: _containers.RepeatedCompositeFieldContainer[_forgetting_pb2.OmittedText]
    durability: _consistency_pb2.Durability
    spool_id: str
    def __init__(self, run: _Optional[_Union[_run_pb2.Run, _Mapping]] = ..., redactions: _Optional[_Iterable[_Union[_memory_pb2.Redaction, _Mapping]]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., omitted: _Optional[_Iterable[_Union[_forgetting_pb2.OmittedText, _Mapping]]] = ..., durability: _Optional[_Union[_consistency_pb2.Durability, str]] = ..., spool_id: _Optional[str] = ...) -> None: ...

class InjectInstructionRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "run_id", "instruction")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    INSTRUCTION_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    run_id: str
    instruction: str
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., run_id: _Optional[str] = ..., instruction: _Optional[str] = ...) -> None: ...

class InjectInstructionResponse(_message.Message):
    __slots__ = ("run", "redactions", "revision")
    RUN_FIELD_NUMBER: _ClassVar[int]
    REDACTIONS_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    run: _run_pb2.Run
    redactions: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Redaction]
    revision: _consistency_pb2.Revision
    def __init__(self, run: _Optional[_Union[_run_pb2.Run, _Mapping]] = ..., redactions: _Optional[_Iterable[_Union[_memory_pb2.Redaction, _Mapping]]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...

class RenderRunRequest(_message.Message):
    __slots__ = ("agent_id", "run_id", "max_tokens")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    MAX_TOKENS_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    run_id: str
    max_tokens: int
    def __init__(self, agent_id: _Optional[str] = ..., run_id: _Optional[str] = ..., max_tokens: _Optional[int] = ...) -> None: ...

class RenderRunResponse(_message.Message):
    __slots__ = ("prompt", "tokens", "sections", "run")
    PROMPT_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    SECTIONS_FIELD_NUMBER: _ClassVar[int]
    RUN_FIELD_NUMBER: _ClassVar[int]
    prompt: str
    tokens: int
    sections: _containers.RepeatedCompositeFieldContainer[_run_pb2.RunSection]
    run: _run_pb2.Run
    def __init__(self, prompt: _Optional[str] = ..., tokens: _Optional[int] = ..., sections: _Optional[_Iterable[_Union[_run_pb2.RunSection, _Mapping]]] = ..., run: _Optional[_Union[_run_pb2.Run, _Mapping]] = ...) -> None: ...

class ListRunsRequest(_message.Message):
    __slots__ = ("agent_id", "session_id", "page_size", "page_token")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    session_id: str
    page_size: int
    page_token: str
    def __init__(self, agent_id: _Optional[str] = ..., session_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListRunsResponse(_message.Message):
    __slots__ = ("runs", "next_page_token")
    RUNS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    runs: _containers.RepeatedCompositeFieldContainer[_run_pb2.Run]
    next_page_token: str
    def __init__(self, runs: _Optional[_Iterable[_Union[_run_pb2.Run, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class EndRunRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "run_id", "distill", "memories")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    DISTILL_FIELD_NUMBER: _ClassVar[int]
    MEMORIES_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    run_id: str
    distill: bool
    memories: _containers.RepeatedCompositeFieldContainer[_memory_pb2.NewMemory]
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., run_id: _Optional[str] = ..., distill: _Optional[bool] = ..., memories: _Optional[_Iterable[_Union[_memory_pb2.NewMemory, _Mapping]]] = ...) -> None: ...

class EndRunResponse(_message.Message):
    __slots__ = ("memories", "rounds", "revision")
    MEMORIES_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    memories: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Memory]
    rounds: int
    revision: _consistency_pb2.Revision
    def __init__(self, memories: _Optional[_Iterable[_Union[_memory_pb2.Memory, _Mapping]]] = ..., rounds: _Optional[int] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...
