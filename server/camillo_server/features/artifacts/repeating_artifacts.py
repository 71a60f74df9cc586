"""Artifacts that repeat a forgotten value: in a field, as their whole text, or as a line of it."""

from collections.abc import AsyncIterator, Collection
from contextlib import aclosing
from typing import Any

from camillo_server.features.artifacts.artifact import Artifact, Content
from camillo_server.features.artifacts.forgotten_content import text_fingerprints
from camillo_server.features.artifacts.store.contents import ContentStore
from camillo_server.features.artifacts.store.rows import ArtifactRows
from camillo_server.kernel.errors import BytesLost, BytesUnavailable, KeyMissing, NotFound
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.lib.text.json_lines import texts_of
from camillo_server.rows.forgettable import RepeatingRecords
from camillo_server.storage.blocklist import fingerprint_texts
from camillo_server.storage.database import Database
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("features/artifacts/store/artifacts")
ROWS_AT_ONCE = 100


class RepeatingArtifacts:
    """Searches the artifacts of a scope, newest first, until `max_bytes` of contents are read."""

    def __init__(self, database: Database, keyring: Keyring, contents: ContentStore, max_bytes: int) -> None:
        self._database = database
        self._rows = ArtifactRows(keyring)
        self._contents = contents
        self._max_bytes = max_bytes

    async def find(self, scope: Scope, fingerprints: Collection[bytes]) -> RepeatingRecords:
        """Not searched are bytes that are no text, that cannot be read, and those beyond `max_bytes`. Raises
        StorageUnavailable."""
        found, bytes_left = RepeatingRecords([], []), self._max_bytes
        known = frozenset(fingerprints)
        async for row in self._pages(scope):
            try:
                artifact = self._rows.artifact(scope.tenant_id, row)
                if await self._states(scope, artifact, known):
                    found.repeating.append(artifact.artifact_id)
                elif not artifact.content.encoding or artifact.content.size > bytes_left:
                    if artifact.content.size:
                        found.unsearched.append(artifact.artifact_id)
                else:
                    bytes_left -= artifact.content.size
                    if await self._contains(scope, artifact, row, known):
                        found.repeating.append(artifact.artifact_id)
            except (KeyMissing, BytesLost, BytesUnavailable):
                found.unsearched.append(row.artifact_id)
            except NotFound:
                # Deleted meanwhile.
                continue
        return found

    async def _pages(self, scope: Scope) -> AsyncIterator[Any]:
        parameters = {**scope_parameters(scope), "size": ROWS_AT_ONCE}
        rows: list[Any] | None = None
        while rows is None or len(rows) == ROWS_AT_ONCE:
            last = rows[-1] if rows else None
            parameters["after_at"] = last.created_at if last else None
            parameters["after_id"] = last.artifact_id if last else ""
            rows = await self._database.read(scope, lambda session: session.records(SQL["page_of_scope"], parameters))
            for row in rows:
                yield row

    async def _states(self, scope: Scope, artifact: Artifact, known: frozenset[bytes]) -> bool:
        """Whether a field does, what was derived of the bytes among them."""
        texts = texts_of(artifact.draft) | texts_of(artifact.content, "content.")
        fields = await off_loop(UNBOUNDED, lambda: fingerprint_texts(scope, texts))
        return not known.isdisjoint(fields.all())

    async def _contains(self, scope: Scope, artifact: Artifact, row: Any, known: frozenset[bytes]) -> bool:
        content = Content(scope.tenant_id, artifact.content_id, row.content_size, row.is_encrypted)
        async with aclosing(text_fingerprints(self._contents, content, artifact.content)) as parts:
            async for fingerprints in parts:
                if not known.isdisjoint(fingerprints):
                    return True
        return False
