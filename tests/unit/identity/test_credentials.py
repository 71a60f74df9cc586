"""The credential that a call shows, and that a refusal tells nothing."""

import logging
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from camillo_server.doors.identity import claims
from camillo_server.doors.identity.claims import SpiffeIdentities
from camillo_server.doors.identity.credentials import (
    ApiKeyCredential,
    Authenticator,
    CertificateCredential,
    Peer,
    TokenCredential,
    credential,
)
from camillo_server.doors.identity.jwt import JwtVerifier
from camillo_server.doors.identity.key_cache import KeyCache, KeySigner
from camillo_server.kernel.errors import CredentialInvalid
from camillo_server.kernel.ids import AgentId, KeyId, TenantId
from camillo_server.kernel.scope import Principal, Role
from camillo_server.settings.settings import IdentitySettings, JwtSettings, MtlsSettings

from tests.unit.identity.listed_keys import ListedKeys, unsigned_secret
from tests.unit.identity.moving_clock import MovingClock
from tests.unit.identity.token_issuer import TokenIssuer

SPIFFE = ("spiffe://example.org/tenant/acme/agent/ada",)
HOLDER = Peer(uris=SPIFFE)
ADA = Principal(TenantId("acme"), AgentId("ada"), Role.WRITER)
TOKEN_LIFETIME = timedelta(seconds=600)
ADA_BY_KEY = Principal(TenantId("acme"), AgentId("ada"), Role.WRITER, KeyId("key-1"))


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


@pytest.fixture
def clock() -> MovingClock:
    return MovingClock()


@pytest.fixture
def directory() -> ListedKeys:
    return ListedKeys()


@pytest.fixture
def issuer(tmp_path: Path, clock: MovingClock) -> TokenIssuer:
    return TokenIssuer(tmp_path / "keys.json", clock)


@pytest.fixture
async def signer(directory: ListedKeys, clock: MovingClock) -> KeySigner:
    signer = KeySigner(directory, clock, accepts_unsigned=None)
    await signer.refresh()
    return signer


@pytest.fixture
def authenticator(directory: ListedKeys, clock: MovingClock, issuer: TokenIssuer, signer: KeySigner) -> Authenticator:
    return Authenticator(
        KeyCache(directory, directory, clock, IdentitySettings()),
        signer,
        clock,
        JwtVerifier(JwtSettings(issuer="https://issuer", audience="camillo", jwks_path=issuer.path), clock),
        SpiffeIdentities(MtlsSettings(trust_domain="example.org")),
    )


def test_what_a_call_shows_is_told_apart_by_its_form() -> None:
    secret = unsigned_secret()
    assert credential(bearer(secret), Peer()) == ApiKeyCredential(secret)
    assert credential(bearer("ey.ey.sig"), Peer()) == TokenCredential("ey.ey.sig")
    assert credential({}, HOLDER) == CertificateCredential(HOLDER)


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", "Bearer "])
def test_the_scheme_may_be_written_in_any_case(scheme: str) -> None:
    secret = unsigned_secret()
    assert credential({"authorization": f"{scheme} {secret}"}, Peer()) == ApiKeyCredential(secret)


def test_a_token_is_not_in_the_repr_of_its_credential() -> None:
    assert "ey.ey.sig" not in repr(credential(bearer("ey.ey.sig"), Peer()))
    secret = unsigned_secret()
    assert secret not in repr(credential(bearer(secret), Peer()))


async def test_a_key_a_token_and_a_certificate_each_make_a_principal(
    authenticator: Authenticator, directory: ListedKeys, issuer: TokenIssuer
) -> None:
    assert await authenticator.authenticate(bearer(directory.add()), Peer()) == ADA_BY_KEY
    by_token = replace(ADA, expires_at=issuer.clock.now() + TOKEN_LIFETIME)
    assert await authenticator.authenticate(bearer(issuer.token()), Peer()) == by_token
    assert await authenticator.authenticate({}, HOLDER) == ADA


async def test_a_bad_authorization_is_not_made_good_by_a_certificate(
    authenticator: Authenticator, directory: ListedKeys
) -> None:
    for header in (f"Bearer {unsigned_secret()}", "Bearer ey.ey.sig", "Basic YTpi", "", "Bearer"):
        with pytest.raises(CredentialInvalid):
            await authenticator.authenticate({"authorization": header}, HOLDER)
    assert await authenticator.authenticate(bearer(directory.add()), HOLDER) == ADA_BY_KEY


async def test_what_has_the_prefix_but_not_the_form_of_a_key_is_refused_without_asking(
    authenticator: Authenticator, directory: ListedKeys
) -> None:
    with pytest.raises(CredentialInvalid):
        await authenticator.authenticate(bearer("cam_short"), Peer())
    assert directory.asked == 0
    with pytest.raises(CredentialInvalid):
        await authenticator.authenticate(bearer(unsigned_secret()), Peer())
    assert directory.asked == 1


async def test_a_connection_counts_until_its_certificate_ends(
    authenticator: Authenticator, directory: ListedKeys, clock: MovingClock
) -> None:
    ends = clock.now() + timedelta(seconds=60)
    holder, key = replace(HOLDER, certificate_ends=ends), bearer(directory.add())
    clock.move(59)
    assert await authenticator.authenticate({}, holder) == replace(ADA, expires_at=ends)
    assert await authenticator.authenticate(key, holder) == ADA_BY_KEY
    clock.move(1)
    for metadata in ({}, key):
        with pytest.raises(CredentialInvalid):
            await authenticator.authenticate(metadata, holder)
    assert await authenticator.authenticate(key, Peer()) == ADA_BY_KEY


async def test_every_refusal_reads_the_same_and_the_reason_is_for_the_debug_log_only(
    authenticator: Authenticator,
    directory: ListedKeys,
    issuer: TokenIssuer,
    clock: MovingClock,
    caplog: pytest.LogCaptureFixture,
) -> None:
    revoked = directory.add()
    directory.revoke(revoked, clock.now())
    expired = directory.add(expires_at=clock.now())
    unknown, stale = unsigned_secret(), issuer.token(exp=0)
    calls = [bearer(text) for text in (revoked, expired, unknown, stale, "nonsense", "cam_")]
    messages = set()
    with caplog.at_level(logging.DEBUG):
        for metadata in [*calls, {}]:
            with pytest.raises(CredentialInvalid) as caught:
                await authenticator.authenticate(metadata, Peer())
            messages.add(str(caught.value))
    assert messages == {"the credential is missing or not valid"}
    reasons = [record.__dict__["reason"] for record in caplog.records if "reason" in record.__dict__]
    assert len(set(reasons)) >= 5
    assert not any(secret in reason for secret in (revoked, unknown, stale) for reason in reasons)


async def test_a_kind_of_credential_that_is_not_configured_is_refused(
    authenticator: Authenticator, directory: ListedKeys, clock: MovingClock, issuer: TokenIssuer, signer: KeySigner
) -> None:
    keys_only = Authenticator(KeyCache(directory, directory, clock, IdentitySettings()), signer, clock)
    for metadata, peer in ((bearer(issuer.token()), Peer()), ({}, HOLDER)):
        with pytest.raises(CredentialInvalid):
            await keys_only.authenticate(metadata, peer)
        found = await authenticator.authenticate(metadata, peer)
        assert replace(found, expires_at=None) == ADA
    assert await keys_only.authenticate(bearer(directory.add()), Peer()) == ADA_BY_KEY


async def test_the_fast_path_knows_a_key_after_its_first_use_and_never_anything_else(
    authenticator: Authenticator, directory: ListedKeys, issuer: TokenIssuer
) -> None:
    metadata = bearer(directory.add())
    assert authenticator.cached(metadata) is None
    await authenticator.authenticate(metadata, Peer())
    assert authenticator.cached(metadata) == ADA_BY_KEY
    assert authenticator.cached({}) is None
    assert authenticator.cached(bearer(issuer.token())) is None
    assert authenticator.cached({"authorization": metadata["authorization"].replace("Bearer", "Basic")}) is None


async def test_the_fast_path_does_not_know_a_key_that_was_forgotten(
    authenticator: Authenticator, directory: ListedKeys
) -> None:
    metadata = bearer(directory.add())
    await authenticator.authenticate(metadata, Peer())
    assert authenticator.cached(metadata) == ADA_BY_KEY
    authenticator.forget(KeyId("key-1"))
    assert authenticator.cached(metadata) is None
    await authenticator.authenticate(metadata, Peer())
    assert authenticator.cached(metadata) == ADA_BY_KEY
    authenticator.clear()
    assert authenticator.cached(metadata) is None
    await authenticator.close()


def test_a_refusal_is_a_warning_once_in_a_while_with_its_cause(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims, "_warned_at", {})
    with caplog.at_level(logging.INFO):
        for _ in range(5):
            with pytest.raises(CredentialInvalid):
                claims.refuse("the key is of another installation")
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert record.__dict__["reason"] == "the key is of another installation"
