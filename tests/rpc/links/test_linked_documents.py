"""Links between an agent's own scope and the documents of its tenant: the agent sees them, and nobody else."""

import asyncio
from typing import Any

import psycopg
import pytest
from camillo.v1 import knowledge_service_pb2 as knowledge
from camillo.v1 import link_pb2 as pb
from camillo.v1 import memory_pb2
from camillo.v1.admin_pb2 import ROLE_WRITER
from camillo.v1.admin_service_pb2 import CreateKeyRequest, DeleteAgentRequest, DeleteTenantRequest
from camillo.v1.link_service_pb2 import RemoveLinksRequest
from camillo_server.across.admin.store.invariants import violations

from tests.rpc.forgetting.test_forget import forget
from tests.rpc.knowledge.calls import publish
from tests.rpc.links.calls import add, document, memory, new_link, related, texts_related
from tests.rpc.memories.calls import UNKNOWN_ID, remember
from tests.server_fixtures import Caller, Server, refused
from tests.storage.locking import until_waiting

VAULT = "# Vault\n\nThe vault is behind the painting 🖼️. 保险柜。\n"
ABOUT = [pb.LINK_TYPE_ABOUT]


async def vault(server: Server, **fields: Any) -> pb.LinkEnd:
    published = await publish(server.admin, "handbook/vault.md", VAULT, **fields)
    return document(published.document.document_id)


async def note(caller: Caller, text: str, **fields: Any) -> pb.LinkEnd:
    return memory((await remember(caller, text, **fields)).memory_id)


def count_links(server: Server) -> int:
    with psycopg.connect(server.database.superuser_url) as rows:
        found = rows.execute("select count(*) from camillo.links").fetchone()
    assert found is not None
    return int(found[0])


async def test_a_memory_and_a_document_are_told_from_each_other(server: Server) -> None:
    handbook, own = await vault(server), await note(server.alice, "الخزنة مفتوحة")
    added = await add(server.alice, new_link(own, handbook), agent_id="alice")
    (there,) = (await related(server.alice, own)).related
    (back,) = (await related(server.reader, handbook)).related
    assert (there.item, there.link) == (handbook, added.links[0])
    assert "behind the painting" in there.text
    assert (back.item, back.text, back.link) == (own, "الخزنة مفتوحة", added.links[0])
    removal = RemoveLinksRequest(links=[new_link(own, handbook)])
    assert (await server.alice(removal)).removed == 1
    assert (await related(server.alice, own)).related == []


@pytest.mark.own_server
async def test_nobody_else_sees_an_agents_links_with_a_document(server: Server) -> None:
    handbook = await vault(server)
    await add(server.alice, new_link(await note(server.alice, "alice's note"), handbook))
    await remember(server.admin, "bob's own", agent_id="bob")
    assert await texts_related(server.alice, handbook, types=ABOUT) == ["alice's note"]
    assert await texts_related(server.admin, handbook, agent_id="bob") == []
    assert await texts_related(server.admin, handbook, agent_id="@shared") == []
    assert await texts_related(server.admin, handbook, agent_id="alice") == ["alice's note"]
    strange = await refused(related(server.rival, handbook))
    assert strange.reason == "DOCUMENT_NOT_FOUND"
    theirs = await note(server.rival, "a rival's note", agent_id="x")
    told = await refused(add(server.rival, new_link(theirs, handbook), agent_id="x"))
    assert told.reason == "REF_NOT_FOUND"


async def test_an_end_in_the_shared_scope_is_a_document_or_nothing(server: Server) -> None:
    own = await note(server.alice, "own")
    shared = await note(server.admin, "shared", agent_id="@shared")
    told = await refused(add(server.alice, new_link(own, shared)))
    assert (told.reason, told.metadata["ref"]) == ("REF_NOT_FOUND", shared.id)
    told = await refused(add(server.alice, new_link(own, document(UNKNOWN_ID))))
    assert told.reason == "REF_NOT_FOUND"
    handbook = await vault(server)
    await add(server.admin, new_link(shared, handbook), agent_id="@shared")
    assert await texts_related(server.admin, handbook, agent_id="@shared") == ["shared"]
    assert await texts_related(server.alice, handbook) == []


async def test_a_channel_and_a_grant_hide_documents(server: Server) -> None:
    handbook = await vault(server, sensitivity=memory_pb2.SENSITIVITY_CONFIDENTIAL, categories=["policy"])
    own = await note(server.alice, "own", sensitivity=memory_pb2.SENSITIVITY_PUBLIC)
    await add(server.alice, new_link(own, handbook))
    assert len(await texts_related(server.alice, own)) == 1
    assert await texts_related(server.alice, own, channel=1) == []
    assert (await refused(related(server.alice, handbook, channel=1))).reason == "DOCUMENT_NOT_FOUND"
    granted, other = [await key(server, category) for category in ("policy", "finance")]
    assert len(await texts_related(granted, own)) == 1
    assert len(await texts_related(granted, handbook)) == 1
    await add(granted, new_link(handbook, own))
    assert await texts_related(other, own) == []
    assert (await refused(related(other, handbook))).reason == "DOCUMENT_NOT_FOUND"
    assert (await refused(add(other, new_link(handbook, own)))).reason == "REF_NOT_FOUND"


async def key(server: Server, category: str) -> Caller:
    """A writer's, for alice, that reads documents of one category."""
    asked = CreateKeyRequest(agent_id="alice", role=ROLE_WRITER, document_categories=[category])
    return server.caller((await server.admin(asked)).secret)


@pytest.mark.own_server
@pytest.mark.parametrize("leads_away", [True, False])
async def test_either_end_takes_the_link_along(server: Server, leads_away: bool) -> None:
    handbook, other = await vault(server), await publish(server.admin, "other.md", "Ångström\n")
    own, gone = await note(server.alice, "own"), await note(server.alice, "gone")
    kept = document(other.document.document_id)
    for pair in ((own, handbook), (gone, kept), (own, kept)):
        await add(server.alice, new_link(*(pair if leads_away else reversed(pair))))
    assert count_links(server) == 3
    await server.alice(forget(gone.id))
    assert count_links(server) == 2
    await server.admin(knowledge.DeleteDocumentRequest(document_id=handbook.id))
    assert count_links(server) == 1
    assert await texts_related(server.alice, own) == ["Ångström"]
    with psycopg.connect(server.database.server_url, autocommit=True) as connection:
        assert [*violations(connection)] == []


@pytest.mark.own_server
async def test_an_agent_goes_with_its_own_links_and_a_tenant_with_all(server: Server) -> None:
    handbook = await vault(server)
    bobs = await note(server.admin, "bob's", agent_id="bob")
    await add(server.alice, new_link(await note(server.alice, "alice's"), handbook))
    await add(server.admin, new_link(bobs, handbook), agent_id="bob")
    theirs = document((await publish(server.rival, "theirs.md", VAULT)).document.document_id)
    rivals = await note(server.rival, "a rival's", agent_id="x")
    await add(server.rival, new_link(rivals, theirs), agent_id="x")
    assert count_links(server) == 3
    await server.admin(DeleteAgentRequest(agent_id="alice", confirm_agent_id="alice"))
    assert count_links(server) == 2
    assert await texts_related(server.admin, handbook, agent_id="bob", types=ABOUT) == ["bob's"]
    await server.root(DeleteTenantRequest(tenant_id="rival", confirm_tenant_id="rival"))
    assert count_links(server) == 1


@pytest.mark.own_server
async def test_a_document_that_goes_while_it_is_linked_is_not_there(server: Server) -> None:
    handbook, own = await vault(server), await note(server.alice, "own")
    with psycopg.connect(server.database.superuser_url) as deleting:
        deleting.execute("delete from camillo.documents")
        adding = asyncio.create_task(add(server.alice, new_link(own, handbook)))
        await until_waiting(server.database, 1)
        deleting.commit()
    assert (await refused(adding)).reason == "REF_NOT_FOUND"
    assert count_links(server) == 0
