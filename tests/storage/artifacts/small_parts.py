"""Contents in parts of a few bytes: reads cross the ends of many parts."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from uuid import uuid4

import pytest
from camillo_server.features.artifacts.artifact import Artifact
from camillo_server.features.artifacts.store import contents
from camillo_server.features.artifacts.upload import Upload
from camillo_server.storage.database import Session
from camillo_server.storage.parts.part_codec import PartCodec

from tests.storage.artifacts.artifact_store import ALICE, KEYRING, NOW, ArtifactStores, artifact_for, upload_for

INSERT = (
    "insert into content_parts"
    " (tenant_id, content_id, number, first_line, size, stored_size, codec, key_id, bytes)"
    " values (%s, %s, %s, %s, %s, %s, %s, '', %s)"
)


@contextmanager
def small_parts(part_bytes: int) -> Iterator[None]:
    """The server reads parts of this size."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(contents, "PART_BYTES", part_bytes)
        yield


async def upload_in_parts(store: ArtifactStores, data: bytes, part_bytes: int) -> Upload:
    """An upload with all its parts, not finished; its content can be read within `small_parts`."""
    upload, codec = upload_for(ALICE), PartCodec(KEYRING)
    await store.uploads.begin(upload, quota_bytes=None, now=NOW)
    rows = []
    for number, start in enumerate(range(0, len(data), part_bytes)):
        part = data[start : start + part_bytes]
        encoded = codec.encode(part, None)
        first_line = data.count(b"\n", 0, start) + 1
        sizes = (len(part), len(encoded.data))
        key = (ALICE.tenant_id, upload.content.content_id, number)
        rows.append((*key, first_line, *sizes, encoded.codec, encoded.data))

    async def insert(session: Session) -> None:
        await session.cursor().executemany(INSERT, rows)

    await store.database.transaction(ALICE, insert)
    return replace(upload, content=replace(upload.content, size=len(data)))


def described(upload: Upload, data: bytes, encoding: str) -> Artifact:
    """The artifact of these bytes. Equal bytes have other checksums, so that each keeps its own parts."""
    artifact = artifact_for(upload, data)
    lines = data.count(b"\n") + (not data.endswith(b"\n"))
    facts = replace(
        artifact.content,
        sha256=uuid4().bytes * 2,
        encoding=encoding,
        line_count=lines if encoding in ("utf-8", "windows-1252") else None,
    )
    return replace(artifact, content=facts)


async def artifact_in_parts(store: ArtifactStores, data: bytes, part_bytes: int, encoding: str = "utf-8") -> Artifact:
    upload = await upload_in_parts(store, data, part_bytes)
    artifact = described(upload, data, encoding)
    await store.finish(upload, artifact)
    return artifact
