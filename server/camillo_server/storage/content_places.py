"""Where the bytes of a content lie: in Postgres, or outside of it."""

from enum import IntEnum
from uuid import UUID

from camillo_server.contents.object_parts import ObjectParts
from camillo_server.contents.part_names import PartName
from camillo_server.domain.errors import BytesUnavailable
from camillo_server.domain.ids import TenantId


class Place(IntEnum):
    """OUTSIDE: at least some of the parts. The numbers are those in the database."""

    POSTGRES = 1
    OUTSIDE = 2


class ContentPlaces:
    """Puts new bytes where they belong, and finds them wherever they are."""

    def __init__(self, objects: ObjectParts | None) -> None:
        """Without a store of objects new bytes go to Postgres, and those outside cannot be reached."""
        self._objects = objects

    @property
    def of_new_parts(self) -> Place:
        return Place.POSTGRES if self._objects is None else Place.OUTSIDE

    async def put(self, name: PartName, data: bytes) -> bytes | None:
        """What is to be kept in the row. Raises BytesUnavailable, StorageFull."""
        if self._objects is None:
            return data
        await self._objects.put(name, data)
        return None

    async def get(self, name: PartName, in_row: bytes | None, stored_size: int) -> bytes:
        """The part as it was put. Raises BytesUnavailable, BytesLost."""
        if in_row is not None:
            return in_row
        if self._objects is None:
            raise BytesUnavailable
        return await self._objects.get(name, stored_size)

    async def remove_outside(self, tenant_id: TenantId, content_id: UUID, place: Place) -> bool:
        """Whether nothing is left outside; not so where it cannot be reached. Raises BytesUnavailable."""
        if place is Place.POSTGRES:
            return True
        if self._objects is None:
            return False
        await self._objects.delete_content(tenant_id, content_id)
        return True
