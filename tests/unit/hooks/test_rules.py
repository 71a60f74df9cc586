"""Sentences of a person that state a rule."""

from camillo_cli.hooks.rules import MAX_CHARACTERS, MAX_RULES, stated_rules

from tests.cases import each_case

RULES = (
    "Always use pnpm, never npm.",
    "From now on write tests with pytest.",
    "Never commit to main directly",
    "Please always run the linter first.",
    "Use pnpm, never npm",
    "Don't ever force push",
    "You must always sign commits",
    "In the future, answer briefly.",
    "Keep it short and never use emojis.",
    "Verwende immer pnpm.",
    "Ab jetzt bitte alles auf Deutsch.",
    "Utilise toujours des tabulations.",
    "N'utilise jamais npm.",
    "Usa siempre pnpm",
    "Nunca hagas push a main",
    "Usa sempre i tab",
    "Gebruik altijd pnpm",
    "Zawsze używaj pnpm",
    "Всегда используй pnpm",
    "Никогда не коммить в main",
    "Her zaman pnpm kullan",
    "请始终使用中文回答",
    "从现在起用 pytest 🐈",
    "必ずテストを書いてください",
    "항상 한국어로 답해줘",
    "استخدم دائما pnpm",
    "हमेशा pnpm का उपयोग करो",
)
NONE = (
    "",
    "It always fails on CI.",
    "Why does it never pass?",
    "Should I always use pnpm?",
    "以后都用英文吗？",
    "常に英語ですか？",
    "I never saw that before",
    "The test always times out",
    "Never mind",
    "As always, thanks",
    "Das ist immer so.",
    "Es funktioniert nie.",
    "Il échoue toujours",
    "This never happened",
    "There has never been a release",
    "We deploy the shop on Tuesdays at noon. Keep that in mind, and run the tests.",
    "```\nalways: true\nnever run this\n```",
    "    never(x);",
)


@each_case("text", RULES)
def test_what_is_to_hold_from_now_on_is_a_rule(text: str) -> None:
    assert stated_rules(text) == [text]
    # Among others, in a list, and once.
    around = f"Fix the bug in v2.4.1, please.\n- {text}\n- {text}\n\nThen run the tests."
    assert stated_rules(around) == [text]


@each_case("text", NONE)
def test_what_tells_or_asks_is_none(text: str) -> None:
    assert stated_rules(text) == []


def test_there_are_few_and_they_are_short() -> None:
    assert len(stated_rules("\n".join(f"Always use tool {n}" for n in range(99)))) == MAX_RULES
    assert stated_rules(f"Always use {'x' * MAX_CHARACTERS}") == []
