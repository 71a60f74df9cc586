"""GetUpload: how much of an upload is held."""

from camillo_server.domain.artifact import UploadId
from camillo_server.domain.artifact_ports import Upload, Uploads
from camillo_server.domain.clock import Clock
from camillo_server.domain.scope import Scope


class GetUpload:
    """Reads where an upload stands."""

    def __init__(self, uploads: Uploads, clock: Clock) -> None:
        self._uploads = uploads
        self._clock = clock

    async def __call__(self, scope: Scope, upload_id: UploadId) -> Upload:
        """Raises NotFound, StorageUnavailable."""
        return await self._uploads.find(scope, upload_id, now=self._clock.now())
