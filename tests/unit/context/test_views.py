"""Texts that are always shown."""

import pytest
from camillo_server.context.view import View
from camillo_server.context.views import DeleteView, GetView, ListViews, PutView
from camillo_server.kernel.errors import NotFound
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.redaction.redactor import SecretRedactor

from tests.unit.context.context_in_memory import OWN, SHARED, FixedClock, ViewsInMemory
from tests.unit.context.samples import MOMENT


def view(text: str, name: str = "rules") -> View:
    return View(name, AgentId("whoever"), text, Sensitivity.INTERNAL, 0, MOMENT)


async def put(store: ViewsInMemory, scope: Scope, text: str, name: str = "rules") -> View:
    stored, revision, _ = await PutView(store, SecretRedactor(), FixedClock())(
        scope, view(text, name), None, None
    )
    assert revision == 3
    return stored


async def test_a_view_belongs_to_the_scope_that_puts_it() -> None:
    assert (await put(ViewsInMemory(), OWN, "Be kind")).agent_id == OWN.agent_id
    assert (await put(ViewsInMemory(), SHARED, "Be kind")).agent_id == ""


async def test_the_scopes_own_is_read_before_the_tenants() -> None:
    store = ViewsInMemory()
    await put(store, SHARED, "Ours")
    assert (await GetView(store)(OWN, "rules")).text == "Ours"
    await put(store, OWN, "Mine")
    assert (await GetView(store)(OWN, "rules")).text == "Mine"
    assert [each.text for each in await ListViews(store)(OWN)] == ["Mine", "Ours"]


async def test_a_removed_view_is_gone_and_the_tenants_stays() -> None:
    store = ViewsInMemory()
    await put(store, SHARED, "Ours")
    await put(store, OWN, "Mine")
    assert await DeleteView(store, FixedClock())(OWN, "rules", None) == 4
    assert (await GetView(store)(OWN, "rules")).text == "Ours"
    with pytest.raises(NotFound):
        await GetView(store)(OWN, "identity")
