"""The store of parts that the settings name, a directory or a bucket, and the one database that it belongs to, as a
marker in it says. Another one's collector would take its contents for orphaned ones."""

import asyncio
import json
import logging
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import LiteralString
from urllib.parse import urlsplit
from uuid import UUID

from camillo_server.kernel.errors import BytesLost, BytesUnavailable
from camillo_server.kernel.scope import whole_tenant
from camillo_server.settings.settings import Settings
from camillo_server.storage.database import NO_TENANT, Database
from camillo_server.storage.parts.directory_parts import DirectoryParts, open_directory
from camillo_server.storage.parts.object_parts import (
    ObjectParts,
    ObjectStoreError,
    PartName,
    PartStore,
    StoredContent,
)
from camillo_server.storage.scopes import all_tenant_ids
from camillo_server.storage.statements import statements

SQL = statements("storage/parts/owned_store")
# The lock that holds the deletion of bytes outside of Postgres, any number that is always the same: "hold". While a
# backup copies the bytes of its snapshot, they stay. Bytes are deleted after the transaction that orphaned them, by a
# process that asks first: so either the hold came later, and its holder's snapshot has the content as orphaned, or the
# bytes are left to a later collection.
KEY = 0x686F6C64
# Held by the session that copies, until it unlocks or ends.
HOLD: LiteralString = f"select pg_advisory_lock({KEY})"
RELEASE: LiteralString = f"select pg_advisory_unlock({KEY})"
IS_FREE: LiteralString = f"select pg_try_advisory_xact_lock_shared({KEY})"
# Used by a process that cannot leave the bytes to a later collection.
WAIT: LiteralString = f"select pg_advisory_xact_lock_shared({KEY})"
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StoreMarker:
    """The marker by which a store describes itself: the id of its database, the folder of that database's contents
    (none in stores of releases that had no markers), and whether a collection of it has run."""

    database: str
    folder: str
    collected: bool = False

    @classmethod
    def parse(cls, data: bytes) -> "StoreMarker":
        """Raises ObjectStoreError for what no release of ours has written."""
        try:
            marker = cls(**json.loads(data))
            UUID(marker.database)
        except (ValueError, TypeError, AttributeError) as error:
            raise ObjectStoreError("the marker of the store of artifacts is damaged") from error
        return marker

    def encoded(self) -> bytes:
        return json.dumps(asdict(self)).encode()


class OwnedStore:
    """`ObjectParts` of the database that owns the store, which it claims before its first use.

    Every method raises BytesUnavailable, also where the store is another database's.
    """

    def __init__(self, store: PartStore, database: Database) -> None:
        """Neither has to be reachable yet."""
        self._store = store
        self._database = database
        self._claimed: tuple[StoreMarker, ObjectParts] | None = None
        self._claiming = asyncio.Lock()

    async def claim(self, *, adopt: bool = False) -> None:
        """Takes a store that has no owner, and with `adopt` one that has another. Raises ObjectStoreError for a store
        of another database, and for one without an owner that lacks what this database has stored;
        StorageUnavailable."""
        async with self._claiming:
            if self._claimed is None or adopt:
                marker = await self._claim(adopt=adopt)
                parts = self._store.folder(marker.folder) if marker.folder else self._store
                self._claimed = marker, parts

    async def try_to_claim(self) -> None:
        """Claims the store like `claim`, or leaves one that cannot be reached now to its first use."""
        try:
            await self.claim()
        except BytesUnavailable:
            logger.warning("the store of artifacts cannot be reached")

    async def was_collected(self) -> bool:
        """Whether a collection of this store has run."""
        return (await self._owned())[0].collected

    async def set_collected(self) -> None:
        """From now on collections delete what nothing refers to."""
        marker, parts = await self._owned()
        if not marker.collected:
            marker = replace(marker, collected=True)
            await self._store.put_marker(marker.encoded(), replace=True)
            self._claimed = marker, parts

    async def put(self, name: PartName, data: bytes) -> None:
        await (await self._parts()).put(name, data)

    async def get(self, name: PartName, size_limit: int) -> bytes:
        return await (await self._parts()).get(name, size_limit)

    async def delete_part(self, name: PartName) -> None:
        await (await self._parts()).delete_part(name)

    async def delete_content(self, tenant_id: str, content_id: UUID) -> int:
        return await (await self._parts()).delete_content(tenant_id, content_id)

    async def contents(self, tenant_id: str) -> list[StoredContent]:
        return await (await self._parts()).contents(tenant_id)

    async def tenants(self) -> list[str]:
        return await (await self._parts()).tenants()

    async def _parts(self) -> ObjectParts:
        return (await self._owned())[1]

    async def _owned(self) -> tuple[StoreMarker, ObjectParts]:
        """Claims the store where it could not be reached when the server started."""
        if self._claimed is None:
            try:
                await self.claim()
            except ObjectStoreError as error:
                logger.error("%s", error)
                raise BytesUnavailable from error
        assert self._claimed is not None  # noqa: S101
        return self._claimed

    async def _claim(self, *, adopt: bool) -> StoreMarker:
        identity = str((await self._database.history()).database_id)
        found = await self._marker()
        if found is None:
            folder = await self._first_folder(identity, adopt=adopt)
            first = StoreMarker(identity, folder)
            await self._store.put_marker(first.encoded(), replace=False)
            # Another database may have claimed it in the same moment.
            found = await self._marker() or first
        if found.database != identity:
            if not adopt:
                raise _of_another(found.database)
            found = replace(found, database=identity, collected=False)
            await self._store.put_marker(found.encoded(), replace=True)
        if found.folder:
            await self._store.create_folder(found.folder)
        return found

    async def _marker(self) -> StoreMarker | None:
        data = await self._store.marker()
        return None if data is None else StoreMarker.parse(data)

    async def _first_folder(self, identity: str, *, adopt: bool) -> str:
        """The folder in a store without a marker: contents of earlier releases stay where they are. Raises
        ObjectStoreError where the contents of this database should be and are not."""
        tenants, own = await self._store.tenants(), f"_{UUID(identity).hex}"
        if adopt:
            return "" if tenants else own
        if not tenants:
            parts = self._store.folder(own) if await self._store.has_folder(own) else None
            if await self._finds_contents(parts, await all_tenant_ids(self._database)) is False:
                raise _without_contents()
            return own
        if await self._finds_contents(self._store, tenants):
            return ""
        raise _of_another("unknown")

    async def _finds_contents(self, parts: ObjectParts | None, stored: Collection[str]) -> bool | None:
        """Whether one of these parts is known to this database; None where it has stored none outside of Postgres."""
        found = None
        for tenant_id in sorted({*await all_tenant_ids(self._database)}.intersection(stored)):
            rows = await self._database.rows(whole_tenant(tenant_id), SQL["some_outside"], {"tenant_id": tenant_id})
            for content_id, number, generation, stored_size in rows:
                found = False
                if parts is None:
                    return False
                with suppress(BytesLost):
                    await parts.get(PartName(tenant_id, content_id, number, generation), stored_size)
                    return True
        return found


def _without_contents() -> ObjectStoreError:
    return ObjectStoreError(
        "artifacts.store_url has none of the artifacts that this database has stored: its disk may not be mounted, or "
        "the setting names another place; if they are gone for good, run 'camillo artifact adopt-store' "
        "(docs/artifacts.md)"
    )


def _of_another(owner: str) -> ObjectStoreError:
    return ObjectStoreError(
        f"artifacts.store_url is the store of another database (its id: {owner}), whose artifacts would be deleted: "
        "give this one a prefix of its own; if this database has taken the place of the other, run 'camillo artifact "
        "adopt-store' (docs/artifacts.md)"
    )


async def may_delete(database: Database) -> bool:
    """Whether nobody holds the deletion. Raises StorageUnavailable."""
    [(is_free,)] = await database.rows(NO_TENANT, IS_FREE, {})
    return bool(is_free)


def owned_store(settings: Settings, database: Database) -> OwnedStore | None:
    """The store of bytes outside of Postgres, as the database's own; None without one. Raises ObjectStoreError."""
    store = part_store(settings)
    return None if store is None else OwnedStore(store, database)


async def adopt_store(settings: Settings, server_url: str) -> None:
    """Makes the database the owner of the store in the settings. Raises ObjectStoreError, BytesUnavailable,
    StorageUnavailable."""
    database = Database(server_url, settings.database)
    await database.open()
    try:
        if store := owned_store(settings, database):
            await store.claim(adopt=True)
    finally:
        await database.close()


def part_store(settings: Settings) -> PartStore | None:
    """The store of bytes outside of Postgres; None without one. Raises ObjectStoreError."""
    store = settings.artifacts
    if store.store_url is None:
        return None
    secret = store.store_secret_access_key
    options = {
        "endpoint": store.store_endpoint,
        "region": store.store_region,
        "access_key_id": store.store_access_key_id,
        "secret_access_key": secret.get_secret_value() if secret else None,
    }
    configured = {name: value for name, value in options.items() if value is not None}
    if not store.store_url.startswith("file:"):
        configured["timeout"] = f"{store.store_timeout_seconds:g}s"
        if (store.store_endpoint or "").startswith("http:"):
            configured["allow_http"] = "true"
    return open_part_store(store.store_url, configured)


def open_part_store(url: str, options: Mapping[str, str]) -> PartStore:
    """`file:///path`, or a bucket such as `s3://bucket/prefix` with its options. Raises ObjectStoreError."""
    parts = urlsplit(url)
    if parts.scheme != "file":
        # Late: its library is needed for buckets alone.
        from camillo_server.storage.parts.bucket_parts import BucketParts, open_bucket

        return BucketParts(open_bucket(url, options))
    if parts.netloc not in ("", "localhost") or not parts.path.startswith("/"):
        raise ObjectStoreError("a directory for artifacts is given as file:///path")
    if options:
        raise ObjectStoreError("a directory for artifacts takes no options")
    # It imports a client of HTTP, which a server without such a directory does not need.
    from urllib.request import url2pathname

    return DirectoryParts(open_directory(url2pathname(parts.path)))
