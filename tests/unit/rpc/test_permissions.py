"""Every method of the contract has its least role."""

import pytest
from camillo_server.domain.scope import Role
from camillo_server.rpc.permissions import (
    ARTIFACT,
    DECISION,
    EVENT,
    LIFECYCLE,
    REQUIRED_ROLE,
    RUN,
    SNAPSHOT,
    TASK,
    required_role,
)
from camillo_server.rpc.server import CONTRACT


def test_every_method_is_listed_and_nothing_else() -> None:
    methods = {
        f"/{service.full_name}/{method.name}"
        for module in CONTRACT
        for service in module.DESCRIPTOR.services_by_name.values()
        for method in service.methods
    }
    assert len(methods) == 80
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


@pytest.mark.parametrize(
    ("service", "role", "names"),
    [
        (EVENT, Role.READER, "GetEvent ListEvents WatchEvents"),
        (EVENT, Role.WRITER, "RecordEvent BatchRecordEvents ForgetEvents RebuildChunks"),
        (DECISION, Role.READER, "GetDecision QueryDecisions"),
        (DECISION, Role.WRITER, "RecordDecision SupersedeDecision"),
        (TASK, Role.READER, "GetTask ListTasks"),
        (TASK, Role.WRITER, "UpsertTask"),
        (SNAPSHOT, Role.READER, "BuildSnapshot BuildBundle BuildWorkingMemory ListRecipes"),
        (SNAPSHOT, Role.READER, "GetView ListViews ListHandoffs"),
        (SNAPSHOT, Role.WRITER, "PutView DeleteView HandOff"),
        (SNAPSHOT, Role.TENANT_ADMIN, "PutRecipe DeleteRecipe"),
        (SNAPSHOT, Role.ROOT, "DropEverything"),
        (LIFECYCLE, Role.READER, "ListCompactions GetUsage GetReembedding ListReceipts"),
        (LIFECYCLE, Role.WRITER, "RunMaintenance Prune Archive Compact RevertCompaction"),
        (LIFECYCLE, Role.WRITER, "LiftValueBlocks"),
        (LIFECYCLE, Role.TENANT_ADMIN, "Reset ListJobs RetryJob StartReembedding"),
        (RUN, Role.READER, "RenderRun"),
        (RUN, Role.WRITER, "StartRun AppendRun InjectInstruction EndRun"),
    ],
)
def test_who_may_call_the_methods_of_other_services(service: str, role: Role, names: str) -> None:
    assert {required_role(service + name) for name in names.split()} == {role}
