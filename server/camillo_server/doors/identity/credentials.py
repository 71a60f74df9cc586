"""The credential that a caller presents: an API key, a token, or a client certificate."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Self

from camillo_server.doors.identity.claims import SpiffeIdentities, refuse
from camillo_server.doors.identity.key_cache import PREFIX, SECRET, KeyCache, KeyDirectory, KeySigner, digest, is_secret
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.ids import KeyId
from camillo_server.kernel.scope import Principal
from camillo_server.settings.settings import JwtSettings, Settings

if TYPE_CHECKING:
    from camillo_server.doors.identity.jwt import JwtVerifier


# An authorization by an API key, as `_bearer_token` and `is_secret` read it, at once.
_BEARER_KEY = re.compile(rf"(?i:bearer) \s*({SECRET.pattern})\s*")


@dataclass(frozen=True, slots=True)
class Peer:
    """The other end of a connection. `address` is that of the machine, of IPv6 the network of its site; `uris` and end
    are those of a certificate that TLS has verified."""

    address: str = ""
    uris: tuple[str, ...] = ()
    certificate_ends: datetime | None = None


@dataclass(frozen=True, slots=True)
class ApiKeyCredential:
    """The secret of an API key; not in the repr."""

    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class TokenCredential:
    """A bearer token that is no API key."""

    token: str

    def __repr__(self) -> str:
        return "TokenCredential(...)"


@dataclass(frozen=True, slots=True)
class CertificateCredential:
    """A certificate that TLS has verified."""

    peer: Peer


Credential = ApiKeyCredential | TokenCredential | CertificateCredential


def credential(metadata: Mapping[str, str], peer: Peer) -> Credential:
    """The credential of a call. Raises CredentialInvalid where there is none.

    An explicit `authorization` counts: if it is bad, a certificate does not replace it.
    """
    header = metadata.get("authorization")
    if header is None:
        if not peer.uris:
            refuse("no credential")
        return CertificateCredential(peer)
    token = _bearer_token(header)
    if token is None:
        refuse("the authorization is not of the scheme Bearer")
    if not token.startswith(PREFIX):
        return TokenCredential(token)
    if not is_secret(token):
        refuse("not the form of an API key")
    return ApiKeyCredential(token)


class Authenticator:
    """Turns what a caller shows into a principal."""

    def __init__(
        self,
        keys: KeyCache,
        signer: KeySigner,
        clock: Clock,
        tokens: JwtVerifier | None = None,
        certificates: SpiffeIdentities | None = None,
        *,
        has_client_certificates: bool = False,
    ) -> None:
        self._keys = keys
        self._signer = signer
        self._clock = clock
        self._tokens = tokens
        self._certificates = certificates
        self._has_client_certificates = has_client_certificates

    @classmethod
    def of(
        cls,
        settings: Settings,
        directory: KeyDirectory,
        unsigned: KeyDirectory,
        signer: KeySigner,
        clock: Clock,
    ) -> Self:
        """Takes every kind of credential that the settings allow; `unsigned` is asked for unsigned keys. Raises
        KeySetError."""
        identity = settings.identity
        jwt, mtls = identity.jwt, identity.mtls
        return cls(
            KeyCache(directory, unsigned, clock, identity),
            signer,
            clock,
            _jwt_verifier(jwt, clock) if jwt.enabled else None,
            SpiffeIdentities(mtls) if mtls.enabled else None,
            has_client_certificates=settings.tls.client_ca_path is not None,
        )

    def cached(self, metadata: Mapping[str, str]) -> Principal | None:
        """The principal of an API key looked up moments ago; None says only that `authenticate` must be asked."""
        if self._has_client_certificates:
            # One may have expired since its connection began.
            return None
        key = _BEARER_KEY.fullmatch(metadata.get("authorization", ""))
        return self._keys.fresh(digest(key[1])) if key else None

    async def authenticate(self, metadata: Mapping[str, str], peer: Peer) -> Principal:
        """The principal of a call. Raises CredentialInvalid, and StorageUnavailable or Overloaded where it cannot be
        known."""
        if peer.certificate_ends is not None and self._clock.now() >= peer.certificate_ends:
            refuse("the certificate of the connection has expired")
        match credential(metadata, peer):
            case ApiKeyCredential(secret):
                is_signed = self._signer.is_signed(secret)
                if not (is_signed or self._signer.accepts_unsigned):
                    refuse("the key was not issued by this installation")
                unsigned_from = None if is_signed else peer.address
                principal = await self._keys.principal(digest(secret), unsigned_from)
                return principal or refuse("the key is unknown, expired or revoked")
            case TokenCredential(token):
                return self._tokens.principal(token) if self._tokens else refuse("no tokens are taken")
            case CertificateCredential(holder):
                return (
                    self._certificates.principal(holder.uris, holder.certificate_ends)
                    if self._certificates
                    else refuse("no certificates are taken")
                )

    def forget(self, key_id: KeyId) -> None:
        """Asks the directory again for this key."""
        self._keys.forget(key_id)

    def clear(self) -> None:
        """Asks the directory again for every key."""
        self._keys.clear()

    async def close(self) -> None:
        """Stops the lookups under way."""
        await self._keys.close()


def _jwt_verifier(settings: JwtSettings, clock: Clock) -> JwtVerifier:
    # Late: most servers take no tokens, and these imports take a twentieth of the start.
    from camillo_server.doors.identity.jwt import JwtVerifier

    return JwtVerifier(settings, clock)


def _bearer_token(header: str) -> str | None:
    scheme, _, token = header.partition(" ")
    return token.strip() if scheme == "Bearer" or scheme.lower() == "bearer" else None
