"""Artifacts, wired: the part of the composition root that knows their classes."""

import logging
from dataclasses import asdict
from datetime import timedelta

from camillo.v1 import artifact_service_pb2_grpc

from camillo_server.artifacts.artifacts import Artifacts
from camillo_server.artifacts.contents.object_parts import ObjectParts, open_object_parts
from camillo_server.artifacts.contents.part_codec import PartCodec
from camillo_server.artifacts.forgotten_content import ForgottenContent
from camillo_server.artifacts.offload_output import OffloadOutput
from camillo_server.artifacts.put_artifact import ArtifactLimits, ArtifactStoring, PutArtifact
from camillo_server.artifacts.read_artifact import ReadArtifact
from camillo_server.artifacts.search_artifact import SearchArtifact
from camillo_server.artifacts.servicer import ArtifactServicer
from camillo_server.artifacts.store.artifacts import ArtifactStore
from camillo_server.artifacts.store.collector import ArtifactCollector, CollectionCounts
from camillo_server.artifacts.store.contents import ContentStore
from camillo_server.artifacts.store.uploads import UploadStore
from camillo_server.crypto.key_file import own_key_file, read_key_file
from camillo_server.crypto.keyring import Keyring
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.redaction.redactor import SecretRedactor
from camillo_server.rpc.call import CallReader
from camillo_server.rpc.server import Registration
from camillo_server.settings import Settings
from camillo_server.storage.blocklist import ForgottenValues
from camillo_server.storage.database import Database

logger = logging.getLogger(__name__)


class ArtifactApp:
    """The service of artifacts, and the collection of what nobody needs any more."""

    def __init__(self, settings: Settings, database: Database, clock: Clock) -> None:
        """Raises KeyringError, ObjectStoreError."""
        self._settings = settings
        self._clock = clock
        keys, objects = keyring(settings), object_parts(settings)
        codec = PartCodec(keys)
        self._store = ArtifactStore(database, keys, objects)
        self._contents = ContentStore(database, codec, objects)
        self._collector = ArtifactCollector(database, objects)
        self._storing = ArtifactStoring(
            UploadStore(database, codec, keys, objects),
            self._store,
            ForgottenContent(ForgottenValues(database), self._contents),
            artifact_limits(settings),
            clock,
        )
        self.offload = OffloadOutput(self._storing, SecretRedactor())

    def servicer(self, calls: CallReader) -> ArtifactServicer:
        redactor = SecretRedactor()
        artifacts = Artifacts(self._store, channel_policy(self._settings), redactor, self._clock)
        return ArtifactServicer(
            artifacts=artifacts,
            put=PutArtifact(self._storing, self._contents, redactor),
            offload=self.offload,
            read=ReadArtifact(artifacts, self._contents),
            search=SearchArtifact(artifacts, self._contents),
            calls=calls,
        )

    def service(self, calls: CallReader) -> Registration:
        """Adds the service to a gRPC server."""
        servicer = self.servicer(calls)
        return lambda server: artifact_service_pb2_grpc.add_ArtifactServiceServicer_to_server(
            servicer, server
        )

    async def collection(self) -> CollectionCounts:
        """Runs a collection over all tenants. Raises StorageUnavailable, BytesUnavailable."""
        days = self._settings.artifacts.retention_days
        retention = None if days is None else timedelta(days=days)
        return await self._collector.collect_all(retention=retention, now=self._clock.now())

    async def collect(self) -> None:
        """Runs a collection, and logs its counts."""
        collected = await self.collection()
        if any(asdict(collected).values()):
            logger.info("artifacts collected", extra=asdict(collected))


def keyring(settings: Settings) -> Keyring:
    """The keys for what is encrypted at rest. With a database that other servers may share, none but those given."""
    given = settings.encryption
    if given.keys is not None:
        return Keyring.parse(given.keys.get_secret_value())
    if given.key_file is not None:
        return read_key_file(given.key_file)
    return own_key_file(settings.data_dir) if settings.database.url is None else Keyring.empty()


def object_parts(settings: Settings) -> ObjectParts | None:
    """Where bytes go outside of Postgres; None: nowhere."""
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
    given = {name: value for name, value in options.items() if value is not None}
    if not store.store_url.startswith("file:"):
        given["timeout"] = f"{store.store_timeout_seconds:g}s"
        if (store.store_endpoint or "").startswith("http:"):
            given["allow_http"] = "true"
    return open_object_parts(store.store_url, given)


def artifact_limits(settings: Settings) -> ArtifactLimits:
    """How much may be kept."""
    return ArtifactLimits(settings.artifacts.max_bytes, settings.artifacts.quota_bytes)


def channel_policy(settings: Settings) -> ChannelPolicy:
    """What each channel may load."""
    channels = settings.channels
    return ChannelPolicy(
        {
            channel: Sensitivity[getattr(channels, channel.name.lower()).upper()]
            for channel in Channel
        }
    )
