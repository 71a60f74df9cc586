"""Random bundles, counted exactly: none may take more than was allowed."""

import asyncio
import base64
import random
from collections.abc import Callable
from pathlib import Path

from bench.context.calls import ContextCalls, ContextOptions, message
from bench.measure.client import connected
from bench.measure.servers import ROOT, AppServer
from bench.measure.timing import Figure, Figures

AGENT = "budgets"
MAX_TOKENS = 65_000
# How cl100k cuts a text before it merges (tiktoken's own definition).
CL100K = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| "
    r"?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
ODD = (
    "日本語の記録です。",
    "🙂🙂🙃",
    "مرحبا بالعالم",
    "e\u0301t\u00e9",
    "</data-000000000>",
    "0x9f" * 40,
    "\t\t|---|\n" * 9,
)


def measure(options: ContextOptions, app: AppServer) -> Figures:
    """How many bundles were over their budget by exact count; nothing without a vocabulary."""
    if options.vocabulary is None:
        return {}
    return {"over_budget": Figure((float(asyncio.run(_measure(options, app))),))}


async def _measure(options: ContextOptions, app: AppServer) -> int:
    assert options.vocabulary is not None
    count = exact_counter(options.vocabulary)
    chance = random.Random(65_000)
    over = 0
    async with connected(app.port, app.secret) as client:
        calls = ContextCalls(client, AGENT)
        await _fill(calls, chance)
        texts = paragraphs()
        for _ in range(options.random_bundles):
            query = chance.choice(texts)[:200]
            most = chance.choice((MAX_TOKENS, chance.randint(2_000, MAX_TOKENS)))
            bundle = await calls.bundle(query, max_tokens=most, session_id=f"session-{chance.randrange(40)}")
            over += count(bundle.prompt) > most
    return over


async def _fill(calls: ContextCalls, chance: random.Random) -> None:
    """Many texts of all lengths, prose and code of this project, some of them odd. Made-up words would not do: what no
    tokenizer has seen takes more tokens than an estimate can know."""
    texts = paragraphs()
    await calls.put_view("identity", "You are careful.")
    for session in range(40):
        batch = []
        for _ in range(100):
            long = "\n\n".join(chance.choices(texts, k=chance.choice((1, 1, 2, 8))))
            batch.append(message(f"session-{session}", "Ann", long + chance.choice(ODD)))
        await calls.record_many(batch)


def paragraphs() -> list[str]:
    """Paragraphs of the project's own documents and programs."""
    paths = [
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("server/**/*.py"),
        *ROOT.glob("proto/**/*.proto"),
    ]
    found = [part for path in sorted(paths) for part in path.read_text("utf-8").split("\n\n")]
    return [part for part in found if part.strip()]


def exact_counter(vocabulary: Path) -> Callable[[str], int]:
    """Counts tokens as models with this vocabulary (tiktoken's form: base64 and rank, a line each) do."""
    import tiktoken

    ranks = {}
    for line in vocabulary.read_bytes().splitlines():
        token, rank = line.split()
        ranks[base64.b64decode(token)] = int(rank)
    encoding = tiktoken.Encoding("exact", pat_str=CL100K, mergeable_ranks=ranks, special_tokens={})
    return lambda text: len(encoding.encode_ordinary(text))
