"""Runs suites on a server."""

from collections import defaultdict
from collections.abc import Sequence

from camillo_server.models.embedding.embedder import Embedder

from bench.measure.client import Calls
from bench.measure.command import say
from bench.quality.arms import cases_of, chat_of, found_alone, memories_of
from bench.quality.measures import Estimates
from bench.quality.suites.asking import Asker, SuiteAnswer
from bench.quality.suites.collection import Collection
from bench.quality.suites.judging import against_best_arm, latencies
from bench.quality.suites.suites import Suite


async def answers_of(
    call: Calls,
    collections: Sequence[Collection],
    suite: Suite,
    embedder: Embedder,
    *,
    is_timed: bool = False,
    as_events: bool = False,
) -> dict[str, list[SuiteAnswer]]:
    """The answers to all questions, by the names of the variants; where they are timed, from memory. The embedder is
    the server's."""
    answers: defaultdict[str, list[SuiteAnswer]] = defaultdict(list)
    for collection in collections:
        say(collection.name)
        asker = Asker(call, collection, embedder, as_events=as_events)
        await asker.store()
        if is_timed:
            await asker.until_warm()
        for variant in suite.variants:
            answers[variant.name] += await asker.answers(variant)
    return answers


async def run(
    call: Calls,
    suite: Suite,
    embedder: Embedder,
    cases: int,
    seed: int = 1,
    *,
    is_timed: bool = False,
    as_events: bool = False,
) -> Estimates:
    """The figures of one suite, by `variant.figure`."""
    made = suite.collections(cases, seed)
    answers = await answers_of(call, made, suite, embedder, is_timed=is_timed, as_events=as_events)
    figures = {
        f"{variant}.{name}": estimate
        for variant, given in answers.items()
        for name, estimate in {**suite.judge(given), **latencies(given)}.items()
    }
    if not suite.has_arms:
        return figures
    arms = await answers_alone(made, embedder)
    alone = {f"{arm}.{name}": each for arm, given in arms.items() for name, each in suite.judge(given).items()}
    changes = {
        f"{variant}.{name}": each
        for variant, given in answers.items()
        for name, each in against_best_arm(given, arms).items()
    }
    return {**figures, **alone, **changes}


async def answers_alone(collections: Sequence[Collection], embedder: Embedder) -> dict[str, list[SuiteAnswer]]:
    """The answers of each arm by itself to all questions, found without a server."""
    answers: defaultdict[str, list[SuiteAnswer]] = defaultdict(list)
    for collection in collections:
        chat = chat_of(collection)
        cases = await cases_of(chat, memories_of(chat), embedder)
        for question, case in zip(collection.questions, cases, strict=True):
            for arm, found in found_alone(case).items():
                answers[arm].append(SuiteAnswer(question, found, (), is_no_match=False, milliseconds=0.0))
    return answers
