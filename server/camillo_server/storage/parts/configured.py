"""The store of parts that the settings name: a directory or a bucket, which one database owns."""

from collections.abc import Mapping
from urllib.parse import urlsplit
from urllib.request import url2pathname

from camillo_server.settings.settings import Settings
from camillo_server.storage.database import Database
from camillo_server.storage.parts.directory_parts import DirectoryParts, open_directory
from camillo_server.storage.parts.object_parts import ObjectStoreError, PartStore
from camillo_server.storage.parts.owned_store import OwnedStore


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
    return DirectoryParts(open_directory(url2pathname(parts.path)))
