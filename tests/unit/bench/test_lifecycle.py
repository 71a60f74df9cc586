"""The benchmark of lifecycle runs in its short form: maintenance, forgetting, repeats, kills."""

import json
import subprocess
import sys

import pytest

from bench.lifecycle.__main__ import LIFECYCLE
from bench.lifecycle.options import LifecycleOptions
from bench.measure.servers import ROOT
from tests.patience import FACTOR


def test_every_key_that_is_told_first_has_a_goal() -> None:
    assert set(LIFECYCLE.keys) <= {goal.figure for goal in LIFECYCLE.goals}


@pytest.mark.timeout(240)
def test_a_quick_run_ends_with_one_json_object() -> None:
    command = [sys.executable, "-m", "bench.lifecycle", "--quick", "--json"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=210 * FACTOR, check=True)
    told = json.loads(ran.stdout.splitlines()[-1])
    quick = LifecycleOptions.quick()
    assert list(told)[: len(LIFECYCLE.keys)] == list(LIFECYCLE.keys)
    assert (told["kill_lost"], told["kill_doubled"], told["kill_violations"]) == (0, 0, 0)
    assert told["kill_answers"] >= quick.kills * quick.answers_a_life[0]
    assert told["dedupe_rows"] == quick.texts
    assert told["maintain_1m_archived"] == quick.scopes * quick.scope_rows / 10
    assert told["forget_1000_ms"] > 0
    assert told["forget_replica_p95_ms"] > 0
    assert told["maintain_recall_ratio"] > 0
