"""Addresses of servers: the cases that the clients share."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from camillo_client import AddressInvalid, AsyncCamillo, Camillo
from camillo_client.target import resolved_address

CASES: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parents[2] / "addresses.json").read_text("utf-8")
)


@pytest.mark.parametrize("case", CASES["taken"], ids=lambda case: ascii(case["given"]))
def test_addresses_are_taken_as_they_are(case: dict[str, str]) -> None:
    assert resolved_address(case["given"], {}) == case["address"]
    assert resolved_address(None, {"CAMILLO_ADDRESS": case["given"]}) == case["address"]


@pytest.mark.parametrize("case", CASES["refused"], ids=lambda case: ascii(case["given"]))
def test_an_address_that_is_written_wrong_is_corrected(case: dict[str, Any]) -> None:
    told = f"{case['problem']}: use {case['use']}{' with TLS' if case.get('tls') else ''}"
    for connect in (AsyncCamillo.connect, Camillo.connect):
        with pytest.raises(AddressInvalid) as raised:
            connect(case["given"], key="k")
        assert str(raised.value) == told
    assert str(copy.copy(raised.value)) == told
    # What is proposed is not refused in turn.
    assert resolved_address(case["use"], {}) == case["use"]


@pytest.mark.parametrize("given", [7070, b"localhost:7070", ("localhost", 7070)])
def test_an_address_is_text(given: Any) -> None:
    with pytest.raises(TypeError, match=r"^address takes text, not "):
        Camillo.connect(given)
