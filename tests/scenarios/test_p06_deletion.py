"""Point 6: what was forgotten is in no answer, table or cache, after a rebuild and a restart too; it cannot come back
however it is written, and the block outlives everything; a paraphrase passes."""

from collections.abc import Callable

import pytest
from camillo.v1.lifecycle_pb2 import Receipt
from camillo.v1.memory_pb2 import ARCHIVED_FILTER_INCLUDE, SOURCE_EVENT, SOURCE_MEMORY, ForgetReceipt, MemoryFilter
from camillo_client import AsyncCamillo, new_event
from camillo_client.errors import ValueRejected
from camillo_server.kernel.scope import Role

from tests.postgres_fixtures import TestDatabase
from tests.rpc.test_secrets import CONTROL, stored_texts
from tests.scenarios.conftest import settled
from tests.server_fixtures import Server, StartServer

GONE = "quicksilver"
FORGOTTEN = f"Das Bootshaus öffnet sich mit {GONE}, 每天早上 🛶."
PARAPHRASE = f"Wer {GONE} sagt, kommt morgens ins Bootshaus."
KEPT = f"Am Bootshaus wächst die {CONTROL}, 每天早上 🛶."
LEXICAL = {"embedding_model": "lexical", "embedding_dimensions": None}
CENTURY_SECONDS = 100 * 365 * 86_400.0
SPELLINGS: dict[str, Callable[[str], str]] = {
    "as it was": str,
    "in capitals": str.upper,
    "with other white space": lambda text: "\u3000".join(text.split()) + "\n",
    "without punctuation": lambda text: text.replace(",", "").rstrip("."),
    "with invisible characters": "\u200b".join,
    "with soft hyphens": lambda text: text.replace("oo", "o\u00ado"),
    "with marks of direction": lambda text: f"\u202e{text}\u202c",
    "in wide letters": lambda text: "".join(chr(ord(each) + 0xFEE0) if "!" <= each <= "~" else each for each in text),
    "with letters that look alike": lambda text: text.translate(str.maketrans("aceo", "асео")),
    "inside a longer text": lambda text: f"Was ich noch sagen wollte: ja. {text} Bis bald.",
}


async def tell(alice: AsyncCamillo) -> str:
    """The id of a memory, which rests on an event, has a history, and on which a summary rests."""
    event = await alice.events.record(f"ida: {GONE} war das Wort", session_id="s", actor="human:i")
    await alice.events.record(f"ida: die {CONTROL} blüht", session_id="s", actor="human:i")
    first = await alice.remember(f"Das Wort war {GONE}.", source_refs=[event.event_id])
    await alice.update(first.memory_id, 1, content=FORGOTTEN)
    await alice.remember(f"Zum Bootshaus: {GONE}!", kind="summary", source_refs=[first.memory_id])
    await alice.remember(KEPT)
    return first.memory_id


async def answers(client: AsyncCamillo) -> str:
    """Everything that the server tells of the scope."""
    both = [SOURCE_MEMORY, SOURCE_EVENT]
    found = await settled(lambda: client.recall(f"{GONE} {CONTROL} Bootshaus", sources=both))
    # A bundle tells the words that it was asked for.
    bundle = await client.context.bundle(f"{CONTROL} Bootshaus", session_id="s")
    lists = [
        [str(each) async for each in told]
        for told in (
            client.list_memories(MemoryFilter(archived=ARCHIVED_FILTER_INCLUDE)),
            client.export(),
            client.events.list(),
            client.lifecycle.receipts(),
        )
    ]
    return "\n".join([str(found), str(bundle), *(line for told in lists for line in told)])


async def test_nothing_of_it_is_left_anywhere(server: Server, alice: AsyncCamillo, start_server: StartServer) -> None:
    memory_id = await tell(alice)
    for word in (GONE, CONTROL):
        assert word in await answers(alice)
        assert word in stored_texts(server.database).casefold()
    answer = await alice.forget([memory_id], include_events=True)
    assert_told(answer.receipt)
    await assert_only_the_control_is_there(alice, server.database)
    assert (await alice.events.rebuild_chunks()).made == 1
    await assert_only_the_control_is_there(alice, server.database)
    key = server.new_key("alice", Role.WRITER)
    for cache in ({}, {"cache_bytes": 0}):
        restarted = await start_server(memory=LEXICAL, retrieval=cache)
        async with restarted.client(key) as client:
            await assert_only_the_control_is_there(client, server.database)
    [receipt] = [each async for each in alice.lifecycle.receipts()]
    assert same(receipt, answer.receipt)


def assert_told(receipt: ForgetReceipt) -> None:
    """Each store that held something of it; the values are its own, that of its first version and the summary's."""
    rows = {each.store: each.rows for each in receipt.stores}
    assert rows["memories"] == 2
    assert rows["memory_history"] == 1
    assert rows["memory_vectors"] == 2
    assert rows["events"] == 1
    assert rows["chunks"] == 1
    assert receipt.blocked_values == 3


def same(kept: Receipt, told: ForgetReceipt) -> bool:
    return (kept.receipt_id, kept.blocked_values, [*kept.stores]) == (
        told.receipt_id,
        told.blocked_values,
        [*told.stores],
    )


async def assert_only_the_control_is_there(client: AsyncCamillo, database: TestDatabase) -> None:
    told, stored = await answers(client), stored_texts(database).casefold()
    assert (GONE in told, GONE in stored) == (False, False)
    assert (CONTROL in told, CONTROL in stored) == (True, True)


async def refused_ways(alice: AsyncCamillo, text: str) -> int:
    """The number of ways, out of three, that refuse the text as one that was forgotten."""
    event = new_event(text, session_id="s", actor="human:i")
    refused = 0
    try:
        await alice.remember(text)
    except ValueRejected:
        refused += 1
    try:
        await alice.events.record(text, session_id="s", actor="human:i")
    except ValueRejected:
        refused += 1
    return refused + isinstance((await alice.events.record_many([event]))[0], ValueRejected)


async def test_it_cannot_come_back_in_a_hundred_years_and_what_was_kept_can_be_said_again(
    server: Server, alice: AsyncCamillo
) -> None:
    memory_id = await tell(alice)
    await alice.forget([memory_id])
    server.clock.move(CENTURY_SECONDS)
    await alice.lifecycle.maintain()
    for name, spelled in SPELLINGS.items():
        assert await refused_ways(alice, spelled(FORGOTTEN)) == 3, name
        assert await refused_ways(alice, spelled(KEPT)) == 0, name


async def test_a_paraphrase_passes_and_a_block_that_is_lifted_is_none(alice: AsyncCamillo, server: Server) -> None:
    memory_id = await tell(alice)
    await alice.forget([memory_id])
    await alice.remember(PARAPHRASE)
    with pytest.raises(ValueRejected):
        await alice.remember(FORGOTTEN)
    async with server.client(server.keys.admin) as admin:
        assert await admin.lifecycle.lift(FORGOTTEN.upper(), agent_id="alice") == 1
    assert (await alice.remember(FORGOTTEN)).content == FORGOTTEN


async def test_who_says_so_may_state_it_again(alice: AsyncCamillo) -> None:
    memory_id = await tell(alice)
    await alice.forget([memory_id], allow_restating=True)
    assert (await alice.remember(FORGOTTEN)).memory_id != memory_id
