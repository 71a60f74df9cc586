"""A cache of artifact parts: whoever reads a few lines mostly wants the next ones after them."""

from collections import OrderedDict
from dataclasses import dataclass

from camillo_server.domain.artifact_ports import PART_BYTES, Content
from camillo_server.domain.line_places import newline_count
from camillo_server.domain.line_search import Block

# For each process, of up to 1 MiB each.
MAX_PARTS = 16
# Who reads more at once reads on, and comes back to nothing.
MAX_AT_ONCE = 3


@dataclass(frozen=True, slots=True)
class _Recent:
    block: Block
    next_line: int


class RecentParts:
    """The last few, unpacked. A part never changes as long as its content is there; what is sealed is not kept."""

    def __init__(self) -> None:
        self._parts: OrderedDict[tuple[object, int], _Recent] = OrderedDict()

    def find(self, content: Content, number: int) -> Block | None:
        """The part of this number, if it was read lately."""
        key = (content.content_id, number)
        recent = self._parts.get(key)
        if recent is None:
            return None
        self._parts.move_to_end(key)
        return recent.block

    def find_line(self, content: Content, line: int) -> Block | None:
        """The last part that begins in this line or before it, if it was read lately."""
        for (content_id, number), recent in self._parts.items():
            is_in = recent.block.first_line <= line < recent.next_line
            if is_in and content_id == content.content_id:
                return self.find(content, number)
        return None

    def keep(self, content: Content, block: Block) -> None:
        """In the place of the one that was not asked for longest."""
        if content.is_sealed:
            return
        key = (content.content_id, block.offset // PART_BYTES)
        self._parts[key] = _Recent(block, block.first_line + newline_count(block.data))
        self._parts.move_to_end(key)
        if len(self._parts) > MAX_PARTS:
            self._parts.popitem(last=False)
