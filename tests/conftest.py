"""Fixtures that every test may ask for."""

pytest_plugins = ["tests.postgres_fixtures", "tests.server_fixtures"]
