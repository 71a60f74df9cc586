"""How the chat server answers who asks it to judge pairs of memories."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from tests.chat_server import Answer, ChatServer

Pair = Mapping[str, Any]


def verdict(
    pair: Pair, verdict: str = "supersedes", current: str | None = "later", reason: str = "換"
) -> dict[str, Any]:
    """One object of an answer."""
    return {"pair": pair["pair"], "verdict": verdict, "current": current, "reason": reason}


def judges(judge: Callable[[Pair], Mapping[str, Any]] = verdict) -> Answer:
    """An answer in the right form, with what this says of each pair."""

    def answer(handler: Any, pairs: list[Any]) -> None:
        handler.complete(json.dumps({"verdicts": [judge(pair) for pair in pairs]}))

    return answer


def texts(provider: ChatServer) -> list[tuple[str, str]]:
    """The texts of all pairs that were asked about: the earlier and the later."""
    asked: list[Any] = [pair for request in provider.notes for pair in request]
    return [(pair["earlier"]["text"], pair["later"]["text"]) for pair in asked]
