"""A memory says something that can be seen, whatever the script, whichever way it comes."""

from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import run_service_pb2 as runs

from tests.rpc.memories.calls import remember
from tests.rpc.memories.test_update import update
from tests.rpc.runs.calls import start
from tests.rpc.stating import called, imported, remembered, remembered_in_a_batch, updated
from tests.server_fixtures import Caller, Refusal, Server

REFUSED = "must contain a visible character"


async def kept_of_a_run(caller: Caller, text: str) -> Refusal | None:
    run_id = await start(caller)
    memories = [pb.NewMemory(content=text)]
    return await called(caller, runs.EndRunRequest(run_id=run_id, memories=memories))


WAYS: dict[str, tuple[Callable[[Caller, str], Awaitable[Refusal | None]], str]] = {
    "Remember": (remembered, "memory.content"),
    "BatchRemember": (remembered_in_a_batch, "memories[1].content"),
    "ImportMemories": (imported, "memory.content"),
    "UpdateMemory": (updated, "memory.content"),
    "EndRun": (kept_of_a_run, "memories[0].content"),
}
BLANK = {
    "spaces": "  \t\r\n\u00a0\u2003\u3000",
    "zero width": "\u200b\u200c\u200d\u2060\ufeff",
    "directions": "\u200e\u200f\u202a\u202c\u2066\u2069\u061c",
    "controls": "\x01\x1b\x7f\x85",
    "variation selectors": "\ufe0f\U000e0100",
    "a grapheme joiner": "\u034f",
    "fillers": "\u115f\u1160\u3164\uffa0\u2800",
    "tags": "\U000e0041\U000e007f",
    "a soft hyphen": "\u00ad",
}
VISIBLE = {
    "Chinese": "\u3000茶\u200b",
    "Arabic": "\u200f\u202bشاي\u202c",
    "Hebrew": "\u2067תה\u2069",
    "Devanagari": "\u200dच\u093e\u092f",
    "Hangul": "\u3164차",
    "a mark alone": " \u0301",
    "an Arabic number sign": "\u0600",
    "an emoji of several": "\u200d\U0001f469\u200d\U0001f680\ufe0f",
    "punctuation": "\n\n.",
    "a private character": "\ue000",
    "a character of a later Unicode": "\U00032000",
    "behind many": "\u200b" * 1_999 + "x",
}


@pytest.mark.parametrize("way", WAYS)
async def test_a_blank_memory_is_refused_in_every_way(server: Server, way: str) -> None:
    state, field = WAYS[way]
    for name, text in BLANK.items():
        told = await state(server.alice, text)
        assert told is not None, name
        assert (told.code, told.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD"), name
        assert told.fields == (field,), name
    for name, text in VISIBLE.items():
        assert await state(server.alice, text) is None, name


async def test_the_refusal_says_what_is_missing(server: Server) -> None:
    request = service.RememberRequest(memory=pb.NewMemory(content="\u200b"))
    with pytest.raises(grpc.aio.AioRpcError, match=REFUSED):
        await server.alice(request)


async def test_a_text_is_stored_with_what_is_invisible_in_it(server: Server) -> None:
    for text in VISIBLE.values():
        assert (await remember(server.alice, text)).content == text


async def test_a_change_of_other_fields_does_not_ask_for_the_text(server: Server) -> None:
    stored = await remember(server.alice, "tea")
    fields: dict[str, Any] = {"tags": ["drinks"]}
    changed = (await server.alice(update(stored.memory_id, 1, **fields))).memory
    assert (changed.content, list(changed.tags)) == ("tea", ["drinks"])
