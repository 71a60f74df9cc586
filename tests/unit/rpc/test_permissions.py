"""Every method of the contract has its least role."""

import pytest
from camillo.v1 import admin_service_pb2, artifact_service_pb2, memory_service_pb2
from camillo_server.domain.scope import Role
from camillo_server.rpc.permissions import ARTIFACT, REQUIRED_ROLE, required_role

CONTRACT = (memory_service_pb2, artifact_service_pb2, admin_service_pb2)


def test_every_method_is_listed_and_nothing_else() -> None:
    methods = {
        f"/{service.full_name}/{method.name}"
        for module in CONTRACT
        for service in module.DESCRIPTOR.services_by_name.values()
        for method in service.methods
    }
    assert len(methods) == 35
    assert REQUIRED_ROLE.keys() == methods


@pytest.mark.parametrize(
    ("method", "role"),
    [
        ("PutArtifact", Role.WRITER),
        ("GetUpload", Role.WRITER),
        ("OffloadOutput", Role.WRITER),
        ("UpdateArtifact", Role.WRITER),
        ("DeleteArtifact", Role.WRITER),
        ("GetArtifact", Role.READER),
        ("ReadArtifact", Role.READER),
        ("ReadArtifactPage", Role.READER),
        ("SearchArtifact", Role.READER),
        ("ListArtifacts", Role.READER),
        ("ListCitations", Role.READER),
        ("DropArtifacts", Role.ROOT),
    ],
)
def test_who_may_call_a_method_of_artifacts(method: str, role: Role) -> None:
    assert required_role(ARTIFACT + method) is role
