"""What tells equal contents of a tenant, and nothing to who reads the database."""

from collections.abc import Sequence
from hashlib import sha256

from camillo_server.contents.keyring import Keyring
from camillo_server.domain.artifact import Artifact
from camillo_server.domain.artifact_ports import Content
from camillo_server.domain.memory import Memory, Sensitivity
from camillo_server.domain.ports import NewRow
from camillo_server.domain.repeats import said
from camillo_server.domain.scope import Scope
from camillo_server.storage.sealed_rows import is_sealed

PURPOSE = "content-fingerprint"
OF_MEMORIES = "memory-fingerprint"


def fingerprint(keyring: Keyring, content: Content, artifact: Artifact) -> bytes:
    """The same for equal bytes of the same sealing and, where they are restricted, of the same agent: 32 bytes.

    Raises KeyMissing for what is sealed where there is no key.
    """
    digest = artifact.content.sha256
    if not content.is_sealed:
        return sha256(b"plain" + digest).digest()
    if artifact.stated.sensitivity is Sensitivity.RESTRICTED:
        digest += artifact.agent_id.encode()
    return keyring.fingerprint(content.tenant_id, PURPOSE, digest)


def memory_fingerprints(
    keyring: Keyring, scope: Scope, rows: Sequence[NewRow]
) -> list[bytes | None]:
    """Those of several rows."""
    return [memory_fingerprint(keyring, scope, row.memory) for row in rows]


def memory_fingerprint(keyring: Keyring, scope: Scope, memory: Memory) -> bytes | None:
    """The same for memories of a scope that say exactly the same: 32 bytes; None for chunks. Raises KeyMissing for what is
    sealed where there is no key."""
    told = said(memory)
    if told is None:
        return None
    # With the agent, one index serves all scopes, and tells of no two agents that they keep the same secret.
    data = b"\0".join((scope.agent_id.encode(), told))
    if not is_sealed(memory):
        return sha256(data).digest()
    return keyring.fingerprint(scope.tenant_id, OF_MEMORIES, data)
