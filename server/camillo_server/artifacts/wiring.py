"""Artifacts, wired."""

import logging
from dataclasses import asdict
from datetime import timedelta
from functools import partial

from camillo.v1.artifact_service_pb2_grpc import add_ArtifactServiceServicer_to_server

from camillo_server.artifacts.artifacts import (
    CollectArtifacts,
    DeleteArtifact,
    GetArtifact,
    ListArtifacts,
    ListCitations,
    UpdateArtifact,
)
from camillo_server.artifacts.content_observer import ContentObserver
from camillo_server.artifacts.contents.object_parts import ObjectParts, open_object_parts
from camillo_server.artifacts.contents.part_codec import PartCodec
from camillo_server.artifacts.forgotten_content import ForgottenContent
from camillo_server.artifacts.intake import IntakeTools
from camillo_server.artifacts.offload_output import OffloadOutput
from camillo_server.artifacts.put_artifact import (
    ArtifactLimits,
    ArtifactStoring,
    GetUpload,
    PutArtifact,
)
from camillo_server.artifacts.read_artifact import ReadArtifact, ReadArtifactPage
from camillo_server.artifacts.search_artifact import SearchArtifact
from camillo_server.artifacts.servicer import ArtifactServicer, ArtifactUseCases
from camillo_server.artifacts.store.collector import PostgresCollector
from camillo_server.artifacts.store.contents import PostgresContentReader
from camillo_server.artifacts.store.reader import PostgresArtifactReader
from camillo_server.artifacts.store.uploads import PostgresUploads
from camillo_server.artifacts.store.writer import PostgresArtifactWriter
from camillo_server.outputs.json_parts.validator import JsonValidator
from camillo_server.outputs.json_parts.values import StreamedJson
from camillo_server.outputs.line_search.failure_words import failure_places
from camillo_server.outputs.line_search.search import LineSearchEngine
from camillo_server.outputs.summary.notable_lines import NotableLines
from camillo_server.redaction.stream import SecretStream
from camillo_server.rpc.call import CallReader
from camillo_server.rpc.server import Registration
from camillo_server.settings import Settings
from camillo_server.storage.blocklist import ForgottenValues
from camillo_server.wiring import Kernel

logger = logging.getLogger(__name__)


class WiredArtifacts:
    """The service of artifacts, what keeps long outputs for events, and the collection of orphaned contents."""

    def __init__(self, kernel: Kernel) -> None:
        """Raises ObjectStoreError."""
        settings, database, clock = kernel.settings, kernel.database, kernel.clock
        self._kernel = kernel
        codec = PartCodec(kernel.keyring)
        self._objects = object_parts(settings)
        self._reader = PostgresArtifactReader(database, kernel.keyring)
        self._contents = PostgresContentReader(database, codec, self._objects)
        self._storing = ArtifactStoring(
            PostgresUploads(database, codec, kernel.keyring, self._objects),
            self._reader,
            ForgottenContent(ForgottenValues(database), self._contents),
            artifact_limits(settings),
            clock,
        )
        self.offload = OffloadOutput(self._storing, INTAKE_TOOLS, kernel.redactor)
        retention_days = settings.artifacts.retention_days
        self.collection = CollectArtifacts(
            PostgresCollector(database, self._objects),
            clock,
            None if retention_days is None else timedelta(days=retention_days),
        )

    def service(self, calls: CallReader) -> Registration:
        """ArtifactService."""
        servicer = ArtifactServicer(self.use_cases(), calls)
        return partial(add_ArtifactServiceServicer_to_server, servicer)

    async def collect(self) -> None:
        """Runs a collection, and says what came of it."""
        collected = await self.collection()
        if any(asdict(collected).values()):
            logger.info("artifacts collected", extra=asdict(collected))

    def use_cases(self) -> ArtifactUseCases:
        """All that the service does."""
        kernel, clock, redactor = self._kernel, self._kernel.clock, self._kernel.redactor
        reader, storing, contents = self._reader, self._storing, self._contents
        writer = PostgresArtifactWriter(kernel.database, kernel.keyring, self._objects)
        policy = kernel.channels
        get = GetArtifact(reader, policy, clock)
        read = ReadArtifact(get, contents, StreamedJson())
        return ArtifactUseCases(
            put=PutArtifact(storing, contents, INTAKE_TOOLS, redactor, clock),
            get_upload=GetUpload(storing.uploads, clock),
            offload=self.offload,
            get=get,
            read=read,
            read_page=ReadArtifactPage(get, read),
            search=SearchArtifact(get, contents, LineSearchEngine()),
            list=ListArtifacts(reader, policy, clock),
            update=UpdateArtifact(get, writer, redactor, clock),
            delete=DeleteArtifact(get, writer, clock),
            list_citations=ListCitations(get, reader),
        )


def observer() -> ContentObserver:
    """What finds out about one content."""
    return ContentObserver(JsonValidator(), NotableLines(failure_places()), SecretStream)


INTAKE_TOOLS = IntakeTools(redaction=SecretStream, observer=observer)


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
