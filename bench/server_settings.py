"""What the server can be told."""

from functools import cache

from camillo_server.settings import describe_settings, load_settings

# Maintenance by the hour would be measured with whatever is: so on a day in four years.
UNDISTURBED = {"lifecycle.cron": "0 0 29 2 *"}


def is_known(path: str) -> bool:
    """Whether this version of the server has the setting."""
    return path in _paths()


@cache
def _paths() -> frozenset[str]:
    settings = load_settings(None, {}, {"data_dir": "."})
    return frozenset(path for path, _, _ in describe_settings(settings))
