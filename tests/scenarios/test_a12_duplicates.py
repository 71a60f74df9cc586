"""A12: what was said again and again stands in a bundle once, with refs to all, and costs what one costs."""

from collections.abc import Sequence

from camillo.v1.context_pb2 import Bundle
from camillo_client import AsyncCamillo
from camillo_client.event_fields import tool_result

from tests.scenarios.bundles import all_items
from tests.scenarios.conftest import AsAgent, settled

SAID = "The ferry to the outer islands leaves at 06:40 from the north pier."
NEAR = ("the ferry to the outer islands  leaves at 06:40\nfrom the NORTH pier.", SAID.upper())
FILE = "\n".join(f"stop {number}: island {number * 3}" for number in range(60))
QUESTION = "When does the ferry leave, and at which stop is island 42?"


async def say(client: AsyncCamillo, texts: Sequence[str], reads: int) -> list[str]:
    ids = [(await client.events.record(text, session_id="s", actor="human:ann")).event_id for text in texts]
    for number in range(reads):
        result = tool_result("read_file", FILE, path="stops.txt", call_id=str(number))
        recorded = await client.events.record(session_id="s", actor="tool:read_file", tool_result=result)
        ids.append(recorded.event_id)
    return ids


def showing(bundle: Bundle, words: str) -> list[Sequence[str]]:
    return [item.refs for item in all_items(bundle) if words in item.text.casefold()]


async def test_a_bundle_carries_content_once_with_refs_to_all(alice: AsyncCamillo) -> None:
    repeated = await say(alice, [SAID] * 5 + list(NEAR), reads=10)
    bundle = await settled(lambda: alice.context.bundle(QUESTION))
    [refs] = showing(bundle, "outer islands")
    assert set(repeated[:7]) <= set(refs)
    [refs] = showing(bundle, "stop 14: island 42")
    assert set(repeated[7:]) <= set(refs)


async def test_repeats_cost_no_more_than_one(agent: AsAgent) -> None:
    often, once = await agent("often"), await agent("once")
    await say(often, [SAID] * 5 + list(NEAR), reads=10)
    await say(once, [SAID], reads=1)
    many = await settled(lambda: often.context.bundle(QUESTION, session_id="s"))
    one = await settled(lambda: once.context.bundle(QUESTION, session_id="s"))
    assert abs(many.tokens - one.tokens) <= 0.01 * one.tokens
