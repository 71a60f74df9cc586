"""The Camillo server. Its wheel has the Python client under `bundled`; a checkout has it as a package of its own."""

from __future__ import annotations

import os
import sys

# As type checkers know it, without importing `typing`.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from camillo_client import Camillo

# Without `pathlib`, which takes longer to import than all else here: a hook of a client has no time for it.
BUNDLED = os.path.join(os.path.dirname(__file__), "bundled")

# First on the path: a client of another version in the same environment must not answer for this one.
if os.path.isdir(BUNDLED):
    sys.path.insert(0, BUNDLED)


def local(**options: Any) -> Camillo:
    """`camillo_client.local()`, of the client that the server's package brings along."""
    from camillo_client import Camillo

    return Camillo.local(**options)
