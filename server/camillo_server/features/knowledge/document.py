"""Documents: what is said about one, its versions, and what a reader may see of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NewType
from uuid import UUID

from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.writes import RequestKey, replay_record
from camillo_server.rows.row_filter import Archived

DocumentId = NewType("DocumentId", UUID)
# Identifies a document by its id or its name.
DocumentKey = DocumentId | str


@dataclass(frozen=True, slots=True)
class DocumentDraft:
    """The fields of a document as its publisher states them, validated. The name never changes."""

    name: str
    title: str = ""
    media_type: str = ""
    categories: Sequence[str] = ()
    tags: Sequence[str] = ()
    sensitivity: Sensitivity = Sensitivity.INTERNAL
    source_url: str = ""
    provenance: Mapping[str, Any] = field(default_factory=dict)
    effective_from: datetime | None = None
    effective_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """One version of a document. `sha256` is of the bytes as they were sent, `text_version` the version that first had
    this text."""

    document_id: DocumentId
    stated: DocumentDraft
    version: int
    text_version: int
    sha256: bytes
    text_bytes: int
    passages: int
    archived: bool
    # The revision of the shared scope that holds its last change.
    revision: int
    created_at: datetime
    updated_at: datetime
    credential: str

    @property
    def state(self) -> tuple[DocumentId, int, bool]:
        """A value that changes with every change of the document."""
        return self.document_id, self.version, self.archived


@dataclass(frozen=True, slots=True)
class DocumentReach:
    """Documents that a reader may see: of these levels, and of at least one of these categories; None: of any or no
    category."""

    sensitivities: Sequence[Sensitivity]
    categories: frozenset[str] | None


EVERY_DOCUMENT = DocumentReach(tuple(Sensitivity), None)


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    """Conditions that all have to hold; what is empty admits all."""

    name_prefix: str = ""
    categories_any: Sequence[str] = ()
    tags_any: Sequence[str] = ()
    archived: Archived = Archived.EXCLUDE


@dataclass(frozen=True, slots=True)
class Publication:
    """A document as it was sent, whole. `expected_version`: 0 where there shall be none yet, None for whatever is
    there."""

    draft: DocumentDraft
    content: bytes
    sha256: bytes
    request: RequestKey | None
    expected_version: int | None
    omit_forgotten: bool


@dataclass(frozen=True, slots=True)
class TextRange:
    """A part of a text in UTF-8: bytes `byte_from` to `byte_until`, the last not among them."""

    text: str
    byte_from: int
    byte_until: int


@replay_record
@dataclass(frozen=True, slots=True)
class DocumentReplay:
    """The version that a write led to, and how many of its passages kept their vectors."""

    document_id: UUID
    version: int
    kept: int


@replay_record
@dataclass(frozen=True, slots=True)
class DocumentRemovedReplay:
    """The numbers of versions and passages that were removed with a document."""

    document_id: UUID
    versions: int
    passages: int
