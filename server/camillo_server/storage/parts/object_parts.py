"""Parts outside of Postgres: their names, and what a store of them does."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from camillo_server.kernel.system import OperatorError

# No name of a tenant is a path: it begins with a letter or a digit, and has no slash.
TENANT_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
CONTENT_NAME = re.compile(r"[0-9a-f]{32}")
PART_NAME = re.compile(r"[0-9]{6}(?:\.[1-9][0-9]{0,9})?")
MAX_PARTS = 1_000_000
# Like the names of folders, no tenant's id.
MARKER_NAME = ".camillo-store.json"


@dataclass(frozen=True, slots=True)
class PartName:
    """One part of one content: its number counts from zero. `generation` tells apart what several calls stored of one
    upload."""

    tenant_id: str
    content_id: UUID
    number: int
    generation: int = 0

    def key(self) -> str:
        """Its path below the root of a store. Raises ValueError for what cannot be a name."""
        if not 0 <= self.number < MAX_PARTS:
            raise ValueError("a part's number is out of range")
        suffix = f".{self.generation}" if self.generation else ""
        return f"{content_key(self.tenant_id, self.content_id)}/{self.number:06d}{suffix}"

    def bound_to(self) -> bytes:
        """Different for any two parts, so that bytes encrypted for one part decrypt as no other."""
        number = self.generation << 32 | self.number
        return self.content_id.bytes + number.to_bytes(8, "big") + self.tenant_id.encode()


@dataclass(frozen=True, slots=True)
class StoredContent:
    """A content as a store has it: `bytes` as they are stored, `newest` the time of its youngest part."""

    content_id: UUID
    newest: datetime
    parts: int
    bytes: int


class ObjectParts(Protocol):
    """Parts by their names. All may raise BytesUnavailable, and ValueError for what cannot be a name."""

    async def put(self, name: PartName, data: bytes) -> None:
        """Durable when it returns, visible whole or not at all; replaces a part of this name. Raises StorageFull."""
        ...

    async def get(self, name: PartName, size_limit: int) -> bytes:
        """The bytes that were put. Raises BytesLost if it is not there, or longer than the limit."""
        ...

    async def delete_part(self, name: PartName) -> None:
        """Deletes one part, if it is there."""
        ...

    async def delete_content(self, tenant_id: str, content_id: UUID) -> int:
        """How many parts were deleted; none if there is nothing any more."""
        ...

    async def contents(self, tenant_id: str) -> list[StoredContent]:
        """All contents of a tenant, also those of which only unfinished parts are left: these have no parts."""
        ...

    async def tenants(self) -> list[str]:
        """The ids of those who have contents, in order."""
        ...


class PartStore(ObjectParts, Protocol):
    """A whole store. Its own parts are those of releases that had no folders; all may raise BytesUnavailable."""

    def folder(self, name: str) -> ObjectParts:
        """Parts below a folder that no tenant has, which `create_folder` has created."""
        ...

    async def has_folder(self, name: str) -> bool:
        """Whether parts may be below this folder."""
        ...

    async def create_folder(self, name: str) -> None:
        """Makes it durable; leaves one that is there as it is."""
        ...

    async def marker(self) -> bytes | None:
        """The marker by which the store describes itself; None if it has none."""
        ...

    async def put_marker(self, data: bytes, *, replace: bool) -> None:
        """Durable when it returns; leaves a marker that is there as it is, unless `replace`. Raises StorageFull."""
        ...


def tenant_key(tenant_id: str) -> str:
    """The folder of a tenant. Raises ValueError for what cannot be a name."""
    if not TENANT_NAME.fullmatch(tenant_id):
        raise ValueError("this is no tenant's id")
    return tenant_id


def content_key(tenant_id: str, content_id: UUID) -> str:
    """The folder of a content. Raises ValueError for what cannot be a name."""
    return f"{tenant_key(tenant_id)}/{content_id.hex}"


class ObjectStoreError(OperatorError):
    """The store cannot be what the settings say; the message is one line for the operator, without credentials."""
