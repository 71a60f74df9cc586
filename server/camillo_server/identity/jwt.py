"""Tokens of an identity provider (JWT, RFC 7519), checked against a local key set."""

from typing import Any

import jwt

from camillo_server.domain.clock import Clock
from camillo_server.domain.scope import Principal, Role
from camillo_server.identity.jwks import JwksFile
from camillo_server.identity.refusal import claimed_agent, claimed_tenant, refuse
from camillo_server.settings import JwtSettings

_ROLES = {"reader": Role.READER, "writer": Role.WRITER, "tenant_admin": Role.TENANT_ADMIN}
_MAX_SECONDS = 10**12
# Times are compared here, with the clock that tests move; PyJWT would ask the machine's.
_OPTIONS: jwt.types.Options = {
    "require": ["exp", "iss", "aud"],
    "verify_exp": False,
    "verify_nbf": False,
    "verify_iat": False,
}


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
        return Principal(tenant_id, None if agent is None else claimed_agent(agent), role)

    def _verified_claims(self, token: str) -> dict[str, Any]:
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
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not abs(value) < _MAX_SECONDS
    ):
        refuse("a time in the token is not a number of seconds")
    return value
