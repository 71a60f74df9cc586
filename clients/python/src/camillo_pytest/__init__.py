"""Fixtures of pytest for tests of agents. A session has one server, with pytest-xdist each worker its own; a test has a
tenant of its own there.

A package beside the client's: importing that would cost every session of pytest half a second."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from camillo_client import Camillo
    from camillo_client.testing.model import ScriptedModel
    from camillo_client.testing.server import ServerForTests, ServerProcess

# Whatever else the developer has set would lead elsewhere.
VARIABLES = ("CAMILLO_AGENT", "CAMILLO_SPACE", "CAMILLO_DATA_DIR", "CAMILLO_CONFIG")


@pytest.fixture(scope="session")
def camillo_settings() -> Mapping[str, Mapping[str, Any]]:
    """Settings of the server by section, such as `{"lifecycle": {"memory_quota": 100}}`. Override it in a conftest."""
    return {}


@pytest.fixture(scope="session")
def camillo_server_process(camillo_settings: Mapping[str, Mapping[str, Any]]) -> Iterator[ServerProcess]:
    """The server of this session."""
    from camillo_client.testing.server import server_for_tests

    with server_for_tests(camillo_settings) as running:
        yield running


@pytest.fixture
def camillo_model() -> Iterator[ScriptedModel]:
    """A model that says what the test tells it to."""
    from camillo_client.testing.model import scripted_model

    with scripted_model() as model:
        yield model


@pytest.fixture
def camillo_server(
    camillo_server_process: ServerProcess, camillo_model: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> ServerForTests:
    """A server with an empty tenant, a clock that stands at the beginning of 2030 until it is moved, and a scripted
    model. Clients and commands find it, for as long as the test runs."""
    server = camillo_server_process.new_tenant(camillo_model)
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CAMILLO_ADDRESS", server.address)
    monkeypatch.setenv("CAMILLO_KEY", server.key)
    return server


@pytest.fixture
def camillo(camillo_server: ServerForTests) -> Iterator[Camillo]:
    """A client of that server, for any agent and space of the tenant."""
    with camillo_server.connect() as client:
        yield client
