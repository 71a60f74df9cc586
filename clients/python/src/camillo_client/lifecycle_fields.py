"""Keyword arguments that select memories for a pass, and the criteria of a compaction."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from functools import partial
from typing import Literal, TypeAlias, TypedDict, Unpack

from camillo.v1.distillation_pb2 import DistillationState, ProposalState
from camillo.v1.forgetting_pb2 import ForgetMode, RecordIds
from camillo.v1.lifecycle_pb2 import CompactionState, JobState, LifecyclePass
from camillo.v1.lifecycle_service_pb2 import (
    ArchiveResponse,
    CompactionCriteria,
    LifecycleSelector,
    PruneResponse,
    RunMaintenanceResponse,
)
from camillo.v1.memory_pb2 import ArchivedFilter, MemoryKind
from camillo_client.convert import Archived, Kind, to_enum, to_strings
from camillo_client.keyword_fields import Conversions, to_enums, wire_values

CompactionStateName: TypeAlias = Literal["proposed", "committed", "reverted", "refused"]
CompactionStateLike: TypeAlias = CompactionStateName | CompactionState
DistillationStateName: TypeAlias = Literal["done", "reverted"]
DistillationStateLike: TypeAlias = DistillationStateName | DistillationState
ProposalStateName: TypeAlias = Literal["pending", "accepted", "rejected", "stale", "refused", "reverted"]
ProposalStateLike: TypeAlias = ProposalStateName | ProposalState
ForgetModeName: TypeAlias = Literal["delete_records", "redact_spans"]
ForgetModeLike: TypeAlias = ForgetModeName | ForgetMode
JobStateName: TypeAlias = Literal["waiting", "running", "dead"]
JobStateLike: TypeAlias = JobStateName | JobState
PassAnswer: TypeAlias = RunMaintenanceResponse | PruneResponse | ArchiveResponse


class SelectorFields(TypedDict, total=False):
    """Conditions that all have to hold, at least one; pinned memories are never selected."""

    memory_ids: Iterable[str]
    # Neither stored, changed nor retrieved at this moment or later.
    unused_since: datetime.datetime | None
    created_before: datetime.datetime | None
    tags_any: Iterable[str]
    tags_all: Iterable[str]
    kinds: Iterable[Kind | MemoryKind]
    # Retrieved at most so often.
    max_access_count: int | None
    # 0 to 1.
    importance_below: float | None
    # Default: both.
    archived: Archived | ArchivedFilter | None


class CriteriaFields(TypedDict, total=False):
    """Criteria of a compaction. The server's settings stand in for those left out."""

    # Only memories with one of these tags.
    tags: Iterable[str]
    # A tag with more memories than this is put together.
    tag_threshold: int
    skip_near_duplicates: bool
    skip_tags: bool
    # 0.5 to 1.
    likeness: float


class RecordFields(TypedDict, total=False):
    """Ids of records, and names of the agent's own views, by store."""

    memory_ids: Iterable[str]
    event_ids: Iterable[str]
    decision_ids: Iterable[str]
    task_ids: Iterable[str]
    slot_ids: Iterable[str]
    # In the tenant's shared scope.
    action_ids: Iterable[str]
    document_ids: Iterable[str]
    handoff_ids: Iterable[str]
    view_names: Iterable[str]
    # Names of the agent's own skills.
    skill_names: Iterable[str]
    run_ids: Iterable[str]
    artifact_ids: Iterable[str]
    # Ids of names that were merged into entities.
    alias_ids: Iterable[str]
    # In the tables of distillations.
    proposal_ids: Iterable[str]
    distillation_answer_ids: Iterable[str]


def record_ids(**fields: Unpack[RecordFields]) -> RecordIds:
    """The records as a message; the limits are those of `RecordIds`."""
    known = RecordFields.__optional_keys__
    conversions: Conversions = {name: partial(to_strings, name=name) for name in known}
    return RecordIds(**wire_values(fields, known, "a forgetting", conversions))


def selector(**fields: Unpack[SelectorFields]) -> LifecycleSelector:
    """The selector of a pass; the limits are those of `LifecycleSelector`."""
    known = SelectorFields.__optional_keys__
    return LifecycleSelector(**wire_values(fields, known, "a selector", _CONVERSIONS))


def criteria(**fields: Unpack[CriteriaFields]) -> CompactionCriteria:
    """The criteria as a message; the limits are those of `CompactionCriteria`."""
    known = CriteriaFields.__optional_keys__
    return CompactionCriteria(**wire_values(fields, known, "a compaction", {}))


def pass_of(answer: PassAnswer) -> LifecyclePass:
    """The pass in an answer: the name of its field is a keyword of Python."""
    done: LifecyclePass = getattr(answer, "pass")
    return done


_CONVERSIONS: Conversions = {
    "memory_ids": partial(to_strings, name="memory_ids"),
    "kinds": partial(to_enums, MemoryKind),
    "archived": partial(to_enum, ArchivedFilter),
}
