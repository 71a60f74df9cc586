"""A JSON value as a stream, out of a stream of the document's bytes."""

from collections.abc import AsyncGenerator, AsyncIterator
from functools import partial

from camillo_server.domain.json_pointer import ArraySlice, JsonPointer
from camillo_server.domain.off_loop import UNBOUNDED, off_loop
from camillo_server.json_parts.value_cutter import ValueCutter


async def json_value(
    blocks: AsyncIterator[bytes],
    pointer: JsonPointer,
    slice: ArraySlice | None,
) -> AsyncGenerator[bytes]:
    """The value as compact JSON text in UTF-8, in chunks of up to 256 KiB; of a slice, an array of its elements.

    Numbers and strings are as they were written. Raises NotJson and JsonValueNotFound, the first also behind chunks.
    Reads no block behind the value; closing the blocks is the caller's.
    """
    cutter = ValueCutter(pointer, slice)
    async for block in blocks:
        for chunk in await off_loop(UNBOUNDED, partial(cutter.feed, block)):
            yield chunk
        if cutter.is_done:
            return
    await off_loop(UNBOUNDED, cutter.finish)
