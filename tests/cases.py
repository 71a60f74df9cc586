"""Tables of cases: one test for all of them, since pytest takes milliseconds for each of its own."""

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

Test = Callable[..., Any]


def each_case(
    names: str | Sequence[str], cases: Iterable[Any], ids: Iterable[str] | None = None
) -> Callable[[Test], Test]:
    """Runs the test for each case, as `pytest.mark.parametrize` would, and fails with all that failed, named.

    For tests that change nothing for the next case: what fixtures give is the same for all of them.
    """
    parameters = names.replace(" ", "").split(",") if isinstance(names, str) else list(names)
    table = list(cases)
    titles = [repr(case)[:300] for case in table] if ids is None else list(ids)
    assert table, "a table without cases tests nothing"
    rows = [dict(zip(parameters, each if len(parameters) > 1 else (each,), strict=True)) for each in table]

    def decorate(test: Test) -> Test:
        def run_all(*arguments: Any, **fixtures: Any) -> None:
            failures: list[BaseException] = []
            for title, row in zip(titles, rows, strict=True):
                with _gathered(failures, title):
                    test(*arguments, **fixtures, **row)
            _raise(failures, len(rows))

        async def await_all(*arguments: Any, **fixtures: Any) -> None:
            failures: list[BaseException] = []
            for title, row in zip(titles, rows, strict=True):
                with _gathered(failures, title):
                    await test(*arguments, **fixtures, **row)
            _raise(failures, len(rows))

        whole: Test = functools.wraps(test)(await_all if inspect.iscoroutinefunction(test) else run_all)
        own = inspect.signature(test)
        kept = [parameter for name, parameter in own.parameters.items() if name not in parameters]
        vars(whole)["__signature__"] = own.replace(parameters=kept)
        return whole

    return decorate


@contextmanager
def _gathered(failures: list[BaseException], title: str) -> Iterator[None]:
    try:
        yield
    except (Exception, pytest.fail.Exception) as failure:  # noqa: BLE001
        failure.add_note(f"case: {title}")
        failures.append(failure)


def _raise(failures: list[BaseException], count: int) -> None:
    if failures:
        raise BaseExceptionGroup(f"{len(failures)} of {count} cases fail", failures)
