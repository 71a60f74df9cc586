"""The Camillo server. Its wheel has the Python client under `bundled`; a checkout has it as a package of its own."""

import sys
from pathlib import Path

BUNDLED = Path(__file__).parent / "bundled"

# First on the path: a client of another version in the same environment must not answer for this one.
if BUNDLED.is_dir():
    sys.path.insert(0, str(BUNDLED))
