"""Warnings of secrets that the server took out of a write."""

from __future__ import annotations

from collections.abc import Iterable

from camillo.v1.artifact_pb2 import ArtifactRedaction
from camillo.v1.memory_pb2 import Redaction
from camillo_client.caller_warnings import warn_caller


class SecretRedacted(UserWarning):
    """A secret was taken out of what was sent, and a placeholder stored in its place. `warnings.filterwarnings`
    decides what happens."""

    def __init__(self, redaction: Redaction) -> None:
        super().__init__(f"a secret was taken out of {redaction.field} before it was stored: {redaction.kind}")
        self.redaction = redaction


def warn_of(redactions: Iterable[Redaction]) -> None:
    """Warns of each redaction."""
    for redaction in redactions:
        warn_caller(SecretRedacted(redaction))


def warn_of_bytes(redactions: Iterable[ArtifactRedaction]) -> None:
    """Warns of each kind of secret in the bytes of an artifact, once: there may be a thousand of one kind."""
    first = {redaction.kind: redaction for redaction in reversed(list(redactions))}
    for kind, redaction in sorted(first.items()):
        told = Redaction(field="the content", kind=kind, offset=redaction.offset)
        warn_caller(SecretRedacted(told))
