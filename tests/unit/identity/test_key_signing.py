"""Signatures in keys: whose they are is known without a look-up, also while signing secrets change."""

from datetime import timedelta

import pytest
from camillo_server.doors.identity.key_cache import KeySigner, SigningSecrets, new_secret

from tests.unit.identity.listed_keys import SIGNING_SECRET, ListedKeys, unsigned_secret
from tests.unit.identity.moving_clock import MovingClock


async def signer(has_unsigned_keys: bool = False, accepts_unsigned: bool | None = None) -> KeySigner:
    directory = ListedKeys()
    directory.signing = SigningSecrets((SIGNING_SECRET, b"older"), has_unsigned_keys)
    signer = KeySigner(directory, MovingClock(), accepts_unsigned=accepts_unsigned)
    await signer.refresh()
    return signer


async def test_what_is_signed_with_any_of_the_secrets_is_recognized() -> None:
    own = await signer()
    for issued in (own.new_secret(), new_secret(SIGNING_SECRET), new_secret(b"older")):
        assert own.is_signed(issued)
    for forged in (unsigned_secret(), new_secret(b"another installation's"), "cam_" + "_" * 43):
        assert not own.is_signed(forged)


async def test_a_key_whose_last_character_was_changed_is_not_recognized() -> None:
    own = await signer()
    secret = own.new_secret()
    last = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    assert [own.is_signed(secret[:-1] + each) for each in last].count(True) == 1


async def test_a_signature_holds_for_no_other_key() -> None:
    own = await signer()
    one, other = own.new_secret(), own.new_secret()
    assert not own.is_signed(one[:30] + other[30:])


@pytest.mark.parametrize(
    ("has_unsigned_keys", "setting", "accepted"),
    [(True, None, True), (False, None, False), (True, False, False), (False, True, True)],
)
async def test_keys_of_before_there_were_signatures_are_accepted_where_there_may_be_some(
    has_unsigned_keys: bool, setting: bool | None, accepted: bool
) -> None:
    own = await signer(has_unsigned_keys, setting)
    assert own.accepts_unsigned is accepted


async def test_secrets_are_asked_for_that_every_server_knows_by_now() -> None:
    clock, asked = MovingClock(), []

    class Directory(ListedKeys):
        async def signing_secrets(self, used_before: object) -> SigningSecrets:
            asked.append(used_before)
            return self.signing

    await KeySigner(Directory(), clock, accepts_unsigned=None).refresh()
    assert asked == [clock.now() - timedelta(seconds=300)]
