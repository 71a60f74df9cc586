"""Splitting by patterns, or at the blocks that markdown-it-py finds: `python -m bench.decisions.passage_splitting
--data DIR [--model DIR]` (docs/adr/documents.md).

Milliseconds of CPU for texts of Markdown (the pages of docs/, cut to a length) and for texts made to take long, then the
quality of retrieval over the messages of chats, split either way. The parser runs its block rules alone, tables among them.
"""

import argparse
import asyncio
import math
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from camillo_server.embedding.embedder import Embedder
from camillo_server.embedding.providers import choose_embedder
from camillo_server.search.fusion import fuse
from camillo_server.settings import MemorySettings
from camillo_server.text import passages as passage_splitter
from markdown_it import MarkdownIt

from bench.decisions.fusion import cases_of, memories_of, recalls
from bench.material.chats import Chat, KeptMemory, read_chats

Spans = Iterator[tuple[int, int]]

DOCS = Path(__file__).parents[2] / "docs"
ROOM = 1_780
SIZES = (200, 2_000, 60_000)
HOSTILE = {
    "quotes in quotes": ">" * 60_000,
    "lines": "a\n" * 30_000,
    "headings": "# a\n" * 15_000,
    "rows of a table": "a|b\n-|-\n" + "|\n" * 30_000,
    "a table of 2,500 columns": "|".join("a" * 2_500) + "\n" + "-|" * 2_500 + "\n" + "a\n" * 2_500,
    "a table of 5,000 columns": "|".join("a" * 5_000) + "\n" + "-|" * 5_000 + "\n" + "a\n" * 5_000,
}
PARSER = MarkdownIt("commonmark").enable("table").disable("inline")
CONTAINERS = frozenset({"bullet_list_open", "ordered_list_open", "blockquote_open"})


def parsed_passages(text: str, room: int) -> Spans:
    """The spans of `passage_splitter.passages`, with borders where the parser says that a block begins."""
    borders = _parsed_borders(text)
    start, end = 0, len(text.rstrip())
    while start < end:
        window = text[start : min(end, start + room)]
        is_last = start + len(window) == end
        tokens = passage_splitter._rough_tokens(window)
        if is_last and tokens <= passage_splitter.WHOLE_TOKENS:
            yield start, end
            return
        parts = tokens / passage_splitter.PASSAGE_TOKENS
        reach = int(len(window) / max(math.ceil(parts) if is_last else parts, 1))
        highest = min(len(window), math.ceil(reach * 1.15))
        stop = _stop(text, start, start + max(reach * 3 // 5, 1), start + highest, borders)
        yield start, stop
        start = stop


def _parsed_borders(text: str) -> Sequence[Sequence[int]]:
    """Where headings, outer blocks and inner blocks begin."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    headings, outer, inner = set[int](), set[int](), set[int]()
    for token in PARSER.parse(text):
        if token.map is None or token.type in CONTAINERS:
            continue
        kind = headings if token.type == "heading_open" else inner if token.level else outer
        kind.add(starts[token.map[0]])
    return [sorted(headings), sorted(outer), sorted(inner)]


def _stop(
    text: str, start: int, lowest: int, highest: int, borders: Sequence[Sequence[int]]
) -> int:
    for found in borders:
        last = bisect_right(found, highest) - 1
        if last >= 0 and found[last] >= lowest:
            return found[last]
    inner = passage_splitter._INNER_BORDERS
    cut = passage_splitter._last_border(text, lowest, highest, inner)
    return cut.at if cut else highest


def split_by_patterns(text: str) -> None:
    passage_splitter.sections(text)
    list(passage_splitter.passages(text, ROOM))


def split_by_parser(text: str) -> None:
    list(parsed_passages(text, ROOM))


def milliseconds(split: Callable[[str], None], text: str) -> float:
    """The least of five rounds, of one where a round takes long."""
    taken: list[float] = []
    while len(taken) < 5 and sum(taken) < 500:
        began = time.process_time()
        split(text)
        taken.append(1_000 * (time.process_time() - began))
    return min(taken)


def chunked(chat: Chat, split: Callable[[str, int], Spans]) -> Chat:
    """The chat with its messages kept as the chunker would, split one way or the other."""
    kept = []
    for message in chat.messages:
        sections = passage_splitter.sections(message.text)
        for start, end in split(message.text, ROOM):
            trail = passage_splitter.trail_at(sections, start)
            opening = f"{message.speaker}: {trail}" + "\n" * bool(trail)
            content = opening + message.text[start:end].rstrip()
            kept.append(
                KeptMemory(message.message_id, message.session_id, message.occurred_at, content)
            )
    return replace(chat, memories=tuple(kept))


async def quality(chats: Sequence[Chat], embedder: Embedder) -> dict[str, Sequence[float]]:
    """Mean recall at 5, 10, 25 and 50 of dense vectors, of words and of both fused."""
    cases = [case for chat in chats for case in await cases_of(chat, memories_of(chat), embedder)]
    return {
        "dense": recalls(cases, [case.arms.dense for case in cases]).tolist(),
        "lexical": recalls(cases, [case.arms.lexical for case in cases]).tolist(),
        "fused": recalls(
            cases, [fuse(case.arms, case.query).similarity for case in cases]
        ).tolist(),
    }


def print_times(chats: Sequence[Chat]) -> None:
    pages = "\n".join(page.read_text() for page in sorted(DOCS.rglob("*.md")))
    texts = {f"Markdown, {size:,} characters": pages[5_000 : 5_000 + size] for size in SIZES}
    print(f"{'milliseconds':36} patterns   parser")
    for name, text in {**texts, **HOSTILE}.items():
        ours, theirs = milliseconds(split_by_patterns, text), milliseconds(split_by_parser, text)
        print(f"{name:36} {ours:8.3f} {theirs:8.3f}")
    messages = [message.text for chat in chats for message in chat.messages]
    for split in (split_by_patterns, split_by_parser):
        began = time.process_time()
        for text in messages:
            split(text)
        mean = 1_000 * (time.process_time() - began) / len(messages)
        print(f"mean of {len(messages):,} messages, {split.__name__:18} {mean:.3f}")


async def print_quality(chats: Sequence[Chat], model: Path | None) -> None:
    embedder = choose_embedder(
        MemorySettings(embedding_model="onnx" if model else "lexical", model_dir=model)
    ).embedder
    for name, split in (("patterns", passage_splitter.passages), ("parser", parsed_passages)):
        split_chats = [chunked(chat, split) for chat in chats]
        lengths = np.array([len(kept.content) for chat in split_chats for kept in chat.memories])
        print(f"{name}: {len(lengths):,} passages of {lengths.mean():.0f} characters on average")
        for arm, shares in (await quality(split_chats, embedder)).items():
            print(f"  {arm:8} recall at 5, 10, 25, 50:", *(f"{share:.3f}" for share in shares))
    await embedder.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--model", type=Path)
    given = parser.parse_args()
    chats = read_chats(given.data)
    print_times(chats)
    asyncio.run(print_quality(chats, given.model))


if __name__ == "__main__":
    main()
