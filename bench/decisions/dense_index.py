"""Ways to search many vectors: `python -m bench.decisions.dense_index --sizes 10k,100k,1M` (docs/adr/dense-index.md).

Vectors as `bench.recall` has them, and in topics; with `--data DIR --model DIR` also ones derived from passages of
chats, asked by passages that were left out; with `--random` also ones without structure; `--alone` leaves out what was
not chosen. One thread throughout."""

import argparse
import asyncio
import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import faiss as typed_faiss
import numpy as np
from camillo_server.models.embedding.onnx import OnnxEmbedder
from camillo_server.search.index.dense import DenseIndex, SegmentSizes
from camillo_server.search.index.faiss_calls import limit_threads, view_of
from numpy.typing import NDArray

from bench.material.corpus import Corpus
from bench.measure.timing import percentile, taking_turns

Single = NDArray[np.float32]
Half = NDArray[np.float16]

DIMENSIONS = 384
BLOCK = 50_000
PASSAGES = 8_000
PASSAGE_CHARACTERS = (25, 400)
TOPICS, INTRINSIC, KINDS_OF_SPREAD = 5_000, 24, 64


def unit(vectors: Single) -> Single:
    units: Single = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return units


def embedded_passages(folder: Path, model: Path) -> Single:
    """Paragraphs of the chats in a folder, shuffled, as the local model sees them."""
    texts = [text for text in dict.fromkeys(_paragraphs(folder)) if len(text) >= PASSAGE_CHARACTERS[0]]
    chosen = np.random.default_rng(0).permutation(len(texts))[:PASSAGES]
    embedder = OnnxEmbedder(model)
    return asyncio.run(embedder.embed([texts[place] for place in chosen]))


def like(real: Single, count: int, seed: int = 0) -> Half:
    """Each between a real vector and one of its ten nearest, with noise of the same covariance."""
    random = np.random.default_rng(seed)
    near = np.argpartition(-(real @ real.T), 10, axis=1)[:, :11]
    values, axes = np.linalg.eigh(np.cov(real.T))
    root = (axes * np.sqrt(np.maximum(values, 0))).T.astype(np.float32)
    vectors = np.empty((count, real.shape[1]), np.float16)
    for start in range(0, count, BLOCK):
        size = min(BLOCK, count - start)
        one = random.integers(len(real), size=size)
        other = near[one, random.integers(11, size=size)]
        share = random.uniform(0.3, 1, size=(size, 1)).astype(np.float32)
        noise = 0.5 * (random.standard_normal((size, real.shape[1]), np.float32) @ root)
        vectors[start : start + size] = unit(share * real[one] + (1 - share) * real[other] + noise)
    return vectors


def in_topics(count: int, seed: int = 1) -> Half:
    """Topics of unequal size, within each a spread along few directions, and a little noise."""
    random = np.random.default_rng(seed)
    falling = (1 / np.sqrt(1 + np.arange(DIMENSIONS) / 20)).astype(np.float32)
    centres = unit(random.standard_normal((TOPICS, DIMENSIONS), np.float32) * falling)
    shape = (KINDS_OF_SPREAD, INTRINSIC, DIMENSIONS)
    spreads = random.standard_normal(shape, np.float32) * np.float32(3.1 / np.sqrt(shape[1] * shape[2]))
    sizes = np.arange(1, TOPICS + 1) ** -0.6
    vectors = np.empty((count, DIMENSIONS), np.float16)
    for start in range(0, count, BLOCK):
        size = min(BLOCK, count - start)
        topic = random.choice(TOPICS, size=size, p=sizes / sizes.sum())
        block = centres[topic]
        for kind in range(KINDS_OF_SPREAD):
            members = np.flatnonzero(topic % KINDS_OF_SPREAD == kind)
            inner = random.standard_normal((len(members), INTRINSIC), np.float32)
            block[members] += inner @ spreads[kind]
        noise = random.standard_normal((size, DIMENSIONS), np.float32)
        vectors[start : start + size] = unit(block + noise * np.float32(0.4 / np.sqrt(DIMENSIONS)))
    return vectors


def without_structure(count: int, seed: int = 3) -> Half:
    random = np.random.default_rng(seed)
    vectors = np.empty((count, DIMENSIONS), np.float16)
    for start in range(0, count, BLOCK):
        size = min(BLOCK, count - start)
        vectors[start : start + size] = unit(random.standard_normal((size, DIMENSIONS), np.float32))
    return vectors


def _paragraphs(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*.json")):
        chat = json.loads(path.read_bytes())
        for message in chat.get("messages", []) if isinstance(chat, dict) else []:
            for paragraph in re.split(r"\n\s*\n", message.get("text", "")):
                yield paragraph.strip()[: PASSAGE_CHARACTERS[1]]


faiss: Any = typed_faiss

HITS = 50
QUERIES = 60
ROUNDS = 3
# As many callers as the other benchmarks have.
TOGETHER = 16
# Every segment gets a sketch, however small.
SKETCHED = SegmentSizes(max_scanned=0, min_sketched=1)
FP16 = faiss.ScalarQuantizer.QT_fp16
IP = faiss.METRIC_INNER_PRODUCT
SHARES = (0.01, 0.1, 0.3, 0.9)
# A graph of a million takes longer to build than anybody would wait.
MAX_FOR_GRAPH = 100_000

Rows = NDArray[np.int64]
Search = Callable[[Single], Rows]


@dataclass(frozen=True, slots=True)
class Contender:
    name: str
    search: Search
    build_seconds: float
    bytes_beside_vectors: float


def main() -> None:
    options = _options()
    limit_threads(1)
    sizes = [_number(text) for text in options.sizes.split(",")]
    for kind, vectors, queries in _kinds(options, max(sizes)):
        for size in sizes:
            print(f"\n{kind}, {size:,} rows, {HITS} hits")
            _measure(vectors[:size], queries, options.alone)


def _measure(vectors: Half, queries: Single, alone: bool) -> None:
    present = np.ones(len(vectors), np.bool_)
    started = time.perf_counter()
    built = DenseIndex.build(vectors, present, SKETCHED)
    build_seconds = time.perf_counter() - started
    started = time.perf_counter()
    sketched = built.merge_segments()
    merge_seconds = time.perf_counter() - started
    beside = sketched.nbytes / len(vectors) - 2 * vectors.shape[1]
    every_row = partial(_rows_of, built, None)
    contenders = [
        Contender("every row", every_row, build_seconds, 0),
        Contender("sketch", partial(_rows_of, sketched, None), merge_seconds, beside),
        *(() if alone else _others(vectors)),
    ]
    _compare(contenders, queries, [every_row(query) for query in queries])
    _together(sketched, queries)
    chosen = DenseIndex.build(vectors, present).merge_segments()
    _filters(vectors, chosen, queries)
    _appends(chosen, vectors)


def _together(index: DenseIndex, queries: Single) -> None:
    """Milliseconds of each of several queries over the first segment, one by one and as one matrix."""
    several, segment = np.ascontiguousarray(queries[:TOGETHER]), index.segments[0]
    sketch: Any = segment.sketch
    for name, searched, hits in (
        ("every row", segment.exact, HITS),
        ("sketch alone", sketch.index, 24 * HITS),
    ):
        singly = partial(_search_singly, searched, several, hits)
        as_matrix = partial(searched.search, several, hits)
        for way, search in (("one by one", singly), ("as one matrix", as_matrix)):
            taken = min(_milliseconds(search) for _ in range(ROUNDS)) / TOGETHER
            print(f"{TOGETHER} queries, {name}, {way}: {taken:.3f} ms each")


def _search_singly(index: Any, queries: Single, hits: int) -> None:
    for query in queries:
        index.search(query[None], hits)


def _milliseconds(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1000


def _others(vectors: Half) -> Iterator[Contender]:
    yield from _lists(vectors)
    yield _one_bit(vectors)
    if len(vectors) <= MAX_FOR_GRAPH:
        yield _graph(vectors)


def _lists(vectors: Half) -> Iterator[Contender]:
    """Inverted lists: twice the square root of so many rows, at least 64 and at most 2,048."""
    lists = int(np.clip(2 * np.sqrt(len(vectors)), 64, 2_048))
    started = time.perf_counter()
    index = faiss.IndexIVFScalarQuantizer(faiss.IndexFlatIP(vectors.shape[1]), vectors.shape[1], lists, FP16, IP, False)
    index.cp.niter, index.cp.min_points_per_centroid = 8, 1
    random = np.random.default_rng(0)
    sample = random.choice(len(vectors), min(len(vectors), 40 * lists), replace=False)
    index.train(vectors[np.sort(sample)].astype(np.float32))
    _add(index, vectors)
    taken = time.perf_counter() - started
    beside = 8 + 4 * vectors.shape[1] * lists / len(vectors)
    for probes in (32, 128):
        choice = faiss.SearchParametersIVF(nprobe=min(probes, lists))
        search = partial(_probing, index, choice)
        yield Contender(f"{lists} lists, {probes} probed", search, taken, beside)


def _probing(index: Any, choice: Any, query: Single) -> Rows:
    rows: Rows = index.search(query[None], HITS, params=choice)[1][0]
    return rows


def _one_bit(vectors: Half) -> Contender:
    """RaBitQ after a random rotation, a thousand candidates compared exactly."""
    started = time.perf_counter()
    rotation = faiss.RandomRotationMatrix(vectors.shape[1], vectors.shape[1])
    rotation.init(7)
    codes = faiss.IndexRaBitQFastScan(vectors.shape[1], IP)
    index = faiss.IndexPreTransform(rotation, codes)
    index.train(vectors[:20_000].astype(np.float32))
    _add(index, vectors)
    taken = time.perf_counter() - started
    candidates = min(1_000, len(vectors))

    def search(query: Single) -> Rows:
        rows = np.sort(index.search(query[None], candidates)[1][0])
        rows = rows[rows >= 0]
        found: Rows = rows[view_of(vectors[rows]).search(query[None], HITS)[1][0]]
        return found

    return Contender("RaBitQ, 1,000 exact", search, taken, codes.codes.nbytes() / len(vectors))


def _graph(vectors: Half) -> Contender:
    started = time.perf_counter()
    index = faiss.IndexHNSWSQ(vectors.shape[1], FP16, 16, IP)
    index.hnsw.efConstruction, index.hnsw.efSearch = 80, 128
    index.train(vectors[:1_000].astype(np.float32))
    _add(index, vectors)
    taken = time.perf_counter() - started
    # Neighbours are 4 bytes each: 32 at the bottom, 16 on each of the few levels above.
    beside = 4 * index.hnsw.neighbors.size() / len(vectors)
    return Contender("HNSW", lambda q: index.search(q[None], HITS)[1][0], taken, beside)


def _add(index: Any, vectors: Half) -> None:
    for start in range(0, len(vectors), 16_384):
        index.add(vectors[start : start + 16_384].astype(np.float32))


def _compare(contenders: Sequence[Contender], queries: Single, exact: Sequence[Rows]) -> None:
    taken = _in_turns({each.name: each.search for each in contenders}, queries)
    print(f"{'':24}{'p50 ms':>9}{'p95 ms':>9}{'R@10':>8}{'R@50':>8}{'build s':>9}{'+ B/row':>9}")
    for each in contenders:
        found = [each.search(query) for query in queries]
        print(
            f"{each.name:24}{percentile(taken[each.name], 50):9.2f}{percentile(taken[each.name], 95):9.2f}"
            f"{_recall(found, exact, 10):8.4f}{_recall(found, exact, HITS):8.4f}"
            f"{each.build_seconds:9.2f}{each.bytes_beside_vectors:9.1f}"
        )


def _filters(vectors: Half, index: DenseIndex, queries: Single) -> None:
    """Random filters against an index of nothing but the rows that they keep."""
    searches: dict[str, Search] = {"no filter": partial(_rows_of, index, None)}
    recalls = {"no filter": ""}
    for share in SHARES:
        kept = np.random.default_rng(5).random(len(vectors)) < share
        rows = np.flatnonzero(kept)
        alone = DenseIndex.build(vectors[rows], np.ones(len(rows), np.bool_))
        name = f"a filter keeps {share:.0%}"
        searches[name] = partial(_rows_of, index, kept)
        exact = [rows[alone.search(query, 10)[0]] for query in queries]
        found = [searches[name](query) for query in queries]
        recalls[name] = f"{_recall(found, exact, 10):8.4f}"
    taken = _in_turns(searches, queries)
    for name, times in taken.items():
        print(f"{name:24}{percentile(times, 50):9.2f}{percentile(times, 95):9.2f}{recalls[name]}")


def _rows_of(index: DenseIndex, allowed: NDArray[np.bool_] | None, query: Single) -> Rows:
    return index.search(query, HITS, allowed)[0]


def _appends(index: DenseIndex, vectors: Half) -> None:
    rows, taken = vectors[:2_000].astype(np.float32), []
    for row in range(len(rows)):
        started = time.perf_counter()
        index = index.append_rows(rows[row : row + 1], np.ones(1, np.bool_))
        taken.append((time.perf_counter() - started) * 1000)
    print(
        f"append one row: mean {sum(taken) / len(taken):.3f} ms, p99.9 {percentile(taken, 99.9):.2f} ms, "
        f"most {max(taken):.2f} ms; then {index.nbytes / index.count - 2 * rows.shape[1]:.1f} B/row beside"
    )


def _in_turns(searches: dict[str, Search], queries: Single) -> dict[str, list[float]]:
    """Milliseconds of each search, the least of the rounds for each query: others use the machine, too."""
    taken: dict[str, list[list[float]]] = {name: [] for name in searches}
    for name in taking_turns(list(searches), ROUNDS):
        times = []
        for query in queries:
            started = time.perf_counter()
            searches[name](query)
            times.append((time.perf_counter() - started) * 1000)
        taken[name].append(times)
    return {name: np.min(rounds, axis=0).tolist() for name, rounds in taken.items()}


def _recall(found: Sequence[Rows], exact: Sequence[Rows], hits: int) -> float:
    shared = sum(len(set(a[:hits]) & set(b[:hits])) for a, b in zip(found, exact, strict=True))
    return shared / sum(len(each[:hits]) for each in exact)


def _kinds(options: argparse.Namespace, most: int) -> Iterator[tuple[str, Half, Single]]:
    if options.data:
        real = embedded_passages(options.data, options.model)
        half = len(real) // 2
        yield "derived from passages", like(real[:half], most), real[half : half + QUERIES]
    corpus = Corpus(most)
    blocks = [block.vectors.astype(np.float16) for block in corpus.blocks()]
    yield "of bench.recall", np.concatenate(blocks), corpus.queries(QUERIES)
    vectors = in_topics(most + QUERIES)
    yield "in topics", vectors[:most], unit(vectors[most:].astype(np.float32))
    if options.random:
        vectors = without_structure(most + QUERIES)
        yield "without structure", vectors[:most], unit(vectors[most:].astype(np.float32))


def _number(text: str) -> int:
    return int(float(text.lower().replace("k", "e3").replace("m", "e6")))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="10k,100k,1M")
    parser.add_argument("--data", type=Path, help="a folder of chats; needs --model")
    parser.add_argument("--model", type=Path, help="a folder with an ONNX model")
    parser.add_argument("--random", action="store_true")
    parser.add_argument("--alone", action="store_true", help="leave out what was not chosen")
    options = parser.parse_args()
    if bool(options.data) != bool(options.model):
        parser.error("--data and --model go together")
    return options


if __name__ == "__main__":
    main()
