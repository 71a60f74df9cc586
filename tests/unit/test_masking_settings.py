"""Settings of an operator about masking, in a file or in a variable."""

from pathlib import Path

import pytest
from camillo_server.assembly.search import masking_policy
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.search.masking import Mask
from camillo_server.settings.settings import load_settings
from camillo_server.settings.sources import SettingsError

FILE = """
masking:
  default: {internal: partial}
  tenants:
    acme: {public: full, restricted: none}
"""
VARIABLE = "CAMILLO_MASKING_TENANTS"


def masks(rules: object) -> list[Mask]:
    """Masks in the order of the sensitivities."""
    assert isinstance(rules, dict)
    return [rules[level] for level in Sensitivity]


def test_without_a_word_what_is_confidential_and_restricted_is_masked() -> None:
    policy = masking_policy(load_settings(None, {}, {}))
    assert masks(policy.rules_of(TenantId("acme"))) == [*(Mask.NONE, Mask.NONE, Mask.PARTIAL, Mask.FULL)]


def test_what_a_tenant_leaves_out_is_as_for_everyone(tmp_path: Path) -> None:
    path = tmp_path / "camillo.yaml"
    path.write_text(FILE)
    policy = masking_policy(load_settings(path, {}, {}))
    everyone, acme = (masks(policy.rules_of(TenantId(name))) for name in ("rival", "acme"))
    assert everyone == [Mask.NONE, Mask.PARTIAL, Mask.PARTIAL, Mask.FULL]
    assert acme == [Mask.FULL, Mask.PARTIAL, Mask.PARTIAL, Mask.NONE]


def test_tenants_may_come_in_a_variable() -> None:
    settings = load_settings(None, {VARIABLE: '{"acme": {"public": "full"}}'}, {})
    policy = masking_policy(settings)
    assert policy.rules_of(TenantId("acme"))[Sensitivity.PUBLIC] is Mask.FULL
    assert policy.rules_of(TenantId("rival"))[Sensitivity.PUBLIC] is Mask.NONE


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("acme=full", "must be JSON such as"),
        ("[]", "must be a valid dictionary"),
        ('{"a b": {}}', "should match pattern"),
        ('{"acme": {"pub": "full"}}', "not permitted"),
        ('{"acme": {"public": "all"}}', "must be 'none', 'partial' or 'full'"),
    ],
)
def test_what_is_no_rule_ends_the_start(value: str, told: str) -> None:
    with pytest.raises(SettingsError) as error:
        load_settings(None, {VARIABLE: value}, {})
    assert told.lower() in str(error.value).lower()
