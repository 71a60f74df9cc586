"""Which role each method needs."""

from camillo_server.domain.scope import Role

OPEN_SERVICES = ("/grpc.health.v1.", "/grpc.reflection.")

MEMORY = "/camillo.v1.MemoryService/"
ARTIFACT = "/camillo.v1.ArtifactService/"
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
