"""The messages of an upload: what follows without a gap comes in blocks, everything else is refused."""

from collections.abc import AsyncIterator, Sequence
from hashlib import sha256

import pytest
from camillo_server.features.artifacts.artifact import PART_BYTES
from camillo_server.features.artifacts.upload import UploadBytes, UploadFinish, UploadLimits, UploadStream
from camillo_server.kernel.errors import ContentMismatch, InvalidField, UploadOffsetMismatch
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case

FINISH = UploadFinish(sha256(b"").digest())
ANY = UploadLimits(0, None, 1024**3)
Message = UploadBytes | UploadFinish


async def iterated(messages: Sequence[Message]) -> AsyncIterator[Message]:
    for message in messages:
        yield message


def following(pieces: Sequence[bytes], start: int = 0) -> list[Message]:
    messages: list[Message] = []
    for piece in pieces:
        messages.append(UploadBytes(start, piece))
        start += len(piece)
    return messages


async def blocks(messages: Sequence[Message], limits: UploadLimits = ANY) -> list[bytes]:
    return [block async for block in UploadStream(iterated(messages), limits).blocks()]


@pytest.mark.parametrize("start", [0, 5 * PART_BYTES])
async def test_bytes_come_in_blocks_of_about_a_part(start: int) -> None:
    piece = bytes(range(256)) * 1_000
    messages = [*following([piece] * 10, start), FINISH]
    came = await blocks(messages, UploadLimits(start, None, 1024**3))
    assert b"".join(came) == piece * 10
    assert [len(block) // len(piece) for block in came] == [5, 5]
    assert all(PART_BYTES <= len(block) < PART_BYTES + len(piece) for block in came)


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ([1], [1]),
        ([PART_BYTES], [PART_BYTES]),
        ([PART_BYTES - 1, 1], [PART_BYTES]),
        ([PART_BYTES - 1, 2, 1], [PART_BYTES + 1, 1]),
        ([3 * PART_BYTES, 7], [3 * PART_BYTES, 7]),
    ],
)
async def test_no_block_is_empty(sizes: list[int], expected: list[int]) -> None:
    came = await blocks([*following([b"x" * size for size in sizes]), FINISH])
    assert [len(block) for block in came] == expected


@given(pieces=st.lists(st.binary(min_size=1, max_size=9), min_size=1), start=st.integers(0, 9))
async def test_all_bytes_come_in_their_order(pieces: list[bytes], start: int) -> None:
    size = start + sum(map(len, pieces))
    messages = [*following(pieces, start), FINISH]
    assert b"".join(await blocks(messages, UploadLimits(start, size, size))) == b"".join(pieces)


async def test_going_on_may_bring_nothing_new() -> None:
    assert await blocks([FINISH], UploadLimits(7, 7, 9)) == []


@pytest.mark.parametrize("offset", [0, 2, 4])
async def test_bytes_of_another_place_are_refused_with_the_place_expected(offset: int) -> None:
    with pytest.raises(UploadOffsetMismatch) as refused:
        await blocks([UploadBytes(0, b"abc"), UploadBytes(offset, b"def"), FINISH])
    assert (refused.value.expected, refused.value.actual) == (3, offset)


async def test_the_first_bytes_have_to_follow_what_is_held() -> None:
    with pytest.raises(UploadOffsetMismatch) as refused:
        await blocks([UploadBytes(0, b"abc"), FINISH], UploadLimits(10, None, 20))
    assert (refused.value.expected, refused.value.actual) == (10, 0)


@pytest.mark.parametrize(
    ("pieces", "said", "counted"), [([b"abc", b"de"], 4, 5), ([b"abc"], 4, 3), ([b"a", b"b", b"c"], 1, 2)]
)
async def test_another_size_than_was_said_is_refused(pieces: list[bytes], said: int, counted: int) -> None:
    with pytest.raises(ContentMismatch) as refused:
        await blocks([*following(pieces), FINISH], UploadLimits(0, said, 9))
    assert refused.value.details == {"what": "size", "expected": said, "actual": counted}


FIRST = UploadBytes(0, b"abc")


@each_case(
    ("messages", "field"),
    [
        ([], "finish"),
        ([FIRST], "finish"),
        ([FIRST, UploadBytes(3, b""), FINISH], "bytes.data"),
        ([FINISH], "bytes"),
        ([FIRST, UploadBytes(3, b"x" * 8), FINISH], "bytes"),
        ([FIRST, FINISH, FINISH], "part"),
        ([FIRST, FINISH, UploadBytes(3, b"d")], "part"),
    ],
)
async def test_messages_out_of_their_form_are_refused(messages: list[Message], field: str) -> None:
    with pytest.raises(InvalidField) as refused:
        await blocks(messages, UploadLimits(0, None, 10))
    assert [violation.field for violation in refused.value.violations] == [field]
    assert await blocks([FIRST, UploadBytes(3, b"x" * 7), FINISH], UploadLimits(0, None, 10))


async def test_too_many_bytes_are_refused_before_more_of_them_are_read() -> None:
    read = []

    async def endless() -> AsyncIterator[Message]:
        at = 0
        while True:
            read.append(at)
            yield UploadBytes(at, b"x" * 10)
            at += 10

    with pytest.raises(InvalidField):
        async for _ in UploadStream(endless(), UploadLimits(0, None, 25)).blocks():
            pass
    assert read == [0, 10, 20]


async def test_the_sum_that_the_caller_had_in_mind_has_to_be_that_of_what_came() -> None:
    sent = sha256(b"abc").digest()
    stream = UploadStream(iterated([FIRST, UploadFinish(sent)]), ANY)
    assert [block async for block in stream.blocks()] == [b"abc"]
    stream.check(sent)
    with pytest.raises(ContentMismatch) as refused:
        stream.check(sha256(b"abd").digest())
    actual = sha256(b"abd").hexdigest()
    assert refused.value.details == {"what": "sha256", "expected": sent.hex(), "actual": actual}
