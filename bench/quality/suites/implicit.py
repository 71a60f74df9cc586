"""Statements made in conversations, and later questions to which they matter without a content word in common.

Two scopes of about a thousand messages, each of four topics, so that one can be tuned on while the other is held back.
"""

import random
from collections.abc import Iterator, Sequence

from bench.quality.suites.biographies import shares
from bench.quality.suites.collection import Collection, Statement, SuiteQuestion, in_sessions, session_lengths
from bench.quality.suites.texts import sentence, texts

DEV, HELD = "dev", "held"
TOPICS = {DEV: ("health", "family", "work", "travel"), HELD: ("money", "home", "food", "hobbies")}
PAIRS_A_TOPIC = 40
CASES = PAIRS_A_TOPIC * sum(map(len, TOPICS.values()))
MESSAGES_A_CASE = 6.25


def collections(cases: int = CASES, seed: int = 1, splits: Sequence[str] = tuple(TOPICS)) -> list[Collection]:
    """A collection for each split, with so many questions over both and six messages for each; the same for the same
    seed, whatever the other split."""
    counts = shares(cases, tuple(TOPICS))
    return [_collection(split, counts[split], random.Random(f"{seed}/{split}")) for split in splits if split in counts]


def _collection(split: str, cases: int, dice: random.Random) -> Collection:
    sessions: list[list[Statement]] = []
    questions: list[SuiteQuestion] = []
    for topic, count in shares(cases, TOPICS[split]).items():
        said, asked = _topic(split, topic, count, dice)
        questions += asked
        for length in session_lengths(len(said), dice):
            sessions.append(said[:length])
            del said[:length]
    dice.shuffle(sessions)
    return Collection(f"implicit-{split}", in_sessions(sessions), tuple(questions))


def _topic(split: str, topic: str, count: int, dice: random.Random) -> tuple[list[Statement], list[SuiteQuestion]]:
    """Messages of one topic in random order, and the questions."""
    pairs = dice.sample(texts(f"implicit_{topic}")["pairs"], count)
    cues = [Statement(f"{topic}-cue-{place}", cue) for place, (cue, _) in enumerate(pairs)]
    questions = [
        SuiteQuestion(asked, f"{split}.{topic}", frozenset((cue.key,)))
        for cue, (_, asked) in zip(cues, pairs, strict=True)
    ]
    said = [*cues, *routine(topic, round(count * MESSAGES_A_CASE) - count, dice)]
    dice.shuffle(said)
    return said, questions


def routine(topic: str, count: int, dice: random.Random) -> Iterator[Statement]:
    """Different lines: some that share words with questions, the others from templates."""
    told = texts(f"implicit_{topic}")
    lines = dict.fromkeys(dice.sample(told["lines"], min(count, len(told["lines"]))))
    while len(lines) < count:
        words = {name: dice.choice(values) for name, values in told["words"].items()}
        lines[sentence(dice.choice(told["routine"]), **words)] = None
    return (Statement(f"{topic}-routine-{place}", text) for place, text in enumerate(lines))
