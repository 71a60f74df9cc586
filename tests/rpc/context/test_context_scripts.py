"""Events of many scripts are found by their words, and stand in bundles as they were said."""

from camillo.v1.event_service_pb2 import RecordEventRequest

from tests.rpc.records import bundle, get_event, recalled, record, shown, tool_event
from tests.rpc.test_scripts import TEXTS
from tests.server_fixtures import Server


async def test_events_of_every_script_are_found_by_their_words(server: Server) -> None:
    for number, (content, queries) in enumerate(TEXTS.values()):
        event = await record(server.alice, content, session_id=f"s{number}")
        assert (await get_event(server.alice, event.event_id)).stated.text == content
        for query in queries:
            found = await recalled(server.alice, query)
            assert any(content in text for text in found), query
    assert await recalled(server.alice, "zzz") == []


async def test_bundles_show_every_script_as_it_was_said(server: Server) -> None:
    for number, (content, queries) in enumerate(TEXTS.values()):
        await record(server.alice, content, session_id=f"s{number}")
        built = await bundle(server.alice, queries[0], session_id="other")
        assert any(content in text for text in shown(built)["retrieved_evidence"]), content
        window = await bundle(server.alice, session_id=f"s{number}")
        assert [text for text in shown(window)["recent_window"] if content in text]
        assert content in window.prompt


async def test_outputs_of_tools_of_every_script_are_found(server: Server) -> None:
    for content, queries in TEXTS.values():
        await server.alice(RecordEventRequest(event=tool_event(f"{content}\n")))
        found = await recalled(server.alice, queries[0])
        assert any(content in text for text in found), content
