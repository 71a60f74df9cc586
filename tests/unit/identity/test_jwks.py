"""The key set file: what it may hold, and when it is read again."""

import base64
import os
from pathlib import Path
from typing import Any

import pytest
from camillo_server.doors.identity.jwt import JwksFile, KeySetError, read_key_set
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from tests.unit.identity.moving_clock import MovingClock
from tests.unit.identity.token_issuer import TokenIssuer, public_jwk

WEAK = rsa.generate_private_key(65537, 1024)  # noqa: S505
P256 = ec.generate_private_key(ec.SECP256R1())
SHARED = {"kty": "oct", "kid": "shared", "k": base64.urlsafe_b64encode(b"s" * 32).decode()}


@pytest.fixture
def issuer(tmp_path: Path) -> TokenIssuer:
    return TokenIssuer(tmp_path / "keys.json", MovingClock())


def test_a_changed_file_is_read_again_after_a_second_and_not_before(issuer: TokenIssuer) -> None:
    keys = JwksFile(issuer.path, issuer.clock)
    issuer.write([public_jwk("new", P256)])
    issuer.clock.move(0.999)
    assert keys.find("ES256") is not None
    assert keys.find("new") is None
    issuer.clock.move(0.001)
    assert keys.find("ES256") is None
    assert keys.find("new") is not None
    issuer.write([public_jwk("newer", P256)])
    assert keys.find("newer") is None
    issuer.clock.move(1)
    assert keys.find("newer") is not None


@pytest.mark.parametrize("content", [None, "", "[]", '{"keys": []}', '{"keys": [1]}', "\udc80"])
def test_a_file_that_goes_bad_leaves_the_last_keys_until_it_is_good_again(
    issuer: TokenIssuer, content: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    keys = JwksFile(issuer.path, issuer.clock)
    if content is None:
        issuer.path.unlink()
    else:
        issuer.path.write_bytes(content.encode(errors="surrogateescape"))
    issuer.clock.move(1)
    assert keys.find("ES256") is not None
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    issuer.clock.move(1)
    assert keys.find("ES256") is not None
    assert len(caplog.records) == 1, "the same bad file is reported once"
    issuer.write([public_jwk("new", P256)])
    issuer.clock.move(1)
    assert keys.find("new") is not None


def test_a_file_of_the_same_size_and_another_time_is_read_again(issuer: TokenIssuer) -> None:
    issuer.write([public_jwk("one", P256)])
    keys = JwksFile(issuer.path, issuer.clock)
    issuer.write([public_jwk("two", P256)])
    os.utime(issuer.path, ns=(1, 1))
    issuer.clock.move(1)
    assert keys.find("two") is not None


def test_a_bad_file_is_an_error_at_start(tmp_path: Path, issuer: TokenIssuer) -> None:
    with pytest.raises(KeySetError, match="cannot be read"):
        JwksFile(tmp_path / "missing.json", issuer.clock)
    assert JwksFile(issuer.path, issuer.clock)


@pytest.mark.parametrize(
    "jwk",
    [
        SHARED,
        public_jwk("a", P256, use="enc"),
        public_jwk("a", P256, alg="ES384"),
        public_jwk("a", ec.generate_private_key(ec.SECP384R1())),
        {"kty": "new", "kid": "a"},
    ],
)
def test_keys_of_other_kinds_and_purposes_are_left_out(issuer: TokenIssuer, jwk: dict[str, Any]) -> None:
    issuer.write([jwk])
    with pytest.raises(KeySetError, match="holds no"):
        read_key_set(issuer.path)
    issuer.write([jwk, public_jwk("good", P256, use="sig", alg="ES256")])
    assert list(read_key_set(issuer.path)) == ["good"]


@pytest.mark.parametrize(
    ("jwks", "problem"),
    [
        ([public_jwk("weak", WEAK)], "fewer than 2048 bits"),
        ([public_jwk("secret", P256, d="AAAA")], "a private key"),
        ([public_jwk("same", P256), public_jwk("same", P256)], "two keys with the same id"),
        ([public_jwk("broken", P256, x="AAAA")], "malformed"),
        ([{"kty": ["EC"]}], "is not a JSON object"),
    ],
)
def test_a_key_set_that_is_dangerous_or_broken_is_refused_whole(
    issuer: TokenIssuer, jwks: list[dict[str, Any]], problem: str
) -> None:
    good = public_jwk("good", P256)
    issuer.write([*jwks, good])
    with pytest.raises(KeySetError, match=problem):
        read_key_set(issuer.path)
    issuer.write([good])
    assert list(read_key_set(issuer.path)) == ["good"]
