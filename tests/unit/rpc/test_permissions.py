"""Every method of the contract has its least role."""

from camillo_server.doors.rpc.admission import required_role
from camillo_server.doors.rpc.contract import ADDS, PERMISSION, methods
from camillo_server.kernel.scope import Role

from tests.cases import each_case

ARTIFACT = "/camillo.v1.ArtifactService/"
EVENT = "/camillo.v1.EventService/"
DECISION = "/camillo.v1.DecisionService/"
TASK = "/camillo.v1.TaskService/"
SNAPSHOT = "/camillo.v1.SnapshotService/"
LIFECYCLE = "/camillo.v1.LifecycleService/"
RUN = "/camillo.v1.RunService/"
KNOWLEDGE = "/camillo.v1.KnowledgeService/"
AUDIT = "/camillo.v1.AuditService/"
SPOOL = "/camillo.v1.SpoolService/"
MEMORY = "/camillo.v1.MemoryService/"
SLOT = "/camillo.v1.SlotService/"
ADMIN = "/camillo.v1.AdminService/"
SPACE = "/camillo.v1.SpaceService/"


def test_every_method_has_its_role_in_the_contract() -> None:
    permissions = {method.full_name: method.GetOptions().Extensions[PERMISSION] for method in methods()}
    assert len(permissions) >= 125
    assert set(permissions.values()) == set(Role)


def test_a_reader_calls_nothing_that_writes() -> None:
    writing = [each for each in methods() if each.GetOptions().HasExtension(ADDS)]
    assert len(writing) > 60
    assert not [each.name for each in writing if each.GetOptions().Extensions[PERMISSION] < Role.WRITER]


@each_case(
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


@each_case(
    ("service", "role", "names"),
    [
        (EVENT, Role.READER, "GetEvent ListEvents ListWorkflow WatchEvents"),
        (EVENT, Role.WRITER, "RecordEvent BatchRecordEvents ForgetEvents RebuildChunks"),
        (MEMORY, Role.WRITER, "Remember BatchRemember ImportMemories UpdateMemory ForgetMemories"),
        (MEMORY, Role.WRITER, "RestoreMemories SupersedeMemory"),
        (SLOT, Role.WRITER, "SetMemory BatchSetMemory RestoreSlot"),
        (ADMIN, Role.TENANT_ADMIN, "CreateAgent ListAgents DeleteAgent CreateKey ListKeys RevokeKey"),
        (ADMIN, Role.TENANT_ADMIN, "ListIndexes"),
        (ADMIN, Role.ROOT, "CreateTenant ListTenants DeleteTenant SetQuotas ProfileServer"),
        (AUDIT, Role.WRITER, "RecordAuditEntry"),
        (AUDIT, Role.TENANT_ADMIN, "ListAuditEntries WatchAudit VerifyAudit"),
        (AUDIT, Role.TENANT_ADMIN, "GetAuditPolicy SetAuditPolicy"),
        (SPOOL, Role.TENANT_ADMIN, "ListSpooled RetrySpooled DiscardSpooled"),
        (SPOOL, Role.TENANT_ADMIN, "GetSpoolPolicy SetSpoolPolicy"),
        (DECISION, Role.READER, "GetDecision QueryDecisions"),
        (DECISION, Role.WRITER, "RecordDecision SupersedeDecision"),
        (TASK, Role.READER, "GetTask ListTasks"),
        (TASK, Role.WRITER, "UpsertTask"),
        (SNAPSHOT, Role.READER, "BuildSnapshot BuildBundle BuildWorkingMemory BuildDigest"),
        (SNAPSHOT, Role.READER, "ListRecipes"),
        (SNAPSHOT, Role.READER, "GetView ListViews ListHandoffs"),
        (SNAPSHOT, Role.WRITER, "PutView DeleteView HandOff AcceptHandoffs"),
        (SNAPSHOT, Role.TENANT_ADMIN, "PutRecipe DeleteRecipe"),
        (SNAPSHOT, Role.ROOT, "DropEverything"),
        (LIFECYCLE, Role.READER, "ListCompactions GetUsage GetReembedding ListReceipts ListValueRefusals"),
        (LIFECYCLE, Role.WRITER, "RunMaintenance Prune Archive Compact RevertCompaction"),
        (LIFECYCLE, Role.WRITER, "Forget Reindex"),
        (LIFECYCLE, Role.TENANT_ADMIN, "Reset ListJobs RetryJob StartReembedding LiftValueBlocks"),
        (KNOWLEDGE, Role.READER, "GetSkill ListSkills"),
        (KNOWLEDGE, Role.WRITER, "PutSkill DeleteSkill PublishDocument DeleteDocument"),
        (SPACE, Role.READER, "ListSpaces GetSpace ListTokenUsage"),
        (SPACE, Role.WRITER, "ForgetSpace"),
        (RUN, Role.READER, "RenderRun ListRuns"),
        (RUN, Role.WRITER, "StartRun AppendRun InjectInstruction EndRun"),
    ],
)
def test_who_may_call_the_methods_of_other_services(service: str, role: Role, names: str) -> None:
    assert {required_role(service + name) for name in names.split()} == {role}
