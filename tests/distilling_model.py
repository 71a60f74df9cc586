"""How the chat server answers who asks it what a conversation tells: well, and in each way in which models do badly."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from bench.distillation.statements import Item, statement
from tests.chat_server import Answer

Told = Mapping[str, Any]


class ToldTurn(NamedTuple):
    """A turn as the model is told."""

    label: str
    speaker: str
    text: str


def told_turns(told: Told) -> Sequence[ToldTurn]:
    """The turns of a request."""
    return [ToldTurn(*turn) for day in told["days"] for turn in day["turns"]]


def stated(turn: ToldTurn, text: str, quote: str = "", **fields: Any) -> Item:
    """One object of an answer: a new fact, quoted from the turn."""
    return statement(turn.label, turn.speaker, text, [quote or turn.text], **fields)


def restated(turn: ToldTurn) -> Iterator[Item]:
    """The turn as it is, behind the name of who said it."""
    yield stated(turn, f"{turn.speaker}: {turn.text}")


def repeated(turn: ToldTurn) -> Iterator[Item]:
    """The words of the turn and nothing else."""
    yield stated(turn, turn.text)


def answer_of(items: Sequence[Item]) -> str:
    """The text of an answer."""
    return json.dumps({"statements": items}, ensure_ascii=False)


def states(state: Callable[[ToldTurn], Iterator[Item]] = restated) -> Answer:
    """An answer in the right form, with what this says of each turn."""

    def answer(handler: Any, told: Any) -> None:
        items = [item for turn in told_turns(told) for item in state(turn)]
        handler.complete(answer_of(items))

    return answer


def supersedes(handler: Any, told: Any) -> None:
    """Each turn supersedes the memory that was shown first."""
    memory = told["memories"][0][0]
    items = [stated(turn, turn.text, operation="supersede", memory=memory) for turn in told_turns(told)]
    handler.complete(answer_of(items))


def invents(turn: ToldTurn) -> Iterator[Item]:
    """Something that nobody said."""
    yield stated(turn, f"{turn.speaker} owes 132 euros to Zebulon")


def invents_quote(turn: ToldTurn) -> Iterator[Item]:
    """Something that nobody said, with words for it."""
    yield stated(turn, f"{turn.speaker} owes 132 euros to Zebulon", "I owe 132 euros to Zebulon")


def names_wrong_speaker(turn: ToldTurn) -> Iterator[Item]:
    """The words of one as those of another."""
    item = stated(turn, f"Zebulon: {turn.text}", subject="Zebulon")
    item["evidence"][0]["speaker"] = "Zebulon"
    yield item


def names_wrong_event(turn: ToldTurn) -> Iterator[Item]:
    """An event that was not sent."""
    item = stated(turn, f"{turn.speaker}: {turn.text}")
    item["evidence"][0]["event"] = "ffffffff"
    yield item


def names_wrong_memory(turn: ToldTurn) -> Iterator[Item]:
    """A memory that was not sent."""
    yield stated(turn, f"{turn.speaker}: {turn.text}", operation="supersede", memory="ffffffff")


def orders(turn: ToldTurn) -> Iterator[Item]:
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
