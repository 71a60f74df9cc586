"""What gRPC itself retries: unary calls that do no harm when they arrive twice."""

from __future__ import annotations

import json

# Reads, and mutations: those carry a request id, so that a repetition gets the first answer and writes nothing.
# Streams are left out: an import has no request id, a watch resumes by its token, an export would begin anew; an
# upload and a read of an artifact are gone on with where they broke. Rebuilding chunks makes the same chunks again; a job
# that is told twice to be tried, or vectors asked for twice, come once.
RETRIED = {
    "camillo.v1.MemoryService": (
        "Remember",
        "BatchRemember",
        "Recall",
        "BatchRecall",
        "GetMemory",
        "ListMemories",
        "UpdateMemory",
        "ForgetMemories",
        "RestoreMemories",
        "ListMemoryRevisions",
    ),
    "camillo.v1.ArtifactService": (
        "GetUpload",
        "OffloadOutput",
        "GetArtifact",
        "ReadArtifactPage",
        "ListArtifacts",
        "UpdateArtifact",
        "DeleteArtifact",
        "ListCitations",
    ),
    "camillo.v1.EventService": (
        "RecordEvent",
        "BatchRecordEvents",
        "GetEvent",
        "ListEvents",
        "ForgetEvents",
        "RebuildChunks",
    ),
    "camillo.v1.DecisionService": (
        "RecordDecision",
        "SupersedeDecision",
        "GetDecision",
        "QueryDecisions",
    ),
    "camillo.v1.TaskService": ("UpsertTask", "GetTask", "ListTasks"),
    "camillo.v1.SnapshotService": (
        "BuildSnapshot",
        "BuildBundle",
        "BuildWorkingMemory",
        "ListRecipes",
        "PutRecipe",
        "DeleteRecipe",
        "PutView",
        "GetView",
        "ListViews",
        "DeleteView",
        "HandOff",
        "ListHandoffs",
    ),
    "camillo.v1.LifecycleService": (
        "RunMaintenance",
        "Prune",
        "Archive",
        "Reset",
        "Compact",
        "RevertCompaction",
        "ListCompactions",
        "GetUsage",
        "ListJobs",
        "RetryJob",
        "StartReembedding",
        "GetReembedding",
        "ListReceipts",
        "LiftValueBlocks",
    ),
    "camillo.v1.RunService": (
        "StartRun",
        "AppendRun",
        "InjectInstruction",
        "RenderRun",
        "EndRun",
    ),
    "camillo.v1.AdminService": (
        "WhoAmI",
        "CreateTenant",
        "ListTenants",
        "DeleteTenant",
        "CreateAgent",
        "ListAgents",
        "DeleteAgent",
        "CreateKey",
        "ListKeys",
        "RevokeKey",
        "ListIndexes",
    ),
}

RETRY_POLICY = {
    "maxAttempts": 4,
    "initialBackoff": "0.1s",
    "maxBackoff": "2s",
    "backoffMultiplier": 3,
    # RESOURCE_EXHAUSTED is not among them: a used-up quota does not come back by asking again.
    "retryableStatusCodes": ["UNAVAILABLE"],
}


def service_config() -> str:
    """The JSON for the channel option `grpc.service_config`."""
    names = [
        {"service": service, "method": method}
        for service, methods in RETRIED.items()
        for method in methods
    ]
    return json.dumps({"methodConfig": [{"name": names, "retryPolicy": RETRY_POLICY}]})
