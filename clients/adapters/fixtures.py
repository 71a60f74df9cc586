"""Fixtures of the adapters' tests, as a plugin of pytest: clients in a space that no other test has."""

from collections.abc import AsyncIterator, Iterator
from uuid import uuid4

import pytest
import pytest_asyncio
from camillo_client import AsyncCamillo, Camillo


@pytest.fixture
def user() -> str:
    """The id of a person nobody has heard of."""
    return uuid4().hex


@pytest.fixture
def camillo(user: str) -> Iterator[Camillo]:
    """A client for a person's space."""
    with Camillo.connect(timeout_seconds=60) as client:
        yield client.for_user(user)


@pytest_asyncio.fixture
async def async_camillo(user: str) -> AsyncIterator[AsyncCamillo]:
    """A client for the same person's space."""
    async with AsyncCamillo.connect(timeout_seconds=60) as client:
        yield client.for_user(user)
