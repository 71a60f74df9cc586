"""An identity provider for tests: keys of every kind, and tokens signed with them."""

import json
from pathlib import Path
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

from tests.unit.identity.moving_clock import MovingClock

PrivateKey = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey


def public_jwk(key_id: str | None, key: PrivateKey, **members: Any) -> dict[str, Any]:
    jwk: dict[str, Any]
    match key:
        case rsa.RSAPrivateKey():
            jwk = RSAAlgorithm.to_jwk(key.public_key(), as_dict=True)
        case ec.EllipticCurvePrivateKey():
            jwk = ECAlgorithm.to_jwk(key.public_key(), as_dict=True)
        case ed25519.Ed25519PrivateKey():
            jwk = OKPAlgorithm.to_jwk(key.public_key(), as_dict=True)
    jwk.pop("key_ops", None)
    return jwk | ({} if key_id is None else {"kid": key_id}) | members


class TokenIssuer:
    """Writes its key set to a file; `token` is valid unless told otherwise."""

    def __init__(self, path: Path, clock: MovingClock) -> None:
        self.path = path
        self.clock = clock
        self.keys: dict[str, PrivateKey] = {
            "ES256": ec.generate_private_key(ec.SECP256R1()),
            "EdDSA": ed25519.Ed25519PrivateKey.generate(),
        }
        self.write([public_jwk(name, key) for name, key in self.keys.items()])

    def write(self, jwks: list[dict[str, Any]]) -> None:
        self.path.write_text(json.dumps({"keys": jwks}))

    def claims(self, **changed: Any) -> dict[str, Any]:
        now = self.clock.now().timestamp()
        usual = {"iss": "https://issuer", "aud": "camillo", "exp": now + 600, "tenant": "acme", "agent": "ada"}
        return {name: value for name, value in (usual | changed).items() if value is not ...}

    def token(self, algorithm: str = "ES256", **changed: Any) -> str:
        """Signed with the key of that algorithm; a claim given as ... is left out."""
        return self.signed(self.claims(**changed), self.keys[algorithm], algorithm, algorithm)

    def signed(self, claims: dict[str, Any], key: PrivateKey | bytes | None, algorithm: str, key_id: str | None) -> str:
        headers = {} if key_id is None else {"kid": key_id}
        return jwt.encode(claims, key, algorithm=algorithm, headers=headers)  # type: ignore[arg-type]
