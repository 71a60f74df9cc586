"""How alike near-duplicates are: `python -m bench.decisions.near_duplicates [--model DIR]`.

Pairs are made of sentences in several languages: the same said a little differently, the same in other words, and
something else in almost the same words (another figure; another name, or the opposite). For each threshold, the share of
each sort of pair that would be put together, with vectors of words alone and, where its directory is given, with a
model's. Then what finding groups among 10,000 memories takes, all of them different.
"""

import argparse
import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import numpy as np
from camillo_server.compaction.groups import Comparable, Rows, near_duplicates
from camillo_server.embedding.embedder import Embedder
from camillo_server.embedding.lexical import LexicalEmbedder
from camillo_server.embedding.onnx import OnnxEmbedder
from camillo_server.kernel.ids import AgentId, MemoryId
from camillo_server.memories.memory import Memory, MemoryDraft

Pair = tuple[str, str]

_TOLD = (
    "The user prefers dark mode in the editor",
    "Anna moved from Lisbon to Berlin because of her new job",
    "The nightly build fails when the cache directory is missing",
    "Customers complained about slow checkout pages on mobile phones",
    "The team agreed to write every design document in Markdown",
    "Der Nutzer möchte Rechnungen immer als PDF bekommen",
    "Die Wartung der Datenbank findet sonntags in der Nacht statt",
    "El cliente prefiere que le escriban por correo y no por teléfono",
    "La utilisatrice apprend le piano depuis le printemps",
    "Пользователь любит короткие ответы без вступлений",
    "用户喜欢在编辑器里使用深色模式",
    "团队决定每周三下午在大会议室开会",
    "ユーザーは返事を短くしてほしいと言っている",
    "يفضل المستخدم الردود القصيرة باللغة العربية",
    "משתמשת מעדיפה תזכורות בשעות הבוקר",
    "उपयोगकर्ता को सुबह चाय पीना पसंद है",
)
_REWORDED: Sequence[Pair] = (
    ("The user prefers dark mode in the editor", "User prefers the dark mode in the editor"),
    ("The user prefers dark mode in the editor", "In the editor, the user prefers dark mode"),
    ("The user prefers dark mode in the editor", "The user likes dark mode best in the editor"),
    ("Anna moved from Lisbon to Berlin because of her new job", "Because of her new job, Anna moved from Lisbon to Berlin"),
    ("Anna moved from Lisbon to Berlin because of her new job", "Anna relocated from Lisbon to Berlin for her new job"),
    ("The nightly build fails when the cache directory is missing", "When the cache directory is missing, the nightly build fails"),
    ("The nightly build fails when the cache directory is missing", "Nightly builds fail if the cache directory is missing"),
    ("Customers complained about slow checkout pages on mobile phones", "Customers have complained about slow checkout pages on phones"),
    ("The team agreed to write every design document in Markdown", "The team agreed to write all design documents in Markdown"),
    ("Der Nutzer möchte Rechnungen immer als PDF bekommen", "Der Nutzer will Rechnungen immer als PDF bekommen"),
    ("El cliente prefiere que le escriban por correo y no por teléfono", "El cliente prefiere correo y no teléfono"),
    ("用户喜欢在编辑器里使用深色模式", "用户喜欢在编辑器中用深色模式"),
    ("يفضل المستخدم الردود القصيرة باللغة العربية", "المستخدم يفضل الردود القصيرة باللغة العربية"),
)  # fmt: skip
_OTHERS: Sequence[Pair] = (
    ("The user prefers dark mode in the editor", "The user prefers light mode in the editor"),
    ("The user prefers dark mode in the editor", "The user does not prefer dark mode in the editor"),
    ("Anna moved from Lisbon to Berlin because of her new job", "Anna moved from Berlin to Lisbon because of her new job"),
    ("Anna moved from Lisbon to Berlin because of her new job", "Carla moved from Lisbon to Berlin because of her new job"),
    ("The nightly build fails when the cache directory is missing", "The nightly build passes when the cache directory is missing"),
    ("Customers complained about slow checkout pages on mobile phones", "Customers complained about slow search pages on mobile phones"),
    ("The team agreed to write every design document in Markdown", "The team refused to write every design document in Markdown"),
    ("Der Nutzer möchte Rechnungen immer als PDF bekommen", "Der Nutzer möchte Rechnungen nie als PDF bekommen"),
    ("El cliente prefiere que le escriban por correo y no por teléfono", "El cliente prefiere que le escriban por teléfono y no por correo"),
    ("用户喜欢在编辑器里使用深色模式", "用户不喜欢在编辑器里使用深色模式"),
    ("团队决定每周三下午在大会议室开会", "团队决定每周四上午在小会议室开会"),
    ("يفضل المستخدم الردود القصيرة باللغة العربية", "يفضل المستخدم الردود الطويلة باللغة العربية"),
)  # fmt: skip
_FIGURES: Sequence[Pair] = tuple(
    (template.format(one), template.format(other))
    for one, other in (("400", "500"), ("17", "71"), ("3", "4"))
    for template in (
        "The budget of the project was set to {} EUR by the board",
        "Invoice {} was sent to the customer and paid in time",
        "Die Sitzung dauert {} Stunden und findet im großen Saal statt",
        "项目预算定为{}欧元",
        "الميزانية هي {} يورو",
    )
)


def _respelled() -> Sequence[Pair]:
    respellings = (
        lambda text: f"{text}.",
        lambda text: text[:1].lower() + text[1:],
        lambda text: text.replace(" ", "  "),
        lambda text: f"Note: {text}" if text.isascii() else f"「{text}」",
    )
    return tuple((text, respelled(text)) for text in _TOLD for respelled in respellings)


PAIRS: Mapping[str, Sequence[Pair]] = {
    "respelled": _respelled(),
    "reworded": _REWORDED,
    "another thing": _OTHERS,
    "another figure": _FIGURES,
}


THRESHOLDS = (0.80, 0.85, 0.88, 0.90, 0.92, 0.94, 0.96)
MANY = 10_000
NOW = datetime(2030, 1, 1, tzinfo=UTC)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path)
    arguments = parser.parse_args()
    asyncio.run(_print_likeness("words", LexicalEmbedder(), by_words=True))
    if arguments.model:
        asyncio.run(
            _print_likeness(arguments.model.name, OnnxEmbedder(arguments.model), by_words=False)
        )
    asyncio.run(_print_speed())


async def _print_likeness(name: str, embedder: Embedder, *, by_words: bool) -> None:
    print(f"{name:24}", *(f"{threshold:>5.2f}" for threshold in THRESHOLDS))
    for sort, pairs in PAIRS.items():
        found = [
            [await _are_grouped(pair, embedder, threshold, by_words=by_words) for pair in pairs]
            for threshold in THRESHOLDS
        ]
        shares = (f"{np.mean(each):>5.0%}" for each in found)
        print(f"  {f'{sort} ({len(pairs)})':22}", *shares)


async def _are_grouped(
    pair: Sequence[str], embedder: Embedder, threshold: float, *, by_words: bool
) -> bool:
    memories = [_memory(text, number) for number, text in enumerate(pair)]
    rows = await embedder.embed(pair)
    model_ids = ["" if by_words else embedder.model_id] * len(pair)
    nothing = np.zeros((len(pair), 1), np.float32)
    compared = Comparable(memories, nothing if by_words else rows, model_ids, rows)
    return any(near_duplicates(compared, threshold))


async def _print_speed() -> None:
    dice = np.random.default_rng(1)
    vectors = dice.normal(size=(MANY, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    memories = [_memory(text, number) for number, text in enumerate(_texts(MANY))]
    began = time.perf_counter()
    words = await LexicalEmbedder().embed([memory.content for memory in memories])
    embedded = time.perf_counter() - began
    print(f"{MANY:,} memories: with vectors {_seconds(memories, vectors, None):.2f} s;", end=" ")
    without = _seconds(memories, np.zeros((MANY, 1), np.float32), words)
    print(f"without {embedded:.2f} s for their words and {without:.2f} s")


def _seconds(memories: Sequence[Memory], vectors: Rows, words: Rows | None) -> float:
    model_ids = ["m" if words is None else ""] * len(memories)
    began = time.perf_counter()
    groups = list(near_duplicates(Comparable(memories, vectors, model_ids, words), 0.92))
    if groups:
        raise RuntimeError(f"{len(groups)} groups among memories that all differ")
    return time.perf_counter() - began


def _texts(count: int) -> Iterator[str]:
    dice = np.random.default_rng(2)
    for _ in range(count):
        yield " ".join(f"word{number:x}" for number in dice.integers(0, 50_000, 12))


def _memory(text: str, number: int) -> Memory:
    return MemoryDraft(text).memory(AgentId("a"), MemoryId(UUID(int=number)), NOW)


if __name__ == "__main__":
    main()
