"""Recall keeps its promises whoever answers: these files run with memory in front, and with Postgres alone."""

import pytest

ON_BOTH_SIDES = {
    *("test_recall", "test_recall_context", "test_precise_recall", "test_linked_recall"),
    *("test_filters", "test_forget", "test_update", "test_remember"),
}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    name = metafunc.module.__name__.rpartition(".")[2]
    if name in ON_BOTH_SIDES and "answered_from" in metafunc.fixturenames:
        metafunc.parametrize("answered_from", ["memory", "postgres"])
