"""A table of cases in one test: every case is run, and each that fails is named with what it says."""

import asyncio
import inspect

import pytest

from tests.cases import each_case


@each_case(("one", "other"), [(1, 1), (1, 2), (3, 3), (3, 4)])
def equal(given: list[int], one: int, other: int) -> None:
    given.append(one)
    assert one == other


def test_every_case_runs_and_those_that_fail_are_named() -> None:
    ran: list[int] = []
    with pytest.raises(ExceptionGroup, match=r"^2 of 4 cases fail") as raised:
        equal(ran)
    assert ran == [1, 1, 3, 3]
    assert [each.__notes__ for each in raised.value.exceptions] == [["case: (1, 2)"], ["case: (3, 4)"]]


def test_an_error_that_does_not_come_is_a_failure_of_its_case() -> None:
    @each_case("number", [0, 1], ids=["zero", "one"])
    def refused(number: int) -> None:
        with pytest.raises(ZeroDivisionError):
            assert 1 / number

    with pytest.raises(BaseExceptionGroup) as raised:
        refused()
    assert [each.__notes__ for each in raised.value.exceptions] == [["case: one"]]


def test_fixtures_are_given_and_tables_multiply() -> None:
    ran: list[tuple[int, str]] = []

    @each_case("number", [1, 2])
    @each_case("text", ["a", "b"])
    def add(given: list[tuple[int, str]], number: int, text: str) -> None:
        given.append((number, text))

    assert list(inspect.signature(add).parameters) == ["given"]
    add(ran)
    assert ran == [(1, "a"), (1, "b"), (2, "a"), (2, "b")]


async def test_what_is_awaited_is_awaited_case_by_case() -> None:
    ran: list[int] = []

    @each_case("number", [1, 2, 3])
    async def add(number: int) -> None:
        await asyncio.sleep(0)
        ran.append(number)
        assert number != 2

    with pytest.raises(ExceptionGroup, match="1 of 3 cases fail"):
        await add()
    assert ran == [1, 2, 3]


def test_an_empty_table_is_an_error() -> None:
    with pytest.raises(AssertionError, match="tests nothing"):
        each_case("number", [])
