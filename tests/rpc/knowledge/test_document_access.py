"""Who may publish documents, and who sees them."""

from typing import Any

import psycopg
from camillo.v1 import channel_pb2 as channels
from camillo.v1 import knowledge_pb2 as pb
from camillo.v1 import knowledge_service_pb2 as service
from camillo.v1 import memory_pb2
from camillo.v1.admin_pb2 import ROLE_READER
from camillo.v1.admin_service_pb2 import CreateKeyRequest
from google.protobuf.field_mask_pb2 import FieldMask

from tests.rpc.knowledge.calls import get, names, passages, publish
from tests.server_fixtures import Caller, Server, StartServer, refused

NAME, TEXT = "handbook/vault.md", "# Vault\n\nThe vault is behind the painting 🖼️. 保险柜。\n"
MISSING = "DOCUMENT_NOT_FOUND"


async def test_only_who_reaches_every_agent_changes_documents(server: Server) -> None:
    document = (await publish(server.admin, NAME, TEXT)).document
    for request in (
        service.UpdateDocumentRequest(
            document_id=document.document_id,
            expected_version=1,
            update_mask=FieldMask(paths=["title"]),
            document=pb.NewDocument(title="mine"),
        ),
        service.ArchiveDocumentRequest(document_id=document.document_id),
        service.DeleteDocumentRequest(document_id=document.document_id),
    ):
        assert (await refused(server.alice(request))).reason == "SCOPE_FORBIDDEN"
    assert (await refused(publish(server.alice, NAME, "x"))).reason == "SCOPE_FORBIDDEN"
    assert (await refused(publish(server.reader, NAME, "x"))).reason == "SCOPE_FORBIDDEN"
    assert (await get(server.alice, NAME)).document == document


async def test_a_tenant_sees_its_own_documents(server: Server) -> None:
    document = (await publish(server.admin, NAME, TEXT)).document
    assert (await refused(get(server.rival, NAME))).reason == MISSING
    assert await names(server.rival) == []
    by_id = service.GetDocumentRequest(document_id=document.document_id)
    assert (await refused(server.rival(by_id))).reason == MISSING
    versions = service.ListDocumentVersionsRequest(document_id=document.document_id)
    assert (await refused(server.rival(versions))).reason == MISSING
    assert await names(server.admin) == [NAME]


async def test_a_channel_shows_what_it_may_load(server: Server) -> None:
    for level in ("PUBLIC", "INTERNAL", "CONFIDENTIAL"):
        sensitivity = getattr(memory_pb2, f"SENSITIVITY_{level}")
        await publish(server.admin, f"{level}.md", TEXT, sensitivity=sensitivity)
    every = ["CONFIDENTIAL.md", "INTERNAL.md", "PUBLIC.md"]
    for channel, shown in (
        (channels.CHANNEL_PRIVATE, every),
        (channels.CHANNEL_AGENT, every[1:]),
        (channels.CHANNEL_PUBLIC, every[2:]),
    ):
        assert await names(server.alice, channel=channel) == shown
        for name in every:
            asked = get(server.alice, name, channel=channel)
            if name in shown:
                assert (await asked).text == TEXT
            else:
                assert (await refused(asked)).reason == MISSING
        found = await passages(server.admin, "behind the painting", channel=channel)
        assert {each.citation.name for each in found} == set(shown)


async def test_an_earlier_version_shows_no_more_than_the_newest(server: Server) -> None:
    public: dict[str, Any] = {"channel": channels.CHANNEL_PUBLIC}
    first = await publish(server.admin, NAME, TEXT, sensitivity=memory_pb2.SENSITIVITY_PUBLIC)
    assert (await get(server.alice, NAME, version=1, **public)).text == TEXT
    await publish(server.admin, NAME, TEXT, sensitivity=memory_pb2.SENSITIVITY_CONFIDENTIAL)
    assert (await refused(get(server.alice, NAME, version=1, **public))).reason == MISSING
    versions = service.ListDocumentVersionsRequest(document_id=first.document.document_id, **public)
    assert (await refused(server.alice(versions))).reason == MISSING
    assert (await get(server.alice, NAME, version=1)).text == TEXT


async def granted(server: Server, *categories: str) -> Caller:
    """An agent's key that reads these categories."""
    created = await server.admin(CreateKeyRequest(agent_id="alice", role=ROLE_READER, document_categories=categories))
    return server.caller(created.secret)


async def test_a_key_sees_the_categories_that_it_grants(server: Server) -> None:
    for name, categories in {"a.md": ["policy"], "b.md": ["tea", "policy"], "c.md": []}.items():
        await publish(server.admin, name, f"{TEXT}{name}", categories=categories)
    caller = await granted(server, "tea")
    assert await names(caller) == ["b.md"]
    assert (await get(caller, "b.md")).document.version == 1
    for name in ("a.md", "c.md"):
        assert (await refused(get(caller, name))).reason == MISSING
    moved = (await get(server.admin, "b.md")).document
    await server.admin(
        service.UpdateDocumentRequest(
            document_id=moved.document_id,
            expected_version=1,
            update_mask=FieldMask(paths=["categories"]),
            document=pb.NewDocument(categories=["policy"]),
        )
    )
    assert (await refused(get(caller, "b.md", version=1))).reason == MISSING
    assert await names(server.alice) == ["a.md", "b.md", "c.md"]


async def test_confidential_texts_are_encrypted_at_rest(start_server: StartServer) -> None:
    server = await start_server()
    level: dict[str, Any] = {"sensitivity": memory_pb2.SENSITIVITY_CONFIDENTIAL}
    sealed = await publish(server.admin, NAME, TEXT, title="秘密の地図", **level)
    await publish(server.admin, "open.md", "# Open\n\nA plain word: harmattan.\n")
    with psycopg.connect(server.database.superuser_url) as connection:
        rows = [
            str(row)
            for table in ("document_versions", "document_texts", "memories", "documents")
            for row in connection.execute(f"select t::text from camillo.{table} t").fetchall()
        ]
    stored = "\n".join(rows)
    assert "harmattan" in stored
    assert "painting" not in stored
    assert "秘密の地図" not in stored
    assert (await get(server.alice, NAME)).text == TEXT
    assert (await get(server.alice, NAME)).document == sealed.document


async def test_no_tag_passes_for_a_category(server: Server) -> None:
    told = await refused(publish(server.admin, NAME, TEXT, tags=["hr", "category:policy"]))
    assert told.fields == ("header.document.tags",)
    stored = (await publish(server.admin, NAME, TEXT, tags=["hr", "Category:policy"])).document
    change = service.UpdateDocumentRequest(
        document_id=stored.document_id,
        expected_version=1,
        update_mask=FieldMask(paths=["tags"]),
        document=pb.NewDocument(tags=["category:policy"]),
    )
    assert (await refused(server.admin(change))).fields == ("document.tags",)
