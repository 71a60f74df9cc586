"""Packing parts: what comes back is what went in, or it is said to be lost."""

import dataclasses
import os
import random
import threading
import tracemalloc
from contextlib import suppress
from uuid import UUID

import google_crc32c
import pytest
import zstandard
from camillo_server.kernel.errors import BytesLost, KeyMissing
from camillo_server.lib.crypto.keyring import KEY_BYTES, Keyring
from camillo_server.storage.parts.object_parts import PartName
from camillo_server.storage.parts.part_codec import MAX_OVERHEAD_BYTES, RAW, ZSTD, EncodedPart, PartCodec
from hypothesis import given
from hypothesis import strategies as st

NAME = PartName("acme", UUID(int=7), 3)
MIB = 1 << 20
CODEC = PartCodec(Keyring({"one": b"k" * KEY_BYTES}))
LOG = "".join(f"{n} 鍵は箱の中 🔑 المفتاح e\u0301 line\n" for n in range(20_000)).encode()[:MIB]

SEALINGS = pytest.mark.parametrize("sealing", [None, NAME], ids=["plain", "sealed"])


def unsealed(body: bytes) -> EncodedPart:
    """A part as a store that was tampered with may hold it: the checksum is right."""
    return EncodedPart(ZSTD, "", body + int(google_crc32c.value(body)).to_bytes(4, "big"))


def frame_of(size: int, stated: bool = True) -> bytes:
    return zstandard.ZstdCompressor(write_content_size=stated).compress(bytes(size))


def most_memory(encoded: EncodedPart) -> int:
    """Bytes taken by unpacking a part of 1 MiB, if it is lost or not."""
    tracemalloc.start()
    try:
        with suppress(BytesLost):
            CODEC.decode(encoded, NAME, MIB)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@SEALINGS
@given(st.binary(max_size=300) | st.text(max_size=100).map(lambda text: text.encode() * 9))
def test_what_comes_back_is_what_went_in(sealing: PartName | None, part: bytes) -> None:
    encoded = CODEC.encode(part, sealing)
    assert CODEC.decode(encoded, NAME, len(part)) == part
    assert encoded.key_id == ("" if sealing is None else "one")
    assert len(encoded.data) <= len(part) + MAX_OVERHEAD_BYTES


@SEALINGS
def test_a_log_gets_smaller_and_random_bytes_stay_as_they_are(sealing: PartName | None) -> None:
    log, noise = CODEC.encode(LOG, sealing), CODEC.encode(os.urandom(MIB), sealing)
    assert log.codec == ZSTD
    assert len(log.data) < MIB / 3
    assert noise.codec == RAW
    assert MIB < len(noise.data) <= MIB + MAX_OVERHEAD_BYTES


def test_what_is_sealed_shows_nothing_of_the_part() -> None:
    part = os.urandom(100)
    assert part in CODEC.encode(part, None).data
    assert part not in CODEC.encode(part, NAME).data


@SEALINGS
@given(st.sampled_from([b"a" * 1000, bytes(range(256)), b""]), st.integers(0, 10**6), st.integers(1, 255))
def test_no_byte_can_be_changed_unnoticed(sealing: PartName | None, part: bytes, place: int, change: int) -> None:
    encoded = CODEC.encode(part, sealing)
    assert CODEC.decode(encoded, NAME, len(part)) == part
    changed = bytearray(encoded.data)
    changed[place % len(changed)] ^= change
    with pytest.raises(BytesLost):
        CODEC.decode(dataclasses.replace(encoded, data=bytes(changed)), NAME, len(part))


@SEALINGS
@pytest.mark.parametrize("part", [b"a" * 1000, bytes(range(256))], ids=["zstd", "raw"])
def test_what_was_cut_or_is_of_another_size_is_lost(sealing: PartName | None, part: bytes) -> None:
    encoded = CODEC.encode(part, sealing)
    assert CODEC.decode(encoded, NAME, len(part)) == part
    for length in (0, 1, 4, 20, len(encoded.data) - 1):
        with pytest.raises(BytesLost):
            CODEC.decode(dataclasses.replace(encoded, data=encoded.data[:length]), NAME, len(part))
    for size in (0, len(part) - 1, len(part) + 1):
        with pytest.raises(BytesLost):
            CODEC.decode(encoded, NAME, size)


@pytest.mark.parametrize(
    "elsewhere",
    [
        dataclasses.replace(NAME, number=4),
        dataclasses.replace(NAME, content_id=UUID(int=8)),
        dataclasses.replace(NAME, tenant_id="acme2"),
    ],
)
def test_a_sealed_part_is_lost_in_the_place_of_another(elsewhere: PartName) -> None:
    encoded = CODEC.encode(LOG, NAME)
    assert CODEC.decode(encoded, NAME, len(LOG)) == LOG
    with pytest.raises(BytesLost):
        CODEC.decode(encoded, elsewhere, len(LOG))


@SEALINGS
@pytest.mark.parametrize("codec", [RAW, 2, 255])
def test_a_codec_that_is_not_the_parts_own_is_noticed(sealing: PartName | None, codec: int) -> None:
    encoded = CODEC.encode(LOG, sealing)
    assert encoded.codec == ZSTD
    with pytest.raises(BytesLost):
        CODEC.decode(dataclasses.replace(encoded, codec=codec), NAME, len(LOG))


def test_a_sealed_part_cannot_pass_for_one_of_another_codec_even_of_the_same_size() -> None:
    # So short that the frame around it takes what compressing it saves.
    noise = random.Random(1).randbytes(200)  # noqa: S311
    frames = [zstandard.ZstdCompressor().compress(noise + bytes(zeros)) for zeros in range(100)]
    part = next(each for each in frames if zstandard.frame_content_size(each) == len(each))
    encoded = CODEC.encode(part, NAME)
    assert encoded.codec == RAW
    assert CODEC.decode(encoded, NAME, len(part)) == part
    with pytest.raises(BytesLost):
        CODEC.decode(dataclasses.replace(encoded, codec=ZSTD), NAME, len(part))


def test_a_bomb_takes_no_more_memory_than_the_part_may_have() -> None:
    honest, bomb, unstated = frame_of(MIB), frame_of(100 * MIB), frame_of(100 * MIB, stated=False)
    header, longer = (zstandard.frame_header_size(frame) for frame in (honest, bomb))
    lying = honest[:header] + bomb[longer:]
    assert CODEC.decode(unsealed(honest), NAME, MIB) == bytes(MIB)
    assert MIB < most_memory(unsealed(honest)) < 3 * MIB
    for frame in (bomb, unstated, lying):
        assert most_memory(unsealed(frame)) < 3 * MIB
        with pytest.raises(BytesLost):
            CODEC.decode(unsealed(frame), NAME, MIB)


def test_nothing_may_follow_a_frame() -> None:
    frame = zstandard.ZstdCompressor().compress(b"a" * 100)
    assert CODEC.decode(unsealed(frame), NAME, 100) == b"a" * 100
    with pytest.raises(BytesLost):
        CODEC.decode(unsealed(frame + b"x"), NAME, 100)


def test_without_its_key_a_part_is_not_called_lost() -> None:
    encoded = CODEC.encode(LOG, NAME)
    other = PartCodec(Keyring({"two": b"z" * KEY_BYTES}))
    with pytest.raises(KeyMissing):
        other.decode(encoded, NAME, len(LOG))
    with pytest.raises(KeyMissing):
        PartCodec(Keyring.empty()).encode(LOG, NAME)
    assert PartCodec(Keyring.empty()).encode(LOG, None).key_id == ""


def test_many_threads_pack_at_a_time() -> None:
    parts = [LOG[start:] + os.urandom(start) for start in range(0, 80_000, 10_000)]
    wrong: list[int] = []

    def work(place: int) -> None:
        for _ in range(5):
            encoded = CODEC.encode(parts[place], NAME)
            if CODEC.decode(encoded, NAME, len(parts[place])) != parts[place]:
                wrong.append(place)

    threads = [threading.Thread(target=work, args=(place,)) for place in range(len(parts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
