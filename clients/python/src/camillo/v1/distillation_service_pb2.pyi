from camillo.v1 import consistency_pb2 as _consistency_pb2
from camillo.v1 import distillation_pb2 as _distillation_pb2
from camillo.v1 import memory_pb2 as _memory_pb2
from camillo.v1 import options_pb2 as _options_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DistillRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "session_id", "dry_run", "plan_token")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    PLAN_TOKEN_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    session_id: str
    dry_run: bool
    plan_token: str
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., session_id: _Optional[str] = ..., dry_run: _Optional[bool] = ..., plan_token: _Optional[str] = ...) -> None: ...

class DistillResponse(_message.Message):
    __slots__ = ("distillation", "proposals", "more", "plan_token", "revision")
    DISTILLATION_FIELD_NUMBER: _ClassVar[int]
    PROPOSALS_FIELD_NUMBER: _ClassVar[int]
    MORE_FIELD_NUMBER: _ClassVar[int]
    PLAN_TOKEN_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    distillation: _distillation_pb2.Distillation
    proposals: _containers.RepeatedCompositeFieldContainer[_distillation_pb2.Proposal]
    more: bool
    plan_token: str
    revision: _consistency_pb2.Revision
    def __init__(self, distillation: _Optional[_Union[_distillation_pb2.Distillation, _Mapping]] = ..., proposals: _Optional[_Iterable[_Union[_distillation_pb2.Proposal, _Mapping]]] = ..., more: _Optional[bool] = ..., plan_token: _Optional[str] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...

class ListDistillationsRequest(_message.Message):
    __slots__ = ("agent_id", "state", "page_size", "page_token")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    state: _distillation_pb2.DistillationState
    page_size: int
    page_token: str
    def __init__(self, agent_id: _Optional[str] = ..., state: _Optional[_Union[_distillation_pb2.DistillationState, str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListDistillationsResponse(_message.Message):
    __slots__ = ("distillations", "next_page_token")
    DISTILLATIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    distillations: _containers.RepeatedCompositeFieldContainer[_distillation_pb2.Distillation]
    next_page_token: str
    def __init__(self, distillations: _Optional[_Iterable[_Union[_distillation_pb2.Distillation, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class RevertDistillationRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "distillation_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    DISTILLATION_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    distillation_id: str
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., distillation_id: _Optional[str] = ...) -> None: ...

class RevertDistillationResponse(_message.Message):
    __slots__ = ("distillation", "reverted", "changed_proposal_ids", "revision")
    DISTILLATION_FIELD_NUMBER: _ClassVar[int]
    REVERTED_FIELD_NUMBER: _ClassVar[int]
    CHANGED_PROPOSAL_IDS_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    distillation: _distillation_pb2.Distillation
    reverted: int
    changed_proposal_ids: _containers.RepeatedScalarFieldContainer[str]
    revision: _consistency_pb2.Revision
    def __init__(self, distillation: _Optional[_Union[_distillation_pb2.Distillation, _Mapping]] = ..., reverted: _Optional[int] = ..., changed_proposal_ids: _Optional[_Iterable[str]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...

class ReplayDistillationRequest(_message.Message):
    __slots__ = ("agent_id", "distillation_id")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    DISTILLATION_ID_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    distillation_id: str
    def __init__(self, agent_id: _Optional[str] = ..., distillation_id: _Optional[str] = ...) -> None: ...

class ReplayDistillationResponse(_message.Message):
    __slots__ = ("identical", "proposals", "dropped")
    IDENTICAL_FIELD_NUMBER: _ClassVar[int]
    PROPOSALS_FIELD_NUMBER: _ClassVar[int]
    DROPPED_FIELD_NUMBER: _ClassVar[int]
    identical: bool
    proposals: _containers.RepeatedCompositeFieldContainer[_distillation_pb2.Proposal]
    dropped: _containers.RepeatedCompositeFieldContainer[_distillation_pb2.DropCount]
    def __init__(self, identical: _Optional[bool] = ..., proposals: _Optional[_Iterable[_Union[_distillation_pb2.Proposal, _Mapping]]] = ..., dropped: _Optional[_Iterable[_Union[_distillation_pb2.DropCount, _Mapping]]] = ...) -> None: ...

class ListProposalsRequest(_message.Message):
    __slots__ = ("agent_id", "state", "distillation_id", "proposal_ids", "page_size", "page_token")
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    DISTILLATION_ID_FIELD_NUMBER: _ClassVar[int]
    PROPOSAL_IDS_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    agent_id: str
    state: _distillation_pb2.ProposalState
    distillation_id: str
    proposal_ids: _containers.RepeatedScalarFieldContainer[str]
    page_size: int
    page_token: str
    def __init__(self, agent_id: _Optional[str] = ..., state: _Optional[_Union[_distillation_pb2.ProposalState, str]] = ..., distillation_id: _Optional[str] = ..., proposal_ids: _Optional[_Iterable[str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListProposalsResponse(_message.Message):
    __slots__ = ("proposals", "next_page_token")
    PROPOSALS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    proposals: _containers.RepeatedCompositeFieldContainer[_distillation_pb2.Proposal]
    next_page_token: str
    def __init__(self, proposals: _Optional[_Iterable[_Union[_distillation_pb2.Proposal, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class AcceptProposalsRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "proposal_ids")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    PROPOSAL_IDS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    proposal_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., proposal_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class AcceptProposalsResponse(_message.Message):
    __slots__ = ("proposals", "revision")
    PROPOSALS_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    proposals: _containers.RepeatedCompositeFieldContainer[_distillation_pb2.Proposal]
    revision: _consistency_pb2.Revision
    def __init__(self, proposals: _Optional[_Iterable[_Union[_distillation_pb2.Proposal, _Mapping]]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...

class RejectProposalsRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "proposal_ids")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    PROPOSAL_IDS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    proposal_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., proposal_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class RejectProposalsResponse(_message.Message):
    __slots__ = ("proposals", "revision")
    PROPOSALS_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    proposals: _containers.RepeatedCompositeFieldContainer[_distillation_pb2.Proposal]
    revision: _consistency_pb2.Revision
    def __init__(self, proposals: _Optional[_Iterable[_Union[_distillation_pb2.Proposal, _Mapping]]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...

class EditProposalRequest(_message.Message):
    __slots__ = ("request_id", "agent_id", "proposal_id", "content")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    PROPOSAL_ID_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    agent_id: str
    proposal_id: str
    content: str
    def __init__(self, request_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., proposal_id: _Optional[str] = ..., content: _Optional[str] = ...) -> None: ...

class EditProposalResponse(_message.Message):
    __slots__ = ("proposal", "redactions", "revision")
    PROPOSAL_FIELD_NUMBER: _ClassVar[int]
    REDACTIONS_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    proposal: _distillation_pb2.Proposal
    redactions: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Redaction]
    revision: _consistency_pb2.Revision
    def __init__(self, proposal: _Optional[_Union[_distillation_pb2.Proposal, _Mapping]] = ..., redactions: _Optional[_Iterable[_Union[_memory_pb2.Redaction, _Mapping]]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ...) -> None: ...
