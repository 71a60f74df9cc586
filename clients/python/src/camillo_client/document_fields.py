"""Keyword arguments of documents: what is said about one, which are listed, and how they are published."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, TypedDict, Unpack

from google.protobuf.field_mask_pb2 import FieldMask

from camillo.v1.knowledge_pb2 import DocumentFilter, NewDocument
from camillo.v1.knowledge_service_pb2 import UpdateDocumentRequest
from camillo.v1.memory_pb2 import ArchivedFilter, Sensitivity
from camillo_client.convert import (
    Archived,
    SensitivityLevel,
    to_enum,
    to_strings,
    to_struct,
    to_timestamp,
)
from camillo_client.keyword_fields import Conversions, wire_values


class DocumentChanges(TypedDict, total=False):
    """Fields of a document that can be changed; the limits are those of `NewDocument`. None restores the default."""

    title: str | None
    categories: Iterable[str] | None
    tags: Iterable[str] | None
    sensitivity: SensitivityLevel | None
    source_url: str | None
    provenance: Mapping[str, Any] | None
    effective_from: datetime.datetime | None
    effective_until: datetime.datetime | None


class DocumentFields(DocumentChanges, total=False):
    """Fields of a new document. None is the same as left out."""

    media_type: str | None


class DocumentConditions(TypedDict, total=False):
    """Conditions that all have to hold; the limits are those of `DocumentFilter`. None is the same as left out."""

    name_prefix: str | None
    categories_any: Iterable[str] | None
    tags_any: Iterable[str] | None
    archived: Archived | None


_CONVERSIONS: Conversions = {
    "categories": lambda values: to_strings(values, "categories"),
    "tags": lambda values: to_strings(values, "tags"),
    "categories_any": lambda values: to_strings(values, "categories_any"),
    "tags_any": lambda values: to_strings(values, "tags_any"),
    "sensitivity": partial(to_enum, Sensitivity),
    "archived": partial(to_enum, ArchivedFilter),
    "provenance": to_struct,
    "effective_from": lambda value: to_timestamp(value, "effective_from"),
    "effective_until": lambda value: to_timestamp(value, "effective_until"),
}


def new_document(name: str, **fields: Unpack[DocumentFields]) -> NewDocument:
    """The NewDocument message of a document to publish."""
    allowed = DocumentFields.__optional_keys__
    return NewDocument(name=name, **wire_values(fields, allowed, "a document", _CONVERSIONS))


def document_filter(**conditions: Unpack[DocumentConditions]) -> DocumentFilter:
    """The filter of these conditions."""
    allowed = DocumentConditions.__optional_keys__
    return DocumentFilter(**wire_values(conditions, allowed, "a filter of documents", _CONVERSIONS))


def document_update(
    document_id: str, expected_version: int, **changes: Unpack[DocumentChanges]
) -> UpdateDocumentRequest:
    """A request for these changes."""
    allowed = DocumentChanges.__optional_keys__
    values = wire_values(changes, allowed, "a change of a document", _CONVERSIONS)
    return UpdateDocumentRequest(
        document_id=document_id,
        expected_version=expected_version,
        update_mask=FieldMask(paths=sorted(changes)),
        document=NewDocument(**values),
    )
