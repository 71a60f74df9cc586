"""Measures what it takes to read candidates again: `python -m bench.decisions.reranking --model DIR`.

The model is a sentence encoder of the shape of MiniLM-L6 with a random head on its first token: it says nothing of
quality, and takes the time of a cross-encoder of that shape. Needs the package onnx. For texts of three lengths: the
time of one call alone; what each of 8 callers takes of the processor one after the other and in batches; how many of 40
calls within a budget overran it and by how much; the time of a call whose scores are in the cache."""

import argparse
import asyncio
import json
import shutil
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.models.reranking.cross_encoder import CrossEncoder, LocalReranker
from camillo_server.models.reranking.text_reranking import RerankDefaults, Reranker, RerankTimeout, TextReranking

ALICE = Scope(TenantId("acme"), AgentId("alice"))
QUERY = "what did Ada say about the deadline of the release before the flight to Oslo?"
SENTENCE = "The committee met again and nothing was decided about number {}, which surprised nobody. "
CANDIDATES, CALLERS, ROUNDS = 30, 8, 12
SENTENCES = (1, 3, 10)
BUDGET_SECONDS = 0.15
WHOLE_SECONDS = 600.0


def with_random_head(model_dir: Path, target: Path) -> Path:
    """The encoder with a head that makes one number of its first token, as cross-encoders have."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    model = onnx.load(str(model_dir / "model.onnx"))
    graph = model.graph
    hidden = next(each for each in graph.output if each.name == "last_hidden_state")
    size = hidden.type.tensor_type.shape.dim[2].dim_value
    rng = np.random.default_rng(0)
    weights = (rng.standard_normal((size, 1)) / np.sqrt(size)).astype(np.float32)
    graph.initializer.extend(
        [
            numpy_helper.from_array(weights, "head"),
            numpy_helper.from_array(np.array(0, np.int64), "first"),
        ]
    )
    graph.node.extend(
        [
            helper.make_node("Gather", ["last_hidden_state", "first"], ["token"], axis=1),
            helper.make_node("MatMul", ["token", "head"], ["logits"]),
        ]
    )
    del graph.output[:]
    graph.output.append(helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["texts", 1]))
    target.mkdir()
    onnx.save(model, str(target / "model.onnx"))
    for name in ("tokenizer.json", "config.json"):
        shutil.copy(model_dir / name, target / name)
    return target


def texts(sentences: int, start: int = 0) -> list[str]:
    """Different ones of so many sentences."""
    return [SENTENCE.format(start + n) * sentences for n in range(CANDIDATES)]


async def one_call_ms(reranker: Reranker, sentences: int) -> tuple[float, float]:
    """The median time of one call, alone, and of the processor in it, which other work on the machine makes little
    longer."""
    times, busy = [], []
    for number in range(ROUNDS):
        began, worked = time.perf_counter(), time.process_time()
        await reranker.scores(f"{number} {QUERY}", texts(sentences))
        times.append(1000 * (time.perf_counter() - began))
        busy.append(1000 * (time.process_time() - worked))
    return median(times), median(busy)


async def busy_ms_of_callers(reranker: Reranker, sentences: int, *, together: bool) -> float:
    """Processor time per caller, each with one call: one after the other, or all at once."""
    calls = [(f"{n} {QUERY}", texts(sentences, n)[: CANDIDATES - n % 3]) for n in range(CALLERS)]
    worked = time.process_time()
    if together:
        await asyncio.gather(*(reranker.scores(*call, TenantId(call[0][0])) for call in calls))
    else:
        for call in calls:
            await reranker.scores(*call)
    return 1000 * (time.process_time() - worked) / len(calls)


async def overruns(reranker: Reranker, sentences: int) -> tuple[int, float]:
    """How many of 40 calls, one after the other, overran the budget; and the longest wait of all, in milliseconds."""
    defaults = RerankDefaults(budget_seconds=BUDGET_SECONDS)
    reranking = TextReranking(reranker, defaults, 0, lambda _: None)
    late, longest = 0, 0.0
    for number in range(40):
        began = time.perf_counter()
        try:
            await reranking.scores(f"late {number} {QUERY}", texts(sentences), ALICE)
        except RerankTimeout:
            late += 1
        longest = max(longest, time.perf_counter() - began)
        await asyncio.gather(*reranking._work._tasks)
    return late, 1000 * longest


async def cached_microseconds(reranker: Reranker, sentences: int) -> float:
    """The time of a call whose scores are there."""
    defaults = RerankDefaults(budget_seconds=WHOLE_SECONDS)
    reranking = TextReranking(reranker, defaults, 10_000, lambda _: None)
    await reranking.scores(QUERY, texts(sentences), ALICE)
    times = []
    for _ in range(500):
        began = time.perf_counter()
        await reranking.scores(QUERY, texts(sentences), ALICE)
        times.append(1e6 * (time.perf_counter() - began))
    return median(times)


async def measured(model_dir: Path, threads: int) -> list[dict[str, Any]]:
    """The figures for each length of text."""
    reranker = LocalReranker(CrossEncoder(model_dir, threads))
    rows = []
    for sentences in SENTENCES:
        in_turns = await busy_ms_of_callers(reranker, sentences, together=False)
        at_once = await busy_ms_of_callers(reranker, sentences, together=True)
        late, longest = await overruns(reranker, sentences)
        elapsed, busy = await one_call_ms(reranker, sentences)
        rows.append(
            {
                "characters": len(texts(sentences)[0]),
                "one call ms": round(elapsed, 1),
                "of the processor ms": round(busy, 1),
                f"each of {CALLERS} in turns": round(in_turns, 1),
                f"each of {CALLERS} at once": round(at_once, 1),
                f"over {BUDGET_SECONDS * 1000:.0f} ms, of 40": late,
                "longest wait ms": round(longest, 1),
                "cached us": round(await cached_microseconds(reranker, sentences), 1),
            }
        )
    await reranker.close()
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True, help="directory of a sentence model")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        model_dir = with_random_head(arguments.model, Path(directory) / "random-head")
        for row in asyncio.run(measured(model_dir, arguments.threads)):
            print(json.dumps(row))


if __name__ == "__main__":
    main()
