"""Importance of texts by rules, in ten languages."""

import time
from functools import partial

import pytest
from camillo_server.lib.text.speech import ACTION, END, LONGEST_SMALL_TALK, REMEMBER, RULES, USUAL, text_importance

from tests.cases import each_case
from tests.patience import takes_less

importance = partial(text_importance, may_ask=True, actions=False)

TOLD = {
    1.0: [
        "Please remember that I am allergic to nuts.",
        "OK. Remember this: the gate code is on the door",
        "Don't forget my appointment",
        "Merk dir bitte, dass ich keinen Kaffee trinke",
        "Recuerda que soy alérgica",
        "Souviens-toi que je suis végétarien",
        "请记住我对花生过敏",
        "アレルギーがあることを覚えておいて",
        "Запомни, что я не пью кофе",
        "لا تنس موعدي غدا",
        "Lembre-se de que sou alérgica",
        "Não te esqueças da reunião",
        "याद रखना कि मुझे मूँगफली से एलर्जी है",
        "कल की बैठक मत भूलना",
    ],
    0.9: [
        "We decided to use Postgres.",
        "Let's go with green tea",
        "Wir haben uns entschieden",
        "Acordamos pagar mañana",
        "Nous avons décidé de partir",
        "我们决定使用这个方案",
        "この案で決めました",
        "Мы решили подождать",
        "قررنا الانتظار",
        "Decidimos usar o Postgres",
        "Ficou decidido esperar",
        "हमने Postgres का फ़ैसला किया",
        "रुकना तय हुआ",
    ],
    0.85: [
        "The budget was approved by Ana.",
        "Der Antrag ist genehmigt",
        "El plan fue aprobado",
        "Le plan est approuvé",
        "经理批准",
        "部長の承認が必要です",
        "План согласован",
        "حصلنا على موافقة المدير",
        "O orçamento foi aprovado",
        "बजट मंज़ूर हो गया",
        "प्रस्ताव स्वीकृत है",
    ],
    0.8: [
        "It costs $1,250.50 a month",
        "Das kostet 1.250 €",
        "Cuesta 300 euros",
        "一共350元",
        "合計は5,000円です",
        "Это стоит 2500 руб",
        "السعر 120 ريال",
        "Custa 300 reais",
        "São R$ 1.250,50 por mês",
        "कीमत 300 रुपये है",
        "₹ 1,250 देने हैं",
        "USD 40 for both",
    ],
    0.7: ["The build failed again", "ValueError: no tea", "Es gab einen Fehler", "编译错误", "Произошла ошибка", "A compilação falhou", "बिल्ड विफल रहा"],  # noqa: E501
    0.5: ["Where is the pot?", "茶はどこですか？", "The pot stands on the shelf", "أين الشاي؟"],
    0.2: ["Hello!", "Guten Morgen", "Buenos días", "你好！", "こんにちは", "Привет", "مرحبا", "Bonjour !", "Bom dia", "नमस्ते!"],  # noqa: E501
    0.1: ["Thanks!", "ok, got it 👍", "Danke schön", "Muchas gracias", "Merci beaucoup", "好的，谢谢", "ありがとうございます", "Спасибо", "شكرا", "👍", "Muito obrigada!", "धन्यवाद", "ठीक है, शुक्रिया"],  # noqa: E501
}  # fmt: skip
DONE = [
    "We paid the invoice",
    "The report was sent to Ida",
    "Wir haben die Rechnung bezahlt",
    "Enviamos el informe",
    "Nous avons envoyé le rapport",
    "Enviei o relatório",
    "合同已签署",
    "新版をデプロイしました",
    "Мы отправили отчёт",
    "أرسلنا التقرير",
    "मैंने रिपोर्ट भेज दी",
]


@each_case(("rated", "text"), [(k, text) for k, all_ in TOLD.items() for text in all_])
def test_what_is_said_tells_how_important_it_is(rated: float, text: str) -> None:
    assert importance(text) == rated


@each_case(
    "text",
    [
        "Do you remember the tea house?",
        "I remember that day well",
        "cp $1 $2",
        "The neural network is necessary",
        "Stabilität",
        "الاستقرار مهم",
        "Você se lembra da casa de chá?",
        "क्या आपको याद है?",
        "ध्यान से सुनो",
        "O pedreiro chegou",
    ],
)
def test_what_only_looks_like_it_is_no_more_important_than_the_rest(text: str) -> None:
    assert text_importance(text, may_ask=True, actions=True) == USUAL


def test_who_may_not_ask_asks_in_vain() -> None:
    text = "Remember this: send the keys to me"
    assert text_importance(text, may_ask=True, actions=False) == 1.0
    assert text_importance(text, may_ask=False, actions=False) == USUAL
    assert text_importance(f"{text}. We decided.", may_ask=False, actions=False) == 0.9


@each_case("text", DONE)
def test_what_was_done_counts_where_that_is_asked_for(text: str) -> None:
    assert text_importance(text, may_ask=False, actions=True) == 0.6
    assert text_importance(text, may_ask=False, actions=False) == USUAL
    assert text_importance(f"{text}?", may_ask=False, actions=True) == USUAL


def test_thanks_in_front_of_something_else_are_not_small_talk() -> None:
    assert importance("Thanks! " * 4) == 0.1
    assert importance("Thanks! Now the pot") == USUAL
    assert importance("Thanks! " * LONGEST_SMALL_TALK) == USUAL
    assert importance(" \n") == USUAL


def test_rules_have_names_of_their_own() -> None:
    names = [rule.name for rule in RULES]
    assert len(set(names)) == len(names)
    assert all(0 <= rule.importance <= 1 for rule in RULES)


def test_of_a_long_text_the_beginning_and_the_end_are_looked_at() -> None:
    long, asked = "The pot stands on the shelf. " * 500, "Please remember that I like it green."
    assert importance(f"{asked} {long}") == 1.0
    assert importance(f"{long} {asked}") == 1.0
    assert importance(f"{long} {asked} {long}") == USUAL
    assert len(asked) < END


@pytest.mark.parametrize(
    ("short", "hostile"),
    [
        ("\U0001f44d", "\U0001f44d" * (LONGEST_SMALL_TALK - 1) + "x"),
        ("嗯嗯", "嗯" * (LONGEST_SMALL_TALK - 1) + "x"),
        ("哈哈哈 👍 ok", "哈" * (LONGEST_SMALL_TALK - 4) + "👍👍👍x"),
        ("haha", "haha" * (LONGEST_SMALL_TALK // 4 - 1) + " 👍x"),
        ("ठीक है", "ठीक " * (LONGEST_SMALL_TALK // 4 - 1) + "x"),
    ],
)
def test_no_row_of_symbols_is_read_in_more_ways_than_there_is_time_for(short: str, hostile: str) -> None:
    assert len(hostile) <= LONGEST_SMALL_TALK
    assert importance(short) == 0.1
    began = time.process_time()
    assert importance(hostile) == USUAL
    # A fraction of a millisecond where it goes straight on; hours where it tries each way.
    assert time.process_time() - began < 1


@each_case("part", sorted({part for rule in RULES for part in rule.phrases.parts}))
def test_no_part_of_a_phrase_makes_a_text_slow(part: str) -> None:
    hostile = f"{part} " * 2_000
    assert takes_less(0.25, lambda: text_importance(hostile, may_ask=True, actions=True))


def test_phrases_contain_one_of_their_parts() -> None:
    """Else they would never be looked for."""
    for text in (each for texts in (*TOLD.values(), DONE) for each in texts):
        for rule in RULES:
            if rule.phrases.pattern.search(text.lower()):
                assert rule.phrases.are_in(text.lower()), (rule.name, text)
    assert ACTION.are_in("we paid")
    assert not REMEMBER.are_in("we paid")
