"""Database roles that a server accepts."""

import psycopg
import pytest
from camillo_server.storage.embedded.account import OWNER, SUPERUSER
from camillo_server.storage.migrate import ServerRoleError, require_serving_role

from tests.postgres_fixtures import TestDatabase


@pytest.mark.parametrize("is_migrated", [True, False])
def test_the_owner_of_the_tables_may_serve_only_if_it_is_named(database: TestDatabase, is_migrated: bool) -> None:
    if not is_migrated:
        with psycopg.connect(database.superuser_url) as superuser:
            superuser.execute("drop schema camillo, camillo_jobs cascade")
    require_serving_role(database.server_url)
    for named in ("", "another"):
        with pytest.raises(ServerRoleError, match=f"'{OWNER}' owns the tables"):
            require_serving_role(database.owner_url, named)
    require_serving_role(database.owner_url, OWNER)


def test_a_role_that_bypasses_policies_never_serves(database: TestDatabase) -> None:
    for named in ("", SUPERUSER):
        with pytest.raises(ServerRoleError, match="bypasses row-level security"):
            require_serving_role(database.superuser_url, named)
