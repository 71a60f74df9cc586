"""Artifacts, wired."""

import logging
from collections.abc import Mapping
from dataclasses import asdict
from datetime import timedelta
from functools import partial
from urllib.parse import urlsplit
from urllib.request import url2pathname

from camillo.v1.artifact_service_pb2_grpc import add_ArtifactServiceServicer_to_server

from camillo_server.assembly.kernel import Kernel
from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.server import Registration
from camillo_server.features.artifacts.artifacts import Artifacts
from camillo_server.features.artifacts.contents.directory_parts import DirectoryParts, open_directory
from camillo_server.features.artifacts.contents.object_parts import ObjectStoreError, PartStore
from camillo_server.features.artifacts.contents.part_codec import PartCodec
from camillo_server.features.artifacts.forgotten_content import ForgottenContent
from camillo_server.features.artifacts.offload_output import OffloadOutput
from camillo_server.features.artifacts.put_artifact import ArtifactStoring, PutArtifact
from camillo_server.features.artifacts.read_artifact import ReadArtifact
from camillo_server.features.artifacts.repeating_artifacts import RepeatingArtifacts
from camillo_server.features.artifacts.servicer import ArtifactServicer
from camillo_server.features.artifacts.store.artifacts import ArtifactStore
from camillo_server.features.artifacts.store.collector import ArtifactCollector, CollectionCounts
from camillo_server.features.artifacts.store.contents import ContentStore
from camillo_server.features.artifacts.store.owned_store import OwnedStore
from camillo_server.features.artifacts.store.uploads import UploadStore
from camillo_server.kernel.errors import BytesUnavailable
from camillo_server.settings.settings import Settings
from camillo_server.storage.database import Database

FIRST_COLLECTION = (
    "the first collection of this store left %d contents that are not in the database; the next one deletes them"
)
logger = logging.getLogger(__name__)


class WiredArtifacts:
    """The service of artifacts, what keeps long outputs for events, and the collection of orphaned contents."""

    def __init__(self, kernel: Kernel) -> None:
        """Raises ObjectStoreError."""
        settings, database, clock = kernel.settings, kernel.database, kernel.clock
        self._kernel = kernel
        codec, objects = PartCodec(kernel.keyring), owned_store(settings, database)
        self._objects = objects
        at_once = kernel.providers.at_once
        self._store = ArtifactStore(kernel.writes, kernel.keyring, objects, at_once)
        self._contents = ContentStore(database, codec, objects)
        self._collector = ArtifactCollector(kernel.writes, objects)
        self._storing = ArtifactStoring(
            UploadStore(kernel.writes, codec, kernel.keyring, objects, at_once),
            self._store,
            ForgottenContent(database, self._contents),
            settings.artifacts,
            clock,
        )
        self.repeating = RepeatingArtifacts(
            database, kernel.keyring, self._contents, settings.lifecycle.forget_search_bytes
        )
        self.offload = OffloadOutput(self._storing, kernel.redactor)

    def servicer(self, calls: CallReader) -> ArtifactServicer:
        kernel = self._kernel
        artifacts = Artifacts(self._store, kernel.channels, kernel.redactor, kernel.clock)
        return ArtifactServicer(
            artifacts=artifacts,
            put=PutArtifact(self._storing, self._contents, kernel.redactor),
            offload=self.offload,
            read=ReadArtifact(artifacts, self._contents),
            calls=calls,
        )

    def service(self, calls: CallReader) -> Registration:
        """ArtifactService."""
        return partial(add_ArtifactServiceServicer_to_server, self.servicer(calls))

    async def claim_store(self) -> None:
        """Claims the store for this database; one that cannot be reached now is claimed by its first use. Raises
        ObjectStoreError where another database owns it, StorageUnavailable."""
        if self._objects is not None:
            try:
                await self._objects.claim()
            except BytesUnavailable:
                logger.warning("the store of artifacts cannot be reached")

    async def collection(self) -> CollectionCounts:
        """Runs a collection over all tenants. Raises StorageUnavailable, BytesUnavailable."""
        days = self._kernel.settings.artifacts.retention_days
        retention = None if days is None else timedelta(days=days)
        is_first = self._objects is not None and not await self._objects.was_collected()
        counts = await self._collector.collect_all(
            retention=retention, now=self._kernel.clock.now(), spare_stray=is_first
        )
        if self._objects is not None and is_first:
            if counts.stray_contents:
                logger.warning(FIRST_COLLECTION, counts.stray_contents)
            await self._objects.set_collected()
        return counts

    async def collect(self) -> None:
        """Runs a collection, and logs its counts."""
        collected = await self.collection()
        if any(asdict(collected).values()):
            logger.info("artifacts collected", extra=asdict(collected))


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
        from camillo_server.features.artifacts.contents.bucket_parts import BucketParts, open_bucket

        return BucketParts(open_bucket(url, options))
    if parts.netloc not in ("", "localhost") or not parts.path.startswith("/"):
        raise ObjectStoreError("a directory for artifacts is given as file:///path")
    if options:
        raise ObjectStoreError("a directory for artifacts takes no options")
    return DirectoryParts(open_directory(url2pathname(parts.path)))
