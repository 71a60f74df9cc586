"""Artifacts for tests of conversions."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from camillo_server.features.artifacts.artifact import Artifact, ArtifactDraft, ArtifactId, ContentFacts, ContentId
from camillo_server.kernel.ids import AgentId
from camillo_server.lib.outputs.summary.sample import ContentKind, Preview

STORED = datetime(2026, 3, 1, 12, 30, 15, 123456, tzinfo=UTC)
CHANGED = datetime(2026, 3, 2, 8, 0, 0, 1, tzinfo=UTC)


def facts(**changes: Any) -> ContentFacts:
    """A log of two lines."""
    values: dict[str, Any] = {
        "size": 12,
        "sha256": bytes(range(32)),
        "encoding": "utf-8",
        "line_count": 2,
        "kind": ContentKind.LOG,
        "description": "log of 2 lines",
        "summary": "a log",
        "preview": Preview("first", "last"),
    }
    return ContentFacts(**{**values, **changes})


def artifact(draft: ArtifactDraft | None = None, content: ContentFacts | None = None) -> Artifact:
    """Ada's."""
    return Artifact(
        artifact_id=ArtifactId("npm_install_7f3k9q2mxd"),
        agent_id=AgentId("ada"),
        created_by=AgentId("ada"),
        content_id=ContentId(UUID(int=7)),
        draft=draft or ArtifactDraft(),
        content=content or facts(),
        created_at=STORED,
        updated_at=CHANGED,
        version=3,
    )
