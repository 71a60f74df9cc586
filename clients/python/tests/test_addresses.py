"""Addresses of servers: the cases that the clients share."""

import copy
import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from clients.python.tests.fake_server import FakeServer

from camillo_client import AddressInvalid, AsyncCamillo, Camillo
from camillo_client.errors import Unavailable
from camillo_client.target import resolved_address

CASES: dict[str, list[dict[str, Any]]] = json.loads((Path(__file__).parents[2] / "addresses.json").read_text("utf-8"))


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
    # The proposed address is not refused in turn.
    assert resolved_address(case["use"], {}) == case["use"]


@pytest.mark.parametrize("given", [7070, b"localhost:7070", ("localhost", 7070)])
def test_an_address_is_text(given: Any) -> None:
    with pytest.raises(TypeError, match=r"^address takes text, not "):
        Camillo.connect(given)


@pytest.fixture
def web_server() -> Iterator[str]:
    """The address of a server that speaks HTTP/1 alone."""
    server = http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


async def test_the_port_of_something_else_is_told_from_a_server(web_server: str, server: FakeServer) -> None:
    async with AsyncCamillo.connect(web_server, key="") as client:
        with pytest.raises(Unavailable, match=f"what listens at {web_server} is not a Camillo server"):
            await client.who_am_i()
    async with AsyncCamillo.connect(server.address, key="") as client:
        assert await client.who_am_i()


@pytest.mark.parametrize("client", [AsyncCamillo, Camillo])
def test_a_client_made_of_an_address_is_told_how_to_connect(client: Any) -> None:
    with pytest.raises(TypeError, match=rf"use {client.__name__}\.connect\('localhost:7070'\)"):
        client("localhost:7070")
