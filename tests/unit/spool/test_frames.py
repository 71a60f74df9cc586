"""Frames of a spool file: what is whole is read, whatever was cut off or damaged."""

from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta, timezone
from itertools import accumulate
from uuid import UUID, uuid4

import google_crc32c
import pytest
from camillo_server.doors.spool.frames import (
    FILE_HEADER_BYTES,
    FRAME_HEADER_BYTES,
    FRAME_MAGIC,
    Frame,
    UnknownVersion,
    UnsealedFrame,
    encode_file_header,
)
from camillo_server.doors.spool.scanning import read_file_id, read_frame, scan_frames
from camillo_server.doors.spool.spooled_write import DamagedFrame, SpooledWrite
from camillo_server.kernel.errors import KeyMissing
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Caller, Principal, Role, Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.lib.crypto.keyring import DecryptionFailed, Keyring
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.spool.spooled_writes import KEYS, NOON, OTHER_KEYS, PRINCIPAL, TEXTS, spooled_write

FILE_ID = UUID(int=7)
KEYRINGS = pytest.mark.parametrize("keyring", [Keyring.empty(), KEYS], ids=["clear", "sealed"])
bodies = st.lists(st.binary(max_size=40) | st.just(FRAME_MAGIC * 9), min_size=1, max_size=5)


class File:
    """A spool file in memory."""

    def __init__(self, writes: list[SpooledWrite], keyring: Keyring) -> None:
        self.writes, self.keyring = writes, keyring
        frames = [UnsealedFrame.of(each, keyring).encode(FILE_ID, keyring) for each in writes]
        self.data = encode_file_header(FILE_ID) + b"".join(frames)
        # Where each frame ends.
        self.ends = list(accumulate(map(len, frames), initial=FILE_HEADER_BYTES))

    def scanned(self, data: bytes) -> list[Frame | DamagedFrame]:
        file_id, damage = read_file_id(lambda offset, size: data[offset : offset + size], FILE_ID)
        found = scan_frames(lambda offset, size: data[offset : offset + size], len(data), file_id)
        return [*([damage] if damage else []), *found]

    def opened(self, data: bytes) -> tuple[list[SpooledWrite], list[DamagedFrame]]:
        found = self.scanned(data)
        frames = [each.open(self.keyring) for each in found if isinstance(each, Frame)]
        return frames, [each for each in found if isinstance(each, DamagedFrame)]


def file_of(contents: list[bytes], keyring: Keyring) -> File:
    return File([spooled_write(number, body) for number, body in enumerate(contents)], keyring)


@KEYRINGS
def test_a_write_comes_back_as_it_was(keyring: Keyring) -> None:
    writes = [spooled_write(number) for number in range(len(TEXTS))]
    opened, damaged = File(writes, keyring).opened(File(writes, keyring).data)
    assert (opened, damaged) == (writes, [])
    # The subject is not compared by principals.
    assert [each.caller.principal.subject for each in opened] == [PRINCIPAL.subject] * 3
    assert opened[1].body.decode() == "ключ меняют по пятницам"


def test_every_field_of_a_caller_is_kept() -> None:
    """PRINCIPAL has a value of its own in each field, so that none can be left out unnoticed."""
    plain = Principal(TenantId("t"), None, Role.ROOT)
    assert not [each.name for each in fields(Principal) if _same(plain, each.name)]
    caller = Caller(PRINCIPAL, "бот", "/method", "log", "peer", is_reading=True, space="users/42")
    assert not [name for name, default in Caller._field_defaults.items() if _is(caller, name, default)]
    write = replace(spooled_write(), caller=caller)
    ((opened,), _) = File([write], KEYS).opened(File([write], KEYS).data)
    assert opened.caller == caller


def _same(plain: Principal, name: str) -> bool:
    return bool(getattr(plain, name) == getattr(PRINCIPAL, name))


def _is(caller: Caller, name: str, default: object) -> bool:
    return bool(getattr(caller, name) == default)


principals = st.builds(
    Principal,
    tenant_id=st.text(max_size=8).map(TenantId),
    agent_id=st.none() | st.text(max_size=8).map(AgentId),
    role=st.sampled_from(Role),
    expires_at=st.none() | st.datetimes(timezones=st.just(UTC)),
    actors=st.none() | st.frozensets(st.text(max_size=5)),
    document_categories=st.none() | st.frozensets(st.text(max_size=5)),
    spaces=st.frozensets(st.text(max_size=5)),
    subject=st.text(max_size=5),
)
moments = st.datetimes(
    min_value=NOON.replace(year=1970, tzinfo=None), timezones=st.just(UTC) | st.just(timezone(timedelta(hours=5)))
)


@KEYRINGS
@given(
    principal=principals,
    at=moments,
    texts=st.tuples(st.text(max_size=9), st.text(max_size=9)),
    body=st.binary(max_size=300),
)
def test_any_write_comes_back(
    keyring: Keyring, principal: Principal, at: datetime, texts: tuple[str, str], body: bytes
) -> None:
    write = SpooledWrite(
        uuid4(),
        texts[0],
        Scope(TenantId("acme"), AgentId(texts[1])),
        at,
        RequestKey(texts[0], body[:32]),
        bool(body),
        Caller(principal, texts[1]),
        body,
    )
    file = File([write], keyring)
    assert file.opened(file.data) == ([write], [])
    assert file.ends[-1] == FILE_HEADER_BYTES + UnsealedFrame.of(write, keyring).byte_count


def test_what_is_sealed_shows_nothing_but_tenant_and_key() -> None:
    clear, sealed = (File([spooled_write()], each).data for each in (Keyring.empty(), KEYS))
    for text in (TEXTS[0], "алиса", "MemoryService", "request-0", "human:ada", "spiffe"):
        assert text.encode() in clear
        assert text.encode() not in sealed
    assert b"k1acme" in sealed


@KEYRINGS
@given(contents=bodies, data=st.data())
def test_a_cut_loses_what_it_cuts_and_nothing_else(
    keyring: Keyring, contents: list[bytes], data: st.DataObject
) -> None:
    file = file_of(contents, keyring)
    cut = data.draw(st.integers(FILE_HEADER_BYTES, len(file.data)))
    whole = sum(end <= cut for end in file.ends[1:])
    assert file.opened(file.data[:cut]) == (file.writes[:whole], [])
    # A disk that has made room and not written to it leaves zeros.
    assert file.opened(file.data[:cut].ljust(cut + 5000, b"\0"))[0] == file.writes[:whole]


@KEYRINGS
@given(contents=bodies, data=st.data())
def test_a_flipped_byte_loses_one_frame_and_is_told(
    keyring: Keyring, contents: list[bytes], data: st.DataObject
) -> None:
    file = file_of(contents, keyring)
    at = data.draw(st.integers(0, len(file.data) - 1))
    flipped = bytearray(file.data)
    flipped[at] ^= data.draw(st.integers(1, 255))
    opened, damaged = file.opened(bytes(flipped))
    # The number of the frame; -1: the header of the file.
    hit = sum(end <= at for end in file.ends) - 1
    assert opened == [each for number, each in enumerate(file.writes) if number != hit]
    (told,) = damaged
    begin = file.ends[hit] if hit >= 0 else 0
    assert (told.offset, told.offset + told.byte_count) == (begin, file.ends[hit + 1])
    assert told.file_id == FILE_ID


@KEYRINGS
@given(contents=bodies, data=st.data())
def test_bytes_that_are_lost_or_come_in_between_do_not_hide_what_follows(
    keyring: Keyring, contents: list[bytes], data: st.DataObject
) -> None:
    file = file_of([*contents, b"last"], keyring)
    at = data.draw(st.integers(FILE_HEADER_BYTES, file.ends[-2]))
    noise = data.draw(st.binary(max_size=40))
    gap = data.draw(st.integers(0, file.ends[-2] - at))
    opened, _ = file.opened(file.data[:at] + noise + file.data[at + gap :])
    assert opened[-1] == file.writes[-1]
    assert [each for each in file.writes if each in opened] == opened


@KEYRINGS
@given(noise=st.binary(max_size=400))
def test_noise_is_no_frame(keyring: Keyring, noise: bytes) -> None:
    file = file_of([b"one"], keyring)
    assert file.opened(file.data + FRAME_MAGIC + noise)[0] == file.writes


def test_a_damaged_write_tells_whose_it_was_where_that_is_whole() -> None:
    file = file_of([b"one", b"two"], KEYS)
    in_content = bytearray(file.data)
    in_content[file.ends[1] - 1] ^= 1
    ((told,), again) = (file.opened(bytes(in_content))[1], file.opened(bytes(in_content))[1])
    assert (told.tenant_id, told.spool_id) == ("acme", file.writes[0].spool_id)
    in_name = bytearray(file.data)
    in_name[FILE_HEADER_BYTES + FRAME_HEADER_BYTES + 3] ^= 1
    (unnamed,) = file.opened(bytes(in_name))[1]
    assert unnamed.tenant_id is None
    assert unnamed.spool_id not in [each.spool_id for each in file.writes]
    # The same damage has the same id each time.
    assert [told] == again
    assert [unnamed] == file.opened(bytes(in_name))[1]


@KEYRINGS
def test_a_frame_inside_a_text_is_never_taken_for_one(keyring: Keyring) -> None:
    """Who can state a text cannot state a write of somebody else, even where the frame about it is damaged."""
    forged = spooled_write(9, b"forged", tenant="victim")
    other_file = uuid4()
    body = encode_file_header(other_file) + UnsealedFrame.of(forged, keyring).encode(other_file, keyring)
    file = file_of([b"one", body, b"three"], keyring)
    damaged = bytearray(file.data)
    damaged[file.ends[1]] ^= 1
    opened, told = file.opened(bytes(damaged))
    assert [each.body for each in opened] == [b"one", b"three"]
    assert len(told) == 1


def test_a_frame_is_of_its_file_and_its_key() -> None:
    file = file_of(list(map(str.encode, TEXTS)), KEYS)
    (frame, *_) = file.scanned(file.data)
    assert isinstance(frame, Frame)
    assert frame.open(KEYS) == file.writes[0]
    with pytest.raises(DecryptionFailed):
        replace(frame, file_id=uuid4()).open(KEYS)
    with pytest.raises(DecryptionFailed):
        replace(frame, tenant_id=TenantId("other")).open(KEYS)
    for keyring in (OTHER_KEYS, Keyring.empty()):
        with pytest.raises(KeyMissing):
            frame.open(keyring)
    with pytest.raises(DecryptionFailed):
        frame.open(Keyring({"k1": b"x" * 32}))


def test_one_frame_is_read_by_its_place() -> None:
    file = file_of([b"one", b"two"], KEYS)

    def read(offset: int, size: int) -> bytes:
        return file.data[offset : offset + size]

    begin, end = file.ends[1:3]
    frame = read_frame(read, FILE_ID, begin, end - begin)
    assert isinstance(frame, Frame)
    assert frame.open(KEYS) == file.writes[1]
    for offset, size in ((begin + 1, end - begin), (begin, end - begin - 1)):
        assert isinstance(read_frame(read, FILE_ID, offset, size), DamagedFrame)


def test_a_file_of_a_later_release_is_not_read() -> None:
    header = bytearray(encode_file_header(FILE_ID))
    assert read_file_id(lambda *_: bytes(header), uuid4()) == (FILE_ID, None)
    header[9] = 2
    # As that release would have computed it.
    header[-4:] = _checksum(bytes(header[:-4]))
    with pytest.raises(UnknownVersion):
        read_file_id(lambda *_: bytes(header), FILE_ID)


def _checksum(data: bytes) -> bytes:
    value = google_crc32c.extend(google_crc32c.value(FILE_ID.bytes), data)
    return int(value).to_bytes(4, "big")


def test_times_keep_their_microseconds() -> None:
    file = File([spooled_write()], KEYS)
    assert file.opened(file.data)[0][0].accepted_at == NOON
