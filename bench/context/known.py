"""Whether a bundle has what is known, and nothing else: `python -m bench.context.known [--model DIR]`.

Twenty sets of memories, each of an agent of its own: something pinned, an instruction, preferences and facts. Ten
questions to each: of one part, of two, a greeting, what was last, in another language, and about what nobody has told.
A bundle is empty though something is known where its prompt has none of that; it has something irrelevant where its
evidence has a fact that no part of the question is about."""

import argparse
import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service

from bench.context.calls import ContextCalls
from bench.measure.client import Client, connected
from bench.measure.servers import app_server, embedding_by, temporary_directory

# A fact, and what somebody asks who wants to know it.
_FACTS = (
    ("The boiler of the house in {place} is serviced by {name} every May", "Who services the boiler?"),
    ("{name} is allergic to peanuts", "What is {name} allergic to?"),
    ("The spare key lies under the blue flower pot in {place}", "Where is the spare key?"),
    ("The invoice of the printer was paid on the ninth of June", "When was the invoice of the printer paid?"),
    ("The staging database runs on port 5433", "Which port does the staging database use?"),
    ("The dog of {name} is called Pepper", "What is the dog called?"),
    ("The train to {place} leaves from platform seven", "From which platform does the train leave?"),
    ("The violin lesson takes place on Thursdays", "On which day is the violin lesson?"),
)  # fmt: skip
_PEOPLE = (
    *("Kim", "Ana", "Ben", "Zoë", "Igor", "Mei", "Omar", "Lena", "Aiko", "Tomás"),
    *("Ravi", "Noor", "Jan", "Inés", "Pavel", "Sara", "Björn", "Lucía", "Dmitri", "Hana"),
)
_PLACES = ("Bilbao", "Gdańsk", "Lyon", "Kyoto", "Porto")
_GREETINGS = ("hello", "Guten Morgen", "你好", "hola", "привет")
_LANGUAGES = (
    *("¿Qué idioma quiero?", "Welche Sprache will ich?", "我想用什么语言？"),
    *("Quelle langue est-ce que je veux ?", "На каком языке мне отвечать?"),
)
_UNKNOWN = ("What is the best pizza in Naples?", "How do I prove the Riemann hypothesis?")
_LAST = "What did I ask last time, and what language do I want?"
_EVIDENCE = "retrieved_evidence"


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the facts that answer it."""

    text: str
    answers: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class KnownSet:
    """Facts that one agent knows, and questions to it."""

    agent_id: str
    always: Sequence[str]
    facts: Sequence[str]
    questions: Sequence[Question]


@dataclass(slots=True)
class Counted:
    """How many bundles were asked for, and what was wrong with them."""

    bundles: int = 0
    empty: int = 0
    without_answer: int = 0
    irrelevant: int = 0


def known_sets(count: int = 20) -> Iterator[KnownSet]:
    """Yields the same sets for the same number."""
    for number in range(count):
        name, place = _PEOPLE[number % len(_PEOPLE)], _PLACES[number % len(_PLACES)]
        told = [(fact.format(name=name, place=place), question.format(name=name)) for fact, question in _FACTS]
        told = told[number % len(told) :] + told[: number % len(told)]
        single = [Question(question, (fact,)) for fact, question in told[:3]]
        (one, first), (other, second) = told[3:5]
        double = [
            Question(f"{first} And {second[0].lower()}{second[1:]}", (one, other)),
            Question(f"{told[5][1]} Also: {told[6][1]}", (told[5][0], told[6][0])),
        ]
        yield KnownSet(
            agent_id=f"known-{number}",
            always=(f"{name} turns fifty in October", "Always answer in English", f"{name} likes short answers"),
            facts=[fact for fact, _ in told],
            questions=(
                *(*single, *double),
                Question(_GREETINGS[number % len(_GREETINGS)]),
                Question(_LAST),
                Question(_LANGUAGES[number % len(_LANGUAGES)]),
                *map(Question, _UNKNOWN),
            ),
        )  # fmt: skip


async def count(client: Client, sets: Sequence[KnownSet]) -> Counted:
    """Tells each agent its set, and asks its questions."""
    counted = Counted()
    for each in sets:
        await _tell(client, each)
        calls = ContextCalls(client, each.agent_id)
        for question in each.questions:
            bundle = await calls.bundle(question.text, max_tokens=4_096)
            evidence = [item.text for section in bundle.sections if section.name == _EVIDENCE for item in section.items]
            counted.bundles += 1
            counted.empty += not all(text in bundle.prompt for text in each.always)
            counted.without_answer += not all(text in bundle.prompt for text in question.answers)
            counted.irrelevant += any(
                fact in text for text in evidence for fact in each.facts if fact not in question.answers
            )
    return counted


async def _tell(client: Client, known: KnownSet) -> None:
    pinned, instruction, preference = known.always
    told = [
        pb.NewMemory(content=pinned, pinned=True),
        pb.NewMemory(content=instruction, kind=pb.MEMORY_KIND_INSTRUCTION),
        pb.NewMemory(content=preference, kind=pb.MEMORY_KIND_PREFERENCE),
        *(pb.NewMemory(content=fact) for fact in known.facts),
    ]
    for memory in told:
        await client(service.RememberRequest(agent_id=known.agent_id, memory=memory))
    request = service.RecallRequest(agent_id=known.agent_id, text="Is it there?", limit=1)
    while (await client(request)).degraded:  # noqa: ASYNC110 (what others do is waited for)
        await asyncio.sleep(0.02)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path)
    arguments = parser.parse_args()

    async def run(port: int, secret: str) -> Counted:
        async with connected(port, secret) as client:
            return await count(client, [*known_sets()])

    with (
        temporary_directory() as directory,
        app_server(embedding_by(arguments.model), directory) as app,
    ):
        counted = asyncio.run(run(app.port, app.secret))
    print(f"{counted.bundles} bundles")
    print(f"without what is pinned, instructed or preferred: {counted.empty}")
    print(f"without an answer that is known: {counted.without_answer}")
    print(f"with evidence about something else: {counted.irrelevant}")


if __name__ == "__main__":
    main()
