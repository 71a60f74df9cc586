"""The root key of an embedded database: made once, and only one that the database has issued."""

from pathlib import Path

import pytest
from camillo_server.assembly.processes.root_key import RootKeyError, ensure_root_key

from tests.postgres_fixtures import TestDatabase
from tests.unit.identity.listed_keys import unsigned_secret


def test_a_root_key_is_made_and_found_again(database: TestDatabase, tmp_path: Path) -> None:
    path = ensure_root_key(tmp_path, database.server_url)
    made = path.read_text()
    assert ensure_root_key(tmp_path, database.server_url).read_text() == made


def test_a_root_key_of_another_database_is_told_with_what_to_do(database: TestDatabase, tmp_path: Path) -> None:
    path = tmp_path / "root.key"
    path.write_text(unsigned_secret())
    with pytest.raises(RootKeyError, match="this database has not issued: delete it"):
        ensure_root_key(tmp_path, database.server_url)
    # As the setting identity.unsigned_keys allows it.
    ensure_root_key(tmp_path, database.server_url, accepts_unsigned=True)
