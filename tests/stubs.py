"""The stubs of every service."""

from typing import Any

from camillo.v1.admin_service_pb2_grpc import AdminServiceStub
from camillo.v1.artifact_service_pb2_grpc import ArtifactServiceStub
from camillo.v1.audit_service_pb2_grpc import AuditServiceStub
from camillo.v1.decision_service_pb2_grpc import DecisionServiceStub
from camillo.v1.distillation_service_pb2_grpc import DistillationServiceStub
from camillo.v1.event_service_pb2_grpc import EventServiceStub
from camillo.v1.knowledge_service_pb2_grpc import KnowledgeServiceStub
from camillo.v1.lifecycle_service_pb2_grpc import LifecycleServiceStub
from camillo.v1.link_service_pb2_grpc import LinkServiceStub
from camillo.v1.memory_service_pb2_grpc import MemoryServiceStub
from camillo.v1.run_service_pb2_grpc import RunServiceStub
from camillo.v1.slot_service_pb2_grpc import SlotServiceStub
from camillo.v1.snapshot_service_pb2_grpc import SnapshotServiceStub
from camillo.v1.space_service_pb2_grpc import SpaceServiceStub
from camillo.v1.spool_service_pb2_grpc import SpoolServiceStub
from camillo.v1.task_service_pb2_grpc import TaskServiceStub

STUBS: tuple[Any, ...] = (
    AdminServiceStub,
    ArtifactServiceStub,
    AuditServiceStub,
    DecisionServiceStub,
    DistillationServiceStub,
    EventServiceStub,
    KnowledgeServiceStub,
    LifecycleServiceStub,
    LinkServiceStub,
    MemoryServiceStub,
    RunServiceStub,
    SlotServiceStub,
    SnapshotServiceStub,
    SpaceServiceStub,
    SpoolServiceStub,
    TaskServiceStub,
)
