"""Two versions of the server beside each other: where each comes from, and the ratios of what they took."""

from pathlib import Path

import pytest

from bench.against.comparison import HERE, THERE, Comparison, trees_with
from bench.measure.servers import ROOT, VECTORS_GIVEN, app_server

FAKE_SERVER = """
import json, pathlib
print(json.dumps({"port": 1, "code": str(pathlib.Path(__file__).parent.parent)}), flush=True)
"""


@pytest.fixture
def other_tree(tmp_path: Path) -> Path:
    (tmp_path / "bench").mkdir()
    (tmp_path / "bench" / "app_server.py").write_text(FAKE_SERVER)
    return tmp_path


def test_a_directory_is_taken_as_it_is(other_tree: Path) -> None:
    with trees_with(str(other_tree)) as trees:
        assert trees == {HERE: ROOT, THERE: other_tree}


def test_what_is_neither_a_directory_nor_a_commit_is_refused() -> None:
    with pytest.raises(ValueError, match="neither a checkout"), trees_with("no-such-commit"):
        pass


def test_a_server_runs_the_code_of_its_own_tree(other_tree: Path, tmp_path: Path) -> None:
    with app_server(VECTORS_GIVEN, tmp_path / "data", tree=other_tree) as app:
        assert app.process.ready["code"] == str(other_tree)


def test_ratios_are_taken_round_by_round() -> None:
    comparison = Comparison()
    # The second round was slow for both.
    for version, values in ((HERE, (2.0, 20.0, 2.0)), (THERE, (1.0, 10.0, 4.0))):
        for value in values:
            comparison.add("echo_p50_ms", version, value)
    assert comparison.as_json() == {"echo_p50_ms": {HERE: 2.0, THERE: 4.0, "ratio": 2.0}}
