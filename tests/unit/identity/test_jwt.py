"""Tokens: whose, for whom, until when, and how little they may say."""

import base64
import hashlib
import hmac
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jwt
import pytest
from camillo.v1 import options_pb2 as options
from camillo_server.doors.identity.claims import GRANT
from camillo_server.doors.identity.jwt import JwtVerifier
from camillo_server.kernel.channel import Channel, ReadLimit
from camillo_server.kernel.errors import CredentialInvalid
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Role
from camillo_server.settings.settings import JwtSettings
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.unit.identity.moving_clock import MovingClock
from tests.unit.identity.token_issuer import TokenIssuer, public_jwk


@pytest.fixture
def issuer(tmp_path: Path) -> TokenIssuer:
    return TokenIssuer(tmp_path / "keys.json", MovingClock())


@pytest.fixture
def accepts(issuer: TokenIssuer) -> Callable[[str], bool]:
    verifier = verifier_of(issuer)

    def accepts(token: str) -> bool:
        try:
            verifier.principal(token)
        except CredentialInvalid:
            return False
        return True

    return accepts


def verifier_of(issuer: TokenIssuer, **changed: Any) -> JwtVerifier:
    settings = JwtSettings(issuer="https://issuer", audience="camillo", jwks_path=issuer.path, **changed)
    return JwtVerifier(settings, issuer.clock)


def encoded(part: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")


def test_a_token_of_each_algorithm_is_taken(issuer: TokenIssuer) -> None:
    issuer.keys["RS256"] = rsa.generate_private_key(65537, 2048)
    issuer.write([public_jwk(name, key) for name, key in issuer.keys.items()])
    for algorithm in ("RS256", "ES256", "EdDSA"):
        principal = verifier_of(issuer).principal(issuer.token(algorithm))
        assert (principal.tenant_id, principal.agent_id, principal.role) == ("acme", "ada", Role.WRITER)
        assert principal.key_id is None


def test_a_token_without_signature_is_refused(issuer: TokenIssuer, accepts: Callable[[str], bool]) -> None:
    for key_id in ("ES256", None):
        assert not accepts(issuer.signed(issuer.claims(), None, "none", key_id))
    assert accepts(issuer.token())


def test_a_token_has_one_text(issuer: TokenIssuer, accepts: Callable[[str], bool]) -> None:
    """Foreign characters and spare bits would be decoded to the same token."""
    for algorithm in ("ES256", "EdDSA"):
        if algorithm not in issuer.keys:
            continue
        token = issuer.token(algorithm)
        assert accepts(token)
        alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        others = [token[:-1] + last for last in alphabet if last != token[-1]]
        others += [f"{token}=", f"{token}==", f"{token}!", f"{token}\n", token.replace(".", "=.", 1)]
        assert not any(map(accepts, others))


def test_a_public_key_used_as_a_shared_secret_is_refused(issuer: TokenIssuer, accepts: Callable[[str], bool]) -> None:
    # PyJWT will not sign like this, so the attacker's token is put together by hand.
    public = issuer.keys["ES256"].public_key()
    for secret in (
        public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo),
        public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo),
        b"",
    ):
        signed = f"{encoded({'alg': 'HS256', 'kid': 'ES256'})}.{encoded(issuer.claims())}"
        mac = hmac.new(secret, signed.encode(), hashlib.sha256).digest()
        assert not accepts(f"{signed}.{base64.urlsafe_b64encode(mac).decode().rstrip('=')}")
    assert accepts(issuer.token())


def test_a_shared_secret_in_the_key_set_is_left_out(issuer: TokenIssuer) -> None:
    secret = b"s" * 32
    shared = {"kty": "oct", "kid": "shared", "k": base64.urlsafe_b64encode(secret).decode().rstrip("=")}
    issuer.write([shared, public_jwk("ES256", issuer.keys["ES256"])])
    verifier = verifier_of(issuer)
    with pytest.raises(CredentialInvalid):
        verifier.principal(issuer.signed(issuer.claims(), secret, "HS256", "shared"))
    assert verifier.principal(issuer.token())


def test_a_token_signed_by_a_stranger_under_a_known_key_id_is_refused(
    issuer: TokenIssuer, accepts: Callable[[str], bool]
) -> None:
    stranger = ec.generate_private_key(ec.SECP256R1())
    assert not accepts(issuer.signed(issuer.claims(), stranger, "ES256", "ES256"))
    assert accepts(issuer.signed(issuer.claims(), issuer.keys["ES256"], "ES256", "ES256"))


def test_claims_changed_after_signing_are_refused(issuer: TokenIssuer, accepts: Callable[[str], bool]) -> None:
    header, _, signature = issuer.token().split(".")
    assert not accepts(f"{header}.{encoded(issuer.claims(tenant='other'))}.{signature}")
    assert accepts(issuer.token(tenant="other"))


def test_a_key_signs_under_its_own_id_only(issuer: TokenIssuer, accepts: Callable[[str], bool]) -> None:
    key = issuer.keys["ES256"]
    for key_id in ("EdDSA", "nobody", None):
        assert not accepts(issuer.signed(issuer.claims(), key, "ES256", key_id))
    assert accepts(issuer.signed(issuer.claims(), key, "ES256", "ES256"))


def test_a_token_without_key_id_is_taken_where_there_is_one_key(issuer: TokenIssuer) -> None:
    key = issuer.keys["ES256"]
    token = issuer.signed(issuer.claims(), key, "ES256", None)
    with pytest.raises(CredentialInvalid):
        verifier_of(issuer).principal(token)
    issuer.write([public_jwk(None, key)])
    assert verifier_of(issuer).principal(token)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ({"iss": "https://other"}, {"iss": "https://issuer"}),
        ({"iss": ...}, {}),
        ({"aud": "other"}, {"aud": "camillo"}),
        ({"aud": ["other"]}, {"aud": ["other", "camillo"]}),
        ({"aud": ...}, {}),
        ({"exp": ...}, {}),
        ({"exp": "tomorrow"}, {}),
        ({"exp": True}, {}),
        ({"exp": float("inf")}, {}),
        ({"exp": 10**4000}, {}),
        ({"nbf": "now"}, {"nbf": 0}),
        ({"nbf": True}, {"nbf": 1}),
        ({"tenant": ...}, {}),
        ({"tenant": ""}, {"tenant": "a"}),
        ({"tenant": "../acme"}, {"tenant": "acme..x"}),
        ({"tenant": "acme\n"}, {"tenant": "acme"}),
        ({"tenant": ["acme"]}, {}),
        ({"tenant": "a" * 129}, {"tenant": "a" * 128}),
        ({"agent": ""}, {"agent": "a"}),
        ({"agent": 7}, {"agent": "7"}),
        ({"role": "root"}, {"role": "tenant_admin"}),
        ({"role": "ROOT"}, {"role": "writer"}),
        ({"role": 4}, {"role": "reader"}),
        ({"role": ["reader"]}, {"role": "reader"}),
    ],
)
def test_a_token_that_says_too_little_or_the_wrong_thing_is_refused(
    issuer: TokenIssuer, accepts: Callable[[str], bool], wrong: dict[str, Any], right: dict[str, Any]
) -> None:
    assert not accepts(issuer.token(**wrong))
    assert accepts(issuer.token(**right))


def test_a_token_is_taken_until_it_expires_and_a_little_longer(
    issuer: TokenIssuer, accepts: Callable[[str], bool]
) -> None:
    token = issuer.token(exp=issuer.clock.now().timestamp() + 60)
    issuer.clock.move(60 + 29)
    assert accepts(token)
    issuer.clock.move(1)
    assert not accepts(token)


@pytest.mark.parametrize("claim", ["nbf", "iat"])
def test_a_token_of_the_future_is_not_taken_yet(
    issuer: TokenIssuer, accepts: Callable[[str], bool], claim: str
) -> None:
    later: dict[str, Any] = {claim: issuer.clock.now().timestamp() + 60}
    token = issuer.token(**later)
    assert not accepts(token)
    issuer.clock.move(30)
    assert accepts(token)


def test_a_token_that_never_ends_is_taken(issuer: TokenIssuer) -> None:
    principal = verifier_of(issuer).principal(issuer.token(exp=10**12 - 1))
    assert principal.expires_at is not None
    assert principal.expires_at.year == 9999


def test_only_a_tenant_admin_may_leave_out_the_agent(issuer: TokenIssuer) -> None:
    verifier = verifier_of(issuer)
    for role in (..., "reader", "writer"):
        with pytest.raises(CredentialInvalid):
            verifier.principal(issuer.token(agent=..., role=role))
    admin = verifier.principal(issuer.token(agent=..., role="tenant_admin"))
    assert (admin.agent_id, admin.role) == (None, Role.TENANT_ADMIN)
    bound = verifier.principal(issuer.token(role="tenant_admin"))
    assert bound.agent_id == "ada"


def test_the_claims_and_the_default_role_are_as_configured(issuer: TokenIssuer) -> None:
    verifier = verifier_of(issuer, tenant_claim="org", agent_claim="sub", role_claim="r", default_role="reader")
    plain = verifier.principal(issuer.token(org="acme", sub="bob", tenant=..., agent=...))
    assert (plain.tenant_id, plain.agent_id, plain.role) == ("acme", "bob", Role.READER)
    assert verifier.principal(issuer.token(org="acme", sub="bob", r="writer")).role == Role.WRITER


def test_a_token_with_critical_extensions_is_refused(issuer: TokenIssuer, accepts: Callable[[str], bool]) -> None:
    def token(**header: Any) -> str:
        headers = {"kid": "ES256", **header}
        return jwt.encode(issuer.claims(), issuer.keys["ES256"], algorithm="ES256", headers=headers)

    assert not accepts(token(crit=["exp"]))
    assert accepts(token(typ="at+jwt"))


@pytest.mark.parametrize(
    "token",
    [
        "",
        ".",
        "..",
        "a.b.c",
        "e30.e30.",
        "é.é.é",
        "\udc80.a.b",
        "x" * 8000,
        ".".join(["W1tb" * 2000] * 3),
        "////.////.////",
    ],
)
def test_nonsense_is_refused_and_not_an_error_of_the_server(
    issuer: TokenIssuer, accepts: Callable[[str], bool], token: str
) -> None:
    assert not accepts(token)
    assert accepts(issuer.token())


@pytest.mark.parametrize("key_id", [7, [], {}, None, "x" * 5000])
def test_a_key_id_of_any_type_is_refused_and_not_an_error_of_the_server(
    issuer: TokenIssuer, accepts: Callable[[str], bool], key_id: object
) -> None:
    _, claims, signature = issuer.token().split(".")
    assert not accepts(f"{encoded({'alg': 'ES256', 'kid': key_id})}.{claims}.{signature}")
    assert accepts(issuer.token())


def test_a_token_says_what_it_reads_and_for_whom_it_speaks(issuer: TokenIssuer, accepts: Callable[[str], bool]) -> None:
    token = issuer.token(
        sub="front-end",
        channel="agent",
        max_sensitivity="internal",
        actors=["human:ada"],
        document_categories=["policy", "pricing-2"],
    )
    principal = verifier_of(issuer).principal(token)
    assert principal.read_limit == ReadLimit(Channel.AGENT, Sensitivity.INTERNAL)
    assert principal.actors == frozenset(("human:ada",))
    assert principal.document_categories == frozenset(("policy", "pricing-2"))
    assert principal.credential == "front-end"
    plain = verifier_of(issuer).principal(issuer.token())
    assert (plain.read_limit, plain.actors, plain.document_categories) == (None, None, None)
    for wrong in ({"channel": "loud"}, {"max_sensitivity": 3}, {"actors": "human:ada"}):
        assert not accepts(issuer.token(**wrong))


def test_a_token_names_its_spaces_and_the_settings_name_that_of_its_person(issuer: TokenIssuer) -> None:
    granting = verifier_of(issuer, space_grants="users/{sub}:write, projects/{project}/*:read")
    spaces = ["teams/eu/*:read", "projects/shop:write"]
    principal = granting.principal(issuer.token(sub="auth0|42", spaces=spaces))
    # It has no claim `project`.
    assert principal.spaces == frozenset((*spaces, "users/auth0|42:write"))
    both = granting.principal(issuer.token(sub="42", project="shop"))
    assert both.spaces == frozenset(("users/42:write", "projects/shop/*:read"))
    assert verifier_of(issuer).principal(issuer.token(sub="42")).spaces == frozenset()


@pytest.mark.parametrize("sub", ["42/*", "*", "../shared", "42:write,users/43", "", "安娜", "4\n2", "a" * 129])
def test_a_claim_never_names_a_wider_space(issuer: TokenIssuer, sub: str) -> None:
    granting = verifier_of(issuer, space_grants="users/{sub}:write")
    with pytest.raises(CredentialInvalid):
        granting.principal(issuer.token(sub=sub))
    assert granting.principal(issuer.token(sub="42")).spaces == {"users/42:write"}


def test_tokens_take_the_grants_that_keys_take() -> None:
    form = options.DESCRIPTOR.enum_types_by_name["Form"].values_by_number[options.FORM_GRANT]
    pattern: Any = options.pattern
    assert GRANT.pattern == form.GetOptions().Extensions[pattern].regex


@pytest.mark.parametrize(
    "spaces",
    [
        *("users/42:write", [7], ["users/42"], ["users/42:delete"], ["*:write"], ["users:write"], ["users/4*:read"]),
        *(["users/*/notes:read"], ["agents/ada:write"], ["@shared:write"], ["users/42:write"] * 65),
    ],
    ids=str,
)
def test_what_is_no_grant_is_refused(issuer: TokenIssuer, accepts: Callable[[str], bool], spaces: object) -> None:
    assert not accepts(issuer.token(spaces=spaces))
    assert accepts(issuer.token(spaces=["users/*:read", "users/a/b/c:write", "users/a/b/*:write"]))


# An empty list is among them: shown as a key's categories are, it would mean all documents.
@pytest.mark.parametrize(
    "categories",
    ["policy", [], [7], [""], ["Policy"], ["政策"], ["a" * 65], ["a b"], {"policy": True}, ["a"] * 17],
    ids=str,
)
def test_categories_that_no_document_can_have_are_refused(
    issuer: TokenIssuer, accepts: Callable[[str], bool], categories: object
) -> None:
    assert not accepts(issuer.token(document_categories=categories))
    assert accepts(issuer.token(document_categories=["a" * 64, "policy"]))
