"""ArtifactService."""

from functools import partial

from camillo.v1.artifact_service_pb2_grpc import add_ArtifactServiceServicer_to_server

from camillo_server.assembly.kernel import Kernel
from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.server import Registration
from camillo_server.features.artifacts.artifacts import Artifacts
from camillo_server.features.artifacts.offload_output import OffloadOutput
from camillo_server.features.artifacts.put_artifact import ArtifactStoring, PutArtifact
from camillo_server.features.artifacts.read_artifact import ReadArtifact
from camillo_server.features.artifacts.repeating_artifacts import ForgottenContent, RepeatingArtifacts
from camillo_server.features.artifacts.servicer import ArtifactServicer
from camillo_server.features.artifacts.store.artifacts import ArtifactStore
from camillo_server.features.artifacts.store.collector import CollectArtifacts
from camillo_server.features.artifacts.store.contents import ContentStore
from camillo_server.features.artifacts.store.uploads import UploadStore
from camillo_server.storage.parts.owned_store import owned_store
from camillo_server.storage.parts.part_codec import PartCodec


class WiredArtifacts:
    """ArtifactService, what keeps long outputs for events, and the collection of contents that nobody has.

    A PutArtifact passes the door, `features/artifacts/servicer.py`, `features/artifacts/put_artifact.py` (reads what
    arrives, without secrets), `features/artifacts/store/uploads.py` (parts: `storage/parts/part_codec.py`), and
    `features/artifacts/store/upload_finish.py` (the artifact with its chunk, one commit); an output that is offloaded
    the same from `features/artifacts/offload_output.py` on."""

    def __init__(self, kernel: Kernel) -> None:
        """Raises ObjectStoreError."""
        settings, database, keyring = kernel.settings, kernel.database, kernel.keyring
        self._kernel = kernel
        self.parts = owned_store(settings, database)
        codec, at_once = PartCodec(keyring), kernel.providers.at_once
        self._contents = ContentStore(database, codec, self.parts)
        self._store = ArtifactStore(kernel.writes, keyring, self.parts, at_once)
        self._storing = ArtifactStoring(
            UploadStore(kernel.writes, codec, keyring, self.parts, at_once),
            self._store,
            ForgottenContent(database, self._contents),
            settings.artifacts,
            kernel.clock,
        )
        self.offload = OffloadOutput(self._storing, kernel.redactor)
        self.repeating = RepeatingArtifacts(database, keyring, self._contents, settings.lifecycle.forget_search_bytes)
        self.collection = CollectArtifacts(kernel.writes, self.parts, settings.artifacts.retention_days, kernel.clock)

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
