"""The checker of histories finds what cannot have happened, and admits what can."""

from pathlib import Path

import pytest

from bench.drills.linearizability import Noted, Verdict, check, has_go

pytestmark = pytest.mark.skipif(not has_go(), reason="Go is not installed")


def write(history: str, begin: int, end: int | None, version: int, **more: object) -> Noted:
    outcome = "ok" if end is not None else ""
    noted = Noted(history, 0, "write", begin, f"v{version}", end=end, outcome=outcome)
    noted.version = version
    for name, value in more.items():
        setattr(noted, name, value)
    return noted


def read(history: str, begin: int, end: int, version: int) -> Noted:
    outcome = "ok" if version else "absent"
    text = f"v{version}" if version else ""
    return Noted(history, 1, "read", begin, end=end, outcome=outcome, version=version, read=text)


def verdict(calls: list[Noted], tmp_path: Path) -> Verdict:
    return check(calls, tmp_path)


def test_a_read_that_is_stale_is_a_violation_and_one_beside_the_write_is_none(tmp_path: Path) -> None:
    stale = [write("stale", 1, 2, 1), read("stale", 3, 4, 0)]
    beside = [write("beside", 1, 4, 1), read("beside", 2, 3, 0)]
    found = verdict([*stale, *beside], tmp_path)
    assert (found.checked, found.violations, found.undecided) == (2, ["stale"], [])


def test_a_write_that_nobody_answered_may_have_happened_or_not(tmp_path: Path) -> None:
    seen = [write("seen", 1, None, 1), read("seen", 5, 6, 1)]
    unseen = [write("unseen", 1, None, 1), read("unseen", 5, 6, 0)]
    undone = [write("undone", 1, None, 1), read("undone", 5, 6, 1), read("undone", 7, 8, 0)]
    assert verdict([*seen, *unseen, *undone], tmp_path).violations == ["undone"]


def test_two_that_swapped_the_same_version_are_a_violation(tmp_path: Path) -> None:
    first = write("both", 1, 10, 1, if_version=0)
    both = [first, write("both", 2, 9, 1, if_version=0)]
    refused = write("one", 2, 9, 0, if_version=0, outcome="conflict")
    one = [write("one", 1, 10, 1, if_version=0), refused]
    assert verdict([*both, *one], tmp_path).violations == ["both"]
