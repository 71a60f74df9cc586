"""Persons and what is told of them, in the words of one language."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bench.quality.suites.texts import sentence, texts

LANGUAGES = ("english", "german", "french", "spanish", "russian", "chinese", "arabic", "hindi")


@dataclass(frozen=True, slots=True)
class Word:
    """A word as statements have it, and in the form that some questions take."""

    plain: str
    bent: str

    @classmethod
    def parse(cls, text: str) -> "Word":
        """`plain`, or `plain|bent`."""
        plain, _, bent = text.partition("|")
        return cls(plain, bent or plain)


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that can be told of anybody: its values, and templates for what is said and asked of it."""

    name: str
    values: tuple[Word, ...]
    says: tuple[str, ...]
    changes: tuple[str, ...]
    asks: tuple[str, ...]
    finds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Language:
    """A hundred persons and eight facts, in one language."""

    name: str
    persons: tuple[Word, ...]
    facts: tuple[Fact, ...]


def language(name: str) -> Language:
    """Read from the file of this name."""
    told = texts(name)
    given, family = ([Word.parse(each) for each in told[part]] for part in ("given", "family"))
    is_joined = bool(told.get("joined"))
    persons = tuple(_person(first, last, is_joined) for first in given for last in family)
    return Language(name, persons, tuple(_fact(*item) for item in told["facts"].items()))


def shares(cases: int, languages: Sequence[str] = LANGUAGES) -> dict[str, int]:
    """Cases of each language, spread evenly; only languages that have any."""
    each, more = divmod(cases, len(languages))
    counts = {name: each + (place < more) for place, name in enumerate(languages)}
    return {name: count for name, count in counts.items() if count}


def fill(template: str, person: Word, value: Word) -> str:
    """A sentence about this person and value."""
    return sentence(template, x=person.plain, y=person.bent, v=value.plain, w=value.bent)


def drawn(dice: random.Random, fact: Fact, count: int) -> list[Word]:
    """Different values."""
    return dice.sample(fact.values, count)


def _person(first: Word, last: Word, is_joined: bool) -> Word:
    if is_joined:
        # Where names are written together, that of the family comes first.
        return Word(last.plain + first.plain, last.bent + first.bent)
    return Word(f"{first.plain} {last.plain}", f"{first.bent} {last.bent}")


def _fact(name: str, told: dict[str, Any]) -> Fact:
    values = tuple(Word.parse(each) for each in told["values"])
    templates = (tuple(told[part]) for part in ("says", "changes", "asks", "finds"))
    return Fact(name, values, *templates)
