"""Fixtures of tests of storage."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.postgres_fixtures import TestDatabase
from tests.storage.artifacts.artifact_store import ArtifactStores, artifact_store
from tests.storage.every_table import connection, filled, filled_template, tables

__all__ = ["connection", "filled", "filled_template", "tables"]


@pytest.fixture(params=["in_postgres", "outside"])
async def store(
    request: pytest.FixtureRequest, database: TestDatabase, tmp_path: Path
) -> AsyncIterator[ArtifactStores]:
    """Artifact stores, with their bytes in Postgres, and with their bytes in a directory."""
    directory = tmp_path / "parts" if request.param == "outside" else None
    async with artifact_store(database, directory) as opened:
        yield opened


@pytest.fixture
async def in_postgres(database: TestDatabase) -> AsyncIterator[ArtifactStores]:
    """Artifacts with their bytes in Postgres."""
    async with artifact_store(database, None) as opened:
        yield opened
