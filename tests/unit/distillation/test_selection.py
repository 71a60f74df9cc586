"""Which turns are sent to a model, and how much of them."""

from collections import Counter

from camillo_server.features.distillation.evidence import GAP
from camillo_server.features.distillation.selection import Limits, passages
from camillo_server.features.distillation.statement import Turn
from camillo_server.kernel.kinds import ActorType

from bench.distillation.said import SAID, Said
from tests.cases import each_case
from tests.unit.distillation.conversations import known, turn


def agent(text: str, number: int = 1) -> Turn:
    return turn("camillo", text, number, speaker=ActorType.AGENT)


def sent(*turns: Turn) -> list[str]:
    """The texts of all turns that are sent."""
    return [each.text for passage in passages(turns, {}).passages for each in passage.turns]


@each_case("said", SAID)
def test_what_people_tell_is_sent_whole(said: Said) -> None:
    assert said.quote in "".join(sent(turn(said.speaker, said.text)))


@each_case(
    "left_out, cause",
    [
        (turn("Ben", "Thanks a lot!"), "small_talk"),
        (turn("Ben", "谢谢"), "small_talk"),
        (turn("Ben", "  \n "), "small_talk"),
        (turn("Ben", "That is so cool!"), "nothing_told"),
        (turn("Ben", "Where do you live?"), "question"),
        (turn("Ben", "你住在哪里？"), "question"),
        (turn("Ben", "```\nname = 'Zoe lives in Porto'\n```"), "nothing_told"),
        (turn("Ben", "> Zoe lives in Porto with 2 cats"), "nothing_told"),
        (turn("shell", "Zoe lives in Porto", speaker=ActorType.TOOL), "tool"),
        (turn("cron", "Zoe lives in Porto", speaker=ActorType.SYSTEM), "tool"),
    ],
)
def test_what_tells_nothing_is_left_out_and_counted(left_out: Turn, cause: str) -> None:
    told = turn("Ben", "I moved to Lisbon.", 2)
    found = passages([left_out, told], {})
    assert [each.text for passage in found.passages for each in passage.turns] == [told.text]
    assert found.left_out == Counter({cause: 1})
    assert found.said_tokens >= found.sent_tokens > 0


def test_a_turn_is_sent_once() -> None:
    same = [turn("Ben", "I moved to Lisbon.", number) for number in range(3)]
    other = turn("Ana", "I moved to Lisbon.", 3)
    found = passages([*same, other], {})
    assert [each for passage in found.passages for each in passage.turns] == [same[0], other]
    assert found.left_out == Counter({"repeated": 2})


def test_what_is_known_is_left_out_and_what_contradicts_it_is_not() -> None:
    moved, did_not = turn("Ben", "I moved to Lisbon.", 1), turn("Ben", "I never moved to Lisbon.", 2)
    memory = known("Ben moved to Lisbon in spring")
    found = passages([moved, did_not], {each.event_id: [memory] for each in (moved, did_not)})
    [passage] = found.passages
    assert (list(passage.turns), list(passage.known)) == ([did_not], [memory])
    assert found.left_out == Counter({"known": 1})


def test_a_short_answer_goes_with_its_question() -> None:
    turns = [agent("I can help with that. Are you allergic to nuts?", 1), turn("Ben", "Yes.", 2)]
    assert "Are you allergic to nuts?" in sent(*turns)[0]
    assert sent(*turns)[1] == "Yes."
    assert sent(turns[1]) == []
    assert sent(agent("Sure.", 1), turns[1]) == []


def test_an_assistant_is_cut_to_its_beginning_and_to_what_it_did() -> None:
    advice = " ".join(f"You could also plant {number} tulips beside the fence in the garden." for number in range(40))
    [text] = sent(agent(f"Here is a plan. {advice} I booked 2 tickets to Lisbon for 90 euros. {advice}"))
    assert text.startswith("Here is a plan. You could also plant 0 tulips")
    assert "I booked 2 tickets" in text
    assert GAP in text
    assert len(text) < 500


def test_code_is_left_out_of_a_turn_and_quotes_do_not_cross_the_gap() -> None:
    code = "```python\n" + "print('Zoe lives in Porto')\n" * 30 + "```"
    told = turn("Ben", f"I wrote this for Acme.\n{code}\nIt runs on port 5432.")
    found = passages([told], {})
    assert sent(told) == [f"I wrote this for Acme.\n{GAP}\nIt runs on port 5432."]
    assert found.left_out == Counter({"shortened": 1})


def test_passages_are_bounded_and_have_the_nearest_memories() -> None:
    turns = [turn("Ben", f"I own {number} bicycles and {number} boats.", number) for number in range(50)]
    memories = {
        each.event_id: [known(f"Ben owns {number} boats", number, cosine=number / 100)]
        for number, each in enumerate(turns)
    }
    limits = Limits(passage_tokens=120, passage_turns=7, passage_known=3)
    found = passages(turns, memories, limits)
    assert [each for passage in found.passages for each in passage.turns] == turns
    assert max(len(passage.turns) for passage in found.passages) == 7
    assert [len(passage.known) for passage in found.passages] == [3] * 7 + [1]
    assert [each.cosine for each in found.passages[0].known] == [0.06, 0.05, 0.04]


def test_a_long_turn_is_cut() -> None:
    told = turn("Ben", " ".join(f"I own {number} bicycles." for number in range(2_000)))
    [text] = sent(told)
    assert told.text.startswith(text)
    assert 1_000 < len(text) < 10_000
