"""Cuts one value, or a slice of an array, out of a JSON document that comes in blocks."""

from collections.abc import AsyncGenerator, AsyncIterator
from functools import partial

from camillo_server.kernel.errors import NotJson
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.outputs.json_parts.path import Path
from camillo_server.outputs.json_parts.pointer import ArraySlice, JsonPointer
from camillo_server.outputs.json_parts.structure import Stretch, Structure
from camillo_server.outputs.json_parts.value_text import Cut, Everything, OneValue, Slice, ValueText


class ValueCutter:
    """Is fed the blocks of one document in their order until it is done, and gives the value's text piece by piece.

    The value is checked by the grammar of JSON as it comes out: NotJson may follow its last piece. What lies on the
    way to it is checked for bytes that are no UTF-8, for strings and for depth, and for the brackets and keys of the
    containers on the path; what follows it is not read. The whole document is checked wholly.
    """

    def __init__(self, pointer: JsonPointer, part: ArraySlice | None) -> None:
        self._structure = Structure()
        self._path = Path(pointer)
        self._cut = self._cut_for(pointer, part)
        self._text = ValueText()
        self._is_cutting = False
        self.is_done = False

    def feed(self, block: bytes) -> list[bytes]:
        """The next pieces, each at most 256 KiB. Raises NotJson, JsonValueNotFound."""
        pieces: list[bytes] = []
        for stretch in self._structure.stretches(block):
            self._take(stretch)
            pieces += self._text.taken()
            if self.is_done:
                break
        return pieces

    def finish(self) -> None:
        """The document has ended. Raises NotJson if the value has not."""
        if self.is_done:
            return
        self._structure.finish()
        if not self._is_cutting:
            raise NotJson
        self._text.finish()

    def _cut_for(self, pointer: JsonPointer, part: ArraySlice | None) -> Cut:
        if part is not None:
            return Slice(part, self._path.not_found())
        return OneValue() if pointer.steps else Everything()

    def _take(self, stretch: Stretch) -> None:
        at: int | None = 0
        if not self._is_cutting:
            at = self._path.go(stretch, 0)
        if at is None:
            return
        self._is_cutting = True
        if self._cut.go(stretch, at, self._text):
            self._text.finish()
            self.is_done = True


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
