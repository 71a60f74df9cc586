"""Tokens of an identity provider (JWT, RFC 7519), checked against a local key set."""

import json
import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

from camillo_server.doors.identity.claims import (
    claimed_actors,
    claimed_agent,
    claimed_categories,
    claimed_limit,
    claimed_spaces,
    claimed_tenant,
    refuse,
)
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.scope import Principal, Role
from camillo_server.kernel.strict_base64 import from_base64url
from camillo_server.kernel.system import OperatorError
from camillo_server.settings.settings import JwtSettings

_log = logging.getLogger(__name__)
# One algorithm for each kind of key, so that a token has no say in how it is checked.
_ALGORITHMS = {("RSA", None): "RS256", ("EC", "P-256"): "ES256", ("OKP", "Ed25519"): "EdDSA"}
_CHECK_EVERY = timedelta(seconds=1)
_MIN_RSA_BITS = 2048
_ROLES = {"reader": Role.READER, "writer": Role.WRITER, "tenant_admin": Role.TENANT_ADMIN}
MAX_SUBJECT = 255
_MAX_SECONDS = 10**12
# The end of the year 9999.
_LAST_SECOND = 253_402_300_799
# Times are compared here, with the clock that tests move; PyJWT would ask the machine's.
_OPTIONS: jwt.types.Options = {
    "require": ["exp", "iss", "aud"],
    "verify_exp": False,
    "verify_nbf": False,
    "verify_iat": False,
}


class KeySetError(OperatorError):
    """A key set file that cannot be used; the message says why."""


class JwksFile:
    """Public keys by id. Raises KeySetError when made; later a bad file leaves the last good keys in use.

    The file is looked at on the event loop: some microseconds once a second, and a few kilobytes when it changed.
    """

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._clock = clock
        # Version first: a change between the two lines is then seen at the next look.
        self._version = _file_version(path)
        self._keys = read_key_set(path)
        self._look_again_at = clock.now() + _CHECK_EVERY

    def find(self, key_id: str | None) -> jwt.PyJWK | None:
        """The key with this id; without an id, the only key of the set."""
        now = self._clock.now()
        if now >= self._look_again_at:
            self._look_again(now)
        if key_id is None:
            return next(iter(self._keys.values())) if len(self._keys) == 1 else None
        return self._keys.get(key_id)

    def _look_again(self, now: datetime) -> None:
        self._look_again_at = now + _CHECK_EVERY
        version = _file_version(self._path)
        if version == self._version:
            return
        self._version = version
        try:
            self._keys = read_key_set(self._path)
        except KeySetError as error:
            _log.error("the JWT key set is not usable, the last one stays", extra={"reason": str(error)})
        else:
            _log.info("the JWT key set was read again", extra={"keys": len(self._keys)})


def read_key_set(path: Path) -> dict[str | None, jwt.PyJWK]:
    """The usable public keys of a JWKS file (RFC 7517). Keys of other kinds and purposes are left out."""
    try:
        content = json.loads(path.read_bytes())
        entries = content["keys"]
        keys = [(entry.get("kid"), _public_key(entry)) for entry in entries]
    except OSError as error:
        raise KeySetError(f"cannot be read: {error.strerror}") from None
    except (ValueError, TypeError, KeyError, AttributeError):
        raise KeySetError('is not a JSON object with a list of objects, "keys"') from None
    except jwt.PyJWTError:
        raise KeySetError("holds a key that is malformed") from None
    usable = [(key_id, key) for key_id, key in keys if key is not None]
    if len({key_id for key_id, _ in usable}) < len(usable):
        raise KeySetError("holds two keys with the same id")
    if not usable:
        raise KeySetError("holds no RS256, ES256 or EdDSA key for signatures")
    return dict(usable)


def _public_key(entry: dict[str, Any]) -> jwt.PyJWK | None:
    algorithm = _ALGORITHMS.get((entry.get("kty", ""), entry.get("crv")))
    if algorithm is None or entry.get("use", "sig") != "sig" or entry.get("alg", algorithm) != algorithm:
        return None
    if "d" in entry:
        raise KeySetError("holds a private key")
    key = jwt.PyJWK(entry, algorithm)
    if isinstance(key.key, RSAPublicKey) and key.key.key_size < _MIN_RSA_BITS:
        raise KeySetError(f"holds an RSA key of fewer than {_MIN_RSA_BITS} bits")
    return key


def _file_version(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


class JwtVerifier:
    """Turns a token into a principal."""

    def __init__(self, settings: JwtSettings, clock: Clock) -> None:
        """Raises KeySetError; ValueError where the settings take no tokens."""
        # PyJWT checks neither issuer nor audience where it is given None.
        if settings.issuer is None or settings.audience is None or settings.jwks_path is None:
            raise ValueError("issuer, audience and jwks_path are needed")
        self._settings = settings
        self._keys = JwksFile(settings.jwks_path, clock)
        self._clock = clock

    def principal(self, token: str) -> Principal:
        """The principal that the token speaks for. Raises CredentialInvalid."""
        claims = self._verified_claims(token)
        self._check_times(claims)
        role = self._role(claims)
        tenant_id = claimed_tenant(claims.get(self._settings.tenant_claim))
        agent = claims.get(self._settings.agent_claim)
        # Without an agent a token reaches all of them, which is the administrator's right only.
        if agent is None and role < Role.TENANT_ADMIN:
            refuse("the token names no agent and is not a tenant admin's")
        agent_id = None if agent is None else claimed_agent(agent)
        expires_at = datetime.fromtimestamp(min(_seconds(claims["exp"]), _LAST_SECOND), UTC)
        named = self._settings
        return Principal(
            tenant_id,
            agent_id,
            role,
            expires_at=expires_at,
            read_limit=claimed_limit(claims.get(named.channel_claim), claims.get(named.max_sensitivity_claim)),
            actors=claimed_actors(claims.get(named.actors_claim)),
            document_categories=claimed_categories(claims.get(named.document_categories_claim)),
            spaces=claimed_spaces(claims.get(named.spaces_claim), named.space_grants, claims),
            subject=str(claims.get("sub", ""))[:MAX_SUBJECT],
        )

    def _verified_claims(self, token: str) -> dict[str, Any]:
        # PyJWT passes over foreign characters and spare bits: other texts would be the same token.
        if any(from_base64url(each) is None for each in token.split(".")):
            refuse("the token is no base64url without padding")
        try:
            header = jwt.get_unverified_header(token)
            key = self._keys.find(header.get("kid"))
            if key is None:
                refuse("no key with the token's key id")
            # RFC 7515 has unknown critical extensions refused; not every PyJWT we allow does so.
            if "crit" in header:
                refuse("the token has critical extensions")
            # The key decides the algorithm, so "none" and HS256 over a public key fail here.
            claims: dict[str, Any] = jwt.decode(
                token,
                key,
                algorithms=[key.algorithm_name],
                issuer=self._settings.issuer,
                audience=self._settings.audience,
                options=_OPTIONS,
            )
        # Text that is no Unicode; and JSON nested too deeply, which not every PyJWT we allow catches.
        except (jwt.PyJWTError, RecursionError, ValueError) as error:
            refuse(f"the token does not verify: {type(error).__name__}")
        return claims

    def _check_times(self, claims: dict[str, Any]) -> None:
        now = self._clock.now().timestamp()
        leeway = self._settings.leeway_seconds
        if now >= _seconds(claims["exp"]) + leeway:
            refuse("the token has expired")
        for claim in ("nbf", "iat"):
            if claim in claims and now < _seconds(claims[claim]) - leeway:
                refuse("the token is not valid yet")

    def _role(self, claims: dict[str, Any]) -> Role:
        name = claims.get(self._settings.role_claim)
        if name is None:
            return _ROLES[self._settings.default_role]
        # Root is not among them: who runs the identity provider does not thereby run the server.
        role = _ROLES.get(name) if isinstance(name, str) else None
        if role is None:
            refuse("the token's role is not one that tokens may have")
        return role


def _seconds(value: object) -> float:
    # Bounded too: a whole number of any length is valid JSON, and too large for the arithmetic of floats.
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < _MAX_SECONDS:
        refuse("a time in the token is not a number of seconds")
    return value
