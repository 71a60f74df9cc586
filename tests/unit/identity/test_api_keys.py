"""API keys: their form, their digest, when one may be used."""

import hashlib
from datetime import timedelta

from camillo_server.doors.identity.key_cache import digest, is_secret, new_secret

from tests.unit.identity.listed_keys import SIGNING_SECRET, ListedKeys
from tests.unit.identity.moving_clock import MovingClock


def test_a_secret_is_the_prefix_and_43_url_safe_characters() -> None:
    secret = new_secret(SIGNING_SECRET)
    assert is_secret(secret)
    assert len(secret) == len("cam_") + 43


def test_no_two_secrets_are_the_same() -> None:
    assert len({new_secret(SIGNING_SECRET) for _ in range(100)}) == 100


def test_what_has_not_the_form_of_a_secret_is_none() -> None:
    secret = new_secret(SIGNING_SECRET)
    for wrong in (secret[:-1], secret + "A", "kam_" + secret[4:], secret[:-1] + "+", secret + "\n", ""):
        assert not is_secret(wrong)


def test_the_digest_is_the_sha256_of_the_whole_secret() -> None:
    assert digest("cam_x") == hashlib.sha256(b"cam_x").digest()


def test_a_key_is_usable_until_the_moment_it_expires() -> None:
    clock = MovingClock()
    directory = ListedKeys()
    key = directory.keys[digest(directory.add(expires_at=clock.now()))]
    assert not key.usable(clock.now())
    assert key.usable(clock.now() - timedelta(microseconds=1))


def test_a_revoked_key_is_not_usable() -> None:
    clock = MovingClock()
    directory = ListedKeys()
    secret = directory.add()
    assert directory.keys[digest(secret)].usable(clock.now())
    directory.revoke(secret, clock.now())
    assert not directory.keys[digest(secret)].usable(clock.now())
