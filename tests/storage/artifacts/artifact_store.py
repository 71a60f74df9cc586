"""Everything that stores artifacts, on one database; shared by tests of the storage of artifacts."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import psycopg
from camillo_server.features.artifacts.artifact import (
    PART_BYTES,
    Artifact,
    ArtifactDraft,
    ArtifactId,
    ArtifactReplay,
    Content,
    ContentFacts,
    ContentId,
    UploadId,
)
from camillo_server.features.artifacts.store.artifacts import ArtifactStore
from camillo_server.features.artifacts.store.collector import ArtifactCollector
from camillo_server.features.artifacts.store.contents import ContentStore
from camillo_server.features.artifacts.store.uploads import UploadStore
from camillo_server.features.artifacts.upload import ContentPart, Upload, UploadProgress
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.lib.outputs.summary.sample import ContentKind, Preview
from camillo_server.lib.redaction.redaction import FoundSecret
from camillo_server.settings.settings import DatabaseSettings
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.storage.database import Database
from camillo_server.storage.parts.directory_parts import DirectoryParts, open_directory
from camillo_server.storage.parts.object_parts import ObjectParts
from camillo_server.storage.parts.part_codec import PartCodec
from camillo_server.storage.scope_writes import ScopeWrites

from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase

NOW = datetime(2030, 1, 1, 12, tzinfo=UTC)
ALL_LEVELS = frozenset(Sensitivity)
KEYRING = Keyring({"k1": bytes(range(32))})
CONFIDENTIAL = ArtifactDraft(sensitivity=Sensitivity.CONFIDENTIAL)
RESTRICTED = ArtifactDraft(sensitivity=Sensitivity.RESTRICTED)
TEXT = "Zeile eins\n第二行\nسطر ثالث\n🦓 é\n".encode()
# Three parts, the last of them short; lines of changing length.
LONG = b"".join(b"%d %s\n" % (n, b"x" * (n % 97)) for n in range(50_000))[: 5 * PART_BYTES // 2]
ALICE = Scope(TenantId("acme"), AgentId("alice"))
BOB = Scope(TenantId("acme"), AgentId("bob"))
RIVAL = Scope(TenantId("rival"), AgentId("alice"))


def noise(seed: int, size: int) -> bytes:
    """Bytes that do not compress."""
    return Random(seed).randbytes(size)  # noqa: S311


def request(request_id: str = "r", content: bytes = b"") -> RequestKey:
    return RequestKey(request_id, sha256(content).digest())


def parts_of(data: bytes) -> list[ContentPart]:
    """The data in parts, each with the number of the line that its first byte belongs to."""
    offsets = range(0, len(data), PART_BYTES)
    return [
        ContentPart(number, data.count(b"\n", 0, offset) + 1, data[offset : offset + PART_BYTES])
        for number, offset in enumerate(offsets)
    ]


def upload_for(scope: Scope, draft: ArtifactDraft | None = None, upload_id: UploadId | None = None) -> Upload:
    """An upload that has not begun."""
    content = Content(scope.tenant_id, ContentId(uuid4()), 0, (draft or ArtifactDraft()).is_encrypted)
    return Upload(
        scope, upload_id or UploadId(uuid4()), content, b"h" * 32, UploadProgress(0, sha256().digest(), (), {})
    )


def artifact_for(upload: Upload, data: bytes, draft: ArtifactDraft | None = None, **changed: Any) -> Artifact:
    """The artifact of an upload's bytes, with facts about them."""
    draft = draft or ArtifactDraft()
    facts = ContentFacts(
        size=len(data),
        sha256=sha256(data).digest(),
        encoding="utf-8",
        line_count=data.count(b"\n") + 1,
        kind=ContentKind.LOG,
        description="found: 日志",
        summary="Zusammenfassung ملخص",
        preview=Preview(data[:40].decode("utf-8", "replace"), "Ende 🦓"),
        redactions=(FoundSecret("aws-access-token", 3),),
        redaction_counts={"aws-access-token": 1},
        summary_model_id="",
    )
    artifact = Artifact(
        artifact_id=ArtifactId(f"log_{uuid4().hex[:10]}"),
        agent_id=AgentId("") if draft.is_shared else upload.scope.agent_id,
        created_by=upload.scope.agent_id,
        content_id=upload.content.content_id,
        draft=draft,
        content=facts,
        created_at=NOW,
        updated_at=NOW,
    )
    return replace(artifact, **changed)


@dataclass(frozen=True, slots=True)
class ArtifactStores:
    """The stores, and the database behind them."""

    postgres: TestDatabase
    database: Database
    objects: ObjectParts | None
    uploads: UploadStore
    artifacts: ArtifactStore
    contents: ContentStore
    collector: ArtifactCollector

    async def uploaded(self, data: bytes, scope: Scope = ALICE, draft: ArtifactDraft | None = None) -> Upload:
        """An upload with all its parts, not finished."""
        upload = upload_for(scope, draft)
        await self.uploads.begin(upload, quota_bytes=None, now=NOW)
        for part in parts_of(data):
            await self.uploads.add_part(upload, part, progress_with(part))
        return upload

    async def put(
        self, data: bytes, scope: Scope = ALICE, draft: ArtifactDraft | None = None, **changed: Any
    ) -> Artifact:
        """A stored artifact."""
        upload = await self.uploaded(data, scope, draft)
        artifact = artifact_for(upload, data, draft, **changed)
        await self.finish(upload, artifact)
        return artifact

    async def finish(
        self, upload: Upload, artifact: Artifact, key: RequestKey | None = None, quota_bytes: int | None = None
    ) -> Written[ArtifactReplay]:
        return await self.uploads.finish(upload, artifact, key, quota_bytes=quota_bytes, now=NOW)

    async def found(self, artifact_id: ArtifactId, scope: Scope = ALICE) -> tuple[Artifact, Content]:
        return await self.artifacts.find(scope, artifact_id, ALL_LEVELS, now=NOW)

    async def bytes_of(self, artifact: Artifact, scope: Scope = ALICE) -> bytes:
        found, content = await self.found(artifact.artifact_id, scope)
        return await self.contents.read(content, 0, found.content.size)

    def rows(self, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
        """Rows of a query by the superuser, who sees all tenants."""
        with psycopg.connect(self.postgres.superuser_url) as connection:
            connection.execute("set search_path to camillo, public")
            return connection.execute(sql, parameters).fetchall()

    def count(self, table: str) -> int:
        return int(self.rows(f"select count(*) from {table}")[0][0])

    def counts(self) -> dict[str, int]:
        """How many rows each table of artifacts has."""
        tables = ("artifacts", "contents", "content_parts", "uploads")
        return {table: self.count(table) for table in tables}

    async def outside(self, tenant_id: str = "acme") -> int:
        """How many contents have bytes outside of Postgres."""
        if self.objects is None:
            return 0
        return len(await self.objects.contents(tenant_id))


def progress_with(part: ContentPart) -> UploadProgress | None:
    """How far an upload is with this part: only whole parts count."""
    if len(part.data) < PART_BYTES:
        return None
    size = (part.number + 1) * PART_BYTES
    return UploadProgress(size, sha256(part.data).digest(), (FoundSecret("jwt", 7),), {"jwt": 1})


@asynccontextmanager
async def artifact_store(
    postgres: TestDatabase, directory: Path | None, keyring: Keyring = KEYRING
) -> AsyncIterator[ArtifactStores]:
    """Stores on the test's database, with the tenants `acme` and `rival`; bytes in this directory, or in Postgres."""
    with psycopg.connect(postgres.superuser_url) as connection:
        connection.execute(
            "insert into camillo.tenants values ('acme', '', %(now)s), ('rival', '', %(now)s) on conflict do nothing",
            {"now": NOW},
        )
    objects = DirectoryParts(open_directory(str(directory))) if directory else None
    database, codec = (
        Database(
            postgres.server_url, DatabaseSettings(pool_min=1, pool_max=8, connect_timeout_seconds=PATIENCE_SECONDS)
        ),
        PartCodec(keyring),
    )
    await database.open()
    writes = ScopeWrites(database, ChangeNotifier(postgres.server_url))
    yield ArtifactStores(
        postgres=postgres,
        database=database,
        objects=objects,
        uploads=UploadStore(writes, codec, keyring, objects),
        artifacts=ArtifactStore(writes, keyring, objects),
        contents=ContentStore(database, codec, objects),
        collector=ArtifactCollector(writes, objects),
    )
    await database.close()
