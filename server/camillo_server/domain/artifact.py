"""Artifacts: large content kept out of the context, and what is said about it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NewType
from uuid import UUID

from camillo_server.domain.content_kind import ContentKind
from camillo_server.domain.ids import AgentId, MemoryId
from camillo_server.domain.memory import Scalar, Sensitivity
from camillo_server.domain.redaction import FoundSecret
from camillo_server.domain.summary import Preview

ArtifactId = NewType("ArtifactId", str)
ContentId = NewType("ContentId", UUID)
UploadId = NewType("UploadId", UUID)

# Text in one of these has lines, which are found by the byte \n.
ENCODINGS_WITH_LINES = ("utf-8", "windows-1252")
# Levels whose bytes and words are encrypted at rest.
SEALED = frozenset({Sensitivity.CONFIDENTIAL, Sensitivity.RESTRICTED})
REDACTIONS_NAMED = 1_000


@dataclass(frozen=True, slots=True)
class ArtifactDraft:
    """What a caller states about an artifact. Already validated."""

    name: str = ""
    description: str = ""
    media_type: str = ""
    tool: str = ""
    command: str = ""
    exit_code: int | None = None
    session_id: str = ""
    tags: Sequence[str] = ()
    sensitivity: Sensitivity = Sensitivity.INTERNAL
    metadata: Mapping[str, Scalar] = field(default_factory=dict)
    expires_at: datetime | None = None
    pinned: bool = False
    source_refs: Sequence[str] = ()
    is_shared: bool = False

    @property
    def is_sealed(self) -> bool:
        """Its bytes and words are encrypted at rest."""
        return self.sensitivity in SEALED


@dataclass(frozen=True, slots=True)
class ContentFacts:
    """What is known of the bytes, found while they passed.

    `encoding` is empty for what is no text; `line_count` is None where there are no lines. `redactions` are the first
    1,000 secrets that were taken out, with byte offsets; `redaction_counts` counts all of them by kind.
    """

    size: int
    sha256: bytes
    encoding: str
    line_count: int | None
    kind: ContentKind
    description: str
    summary: str
    preview: Preview
    redactions: Sequence[FoundSecret] = ()
    redaction_counts: Mapping[str, int] = field(default_factory=dict)
    summary_model_id: str = ""


@dataclass(frozen=True, slots=True)
class Artifact:
    """One artifact as it is. An empty agent id is the tenant's shared scope."""

    artifact_id: ArtifactId
    agent_id: AgentId
    created_by: AgentId
    content_id: ContentId
    stated: ArtifactDraft
    content: ContentFacts
    created_at: datetime
    updated_at: datetime
    version: int = 1

    @property
    def description(self) -> str:
        """The caller's own, or what the content was found to be."""
        return self.stated.description or self.content.description

    @property
    def has_lines(self) -> bool:
        """Its lines can be asked for."""
        return self.content.line_count is not None


@dataclass(frozen=True, slots=True)
class ArtifactFilter:
    """Conditions that all have to hold; what has expired never passes."""

    session_id: str = ""
    tool: str = ""
    kinds: Sequence[ContentKind] = ()
    created_from: datetime | None = None
    created_before: datetime | None = None
    min_size: int = 0
    max_size: int = 0
    tags_any: Sequence[str] = ()
    tags_all: Sequence[str] = ()
    max_sensitivity: Sensitivity | None = None
    cited_by: MemoryId | None = None
