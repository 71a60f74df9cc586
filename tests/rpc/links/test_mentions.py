"""Entities that texts mention lead from one text to the other, the rarest first."""

from camillo.v1 import link_pb2 as pb
from camillo.v1.link_service_pb2 import ListRelatedRequest

from tests.rpc.links.calls import add, event, memory, mentioning, new_link, related, texts_related
from tests.rpc.memories.calls import remember
from tests.rpc.records import record
from tests.server_fixtures import Server

NAME, EMAIL, PATH = pb.ENTITY_TYPE_NAME, pb.ENTITY_TYPE_EMAIL, pb.ENTITY_TYPE_PATH
TICKET, IDENTIFIER = pb.ENTITY_TYPE_TICKET, pb.ENTITY_TYPE_IDENTIFIER


async def test_what_mentions_an_entity_is_found_in_any_writing(server: Server) -> None:
    texts = {
        (NAME, "Anna Müller"): "we met Anna Müller again",
        (EMAIL, "BOB@example.com"): "write to bob@example.com please",
        (PATH, "src/app.py"): "look into src/app.py there",
        (TICKET, "ABC-123"): "it was ABC-123 again",
        (IDENTIFIER, "getUserName()"): "call getUserName() first",
        (NAME, "红楼梦"): "我在看《红楼梦》",
        (NAME, "Анну Каренину"): "я читал Анну Каренину вчера",
    }
    for text in texts.values():
        await remember(server.alice, text)
    await remember(server.alice, "anna and müller are words, user and name, app and src too")
    for (type_, name), text in texts.items():
        assert await mentioning(server.alice, type_, name) == [text]
        assert await mentioning(server.rival, type_, name) == []


async def test_an_item_tells_what_it_mentions_and_what_else_does(server: Server) -> None:
    one = memory((await remember(server.alice, "ABC-123 is for Anna Müller")).memory_id)
    for number in range(3):
        await remember(server.alice, f"then Anna Müller came, time {number}")
    said = await record(server.alice, "who took ABC-123 then?")
    linked = memory((await remember(server.alice, "no words in common")).memory_id)
    await add(server.alice, new_link(one, linked))
    answer = await related(server.alice, one)
    assert {each.name for each in answer.entities} == {"ABC-123", "anna müller"}
    first, second, *rest = answer.related
    assert (first.item, first.HasField("link")) == (linked, True)
    assert (second.item, [each.name for each in second.shared]) == (event(said.event_id), ["ABC-123"])
    assert len(rest) == 3
    assert {each.shared[0].name for each in rest} == {"anna müller"}
    assert await texts_related(server.alice, one, types=[pb.LINK_TYPE_ABOUT]) == ["no words in common"]


async def test_mentions_come_in_pages(server: Server) -> None:
    kept = [(await remember(server.alice, f"ABC-123 part {each}")).content for each in range(7)]
    entity = pb.Entity(type=TICKET, name="abc-123")
    found, request = [], ListRelatedRequest(entity=entity, page_size=3)
    while True:
        page = await server.alice(request)
        found += [each.text for each in page.related]
        request.page_token = page.next_page_token
        if not page.next_page_token:
            break
    assert sorted(found) == sorted(kept)


async def test_texts_of_related_things_are_cut(server: Server) -> None:
    one = memory((await remember(server.alice, "one")).memory_id)
    long = memory((await remember(server.alice, "👩‍👩‍👧é" * 300)).memory_id)
    await add(server.alice, new_link(one, long))
    (text,) = await texts_related(server.alice, one)
    assert 400 < len(text) <= 500
