"""One switch for all servers of the tests: CAMILLO_TEST_CACHES=off turns off every cache that has a setting.

The answers of calls must not depend on caches. Tests of a cache itself are marked with `caches`, and skipped then.
"""

import os
from typing import Any

ARE_OFF = os.environ.get("CAMILLO_TEST_CACHES") == "off"
REASON = "tests a cache, and CAMILLO_TEST_CACHES=off turns it off"
# Bundles cache computed pieces and records only for scopes in memory, so the first setting turns that off too.
SETTINGS: dict[str, dict[str, Any]] = (
    {"retrieval": {"cache_bytes": 0}, "memory": {"embedding_cache_size": 0}, "identity": {"key_cache_seconds": 0.0}}
    if ARE_OFF
    else {}
)
# The same for servers that are processes of their own.
ENVIRON = {
    f"CAMILLO_{section}_{name}".upper(): str(value)
    for section, values in SETTINGS.items()
    for name, value in values.items()
}
