"""Stores of parts outside of Postgres: a directory or a bucket, chosen by a URL."""

from collections.abc import AsyncIterator, Mapping
from typing import Protocol
from urllib.parse import urlsplit
from urllib.request import url2pathname
from uuid import UUID

from camillo_server.artifacts.contents.bucket_parts import BucketParts, open_bucket
from camillo_server.artifacts.contents.directory_parts import DirectoryParts, open_directory
from camillo_server.artifacts.contents.part_names import ObjectStoreError, PartName, StoredContent


class ObjectParts(Protocol):
    """Parts by their names. All may raise BytesUnavailable, and ValueError for what cannot be a name."""

    async def put(self, name: PartName, data: bytes) -> None:
        """Durable when it returns, visible whole or not at all; replaces a part of this name. Raises StorageFull."""
        ...

    async def get(self, name: PartName, size_limit: int) -> bytes:
        """The bytes that were put. Raises BytesLost if it is not there, or longer than the limit."""
        ...

    async def delete_content(self, tenant_id: str, content_id: UUID) -> int:
        """How many parts were deleted; none if there is nothing any more."""
        ...

    def contents(self, tenant_id: str) -> AsyncIterator[StoredContent]:
        """All contents of a tenant, also those of which only unfinished parts are left: these have no parts."""
        ...

    async def tenants(self) -> list[str]:
        """The ids of those who have contents, in order."""
        ...


def open_object_parts(url: str, options: Mapping[str, str]) -> ObjectParts:
    """`file:///path`, or a bucket such as `s3://bucket/prefix` with its options. Raises ObjectStoreError."""
    parts = urlsplit(url)
    if parts.scheme != "file":
        return BucketParts(open_bucket(url, options))
    if parts.netloc not in ("", "localhost") or not parts.path.startswith("/"):
        raise ObjectStoreError("a directory for artifacts is given as file:///path")
    if options:
        raise ObjectStoreError("a directory for artifacts takes no options")
    return DirectoryParts(open_directory(url2pathname(parts.path)))
