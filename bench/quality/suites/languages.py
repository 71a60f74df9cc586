"""Facts about a hundred persons in each language, and questions in other words.

`asked`: what is asked for of a person, in other words than it was stated. `found`: who it is, by an inflected,
compounded or derived form of what was stated. `bare`: as `asked`, typed without accents, dots and capitals, where a
language has any. `across`: as `asked`, but in English of what was stated in another language, names as they are
there."""

import random
import unicodedata
from dataclasses import replace

from bench.quality.suites.biographies import (
    LANGUAGES,
    Fact,
    Language,
    Word,
    fill,
    language,
)
from bench.quality.suites.collection import (
    Collection,
    Statement,
    SuiteQuestion,
    an_hour_apart,
)

# Smaller sets: the same persons and facts, asked in this suite only.
MORE_LANGUAGES = ("turkish", "hebrew", "thai")
EVERY = (*LANGUAGES, *MORE_LANGUAGES)
PERSONS, MIN_PERSONS = 100, 20
FACTS_A_PERSON = 5
ASKED, FOUND, BARE, ACROSS = "asked", "found", "bare", "across"
CASES_A_LANGUAGE = {ASKED: 50, FOUND: 40, BARE: 30}
CASES = len(EVERY) * sum(CASES_A_LANGUAGE.values())
ENGLISH = "english"
FOREIGN = tuple(name for name in EVERY if name != ENGLISH)
ACROSS_CASES = len(FOREIGN) * CASES_A_LANGUAGE[ASKED]
# Letters that are typed for others and that do not come apart by themselves.
LETTERS = {
    "german": str.maketrans({"ß": "ss"}),
    "french": str.maketrans({"œ": "oe", "’": "'"}),
    "russian": str.maketrans({"ё": "е", "Ё": "Е"}),
    "turkish": str.maketrans({"ı": "i"}),
    "arabic": str.maketrans({"ة": "ه", "ى": "ي"}),
    "hindi": str.maketrans({"\u093c": "", "ँ": "ं"}),
}
# In these, marks are letters of their own.
MARKS_STAY = frozenset(("russian", "hindi", "thai", "hebrew", "chinese"))
Row = tuple[Word, Fact, Word]


def collections(cases: int = CASES, seed: int = 1) -> list[Collection]:
    """Collections with so many questions over all languages, or a few less where one cannot be typed barely; the same
    for the same seed. Fewer questions are about fewer persons."""
    share = cases / CASES
    counts = {kind: max(1, round(share * count)) for kind, count in CASES_A_LANGUAGE.items()}
    persons = min(PERSONS, max(MIN_PERSONS, round(share * PERSONS)))
    return [_collection(language(name), counts, persons, random.Random(f"{seed}/{name}")) for name in EVERY]


def across(cases: int = ACROSS_CASES, seed: int = 1) -> list[Collection]:
    """Collections of the same kind, in every language but English, with as many English questions over all of them."""
    share = cases / ACROSS_CASES
    count = max(1, round(share * CASES_A_LANGUAGE[ASKED]))
    persons = min(PERSONS, max(MIN_PERSONS, round(share * PERSONS)))
    return [_asked_in_english(language(name), count, persons, random.Random(f"{seed}/{name}")) for name in FOREIGN]


def bare(text: str, name: str) -> str:
    """The text as somebody types it who leaves out accents, dots and capitals."""
    if name not in MARKS_STAY:
        apart = unicodedata.normalize("NFD", text)
        text = "".join(each for each in apart if not unicodedata.combining(each))
    else:
        text = unicodedata.normalize("NFD", text) if name == "hindi" else text
    return unicodedata.normalize("NFC", text.translate(LETTERS.get(name, {}))).lower()


def _collection(words: Language, counts: dict[str, int], persons: int, dice: random.Random) -> Collection:
    rows = _rows(words, persons, dice)
    statements = _statements(rows, dice)
    places = dice.sample(range(len(rows)), len(rows))
    asked, barely = places[: counts[ASKED]], places[counts[ASKED] :][: counts[BARE]]
    questions = [_asked(words.name, ASKED, rows, place, dice) for place in asked]
    questions += [_found(words.name, rows, place, dice) for place in places[-counts[FOUND] :]]
    for place in barely:
        question = _asked(words.name, BARE, rows, place, dice)
        typed = bare(question.text, words.name)
        if typed != question.text:
            questions.append(replace(question, text=typed))
    return Collection(f"languages-{words.name}", tuple(an_hour_apart(statements)), tuple(questions))


def _asked_in_english(words: Language, count: int, persons: int, dice: random.Random) -> Collection:
    rows = _rows(words, persons, dice)
    statements = _statements(rows, dice)
    facts = {fact.name: fact for fact in language(ENGLISH).facts}
    english = [(Word(person.plain, f"{person.plain}'s"), facts[fact.name], value) for person, fact, value in rows]
    places = dice.sample(range(len(rows)), count)
    questions = [_asked(words.name, ACROSS, english, place, dice) for place in places]
    return Collection(f"across-{words.name}", tuple(an_hour_apart(statements)), tuple(questions))


def _rows(words: Language, persons: int, dice: random.Random) -> list[Row]:
    rows = [
        (person, fact, dice.choice(fact.values))
        for person in dice.sample(words.persons, persons)
        for fact in dice.sample(words.facts, FACTS_A_PERSON)
    ]
    dice.shuffle(rows)
    return rows


def _statements(rows: list[Row], dice: random.Random) -> list[Statement]:
    return [
        Statement(f"fact-{place}", fill(dice.choice(fact.says), person, value))
        for place, (person, fact, value) in enumerate(rows)
    ]


def _asked(name: str, kind: str, rows: list[Row], place: int, dice: random.Random) -> SuiteQuestion:
    person, fact, value = rows[place]
    text = fill(dice.choice(fact.asks), person, value)
    return SuiteQuestion(text, f"{name}.{kind}", frozenset((f"fact-{place}",)))


def _found(name: str, rows: list[Row], place: int, dice: random.Random) -> SuiteQuestion:
    person, fact, value = rows[place]
    right = [f"fact-{other}" for other, (_, same, told) in enumerate(rows) if (same, told) == (fact, value)]
    text = fill(dice.choice(fact.finds), person, value)
    return SuiteQuestion(text, f"{name}.{FOUND}", frozenset(right))
