"""Errors of wrong arguments name the argument and what it takes, whatever raised them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import aclosing
from types import FunctionType
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

# Exceptions of protobuf and conversions for a value that they cannot take.
WRONG_ARGUMENT = (TypeError, ValueError, AttributeError, OverflowError, IndexError)


class NamesArguments:
    """Lets the public methods of subclasses name the arguments at fault; costs nothing but a call where there are
    none."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name, member in list(vars(cls).items()):
            if name.startswith("_"):
                continue
            if isinstance(member, FunctionType):
                setattr(cls, name, names_arguments(member))
            elif isinstance(member, classmethod):
                setattr(cls, name, classmethod(names_arguments(member.__func__)))


def names_arguments(function: F) -> F:
    """The function, whose errors of wrong arguments name them; what it returns may be awaited or iterated later."""
    if inspect.iscoroutinefunction(function):
        wrapped: Any = _awaited(function)
    elif inspect.isasyncgenfunction(function):
        wrapped = _iterated_asynchronously(function)
    elif inspect.isgeneratorfunction(function):
        wrapped = _iterated(function)
    else:
        wrapped = _called(function)
    named: Any = functools.wraps(function)(wrapped)
    return named  # type: ignore[no-any-return]


def checks_arguments(function: F) -> F:
    """The function, which looks at its arguments before it begins: for one that uses them only later."""

    @functools.wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        from camillo_client.argument_errors import check

        check(function, arguments, keywords)
        return function(*arguments, **keywords)

    checked: Any = call
    return checked  # type: ignore[no-any-return]


def _called(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any, **keywords: Any) -> Any:
        try:
            result = function(*arguments, **keywords)
        except WRONG_ARGUMENT as error:
            _raise_named(function, arguments, keywords, error)
            raise
        if isinstance(result, AsyncGenerator):
            return _iterated_asynchronously(function, result)(*arguments, **keywords)
        if isinstance(result, Generator):
            return _iterated(function, result)(*arguments, **keywords)
        return result

    return call


def _awaited(function: Callable[..., Any]) -> Callable[..., Any]:
    async def call(*arguments: Any, **keywords: Any) -> Any:
        try:
            return await function(*arguments, **keywords)
        except WRONG_ARGUMENT as error:
            _raise_named(function, arguments, keywords, error)
            raise

    return call


def _iterated(function: Callable[..., Any], begun: Generator[Any] | None = None) -> Callable[..., Generator[Any]]:
    def call(*arguments: Any, **keywords: Any) -> Generator[Any]:
        try:
            yield from function(*arguments, **keywords) if begun is None else begun
        except WRONG_ARGUMENT as error:
            _raise_named(function, arguments, keywords, error)
            raise

    return call


def _iterated_asynchronously(
    function: Callable[..., Any], begun: AsyncGenerator[Any] | None = None
) -> Callable[..., AsyncGenerator[Any]]:
    async def call(*arguments: Any, **keywords: Any) -> AsyncGenerator[Any]:
        try:
            items = function(*arguments, **keywords) if begun is None else begun
            async with aclosing(items) as each:
                async for item in each:
                    yield item
        except WRONG_ARGUMENT as error:
            _raise_named(function, arguments, keywords, error)
            raise

    return call


def _raise_named(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    keywords: Mapping[str, Any],
    error: Exception,
) -> None:
    """Raises the error that names the arguments at fault, if there are any."""
    # Resolves annotations: for a failure alone.
    from camillo_client.argument_errors import named

    if (better := named(function, arguments, keywords, error)) is not None:
        raise better from error
