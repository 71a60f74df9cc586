"""The real vocabularies, as `models pull` puts them."""

from pathlib import Path

import pytest

from tests.unit.text.vocabulary_files import CACHED, library_directory


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory of models with both vocabularies."""
    source, directory = library_directory(), tmp_path_factory.mktemp("models")
    for name, cached in CACHED.items():
        (directory / f"{name}.tiktoken").symlink_to(source / cached)
    return directory
