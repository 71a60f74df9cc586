"""A space of its own for each test, at the server that `make adapters` has started."""

from __future__ import annotations

import os
from collections.abc import Iterator
from uuid import uuid4

import pytest

from camillo_client import Camillo
from camillo_langgraph import CamilloSaver, CamilloStore


@pytest.fixture(scope="session")
def connection() -> Iterator[Camillo]:
    if "CAMILLO_ADDRESS" not in os.environ:
        pytest.exit("no server: run `make adapters`", returncode=4)
    with Camillo.connect(timeout_seconds=60) as camillo:
        yield camillo


@pytest.fixture
def camillo(connection: Camillo) -> Camillo:
    return connection.for_project(f"t-{uuid4().hex}")


@pytest.fixture
def saver(camillo: Camillo) -> CamilloSaver:
    return CamilloSaver(camillo)


@pytest.fixture
def store(camillo: Camillo) -> CamilloStore:
    return CamilloStore(camillo)
