"""Measures from which cosine on a model should be asked about pairs between which rules find no difference
(docs/adr/0103-judged-contradictions.md).

    python -m bench.decisions.contradictions [--model DIR]

Prints, for each floor, the share of pairs of each kind that a model would be asked about.
"""

import argparse
import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from camillo_server.embedding.embedder import Embedder
from camillo_server.embedding.lexical import LexicalEmbedder
from camillo_server.embedding.onnx import OnnxEmbedder
from camillo_server.text.differences import compare

Pair = tuple[str, str]

# Only one can be true, and no number, date, negation or name tells.
CONTRADICTING: Sequence[Pair] = (
    ("Ana likes tea", "Ana has given up tea for coffee"),
    ("Ben works as a nurse at the clinic", "Ben is a freelance photographer these days"),
    ("The deploys run from the main branch", "Deploys now run from release branches"),
    ("The customer pays by invoice", "The customer switched to credit cards"),
    ("Clara is single", "Clara got married last summer"),
    ("The kitchen walls are painted white", "We painted the kitchen walls dark green"),
    ("The user prefers dark mode in the editor", "The user prefers light mode in the editor"),
    ("David is vegetarian", "David eats meat again"),
    ("The office opens early in the morning", "The office opens at noon"),
    ("Our database is MySQL, hosted by us", "We moved the database to a managed service"),
    ("Eva's dog is healthy", "Eva's dog died"),
    ("Tests are run by hand before a release", "A pipeline runs all tests on each commit"),
    ("Anna mag die Oper sehr", "Anna hasst die Oper inzwischen"),
    ("Paul va au travail en voiture", "Paul prend maintenant le train pour aller au travail"),
    ("Marta vive sola en el centro", "Marta comparte piso con una amiga en el centro"),
    ("安娜喜欢喝茶", "安娜戒了茶改喝咖啡"),
    ("Анна любит зиму", "Анна больше всего ненавидит зиму"),
    ("سارة تعمل في المستشفى", "تركت سارة المستشفى وفتحت مقهى"),
    ("רותי גרה לבד", "רותי עברה לגור עם אחותה"),
)
# Two statements about one subject that may both be true.
COMPATIBLE: Sequence[Pair] = (
    ("Ana likes tea", "Ana plays the violin in an orchestra"),
    ("Ben works as a nurse at the clinic", "Ben cycles to the clinic"),
    ("The deploys run from the main branch", "The main branch is protected"),
    ("The customer pays by invoice", "The customer asked for a discount"),
    ("Clara is single", "Clara has two brothers"),
    ("The kitchen walls are painted white", "The kitchen has a new oven"),
    ("The user prefers dark mode in the editor", "The user writes Python in the editor"),
    ("David is vegetarian", "David cooks on Sundays"),
    ("The office opens early in the morning", "The office has a roof terrace"),
    ("Our database is MySQL, hosted by us", "Backups of the database are encrypted"),
    ("Eva's dog is healthy", "Eva's dog is afraid of thunder"),
    ("Tests are run by hand before a release", "A release is announced on the blog"),
    ("Anna mag die Oper sehr", "Anna singt im Chor"),
    ("Paul va au travail en voiture", "Paul travaille dans une banque"),
    ("Marta vive sola en el centro", "Marta estudia medicina"),
    ("安娜喜欢喝茶", "安娜在学校教书"),
    ("Анна любит зиму", "Анна учится в университете"),
    ("سارة تعمل في المستشفى", "سارة تتعلم العزف على العود"),
    ("רותי גרה לבד", "רותי מלמדת ציור"),
)
FLOORS = (0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7)


def unrelated() -> list[Pair]:
    """Every first text with the first of another pair."""
    firsts = [one for one, _ in CONTRADICTING]
    return [(a, b) for i, a in enumerate(firsts) for b in firsts[i + 1 :]]


async def cosines(pairs: Sequence[Pair], embedder: Embedder) -> list[float]:
    rows = await embedder.embed([text for pair in pairs for text in pair])
    return [float(one @ other) for one, other in zip(rows[::2], rows[1::2], strict=True)]


async def print_shares(name: str, embedder: Embedder) -> None:
    kinds: Mapping[str, Sequence[Pair]] = {
        "contradicting": [each for each in CONTRADICTING if compare(*each) is None],
        "compatible": [each for each in COMPATIBLE if compare(*each) is None],
        "unrelated": unrelated(),
    }
    print(f"{name:<24}" + "".join(f"{floor:>7}" for floor in FLOORS))
    for kind, pairs in kinds.items():
        found = np.array(await cosines(pairs, embedder))
        shares = "".join(f"{np.mean(found >= floor):>7.0%}" for floor in FLOORS)
        print(f"{f'{kind} ({len(pairs)})':<24}{shares}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", type=Path)
    model = parser.parse_args().model
    asyncio.run(print_shares("lexical", LexicalEmbedder()))
    if model:
        asyncio.run(print_shares(model.name, OnnxEmbedder(model)))


if __name__ == "__main__":
    main()
