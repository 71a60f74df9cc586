"""The rules of a tenant as this process knows them: kept for a while, and read anew once they were written here."""

import json

from camillo_server.features.slots.provenance import RULES_KEY, TenantRules
from camillo_server.features.slots.slot import Slot, SlotDraft
from camillo_server.features.slots.slots import new_slot
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope, shared_scope

from tests.unit.rpc.records import RECORDED

ACME = Scope(TenantId("acme"), AgentId("ada"))


def rules_slot(prefix: str) -> Slot:
    content = {"prefixes": [prefix]}
    draft = SlotDraft(RULES_KEY, json.dumps(content), content, "an administrator")
    return new_slot(shared_scope(ACME), draft, RECORDED).slot


async def test_rules_that_were_read_before_a_write_are_not_kept() -> None:
    stored = rules_slot("/before")
    is_written_meanwhile = True

    async def read(scope: Scope, key: str) -> Slot:
        nonlocal stored
        found = stored
        if is_written_meanwhile:
            stored = rules_slot("/after")
            rules.forget(scope.tenant_id)
        return found

    rules = TenantRules(read)
    assert (await rules.of(ACME)).prefixes == ("/before",)
    is_written_meanwhile = False
    assert (await rules.of(ACME)).prefixes == ("/after",)
    # Rules that were read without a write meanwhile are kept.
    stored = rules_slot("/unknown")
    assert (await rules.of(ACME)).prefixes == ("/after",)
