"""Client certificates: which SPIFFE identity is which principal."""

import pytest
from camillo_server.doors.identity.claims import SpiffeIdentities
from camillo_server.kernel.errors import CredentialInvalid
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Principal, Role
from camillo_server.settings.settings import MtlsSettings

from tests.cases import each_case

GOOD = "spiffe://example.org/tenant/acme/agent/ada"
ADA = Principal(TenantId("acme"), AgentId("ada"), Role.WRITER)


@pytest.fixture
def identities() -> SpiffeIdentities:
    return SpiffeIdentities(MtlsSettings(trust_domain="example.org"))


def test_the_path_names_tenant_and_agent(identities: SpiffeIdentities) -> None:
    assert identities.principal([GOOD]) == ADA


def test_other_alternative_names_do_not_matter(identities: SpiffeIdentities) -> None:
    assert identities.principal(["ada.example.org", GOOD, "https://example.org", "10.0.0.1"]) == ADA


@each_case(
    "uri",
    [
        "spiffe://other.org/tenant/acme/agent/ada",
        "spiffe://exampleXorg/tenant/acme/agent/ada",
        "spiffe://example.org.evil.org/tenant/acme/agent/ada",
        "https://example.org/tenant/acme/agent/ada",
        "spiffe://example.org/tenant/acme/agent/ada/more",
        "spiffe://example.org/tenant/acme/agent/ada?x=1",
        "spiffe://example.org/tenant/acme/agent/ada\n",
        "spiffe://example.org/tenant/acme/agent/..",
        "spiffe://example.org/tenant/ac%6de/agent/ada",
        "spiffe://example.org/tenant//agent/ada",
        "spiffe://example.org/tenant/acme/agent/" + "a" * 129,
        "x" + GOOD,
        "",
    ],
)
def test_an_identity_of_another_domain_path_or_form_is_refused(identities: SpiffeIdentities, uri: str) -> None:
    with pytest.raises(CredentialInvalid):
        identities.principal([uri])
    assert identities.principal([GOOD]) == ADA


def test_a_certificate_with_two_spiffe_identities_is_refused(identities: SpiffeIdentities) -> None:
    with pytest.raises(CredentialInvalid):
        identities.principal([GOOD, "spiffe://example.org/tenant/acme/agent/bob"])
    assert identities.principal([GOOD]) == ADA


def test_only_a_tenant_admin_may_come_without_agent() -> None:
    with pytest.raises(ValueError, match=r"\{agent\} unless role is tenant_admin"):
        MtlsSettings(trust_domain="example.org", path_pattern="/tenant/{tenant}")
    settings = MtlsSettings(trust_domain="example.org", path_pattern="/tenant/{tenant}", role="tenant_admin")
    admins = SpiffeIdentities(settings)
    assert admins.principal(["spiffe://example.org/tenant/acme"]) == Principal(
        TenantId("acme"), None, Role.TENANT_ADMIN
    )


def test_no_certificate_makes_its_holder_root() -> None:
    with pytest.raises(ValueError, match="role"):
        MtlsSettings.model_validate({"trust_domain": "example.org", "role": "root"})


def test_every_certificate_reads_documents_of_the_same_categories() -> None:
    bound = MtlsSettings(trust_domain="example.org", document_categories="policy,pricing")
    read = SpiffeIdentities(bound).principal([GOOD]).document_categories
    assert read == frozenset(("policy", "pricing"))
    assert ADA.document_categories is None


@each_case("categories", ["", ",", "policy,", "Policy", "a b", "a," * 16 + "a"])
def test_categories_that_no_document_can_have_are_not_set(categories: str) -> None:
    with pytest.raises(ValueError, match="document_categories"):
        MtlsSettings(trust_domain="example.org", document_categories=categories)
