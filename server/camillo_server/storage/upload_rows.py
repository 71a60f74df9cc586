"""Uploads as rows: what goes into a statement, what comes out of one."""

from collections.abc import Sequence
from typing import Any

from camillo_server.contents.keyring import Keyring
from camillo_server.domain.artifact import ArtifactId, ContentId, UploadId
from camillo_server.domain.artifact_ports import Content, Held, Upload
from camillo_server.domain.scope import Scope
from camillo_server.storage.artifact_rows import secrets_as_json, secrets_from
from camillo_server.storage.rows import scope_parameters
from camillo_server.storage.sealed_json import JsonPlace, SealedJson

PURPOSE = "upload-details"


class UploadRows:
    """Turns uploads into rows and back. What is told of sealed bytes, hashes above all, is sealed as they are."""

    def __init__(self, keyring: Keyring) -> None:
        self._sealed = SealedJson(keyring)

    def held(self, upload: Upload, held: Held) -> dict[str, Any]:
        """How far it has come: `held_bytes` and the columns of the details. Raises KeyMissing."""
        details = {
            "header_digest": upload.header_digest.hex(),
            "held_sha256": held.sha256.hex(),
            "found": secrets_as_json(held.found),
            "counts": dict(held.counts),
        }
        place = _place(upload.scope, upload.upload_id)
        columns = self._sealed.columns(details, place, is_sealed=upload.content.is_sealed)
        return {"held_bytes": held.size, **columns}

    def upload(self, scope: Scope, upload_id: UploadId, row: Sequence[Any]) -> Upload:
        """The upload in a row of the statement `find_upload`. Raises KeyMissing, BytesLost."""
        content_id, size, is_sealed, held_bytes, artifact_id, generation, *columns = row
        details = self._sealed.read(columns, _place(scope, upload_id))
        held = Held(
            held_bytes,
            bytes.fromhex(details["held_sha256"]),
            secrets_from(details["found"]),
            details["counts"],
        )
        # While it is being written nothing but what is held can be read.
        content = Content(scope.tenant_id, ContentId(content_id), size or held_bytes, is_sealed)
        finished = None if artifact_id is None else ArtifactId(artifact_id)
        header_digest = bytes.fromhex(details["header_digest"])
        return Upload(scope, upload_id, content, header_digest, held, finished, generation)


def upload_parameters(upload: Upload) -> dict[str, Any]:
    """The key of an upload, the content that it writes, and the call that does."""
    return {
        **scope_parameters(upload.scope),
        "upload_id": upload.upload_id,
        "content_id": upload.content.content_id,
        "generation": upload.generation,
    }


def _place(scope: Scope, upload_id: UploadId) -> JsonPlace:
    return JsonPlace(scope.tenant_id, PURPOSE, f"{scope.agent_id}\0{upload_id}")
