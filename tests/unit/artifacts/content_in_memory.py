"""Contents in memory, read as from the store: in parts whose first lines are known."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import UUID

from camillo_server.artifacts.artifact import (
    Artifact,
    ArtifactDraft,
    ArtifactId,
    ContentFacts,
    ContentId,
)
from camillo_server.artifacts.ports import Content
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.outputs.line_search.query import Block
from camillo_server.outputs.summary.sample import ContentKind
from camillo_server.outputs.summary.text import Preview

CONTENT_ID = ContentId(UUID(int=1))
MOMENT = datetime(2026, 1, 2, tzinfo=UTC)


@dataclass
class ContentInMemory:
    """`ContentReader` over bytes in parts of any size; counts what is read."""

    data: bytes
    part_bytes: int
    reads: list[tuple[int, int]] = field(default_factory=list)

    @property
    def content(self) -> Content:
        return Content(TenantId("t"), CONTENT_ID, len(self.data), is_sealed=False)

    async def blocks(self, content: Content, start: int, end: int) -> AsyncGenerator[Block]:
        while start < end:
            border = min(end, (start // self.part_bytes + 1) * self.part_bytes)
            yield self._block(start, border)
            start = border

    async def block_of_line(self, content: Content, line: int) -> Block:
        starts = range(0, len(self.data), self.part_bytes)
        return [
            block
            for block in (self._block(start, start + self.part_bytes) for start in starts)
            if block.first_line <= line
        ][-1]

    async def read(self, content: Content, start: int, size: int) -> bytes:
        self.reads.append((start, size))
        return self.data[start : start + size]

    def _block(self, start: int, end: int) -> Block:
        return Block(start, self.data.count(b"\n", 0, start) + 1, self.data[start:end])


def artifact_of(data: bytes, encoding: str = "utf-8") -> Artifact:
    """An artifact of these bytes."""
    has_lines = encoding in ("utf-8", "windows-1252")
    lines = data.count(b"\n") + (not data.endswith(b"\n"))
    return Artifact(
        artifact_id=ArtifactId("words_23456789ab"),
        agent_id=AgentId("a"),
        created_by=AgentId("a"),
        content_id=CONTENT_ID,
        stated=ArtifactDraft(),
        content=ContentFacts(
            size=len(data),
            sha256=b"",
            encoding=encoding,
            line_count=lines if has_lines else None,
            kind=ContentKind.TEXT,
            description="",
            summary="",
            preview=Preview("", ""),
        ),
        created_at=MOMENT,
        updated_at=MOMENT,
    )
