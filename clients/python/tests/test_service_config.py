"""The calls that gRPC retries."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

from camillo.v1 import (
    admin_service_pb2,
    artifact_service_pb2,
    audit_service_pb2,
    decision_service_pb2,
    distillation_service_pb2,
    event_service_pb2,
    knowledge_service_pb2,
    lifecycle_service_pb2,
    link_service_pb2,
    memory_service_pb2,
    options_pb2,
    run_service_pb2,
    slot_service_pb2,
    snapshot_service_pb2,
    space_service_pb2,
    spool_service_pb2,
    task_service_pb2,
)
from camillo_client.target import service_config

SERVICES = (
    memory_service_pb2.DESCRIPTOR.services_by_name["MemoryService"],
    artifact_service_pb2.DESCRIPTOR.services_by_name["ArtifactService"],
    event_service_pb2.DESCRIPTOR.services_by_name["EventService"],
    decision_service_pb2.DESCRIPTOR.services_by_name["DecisionService"],
    link_service_pb2.DESCRIPTOR.services_by_name["LinkService"],
    task_service_pb2.DESCRIPTOR.services_by_name["TaskService"],
    slot_service_pb2.DESCRIPTOR.services_by_name["SlotService"],
    snapshot_service_pb2.DESCRIPTOR.services_by_name["SnapshotService"],
    lifecycle_service_pb2.DESCRIPTOR.services_by_name["LifecycleService"],
    distillation_service_pb2.DESCRIPTOR.services_by_name["DistillationService"],
    run_service_pb2.DESCRIPTOR.services_by_name["RunService"],
    audit_service_pb2.DESCRIPTOR.services_by_name["AuditService"],
    knowledge_service_pb2.DESCRIPTOR.services_by_name["KnowledgeService"],
    space_service_pb2.DESCRIPTOR.services_by_name["SpaceService"],
    spool_service_pb2.DESCRIPTOR.services_by_name["SpoolService"],
    admin_service_pb2.DESCRIPTOR.services_by_name["AdminService"],
)

SHARED = Path(__file__).parents[2] / "service_config.json"


def _retried() -> dict[str, set[str]]:
    """The names of the methods by service."""
    retried: dict[str, set[str]] = defaultdict(set)
    for config in json.loads(service_config())["methodConfig"]:
        for name in config["name"]:
            retried[name["service"]].add(name["method"])
    return retried


def test_the_package_has_what_the_clients_of_all_languages_share() -> None:
    assert service_config() == SHARED.read_text("utf-8")


def test_all_unary_methods_are_retried_and_no_streams() -> None:
    unary = {
        service.full_name: {
            method.name for method in service.methods if not method.client_streaming and not method.server_streaming
        }
        for service in SERVICES
    }
    assert _retried() == unary


def test_what_is_retried_reads_or_carries_a_request_id() -> None:
    # They make the same chunks or vectors again, and hurry what is hurried already.
    harmless = {"RebuildChunks", "Reindex", "StartReembedding", "RetryJob"}
    mutations = [
        method
        for service in SERVICES
        for method in service.methods
        if method.name in _retried()[service.full_name] - harmless
        and method.GetOptions().HasExtension(options_pb2.adds)  # type: ignore[arg-type]
    ]
    assert len(mutations) > 50
    assert all("request_id" in method.input_type.fields_by_name for method in mutations)


def test_only_a_server_that_is_away_is_asked_again() -> None:
    (config,) = json.loads(service_config())["methodConfig"]
    assert config["retryPolicy"]["retryableStatusCodes"] == ["UNAVAILABLE", "CANCELLED"]
    assert config["retryPolicy"]["maxAttempts"] == 4
    assert {"service": "camillo.v1.MemoryService", "method": "Recall"} in config["name"]
