"""Streams that are recorded once they end, are closed or fail, with the text until then."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from typing import Any, Self

from camillo_remembering.shapes import Shape


class _Heard:
    """A stream with everything that it has, and the text that passed."""

    def __init__(self, stream: Any, shape: Shape, record: Callable[[str], None]) -> None:
        self._stream, self._shape, self._record = stream, shape, record
        self._texts: list[str] | None = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def _hear(self, event: Any) -> Any:
        # A form that memory does not know is passed on as it is.
        with suppress(Exception):
            if self._texts is not None and (text := self._shape.delta(event)):
                self._texts.append(text)
        return event

    def _end(self) -> None:
        if self._texts is not None:
            texts, self._texts = self._texts, None
            self._record("".join(texts))


class RecordedStream(_Heard):
    """A stream of a client."""

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        try:
            return self._hear(next(self._stream))
        except BaseException:
            self._end()
            raise

    def close(self) -> None:
        self._end()
        self._stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


class AsyncRecordedStream(_Heard):
    """A stream of an asynchronous client."""

    def __aiter__(self) -> AsyncIterator[Any]:
        return self

    async def __anext__(self) -> Any:
        try:
            return self._hear(await anext(self._stream))
        except BaseException:
            self._end()
            raise

    async def close(self) -> None:
        self._end()
        await self._stream.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()
