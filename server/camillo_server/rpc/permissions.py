"""Which role each method needs."""

from camillo_server.domain.scope import Role

OPEN_SERVICES = ("/grpc.health.v1.", "/grpc.reflection.")

MEMORY = "/camillo.v1.MemoryService/"
ARTIFACT = "/camillo.v1.ArtifactService/"
EVENT = "/camillo.v1.EventService/"
DECISION = "/camillo.v1.DecisionService/"
TASK = "/camillo.v1.TaskService/"
SNAPSHOT = "/camillo.v1.SnapshotService/"
LIFECYCLE = "/camillo.v1.LifecycleService/"
RUN = "/camillo.v1.RunService/"
ADMIN = "/camillo.v1.AdminService/"

REQUIRED_ROLE: dict[str, Role] = {
    **{
        MEMORY + name: Role.READER
        for name in (
            "Recall",
            "BatchRecall",
            "GetMemory",
            "ListMemories",
            "ListMemoryRevisions",
            "WatchMemories",
            "ExportMemories",
        )
    },
    **{
        MEMORY + name: Role.WRITER
        for name in (
            "Remember",
            "BatchRemember",
            "ImportMemories",
            "UpdateMemory",
            "ForgetMemories",
            "RestoreMemories",
        )
    },
    **{
        ARTIFACT + name: Role.READER
        for name in (
            "GetArtifact",
            "ReadArtifact",
            "ReadArtifactPage",
            "SearchArtifact",
            "ListArtifacts",
            "ListCitations",
        )
    },
    **{
        ARTIFACT + name: Role.WRITER
        for name in (
            "PutArtifact",
            "GetUpload",
            "OffloadOutput",
            "UpdateArtifact",
            "DeleteArtifact",
        )
    },
    **{EVENT + name: Role.READER for name in ("GetEvent", "ListEvents", "WatchEvents")},
    **{
        EVENT + name: Role.WRITER
        for name in ("RecordEvent", "BatchRecordEvents", "ForgetEvents", "RebuildChunks")
    },
    **{DECISION + name: Role.READER for name in ("GetDecision", "QueryDecisions")},
    **{DECISION + name: Role.WRITER for name in ("RecordDecision", "SupersedeDecision")},
    **{TASK + name: Role.READER for name in ("GetTask", "ListTasks")},
    TASK + "UpsertTask": Role.WRITER,
    **{
        SNAPSHOT + name: Role.READER
        for name in (
            "BuildSnapshot",
            "BuildBundle",
            "BuildWorkingMemory",
            "ListRecipes",
            "GetView",
            "ListViews",
            "ListHandoffs",
        )
    },
    **{SNAPSHOT + name: Role.WRITER for name in ("PutView", "DeleteView", "HandOff")},
    **{SNAPSHOT + name: Role.TENANT_ADMIN for name in ("PutRecipe", "DeleteRecipe")},
    **{
        LIFECYCLE + name: Role.READER
        for name in ("ListCompactions", "GetUsage", "GetReembedding", "ListReceipts")
    },
    **{
        LIFECYCLE + name: Role.WRITER
        for name in (
            "RunMaintenance",
            "Prune",
            "Archive",
            "Compact",
            "RevertCompaction",
            "LiftValueBlocks",
        )
    },
    # An agent that was talked into it must not empty its own scope.
    **{
        LIFECYCLE + name: Role.TENANT_ADMIN
        for name in ("Reset", "ListJobs", "RetryJob", "StartReembedding")
    },
    RUN + "RenderRun": Role.READER,
    **{
        RUN + name: Role.WRITER for name in ("StartRun", "AppendRun", "InjectInstruction", "EndRun")
    },
    **{
        ADMIN + name: Role.TENANT_ADMIN
        for name in (
            "CreateAgent",
            "ListAgents",
            "DeleteAgent",
            "CreateKey",
            "ListKeys",
            "RevokeKey",
            "ListIndexes",
        )
    },
    **{ADMIN + name: Role.ROOT for name in ("CreateTenant", "ListTenants", "DeleteTenant")},
    ADMIN + "WhoAmI": Role.READER,
}


def is_open(method: str) -> bool:
    """Health and reflection answer without a credential: they tell nothing of anyone's data."""
    return method.startswith(OPEN_SERVICES)


def required_role(method: str) -> Role:
    """The least role for a method; one that is not listed is for root alone, so that nothing opens by omission."""
    return REQUIRED_ROLE.get(method, Role.ROOT)
