"""An S3 for all tests of this folder."""

from collections.abc import Iterator

import pytest

from tests.unit.artifacts.s3_server import s3_server


@pytest.fixture(scope="session")
def s3() -> Iterator[str]:
    with s3_server() as endpoint:
        yield endpoint
