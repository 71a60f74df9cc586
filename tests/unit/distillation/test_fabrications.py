"""A model that fabricates: nothing of it is kept, whatever it answers, and what holds is kept all the same."""

import json
import random
from collections import Counter

from camillo_server.features.distillation.answers import checked
from camillo_server.features.distillation.statement import DropReason

from bench.distillation.adversarial import WAYS, fabrications, good
from tests.distilling_model import answer_of, restated
from tests.unit.distillation.conversations import passage_of, told, turn


def test_of_a_thousand_fabricated_statements_none_is_kept() -> None:
    reasons: Counter[DropReason] = Counter()
    ways: Counter[str] = Counter()
    for each in fabrications(1_000):
        found = checked(answer_of([each.item]), each.prompt, each.passage)
        assert not found.statements, (each.way, each.item, each.passage.turns[0].text)
        assert found.dropped.total() == 1
        reasons += found.dropped
        ways[each.way] += 1
    assert len(ways) == len(WAYS)
    assert len(reasons) >= 8


def test_statements_that_hold_are_kept_from_the_same_passages() -> None:
    kept = [bool(checked(answer_of([each.item]), each.prompt, each.passage).statements) for each in good()]
    assert all(kept)
    assert len(kept) >= 20


def test_no_answer_raises() -> None:
    passage, asked = passage_of(turn("Ben", "I moved to Lisbon."))
    whole = answer_of([*restated(told(asked, passage.turns[0]))])
    chance = random.Random(7)  # noqa: S311
    texts = [chance.randbytes(chance.randrange(200)).decode("utf-8", "replace") for _ in range(300)]
    for _ in range(700):
        characters = list(whole)
        for _ in range(chance.randrange(1, 6)):
            characters[chance.randrange(len(characters))] = chance.choice('{}[]",:\\\0é\U0001f600\ufeff0 n')
        texts.append("".join(characters))
    texts += [json.dumps({"statements": [_random_json(chance, 4)]}) for _ in range(500)]
    kept = sum(len(checked(text, asked, passage).statements) for text in (*texts, whole))
    assert kept >= 1


def _random_json(chance: random.Random, depth: int) -> object:
    fields = "operation memory record kind text subject names confidence valid_from valid_until evidence event".split()
    if depth and chance.random() < 0.4:
        return {chance.choice(fields): _random_json(chance, depth - 1) for _ in range(chance.randrange(9))}
    if depth and chance.random() < 0.4:
        return [_random_json(chance, depth - 1) for _ in range(chance.randrange(5))]
    return chance.choice([None, True, 0, -1, 1e308, "", "add", "fact", "Ben", "\u202e", "9999-99-99", "x" * 3_000])
