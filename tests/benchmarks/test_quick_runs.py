"""Benchmarks of whole servers run in their short form, each in processes of its own, and end with one JSON object."""

import json
import subprocess
import sys
from typing import Any

import pytest

from bench.foundation.__main__ import FOUNDATION
from bench.lifecycle.__main__ import LIFECYCLE
from bench.lifecycle.options import LifecycleOptions
from bench.measure.servers import ROOT
from bench.peers.contenders import KEYS as PEERS
from bench.recall.__main__ import KEYS as RECALL
from bench.recall.writes import VISIBLE_SECONDS
from tests.patience import FACTOR

pytestmark = pytest.mark.timeout(240)


def quick_run(benchmark: str, *options: str) -> dict[str, Any]:
    command = [sys.executable, "-m", f"bench.{benchmark}", "--quick", "--json", *options]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=210 * FACTOR, check=True)
    told: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return told


def test_the_processor_that_a_call_takes() -> None:
    told = quick_run("budget", "--only", "recall_vector")
    assert list(told)[:3] == ["echo_cpu_ms", "recall_vector_cpu_ms", "recall_vector_over_echo"]
    assert told["echo_cpu_ms"] > 0
    assert told["recall_vector_cpu_ms"] > 0
    assert told["remember_cpu_ms"] is None
    # Where py-spy may not look into another process, there are no parts.
    if told["recall_vector_over_echo"] is not None:
        assert told["recall_vector_python_ms"] > 0


def test_server_processes_and_embedded_postgres() -> None:
    told = quick_run("foundation", "--only", "remember")
    assert list(told)[: len(FOUNDATION.keys)] == list(FOUNDATION.keys)
    assert told["remember_p50_ms"] > told["echo_p50_ms"] > 0
    assert told["remember_qps_16"] > 0
    assert told["recall_sql_p50_ms"] is None


def test_maintenance_forgetting_repeats_and_kills() -> None:
    told = quick_run("lifecycle")
    quick = LifecycleOptions.quick()
    assert list(told)[: len(LIFECYCLE.keys)] == list(LIFECYCLE.keys)
    assert (told["kill_lost"], told["kill_doubled"], told["kill_violations"]) == (0, 0, 0)
    assert told["kill_answers"] >= quick.kills * quick.answers_a_life[0]
    assert told["dedupe_rows"] == quick.texts
    assert told["maintain_1m_archived"] == quick.scopes * quick.scope_rows / 10
    assert told["forget_1000_ms"] > 0
    assert told["forget_replica_p95_ms"] > 0
    assert told["maintain_recall_ratio"] > 0


def test_contenders_as_processes() -> None:
    told = quick_run("peers", "--only", "camillo", "--only", "camillo_client", "--workers", "2", "--processes", "2")
    assert list(told) == list(PEERS)
    for name in ("camillo", "camillo_client"):
        assert told[f"{name}_recall"] > 0.9
        assert told[f"{name}_qps_16"] > 0
        assert told[f"{name}_put_p50_ms"] > 0
    assert told["mem0_qps_16"] is None


def test_recalls_of_a_cold_and_a_warm_scope_another_server_and_writes() -> None:
    told = quick_run("recall", "--sizes", "1k")
    of_1k = told["1k"]
    assert list(of_1k)[: len(RECALL)] == list(RECALL)
    assert of_1k["recall_vector_p50_ms"] > of_1k["echo_p50_ms"] > 0
    assert of_1k["answered_by"] == ("CACHE" if told["has_cache"] else "POSTGRES")
    # A thousand memories are searched exactly, whoever answers.
    assert of_1k["recall_at_10"] == of_1k["filtered_recall_at_10"] == 1
    assert told["own_write_visible_share"] == 1
    assert 0 < told["replica_visible_p95_ms"] < 1_000 * VISIBLE_SECONDS
    assert told["remember_text_p50_ms"] > told["remember_echo_p50_ms"]


def test_sizes_many_scopes_and_workers() -> None:
    told = quick_run("scale")
    assert told["rows.200.recall_p50_ms"] > 0
    assert told["workers.2.qps"] > 0
    assert told["model"]["core_ms"]["fixed"] >= 0
    assert {"predicted", "measured", "error"} <= set(told["checks"][0])
    assert told["assumptions"]["agents"] == 10_000_000
    # The size of a scope in memory is known where memory answers.
    assert (told["fleet"] is not None) == told["has_cache"]
