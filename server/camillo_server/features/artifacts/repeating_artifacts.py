"""Artifacts that repeat a forgotten value: in a field, as their whole text, as a line of it, or inside a line."""

import codecs
from collections.abc import AsyncGenerator, Collection, Sequence
from contextlib import aclosing
from functools import partial
from itertools import islice
from typing import Any

from camillo_server.features.artifacts.artifact import Artifact, Content, ContentFacts
from camillo_server.features.artifacts.store.chunks import artifact_pages
from camillo_server.features.artifacts.store.contents import ContentStore
from camillo_server.features.artifacts.store.rows import ArtifactRows
from camillo_server.features.artifacts.upload import Upload
from camillo_server.kernel.errors import BytesLost, BytesUnavailable, KeyMissing, NotFound, ValueRejected
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.lib.text.json_lines import texts_of
from camillo_server.lib.text.value_fingerprints import line_fingerprints, value_fingerprints
from camillo_server.lib.text.value_spans import LONGEST_SPAN, SoughtValues
from camillo_server.rows.forgettable import NoteRepeat, Repeat, RepeatingRecords
from camillo_server.storage.blocklist import TextFields, blocked_fingerprints, has_blocks
from camillo_server.storage.database import Database
from camillo_server.storage.receipts import note_refusals

# Longer texts are compared line by line.
MAX_WHOLE_BYTES = 64 * 1024
# No value is longer; the rest of such a line counts as another line.
MAX_LINE_CHARACTERS = 64 * 1024
FIELD = "content"
ROWS_AT_ONCE = 100


class ForgottenContent:
    """Compares fingerprints of an artifact's texts with those of forgotten values. Raises StorageUnavailable."""

    def __init__(self, database: Database, contents: ContentStore) -> None:
        self._database = database
        self._contents = contents

    async def exists(self, scope: Scope) -> bool:
        """Whether anything was forgotten in the scope: only then the bytes have to be read again."""
        return await self._database.read(scope, lambda session: has_blocks(session, scope))

    async def refuse(self, upload: Upload, texts: TextFields, facts: ContentFacts) -> None:
        """Looks at these texts, by field, and at the content. Raises ValueRejected, BytesUnavailable, BytesLost,
        KeyMissing."""
        for field, text in texts.items():
            fingerprints = value_fingerprints(upload.scope.tenant_id, text)
            await self._refuse(upload.scope, field, fingerprints)
        if facts.encoding:
            await self._refuse_text(upload, facts)

    async def _refuse_text(self, upload: Upload, facts: ContentFacts) -> None:
        of_part = value_fingerprints if facts.size <= MAX_WHOLE_BYTES else line_fingerprints
        async with aclosing(text_parts(self._contents, upload.content, facts)) as parts:
            async for text in parts:
                fingerprints = await off_loop(UNBOUNDED, partial(of_part, upload.scope.tenant_id, text))
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


async def text_parts(contents: ContentStore, content: Content, facts: ContentFacts) -> AsyncGenerator[str]:
    """Yields a text: a short one as a whole, else the lines that end in each block. Raises BytesUnavailable, BytesLost,
    KeyMissing, NotFound, StorageUnavailable."""
    lines = _Lines(facts)
    async with aclosing(contents.blocks(content, 0, facts.size)) as blocks:
        async for block in blocks:
            yield await off_loop(UNBOUNDED, partial(lines.feed, block.data))
    yield lines.finish()


class _Lines:
    """The lines of a text that comes in blocks; a short text ends with its last block."""

    def __init__(self, facts: ContentFacts) -> None:
        self._is_short = facts.size <= MAX_WHOLE_BYTES
        self._decoder = codecs.getincrementaldecoder(facts.encoding)("replace")
        self._pending = ""

    def feed(self, data: bytes) -> str:
        """The lines that end in this block."""
        text = self._pending + self._decoder.decode(data)
        if self._is_short:
            self._pending = text
            return ""
        ended = text.rfind("\n") + 1
        if len(text) - ended > MAX_LINE_CHARACTERS:
            ended = len(text)
        self._pending = text[ended:]
        return text[:ended]

    def finish(self) -> str:
        """The last line, or the whole of a short text."""
        return self._pending + self._decoder.decode(b"", final=True)


class RepeatingArtifacts:
    """Searches the artifacts of a scope, newest first, until `max_bytes` of contents are read."""

    def __init__(self, database: Database, keyring: Keyring, contents: ContentStore, max_bytes: int) -> None:
        self._database = database
        self._rows = ArtifactRows(keyring)
        self._contents = contents
        self._max_bytes = max_bytes

    async def find(self, scope: Scope, sought: SoughtValues, note: NoteRepeat | None = None) -> RepeatingRecords:
        """Each that repeats a value is noted where that is asked for. Not searched are bytes that are no text, that
        cannot be read, and those beyond `max_bytes`. Raises StorageUnavailable."""
        found, bytes_left = RepeatingRecords([], []), self._max_bytes
        pages = artifact_pages(self._database, scope, ROWS_AT_ONCE)
        async for row in (row async for rows in pages for row in rows):
            try:
                artifact = self._rows.artifact(scope.tenant_id, row)
                stating = await self._stating(scope, artifact, sought)
                if not stating and artifact.content.encoding and artifact.content.size <= bytes_left:
                    bytes_left -= artifact.content.size
                    stating = await self._stating_part(scope, artifact, row, sought)
                elif not stating and artifact.content.size:
                    found.unsearched.append(artifact.artifact_id)
                if stating:
                    found.repeating.append(artifact.artifact_id)
                if stating and note is not None:
                    level = artifact.draft.sensitivity
                    repeat = Repeat("artifacts", artifact.artifact_id, level, stating, sought.spans)
                    await off_loop(UNBOUNDED, partial(note, repeat))
            except (KeyMissing, BytesLost, BytesUnavailable):
                found.unsearched.append(row.artifact_id)
            except NotFound:
                # Deleted meanwhile.
                continue
        return found

    async def _stating(self, scope: Scope, artifact: Artifact, sought: SoughtValues) -> Sequence[str]:
        """The first field with a value, what was derived of the bytes among them; empty for none."""
        texts = texts_of(artifact.draft) | texts_of(artifact.content, "content.")
        stating = (each for each in texts.values() if sought.are_in(scope.tenant_id, each))
        return await off_loop(UNBOUNDED, lambda: list(islice(stating, 1)))

    async def _stating_part(self, scope: Scope, artifact: Artifact, row: Any, sought: SoughtValues) -> Sequence[str]:
        """The first part of the content with a value; empty for none."""
        content = Content(scope.tenant_id, artifact.content_id, row.content_size, row.is_encrypted)
        are_in = sought.are_in if artifact.content.size <= MAX_WHOLE_BYTES else sought.are_in_lines
        before = ""
        async with aclosing(text_parts(self._contents, content, artifact.content)) as parts:
            async for text in parts:
                # A value may be broken over two lines, and these over two parts.
                if await off_loop(UNBOUNDED, partial(are_in, scope.tenant_id, before + text)):
                    return [before + text]
                before = text[-LONGEST_SPAN:]
        return ()
