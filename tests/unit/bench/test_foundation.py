"""The benchmark runs: server processes, embedded Postgres and all, in its short form."""

import json
import subprocess
import sys

import pytest

from bench.foundation.__main__ import FOUNDATION
from bench.measure.servers import ROOT
from tests.patience import FACTOR


@pytest.mark.timeout(180)
def test_a_quick_run_ends_with_one_json_object() -> None:
    command = [sys.executable, "-m", "bench.foundation", "--quick", "--json", "--only", "remember"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=150 * FACTOR, check=True)
    told = json.loads(ran.stdout.splitlines()[-1])
    assert list(told)[: len(FOUNDATION.keys)] == list(FOUNDATION.keys)
    assert told["remember_p50_ms"] > told["echo_p50_ms"] > 0
    assert told["remember_qps_16"] > 0
    assert told["recall_sql_p50_ms"] is None
