"""Bytes on their way into the store: taken in, packed and stored while the next ones come."""

from collections.abc import AsyncIterator
from functools import partial

from camillo_server.domain.artifact_ports import Upload, Uploads
from camillo_server.domain.content_intake import ContentIntake, TakenIn
from camillo_server.domain.in_order import Before, InOrder
from camillo_server.domain.off_loop import UNBOUNDED, off_loop
from camillo_server.domain.one_ahead import OneAhead


class ContentUpload:
    """One upload. At most four blocks are in memory: one coming, one being taken in, one being packed, one being
    stored."""

    def __init__(self, uploads: Uploads, upload: Upload, intake: ContentIntake) -> None:
        self._uploads = uploads
        self._upload = upload
        self._intake = intake

    async def run(self, blocks: AsyncIterator[bytes]) -> None:
        """Every part is stored when it returns."""
        async with InOrder() as storing:
            async with OneAhead() as taking_in:
                async for block in blocks:
                    await taking_in.run(self._take_in(block, storing))
            for taken in await off_loop(UNBOUNDED, self._intake.finish):
                await storing.run(partial(self._store, taken))

    async def _take_in(self, block: bytes, storing: InOrder) -> None:
        for taken in await off_loop(UNBOUNDED, partial(self._intake.feed, block)):
            await storing.run(partial(self._store, taken))

    async def _store(self, taken: TakenIn, before: Before) -> None:
        await self._uploads.add_part(self._upload, taken.part, taken.held, after=before)
