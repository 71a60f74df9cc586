"""The benchmark of recall runs in its short form: filling, a cold and a warm scope, another server, writes."""

import json
import subprocess
import sys

import pytest

from bench.measure.servers import ROOT
from bench.recall.__main__ import KEYS
from bench.recall.writes import VISIBLE_SECONDS
from tests.patience import FACTOR


@pytest.mark.timeout(180)
def test_a_quick_run_ends_with_one_json_object() -> None:
    command = [sys.executable, "-m", "bench.recall", "--quick", "--json", "--sizes", "1k"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=150 * FACTOR, check=True)
    told = json.loads(ran.stdout.splitlines()[-1])
    of_1k = told["1k"]
    assert list(of_1k)[: len(KEYS)] == list(KEYS)
    assert of_1k["recall_vector_p50_ms"] > of_1k["echo_p50_ms"] > 0
    assert of_1k["answered_by"] == ("CACHE" if told["has_cache"] else "POSTGRES")
    # A thousand memories are searched exactly, whoever answers.
    assert of_1k["recall_at_10"] == of_1k["filtered_recall_at_10"] == 1
    assert told["own_write_visible_share"] == 1
    assert 0 < told["replica_visible_p95_ms"] < 1_000 * VISIBLE_SECONDS
    assert told["remember_text_p50_ms"] > told["remember_echo_p50_ms"]
