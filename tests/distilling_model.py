"""How the chat server answers who asks it what a conversation tells: well, and in each way in which models do badly."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from tests.chat_server import TOKENS, Answer

Told = Mapping[str, Any]


class ToldTurn(NamedTuple):
    """A turn as the model is told."""

    label: str
    speaker: str
    text: str


def told_turns(told: Told) -> Sequence[ToldTurn]:
    """The turns of a request."""
    return [ToldTurn(*turn) for day in told["days"] for turn in day["turns"]]


def stated(turn: ToldTurn, text: str, quote: str = "", **fields: Any) -> dict[str, Any]:
    """One object of an answer: a new fact, quoted from the turn."""
    return {
        "operation": "add",
        "memory": None,
        "record": "memory",
        "kind": "fact",
        "text": text,
        "subject": turn.speaker,
        "names": [],
        "confidence": 0.9,
        "valid_from": None,
        "valid_until": None,
        "evidence": [{"event": turn.label, "speaker": turn.speaker, "quote": quote or turn.text}],
        **fields,
    }


def restated(turn: ToldTurn) -> Iterator[dict[str, Any]]:
    """The turn as it is, behind the name of who said it."""
    yield stated(turn, f"{turn.speaker}: {turn.text}")


def answer_of(items: Sequence[Mapping[str, Any]]) -> str:
    """The text of an answer."""
    return json.dumps({"statements": items}, ensure_ascii=False)


def states(state: Callable[[ToldTurn], Iterator[Mapping[str, Any]]] = restated, tokens: int = TOKENS) -> Answer:
    """An answer in the right form, with what this says of each turn, at the price of so many tokens."""

    def answer(handler: Any, told: Any) -> None:
        items = [item for turn in told_turns(told) for item in state(turn)]
        handler.complete(answer_of(items), tokens)

    return answer


def invents(turn: ToldTurn) -> Iterator[dict[str, Any]]:
    """Something that nobody said."""
    yield stated(turn, f"{turn.speaker} owes 132 euros to Zebulon")


def invents_quote(turn: ToldTurn) -> Iterator[dict[str, Any]]:
    """Something that nobody said, with words for it."""
    yield stated(turn, f"{turn.speaker} owes 132 euros to Zebulon", "I owe 132 euros to Zebulon")


def names_wrong_speaker(turn: ToldTurn) -> Iterator[dict[str, Any]]:
    """The words of one as those of another."""
    item = stated(turn, f"Zebulon: {turn.text}", subject="Zebulon")
    item["evidence"][0]["speaker"] = "Zebulon"
    yield item


def names_wrong_event(turn: ToldTurn) -> Iterator[dict[str, Any]]:
    """An event that was not sent."""
    item = stated(turn, f"{turn.speaker}: {turn.text}")
    item["evidence"][0]["event"] = "ffffffff"
    yield item


def names_wrong_memory(turn: ToldTurn) -> Iterator[dict[str, Any]]:
    """A memory that was not sent."""
    yield stated(turn, f"{turn.speaker}: {turn.text}", operation="supersede", memory="ffffffff")


def orders(turn: ToldTurn) -> Iterator[dict[str, Any]]:
    """States what was said as an instruction for the agent."""
    yield stated(turn, f"{turn.speaker}: {turn.text}", kind="instruction")


def is_cut(handler: Any, told: Any) -> None:
    """Ends in the middle of the last statement, and does not say so."""
    whole = answer_of([item for turn in told_turns(told) for item in restated(turn)])
    handler.complete(whole[: -len('"}]}]}') - 3])


def leaks(handler: Any, told: Any) -> None:
    """Repeats its instructions in a statement."""
    instructions = handler.state.bodies[-1]["messages"][0]["content"]
    handler.complete(answer_of([stated(turn, instructions) for turn in told_turns(told)]))
