"""Promises of the store: what the framework's own does, exact messages, conflicts, cancellation, deletion."""

from __future__ import annotations

import asyncio
import os
import random
import threading
from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic_ai.conversation import Conversation
from pydantic_ai.conversation_store import (
    ConversationConflict,
    ConversationEntry,
    ConversationRecord,
    ConversationStore,
    InMemoryConversationStore,
)
from pydantic_ai.exceptions import UserError
from pydantic_ai.messages import (
    BinaryContent,
    BinaryImage,
    ImageUrl,
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.tools import DeferredToolRequests
from pydantic_ai.usage import RequestUsage, RunUsage

from camillo_client import Camillo
from camillo_client.errors import SlotNotFound
from camillo_pydantic_ai import CamilloConversationStore

SEEDS = int(os.environ.get("CAMILLO_TEST_CONVERSATION_SEEDS", "3"))
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
PIXEL = bytes(range(256)) * 4
MESSAGES: list[ModelMessage] = [
    ModelRequest(
        parts=[
            SystemPromptPart("Be brief.", timestamp=NOON),
            UserPromptPart(
                [
                    "Кошка, 猫, قطة 🐈\u2028two\x00",
                    BinaryImage(PIXEL, media_type="image/png"),
                    BinaryContent(PIXEL, media_type="application/pdf"),
                    ImageUrl("https://a.example/b"),
                ],
                timestamp=NOON,
            ),
        ],
        instructions="Answer.",
        run_id="r1",
        metadata={"n": 1, "x": [None, 0.1]},
    ),
    ModelResponse(
        parts=[
            ThinkingPart("hm", id="t1", signature="c2ln", provider_name="anthropic"),
            TextPart("It is a cat."),
            ToolCallPart("look", {"n": 1.0, "b": 2, "deep": {"a": [1, {"c": None}]}}, tool_call_id="c1"),
            ToolCallPart("look", '{"n":  1.0}', tool_call_id="c2"),
        ],
        usage=RequestUsage(input_tokens=3, output_tokens=5, details={"reasoning_tokens": 2}),
        model_name="m",
        timestamp=NOON,
        provider_details={"raw": {"a": 1}},
        provider_response_id="p1",
        finish_reason="tool_call",
    ),
    ModelRequest(
        parts=[
            ToolReturnPart("look", {"rows": [1, 2.5, "é"]}, tool_call_id="c1", metadata={"k": "v"}, timestamp=NOON),
            ToolReturnPart("look", PIXEL.hex(), tool_call_id="c2", timestamp=NOON),
        ]
    ),
    ModelResponse(parts=[TextPart("")], timestamp=NOON),
]


@pytest.fixture
def store(camillo: Camillo) -> CamilloConversationStore:
    return CamilloConversationStore(camillo)


def request_of(text: str) -> ModelRequest:
    return ModelRequest(parts=[UserPromptPart(text, timestamp=NOON)])


def chat(*texts: str, name: str = "c") -> Conversation:
    return Conversation(conversation_id=name, messages=[request_of(text) for text in texts])


def dumped(messages: list[ModelMessage]) -> bytes:
    return ModelMessagesTypeAdapter.dump_json(messages)


def texts_of(conversation: Conversation | None) -> list[Any]:
    assert conversation is not None
    return [message.parts[0].content for message in conversation.messages]  # type: ignore[union-attr]


async def test_a_conversation_comes_back_as_it_was(store: CamilloConversationStore) -> None:
    asked = DeferredToolRequests(
        approvals=[ToolCallPart("pay", {"sum": 3}, tool_call_id="c9")], metadata={"c9": {"why": "large"}}
    )
    usage = RunUsage(requests=2, tool_calls=3, input_tokens=7, details={"reasoning_tokens": 1})
    kept = Conversation(conversation_id="c/1 ü", messages=MESSAGES, usage=usage, deferred_tool_requests=asked)
    entries = await store.save(kept, scope="ada")
    back = await store.load("c/1 ü", scope="ada")
    assert back is not None
    assert back == kept
    assert dumped(back.messages) == dumped(MESSAGES)
    assert await store.load_entries("c/1 ü") == entries
    assert await store.load("c/1 ü", scope="eve") is None
    assert texts_of(await store.load("c/1 ü", limit=1)) == [""]


async def test_long_messages_and_long_conversations_are_kept_whole(
    store: CamilloConversationStore, camillo: Camillo
) -> None:
    noise = random.Random(1).randbytes(400_000)
    picture = ModelRequest(parts=[UserPromptPart([BinaryImage(noise, media_type="image/png")], timestamp=NOON)])
    many: list[ModelMessage] = [picture, *(request_of(f"message {number}") for number in range(60)), picture]
    kept = Conversation(conversation_id="long", messages=many)
    await store.save(kept)
    back = await CamilloConversationStore(camillo).load("long")
    assert back is not None
    assert dumped(back.messages) == dumped(many)
    artifacts = list(camillo.artifacts.list())
    assert len(artifacts) == 2
    await store.delete("long")
    assert list(camillo.artifacts.list()) == []


class Pair:
    """The same calls to both stores; entries and revisions of one stand for those of the other by their order."""

    def __init__(self, own: ConversationStore, other: ConversationStore) -> None:
        self.stores = (own, other)
        self.held: dict[str, list[Conversation]] = {}

    async def call(self, name: str, *arguments: Any, each: Any = None, **named: Any) -> list[Any] | None:
        """The answers; None if both refuse alike."""
        answers = list[Any]()
        for index, store in enumerate(self.stores):
            own = {} if each is None else each(index)
            try:
                answers.append(await getattr(store, name)(*arguments, **named, **own))
            except (ConversationConflict, UserError) as error:
                answers.append(type(error))
        refused = [answer for answer in answers if isinstance(answer, type)]
        assert len(refused) in (0, 2), answers
        assert len(set(refused)) < 2, answers
        return None if refused else answers


@pytest.mark.parametrize("seed", range(SEEDS))
async def test_random_changes_do_what_they_do_in_the_frameworks_own_store(
    seed: int, store: CamilloConversationStore
) -> None:
    chance, pair = random.Random(seed), Pair(store, InMemoryConversationStore())
    names, held = ["a", "b", "c"], dict[str, list[Conversation]]()
    for number in range(25):
        name = chance.choice(names)
        if name not in held or chance.random() < 0.1:
            held[name] = [Conversation(conversation_id=name) for _ in pair.stores]
        copies = held[name]
        at = {"at": chance.randint(0, 5)}
        scope = {"scope": chance.choice([None, None, "ada", "eve"])}
        match chance.choice(["save", "save", "save", "load", "rewrite", "branch", "back", "fork", "delete"]):
            case "save":
                added = [request_of(f"{number}.{index}") for index in range(chance.randint(0, 3))]
                for copy in copies:
                    copy.messages.extend(added)
                saved = await pair.call("save", each=lambda i, c=copies: {"conversation": c[i]}, **scope)
                assert saved is None or len(saved[0]) == len(saved[1])
            case "rewrite":
                # Without the messages at a place, as compaction leaves a history.
                for copy in copies:
                    copy.messages[1:2] = [request_of(f"{number} instead")]
                await pair.call("save", each=lambda i, c=copies: {"conversation": c[i]})
            case "load":
                loaded = await pair.call("load", name, limit=chance.choice([None, None, 0, 1, 3]), **scope)
                if loaded and loaded[0] is not None:
                    held[name] = loaded
            case "branch":
                branched = await pair.call(
                    "branch", name, **at, each=lambda i, c=copies: {"expected_revision": c[i].revision}
                )
                held[name] = branched or copies
            case "back":
                records = await pair.call("read_record", name)
                if records and records[0] is not None and records[0].branches:
                    tip = chance.randrange(len(records[0].branches))
                    held[name] = (
                        await pair.call(
                            "branch",
                            name,
                            each=lambda i, r=records, t=tip: {
                                "from_entry": r[i].branches[t],
                                "expected_revision": r[i].revision,
                            },
                        )
                        or copies
                    )
            case "fork":
                new = chance.choice(names)
                forked = await pair.call("fork", name, **chance.choice([{}, at]), new_conversation_id=new)
                held[new] = forked or held.get(new, copies)
                if forked is None:
                    held.pop(new)
            case "delete":
                await pair.call("delete", name, **scope)
        await _compare(pair, names)


async def _compare(pair: Pair, names: list[str]) -> None:
    listed = await pair.call("list_conversations")
    assert listed is not None
    mine, other = ([(each.conversation_id, each.scope, each.forked_from) for each in records] for records in listed)
    assert mine == other
    for records in zip(*listed, strict=True):
        assert len(records[0].branches) == len(records[1].branches)
        for heads in zip(*([each.head_id, each.forked_at, *each.branches] for each in records), strict=True):
            own, others = [await store.read_history(head) for store, head in zip(pair.stores, heads, strict=True)]
            assert dumped([each.message for each in own]) == dumped([each.message for each in others])
            assert [each.parent_id for each in own] == [None, *(each.id for each in own)][: len(own)]


async def test_of_several_writers_with_one_revision_one_wins_and_nothing_of_the_others_is_left(
    store: CamilloConversationStore, camillo: Camillo
) -> None:
    await store.save(chat("first"))
    copies = [await CamilloConversationStore(camillo).load("c") for _ in range(5)]
    for index, copy in enumerate(copies):
        assert copy is not None
        # More than fit in one transaction.
        copy.messages.extend(request_of(f"{index}.{number}") for number in range(45))
    outcomes = await asyncio.gather(*(store.save(copy) for copy in copies if copy), return_exceptions=True)
    conflicts = [isinstance(outcome, ConversationConflict) for outcome in outcomes]
    assert sorted(conflicts) == [False, True, True, True, True], outcomes
    winner = conflicts.index(False)
    assert texts_of(await store.load("c")) == ["first", *(f"{winner}.{number}" for number in range(45))]
    keys = [entry.key for entry in camillo.slots.list("/pydantic-ai/entries", page_size=1000)]
    assert len(keys) == 46


async def test_of_several_first_saves_one_wins(store: CamilloConversationStore) -> None:
    outcomes = await asyncio.gather(*(store.save(chat(str(index))) for index in range(5)), return_exceptions=True)
    assert sum(isinstance(outcome, ConversationConflict) for outcome in outcomes) == 4
    won = next(index for index, outcome in enumerate(outcomes) if isinstance(outcome, list))
    assert texts_of(await store.load("c")) == [str(won)]


async def test_a_cancelled_caller_waits_for_its_save(
    store: CamilloConversationStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, allowed = threading.Event(), threading.Event()
    write = store._log.write

    def slowly(*arguments: Any) -> None:
        started.set()
        assert allowed.wait(60)
        write(*arguments)

    monkeypatch.setattr(store._log, "write", slowly)
    task = asyncio.create_task(store.save(chat("kept")))
    assert await asyncio.to_thread(started.wait, 60)
    task.cancel()
    await asyncio.sleep(0)
    assert not task.done()
    allowed.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert texts_of(await store.load("c")) == ["kept"]


async def test_a_fork_keeps_its_messages_when_its_source_is_deleted(
    store: CamilloConversationStore, camillo: Camillo
) -> None:
    [entry, _] = await store.save(chat("one", "two"))
    await store.fork("c", at=1, new_conversation_id="f")
    assert await store.read_entry(entry.id) == entry
    await store.delete("c")
    assert await store.load("c") is None
    assert texts_of(await store.load("f")) == ["one"]
    assert await store.read_entry(entry.id) == entry
    assert await CamilloConversationStore(camillo).read_entry(entry.id) == entry
    await store.delete("f")
    with pytest.raises(LookupError):
        await store.read_entry(entry.id)
    again = chat("new", name="f")
    await store.save(again)
    assert texts_of(await store.load("f")) == ["new"]


async def test_what_is_deleted_is_gone_and_an_interrupted_deletion_goes_on(
    store: CamilloConversationStore, camillo: Camillo, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store.save(chat("secret plan"))
    await store.save(chat("secret plan", name="other"))
    with monkeypatch.context() as broken:
        broken.setattr(store._log, "sweep", lambda conversation_id: None)
        await store.delete("c")
    assert len(list(camillo.slots.list("/pydantic-ai/entries"))) == 2
    assert await store.load("c") is None
    await store.delete("c")
    [left] = camillo.slots.list("/pydantic-ai/entries")
    assert "/=other/" in left.key
    assert texts_of(await store.load("other")) == ["secret plan"]
    await store.delete("never saved")


async def test_a_record_whose_entries_are_nowhere_is_refused(store: CamilloConversationStore) -> None:
    with pytest.raises(ConversationConflict):
        await store.write_record(ConversationRecord(conversation_id="x", head_id="nowhere"), expected_revision=None)
    with pytest.raises(LookupError):
        await store.read_history("nowhere")
    entry = ConversationEntry(parent_id=None, message=request_of("here"))
    record = ConversationRecord(conversation_id="x", head_id=entry.id)
    await store.write_record(record, new_entries=[entry], expected_revision=None)
    assert await store.read_record("x") == record


async def test_conversations_are_in_no_recall_and_in_no_other_space(
    store: CamilloConversationStore, camillo: Camillo, user: str
) -> None:
    await store.save(chat("The cat is called Minka"))
    camillo.remember("The dog is called Rex")
    found = [hit.text for hit in camillo.recall("what are the cat and the dog called?").hits]
    assert found == ["The dog is called Rex"]
    assert await CamilloConversationStore(camillo.for_user(f"{user}-other")).load("c") is None
    with pytest.raises(SlotNotFound):
        camillo.slots.get("/pydantic-ai/records/=nobody")
