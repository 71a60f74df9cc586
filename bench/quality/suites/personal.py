"""Facts that one person tells of themselves in each of eight languages, without a name in them, and questions in other
words: in the same language (`own`), and in English (`across`).

Statement and question share words that tell nothing, if any: pronouns, articles, particles."""

from bench.quality.suites.biographies import LANGUAGES
from bench.quality.suites.collection import Collection, Statement, SuiteQuestion, an_hour_apart
from bench.quality.suites.texts import texts

FACTS = 20
ENGLISH, OWN, ACROSS = "english", "own", "across"
CASES = FACTS * (2 * len(LANGUAGES) - 1)


def collections(cases: int = CASES, seed: int = 1) -> list[Collection]:
    """A collection for each language; whatever the seed the same, and fewer facts for fewer cases."""
    count = max(1, min(FACTS, round(FACTS * cases / CASES)))
    return [_collection(name, count) for name in LANGUAGES]


def _collection(name: str, count: int) -> Collection:
    told = texts("personal")
    statements = [Statement(f"fact-{place}", text) for place, (text, _) in enumerate(told[name])]
    asked = {OWN: told[name]} if name == ENGLISH else {OWN: told[name], ACROSS: told[ENGLISH]}
    questions = [
        SuiteQuestion(question, f"{name}.{kind}", frozenset((f"fact-{place}",)))
        for kind, pairs in asked.items()
        for place, (_, question) in enumerate(pairs[:count])
    ]
    return Collection(f"personal-{name}", tuple(an_hour_apart(statements)), tuple(questions))
