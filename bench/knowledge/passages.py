"""How large passages of documents should be, how much they should share, and which sections to join: `python -m
bench.knowledge.passages` (docs/adr/documents.md).

Passages are found by the server's own BM25, with their headings. `headings`: the heading of a section of this
repository's Markdown asks for a passage of it. `sentences`: every other word of a sentence of it asks for the passage
that has the sentence. `pairs`: in generated handbooks with paragraphs of a page, words of two sentences that follow
each other ask for a passage that has both. A larger passage has more in it: so beside recall among the first 5, that
among the first which fill 1,024 tokens is printed, which is what a reader pays."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from time import perf_counter

import numpy as np
from camillo_formats.markdown import SENTENCE_END, sections
from camillo_formats.media_types import MARKDOWN
from camillo_server.features.knowledge.passages.passages import (
    SIZE,
    DocumentPassage,
    DocumentPassageSize,
    document_passages,
)
from camillo_server.lib.text.counted_terms import term_code
from camillo_server.lib.text.index_terms import index_terms
from camillo_server.lib.text.tokens import count_tokens
from camillo_server.search.index.lexical import Corpus, lexical_scores, term_postings

ROOT = Path(__file__).parents[2]
FIRST, BUDGET = 5, 1_024
QUESTIONS = 1_500
SETTINGS = (
    *(DocumentPassageSize(tokens=size, whole_tokens=size * 5 // 4) for size in (128, 192, 256, 320)),
    *(DocumentPassageSize(overlap=overlap) for overlap in (0, 80, 320)),
    *(DocumentPassageSize(join_below=below) for below in (0, 64, 192)),
)
PLACES = [
    "Lisbon",
    "Osaka",
    "Cairo",
    "Delhi",
    "Quito",
    "Oslo",
    "Turin",
    "Dakar",
    "Perth",
    "Hanoi",
    "Sofia",
    "Leeds",
    "Lyon",
    "Basel",
    "Accra",
    "Lagos",
]
TOPICS = [
    "travel",
    "payroll",
    "laptops",
    "parking",
    "visitors",
    "training",
    "invoices",
    "holidays",
    "badges",
    "catering",
    "safety",
    "archives",
]
ROLES = [
    "clerk",
    "manager",
    "auditor",
    "planner",
    "buyer",
    "driver",
    "editor",
    "analyst",
    "trainer",
    "porter",
]
ACTS = [
    "approves",
    "rejects",
    "files",
    "copies",
    "counts",
    "signs",
    "reviews",
    "returns",
    "delays",
    "forwards",
]
THINGS = [
    "receipts",
    "permits",
    "vouchers",
    "contracts",
    "tickets",
    "ledgers",
    "forms",
    "samples",
    "parcels",
    "letters",
]


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the document that it is about, and the bytes that have to be in the passage."""

    text: str
    document: int
    byte_from: int
    byte_until: int


def main() -> None:
    written = [path.read_text() for path in sorted(ROOT.rglob("*.md")) if ".venv" not in path.parts]
    handbooks = [handbook(seed) for seed in range(60)]
    asked = {
        "headings": (written, list(questions_of_headings(written))),
        "sentences": (written, sampled(questions_of_sentences(written))),
        "pairs": (handbooks, sampled(questions_of_pairs(handbooks))),
    }
    print("questions: " + ", ".join(f"{name} {len(asked[name][1])}" for name in asked))
    print(f"{'tokens':>7}{'overlap':>8}{'join':>6}{'passages':>9}{'mean':>6}{'ms/MB':>7}", end="")
    print("".join(f"{name + ' @5':>15}{'@1024':>7}" for name in asked))
    for size in SETTINGS:
        report(size, asked)


def report(size: DocumentPassageSize, asked: dict[str, tuple[list[str], list[Question]]]) -> None:
    """Prints a line: the recall of each kind of question."""
    cells, tokens, seconds, length = [], [], 0.0, 0
    for documents, questions in asked.values():
        start = perf_counter()
        passages = [
            (index, each) for index, text in enumerate(documents) for each in document_passages(text, MARKDOWN, size)
        ]
        seconds += perf_counter() - start
        length += sum(len(text.encode()) for text in documents)
        costs = [count_tokens(each.text) for _, each in passages]
        tokens += costs
        at_first, at_budget = recalls(passages, costs, questions)
        cells.append(f"{at_first:15.3f}{at_budget:7.3f}")
    chosen = " *" if size == SIZE else ""
    print(
        f"{size.tokens:7}{size.overlap:8}{size.join_below:6}{len(tokens):9}{np.mean(tokens):6.0f}{seconds * 1e9 / length:7.0f}{''.join(cells)}{chosen}"  # noqa: E501
    )


def recalls(
    passages: Sequence[tuple[int, DocumentPassage]],
    costs: Sequence[int],
    questions: Sequence[Question],
) -> tuple[float, float]:
    corpus = indexed([each.text for _, each in passages])
    first = filled = 0
    for question in questions:
        scores, _ = lexical_scores(corpus, list(dict.fromkeys(index_terms(question.text))), None)
        ranked = np.argsort(-scores, kind="stable")[:50].tolist()
        ranks = [rank for rank, row in enumerate(ranked) if answers(question, *passages[row])]
        if ranks:
            first += ranks[0] < FIRST
            filled += sum(costs[row] for row in ranked[: ranks[0] + 1]) <= BUDGET
    return first / len(questions), filled / len(questions)


def answers(question: Question, document: int, passage: DocumentPassage) -> bool:
    return (
        document == question.document
        and passage.byte_from <= question.byte_from
        and question.byte_until <= passage.byte_until
    )


def indexed(texts: Sequence[str]) -> Corpus:
    """The passages as the server indexes them."""
    codes, rows, counts, lengths = [], [], [], []
    for row, text in enumerate(texts):
        terms = index_terms(text)
        found = {term: terms.count(term) for term in set(terms)}
        codes += [term_code(term) for term in found]
        rows += [row] * len(found)
        counts += [min(255, count) for count in found.values()]
        lengths.append(len(terms))
    postings = term_postings(np.array(codes, np.uint32), np.array(rows, np.int32), np.array(counts, np.uint8))
    return Corpus(postings, np.array(lengths, np.uint16), len(texts), len(texts), sum(lengths))


def questions_of_headings(documents: Sequence[str]) -> Iterator[Question]:
    for index, text in enumerate(documents):
        for section in sections(text)[1:]:
            start = len(text[: section.start].encode())
            yield Question(" ".join(section.trail[-2:]), index, start, start + 1)


def questions_of_sentences(documents: Sequence[str]) -> Iterator[Question]:
    for index, text in enumerate(documents):
        for start, end in sentences(text):
            words = text[start:end].split()
            if 8 <= len(words) <= 40 and "|" not in words:
                yield question(" ".join(words[::2]), index, text, start, end)


def questions_of_pairs(documents: Sequence[str]) -> Iterator[Question]:
    for index, text in enumerate(documents):
        spans = list(sentences(text))
        for (start, middle), (begin, end) in pairwise(spans):
            if "\n" not in text[start:end].strip():
                words = text[start:middle].split()[::2] + text[begin:end].split()[::2]
                yield question(" ".join(words), index, text, start, end)


def question(asked: str, index: int, text: str, start: int, end: int) -> Question:
    byte_from = len(text[:start].encode())
    said = text[start:end].rstrip()
    return Question(asked, index, byte_from, byte_from + len(said.encode()))


def sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for end in (*(match.end() for match in SENTENCE_END.finditer(text)), len(text)):
        if text[start:end].strip():
            yield start, end
        start = end


def handbook(seed: int) -> str:
    """Chapters of long paragraphs, whose sentences name what the next one goes on about."""
    rng = random.Random(seed)
    place = rng.choice(PLACES)
    parts = [f"# Handbook {seed} of {place}\n"]
    for topic in rng.sample(TOPICS, 5):
        parts.append(f"## {topic.title()} in {place}\n")
        parts += [" ".join(pair(rng) for _ in range(rng.randint(6, 30))) + "\n" for _ in range(2)]
    return "\n".join(parts)


def pair(rng: random.Random) -> str:
    number, amount = rng.randint(100, 999), rng.randint(10, 9_999)
    return (
        f"In office {number} the {rng.choice(ROLES)} {rng.choice(ACTS)} {rng.choice(THINGS)} from "
        f"{rng.choice(PLACES)} first. "
        f"Then the {rng.choice(ROLES)} {rng.choice(ACTS)} {amount} {rng.choice(THINGS)} within {rng.randint(2, 90)} "
        f"days."
    )


def sampled(questions: Iterator[Question]) -> list[Question]:
    every = list(questions)
    return random.Random(7).sample(every, min(QUESTIONS, len(every)))


if __name__ == "__main__":
    main()
