"""Sealed contents are in no table: neither their words nor their bytes nor a hash of them."""

from hashlib import sha256
from pathlib import Path

import psycopg
import pytest
from camillo_server.features.artifacts.artifact import PART_BYTES, ArtifactDraft
from camillo_server.features.artifacts.upload import UploadProgress
from camillo_server.kernel.errors import BytesLost
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.lib.redaction.redaction import FoundSecret
from psycopg import sql

from tests.storage.artifacts.artifact_store import ALICE, NOW, ArtifactStores, artifact_for, noise, parts_of

WORDS = ("Zebrastreifen", "斑马线", "fußnote.txt", "حمار")
# Noise, since a text that compresses would be hidden by that already.
DATA = " ".join(WORDS).encode() + noise(7, PART_BYTES)


def draft(level: Sensitivity) -> ArtifactDraft:
    return ArtifactDraft(
        name=WORDS[2],
        description=WORDS[0],
        command=f"cat {WORDS[1]}",
        metadata={"about": WORDS[3]},
        source_refs=(WORDS[0],),
        sensitivity=level,
    )


def everything(store: ArtifactStores) -> bytes:
    """Every value of every row of every table, texts as UTF-8, numbers as they are written."""
    found: list[bytes] = []
    with psycopg.connect(store.postgres.superuser_url) as connection:
        tables = connection.execute(
            "select relname::text from pg_class join pg_namespace n on n.oid = relnamespace"
            " where nspname = 'camillo' and relkind = 'r'"
        ).fetchall()
        for (table,) in tables:
            for row in connection.execute(sql.SQL("select * from camillo.{}").format(sql.Identifier(table))):
                found += [v if isinstance(v, bytes) else str(v).encode() for v in row]
    return b"\n".join(found)


def files(directory: Path) -> bytes:
    return b"\n".join(path.read_bytes() for path in directory.rglob("*") if path.is_file())


def hashes_of(data: bytes) -> list[bytes]:
    digest = sha256(data).digest()
    plain = sha256(b"plain" + digest).digest()
    return [digest, digest.hex().encode(), plain]


@pytest.mark.parametrize("level", list(Sensitivity))
async def test_a_finished_artifact(store: ArtifactStores, tmp_path: Path, level: Sensitivity) -> None:
    artifact = await store.put(DATA, draft=draft(level))
    kept = everything(store) + files(tmp_path)
    is_plain = level < Sensitivity.CONFIDENTIAL
    for word in (*WORDS, "ملخص", "日志"):
        assert (word.encode() in kept) is is_plain, word
    assert any(each in kept for each in hashes_of(DATA)) is is_plain
    assert (DATA[:2_000] in kept) is is_plain
    assert artifact.artifact_id.encode() in kept
    assert await store.bytes_of(artifact) == DATA


@pytest.mark.parametrize("level", list(Sensitivity))
async def test_an_upload_under_way(store: ArtifactStores, tmp_path: Path, level: Sensitivity) -> None:
    upload = await store.uploaded(DATA, draft=draft(level))
    first, held_bytes = parts_of(DATA)[0], sha256(b"begun").digest()
    again = await store.uploaded(b"", draft=draft(level))
    progress = UploadProgress(PART_BYTES, held_bytes, (FoundSecret("stripe-key", 99),), {"stripe-key": 1})
    await store.uploads.add_part(again, first, progress)
    kept = everything(store) + files(tmp_path)
    is_plain = level < Sensitivity.CONFIDENTIAL
    for told in (b"stripe-key", held_bytes.hex().encode(), (b"h" * 32).hex().encode()):
        assert (told in kept) is is_plain, told
    assert (DATA[:2_000] in kept) is is_plain
    assert str(upload.upload_id).encode() in kept
    assert (await store.uploads.find(ALICE, again.upload_id, now=NOW)).progress == progress
    await store.finish(upload, artifact_for(upload, DATA, draft(level)))


async def test_what_is_sealed_for_one_artifact_does_not_open_in_another(store: ArtifactStores) -> None:
    one = await store.put(DATA, draft=draft(Sensitivity.RESTRICTED))
    other = await store.put(b"other", draft=draft(Sensitivity.RESTRICTED))
    with psycopg.connect(store.postgres.superuser_url) as connection:
        connection.execute(
            "update camillo.artifacts set sealed_details ="
            " (select sealed_details from camillo.artifacts where artifact_id = %s)",
            (one.artifact_id,),
        )
    assert (await store.found(one.artifact_id))[0] == one
    with pytest.raises(BytesLost):
        await store.found(other.artifact_id)
