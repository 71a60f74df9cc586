"""The program by which the suite of all clients drives this one."""

from __future__ import annotations

import pytest
from clients.python.conformance.commands import Commands
from grpc.aio import UsageError

CONNECT = {"id": 1, "do": "connect", "client": "a", "address": "localhost:1"}


async def test_a_client_of_the_same_name_takes_the_place_of_the_former() -> None:
    """A scenario that ends early leaves its own behind."""
    commands = Commands()
    assert await commands.answer(CONNECT) == {"id": 1, "ok": None}
    former = commands._clients["a"]
    await commands.answer(CONNECT)
    with pytest.raises(UsageError, match="closed"):
        await former.who_am_i()
    await commands.close()


@pytest.mark.parametrize(
    "command",
    [
        {"do": "call", "client": "a", "method": 7},
        {"do": "call", "client": "a", "method": "camillo.v1.MemoryService/Recall", "request": 7},
        {"do": "connect", "client": "b", "address": 7},
        {"do": ["connect"]},
        {},
    ],
)
async def test_whatever_is_wrong_with_a_command_is_answered(command: dict[str, object]) -> None:
    commands = Commands()
    await commands.answer(CONNECT)
    answer = await commands.answer({"id": 2, **command})
    assert answer["id"] == 2
    assert answer["error"]["code"] == "RUNNER"
    await commands.close()
