"""The tools of the profile `standard`, over HTTP."""

import json

import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from tests.rpc.gateway.conftest import Web
from tests.rpc.gateway.mcp.conftest import answered, failed, text_of

TEXT = "喜欢深色模式 🌙 والعربية é"


async def test_what_is_remembered_is_recalled_at_once(alice: Client, web: Web) -> None:
    result = await alice.call_tool("remember", {"content": TEXT, "kind": "preference"})
    memory_id = result.structured_content["id"]
    assert memory_id in text_of(result)
    found = await alice.call_tool("recall", {"query": "深色模式"})
    assert TEXT in text_of(found)
    assert found.structured_content == {"text": text_of(found), "ids": [memory_id]}
    by_json = (await web.alice.get(f"/v1/memories/{memory_id}")).json()["memory"]
    assert (by_json["content"], by_json["kind"]) == (TEXT, "MEMORY_KIND_PREFERENCE")


async def test_filters_of_a_recall(alice: Client) -> None:
    await answered(alice, "remember", content="tea is green", tags=["drink"])
    await answered(alice, "remember", content="the door is green", tags=["house"])
    assert "tea" in await answered(alice, "recall", query="green", tags=["drink"])
    assert "door" not in await answered(alice, "recall", query="green", tags=["drink"])
    assert "nothing" in await answered(alice, "recall", query="green", since="2999-01-01")
    both = await alice.call_tool("recall", {"query": "green", "limit": 1})
    assert len(both.structured_content["ids"]) == 1


async def test_forgetting_is_a_dry_run_unless_it_is_confirmed(alice: Client) -> None:
    await answered(alice, "remember", content="the cat is called Tibbles")
    shown = await alice.call_tool("forget", {"query": "cat"})
    assert "dry run" in text_of(shown)
    assert "Tibbles" in text_of(shown)
    ids = shown.structured_content["ids"]
    assert "Tibbles" in await answered(alice, "forget", ids=ids)
    assert "Tibbles" in await answered(alice, "recall", query="cat")
    reply = await failed(alice, "forget", query="cat", dry_run=False)
    assert reply.startswith("IDS_REQUIRED")
    many = [f"{ids[0][:-3]}{number:03}" for number in range(101)]
    for is_dry in (True, False):
        assert (await failed(alice, "forget", ids=many, dry_run=is_dry)).startswith("TOO_MANY")
    done = await alice.call_tool("forget", {"ids": ids, "dry_run": False})
    assert done.structured_content == {"forgotten": 1, "ids": ids}
    again = await alice.call_tool("forget", {"ids": ids, "dry_run": False})
    assert again.structured_content == {"forgotten": 0, "ids": []}
    assert "no memory has such an id" in str(again.content[0])
    assert "Tibbles" not in await answered(alice, "recall", query="cat")
    restated = await failed(alice, "remember", content="the cat is called Tibbles")
    assert restated.startswith("VALUE_REJECTED")


async def test_events_are_in_the_context_and_decisions_in_the_ledger(alice: Client) -> None:
    await answered(alice, "record_event", content="Which port does it use?", actor="user", session="s")
    decided = await alice.call_tool(
        "record_event", {"content": "We release on Mondays", "kind": "decision", "session": "s"}
    )
    ids = decided.structured_content
    context = await answered(alice, "context", query="when do we release?", session="s")
    assert "Which port" in context
    assert "We release on Mondays" in context
    ledger = await alice.call_tool("decisions", {"query": "release"})
    assert ledger.structured_content["ids"] == [ids["decision_id"]]
    assert ids["id"] in text_of(ledger)
    for ref in ids.values():
        assert "We release on Mondays" in await answered(alice, "read", ref=ref)


async def test_a_long_output_is_read_in_parts(alice: Client) -> None:
    lines = [f"line {number} of the build" for number in range(1, 20_001)]
    lines[776] = "ERROR: no such file"
    reply = await answered(alice, "record_event", content="\n".join(lines), kind="tool_result", session="s")
    ref = reply[reply.index("[MemoryRef") :]
    some = await answered(alice, "read", ref=ref, lines="5-6")
    assert "line 5 of" in some
    assert "line 6 of" in some
    assert "line 7 of" not in some
    found = await answered(alice, "read", ref=ref, grep="error: .* file")
    assert "777:ERROR: no such file" in found
    assert "775:line 775" in found
    assert "search ended" not in found
    assert "the search ended after 200 matches" in await answered(alice, "read", ref=ref, grep="^line")
    assert "no line matches" in await answered(alice, "read", ref=ref, grep="xyzzy")
    first = await alice.call_tool("read", {"ref": ref, "max_tokens": 300})
    assert "line 1 of" in text_of(first)
    page = first.structured_content["next"]
    second = await answered(alice, "read", ref=ref, page=page)
    assert "line 1 of" not in second
    last_of_first = text_of(first).rpartition("lines 1 to ")[2].partition(";")[0]
    assert f"line {int(last_of_first) + 1} of" in second
    assert (await failed(alice, "read", ref=ref, page="2")).startswith("INVALID_ARGUMENTS")


async def test_slots_are_set_read_found_and_removed(alice: Client) -> None:
    key, content = "/user/preference/样式", {"style": "short", "n": 1.5}
    reply = await alice.call_tool("set_memory", {"key": key, "json_content": content, "source": "the user said so"})
    assert reply.structured_content == {"version": 1}
    assert json.dumps(content) in await answered(alice, "read", ref=key)
    source = {"kind": "user", "name": "chat"}
    await answered(alice, "set_memory", key=key, json_content=None, source=source)
    assert (await failed(alice, "read", ref=key)).startswith("SLOT_NOT_FOUND")


async def test_failures_say_what_to_do(alice: Client) -> None:
    reply = await failed(alice, "remember", text="x", tags="a,b", importance="high")
    for problem in (
        "content is missing",
        'tags must be an array: send ["a", "b"]',
        "importance must be a number such as 0.8",
        "remember takes content, kind",
    ):
        assert problem in reply
    for since in ("yesterday", "0001-01-01T00:00+14:00", "9999-12-31T23:59-01:00", "0000-01-01", "٢٠٢٦"):
        assert "date such as" in await failed(alice, "recall", query="x", since=since)
    assert "nothing" in await answered(alice, "recall", query="green", since="0001-01-01")
    missing = await failed(alice, "read", ref="00000000-0000-4000-8000-000000000000")
    assert missing.startswith("NOT_FOUND")
    long = await failed(alice, "remember", content="x" * 2001)
    assert long.startswith("INVALID_FIELD")
    assert "What to do" in long
    with pytest.raises(MCPError, match="there is no tool 'forgot'"):
        await alice.call_tool("forgot", {})


async def test_secrets_are_taken_out_and_the_answer_says_so(alice: Client) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    reply = await answered(alice, "remember", content=f"the token is {secret} for the build")
    assert "secrets were taken out" in reply
    assert secret not in await answered(alice, "recall", query="token build")
    assert "for the build" in await answered(alice, "recall", query="token build")
