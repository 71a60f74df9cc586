"""Looking through artifacts: lines are found wherever the blocks end, in every encoding that has lines."""

from collections.abc import AsyncGenerator, Collection
from dataclasses import replace

import pytest
from camillo_server.artifacts.artifact import ArtifactDraft
from camillo_server.artifacts.forgotten_content import LONGEST_LINE, WHOLE_BYTES, ForgottenContent
from camillo_server.artifacts.ports import Content
from camillo_server.artifacts.put_artifact import new_upload
from camillo_server.kernel.errors import ValueRejected
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.outputs.line_search.query import Block
from camillo_server.text.value_fingerprints import value_mark

from tests.unit.artifacts.content_in_memory import artifact_of

ALICE = Scope(TenantId("acme"), AgentId("alice"))
VALUE = "L'été à la plage 🏖 中文"
LATIN = "L'été à la plage, señor"


class OneValue:
    """`ForgottenValues` of one text."""

    def __init__(self, text: str) -> None:
        self.mark = value_mark(ALICE.tenant_id, text)

    async def exist(self, scope: Scope) -> bool:
        return True

    async def hold(self, scope: Scope, marks: Collection[bytes]) -> bool:
        return self.mark in marks


class Blocks:
    """`ContentReader` of bytes, in blocks of any length."""

    def __init__(self, data: bytes, size: int) -> None:
        self.data, self.size = data, size

    async def blocks(self, content: Content, start: int, end: int) -> AsyncGenerator[Block]:
        for at in range(0, len(self.data), self.size):
            yield Block(at, 1, self.data[at : at + self.size])

    async def block_of_line(self, content: Content, line: int) -> Block:
        raise NotImplementedError

    async def read(self, content: Content, start: int, size: int) -> bytes:
        raise NotImplementedError


async def is_refused(
    data: bytes, value: str = VALUE, *, block: int = 1 << 20, encoding: str = "utf-8"
) -> bool:
    facts = replace(artifact_of(b"text").content, size=len(data), encoding=encoding)
    draft = ArtifactDraft()
    looking = ForgottenContent(OneValue(value), Blocks(data, block))  # type: ignore[arg-type]
    try:
        await looking.refuse(new_upload(ALICE, draft, b""), draft, facts)
    except ValueRejected as error:
        return error.field == "content"
    return False


FILLER = "строка of no interest\n" * 4_000


@pytest.mark.parametrize("block", [WHOLE_BYTES - 1, 4_099, 65_537])
async def test_a_line_is_found_across_the_ends_of_blocks(block: int) -> None:
    for line in (VALUE, f"- {VALUE.upper()}!\r"):
        data = f"{FILLER}{line}\n{FILLER}".encode()
        assert await is_refused(data, block=block)
        assert await is_refused(f"{FILLER}{line}".encode(), block=block)
    assert not await is_refused(f"{FILLER}{VALUE} too\n{FILLER}".encode(), block=block)
    assert not await is_refused(f"{FILLER}{VALUE[:-1]}\n{FILLER}".encode(), block=block)


async def test_of_a_short_text_the_whole_and_its_sentences_count() -> None:
    assert await is_refused(b"ok!", "OK")
    assert not await is_refused(b"this is ok!", "OK")
    assert await is_refused(f"Hello. {VALUE}. Bye.".encode())


@pytest.mark.parametrize("encoding", ["windows-1252", "utf-16"])
async def test_it_is_found_in_other_encodings(encoding: str) -> None:
    lines = "a line of no interest\n" * 8_000
    data = f"{lines}{LATIN}\n{lines}".encode(encoding)
    assert await is_refused(data, LATIN, block=4_099, encoding=encoding)
    assert not await is_refused(data, VALUE, block=4_099, encoding=encoding)


async def test_what_is_no_text_is_not_looked_through() -> None:
    data = b"\x00\xff" * 50 + VALUE.encode()
    assert not await is_refused(VALUE.encode(), encoding="")
    assert not await is_refused(data, encoding="")
    assert await is_refused(VALUE.encode())


async def test_a_line_without_end_is_held_in_parts() -> None:
    data = b"x" * (3 * LONGEST_LINE) + f"\n{VALUE}\n".encode()
    assert await is_refused(data, block=LONGEST_LINE // 2)
