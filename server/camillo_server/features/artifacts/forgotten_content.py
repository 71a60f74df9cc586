"""Refuses artifacts that contain a forgotten value: in a field, as their whole text, or as a line of it."""

import codecs
from collections.abc import AsyncGenerator, Collection
from contextlib import aclosing
from functools import partial

from camillo_server.features.artifacts.artifact import Content, ContentFacts
from camillo_server.features.artifacts.store.contents import ContentStore
from camillo_server.features.artifacts.upload import Upload
from camillo_server.kernel.errors import ValueRejected
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.lib.text.value_fingerprints import line_fingerprints, value_fingerprints
from camillo_server.storage.blocklist import TextFields, blocked_fingerprints, has_blocks
from camillo_server.storage.database import Database
from camillo_server.storage.refusals import note_refusals

# Longer texts are compared line by line.
MAX_WHOLE_BYTES = 64 * 1024
# No value is longer; the rest of such a line counts as another line.
MAX_LINE_CHARACTERS = 64 * 1024
FIELD = "content"


class ForgottenContent:
    """Compares fingerprints of an artifact's texts with those of forgotten values. Raises StorageUnavailable."""

    def __init__(self, database: Database, contents: ContentStore) -> None:
        self._database = database
        self._contents = contents

    async def exists(self, scope: Scope) -> bool:
        """Whether anything was forgotten in the scope: only then the bytes have to be read again."""
        return await self._database.read(scope, lambda session: has_blocks(session, scope))

    async def refuse(self, upload: Upload, texts: TextFields, facts: ContentFacts) -> None:
        """Looks at these texts, by field, and at the content. Raises ValueRejected, BytesUnavailable, BytesLost, KeyMissing."""
        for field, text in texts.items():
            fingerprints = value_fingerprints(upload.scope.tenant_id, text)
            await self._refuse(upload.scope, field, fingerprints)
        if facts.encoding:
            await self._refuse_text(upload, facts)

    async def _refuse_text(self, upload: Upload, facts: ContentFacts) -> None:
        async with aclosing(text_fingerprints(self._contents, upload.content, facts)) as parts:
            async for fingerprints in parts:
                await self._refuse(upload.scope, FIELD, fingerprints)

    async def _refuse(self, scope: Scope, field: str, fingerprints: Collection[bytes]) -> None:
        # A value that is being forgotten at the same time may not be found yet.
        if fingerprints and (
            blocked := await self._database.read(
                scope, lambda session: blocked_fingerprints(session, scope, fingerprints)
            )
        ):
            note_refusals(scope, [(field, next(iter(blocked.values())))])
            raise ValueRejected(field)


async def text_fingerprints(
    contents: ContentStore, content: Content, facts: ContentFacts
) -> AsyncGenerator[Collection[bytes]]:
    """Yields the fingerprints of a text, part by part. Raises BytesUnavailable, BytesLost, KeyMissing, NotFound,
    StorageUnavailable."""
    lines = _TextFingerprints(content.tenant_id, facts)
    async with aclosing(contents.blocks(content, 0, facts.size)) as blocks:
        async for block in blocks:
            yield await off_loop(UNBOUNDED, partial(lines.feed, block.data))
    yield await off_loop(UNBOUNDED, lines.finish)


class _TextFingerprints:
    """Fingerprints of a text that comes in blocks."""

    def __init__(self, tenant_id: TenantId, facts: ContentFacts) -> None:
        self._tenant_id = tenant_id
        self._is_short = facts.size <= MAX_WHOLE_BYTES
        self._decoder = codecs.getincrementaldecoder(facts.encoding)("replace")
        self._pending = ""

    def feed(self, data: bytes) -> Collection[bytes]:
        """The fingerprints of the lines that end in this block."""
        text = self._pending + self._decoder.decode(data)
        if self._is_short:
            self._pending = text
            return ()
        ended = text.rfind("\n") + 1
        if len(text) - ended > MAX_LINE_CHARACTERS:
            ended = len(text)
        self._pending = text[ended:]
        return line_fingerprints(self._tenant_id, text[:ended])

    def finish(self) -> Collection[bytes]:
        """The fingerprints of the last line; for a short text, those of the whole text."""
        text = self._pending + self._decoder.decode(b"", final=True)
        return (value_fingerprints if self._is_short else line_fingerprints)(self._tenant_id, text)
