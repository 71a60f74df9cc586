"""Questions about one project whose texts have other shapes: long answers of an assistant, short chat messages, code
and its output."""

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

from bench.quality.suites.biographies import shares
from bench.quality.suites.collection import Collection, Statement, SuiteQuestion, in_sessions, session_lengths
from bench.quality.suites.texts import sentence, texts

LONG, SHORT, CODE = "long", "short", "code"
SHAPES = (LONG, SHORT, CODE)
CASES_A_SHAPE = 120
CASES = CASES_A_SHAPE * len(SHAPES)
# Statements for each question, which is about one of them.
STATEMENTS_A_CASE = {LONG: 2.5, SHORT: 2.5, CODE: 5}
CHATTER_A_CASE = 3
MIN_WORDS, MAX_WORDS = 150, 400
# A memory holds 2,000 characters, and the sentence with the answer has its share of them.
MAX_ANSWER, MAX_SAID = 2_000, 130
Rows = list[tuple[str, str]]


def collections(cases: int = CASES, seed: int = 1) -> list[Collection]:
    """A collection of each shape, with so many questions over all; the same for the same seed."""
    return [
        _collection(shape, count, random.Random(f"{seed}/{shape}")) for shape, count in shares(cases, SHAPES).items()
    ]


def _collection(shape: str, cases: int, dice: random.Random) -> Collection:
    rows = ROWS[shape](round(cases * STATEMENTS_A_CASE[shape]), dice)
    statements = [Statement(f"{shape}-{place}", text) for place, (text, _) in enumerate(rows)]
    questions = [
        SuiteQuestion(asked, shape, frozenset((each.key,)))
        for each, (_, asked) in zip(statements[:cases], rows, strict=False)
    ]
    if shape == SHORT:
        statements += _chatter(cases * CHATTER_A_CASE, dice)
    dice.shuffle(statements)
    lengths = session_lengths(len(statements), dice)
    sessions = [[statements.pop() for _ in range(length)] for length in lengths]
    return Collection(f"shapes-{shape}", in_sessions(sessions), tuple(questions))


def _facts(count: int, dice: random.Random) -> Iterator[tuple[dict[str, Any], str, str]]:
    """A facet, a component and a value; no facet of a component twice."""
    words = texts("shapes")
    for component, facet in dice.sample([*product(words["components"], words["facets"])], count):
        yield facet, component, dice.choice(facet["values"])


def _long(count: int, dice: random.Random) -> Rows:
    """Answers that hold a fact somewhere."""
    return [
        (_answer(facet["says"], component, value, dice), dice.choice(facet["asks"]).format(x=component))
        for facet, component, value in _facts(count, dice)
    ]


def _answer(says: str, component: str, value: str, dice: random.Random) -> str:
    words = texts("shapes")
    others = [each for each in words["components"] if each != component]
    wanted = dice.randint(MIN_WORDS, MAX_WORDS)
    told = [dice.choice(words["openings"]).format(x=component)]
    for filler in dice.sample(words["fillers"], len(words["fillers"])):
        more = filler.format(x=component, y=dice.choice(others))
        length = len(" ".join([*told, more]))
        if length > MAX_ANSWER - MAX_SAID or len(" ".join(told).split()) >= wanted:
            break
        told.append(more)
    told.insert(dice.randint(1, len(told)), sentence(says, x=component, v=value))
    return " ".join(told)


def _short(count: int, dice: random.Random) -> Rows:
    return [
        (facet["short"].format(x=component, v=value), dice.choice(facet["asks"]).format(x=component))
        for facet, component, value in _facts(count, dice)
    ]


def _chatter(count: int, dice: random.Random) -> Iterator[Statement]:
    """Messages that answer nothing, no text twice."""
    words = texts("shapes")
    told = dict.fromkeys(dice.sample(words["chatter"], min(count, len(words["chatter"]))))
    while len(told) < count:
        one, other = dice.sample(words["components"], 2)
        told[dice.choice(words["chat"]).format(x=one, y=other)] = None
    return (Statement(f"chatter-{place}", text) for place, text in enumerate(told))


def _code(count: int, dice: random.Random) -> Rows:
    """Texts of some kind about a function; no kind of a function twice."""
    words = texts("shapes_code")
    drawn = dice.sample([*product(words["verbs"], words["nouns"], words["kinds"])], count)
    return [_fragment(words, verb, noun, kind, dice) for verb, noun, kind in drawn]


def _fragment(
    words: dict[str, Any], verb: str, noun: str, kind: dict[str, Any], dice: random.Random
) -> tuple[str, str]:
    function, spelled = f"{verb}_{noun}", f"{verb} the {noun}"
    shown = dice.choice(kind["shows"]).format(
        f=function,
        c=noun,
        m=dice.choice(words["modules"]),
        n=dice.randint(11, 990),
        k=dice.randint(2, 9),
        h=f"{dice.getrandbits(32):08x}",
        t=f"2025-05-{dice.randint(1, 28):02}T{dice.randint(0, 23):02}:{dice.randint(0, 59):02}:04Z",
    )
    return shown, dice.choice(kind["asks"]).format(f=function, w=spelled)


ROWS = {LONG: _long, SHORT: _short, CODE: _code}
