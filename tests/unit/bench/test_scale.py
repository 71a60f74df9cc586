"""The benchmark of scale runs in its short form: sizes, many scopes, workers."""

import json
import subprocess
import sys

import pytest

from bench.measure.servers import ROOT
from tests.patience import FACTOR


@pytest.mark.timeout(180)
def test_a_quick_run_ends_with_one_json_object() -> None:
    command = [sys.executable, "-m", "bench.scale", "--quick", "--json"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=150 * FACTOR, check=True)
    told = json.loads(ran.stdout.splitlines()[-1])
    assert told["rows.200.recall_p50_ms"] > 0
    assert told["workers.2.qps"] > 0
    assert told["model"]["core_ms"]["fixed"] >= 0
    assert {"predicted", "measured", "error"} <= set(told["checks"][0])
    assert told["assumptions"]["agents"] == 10_000_000
    # The size of a scope in memory is known where memory answers.
    assert (told["fleet"] is not None) == told["has_cache"]
