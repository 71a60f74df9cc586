"""Client of Camillo, the memory service for AI agents. The messages are in `camillo.v1`."""

from importlib import import_module
from typing import TYPE_CHECKING

from camillo_client._sync.admin import Admin
from camillo_client._sync.artifact_writers import ArtifactWriter, Offloading
from camillo_client._sync.artifacts import Artifacts
from camillo_client._sync.audit import Audit
from camillo_client._sync.client import Camillo
from camillo_client._sync.context import Context, Recipes, Views
from camillo_client._sync.decisions import Decisions
from camillo_client._sync.entities import Entities
from camillo_client._sync.events import Events
from camillo_client._sync.knowledge import Documents
from camillo_client._sync.lifecycle import Lifecycle
from camillo_client._sync.links import Links
from camillo_client._sync.memories import Memories
from camillo_client._sync.runs import Runs
from camillo_client._sync.skills import Skills
from camillo_client._sync.slots import Slots
from camillo_client._sync.spool import Spool
from camillo_client._sync.tasks import Tasks
from camillo_client.addresses import AddressInvalid
from camillo_client.artifact_files import ArtifactFile, AsyncArtifactFile
from camillo_client.artifact_progress import BytesDamaged
from camillo_client.audit_fields import AuditConditions
from camillo_client.call_metadata import SHARED
from camillo_client.convert import enum_name, to_datetime, to_dict, to_vector
from camillo_client.document_fields import DocumentChanges, DocumentConditions, DocumentFields
from camillo_client.errors import CamilloError
from camillo_client.event_fields import (
    EventTooLarge,
    new_event,
    tool_call,
    tool_result,
    workflow_step,
)
from camillo_client.freshness import at_least_as_fresh, fully_consistent, minimize_latency
from camillo_client.hits import (
    DecisionHit,
    DecisionsAnswer,
    Hit,
    RecallAnswer,
    TimeAnchor,
    TimeWindow,
)
from camillo_client.link_fields import OlderUnread, link_end, new_link
from camillo_client.memories import new_memory
from camillo_client.memory_refs import MemoryRef
from camillo_client.outputs import Offloaded
from camillo_client.queries import memory_filter, recall_request
from camillo_client.redactions import SecretRedacted
from camillo_client.run_fields import function_call
from camillo_client.slot_fields import new_slot, provenance
from camillo_client.target import KeyUnprotected, Tls
from camillo_client.written import WrittenEvent, WrittenMemory, WrittenRun, WrittenSlot

if TYPE_CHECKING:
    from camillo_client._async.admin import AsyncAdmin
    from camillo_client._async.artifact_writers import AsyncArtifactWriter, AsyncOffloading
    from camillo_client._async.artifacts import AsyncArtifacts
    from camillo_client._async.audit import AsyncAudit
    from camillo_client._async.client import AsyncCamillo
    from camillo_client._async.context import AsyncContext, AsyncRecipes, AsyncViews
    from camillo_client._async.decisions import AsyncDecisions
    from camillo_client._async.entities import AsyncEntities
    from camillo_client._async.events import AsyncEvents
    from camillo_client._async.knowledge import AsyncDocuments
    from camillo_client._async.lifecycle import AsyncLifecycle
    from camillo_client._async.links import AsyncLinks
    from camillo_client._async.memories import AsyncMemories
    from camillo_client._async.mirror import AsyncMirror
    from camillo_client._async.runs import AsyncRuns
    from camillo_client._async.skills import AsyncSkills
    from camillo_client._async.slots import AsyncSlots
    from camillo_client._async.spool import AsyncSpool
    from camillo_client._async.tasks import AsyncTasks
    from camillo_client._sync.mirror import Mirror
    from camillo_client.local_process import LocalServerError
    from camillo_client.local_server import LocalServerVersion
else:
    _LATE = {
        "AsyncAdmin": "_async.admin",
        "AsyncArtifactWriter": "_async.artifact_writers",
        "AsyncOffloading": "_async.artifact_writers",
        "AsyncArtifacts": "_async.artifacts",
        "AsyncAudit": "_async.audit",
        "AsyncDocuments": "_async.knowledge",
        "AsyncCamillo": "_async.client",
        "AsyncContext": "_async.context",
        "AsyncRecipes": "_async.context",
        "AsyncViews": "_async.context",
        "AsyncDecisions": "_async.decisions",
        "AsyncEntities": "_async.entities",
        "AsyncEvents": "_async.events",
        "AsyncLifecycle": "_async.lifecycle",
        "AsyncLinks": "_async.links",
        "AsyncMemories": "_async.memories",
        "AsyncMirror": "_async.mirror",
        "AsyncRuns": "_async.runs",
        "AsyncSkills": "_async.skills",
        "AsyncSlots": "_async.slots",
        "AsyncSpool": "_async.spool",
        "AsyncTasks": "_async.tasks",
        "LocalServerError": "local_process",
        "LocalServerVersion": "local_server",
        "Mirror": "_sync.mirror",
    }

    def __getattr__(name):
        """Imports the asyncio client and mirrors when they are first used: programs without them start faster."""
        if name not in _LATE:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_LATE[name]}"), name)


local = Camillo.local

__all__ = [
    "SHARED",
    "AddressInvalid",
    "Admin",
    "ArtifactFile",
    "ArtifactWriter",
    "Artifacts",
    "AsyncAdmin",
    "AsyncArtifactFile",
    "AsyncArtifactWriter",
    "AsyncArtifacts",
    "AsyncAudit",
    "AsyncCamillo",
    "AsyncContext",
    "AsyncDecisions",
    "AsyncDocuments",
    "AsyncEntities",
    "AsyncEvents",
    "AsyncLifecycle",
    "AsyncLinks",
    "AsyncMemories",
    "AsyncMirror",
    "AsyncOffloading",
    "AsyncRecipes",
    "AsyncRuns",
    "AsyncSkills",
    "AsyncSlots",
    "AsyncSpool",
    "AsyncTasks",
    "AsyncViews",
    "Audit",
    "AuditConditions",
    "BytesDamaged",
    "Camillo",
    "CamilloError",
    "Context",
    "DecisionHit",
    "Decisions",
    "DecisionsAnswer",
    "DocumentChanges",
    "DocumentConditions",
    "DocumentFields",
    "Documents",
    "Entities",
    "EventTooLarge",
    "Events",
    "Hit",
    "KeyUnprotected",
    "Lifecycle",
    "Links",
    "LocalServerError",
    "LocalServerVersion",
    "Memories",
    "MemoryRef",
    "Mirror",
    "Offloaded",
    "Offloading",
    "OlderUnread",
    "RecallAnswer",
    "Recipes",
    "Runs",
    "SecretRedacted",
    "Skills",
    "Slots",
    "Spool",
    "Tasks",
    "TimeAnchor",
    "TimeWindow",
    "Tls",
    "Views",
    "WrittenEvent",
    "WrittenMemory",
    "WrittenRun",
    "WrittenSlot",
    "at_least_as_fresh",
    "enum_name",
    "fully_consistent",
    "function_call",
    "link_end",
    "local",
    "memory_filter",
    "minimize_latency",
    "new_event",
    "new_link",
    "new_memory",
    "new_slot",
    "provenance",
    "recall_request",
    "to_datetime",
    "to_dict",
    "to_vector",
    "tool_call",
    "tool_result",
    "workflow_step",
]
