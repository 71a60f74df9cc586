"""Databases to restore into."""

from collections.abc import Callable, Iterator

import pytest

from tests.postgres_fixtures import TestDatabase


@pytest.fixture
def other(
    clone: Callable[[str], TestDatabase], template_database: str, drop: Callable[[str], None]
) -> Iterator[TestDatabase]:
    """A database without tenants."""
    database = clone(template_database)
    yield database
    drop(database.name)
