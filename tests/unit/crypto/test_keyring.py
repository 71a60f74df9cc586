"""Keys: read from text, derived for each tenant and purpose, and what is encrypted opens in its place only."""

import base64
import os
import re
import traceback

import pytest
from camillo_server.kernel.errors import KeyMissing
from camillo_server.lib.crypto.keyring import ENCRYPTION_BYTES, KEY_BYTES, DecryptionFailed, Keyring, KeyringError
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case

KEYS = {"2026-11-21": b"a" * KEY_BYTES, "old_key.v1": bytes(range(32))}
TEXTS = ["", "鍵は箱の中 🔑", "المفتاح محفوظ", "é (e\u0301)"]


def encoded(key: bytes) -> str:
    return base64.b64encode(key).decode()


def as_text(between: str) -> str:
    return between.join(f"{key_id}:{encoded(key)}" for key_id, key in KEYS.items())


@pytest.fixture
def keyring() -> Keyring:
    return Keyring(KEYS)


@pytest.mark.parametrize("between", ["\n", ",", " ,\r\n\n  ", "\n# a remark: with,commas\n"])
def test_the_first_key_seals_and_all_of_them_open(between: str) -> None:
    keyring = Keyring.parse(as_text(between))
    assert keyring.active_key_id == "2026-11-21"
    old_first = Keyring({"old_key.v1": KEYS["old_key.v1"]})
    for writer in (keyring, old_first):
        key_id, encrypted = writer.encrypt("tenant", "part", b"some bytes", b"here")
        assert key_id == writer.active_key_id
        assert keyring.decrypt(key_id, "tenant", "part", encrypted, b"here") == b"some bytes"


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_sealed_is_as_much_longer_as_said_and_never_the_same_twice(keyring: Keyring, text: str) -> None:
    data = text.encode()
    _, one = keyring.encrypt("tenant", "part", data, b"")
    _, other = keyring.encrypt("tenant", "part", data, b"")
    assert len(one) == len(data) + ENCRYPTION_BYTES
    assert one != other
    assert not data or data not in one


@pytest.mark.parametrize(
    ("tenant_id", "purpose", "bound_to"),
    [("other", "part", b"here"), ("tenant", "name", b"here"), ("tenant", "part", b"there")],
)
def test_it_opens_for_no_other_tenant_purpose_or_place(
    keyring: Keyring, tenant_id: str, purpose: str, bound_to: bytes
) -> None:
    key_id, encrypted = keyring.encrypt("tenant", "part", b"x", b"here")
    assert keyring.decrypt(key_id, "tenant", "part", encrypted, b"here") == b"x"
    with pytest.raises(DecryptionFailed):
        keyring.decrypt(key_id, tenant_id, purpose, encrypted, bound_to)


@given(st.integers(0, 10**6), st.integers(1, 255))
def test_no_byte_of_it_can_be_changed(place: int, change: int) -> None:
    keyring = Keyring(KEYS)
    key_id, encrypted = keyring.encrypt("tenant", "part", b"0123456789", b"here")
    assert keyring.decrypt(key_id, "tenant", "part", encrypted, b"here") == b"0123456789"
    changed = bytearray(encrypted)
    changed[place % len(encrypted)] ^= change
    with pytest.raises(DecryptionFailed):
        keyring.decrypt(key_id, "tenant", "part", bytes(changed), b"here")


@pytest.mark.parametrize("length", [0, 1, ENCRYPTION_BYTES - 1, ENCRYPTION_BYTES])
def test_what_was_cut_short_is_broken(keyring: Keyring, length: int) -> None:
    key_id, encrypted = keyring.encrypt("tenant", "part", b"0123456789", b"")
    with pytest.raises(DecryptionFailed):
        keyring.decrypt(key_id, "tenant", "part", encrypted[:length], b"")


def test_a_missing_key_is_told_by_its_id(keyring: Keyring) -> None:
    only_new = Keyring({"new": os.urandom(KEY_BYTES)})
    key_id, encrypted = keyring.encrypt("tenant", "part", b"x", b"")
    with pytest.raises(KeyMissing) as caught:
        only_new.decrypt(key_id, "tenant", "part", encrypted, b"")
    assert caught.value.key_id == key_id


def test_without_keys_nothing_is_sealed(keyring: Keyring) -> None:
    empty = Keyring.empty()
    assert empty.is_empty
    assert not keyring.is_empty
    assert empty.active_key_id == ""
    for work in (
        lambda: empty.encrypt("tenant", "part", b"x", b""),
        lambda: empty.fingerprint("tenant", "part", b"x"),
        lambda: empty.decrypt("", "tenant", "part", b"x", b""),
    ):
        with pytest.raises(KeyMissing) as caught:
            work()
        assert caught.value.key_id == ""


def test_a_fingerprint_tells_equal_data_of_one_tenant_and_purpose_under_one_key(keyring: Keyring) -> None:
    mine = keyring.fingerprint("tenant", "content", b"x")
    assert len(mine) == 32
    assert mine == Keyring(KEYS).fingerprint("tenant", "content", b"x")
    others = [
        keyring.fingerprint("tenant", "content", b"y"),
        keyring.fingerprint("other", "content", b"x"),
        keyring.fingerprint("tenant", "part", b"x"),
        Keyring({"k": b"b" * KEY_BYTES}).fingerprint("tenant", "content", b"x"),
    ]
    assert len({mine, *others}) == 5


def test_lasting_fingerprints_stay_when_keys_are_changed_and_retired() -> None:
    old, new = b"o" * KEY_BYTES, b"n" * KEY_BYTES

    def fingerprint(**keys: bytes) -> bytes:
        return Keyring(keys).lasting_fingerprint("tenant", "content", b"x")

    first = fingerprint(k1=old)
    assert first == fingerprint(k2=new, k1=old) == fingerprint(k2=new, fingerprint=old)
    assert first != fingerprint(k2=new)
    retired = Keyring({"fingerprint": old, "k2": new})
    assert retired.active_key_id == "k2"
    assert retired.other_key_ids == []


def test_more_tenants_than_are_remembered_still_open(keyring: Keyring) -> None:
    key_id, encrypted = keyring.encrypt("first", "part", b"x", b"")
    for number in range(5000):
        keyring.fingerprint(f"t{number}", "part", b"x")
    assert keyring.decrypt(key_id, "first", "part", encrypted, b"") == b"x"


SECRET = bytes(range(100, 100 + KEY_BYTES))
NO_BASE64 = "not base64 as `base64` writes it"
# The character before the padding with one of its two last bits set, which belong to no byte.
STRAY_BITS = chr(ord(encoded(SECRET)[-2]) + 1)


@each_case(
    ("text", "said"),
    [
        (encoded(SECRET), "encryption key 1: not of the form id:base64"),
        (f"{encoded(SECRET)}:id", f"encryption key 1: {NO_BASE64}"),
        (f"one:{encoded(SECRET)}é", f"encryption key 1: {NO_BASE64}"),
        # The decoder of the standard library takes these: another text for the same key.
        (f"one:{encoded(SECRET)[:-2]}{STRAY_BITS}=", f"encryption key 1: {NO_BASE64}"),
        (f"one:{encoded(SECRET)}=", f"encryption key 1: {NO_BASE64}"),
        (f"one:{encoded(SECRET)[:20]} {encoded(SECRET)[20:]}", f"encryption key 1: {NO_BASE64}"),
        (f"one:{encoded(SECRET[:31])}", "encryption key 1: not of 32 bytes"),
        (f"one:{encoded(SECRET + b'x')}", "encryption key 1: not of 32 bytes"),
        ("one:", "encryption key 1: not of 32 bytes"),
        (f"a:{encoded(SECRET)},a:{encoded(b'b' * 32)}", "encryption key 2: its id is there twice"),
        (f"a b:{encoded(SECRET)}", "encryption key 1: its id is not 1 to 64 of A-Za-z0-9._-"),
        (f"{'x' * 65}:{encoded(SECRET)}", "encryption key 1: its id is not 1 to 64 of A-Za-z0-9._-"),
        (f":{encoded(SECRET)}", "encryption key 1: its id is not 1 to 64 of A-Za-z0-9._-"),
        (" \n,\n# nothing\n", "there is no encryption key where keys were expected"),
    ],
)
def test_what_are_no_keys_is_refused_in_one_line_that_shows_nothing_of_them(text: str, said: str) -> None:
    with pytest.raises(KeyringError, match=f"^{re.escape(said)}$") as caught:
        Keyring.parse(text)
    told = "".join(traceback.format_exception(caught.value, chain=True))
    assert encoded(SECRET)[:12] not in re.sub(r'".*?"', "", told)
    assert encoded(SECRET)[:12] not in str(caught.value)


def test_an_id_may_have_64_characters() -> None:
    assert Keyring.parse(f"{'x' * 64}:{encoded(SECRET)}").active_key_id == "x" * 64


def test_a_keyring_shows_nothing_of_its_keys(keyring: Keyring) -> None:
    assert "aaaa" not in repr(keyring)


def test_a_key_is_recognized_by_its_check_value_whatever_its_place() -> None:
    one, two = bytes(range(32)), bytes(range(1, 33))
    value = Keyring({"a": one}).check_value("a")
    assert value == Keyring({"b": two, "a": one}).check_value("a")
    assert value != Keyring({"a": two}).check_value("a")
    assert value not in (one.hex(), "")
    assert Keyring({"b": two}).check_value("a") == ""


def test_the_key_of_lasting_fingerprints_is_named() -> None:
    one, two = bytes(range(32)), bytes(range(1, 33))
    assert Keyring({"a": one, "b": two}).lasting_key_id == "b"
    assert Keyring({"fingerprint": one, "b": two}).lasting_key_id == "fingerprint"
    assert Keyring.empty().lasting_key_id == ""
