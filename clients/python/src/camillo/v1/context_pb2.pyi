import datetime

from camillo.v1 import actor_pb2 as _actor_pb2
from camillo.v1 import channel_pb2 as _channel_pb2
from camillo.v1 import consistency_pb2 as _consistency_pb2
from camillo.v1 import memory_pb2 as _memory_pb2
from camillo.v1 import options_pb2 as _options_pb2
from camillo.v1 import recall_pb2 as _recall_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class BundleItemType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BUNDLE_ITEM_TYPE_UNSPECIFIED: _ClassVar[BundleItemType]
    BUNDLE_ITEM_TYPE_VIEW: _ClassVar[BundleItemType]
    BUNDLE_ITEM_TYPE_TASK: _ClassVar[BundleItemType]
    BUNDLE_ITEM_TYPE_DECISION: _ClassVar[BundleItemType]
    BUNDLE_ITEM_TYPE_MEMORY: _ClassVar[BundleItemType]
    BUNDLE_ITEM_TYPE_CHUNK: _ClassVar[BundleItemType]
    BUNDLE_ITEM_TYPE_EVENT: _ClassVar[BundleItemType]
    BUNDLE_ITEM_TYPE_HANDOFF: _ClassVar[BundleItemType]
    BUNDLE_ITEM_TYPE_GIVEN: _ClassVar[BundleItemType]
    BUNDLE_ITEM_TYPE_CONDENSED: _ClassVar[BundleItemType]
    BUNDLE_ITEM_TYPE_SLOT: _ClassVar[BundleItemType]
    BUNDLE_ITEM_TYPE_SKILL: _ClassVar[BundleItemType]

class OmissionReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OMISSION_REASON_UNSPECIFIED: _ClassVar[OmissionReason]
    OMISSION_REASON_BUDGET: _ClassVar[OmissionReason]
    OMISSION_REASON_TRIMMED: _ClassVar[OmissionReason]
    OMISSION_REASON_TRUNCATED_TOOL_OUTPUT: _ClassVar[OmissionReason]
    OMISSION_REASON_DUPLICATE: _ClassVar[OmissionReason]
    OMISSION_REASON_CONDENSED: _ClassVar[OmissionReason]
    OMISSION_REASON_LIMIT: _ClassVar[OmissionReason]
    OMISSION_REASON_STALE: _ClassVar[OmissionReason]
    OMISSION_REASON_NOT_TRUE: _ClassVar[OmissionReason]

class PackingOutcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PACKING_OUTCOME_UNSPECIFIED: _ClassVar[PackingOutcome]
    PACKING_OUTCOME_KEPT: _ClassVar[PackingOutcome]
    PACKING_OUTCOME_TRIMMED: _ClassVar[PackingOutcome]
    PACKING_OUTCOME_DROPPED: _ClassVar[PackingOutcome]
BUNDLE_ITEM_TYPE_UNSPECIFIED: BundleItemType
BUNDLE_ITEM_TYPE_VIEW: BundleItemType
BUNDLE_ITEM_TYPE_TASK: BundleItemType
BUNDLE_ITEM_TYPE_DECISION: BundleItemType
BUNDLE_ITEM_TYPE_MEMORY: BundleItemType
BUNDLE_ITEM_TYPE_CHUNK: BundleItemType
BUNDLE_ITEM_TYPE_EVENT: BundleItemType
BUNDLE_ITEM_TYPE_HANDOFF: BundleItemType
BUNDLE_ITEM_TYPE_GIVEN: BundleItemType
BUNDLE_ITEM_TYPE_CONDENSED: BundleItemType
BUNDLE_ITEM_TYPE_SLOT: BundleItemType
BUNDLE_ITEM_TYPE_SKILL: BundleItemType
OMISSION_REASON_UNSPECIFIED: OmissionReason
OMISSION_REASON_BUDGET: OmissionReason
OMISSION_REASON_TRIMMED: OmissionReason
OMISSION_REASON_TRUNCATED_TOOL_OUTPUT: OmissionReason
OMISSION_REASON_DUPLICATE: OmissionReason
OMISSION_REASON_CONDENSED: OmissionReason
OMISSION_REASON_LIMIT: OmissionReason
OMISSION_REASON_STALE: OmissionReason
OMISSION_REASON_NOT_TRUE: OmissionReason
PACKING_OUTCOME_UNSPECIFIED: PackingOutcome
PACKING_OUTCOME_KEPT: PackingOutcome
PACKING_OUTCOME_TRIMMED: PackingOutcome
PACKING_OUTCOME_DROPPED: PackingOutcome

class Bundle(_message.Message):
    __slots__ = ("bundle_id", "recipe", "budget_tokens", "tokens", "sections", "prompt", "omissions", "report", "provenance", "revision", "degraded", "spaces")
    BUNDLE_ID_FIELD_NUMBER: _ClassVar[int]
    RECIPE_FIELD_NUMBER: _ClassVar[int]
    BUDGET_TOKENS_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    SECTIONS_FIELD_NUMBER: _ClassVar[int]
    PROMPT_FIELD_NUMBER: _ClassVar[int]
    OMISSIONS_FIELD_NUMBER: _ClassVar[int]
    REPORT_FIELD_NUMBER: _ClassVar[int]
    PROVENANCE_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    DEGRADED_FIELD_NUMBER: _ClassVar[int]
    SPACES_FIELD_NUMBER: _ClassVar[int]
    bundle_id: str
    recipe: str
    budget_tokens: int
    tokens: int
    sections: _containers.RepeatedCompositeFieldContainer[BundleSection]
    prompt: str
    omissions: _containers.RepeatedCompositeFieldContainer[Omission]
    report: PackingReport
    provenance: Provenance
    revision: _consistency_pb2.Revision
    degraded: _containers.RepeatedScalarFieldContainer[_memory_pb2.DegradedReason]
    spaces: _containers.RepeatedCompositeFieldContainer[_consistency_pb2.SpaceRevision]
    def __init__(self, bundle_id: _Optional[str] = ..., recipe: _Optional[str] = ..., budget_tokens: _Optional[int] = ..., tokens: _Optional[int] = ..., sections: _Optional[_Iterable[_Union[BundleSection, _Mapping]]] = ..., prompt: _Optional[str] = ..., omissions: _Optional[_Iterable[_Union[Omission, _Mapping]]] = ..., report: _Optional[_Union[PackingReport, _Mapping]] = ..., provenance: _Optional[_Union[Provenance, _Mapping]] = ..., revision: _Optional[_Union[_consistency_pb2.Revision, _Mapping]] = ..., degraded: _Optional[_Iterable[_Union[_memory_pb2.DegradedReason, str]]] = ..., spaces: _Optional[_Iterable[_Union[_consistency_pb2.SpaceRevision, _Mapping]]] = ...) -> None: ...

class BundleSection(_message.Message):
    __slots__ = ("name", "title", "items", "tokens", "budget_tokens", "is_stable")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    BUDGET_TOKENS_FIELD_NUMBER: _ClassVar[int]
    IS_STABLE_FIELD_NUMBER: _ClassVar[int]
    name: str
    title: str
    items: _containers.RepeatedCompositeFieldContainer[BundleItem]
    tokens: int
    budget_tokens: int
    is_stable: bool
    def __init__(self, name: _Optional[str] = ..., title: _Optional[str] = ..., items: _Optional[_Iterable[_Union[BundleItem, _Mapping]]] = ..., tokens: _Optional[int] = ..., budget_tokens: _Optional[int] = ..., is_stable: _Optional[bool] = ...) -> None: ...

class BundleItem(_message.Message):
    __slots__ = ("type", "text", "label", "refs", "tokens", "is_derived", "is_trimmed", "score", "occurred_at", "sensitivity", "trust_level", "is_spooled", "agent_id")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    REFS_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    IS_DERIVED_FIELD_NUMBER: _ClassVar[int]
    IS_TRIMMED_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    OCCURRED_AT_FIELD_NUMBER: _ClassVar[int]
    SENSITIVITY_FIELD_NUMBER: _ClassVar[int]
    TRUST_LEVEL_FIELD_NUMBER: _ClassVar[int]
    IS_SPOOLED_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    type: BundleItemType
    text: str
    label: str
    refs: _containers.RepeatedScalarFieldContainer[str]
    tokens: int
    is_derived: bool
    is_trimmed: bool
    score: float
    occurred_at: _timestamp_pb2.Timestamp
    sensitivity: _memory_pb2.Sensitivity
    trust_level: _actor_pb2.TrustLevel
    is_spooled: bool
    agent_id: str
    def __init__(self, type: _Optional[_Union[BundleItemType, str]] = ..., text: _Optional[str] = ..., label: _Optional[str] = ..., refs: _Optional[_Iterable[str]] = ..., tokens: _Optional[int] = ..., is_derived: _Optional[bool] = ..., is_trimmed: _Optional[bool] = ..., score: _Optional[float] = ..., occurred_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., sensitivity: _Optional[_Union[_memory_pb2.Sensitivity, str]] = ..., trust_level: _Optional[_Union[_actor_pb2.TrustLevel, str]] = ..., is_spooled: _Optional[bool] = ..., agent_id: _Optional[str] = ...) -> None: ...

class Omission(_message.Message):
    __slots__ = ("reason", "section", "refs", "artifact_id", "tokens")
    REASON_FIELD_NUMBER: _ClassVar[int]
    SECTION_FIELD_NUMBER: _ClassVar[int]
    REFS_FIELD_NUMBER: _ClassVar[int]
    ARTIFACT_ID_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    reason: OmissionReason
    section: str
    refs: _containers.RepeatedScalarFieldContainer[str]
    artifact_id: str
    tokens: int
    def __init__(self, reason: _Optional[_Union[OmissionReason, str]] = ..., section: _Optional[str] = ..., refs: _Optional[_Iterable[str]] = ..., artifact_id: _Optional[str] = ..., tokens: _Optional[int] = ...) -> None: ...

class PackingEntry(_message.Message):
    __slots__ = ("section", "ref", "outcome", "reason", "tokens", "score", "agent_id")
    SECTION_FIELD_NUMBER: _ClassVar[int]
    REF_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    section: str
    ref: str
    outcome: PackingOutcome
    reason: OmissionReason
    tokens: int
    score: float
    agent_id: str
    def __init__(self, section: _Optional[str] = ..., ref: _Optional[str] = ..., outcome: _Optional[_Union[PackingOutcome, str]] = ..., reason: _Optional[_Union[OmissionReason, str]] = ..., tokens: _Optional[int] = ..., score: _Optional[float] = ..., agent_id: _Optional[str] = ...) -> None: ...

class SectionBudget(_message.Message):
    __slots__ = ("section", "priority", "share_tokens", "received_tokens", "used_tokens", "candidates", "kept")
    SECTION_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    SHARE_TOKENS_FIELD_NUMBER: _ClassVar[int]
    RECEIVED_TOKENS_FIELD_NUMBER: _ClassVar[int]
    USED_TOKENS_FIELD_NUMBER: _ClassVar[int]
    CANDIDATES_FIELD_NUMBER: _ClassVar[int]
    KEPT_FIELD_NUMBER: _ClassVar[int]
    section: str
    priority: int
    share_tokens: int
    received_tokens: int
    used_tokens: int
    candidates: int
    kept: int
    def __init__(self, section: _Optional[str] = ..., priority: _Optional[int] = ..., share_tokens: _Optional[int] = ..., received_tokens: _Optional[int] = ..., used_tokens: _Optional[int] = ..., candidates: _Optional[int] = ..., kept: _Optional[int] = ...) -> None: ...

class PackingReport(_message.Message):
    __slots__ = ("budgets", "entries")
    BUDGETS_FIELD_NUMBER: _ClassVar[int]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    budgets: _containers.RepeatedCompositeFieldContainer[SectionBudget]
    entries: _containers.RepeatedCompositeFieldContainer[PackingEntry]
    def __init__(self, budgets: _Optional[_Iterable[_Union[SectionBudget, _Mapping]]] = ..., entries: _Optional[_Iterable[_Union[PackingEntry, _Mapping]]] = ...) -> None: ...

class Provenance(_message.Message):
    __slots__ = ("intent", "query_terms", "candidate_pool_size", "scored", "sensitivities_allowed", "channel", "weights", "recipe_digest", "model_id", "as_of", "token_counter", "space_weights")
    INTENT_FIELD_NUMBER: _ClassVar[int]
    QUERY_TERMS_FIELD_NUMBER: _ClassVar[int]
    CANDIDATE_POOL_SIZE_FIELD_NUMBER: _ClassVar[int]
    SCORED_FIELD_NUMBER: _ClassVar[int]
    SENSITIVITIES_ALLOWED_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    WEIGHTS_FIELD_NUMBER: _ClassVar[int]
    RECIPE_DIGEST_FIELD_NUMBER: _ClassVar[int]
    MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    TOKEN_COUNTER_FIELD_NUMBER: _ClassVar[int]
    SPACE_WEIGHTS_FIELD_NUMBER: _ClassVar[int]
    intent: str
    query_terms: _containers.RepeatedScalarFieldContainer[str]
    candidate_pool_size: int
    scored: int
    sensitivities_allowed: _containers.RepeatedScalarFieldContainer[_memory_pb2.Sensitivity]
    channel: _channel_pb2.Channel
    weights: _memory_pb2.ScoringWeights
    recipe_digest: str
    model_id: str
    as_of: _timestamp_pb2.Timestamp
    token_counter: str
    space_weights: _recall_pb2.SpaceWeights
    def __init__(self, intent: _Optional[str] = ..., query_terms: _Optional[_Iterable[str]] = ..., candidate_pool_size: _Optional[int] = ..., scored: _Optional[int] = ..., sensitivities_allowed: _Optional[_Iterable[_Union[_memory_pb2.Sensitivity, str]]] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ..., weights: _Optional[_Union[_memory_pb2.ScoringWeights, _Mapping]] = ..., recipe_digest: _Optional[str] = ..., model_id: _Optional[str] = ..., as_of: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., token_counter: _Optional[str] = ..., space_weights: _Optional[_Union[_recall_pb2.SpaceWeights, _Mapping]] = ...) -> None: ...

class View(_message.Message):
    __slots__ = ("name", "agent_id", "text", "sensitivity", "version", "updated_at", "is_data")
    NAME_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    SENSITIVITY_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    IS_DATA_FIELD_NUMBER: _ClassVar[int]
    name: str
    agent_id: str
    text: str
    sensitivity: _memory_pb2.Sensitivity
    version: int
    updated_at: _timestamp_pb2.Timestamp
    is_data: bool
    def __init__(self, name: _Optional[str] = ..., agent_id: _Optional[str] = ..., text: _Optional[str] = ..., sensitivity: _Optional[_Union[_memory_pb2.Sensitivity, str]] = ..., version: _Optional[int] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., is_data: _Optional[bool] = ...) -> None: ...

class Recipe(_message.Message):
    __slots__ = ("name", "description", "yaml", "is_built_in", "budget_tokens", "sections", "digest")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    YAML_FIELD_NUMBER: _ClassVar[int]
    IS_BUILT_IN_FIELD_NUMBER: _ClassVar[int]
    BUDGET_TOKENS_FIELD_NUMBER: _ClassVar[int]
    SECTIONS_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    name: str
    description: str
    yaml: str
    is_built_in: bool
    budget_tokens: int
    sections: _containers.RepeatedScalarFieldContainer[str]
    digest: str
    def __init__(self, name: _Optional[str] = ..., description: _Optional[str] = ..., yaml: _Optional[str] = ..., is_built_in: _Optional[bool] = ..., budget_tokens: _Optional[int] = ..., sections: _Optional[_Iterable[str]] = ..., digest: _Optional[str] = ...) -> None: ...

class HandoffPacket(_message.Message):
    __slots__ = ("goal", "plan_step", "note", "task_ids", "decision_ids", "constraints")
    GOAL_FIELD_NUMBER: _ClassVar[int]
    PLAN_STEP_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    TASK_IDS_FIELD_NUMBER: _ClassVar[int]
    DECISION_IDS_FIELD_NUMBER: _ClassVar[int]
    CONSTRAINTS_FIELD_NUMBER: _ClassVar[int]
    goal: str
    plan_step: str
    note: str
    task_ids: _containers.RepeatedScalarFieldContainer[str]
    decision_ids: _containers.RepeatedScalarFieldContainer[str]
    constraints: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, goal: _Optional[str] = ..., plan_step: _Optional[str] = ..., note: _Optional[str] = ..., task_ids: _Optional[_Iterable[str]] = ..., decision_ids: _Optional[_Iterable[str]] = ..., constraints: _Optional[_Iterable[str]] = ...) -> None: ...

class Handoff(_message.Message):
    __slots__ = ("handoff_id", "from_agent_id", "to_agent_id", "session_id", "packet", "text", "created_at", "expires_at", "tokens", "trust_level", "credential")
    HANDOFF_ID_FIELD_NUMBER: _ClassVar[int]
    FROM_AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    TO_AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    PACKET_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    TRUST_LEVEL_FIELD_NUMBER: _ClassVar[int]
    CREDENTIAL_FIELD_NUMBER: _ClassVar[int]
    handoff_id: str
    from_agent_id: str
    to_agent_id: str
    session_id: str
    packet: HandoffPacket
    text: str
    created_at: _timestamp_pb2.Timestamp
    expires_at: _timestamp_pb2.Timestamp
    tokens: int
    trust_level: _actor_pb2.TrustLevel
    credential: str
    def __init__(self, handoff_id: _Optional[str] = ..., from_agent_id: _Optional[str] = ..., to_agent_id: _Optional[str] = ..., session_id: _Optional[str] = ..., packet: _Optional[_Union[HandoffPacket, _Mapping]] = ..., text: _Optional[str] = ..., created_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., expires_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., tokens: _Optional[int] = ..., trust_level: _Optional[_Union[_actor_pb2.TrustLevel, str]] = ..., credential: _Optional[str] = ...) -> None: ...

class Turn(_message.Message):
    __slots__ = ("speaker", "text", "refs")
    SPEAKER_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    REFS_FIELD_NUMBER: _ClassVar[int]
    speaker: str
    text: str
    refs: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, speaker: _Optional[str] = ..., text: _Optional[str] = ..., refs: _Optional[_Iterable[str]] = ...) -> None: ...
