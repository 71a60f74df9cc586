"""Client of Camillo, the memory service for AI agents. The messages are in `camillo.v1`."""

from camillo_client._async.admin import AsyncAdmin
from camillo_client._async.artifact_writers import AsyncArtifactWriter, AsyncOffloading
from camillo_client._async.artifacts import AsyncArtifacts
from camillo_client._async.client import AsyncCamillo
from camillo_client._sync.admin import Admin
from camillo_client._sync.artifact_writers import ArtifactWriter, Offloading
from camillo_client._sync.artifacts import Artifacts
from camillo_client._sync.client import Camillo
from camillo_client.artifact_checks import BytesDamaged
from camillo_client.artifact_files import ArtifactFile, AsyncArtifactFile
from camillo_client.convert import enum_name, to_datetime, to_dict, to_vector
from camillo_client.errors import CamilloError
from camillo_client.freshness import at_least_as_fresh, fully_consistent, minimize_latency
from camillo_client.memories import new_memory
from camillo_client.memory_refs import MemoryRef
from camillo_client.outputs import Offloaded
from camillo_client.queries import memory_filter, recall_request
from camillo_client.redactions import SecretRedacted
from camillo_client.target import Tls

__all__ = [
    "Admin",
    "ArtifactFile",
    "ArtifactWriter",
    "Artifacts",
    "AsyncAdmin",
    "AsyncArtifactFile",
    "AsyncArtifactWriter",
    "AsyncArtifacts",
    "AsyncCamillo",
    "AsyncOffloading",
    "BytesDamaged",
    "Camillo",
    "CamilloError",
    "MemoryRef",
    "Offloaded",
    "Offloading",
    "SecretRedacted",
    "Tls",
    "at_least_as_fresh",
    "enum_name",
    "fully_consistent",
    "memory_filter",
    "minimize_latency",
    "new_memory",
    "recall_request",
    "to_datetime",
    "to_dict",
    "to_vector",
]
