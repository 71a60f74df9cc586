"""Secrets that the server took out of a write: one warning for each."""

from __future__ import annotations

import warnings

import pytest

from camillo_client import AsyncCamillo, SecretRedacted, new_memory


def told(found: list[warnings.WarningMessage]) -> list[tuple[str, int]]:
    return [
        (warning.message.redaction.field, warning.message.redaction.offset)
        for warning in found
        if isinstance(warning.message, SecretRedacted)
    ]


async def test_every_secret_is_told_in_one_warning(client: AsyncCamillo) -> None:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        await client.remember("a # and a #")
        await client.remember_many(["none", "one #", new_memory("#")])
    assert told(found) == [("content", 2), ("content", 10), ("content", 4), ("content", 0)]
    assert str(found[0].message) == ("a secret was taken out of content before it was stored: number-sign")


async def test_where_there_is_none_nothing_is_told(client: AsyncCamillo) -> None:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        await client.remember("tea")
        await client.remember_many(["tea"])
    assert told(found) == []


async def test_whoever_wants_an_error_gets_one(client: AsyncCamillo) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", SecretRedacted)
        with pytest.raises(SecretRedacted, match="number-sign"):
            await client.remember("#")
