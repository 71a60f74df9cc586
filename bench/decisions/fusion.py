"""Measures what each part of the fusion is worth: `python -m bench.decisions.fusion --data DIR [--as events]
[--model DIR]`, or `--suite NAME [--seed N]` in place of the chats (docs/quality.md; docs/adr/retrieval-fusion.md, 0101,
0105).

Without a server: the candidates of every question are found exactly as the engine finds them, and fused with each
part taken away in turn.
"""

import argparse
import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from camillo_server.models.embedding.providers import choose_embedder
from camillo_server.search import fusion
from camillo_server.search.fusion import fuse
from camillo_server.search.signals import brevity, neighbourhood, speech
from camillo_server.settings.settings import MemorySettings

from bench.material.chats import Chat, read_chats
from bench.quality.arms import KEPT_AS, Case, cases_of, chat_of, recalls
from bench.quality.suites import implicit, languages, lists, names, personal, shapes

SUITES = {each.__name__.rpartition(".")[2]: each for each in (implicit, languages, lists, names, personal, shapes)}

VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "fused": {},
    "no neighbours": {"DENSE_NEAR": (), "LEXICAL_NEAR": ()},
    "neighbours of one step": {"DENSE_NEAR": (0, 0.3), "LEXICAL_NEAR": (0.4, 0.4)},
    "meaning of what went before": {"DENSE_NEAR": (0.3, 0.3, 0.15, 0.15)},
    "no best of session": {"SESSION_NEAR": 0.0},
    "no brevity": {"BREVITY_WEIGHT": 0.0},
    "neighbours in all sessions": {"COHERENT": (-2.0, -1.0)},
    "rarity ignored": {"RARITY_RANGE": (1.0, 1.0)},
    "words by chance like others": {"LEAST_CERTAINTY": 1.0},
    "function words like others": {"TELLING_COVERAGE": 1e-9},
    "all languages like English": {"ASSUMED_CANDIDATES": 1_000_000_000},
    "arms alike": {"DENSE_SHARE": 0.5},
    "dense share 0.6": {"DENSE_SHARE": 0.6},
    "no speech": {
        "NAMED_WEIGHT": 0.0,
        "TELLS_WEIGHT": 0.0,
        "REPLY_DENSE": 0.0,
        "REPLY_LEXICAL": 0.0,
    },
    "who says it ignored": {"NAMED_WEIGHT": 0.0},
    "who says it 2.5": {"NAMED_WEIGHT": 2.5},
    "questions like statements": {"TELLS_WEIGHT": 0.0},
    "statements 1": {"TELLS_WEIGHT": 1.0},
    "replies like others": {"REPLY_DENSE": 0.0, "REPLY_LEXICAL": 0.0},
}


@contextmanager
def _constants(changed: Mapping[str, Any]) -> Iterator[None]:
    """The fusion with other constants for a while."""
    kept = {name: getattr(_module_of(name), name) for name in changed}
    for name, value in changed.items():
        setattr(_module_of(name), name, value)
    try:
        yield
    finally:
        for name, value in kept.items():
            setattr(_module_of(name), name, value)


def _module_of(name: str) -> ModuleType:
    """The module that reads a constant."""
    return next(module for module in (fusion, brevity, neighbourhood, speech) if hasattr(module, name))


def _chats_of(suite: ModuleType, seed: int) -> list[Chat]:
    return [chat_of(each) for each in suite.collections(seed=seed)]


async def _all_cases(chats: Sequence[Chat], model: Path | None, kept_as: str) -> list[Case]:
    embedder = choose_embedder(MemorySettings(embedding_model="onnx" if model else "lexical", model_dir=model)).embedder
    rows_of = KEPT_AS[kept_as]
    cases = [case for chat in chats for case in await cases_of(chat, rows_of(chat), embedder)]
    await embedder.close()
    return cases


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.decisions.fusion", description=__doc__)
    asked = parser.add_mutually_exclusive_group(required=True)
    asked.add_argument("--data", type=Path)
    asked.add_argument("--suite", choices=SUITES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--as", dest="kept_as", choices=KEPT_AS, default="memories", help="kept as")
    given = parser.parse_args()
    chats = read_chats(given.data) if given.data else _chats_of(SUITES[given.suite], given.seed)
    cases = asyncio.run(_all_cases(chats, given.model, given.kept_as))
    rows = {
        "dense alone": recalls(cases, [case.arms.dense for case in cases]),
        "lexical alone": recalls(cases, [case.arms.lexical for case in cases]),
    }
    for name, changed in VARIANTS.items():
        with _constants(changed):
            rows[name] = recalls(cases, [fuse(case.arms, case.query).similarity for case in cases])
    print(f"{len(cases)} questions: recall at 5, 10, 25, 50")
    for name, row in rows.items():
        print(f"{name:28}", *(f"{share:.3f}" for share in row))


if __name__ == "__main__":
    main()
