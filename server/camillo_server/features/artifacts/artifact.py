"""Artifacts: large content kept out of the context, and what is known of it."""

import re
import secrets
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import takewhile
from typing import NewType
from uuid import UUID

from camillo_server.kernel.channel import Channel
from camillo_server.kernel.ids import AgentId, MemoryId, TenantId
from camillo_server.kernel.kinds import Scalar, Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import replay_record
from camillo_server.lib.outputs.json_parts.pointer import JsonPart
from camillo_server.lib.outputs.summary.sample import ContentKind, Preview
from camillo_server.lib.redaction.redaction import FoundSecret

ArtifactId = NewType("ArtifactId", str)
ContentId = NewType("ContentId", UUID)
UploadId = NewType("UploadId", UUID)
# Text in one of these has lines, which are found by the byte \n.
ENCODINGS_WITH_LINES = ("utf-8", "windows-1252")
# Levels whose bytes and words are encrypted at rest.
ENCRYPTED_LEVELS = frozenset({Sensitivity.CONFIDENTIAL, Sensitivity.RESTRICTED})
MAX_NAMED_REDACTIONS = 1_000
PART_BYTES = 1024 * 1024
"""Size of every part of a content but the last, which may be shorter."""
AROUND_DEFAULT = 20
# Has no letters that look like digits or like each other; 32 characters, so that each carries 5 bits.
ALPHABET = "23456789abcdefghijkmnpqrstuvwxyz"
RANDOM_CHARACTERS = 10
WORDS_CHARACTERS = 24
_WORD = re.compile(r"[a-z0-9]+")
# Words that name the command: what follows them can be anything, a password too.
_COMMAND_WORD = re.compile(r"[A-Za-z][A-Za-z_-]{0,23}")
COMMAND_WORDS = 2


@dataclass(frozen=True, slots=True)
class ArtifactDraft:
    """The fields of an artifact that its caller sets. Already validated."""

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
    def is_encrypted(self) -> bool:
        """Its bytes and words are encrypted at rest."""
        return self.sensitivity in ENCRYPTED_LEVELS


@dataclass(frozen=True, slots=True)
class ContentFacts:
    """Facts about the bytes, found while they passed.

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
    draft: ArtifactDraft
    content: ContentFacts
    created_at: datetime
    updated_at: datetime
    version: int = 1

    @property
    def description(self) -> str:
        """The caller's own, or the one derived from the content."""
        return self.draft.description or self.content.description

    @property
    def has_lines(self) -> bool:
        """Its lines can be read by their numbers."""
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


@dataclass(frozen=True, slots=True)
class ArtifactLookup:
    """One artifact to be read, by whom, and in which channel it will be shown."""

    scope: Scope
    artifact_id: ArtifactId
    channel: Channel = Channel.PRIVATE


@dataclass(frozen=True, slots=True)
class ArtifactQuery:
    """A list of artifacts: by whom it is read, and in which channel it will be shown."""

    scope: Scope
    filter: ArtifactFilter
    channel: Channel
    include_shared: bool


@dataclass(frozen=True, slots=True)
class ArtifactCursor:
    """The last row of a page; the next page begins after it."""

    at: datetime
    artifact_id: ArtifactId


@dataclass(frozen=True, slots=True)
class Citation:
    """A memory that cites an artifact."""

    memory_id: MemoryId
    agent_id: AgentId


@dataclass(frozen=True, slots=True)
class Content:
    """Stored bytes, in parts; several artifacts of the tenant may share them."""

    tenant_id: TenantId
    content_id: ContentId
    size: int
    is_encrypted: bool


@replay_record
@dataclass(frozen=True, slots=True)
class ArtifactReplay:
    """The artifact that a request stored or changed."""

    artifact_id: ArtifactId


@replay_record
@dataclass(frozen=True, slots=True)
class DeletionReplay:
    """The receipt of a deletion: the size of the bytes, and the rows deleted by store (`artifacts`, `content_parts`,
    `contents`)."""

    receipt_id: UUID
    size: int
    at: datetime
    stores: Mapping[str, int]
    bytes_deleted: bool


@dataclass(frozen=True, slots=True)
class Bytes:
    """Bytes `start` to `end`, the last not among them. A negative start counts from the end; no end: to the end."""

    start: int = 0
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines `first` (from 1) to `last`, both among them; no last: to the end."""

    first: int
    last: int | None = None


@dataclass(frozen=True, slots=True)
class Tail:
    """The last so many lines."""

    lines: int


ArtifactRange = Bytes | Lines | Tail | JsonPart
WHOLE = Bytes()


def head(lines: int) -> Lines:
    """The first so many lines."""
    return Lines(1, lines)


def around(line: int, context: int) -> Lines:
    """A line with so many lines before and after it."""
    return Lines(max(1, line - context), line + context)


def new_artifact_id(draft: ArtifactDraft) -> ArtifactId:
    """A new id, such as `npm_install_7f3k9q2mxd`: up to three words of what it is, then 50 random bits."""
    words = "_".join(_words(draft)[:3])[:WORDS_CHARACTERS].strip("_")
    suffix = "".join(secrets.choice(ALPHABET) for _ in range(RANDOM_CHARACTERS))
    return ArtifactId(f"{words or 'artifact'}_{suffix}")


def _words(draft: ArtifactDraft) -> list[str]:
    # The id is stored in the clear, so no encrypted field may show in it.
    if draft.is_encrypted:
        return []
    command = takewhile(_COMMAND_WORD.fullmatch, draft.command.split()[:COMMAND_WORDS])
    for text in (" ".join(command), draft.name.rpartition("/")[2], draft.tool):
        plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
        if words := _WORD.findall(plain):
            return words
    return []
