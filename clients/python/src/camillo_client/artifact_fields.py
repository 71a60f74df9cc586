"""Keyword arguments that describe an artifact, and filters of artifacts."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, Literal, TypeAlias, TypedDict, Unpack

from google.protobuf.field_mask_pb2 import FieldMask

from camillo.v1.artifact_pb2 import ArtifactFilter, ContentKind, NewArtifact
from camillo.v1.channel_pb2 import Channel
from camillo.v1.memory_pb2 import Sensitivity
from camillo_client.convert import MetadataValue, SensitivityLevel, to_enum
from camillo_client.keyword_fields import Conversions, to_enums, wire_values

ContentKindName: TypeAlias = Literal["text", "log", "json", "table", "code", "binary"]
ChannelName: TypeAlias = Literal["public", "private", "team", "agent"]
ChannelLike: TypeAlias = ChannelName | Channel


class ChangedArtifactFields(TypedDict, total=False):
    """Fields that can be changed. A field given as None, or empty, gets its default."""

    # A file name or another short name.
    name: str
    # The description in the memory ref; default: made from the content.
    description: str
    session_id: str
    tags: Iterable[str]
    # Flat.
    metadata: Mapping[str, MetadataValue] | None
    # Default: never, or as the server's retention says.
    expires_at: datetime.datetime | None
    pinned: bool
    source_refs: Iterable[str]


class NewArtifactFields(ChangedArtifactFields, total=False):
    """Fields of a new artifact. None is the same as left out."""

    # Such as `text/csv`; a hint only.
    media_type: str
    # The tool that made it, its command, and how that ended.
    tool: str
    command: str
    exit_code: int | None
    # Default: internal.
    sensitivity: SensitivityLevel | Sensitivity


class ArtifactFilterFields(TypedDict, total=False):
    """Conditions that all have to hold; the limits are those of `ArtifactFilter`."""

    session_id: str
    tool: str
    kinds: Iterable[ContentKindName | ContentKind]
    created_from: datetime.datetime | None
    created_before: datetime.datetime | None
    min_size_bytes: int
    max_size_bytes: int
    tags_any: Iterable[str]
    tags_all: Iterable[str]
    max_sensitivity: SensitivityLevel | Sensitivity | None
    # A memory of the same scope.
    cited_by_memory_id: str


def new_artifact(*, shared: bool = False, **fields: Unpack[NewArtifactFields]) -> NewArtifact:
    """A new artifact's description; `shared` puts the artifact into the tenant's shared scope."""
    values = wire_values(fields, NewArtifactFields.__optional_keys__, "an artifact", _CONVERSIONS)
    return NewArtifact(is_shared=shared, **values)


def changed_artifact(**fields: Unpack[ChangedArtifactFields]) -> tuple[NewArtifact, FieldMask]:
    """The new values, and a mask with the names of all fields given; one given as None goes back to its default."""
    values = wire_values(fields, ChangedArtifactFields.__optional_keys__, "a change", _CONVERSIONS)
    return NewArtifact(**values), FieldMask(paths=list(fields))


def artifact_filter(**fields: Unpack[ArtifactFilterFields]) -> ArtifactFilter:
    """The filter of a list of artifacts."""
    allowed = ArtifactFilterFields.__optional_keys__
    return ArtifactFilter(**wire_values(fields, allowed, "a list of artifacts", _CONVERSIONS))


def to_channel(channel: ChannelLike | None) -> Any:
    """The number of a channel; None leaves the choice to the server."""
    return None if channel is None else to_enum(Channel, channel)


_CONVERSIONS: Conversions = {"kinds": partial(to_enums, ContentKind)}
