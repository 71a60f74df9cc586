"""A Postgres that is too old is the one cause that is told."""

import pytest
from camillo_server.cli.doctor import Status
from camillo_server.cli.doctor.database import check_database
from camillo_server.storage import migrate
from camillo_server.storage.migrate import PostgresTooOld, require_serving_role

from tests.postgres_fixtures import TestDatabase


def test_a_postgres_that_is_too_old_is_told_once(database: TestDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    found = list(check_database(database.server_url, "here", 1 << 30, 10))
    assert len(found) > 5
    require_serving_role(database.server_url)
    # As if this server needed a newer one.
    monkeypatch.setattr(migrate, "MIN_POSTGRES", 99)
    with pytest.raises(PostgresTooOld, match="needs Postgres 99 or newer"):
        require_serving_role(database.server_url)
    with pytest.raises(PostgresTooOld):
        migrate.migrate(database.owner_url)
    (only,) = check_database(database.server_url, "here", 1 << 30, 10)
    assert (only.subject, only.status) == ("database", Status.FAIL)
    assert "99" in only.text
