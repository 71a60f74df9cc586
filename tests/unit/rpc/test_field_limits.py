"""Limits of the contract as they are checked: all of a request at once, and nothing that was not stated."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

# Imports every feature, each of which adds its rules, before the first type is compiled.
import camillo_server.assembly.app  # noqa: F401
import pytest
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import artifact_service_pb2 as artifacts
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import run_service_pb2 as runs
from camillo.v1.forgetting_pb2 import FORGET_MODE_DELETE_RECORDS, FORGET_MODE_REDACT_SPANS
from camillo.v1.lifecycle_service_pb2 import CompactionCriteria
from camillo.v1.recall_pb2 import (
    LINK_MODE_FOLLOW,
    LINK_MODE_IGNORE,
    RECALL_MODE_COMPLETE,
    RECALL_MODE_PRECISE,
    SPEECH_MODE_IGNORE,
    SPEECH_MODE_PREFER,
)
from camillo.v1.space_pb2 import UsageDimension
from camillo.v1.space_service_pb2 import OTHER_SPACES_DELETE_RECORDS, OTHER_SPACES_KEEP, OTHER_SPACES_REDACT_SPANS
from camillo.v1.spool_pb2 import SpoolState
from camillo_server.across.admin.messages import PROFILE_FORMATS
from camillo_server.doors.rpc.contract import CONTRACT
from camillo_server.doors.rpc.field_limits import check_message, compiled_check, limit_of, rule, stated_or_default
from camillo_server.doors.rpc.validate import LIMIT, Checks, OwnModel, value_problem
from camillo_server.doors.spool.policies import SpoolPolicy
from camillo_server.features.compaction.compaction import CompactionState
from camillo_server.features.decisions.decision import DecisionReach, DecisionStatus
from camillo_server.features.distillation.proposal import DistillationState, ProposalState
from camillo_server.features.events.event import WorkflowStatus
from camillo_server.features.knowledge.skill import SkillLevel
from camillo_server.features.links.link import LinkType
from camillo_server.features.slots.slot import ProvenanceKind
from camillo_server.features.tasks.task import TaskStatus
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.kinds import ActorType, EventKind, MemoryKind, Sensitivity
from camillo_server.kernel.scope import Role, TrustLevel
from camillo_server.lib.outputs.summary.sample import ContentKind
from camillo_server.lib.text.entities import EntityType
from camillo_server.rows.messages import vector
from camillo_server.rows.row_filter import Archived, Validity
from camillo_server.search.signals.temporal import TimeMode
from camillo_server.storage.jobs.board import JobState
from google.protobuf.duration_pb2 import Duration
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.message_factory import GetMessageClass

from tests.cases import each_case
from tests.unit.rpc.records import SOME_ID
from tests.unit.rpc.violations import broken

# Values of each enumeration of requests, as the server knows them. Which sources are searched is a rule of its own.
KNOWN: Mapping[str, Iterable[int]] = {
    "UsageDimension": tuple(UsageDimension.values()),
    "ActorType": ActorType,
    "ProvenanceKind": ProvenanceKind,
    "ArchivedFilter": Archived,
    "Channel": Channel,
    "CompactionState": CompactionState,
    "ContentKind": ContentKind,
    "DistillationState": DistillationState,
    "ProposalState": ProposalState,
    "DecisionReach": DecisionReach,
    "DecisionStatus": DecisionStatus,
    "EventKind": EventKind,
    "EntityType": EntityType,
    "ForgetMode": (FORGET_MODE_DELETE_RECORDS, FORGET_MODE_REDACT_SPANS),
    "JobState": JobState,
    "LinkMode": (LINK_MODE_FOLLOW, LINK_MODE_IGNORE),
    "LinkType": LinkType,
    "MemoryKind": MemoryKind,
    "OtherSpaces": (OTHER_SPACES_KEEP, OTHER_SPACES_REDACT_SPANS, OTHER_SPACES_DELETE_RECORDS),
    "ProfileFormat": PROFILE_FORMATS,
    "RecallMode": (RECALL_MODE_COMPLETE, RECALL_MODE_PRECISE),
    "Role": Role,
    "Sensitivity": Sensitivity,
    "SkillLevel": SkillLevel,
    "SpeechMode": (SPEECH_MODE_PREFER, SPEECH_MODE_IGNORE),
    "SpoolPolicy": SpoolPolicy,
    "SpoolState": SpoolState.values(),
    "TaskStatus": TaskStatus,
    "TimeMode": TimeMode,
    "TrustLevel": TrustLevel,
    "ValidityFilter": Validity,
    "WorkflowStatus": WorkflowStatus,
}
BY_RULE = {"Source", "ConflictPolicy"}


def reachable(descriptor: Any, seen: set[str]) -> Iterator[Any]:
    """The type of a message, and those of its fields that are of the contract."""
    if descriptor.full_name in seen or not descriptor.full_name.startswith("camillo."):
        return
    seen.add(descriptor.full_name)
    yield descriptor
    for field in descriptor.fields:
        if field.message_type:
            yield from reachable(field.message_type, seen)


def request_types() -> list[Any]:
    """Every type of message that a request can hold."""
    seen: set[str] = set()
    return [
        descriptor
        for module in CONTRACT
        for each in module.DESCRIPTOR.services_by_name.values()
        for method in each.methods
        for descriptor in reachable(method.input_type, seen)
    ]


def test_every_enumeration_of_a_request_is_known_whole() -> None:
    found = {
        field.enum_type.name: field.enum_type
        for descriptor in request_types()
        for field in descriptor.fields
        if field.enum_type
    }
    assert found.keys() == KNOWN.keys() | BY_RULE
    for name, known in KNOWN.items():
        assert {0, *known} == set(found[name].values_by_number), name


def test_a_field_that_must_be_set_is_missed_where_it_is_not() -> None:
    """Checks look at fields that are set: one whose default breaks its limit must be looked at all the same."""
    missed = 0
    for descriptor in request_types():
        wrong = broken(GetMessageClass(descriptor)(), own_model=OwnModel("own", 3))
        for field in descriptor.fields:
            limit = field.GetOptions().Extensions[LIMIT]
            is_value = not field.is_repeated and field.message_type is None
            if is_value and not field.has_presence:
                problem = value_problem(field, limit)
                expected = problem is not None and problem(field.default_value) is not None
                assert (field.name in wrong) is expected, field.full_name
                missed += expected
    assert missed > 40


def test_every_broken_limit_of_a_request_is_named_at_once() -> None:
    request = service.RememberRequest(
        request_id="x" * 129,
        agent_id="a b",
        memory=pb.NewMemory(
            memory_id="x",
            kind=9,  # type: ignore[arg-type]
            tags=["", "a", "b\0"],
            importance=2,
            session_id="\0",
        ),
    )
    assert sorted(broken(request)) == [
        "agent_id",
        "memory.content",
        "memory.importance",
        "memory.kind",
        "memory.memory_id",
        "memory.session_id",
        "memory.tags[0]",
        "memory.tags[2]",
        "request_id",
    ]
    assert broken(service.RememberRequest(memory=pb.NewMemory(content="x"))) == []


@each_case(
    ("request_", "description"),
    [
        (service.ListMemoriesRequest(page_size=1001), "must be from 1 to 1000, or 0 for 50; is 1001"),
        (
            runs.RenderRunRequest(run_id=SOME_ID, max_tokens=99),
            "must be from 100 to 100000, or 0 for the default; is 99",
        ),
        (artifacts.GetUploadRequest(upload_id="x"), f"must be a UUID such as {SOME_ID}"),
        (
            service.ListMemoriesRequest(agent_id="a b"),
            "must be an agent's id (letters, digits, '.', '_' and '-'), or users/, projects/ or teams/ and an id,"
            " such as users/42",
        ),
        (service.ListMemoriesRequest(filter=pb.MemoryFilter(min_importance=2)), "must be a number from 0 to 1"),
        (
            service.ListMemoriesRequest(filter=pb.MemoryFilter(tags_any=map(str, range(65)))),
            "must have at most 64 values, has 65",
        ),
        (
            service.ListMemoriesRequest(filter=pb.MemoryFilter(tags_any=["a"] * 10_001)),
            "must have at most 10000 values, has 10001",
        ),
        (service.BatchRememberRequest(), "must have 1 to 1000 values, has 0"),
        (
            service.ListMemoriesRequest(filter=pb.MemoryFilter(kinds=[9])),  # type: ignore[list-item]
            "must be one of fact, preference, conversation, task_outcome, decision, error, instruction, summary; is 9",
        ),
        (admin.CreateKeyRequest(any_agent=True), "must be one of reader, writer, tenant_admin, root"),
        (
            admin.CreateKeyRequest(any_agent=True, role=1, lifetime=Duration()),  # type: ignore[arg-type]
            "must be from 1 second to 100 years",
        ),
    ],
)
def test_a_violation_says_what_would_be_taken(request_: Any, description: str) -> None:
    checks = Checks()
    check_message(request_, checks)
    assert [violation.description for violation in checks.violations] == [description]


def test_repeats_do_not_count() -> None:
    assert broken(pb.MemoryFilter(tags_any=["a", "b"] * 5_000)) == []
    many = [str(i) for i in range(65)]
    assert broken(pb.MemoryFilter(tags_any=many * 2)) == ["tags_any"]
    assert broken(pb.MemoryFilter(tags_any=["a", "a", ""])) == ["tags_any[1]"]


def test_zero_is_taken_where_it_means_something_else() -> None:
    assert broken(CompactionCriteria(tag_threshold=0, likeness=0)) == []
    assert broken(CompactionCriteria(tag_threshold=1, likeness=0.4)) == ["tag_threshold", "likeness"]
    request = service.ListMemoriesRequest()
    assert stated_or_default(request, "page_size") == 50
    request.page_size = 7
    assert stated_or_default(request, "page_size") == 7


def test_what_fails_alone_is_no_fault_of_the_request() -> None:
    memories = [pb.NewMemory(), pb.NewMemory(content="x")]
    assert broken(service.BatchRememberRequest(memories=memories)) == []
    assert broken(runs.EndRunRequest(run_id=SOME_ID, memories=memories)) == ["memories[0].content"]


def test_only_what_a_mask_names_is_checked() -> None:
    def update(*paths: str, **values: Any) -> service.UpdateMemoryRequest:
        return service.UpdateMemoryRequest(
            memory_id=SOME_ID, expected_version=1, update_mask=FieldMask(paths=paths), memory=pb.Memory(**values)
        )

    assert broken(update("pinned", tags=[""])) == []
    assert broken(update("tags", tags=[""])) == ["memory.tags[0]"]
    assert broken(update("content")) == ["memory.content"]
    assert broken(service.UpdateMemoryRequest(memory_id=SOME_ID, expected_version=1)) == ["update_mask"]


def test_a_vector_of_the_servers_own_model_has_its_length() -> None:
    own = OwnModel("own", 3)

    def of(count: int, model_id: str = "") -> pb.Vector:
        return pb.Vector(model_id=model_id, values=[0.5] * count)

    assert broken(of(3), own_model=own) == broken(of(4, "other"), own_model=own) == []
    assert broken(of(4), own_model=own) == broken(of(2, "own"), own_model=own) == ["values"]
    most = limit_of(pb.Vector, "values").items.max
    assert broken(of(most, "other")) == []
    assert broken(of(most + 1, "other")) == ["values"]
    for values in ([], [0.0], [float("nan"), 1.0], [float("inf")]):
        assert "values" in broken(pb.Vector(values=values))
    assert broken(pb.Vector(values=[3e38, 3e38])) == []


def test_what_a_newer_client_adds_to_a_vector_is_no_number() -> None:
    sent = pb.Vector(values=[3.0, 4.0]).SerializeToString() + b"\x1d\x00\x00\x80\x3f" * 3
    assert vector(pb.Vector.FromString(sent)).values.tolist() == pytest.approx([0.6, 0.8])


def test_a_rule_that_comes_too_late_is_not_lost_in_silence() -> None:
    compiled_check(pb.Vector.DESCRIPTOR)
    with pytest.raises(RuntimeError, match=r"camillo\.v1\.Vector"):
        rule(pb.Vector)(lambda message, path, checks: None)
