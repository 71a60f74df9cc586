"""Tables of cases: one test for all of them, since pytest takes milliseconds for each of its own."""

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest


def each_case(
    names: str | Sequence[str], cases: Iterable[Any], ids: Iterable[str] | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Runs the test for each case, as `pytest.mark.parametrize` would, and fails with all that failed, named.

    For functions without a state: what fixtures give is the same for all cases.
    """
    parameters = names.replace(" ", "").split(",") if isinstance(names, str) else list(names)
    table = list(cases)
    titles = [repr(case)[:300] for case in table] if ids is None else list(ids)
    assert table, "a table without cases tests nothing"

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def run_all(*arguments: Any, **fixtures: Any) -> None:
            failures: list[BaseException] = []
            for title, case in zip(titles, table, strict=True):
                values = case if len(parameters) > 1 else (case,)
                try:
                    test(*arguments, **fixtures, **dict(zip(parameters, values, strict=True)))
                except (Exception, pytest.fail.Exception) as failure:  # noqa: BLE001
                    failure.add_note(f"case: {title}")
                    failures.append(failure)
            if failures:
                raise BaseExceptionGroup(f"{len(failures)} of {len(table)} cases fail", failures)

        own = inspect.signature(test)
        kept = [parameter for name, parameter in own.parameters.items() if name not in parameters]
        vars(run_all)["__signature__"] = own.replace(parameters=kept)
        return run_all

    return decorate
