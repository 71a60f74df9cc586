"""Keys, ratios and goals of the race."""

import io

from rich.console import Console

from bench.measure.timing import Figure
from bench.peers.__main__ import BENCHMARK
from bench.peers.contenders import CONTENDERS, KEYS, PEERS, contenders_table, ratios


def test_every_contender_has_its_keys() -> None:
    for name in ("camillo", "langgraph", "mem0", "chroma", "qdrant_local"):
        for key in ("qps_1", "qps_16", "p50_ms", "p50_16_ms", "put_p95_ms", "bundle_p50_ms", "recall"):
            assert f"{name}_{key}" in KEYS
    assert "camillo_over_langgraph_qps_16" in KEYS
    assert len(KEYS) == len(set(KEYS))


def test_ratios_are_taken_round_by_round_and_only_of_what_was_measured() -> None:
    figures = {
        "camillo_qps_16": Figure((100.0, 400.0)),
        "chroma_qps_16": Figure((50.0, 100.0)),
        "mem0_qps_1": Figure((7.0,)),
    }
    assert ratios(figures) == {"camillo_over_chroma_qps_16": Figure((2.0, 4.0))}


def test_each_goal_is_judged_by_its_ratio() -> None:
    figures = {"camillo_over_langgraph_qps_16": Figure((20.0,)), "camillo_over_mem0_qps_16": Figure((2.9,))}
    met = {verdict.what: verdict.met for verdict in BENCHMARK.verdicts(figures)}
    assert met["Camillo / LangGraph AsyncPostgresStore, calls/s of 16 callers"] is True
    assert met["Camillo / mem0 AsyncMemory, pgvector, calls/s of 16 callers"] is False
    assert met["Camillo / Chroma server, calls/s of 16 callers"] is None


def test_the_table_has_a_row_for_each_contender_and_dashes_for_what_is_missing() -> None:
    written = io.StringIO()
    table = contenders_table({"chroma_qps_16": Figure((1234.0,)), "chroma_recall": Figure((0.98,))})
    Console(file=written, width=140).print(table)
    rows = {title: line for line in written.getvalue().splitlines() for title in titles(line)}
    assert "1,234" in rows["Chroma server"]
    assert "0.98" in rows["Chroma server"]
    assert rows["Qdrant local client"].count(" - ") == 11
    assert len(rows) == len(CONTENDERS)


def titles(line: str) -> list[str]:
    return [each.title for each in CONTENDERS.values() if f" {each.title} " in line]


def test_peers_are_those_that_are_not_ours() -> None:
    assert PEERS == ("langgraph", "mem0", "chroma", "qdrant_local")
