"""Whether two texts that are nearly the same say the same."""

import pytest
from camillo_server.across.context.rendering import comparable
from camillo_server.features.compaction.groups import Pairs
from camillo_server.lib.text.substance import differ, substance

from tests.cases import each_case
from tests.unit.compaction.memories import memories

# More than sixty words around what differs.
AROUND = (
    "the board agreed in the spring that {} and that the rent is paid quarterly in advance while the deposit stays "
    "with the notary"
    " and the loading bay may be used by the neighbours at night and the roof has to be repaired by the owner of the "
    "building at his"
    " own expense and the keys are handed over to the caretaker of the north entrance on the last working day of the "
    "month"
)
OTHER = [
    ("the company will renew the lease", "the company will not renew the lease"),
    ("the company will certainly renew the lease", "the company will never renew the lease"),
    ("the lease in Zorroza is renewed", "the lease in Basauri is renewed"),
    ("kim pays the notary and ana signs", "ana pays the notary and kim signs"),
    ("Kim owes Ana the deposit", "Ana owes Kim the deposit"),
    ("the mother calls the father", "the father calls the mother"),
    ("keys are checked before the alarm is set", "keys are checked after the alarm is set"),
    ("first stop the pump, then close the valve", "first close the valve, then stop the pump"),
    ("the service should enable retries", "the service should disable retries"),
    ("Ben is allergic to nuts", "Ben is not allergic to nuts"),
    ("staging is upgraded on a weekday", "production is upgraded on a weekday"),
    ("the door on the left is locked", "the door on the right is locked"),
    ("visitors must sign the book", "visitors may sign the book"),
    ("visitors sign the book", "visitors probably sign the book"),
    ("visitors sign the book", "only visitors sign the book"),
    ("the rent is 40 euro", "the rent is 14 euro"),
    ("the rent is 1.5 percent", "the rent is 15 percent"),
    ("the limit is -5 degrees", "the limit is 5 degrees"),
    ("the limit is < 8 degrees", "the limit is > 8 degrees"),
    ("it runs if ready", "it runs if !ready"),
    ("the check passed ✅", "the check passed ❌"),
    ("der Vertrag wird verlängert", "der Vertrag wird nicht verlängert"),
    ("der Schlüssel liegt oben im Schrank", "der Schlüssel liegt unten im Schrank"),
    ("le bail est reconduit", "le bail n'est pas reconduit"),
    ("la luz se enciende antes de la alarma", "la luz se enciende después de la alarma"),
    ("договор продлён", "договор не продлён"),
    ("свет включают до сигнала", "свет включают после сигнала"),
    ("租约会续签", "租约不会续签"),
    ("门在左边锁着", "门在右边锁着"),
    ("契約は更新される", "契約は更新されない"),
    ("يتم تجديد العقد", "لا يتم تجديد العقد"),
    ("अनुबंध नवीनीकृत होगा", "अनुबंध नवीनीकृत नहीं होगा"),
    ("החוזה יחודש", "החוזה לא יחודש"),
    ("계약은 갱신된다", "계약은 갱신되지 않는다"),
]


@each_case(("one", "other"), OTHER)
def test_what_differs_decides_in_short_texts_and_in_long_ones(one: str, other: str) -> None:
    for template in ("{}", AROUND):
        mine, theirs = template.format(one), template.format(other)
        assert differ(mine, theirs), template
        assert differ(theirs, mine), template
        assert substance(comparable(mine)) != substance(comparable(theirs)), template


@each_case(
    ("one", "other"),
    [
        ("{}", "{}"),
        ("{}", "{}."),
        ("{}", "  {}\n"),
        ("{}, it said", "{} it said!"),
        ("Note: {}", "note - {}"),
        ("({})", "“{}”"),
        ("**{}**", "{}"),
    ],
)
def test_marks_case_and_spaces_decide_nothing(one: str, other: str) -> None:
    text = AROUND.format("Kim pays -5.50 euro, as agreed")
    mine, theirs = one.format(text), other.format(text)
    assert substance(comparable(mine)) == substance(comparable(theirs))
    assert not differ(mine, theirs)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The user prefers dark mode in the editor", "User prefers dark mode in the editor."),
        (
            "Because of her new job, Anna moved from Lisbon to Berlin",
            "Anna moved from Lisbon to Berlin because of her new job",
        ),
        ("会议改到周五下午三点", "会议改到周五下午三点。"),
    ],
)
def test_the_same_told_otherwise_may_be_put_together(one: str, other: str) -> None:
    assert not differ(one, other)
    assert not differ(other, one)


def test_a_question_is_no_statement() -> None:
    one, other = AROUND.format("Kim pays"), AROUND.format("Kim pays") + "?"
    assert differ(one, other)
    assert substance(comparable(one)) != substance(comparable(other))


def test_no_two_of_a_group_differ() -> None:
    found = memories(["Kim eats fish", "Kim eats fish and eggs today", "Kim eats fish and milk today"])
    assert not differ(found[0].content, found[1].content)
    assert not differ(found[0].content, found[2].content)
    assert Pairs(9).agreeing([0, 1, 2], found) == [0, 1]
    # Beyond the bound only what is equal agrees.
    assert Pairs(0).agreeing([0, 1, 2], found) == [0]
    assert Pairs(0).agreeing([0, 1], memories(["Same", "Same"])) == [0, 1]


def test_hostile_texts_are_compared_in_no_time() -> None:
    hostile = ("a " * 1_000, "a b " * 500, "1." * 1_000, "不" * 2_000, "\u0301" * 2_000, "-! " * 700)
    for one in hostile:
        for other in hostile:
            differ(one, other)
