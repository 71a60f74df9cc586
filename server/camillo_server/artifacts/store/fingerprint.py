"""What tells equal contents of a tenant, and nothing to who reads the database."""

from hashlib import sha256

from camillo_server.artifacts.artifact import Artifact
from camillo_server.artifacts.ports import Content
from camillo_server.crypto.keyring import Keyring
from camillo_server.kernel.kinds import Sensitivity

PURPOSE = "content-fingerprint"


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
