"""The goals of what a tenant knows, measured: `python -m bench.knowledge --json` (see bench/README.md)."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.knowledge.audit import measure_overhead, measure_tampering
from bench.knowledge.documents import measure_documents
from bench.knowledge.four_sources import measure_four_sources
from bench.knowledge.policy import measure_policy
from bench.measure.command import Benchmark, parse, say
from bench.measure.report import Goal
from bench.measure.servers import (
    VECTORS_GIVEN,
    AppServer,
    Embedding,
    app_server,
    temporary_directory,
)
from bench.measure.timing import Figures

KNOWLEDGE = Benchmark(
    "knowledge",
    __doc__,
    keys=(
        *("publish_per_s", "resync_per_s", "citations_exact"),
        *("audit_overhead", "tampering_found", "audited_remember_p50_ms", "verify_per_s"),
        *("four_source_ratio", "four_source_p95_ms", "single_source_p95_ms"),
        *("audit_policy_overhead", "audited_read_overhead"),
    ),
    goals=(
        Goal("documents of 8 KB published a second", "publish_per_s", least=100),
        Goal("documents found unchanged a second", "resync_per_s", least=2_000),
        Goal("citations that open at what they cite", "citations_exact", least=100, unit="%"),
        Goal(
            "a Remember's p50 with its entry, beyond one without",
            "audit_overhead",
            most=10,
            unit="%",
        ),
        Goal(
            "a Remember's p50 in a tenant with a policy, beyond one in a tenant without",
            "audit_policy_overhead",
            most=3,
            unit="%",
        ),
        Goal("ways to tamper with a chain that are found, of 4", "tampering_found", least=4),
        Goal(
            "p95 of a recall of four sources in both scopes, over one of as many memories in one",
            "four_source_ratio",
            most=2,
        ),
    ),
    parts=("documents", "audit", "policy", "tampering", "four_sources"),
)


@dataclass(frozen=True, slots=True)
class KnowledgeOptions:
    """How much is measured."""

    rounds: int = 15
    calls_a_round: int = 150
    entries: int = 100_000
    documents: int = 1_000
    questions: int = 200
    share: float = 1.0


QUICK = KnowledgeOptions(2, 20, 1_000, 40, 10, 0.02)


async def _documents(options: KnowledgeOptions, app: AppServer, directory: Path) -> Figures:
    with app_server(Embedding("lexical"), directory / "lexical") as lexical:
        return await measure_documents(lexical, options.documents, options.questions)


async def _audit(options: KnowledgeOptions, app: AppServer, directory: Path) -> Figures:
    return await measure_overhead(app, directory, options.rounds, options.calls_a_round)


async def _policy(options: KnowledgeOptions, app: AppServer, directory: Path) -> Figures:
    return await measure_policy(app, options.rounds, options.calls_a_round)


async def _tampering(options: KnowledgeOptions, app: AppServer, directory: Path) -> Figures:
    return await measure_tampering(app, options.entries)


async def _four_sources(options: KnowledgeOptions, app: AppServer, directory: Path) -> Figures:
    return await measure_four_sources(app, options.rounds, options.calls_a_round, options.share)


PARTS: dict[str, Callable[[KnowledgeOptions, AppServer, Path], Any]] = {
    "documents": _documents,
    "audit": _audit,
    "policy": _policy,
    "tampering": _tampering,
    "four_sources": _four_sources,
}


def measure(options: KnowledgeOptions, parts: Sequence[str]) -> Figures:
    """Measures these parts, one after the other, on one server."""
    figures: Figures = {}
    with (
        temporary_directory() as directory,
        app_server(VECTORS_GIVEN, directory / "data") as app,
    ):
        for name in parts:
            say(name)
            figures |= asyncio.run(PARTS[name](options, app, directory))
    return figures


def main() -> None:
    given = parse(KNOWLEDGE.parser())
    options = QUICK if given.quick else KnowledgeOptions()
    KNOWLEDGE.finish(given, measure(options, given.only or [*PARTS]))


if __name__ == "__main__":
    main()
