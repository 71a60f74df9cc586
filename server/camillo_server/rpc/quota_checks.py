"""How much each method adds to a tenant, as its quotas count it."""

from collections.abc import Callable, Mapping
from typing import Any

from camillo.v1 import options_pb2 as options

from camillo_server.kernel.errors import invalid_field
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.scope import Scope
from camillo_server.rpc.call import principal, scope_of
from camillo_server.rpc.value_limits import form_problem

# Takes a request and the bytes that it was sent in: asking a message for its size would serialise it.
Added = Callable[[Any, int], Mapping[str, int]]
_name_problem = form_problem(options.FORM_NAME, is_optional=True)


def _one(name: str) -> Added:
    return lambda request, size: {name: 1}


def _memory(request: Any, size: int) -> Mapping[str, int]:
    return {"memories": 1, "bytes": size}


def _memories(request: Any, size: int) -> Mapping[str, int]:
    return {"memories": len(request.memories), "bytes": size}


def _event(request: Any, size: int) -> Mapping[str, int]:
    return {"events": 1, "bytes": size}


def _events(request: Any, size: int) -> Mapping[str, int]:
    return {"events": len(request.events), "bytes": size}


def _bytes(request: Any, size: int) -> Mapping[str, int]:
    return {"bytes": size}


def _new_task(request: Any, size: int) -> Mapping[str, int]:
    return {} if request.task_id else {"tasks": 1}


def _slot_version(request: Any, size: int) -> Mapping[str, int]:
    return {"slot_versions": 1, "bytes": size}


def _slot_versions(request: Any, size: int) -> Mapping[str, int]:
    return {"slot_versions": len(request.slots), "bytes": size}


def _document(request: Any, size: int) -> Mapping[str, int]:
    # The header counts as a document, also where there is one of its name.
    is_header = request.WhichOneof("part") == "header"
    return {"documents": int(is_header), "bytes": size}


def scope_of_request(request: Any) -> Scope:
    """The scope whose quotas a request counts for. Raises ScopeForbidden, InvalidField."""
    fields = type(request).DESCRIPTOR.fields_by_name
    if "header" in fields:
        # Only the first message of an upload names the agent.
        return scope_of_request(request.header)
    agent_id = request.agent_id if "agent_id" in fields else ""
    if "tenant_id" in fields:
        # The limits of a request are checked after its quotas, and this goes to Postgres.
        if problem := _name_problem(request.tenant_id):
            raise invalid_field("tenant_id", problem)
        # An administrator's request names the agent to administer.
        return Scope(principal().tenant(request.tenant_id), AgentId(agent_id))
    return scope_of(agent_id)


# By the full name of the method. All others add nothing that is bounded for a tenant.
ADDED: Mapping[str, Added] = {
    "/camillo.v1.MemoryService/Remember": _memory,
    "/camillo.v1.MemoryService/BatchRemember": _memories,
    "/camillo.v1.MemoryService/ImportMemories": _memories,
    "/camillo.v1.EventService/RecordEvent": _event,
    "/camillo.v1.EventService/BatchRecordEvents": _events,
    "/camillo.v1.TaskService/UpsertTask": _new_task,
    "/camillo.v1.SlotService/SetMemory": _slot_version,
    "/camillo.v1.SlotService/BatchSetMemory": _slot_versions,
    "/camillo.v1.SlotService/RestoreSlot": _slot_version,
    "/camillo.v1.SnapshotService/HandOff": _one("handoffs"),
    "/camillo.v1.RunService/StartRun": _one("runs"),
    "/camillo.v1.KnowledgeService/PutSkill": _bytes,
    "/camillo.v1.ArtifactService/PutArtifact": _bytes,
    "/camillo.v1.ArtifactService/OffloadOutput": _bytes,
    "/camillo.v1.KnowledgeService/PublishDocument": _document,
    "/camillo.v1.AdminService/CreateAgent": _one("agents"),
    "/camillo.v1.AdminService/CreateKey": _one("keys"),
}
