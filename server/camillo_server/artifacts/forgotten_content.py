"""Looks whether an artifact states what was forgotten: in what is said about it, as its whole text, or as a line of it."""

import codecs
from collections.abc import Collection, Mapping
from contextlib import aclosing
from functools import partial

from camillo_server.artifacts.artifact import ArtifactDraft, ContentFacts
from camillo_server.artifacts.ports import ContentReader, Upload
from camillo_server.kernel.errors import ValueRejected
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.storage.blocklist import ForgottenValues
from camillo_server.text.value_fingerprints import OF_ARTIFACTS, line_marks, stated_by, value_marks

# Longer ones are looked through line by line.
WHOLE_BYTES = 64 * 1024
# No value is so long; what such a line goes on with counts as another.
LONGEST_LINE = 64 * 1024
FIELD = "content"


class ForgottenContent:
    """Refuses artifacts. Reads the bytes only where there is something that may not be stated."""

    def __init__(self, values: ForgottenValues, contents: ContentReader) -> None:
        self._values = values
        self._contents = contents

    async def may_be(self, scope: Scope) -> bool:
        """Whether anything was forgotten here."""
        return await self._values.exist(scope)

    async def refuse(self, upload: Upload, draft: ArtifactDraft, facts: ContentFacts) -> None:
        """Raises ValueRejected, StorageUnavailable, BytesUnavailable, BytesLost, KeyMissing."""
        await self.refuse_fields(upload.scope, stated_by(draft, OF_ARTIFACTS))
        if facts.encoding:
            await self._refuse_text(upload, facts)

    async def refuse_fields(self, scope: Scope, texts: Mapping[str, str]) -> None:
        """Raises ValueRejected, StorageUnavailable."""
        for field, text in texts.items():
            await self._refuse(scope, field, value_marks(scope.tenant_id, text))

    async def _refuse_text(self, upload: Upload, facts: ContentFacts) -> None:
        scope = upload.scope
        lines = _Lines(scope.tenant_id, facts)
        async with aclosing(self._contents.blocks(upload.content, 0, facts.size)) as blocks:
            async for block in blocks:
                marks = await off_loop(UNBOUNDED, partial(lines.feed, block.data))
                await self._refuse(scope, FIELD, marks)
        await self._refuse(scope, FIELD, await off_loop(UNBOUNDED, lines.finish))

    async def _refuse(self, scope: Scope, field: str, marks: Collection[bytes]) -> None:
        if marks and await self._values.hold(scope, marks):
            raise ValueRejected(field)


class _Lines:
    """Marks of a text that comes in blocks."""

    def __init__(self, tenant_id: TenantId, facts: ContentFacts) -> None:
        self._tenant_id = tenant_id
        self._is_short = facts.size <= WHOLE_BYTES
        self._decoder = codecs.getincrementaldecoder(facts.encoding)("replace")
        self._begun = ""

    def feed(self, data: bytes) -> Collection[bytes]:
        """Those of the lines that end in it."""
        text = self._begun + self._decoder.decode(data)
        if self._is_short:
            self._begun = text
            return ()
        ended = text.rfind("\n") + 1
        if len(text) - ended > LONGEST_LINE:
            ended = len(text)
        self._begun = text[ended:]
        return line_marks(self._tenant_id, text[:ended])

    def finish(self) -> Collection[bytes]:
        """Those of the last line; of a short text, all."""
        text = self._begun + self._decoder.decode(b"", final=True)
        return (value_marks if self._is_short else line_marks)(self._tenant_id, text)
