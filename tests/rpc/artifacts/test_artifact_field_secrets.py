"""Secrets in what is said about an artifact: taken out of every field, told, and found nowhere afterwards."""

import logging
from typing import Any

import pytest

from tests.postgres_fixtures import TestDatabase
from tests.rpc.artifacts.calls import change, offload, put
from tests.rpc.search.masked_text import assert_nowhere
from tests.rpc.test_secrets import CONTROL, telling_lines
from tests.secret_samples import samples
from tests.server_fixtures import Server

SECRETS = samples(11)
# Fields that take one secret, and the most characters of each.
FIELDS = {
    "name": 256,
    "description": 200,
    "media_type": 128,
    "tool": 64,
    "command": 4000,
    "session_id": 128,
    "tags": 128,
    "source_refs": 256,
    "metadata": 16_000,
}
UPDATED = set(FIELDS) - {"media_type", "tool", "command"}


def stated(turn: int) -> tuple[dict[str, Any], set[tuple[str, str]]]:
    """A value for every field, each with a secret of another kind, and what is to be told of them."""
    kinds = list(SECRETS)
    values: dict[str, Any] = {}
    wanted = set()
    for place, (field, most) in enumerate(FIELDS.items()):
        kind = kinds[(place + turn) % len(kinds)]
        value = f"é {SECRETS[kind]} {CONTROL}"
        if len(value) > most:
            continue
        if field == "metadata":
            values[field] = {"note": value, "plain": CONTROL, "n": 1, "none": None}
            wanted.add(("metadata.note", kind))
            if len(value) <= 128:
                values[field] = {"note": value, value: 1}
                wanted.add(("metadata key", kind))
        elif field in ("tags", "source_refs"):
            values[field] = [CONTROL, value]
            wanted.add((f"{field}[1]", kind))
        else:
            values[field] = value
            wanted.add((field, kind))
    return values, wanted


@pytest.mark.parametrize("how", ["put", "offload", "offload inline", "update"])
async def test_no_field_brings_a_secret_in(
    server: Server, database: TestDatabase, caplog: pytest.LogCaptureFixture, how: str
) -> None:
    caplog.set_level(logging.DEBUG)
    answers: list[Any] = []
    for turn in range(len(SECRETS)):
        values, wanted = stated(turn)
        content = f"{CONTROL} {turn}"
        if how == "put":
            answers.append(await put(server.alice, content.encode(), **values))
        elif how == "update":
            values = {name: value for name, value in values.items() if name in UPDATED}
            wanted = {each for each in wanted if each[0].split("[")[0] in UPDATED or "meta" in each[0]}
            first = await put(server.alice, content.encode())
            answers.append(await server.alice(change(first.artifact.artifact_id, 1, **values)))
        else:
            most = 1 if how == "offload" else 0
            answers.append(await offload(server.alice, content, threshold_tokens=most, **values))
        assert {(each.field, each.kind) for each in answers[-1].field_redactions} == wanted
        for each in answers[-1].field_redactions:
            assert each.offset == 2
    if how == "offload inline":
        await put(server.alice, CONTROL.encode(), name=CONTROL)
    assert_nowhere(database, SECRETS.values(), also=answers)
    assert not any(line in caplog.text for each in SECRETS.values() for line in telling_lines(each))
